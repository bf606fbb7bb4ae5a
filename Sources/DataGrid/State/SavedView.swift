public import FieldValues

/// The state of a grid without its content, for example to store it in a file.
///
/// Columns and sections are identified by name, so that a view still fits after the data changes. Columns and sections that no longer exist
/// are ignored; new columns come last. For storing a view in a program, see <doc:KeepingViews>.
public struct SavedView: Hashable, Sendable, Codable {
    /// The state of a column in a saved view.
    public struct SavedColumn: Hashable, Sendable, Codable {
        /// The value key, which identifies the column (``Column/valueKey``).
        public var valueKey: String
        /// The number of the column among the columns with the same value key, in the order of the source, from 0. `nil` if no other
        /// column has the key, and in views of earlier versions.
        public var occurrence: Int?
        /// For a copy of another column, the index of that column in ``SavedView/columns``; otherwise `nil`. Only the application can set
        /// it, and create the copy when the view is restored.
        public var originalIndex: Int?
        /// The name in the header.
        public var title: String
        /// The width rule, including one set by hand.
        public var width: WidthRule
        /// The width of the column's content in terminal cells, if the column's width depends on it. `nil` leaves the width of the
        /// content unchanged.
        public var measuredWidth: Int?
        /// True if the column is hidden.
        public var isHidden: Bool
        /// The side at which the column is frozen; `nil` if it scrolls.
        public var frozenSide: ColumnSide?
        /// The type of the column's values; `nil` leaves it unchanged.
        public var kind: ValueKind?
        /// The order and form of the column's dates; `nil` leaves it unchanged.
        public var dateNotation: DateNotation?
        /// The format in which numbers and dates are shown; `nil` leaves it unchanged.
        public var format: ValueFormat?
        /// True if cells of the column are highlighted when their values change; `nil` leaves the setting unchanged.
        public var highlightsChanges: Bool?
        /// True if cells of the column keep the mark (▲ or ▼) of their last change; `nil` leaves the setting unchanged.
        public var keepsChangeMarks: Bool?
        /// The decimal and thousands separators of the column's numbers; `nil` leaves them unchanged. The unit of the numbers is never
        /// changed.
        public var notation: DecimalStyle?
        /// True if the column's numbers are identifiers, such as years; `nil` leaves the setting unchanged.
        public var isIdentifier: Bool?
        /// The words that are drawn as ✓ or ✗; `nil` leaves them unchanged.
        public var flagMarks: FlagMarks?
        /// True if ``dateNotation`` is a guess; `nil` leaves the setting unchanged, unless the order and form of the dates change.
        public var hasAmbiguousDates: Bool?
    }

    /// All columns in display order, including hidden ones.
    public var columns: [SavedColumn]
    /// The frozen columns and rows. When the view is restored, only as many are frozen as fit.
    ///
    /// If the numbers of columns contradict ``SavedColumn/frozenSide``, as in views of older versions, the numbers apply.
    public var frozen: FrozenPanes
    /// The sort keys, most significant first. Keys whose column no longer exists are ignored.
    public var sort: [SavedSortKey]
    /// The order of the rows after users moved some of them, for rows that were sorted or in sections. Empty if no rows were moved.
    ///
    /// The ranges contain positions before the moves, in the order in which they are shown. For example, `[2..<5, 0..<2]` means that the
    /// first two of five rows were moved to the end.
    ///
    /// The moves are restored only if the number of rows is the same and every row stays in its section. Otherwise, rows are not moved.
    public var movedRows: [Range<Int>]
    /// The filters, as text that only the application understands. The data source applies them (``GridDataSource/prepare(for:)``).
    public var filters: [String]
    /// The collapsed sections. Each is a list of titles, from the outermost section to the section itself. Views of the program gridview
    /// have keys instead of titles.
    public var collapsed: [[String]]
    /// The selection, by row positions and column ids. It is useful only if the rows have the same order as when the view was saved.
    public var selection: Selection
    /// The kind of selection that users can make.
    public var selectionMode: SelectionMode
    /// The scroll position. When it is restored, it is adjusted so that the cursor is visible.
    public var scroll: GridScroll
    /// The item and the visible column of the cursor. If they do not exist, the cursor goes to the nearest item and column.
    public var cursor: GridCursor

