public import FieldValues

/// What a person has made of a grid, to be kept and brought back: everything but the content.
///
/// Columns and sections are known by name, so that a view still fits when the data has changed: what is not there any more is passed over,
/// what is new comes behind the rest. How a program keeps one: <doc:KeepingViews>.
public struct SavedView: Hashable, Sendable, Codable {
    /// What is kept of a column.
    public struct SavedColumn: Hashable, Sendable, Codable {
        /// By which it is found again.
        public var valueKey: String
        /// What its header says.
        public var title: String
        /// How wide it wants to be, also when that was set by hand.
        public var width: WidthRule
        /// What was found to be the width of its content, where its width follows from that; `nil`: the column's own.
        public var measuredWidth: Int?
        /// Whether it is left out of the grid.
        public var isHidden: Bool
        /// What its values are read as; `nil`: as the column has it.
        public var kind: ValueKind?
        /// How its numbers are shown; `nil`: as the column has it.
        public var format: ValueFormat?
    }

    /// All columns in the order shown, hidden ones included.
    public var columns: [SavedColumn]
    /// What should not scroll; no more than there is is frozen again.
    public var frozen: FrozenPanes
    /// The sort keys, the strongest first; those whose column has gone are passed over.
    public var sort: [SavedSortKey]
    /// Rows moved by hand in a sort order or in sections: runs of positions in the order that lies beneath, in the sequence in which they stood;
    /// empty when none were.
    /// They are moved again only when there are as many rows, and only within their sections; rows that were moved otherwise go back.
    public var movedRows: [Range<Int>]
    /// The conditions that the rows fulfil, as the application writes them; its data source filters by them (``GridDataSource/prepare(for:)``).
    public var filters: [String]
    /// The collapsed sections, each by the titles from the outermost to its own.
    public var collapsed: [[String]]
    /// What is selected: positions, and columns by the source's numbers, so it fits only rows in the same order.
    public var selection: Selection
    /// What keys and pointer can select.
    public var selectionMode: SelectionMode
    /// What part is seen; moved as far as the cursor needs.
    public var scroll: GridScroll
    /// The item and the visible column it is on; the nearest there is when they have gone.
    public var cursor: GridCursor

    /// The measures; `nil`: those that the grid has.
    public var metrics: GridMetrics?
    /// How rows are laid out; `nil`: as they are.
    public var presentation: GridPresentation?
    /// The heights of rows that were given one.
    public var rowHeights: [SavedRowHeight]
    /// The rows that were marked, ascending.
    public var marks: [RowID]
    /// The theme's name. It comes back when it is a preset; others are the application's.
    public var theme: String?
    /// By which columns the rows were grouped, a level each, by their names for values, where they were grouped by columns
    /// (``SectionTree/columns``); the data source groups by them (``GridDataSource/prepare(for:)``).
    public var grouping: [String]
    /// Which row stood where, where rows were neither sorted nor in sections: runs of ``RowID/rawValue`` in the sequence in which they stood;
    /// `nil`: they were, or stood in more than 4,096 runs. Rows stand so again where they are the same ones, also if the source has made an order
    /// in which they were moved its own.
    public var rowOrder: [Range<Int>]?

    /// The height of one row.
    public struct SavedRowHeight: Hashable, Sendable, Codable {
        /// Which row.
        public var row: RowID
        /// Its lines.
        public var lines: Int
    }

    /// A sort key by the name of its column.
    public struct SavedSortKey: Hashable, Sendable, Codable {
        /// The column's name for its values.
        public var valueKey: String
        /// Whether the greatest value comes first.
        public var isDescending: Bool

        /// A key by the name of a column's values.
        public init(_ valueKey: String, isDescending: Bool = false) { (self.valueKey, self.isDescending) = (valueKey, isDescending) }
    }
}

