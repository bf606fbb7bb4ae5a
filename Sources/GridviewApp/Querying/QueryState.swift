import DataGrid

/// The life of a query: what was asked for last, and which rows are shown until all of its rows are there.
public enum QueryState: Equatable, Sendable {
    /// The rows of this arrangement are shown, as far as the input is known.
    case settled(Arrangement)
    /// Rows are still to come; until then those of another arrangement are shown.
    case running(Request, shown: Arrangement, Phase)

    /// The relation of the rows shown to those asked for.
    public enum Phase: Equatable, Sendable {
        /// None of the rows asked for is shown.
        case waiting
        /// Some rows are shown: what filters have left so far, or those that an order begins with. The former rows come back on cancelling.
        case arriving(former: FormerRows)
        /// Rows have come that those shown do not include. These stay until all are arranged again.
        case stale
    }

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
        let request = Request(arrangement: arrangement, collapsesSections: collapsesSections, isRestoring: isRestoring)
        self = .running(request, shown: Arrangement(), .waiting)
        ask(for: arrangement)
    }

    /// What was asked for last.
    public var wanted: Arrangement { request?.arrangement ?? shown }

    /// How the rows on the screen are arranged.
    public var shown: Arrangement {
        switch self {
        case .settled(let shown), .running(_, let shown, _): shown
        }
    }

    /// What was asked for and is not there yet.
    public var request: Request? {
        get { if case .running(let request, _, _) = self { request } else { nil } }
        set {
            guard let newValue, case .running(_, let shown, let phase) = self else { return }
            self = .running(newValue, shown: shown, phase)
        }
    }

    /// The rows that come back when the query is cancelled, while others come in.
    var former: FormerRows? { if case .running(_, _, .arriving(let former)) = self { former } else { nil } }

    /// Whether the rows shown are all of those asked for.
    public var isSettled: Bool { request == nil }

    /// Whether rows have come that those shown do not include.
    var isStale: Bool { if case .running(_, _, .stale) = self { true } else { false } }

    /// Whether the rows shown are only the first of an order.
    var showsFirstOnly: Bool { former != nil && !shown.sort.isEmpty }

    /// Whether rows of that arrangement are awaited: those asked for, or what their filters leave before they are put in order.
    func awaits(_ arrangement: Arrangement) -> Bool { arrangement == wanted || arrangement == wanted.unordered }

    // MARK: Changes

    mutating func ask(for arrangement: Arrangement) {
        var request = request ?? Request(arrangement: arrangement)
        if request.arrangement != arrangement { request.isRestoring = false }
        request.arrangement = arrangement
        if former != nil || isStale {
            self.request = request
        } else {
            self = arrangement == shown ? .settled(shown) : .running(request, shown: shown, .waiting)
        }
    }

    /// Some rows of an arrangement are shown now.
    mutating func receive(_ arrangement: Arrangement, former: FormerRows) {
        self = .running(request ?? Request(arrangement: wanted), shown: arrangement, .arriving(former: former))
    }

    /// All rows of an arrangement are shown now.
    mutating func finish(_ arrangement: Arrangement) {
        let wanted = wanted
        self = .running(request ?? Request(arrangement: wanted), shown: arrangement, .waiting)
        ask(for: wanted)
    }

    /// The input has more rows than those shown were arranged of. Rows as in the file have grown with it.
    mutating func outdate() {
        guard !shown.isNatural else { return finish(shown) }
        self = .running(request ?? Request(arrangement: wanted), shown: shown, .stale)
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
    var anchor: CursorAnchor?

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