    /// The dimensions and layout options of the grid; `nil` leaves them unchanged.
    public var metrics: GridMetrics?
    /// The presentation of the rows; `nil` leaves it unchanged.
    public var presentation: GridPresentation?
    /// The heights that were set for single rows.
    public var rowHeights: [SavedRowHeight]
    /// The ids of the marked rows, ascending.
    public var marks: [RowID]
    /// The name of the theme. The grid restores a theme with the name of a preset; the application restores other themes.
    public var theme: String?
    /// The columns by which the rows were grouped, by value key, one for each level (``SectionTree/columns``). Empty if the rows were not
    /// grouped by columns.
    ///
    /// The data source groups by these columns (``GridDataSource/prepare(for:)``).
    public var grouping: [String]
    /// The order of rows that were neither sorted nor in sections: ranges of ``RowID/rawValue``, in the order in which they are shown.
    ///
    /// `nil` if the rows were sorted or in sections, or if there were more than 4,096 ranges. The order is restored if the source has the
    /// same rows, in any order.
    public var rowOrder: [Range<Int>]?
    /// The version of the format. Views of version 1 do not have the properties declared below.
    public var version = SavedView.currentVersion
    /// The derived fields that the application has added, as text that only the application understands, such as
    /// `total = price * quantity`.
    public var derived: [String] = []
    /// The levels of ``grouping`` with their intervals and the order of groups, as text that only the application understands. Empty if
    /// no level has an interval or an order.
    public var groupLevels: [String] = []
    /// The aggregates of groups, as text that only the application understands; `nil` means the default aggregates.
    public var aggregates: [String]?
    /// The settings with which the application reads the file. The keys are names of its options, such as `delimiter`.
    public var reading: [String: String] = [:]
    /// The ascending indices of the filters in ``filters`` that are turned off. The data source does not apply these filters.
    public var offFilters: [Int] = []
    /// The expanded sections, in the same form as ``collapsed``. All other sections are collapsed. With `nil`, ``collapsed`` lists the
    /// collapsed sections instead.
    public var expanded: [[String]]?

    /// The version of views that this library saves.
    public static let currentVersion = 2

    /// The height that was set for one row, in a saved view.
    public struct SavedRowHeight: Hashable, Sendable, Codable {
        /// The identity of the row.
        public var row: RowID
        /// The height in lines.
        public var lines: Int
    }

    /// A sort key that names its column by value key (``Column/valueKey``).
    public struct SavedSortKey: Hashable, Sendable, Codable {
        /// The value key of the column.
        public var valueKey: String
        /// True to sort in descending order, with the greatest value first.
        public var isDescending: Bool

        /// Creates a sort key for a value key.
        public init(_ valueKey: String, isDescending: Bool = false) { (self.valueKey, self.isDescending) = (valueKey, isDescending) }
    }
}

extension SavedView {
    /// Decodes a view. Values that are not present have their defaults, and unknown keys are ignored. Views of other versions can
    /// therefore be read.
    /// - Throws: `DecodingError` for a value of another type or outside its limits; its message begins with the value's path, as in
    ///   `columns[3].width.fixed: 9223372036854775807 is out of range 0...10000`.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(try decoder.container(keyedBy: CodingKeys.self))
        } catch let error as DecodingError {
            throw error.withPathInMessage
        }
    }

    private init(_ values: KeyedDecodingContainer<CodingKeys>) throws {
        func read<Value: Decodable>(_ key: CodingKeys, default defaultValue: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? defaultValue
        }
        func runs(_ key: CodingKeys) throws -> [Range<Int>] {
            let runs: [DecodedRows] = try values.decodeElements(key, upTo: DecodingLimits.runs)
            return runs.map(\.range)
        }
        columns = try values.decodeElements(.columns)
        frozen = try read(.frozen, default: FrozenPanes())
        sort = try values.decodeElements(.sort)
        movedRows = try runs(.movedRows)
        filters = try values.decodeElements(.filters)
        collapsed = try values.decodeElements(.collapsed)
        selection = try read(.selection, default: .empty)
        selectionMode = try read(.selectionMode, default: .cells)
        scroll = try read(.scroll, default: GridScroll())
        cursor = try read(.cursor, default: GridCursor())
        metrics = try read(.metrics, default: nil)
        presentation = try read(.presentation, default: nil)
        rowHeights = try values.decodeElements(.rowHeights)
        marks = try values.decodeElements(.marks)
        theme = try read(.theme, default: nil)
        grouping = try values.decodeElements(.grouping)
        rowOrder = try values.contains(.rowOrder) && !values.decodeNil(forKey: .rowOrder) ? runs(.rowOrder) : nil
        version = try values.decodeIfPresent(.version, within: DecodingLimits.versions) ?? 1
        derived = try values.decodeElements(.derived)
        groupLevels = try values.decodeElements(.groupLevels)
        aggregates = try values.decodeIfPresent([String].self, forKey: .aggregates)
        reading = try read(.reading, default: [:])
        offFilters = try values.decodeElements(.offFilters)
        expanded = try values.contains(.expanded) && !values.decodeNil(forKey: .expanded) ? values.decodeElements(.expanded) : nil
    }
}