extension SavedView {
    /// Reads a view. What is missing is as in a view of which nothing was made, and keys that are unknown here are passed over: views of other
    /// versions are read as far as they go.
    /// - Throws: `DecodingError` for a value of another kind or out of its limits; its message begins with the value's place, as in
    ///   `columns[3].width.fixed: 9223372036854775807 is out of range 0...10000`.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(try decoder.container(keyedBy: CodingKeys.self))
        } catch let error as DecodingError {
            throw error.naming
        }
    }

    private init(_ values: KeyedDecodingContainer<CodingKeys>) throws {
        func read<Value: Decodable>(_ key: CodingKeys, _ missing: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? missing
        }
        func runs(_ key: CodingKeys) throws -> [Range<Int>] {
            let runs: [DecodedRows] = try values.decodeElements(key, upTo: DecodingLimits.runs)
            return runs.map(\.range)
        }
        columns = try values.decodeElements(.columns)
        frozen = try read(.frozen, FrozenPanes())
        sort = try values.decodeElements(.sort)
        movedRows = try runs(.movedRows)
        filters = try values.decodeElements(.filters)
        collapsed = try values.decodeElements(.collapsed)
        selection = try read(.selection, .empty)
        selectionMode = try read(.selectionMode, .cells)
        scroll = try read(.scroll, GridScroll())
        cursor = try read(.cursor, GridCursor())
        metrics = try read(.metrics, nil)
        presentation = try read(.presentation, nil)
        rowHeights = try values.decodeElements(.rowHeights)
        marks = try values.decodeElements(.marks)
        theme = try read(.theme, nil)
        grouping = try values.decodeElements(.grouping)
        rowOrder = try values.contains(.rowOrder) && !values.decodeNil(forKey: .rowOrder) ? runs(.rowOrder) : nil
    }
}

extension SavedView.SavedColumn {
    /// Reads what is kept of a column.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        valueKey = try values.decode(String.self, forKey: .valueKey)
        title = try values.decode(String.self, forKey: .title)
        width = try values.decode(WidthRule.self, forKey: .width)
        measuredWidth = try values.decodeIfPresent(.measuredWidth, within: DecodingLimits.cells)
        isHidden = try values.decode(Bool.self, forKey: .isHidden)
        kind = try values.decodeIfPresent(ValueKind.self, forKey: .kind)
        format = try values.decodeIfPresent(ValueFormat.self, forKey: .format)
    }
}

extension SavedView.SavedRowHeight {
    /// Reads the height of one row.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        row = try values.decode(RowID.self, forKey: .row)
        lines = try values.decode(.lines, within: DecodingLimits.cells)
    }
}

extension GridState {
    /// The view as it is now, as it can be decoded again: what is greater than its limit is kept as that, and what is more than can be kept
    /// (4,096 runs of moved rows, 65,536 blocks of a selection) is left out. O(columns + sections + rows with heights and marks · log), and O(rows) where unsorted rows stand in an order of
    /// their own.
    public var savedView: SavedView {
        let order = isPlain ? rows.idRuns(upTo: DecodingLimits.runs) : nil
        return SavedView(
            columns: columns.all.map {
                SavedView.SavedColumn(
                    valueKey: $0.valueKey, title: $0.title, width: $0.width.limited,
                    measuredWidth: $0.width.followsContent && $0.measuredWidth > 0
                        ? $0.measuredWidth.clamped(to: DecodingLimits.cells) : nil,
                    isHidden: $0.isHidden,
                    kind: $0.kind, format: $0.format.limited)
            },
            frozen: frozen.limited,
            sort: (pendingSort.isEmpty ? sort : pendingSort).compactMap { key in
                columns[key.column].map { SavedView.SavedSortKey($0.valueKey, isDescending: key.isDescending) }
            },
            movedRows: order == nil && rows.movedRuns.count <= DecodingLimits.runs ? rows.movedRuns : [],
            filters: filters,
            collapsed: outline.collapsed.indices.filter { outline.collapsed[$0] }.compactMap { outline.tree?.path(of: $0) },
            selection: selection.limited, selectionMode: selectionMode, scroll: scroll, cursor: cursor, metrics: metrics.limited,
            presentation: presentation.limited,
            rowHeights: heights.all.map { SavedView.SavedRowHeight(row: $0.key, lines: $0.value) }.sorted { $0.row < $1.row },
            marks: marks.sorted(), theme: theme.name,
            grouping: (outline.tree?.columns ?? []).compactMap { columns[$0]?.valueKey },
            rowOrder: order)
    }

