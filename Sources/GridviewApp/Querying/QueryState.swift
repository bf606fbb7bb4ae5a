import DataGrid

/// The state of a query: the last request, and the visible rows until its result is complete.
public enum QueryState: Equatable, Sendable {
    /// The arrangement of the shown rows, for the part of the input that is known.
    case settled(Arrangement)
    /// The result is incomplete; rows of another arrangement are shown.
    case running(Request, shown: Arrangement, Phase)

    /// The relation of the visible rows to the request.
    public enum Phase: Equatable, Sendable {
        /// No requested row is shown.
        case waiting
        /// Some rows are shown: those that match filters so far, or the first rows of a sort. Cancelling restores the previous rows.
        case arriving(previous: PreviousRows)
        /// The input has new rows that are not among the visible rows. The visible rows stay until the query has run again.
        case stale
    }

    /// A requested query.
    public struct Request: Equatable, Sendable {
        /// The filters, sort keys and groups.
        public var arrangement: Arrangement
        /// True to collapse all groups.
        public var collapsesSections = false
        /// True if the rows were arranged like this before a reload, so that no message is needed.
        public var isRestoring = false
    }

    /// Creates a running query, while the rows of the file are shown.
    init(asking arrangement: Arrangement, collapsesSections: Bool = false, isRestoring: Bool = false) {
        let request = Request(arrangement: arrangement, collapsesSections: collapsesSections, isRestoring: isRestoring)
        self = .running(request, shown: Arrangement(), .waiting)
        ask(for: arrangement)
    }

    /// The last requested arrangement.
    public var requested: Arrangement { request?.arrangement ?? shown }

    /// The arrangement of the visible rows.
    public var shown: Arrangement {
        switch self {
        case .settled(let shown), .running(_, let shown, _): shown
        }
    }

    /// The request that is not complete yet.
    public var request: Request? {
        get { if case .running(let request, _, _) = self { request } else { nil } }
        set {
            guard let newValue, case .running(_, let shown, let phase) = self else { return }
            self = .running(newValue, shown: shown, phase)
        }
    }

    /// The rows that are restored if the query is cancelled while rows arrive.
    var previous: PreviousRows? { if case .running(_, _, .arriving(let previous)) = self { previous } else { nil } }

    /// True if all requested rows are shown.
    public var isSettled: Bool { request == nil }

    /// True if the input has new rows that the visible ones do not include.
    var isStale: Bool { if case .running(_, _, .stale) = self { true } else { false } }

    /// True if only the first rows of a sort are shown.
    var showsFirstOnly: Bool { previous != nil && !shown.sort.isEmpty }

    /// True if rows of this arrangement are expected: it is the requested arrangement, with or without its sort and groups.
    func awaits(_ arrangement: Arrangement) -> Bool { arrangement == requested || arrangement == requested.unordered }

    // MARK: Changes

    mutating func ask(for arrangement: Arrangement) {
        var request = request ?? Request(arrangement: arrangement)
        if request.arrangement != arrangement { request.isRestoring = false }
        request.arrangement = arrangement
        if previous != nil || isStale {
            self.request = request
        } else {
            self = arrangement == shown ? .settled(shown) : .running(request, shown: shown, .waiting)
        }
    }

    /// Records that some rows of an arrangement are shown.
    mutating func receive(_ arrangement: Arrangement, previous: PreviousRows) {
        self = .running(request ?? Request(arrangement: requested), shown: arrangement, .arriving(previous: previous))
    }

    /// Records that all rows of an arrangement are shown.
    mutating func finish(_ arrangement: Arrangement) {
        let requested = requested
        self = .running(request ?? Request(arrangement: requested), shown: arrangement, .waiting)
        ask(for: requested)
    }

    /// Records that the input has new rows. Rows in file order include them already.
    mutating func markOutdated() {
        guard !shown.isFileOrder else { return finish(shown) }
        self = .running(request ?? Request(arrangement: requested), shown: shown, .stale)
    }
}

/// The rows that were shown before the rows of a query arrived.
public struct PreviousRows: Equatable, Sendable {
    let arrangement: Arrangement
    private let rows: RowOrder
    let tree: SectionTree?
    /// True if the selection was not empty.
    let hadSelection: Bool
    /// The anchor of the cursor, until its row arrives.
    var anchor: CursorAnchor?

    @MainActor
    init(_ state: AppState) {
        (arrangement, rows, tree) = (state.query.shown, state.grid.rows, state.grid.outline.tree)
        hadSelection = !state.grid.selection.isEmpty
    }

    /// The rows, including new rows of the file if they are in file order.
    func rows(recordCount: Int) -> RowOrder {
        guard arrangement.isFileOrder else { return rows }
        if case .moved(let moved) = rows, let grown = moved.grown(to: recordCount) { return .moved(grown) }
        return .natural(count: recordCount)
    }
}