extension SavedView.SavedColumn {
    /// Decodes the saved state of a column.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        valueKey = try values.decode(String.self, forKey: .valueKey)
        occurrence = try values.decodeIfPresent(.occurrence, within: DecodingLimits.columnIDs)
        originalIndex = try values.decodeIfPresent(.originalIndex, within: DecodingLimits.columns)
        title = try values.decode(String.self, forKey: .title)
        width = try values.decode(WidthRule.self, forKey: .width)
        measuredWidth = try values.decodeIfPresent(.measuredWidth, within: DecodingLimits.cells)
        isHidden = try values.decode(Bool.self, forKey: .isHidden)
        frozenSide = try values.decodeIfPresent(ColumnSide.self, forKey: .frozenSide)
        kind = try values.decodeIfPresent(ValueKind.self, forKey: .kind)
        dateNotation = try values.decodeIfPresent(DateNotation.self, forKey: .dateNotation)
        format = try values.decodeIfPresent(ValueFormat.self, forKey: .format)
        highlightsChanges = try values.decodeIfPresent(Bool.self, forKey: .highlightsChanges)
        keepsChangeMarks = try values.decodeIfPresent(Bool.self, forKey: .keepsChangeMarks)
        let style: Int? = try values.decodeIfPresent(.notation, within: 0...DecimalStyle.allCases.count - 1)
        notation = style.flatMap { DecimalStyle(rawValue: UInt8($0)) }
        isIdentifier = try values.decodeIfPresent(Bool.self, forKey: .isIdentifier)
        flagMarks = try values.decodeIfPresent(FlagMarks.self, forKey: .flagMarks)
        hasAmbiguousDates = try values.decodeIfPresent(Bool.self, forKey: .hasAmbiguousDates)
    }
}

extension SavedView {
    /// The names of the top-level values in an encoded view, to tell users about unknown names.
    package struct FieldNames: Decodable {
        /// The names that neither this version nor an earlier version of the format defines.
        package let unknown: [String]
        /// True if there is a value `columns`, as in every saved view.
        package let hasColumns: Bool

        package init(from decoder: any Decoder) throws {
            let names = try decoder.container(keyedBy: AnyCodingKey.self).allKeys.map(\.stringValue)
            unknown = names.filter { CodingKeys(stringValue: $0) == nil }.sorted()
            hasColumns = names.contains(CodingKeys.columns.stringValue)
        }
    }
}

extension SavedView.SavedRowHeight {
    /// Decodes the height of one row.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        row = try values.decode(RowID.self, forKey: .row)
        lines = try values.decode(.lines, within: DecodingLimits.cells)
    }
}

extension GridState {
    /// The state of the grid as a saved view. It contains only values that can be decoded again.
    ///
    /// Values are clamped to their limits. Moved rows are omitted if they form more than 4,096 ranges, and a selection if it has more
    /// than 65,536 blocks. O(columns + sections + rows with heights and marks · log rows), and O(rows) for unsorted rows in an order
    /// other than the source's.
    public var savedView: SavedView {
        let order = isUnsorted ? rows.idRuns(upTo: DecodingLimits.runs) : nil
        let occurrences = columns.occurrencesOfSharedKeys
        return SavedView(
            columns: columns.all.map {
                SavedView.SavedColumn(
                    valueKey: $0.valueKey, occurrence: occurrences[$0.id], title: $0.title, width: $0.width.clampedToLimits,
                    measuredWidth: $0.width.followsContent && $0.measuredWidth > 0
                        ? $0.measuredWidth.clamped(to: DecodingLimits.cells) : nil,
                    isHidden: $0.isHidden, frozenSide: $0.frozenSide,
                    kind: $0.kind, dateNotation: $0.kind.isTemporal ? $0.dateNotation : nil, format: $0.format.clampedToLimits,
                    highlightsChanges: $0.highlightsChanges, keepsChangeMarks: $0.keepsChangeMarks, notation: $0.notation.withoutUnit,
                    isIdentifier: $0.isIdentifier, flagMarks: $0.flagMarks,
                    hasAmbiguousDates: $0.kind.isTemporal ? $0.hasAmbiguousDates : nil)
            },
            frozen: frozen.clampedToLimits,
            sort: (pendingSort.isEmpty ? sort : pendingSort).compactMap { key in
                columns[key.column].map { SavedView.SavedSortKey($0.valueKey, isDescending: key.isDescending) }
            },
            movedRows: order == nil && rows.movedRuns.count <= DecodingLimits.runs ? rows.movedRuns : [],
            filters: filters,
            collapsed: outline.collapsed.indices.filter { outline.collapsed[$0] }.compactMap { outline.tree?.path(of: $0) },
            selection: selection.clampedToLimits, selectionMode: selectionMode, scroll: scroll, cursor: cursor,
            metrics: metrics.clampedToLimits,
            presentation: presentation.clampedToLimits,
            rowHeights: heights.all.map { SavedView.SavedRowHeight(row: $0.key, lines: $0.value) }.sorted { $0.row < $1.row },
            marks: marks.sorted(), theme: theme.name,
            grouping: (outline.tree?.columns ?? []).compactMap { columns[$0]?.valueKey },
            rowOrder: order)
    }