    /// Whether nothing but hands has brought rows out of the order of the source.
    private var isPlain: Bool { sort.isEmpty && pendingSort.isEmpty && outline.tree == nil }

    private mutating func restoreOrder(of view: SavedView) {
        // In an order that nothing is moved in, what was moved in another one has no place.
        guard let order = view.rowOrder else { return restore(movedRows: view.movedRows) }
        guard isPlain else { return restore(movedRows: []) }
        if let runs = rows.unmoved.runs(of: order) { restore(movedRows: runs) }
    }

    /// Has the rows moved by hand that a view says, and no others; none where its runs do not fit the rows that there are. O(runs log runs).
    private mutating func restore(movedRows runs: [Range<Int>]) {
        guard canMoveRows, runs != rows.movedRuns else { return }
        endRowDrag()
        rows = rows.unmoved
        if runs.count > 1, staysInSections(runs), let moved = MovedRows(base: rows, checking: runs), moved.runs.count > 1 {
            rows = .moved(moved)
        }
        heights.follow(rows)
    }

    /// Whether runs of positions, put one behind the other, leave each row in its section.
    private func staysInSections(_ runs: [Range<Int>]) -> Bool {
        var position = 0
        return runs.allSatisfy { run in
            let there = position..<position + run.count
            position += run.count
            return run == there
                || bounds(ofRow: run.lowerBound).map { run.clamped(to: $0) == run && there.clamped(to: $0) == there } == true
        }
    }

    /// Brings a view back. The rows are the application's: it filters them by ``filters`` and sorts them by ``sort`` before or, if none were
    /// moved by hand, afterwards. O(columns + sections).
    mutating func restore(_ view: SavedView) {
        if let metrics = view.metrics { self.metrics = metrics }
        if let presentation = view.presentation { present(presentation) }
        if let name = view.theme, name != theme.name, let preset = Theme.presets.first(where: { $0.name == name }) { theme = preset }
        // Several columns can have one name: the first there is goes with the first that was kept.
        var places: [String: [Int]] = [:]
        for (place, column) in columns.all.enumerated().reversed() { places[column.valueKey, default: []].append(place) }
        var isTaken = [Bool](repeating: false, count: columns.all.count)
        var ordered: [Column] = []
        for saved in view.columns {
            guard let place = places[saved.valueKey]?.popLast() else { continue }
            isTaken[place] = true
            var column = columns.all[place]
            column.title = saved.title
            column.width = saved.width
            if let width = saved.measuredWidth { column.measuredWidth = width }
            column.isHidden = saved.isHidden
            if let kind = saved.kind { column.kind = kind }
            if let format = saved.format { column.format = format }
            ordered.append(column)
        }
        ordered += zip(columns.all, isTaken).filter { !$0.1 }.map(\.0)
        if ordered.allSatisfy(\.isHidden), !ordered.isEmpty { ordered[0].isHidden = false }
        replace(ordered)
        freeze(view.frozen)
        let ids = Dictionary(columns.all.map { ($0.valueKey, $0.id) }) { first, _ in first }
        sort = view.sort.compactMap { key in ids[key.valueKey].map { SortDescriptor($0, isDescending: key.isDescending) } }
        pendingSort = []
        restoreOrder(of: view)
        filters = view.filters
        marks = Set(view.marks)
        heights = RowHeights()
        for height in view.rowHeights { heights.set(max(1, height.lines), of: height.row, in: .natural(count: rows.count)) }
        heights.follow(rows)
        let closed = Set(view.collapsed)
        if closed.isEmpty {
            rearrange { $0.setAllCollapsed(false) }
        } else if let tree = outline.tree {
            rearrange { outline in outline.setCollapsed { closed.contains(tree.path(of: $0)) } }
        }
        selectionMode = view.selectionMode
        selection = view.selection.kept(rowCount: rows.count, columns: Set(columns.all.map(\.id)))
        selectionAnchor = nil
        place(view.cursor, extending: false)
        scroll = view.scroll
        revealCursor()
    }
}
