import DataGrid

/// The state of a query: the last request, and the visible rows until its result is complete.
///
/// Before the file is read to its end, filters run, but sorting and grouping wait.
public enum QueryState: Equatable, Sendable {
    /// All requested rows among the rows that are read are shown, in this arrangement.
    case settled(Arrangement)
    /// The result is not complete yet. The shown rows have the arrangement `shown`.
    case pending(Request, shown: Arrangement, Phase)

    /// The progress of a pending query, and the relation of the visible rows to the request.
    public enum Phase: Equatable, Sendable {
        /// The requested sort or groups wait until the file is read. The visible rows have the requested filters.
        case waitingForFile
        /// No row of the result is shown yet.
        case running
        /// Some rows of the result are shown: the matches that filters have found, or the first rows of a sort. Cancelling restores the
        /// previous rows.
        case arriving(previous: PreviousRows)
        /// The file has new rows that are not among the visible rows. The visible rows stay until the query has run again.
        case stale
    }

    /// A requested query.
    public struct Request: Equatable, Sendable {
        /// The filters, sort keys and groups.
        public var arrangement: Arrangement
        /// The groups to collapse; `nil` to keep the currently collapsed groups.
        public var collapsed: CollapsedGroups?
        /// True if the cursor stays on its row; otherwise it moves to the first group if all are collapsed.
        public var keepsCursor = false
        /// True if a reload or a saved view restores the arrangement, so that no message is needed.
        public var isRestoring = false
    }

    /// Creates a pending query for a file that has just been opened. Its rows are shown in file order.
    init(requesting arrangement: Arrangement, collapsed: CollapsedGroups? = nil, isRestoring: Bool = false) {
        let request = Request(arrangement: arrangement, collapsed: collapsed, isRestoring: isRestoring)
        self.init(request, shown: Arrangement(), isFileRead: false)
    }

    /// Creates a settled state if all requested rows are shown; otherwise, a pending state in which none of them is shown.
    private init(_ request: Request, shown: Arrangement, isFileRead: Bool) {
        if request.arrangement == shown {
            self = .settled(shown)
        } else {
            let waits = !isFileRead && !request.arrangement.isInFileOrder && request.arrangement.filters == shown.filters
            self = .pending(request, shown: shown, waits ? .waitingForFile : .running)
        }
    }

    /// The last requested arrangement.
    public var requested: Arrangement { request?.arrangement ?? shown }

    /// The arrangement of the visible rows.
    public var shown: Arrangement {
        switch self {
        case .settled(let shown), .pending(_, let shown, _): shown
        }
    }

    /// The request that is not complete yet.
    public var request: Request? { if case .pending(let request, _, _) = self { request } else { nil } }

    /// The rows that are restored if the query is cancelled while rows arrive.
    var previous: PreviousRows? { if case .pending(_, _, .arriving(let previous)) = self { previous } else { nil } }

    /// True if all requested rows are shown.
    public var isSettled: Bool { request == nil }

    /// True if the requested sort or groups wait until the file is read.
    public var isWaitingForFile: Bool { if case .pending(_, _, .waitingForFile) = self { true } else { false } }

    /// True if the input has new rows that are not among the visible rows.
    var isStale: Bool { if case .pending(_, _, .stale) = self { true } else { false } }

    /// True if only the first rows of a sort are shown.
    var showsFirstOnly: Bool { previous != nil && !shown.sort.isEmpty }

    /// True for the arrangements of which a job may deliver rows: the requested one, with or without its sort keys and groups.
    func awaits(_ arrangement: Arrangement) -> Bool { arrangement == requested || arrangement == requested.unordered }

    /// The part of the request to run before the file is read: its filters. `nil` if the visible rows already have these filters.
    var runnableBeforeFileIsRead: Arrangement? {
        switch self {
        case .pending(_, _, .waitingForFile): nil
        case .pending(let request, let shown, .stale) where request.arrangement.filters == shown.filters: nil
        default: requested.unordered
        }
    }