    /// True if the rows are neither sorted nor in sections. They are then in source order, unless users have moved rows.
    private var isUnsorted: Bool { sort.isEmpty && pendingSort.isEmpty && outline.tree == nil }

    private mutating func restoreOrder(of view: SavedView) {
        // A saved view has either a ``SavedView/rowOrder``, for rows in source order, or ``SavedView/movedRows``.
        guard let order = view.rowOrder else { return restore(movedRows: view.movedRows) }
        guard isUnsorted else { return restore(movedRows: []) }
        if let runs = rows.unmoved.positionRuns(ofRows: order) { restore(movedRows: runs) }
    }

    /// Moves rows as in a saved view, after undoing all other moves. If the ranges do not fit the rows, no rows are moved. O(ranges · log
    /// ranges).
    private mutating func restore(movedRows runs: [Range<Int>]) {
        guard canMoveRows, runs != rows.movedRuns else { return }
        endRowDrag()
        rows = rows(movedTo: runs) ?? rows.unmoved
        heights.updatePositions(in: rows)
    }

    /// The order with the rows of `runs`, one run after the other. A run is a range of positions in ``RowOrder/unmoved``. Without runs, it
    /// is the order before users moved rows. O(ranges · log ranges).
    /// - Returns: the order; `nil` if rows cannot be moved now, or if the ranges do not fit the rows and sections.
    package func rows(movedTo runs: [Range<Int>]) -> RowOrder? {
        guard canMoveRows else { return nil }
        let base = rows.unmoved
        if runs.isEmpty { return base }
        guard staysInSections(runs), let moved = MovedRows(base: base, checking: runs) else { return nil }
        return moved.runs.count > 1 ? .moved(moved) : base
    }

    /// True if every row stays in its section when the rows at these ranges of positions are placed one after the other.
    private func staysInSections(_ runs: [Range<Int>]) -> Bool {
        var position = 0
        return runs.allSatisfy { run in
            let positions = position..<position + run.count
            position += run.count
            return run == positions
                || bounds(ofRow: run.lowerBound).map { run.clamped(to: $0) == run && positions.clamped(to: $0) == positions } == true
        }
    }

    /// Restores a saved view. Before this call, the application filters and sorts rows by ``filters`` and ``sort``. If users had not moved
    /// rows, the application can also do so after the call.
    ///
    /// O(columns + sections).
    mutating func restore(_ view: SavedView) {
        if let metrics = view.metrics { self.metrics = metrics }
        if let presentation = view.presentation { setPresentation(presentation) }
        if let name = view.theme, name != theme.name, let preset = Theme.presets.first(where: { $0.name == name }) { theme = preset }
        let ordered = view.restored(columns.all).columns
        replaceColumns(with: ordered)
        let counts = ColumnList.frozenCounts(view.columns.lazy.filter { !$0.isHidden }.map(\.frozenSide))
        var panes = view.frozen
        if panes.leading == counts.leading { panes.leading = columns.leadingCount }
        if panes.trailing == counts.trailing { panes.trailing = columns.trailingCount }
        freeze(panes)
        let ids = Dictionary(columns.all.map { ($0.valueKey, $0.id) }, uniquingKeysWith: min)
        sort = view.sort.compactMap { key in ids[key.valueKey].map { ColumnSort($0, isDescending: key.isDescending) } }
        pendingSort = []
        restoreOrder(of: view)
        filters = view.filters
        marks = Set(view.marks)
        heights = RowHeights()
        for height in view.rowHeights { heights.set(max(1, height.lines), of: height.row, in: .natural(count: rows.count)) }
        heights.updatePositions(in: rows)
        let closed = Set(view.collapsed)
        if let open = view.expanded.map(Set.init), let tree = outline.tree {
            changeOutline { outline in
                open.isEmpty ? outline.setAllCollapsed(true) : outline.setCollapsed { !open.contains(tree.path(of: $0)) }
            }
        } else if closed.isEmpty {
            changeOutline { $0.setAllCollapsed(false) }
        } else if let tree = outline.tree {
            changeOutline { outline in outline.setCollapsed { closed.contains(tree.path(of: $0)) } }
        }
        selectionMode = view.selectionMode
        selection = view.selection.restricted(rowCount: rows.count, columns: Set(columns.all.map(\.id)))
        selectionAnchor = nil
        moveCursor(view.cursor, extending: false)
        scroll = view.scroll
        revealCursor()
    }
}

