import DataGrid

/// The state of a sheet's query: the last request, and the rows that are visible until its result is complete.
///
/// Before the file is read to its end, filters run, but sorting and grouping wait.
public enum QueryState: Equatable, Sendable {
    /// The rows of the requested arrangement are shown, as far as the file was read.
    case settled(Arrangement)
    /// The result of the request is not complete. The visible rows have the arrangement `shown`.
    case pending(Request, shown: Arrangement, Phase)

    /// The progress of a pending query, and the rows that are visible meanwhile.
    public enum Phase: Equatable, Sendable {
        /// The requested sort or groups wait until the file is read to its end. The visible rows have the requested filters.
        case waitingForFile
        /// The query runs, and none of its rows are visible yet.
        case running
        /// Some rows of the result are visible: matches that filters have found, or the first rows of a sort. Cancelling the query shows
        /// the previous rows again.
        case arriving(previous: PreviousRows)
        /// The file has new rows that the visible rows do not contain. The visible rows stay until the query has run again.
        case stale
    }

    /// The arrangement that a query must produce, and details of how to show it.
    public struct Request: Equatable, Sendable {
        /// The filters, sort keys and groups.
        public var arrangement: Arrangement
        /// The groups to collapse in the result; `nil` if the groups that are collapsed now stay collapsed.
        public var collapsed: CollapsedGroups?
        /// True if the cursor must stay on its row. Otherwise, if all groups are collapsed, it moves to the first group.
        public var keepsCursor = false
        /// True if the request comes from a reload or a saved view, so that it needs no message.
        public var isRestoring = false
    }

    /// Creates the state for a file that has just been opened. Its rows are shown in file order until the query has run.
    init(requesting arrangement: Arrangement, collapsed: CollapsedGroups? = nil, isRestoring: Bool = false) {
        let request = Request(arrangement: arrangement, collapsed: collapsed, isRestoring: isRestoring)
        self.init(request, shown: Arrangement(), isFileRead: false)
    }

    /// Creates the state after rows of the arrangement `shown` became visible: settled if these are all requested rows, otherwise pending.
    private init(_ request: Request, shown: Arrangement, isFileRead: Bool) {
        if request.arrangement == shown {
            self = .settled(shown)
        } else {
            let waits = !isFileRead && !request.arrangement.isInFileOrder && request.arrangement.filters == shown.filters
            self = .pending(request, shown: shown, waits ? .waitingForFile : .running)
        }
    }

    /// The arrangement that was requested last, even if its result is not complete.
    public var requested: Arrangement { request?.arrangement ?? shown }

    /// The arrangement of the visible rows.
    public var shown: Arrangement {
        switch self {
        case .settled(let shown), .pending(_, let shown, _): shown
        }
    }

    /// The request whose result is not complete; `nil` if the query is settled.
    public var request: Request? { if case .pending(let request, _, _) = self { request } else { nil } }

    /// If some rows of the result are visible, the rows that were visible before; otherwise `nil`.
    var previousRows: PreviousRows? { if case .pending(_, _, .arriving(let previous)) = self { previous } else { nil } }

    /// True if the rows of the requested arrangement are shown.
    public var isSettled: Bool { request == nil }

    /// True if the requested sort or groups wait until the file is read to its end.
    public var isWaitingForFile: Bool { if case .pending(_, _, .waitingForFile) = self { true } else { false } }

    /// True if the file has new rows that the visible rows do not contain.
    var isStale: Bool { if case .pending(_, _, .stale) = self { true } else { false } }

    /// True if the visible rows are only the first rows of a sort that is still running.
    var showsOnlyFirstRows: Bool { previousRows != nil && !shown.sort.isEmpty }

    /// True if rows of this arrangement may be shown. It must be the requested arrangement. While a file is being read, it may also be the
    /// requested one without sort keys and groups.
    func awaits(_ arrangement: Arrangement) -> Bool { arrangement == requested || arrangement == requested.withoutOrder }

    /// The arrangement to run before the file is read to its end: only the requested filters. `nil` if the visible rows already have these
    /// filters.
    var runnableBeforeFileIsRead: Arrangement? {
        switch self {
        case .pending(_, _, .waitingForFile): nil
        case .pending(let request, let shown, .stale) where request.arrangement.filters == shown.filters: nil
        default: requested.withoutOrder
        }
    }

