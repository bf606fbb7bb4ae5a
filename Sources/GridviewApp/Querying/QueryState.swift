import DataGrid

/// The life of a query: what was asked for last, and which rows are shown until all of its rows are there.
///
/// An arrangement that is asked for waits, while the rows before it stay; then its rows come in, and with the last one it is settled.
public enum QueryState: Equatable, Sendable {
    /// The rows of this arrangement are shown, as far as the input is known.
    case settled(Arrangement)
    /// The rows of another arrangement are still shown.
    case waiting(Request, shown: Arrangement)
    /// Some rows are shown: what filters have left so far, or those that an order begins with. The former rows come back on cancelling.
    case arriving(Request, shown: Arrangement, former: FormerRows)
    /// Rows have come that those shown do not include. These stay until all are arranged again.
    case stale(Request, shown: Arrangement)

    /// What was asked for.
    public struct Request: Equatable, Sendable {
        /// Which rows, and in which order.
        public var arrangement: Arrangement
        /// Whether all sections are to be collapsed.
        public var collapsesSections = false
        /// Whether the rows stood so before the file was read again, so that nothing has to be said when they do again.
        public var isRestoring = false
    }

    /// A query whose rows are still to come, while those of the file are shown.
    init(asking arrangement: Arrangement, collapsesSections: Bool = false, isRestoring: Bool = false) {
        self = .waiting(
            Request(arrangement: arrangement, collapsesSections: collapsesSections, isRestoring: isRestoring), shown: Arrangement())
        ask(for: arrangement)
    }

    /// What was asked for last.
    public var wanted: Arrangement {
        switch self {
        case .settled(let arrangement): arrangement
        case .waiting(let request, _), .arriving(let request, _, _), .stale(let request, _): request.arrangement
        }
    }

    /// How the rows on the screen are arranged.
    public var shown: Arrangement {
        switch self {
        case .settled(let shown), .waiting(_, let shown), .arriving(_, let shown, _), .stale(_, let shown): shown
        }
    }

    /// What was asked for and is not there yet.
    public var request: Request? {
        get {
            switch self {
            case .settled: nil
            case .waiting(let request, _), .arriving(let request, _, _), .stale(let request, _): request
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .settled: break
            case .waiting(_, let shown): self = .waiting(newValue, shown: shown)
            case .arriving(_, let shown, let former): self = .arriving(newValue, shown: shown, former: former)
            case .stale(_, let shown): self = .stale(newValue, shown: shown)
            }
        }
    }

    /// The rows that come back when the query is cancelled, while others come in.
    var former: FormerRows? {
        if case .arriving(_, _, let former) = self { former } else { nil }
    }

    /// Whether the rows shown are all of those asked for.
    public var isSettled: Bool {
        if case .settled = self { true } else { false }
    }

    /// Whether rows have come that those shown do not include.
    var isStale: Bool {
        if case .stale = self { true } else { false }
    }

    /// Whether the rows shown are only the first of an order.
    var showsFirstOnly: Bool { former != nil && !shown.sort.isEmpty }

    /// Whether rows of that arrangement are awaited: those asked for, or what their filters leave before they are put in order.
    func awaits(_ arrangement: Arrangement) -> Bool { arrangement == wanted || arrangement == wanted.unordered }

    // MARK: Changes

    /// Asks for another arrangement.
    mutating func ask(for arrangement: Arrangement) {
        var request = request ?? Request(arrangement: arrangement)
        if request.arrangement != arrangement { request.isRestoring = false }
        request.arrangement = arrangement
        switch self {
        case .settled(let shown), .waiting(_, let shown):
            self = arrangement == shown ? .settled(shown) : .waiting(request, shown: shown)
        case .arriving, .stale: self.request = request
        }
    }

    /// Some rows of an arrangement are shown now.
    mutating func receive(_ arrangement: Arrangement, former: FormerRows) {
        self = .arriving(request ?? Request(arrangement: wanted), shown: arrangement, former: former)
    }

    /// All rows of an arrangement are shown now.
    mutating func finish(_ arrangement: Arrangement) {
        let wanted = wanted
        self = .waiting(request ?? Request(arrangement: wanted), shown: arrangement)
        ask(for: wanted)
    }

    /// The input has more rows than those shown were arranged of. Rows as in the file have grown with it.
    mutating func outdate() {
        guard !shown.isNatural else { return finish(shown) }
        self = .stale(request ?? Request(arrangement: wanted), shown: shown)
    }
}

/// The rows that were shown before those of a query began to come in.
public struct FormerRows: Equatable, Sendable {
    let arrangement: Arrangement
    private let rows: RowOrder
    let tree: SectionTree?
    /// Whether something was selected among them.
    let hadSelection: Bool
    /// The row that the cursor goes to as soon as it, or one behind it, has come in.
    var home: FilterHome?

    @MainActor
    init(_ state: AppState) {
        (arrangement, rows, tree) = (state.query.shown, state.grid.rows, state.grid.outline.tree)
        hadSelection = !state.grid.selection.isEmpty
    }

    /// The rows again, with those of the file that have come meanwhile.
    func rows(recordCount: Int) -> RowOrder {
        guard arrangement.isNatural else { return rows }
        if case .moved(let moved) = rows, let grown = moved.grown(to: recordCount) { return .moved(grown) }
        return .natural(count: recordCount)
    }
}