extension SavedView {
    /// The columns of `all` with their saved properties and in the saved order, followed by the columns that are not in the view. At
    /// least one column is visible.
    ///
    /// A saved column matches the column with the same ``Column/valueKey`` and the same ``SavedColumn/occurrence``.
    /// - Returns: the columns, and the number of saved columns that `all` does not contain.
    package func restored(_ all: [Column]) -> (columns: [Column], missing: Int) {
        var isTaken = [Bool](repeating: false, count: all.count)
        var ordered: [Column] = []
        for (saved, place) in zip(columns, places(in: all)) {
            guard let place else { continue }
            isTaken[place] = true
            var column = all[place]
            saved.apply(to: &column)
            ordered.append(column)
        }
        let missing = columns.count - ordered.count
        ordered += zip(all, isTaken).filter { !$0.1 }.map(\.0)
        if ordered.allSatisfy(\.isHidden), !ordered.isEmpty { ordered[0].isHidden = false }
        return (ordered, missing)
    }

    /// For each saved column, the index of the matching column of `all`; `nil` without a match.
    package func places(in all: [Column]) -> [Int?] {
        var places: [String: [Int]] = [:]
        for place in all.indices.sorted(by: { all[$0].id < all[$1].id }) { places[all[place].valueKey, default: []].append(place) }
        var isTaken = [Bool](repeating: false, count: all.count)
        return zip(columns, occurrences).map { saved, occurrence in
            guard let same = places[saved.valueKey], same.indices.contains(occurrence), !isTaken[same[occurrence]] else { return nil }
            isTaken[same[occurrence]] = true
            return same[occurrence]
        }
    }

    /// The ``SavedColumn/occurrence`` of each saved column. In views of earlier versions, columns with the same key are in source order.
    package var occurrences: [Int] {
        var next: [String: Int] = [:]
        return columns.map { column in
            let occurrence = column.occurrence ?? next[column.valueKey, default: 0]
            next[column.valueKey] = occurrence &+ 1
            return occurrence
        }
    }
}

extension ColumnList {
    /// The number of each column among the columns with the same value key, in the order of the source. Contains only columns whose key
    /// is not unique. O(columns).
    fileprivate var occurrencesOfSharedKeys: [ColumnID: Int] {
        let shared = Dictionary(grouping: all, by: \.valueKey).values.filter { $0.count > 1 }
        return shared.reduce(into: [:]) { result, same in
            for (occurrence, id) in same.map(\.id).sorted().enumerated() { result[id] = occurrence }
        }
    }
}

extension SavedView.SavedColumn {
    fileprivate func apply(to column: inout Column) {
        column.title = title
        column.width = width
        if let measuredWidth { column.measuredWidth = measuredWidth }
        (column.isHidden, column.frozenSide) = (isHidden, frozenSide)
        if let kind { column.kind = kind }
        if let notation { column.notation = notation.with(column.notation.unit) }
        if let dateNotation, dateNotation != column.dateNotation || hasAmbiguousDates != nil {
            (column.dateNotation, column.hasAmbiguousDates) = (dateNotation, hasAmbiguousDates ?? false)
        }
        if let format { column.format = format.mergingFractionDigits(with: column.format) }
        column.isIdentifier = isIdentifier ?? column.isIdentifier
        column.flagMarks = flagMarks ?? column.flagMarks
        column.highlightsChanges = highlightsChanges ?? column.highlightsChanges
        column.keepsChangeMarks = keepsChangeMarks ?? column.keepsChangeMarks
    }
}