    // MARK: Events

    /// Requests an arrangement. Rows that have arrived stay visible. Stale rows stay visible until the query has run again.
    mutating func requestArrangement(_ arrangement: Arrangement, isFileRead: Bool) {
        var request = request ?? Request(arrangement: arrangement)
        if request.arrangement != arrangement { request.isRestoring = false }
        request.arrangement = arrangement
        if case .pending(_, let shown, let phase) = self, previous != nil || isStale {
            self = .pending(request, shown: shown, phase)
        } else {
            self = QueryState(request, shown: shown, isFileRead: isFileRead)
        }
    }

    /// Sets the groups of the result to collapse. Has no effect on a settled query.
    mutating func setCollapsed(_ collapsed: CollapsedGroups?, keepsCursor: Bool = false) {
        guard case .pending(var request, let shown, let phase) = self else { return }
        (request.collapsed, request.keepsCursor) = (collapsed, keepsCursor)
        self = .pending(request, shown: shown, phase)
    }

    /// Marks the request as one that restores a view and needs no message. Has no effect on a settled query.
    mutating func setRestoring() {
        guard case .pending(var request, let shown, let phase) = self else { return }
        request.isRestoring = true
        self = .pending(request, shown: shown, phase)
    }

    /// Notes that some rows of an arrangement are shown. Does nothing while stale rows are shown.
    mutating func receive(_ arrangement: Arrangement, previous: PreviousRows) {
        guard !isStale else { return }
        self = .pending(request ?? Request(arrangement: requested), shown: arrangement, .arriving(previous: previous))
    }

    /// Notes that all rows of an arrangement are shown.
    mutating func finish(_ arrangement: Arrangement, isFileRead: Bool) {
        self = QueryState(request ?? Request(arrangement: requested), shown: arrangement, isFileRead: isFileRead)
    }

    /// Notes that the file is read to its end.
    mutating func handleEndOfFile() {
        guard case .pending(let request, let shown, .waitingForFile) = self else { return }
        self = .pending(request, shown: shown, .running)
    }

    /// Notes that the file has new rows, which are not read yet. Replaces rows that were arriving with the previous rows. Rows in file
    /// order stay valid, because the new rows follow them; other rows become stale.
    mutating func handleFileGrowth() {
        let shown = previous?.arrangement ?? shown
        guard !shown.isFileOrder else { return finish(shown, isFileRead: false) }
        self = .pending(request ?? Request(arrangement: requested), shown: shown, .stale)
    }

    /// Cancels the query. Replaces rows that were arriving with the previous rows, and stale rows with all rows in file order.
    mutating func cancel() { self = .settled(isStale ? Arrangement() : previous?.arrangement ?? shown) }
}

/// The rows that were shown before the rows of a query arrived.
public struct PreviousRows: Equatable, Sendable {
    let arrangement: Arrangement
    private let rows: RowOrder
    let tree: SectionTree?
    /// The selection of these rows.
    let selection: Selection
    /// True if the rows of the query do not keep the selection.
    let isSelectionLost: Bool
    /// The anchor of the cursor, until its row arrives.
    var anchor: CursorAnchor?

    @MainActor
    init(_ state: AppState) {
        (arrangement, rows, tree) = (state.query.shown, state.grid.rows, state.grid.outline.tree)
        // Rows at the end of an input that is not read to its end have no positions yet.
        if case .spliced = state.grid.rows { selection = .empty } else { selection = state.grid.selection }
        isSelectionLost = state.hasLargeSelection
    }

    /// The rows, including new rows of the file if they are in file order.
    func rows(recordCount: Int) -> RowOrder {
        guard arrangement.isFileOrder else { return rows }
        if case .moved(let moved) = rows, let grown = moved.grown(to: recordCount) { return .moved(grown) }
        return .natural(count: recordCount)
    }
}