    // MARK: Events

    /// Changes the state because an arrangement was requested. Rows of an earlier query that are visible stay visible until the new query
    /// has rows.
    mutating func requestArrangement(_ arrangement: Arrangement, isFileRead: Bool) {
        var request = request ?? Request(arrangement: arrangement)
        if request.arrangement != arrangement { request.isRestoring = false }
        request.arrangement = arrangement
        if case .pending(_, let shown, let phase) = self, previousRows != nil || isStale {
            self = .pending(request, shown: shown, phase)
        } else {
            self = QueryState(request, shown: shown, isFileRead: isFileRead)
        }
    }

    /// Sets which groups of the result to collapse. Does nothing if the query is settled.
    mutating func setCollapsed(_ collapsed: CollapsedGroups?, keepsCursor: Bool = false) {
        guard case .pending(var request, let shown, let phase) = self else { return }
        (request.collapsed, request.keepsCursor) = (collapsed, keepsCursor)
        self = .pending(request, shown: shown, phase)
    }

    /// Records that the request restores a view and needs no message. Does nothing if the query is settled.
    mutating func setRestoring() {
        guard case .pending(var request, let shown, let phase) = self else { return }
        request.isRestoring = true
        self = .pending(request, shown: shown, phase)
    }

    /// Changes the state because some rows of an arrangement became visible. Does nothing if the file has grown, because the query must run
    /// again.
    mutating func receive(_ arrangement: Arrangement, previous: PreviousRows) {
        guard !isStale else { return }
        self = .pending(request ?? Request(arrangement: requested), shown: arrangement, .arriving(previous: previous))
    }

    /// Changes the state because all rows of an arrangement became visible.
    mutating func finish(_ arrangement: Arrangement, isFileRead: Bool) {
        self = QueryState(request ?? Request(arrangement: requested), shown: arrangement, isFileRead: isFileRead)
    }

    /// Changes the state because the file is read to its end, so that a waiting sort or group can run.
    mutating func handleEndOfFile() {
        guard case .pending(let request, let shown, .waitingForFile) = self else { return }
        self = .pending(request, shown: shown, .running)
    }

    /// Changes the state because the file has new rows, which are not read yet.
    ///
    /// Rows that a running query has shown are replaced by the rows that were visible before the query. Rows in file order stay valid,
    /// because the new rows follow them. All other rows become stale.
    mutating func handleFileGrowth() {
        let shown = previousRows?.arrangement ?? shown
        guard !shown.isFileOrder else { return finish(shown, isFileRead: false) }
        self = .pending(request ?? Request(arrangement: requested), shown: shown, .stale)
    }

    /// Cancels the query. Rows that a running query has shown are replaced by the rows that were visible before the query. Stale rows are
    /// replaced by all rows in file order.
    mutating func cancel() { self = .settled(isStale ? Arrangement() : previousRows?.arrangement ?? shown) }
}

/// The rows that were visible before the first rows of a query were shown. Cancelling the query shows them again.
public struct PreviousRows: Equatable, Sendable {
    let arrangement: Arrangement
    private let rows: RowOrder
    let tree: SectionTree?
    /// The selection at that time, to restore it with the rows.
    let selection: Selection
    /// True if the selection was too large to be kept when the rows of the query were shown.
    let isSelectionLost: Bool
    /// The anchor of the row that the cursor follows: the cursor moves to the row when a job finds it. `nil` if the cursor follows no row.
    var anchor: CursorAnchor?

    @MainActor
    init(_ state: AppState) {
        (arrangement, rows, tree) = (state.query.shown, state.grid.rows, state.grid.outline.tree)
        // Rows that are counted from the end of the file have no known positions. Do not store their selection.
        if case .spliced = state.grid.rows { selection = .empty } else { selection = state.grid.selection }
        isSelectionLost = state.hasLargeSelection
    }

    /// The rows to show after the query was cancelled. If they were in file order, rows that the file has gained since then are included.
    /// - Parameter recordCount: the current number of records.
    func rows(recordCount: Int) -> RowOrder {
        guard arrangement.isFileOrder else { return rows.withoutTail }
        if case .moved(let moved) = rows, let grown = moved.grown(to: recordCount) { return .moved(grown) }
        return .natural(count: recordCount)
    }
}
