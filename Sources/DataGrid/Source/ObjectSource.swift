import FieldValues

/// A data source for an array of objects. It fills cells, sorts, groups, applies row moves, and provides the selected objects.
///
/// ```swift
/// let source = ObjectSource(instruments, columns: [
///     ObjectColumn("Instrument", \.name) { $0.sortMode = .twoState },
///     ObjectColumn("Bid", \.bid, format: .number(fractionDigits: 2)),
/// ])
/// let grid = GridController(owning: source)
/// ```
///
/// The source sorts its rows when a header of the grid is clicked. An object keeps its ``RowID`` while it is in the source. Totals and
/// aggregates are updated in O(log objects). The source takes about 16 bytes per object, and 16 more for each column with an aggregate. A
/// grid does not own a source that is connected by ``attach(to:)``, so keep a reference to the source.
@MainActor
public final class ObjectSource<Object, ID: Hashable>: GridDataSource {
    /// The columns. The index of a column is its ``ColumnID``.
    public let columns: [ObjectColumn<Object>]
    /// The columns of the grid. Their fraction digits can grow with the values of columns without a format.
    public internal(set) var gridColumns: [Column]
    /// The attached grid.
    public internal(set) weak var host: (any GridHost)?

    /// The current sort keys, most significant first.
    public internal(set) var sortKeys: [ColumnSort] = []
    /// The levels of sections, outermost first; empty means no sections. Setting this property groups the rows again. O(objects · log
    /// objects).
    public var groupings: [ObjectGrouping<Object>] = [] { didSet { arrange(keeping: .all) } }
    /// The aggregates in section headers, for columns with numbers. They are updated when objects change.
    public var aggregates: [Aggregate] = [] { didSet { host?.reloadRows(nil) } }

    /// The accessory of an object's row, if the grid shows accessories (``GridMetrics/showsAccessories``).
    public var accessory: (Object) -> Accessory = { _ in .none } { didSet { host?.reloadRows(nil) } }

    /// The text of an object's row header; `nil` means the row number (``GridMetrics/rowHeaderWidth``).
    public var rowHeaderText: (Object) -> String? = { _ in nil } { didSet { host?.reloadRows(nil) } }
    /// The name of the style class of an object's row; `nil` means no class (``Theme/classes``).
    public var styleClass: (Object) -> String? = { _ in nil } { didSet { host?.reloadRows(nil) } }
    /// The content of the corner above the row header.
    public var corner: CellContent? { didSet { host?.reloadRows(nil) } }
    /// The title of the totals row, if the grid shows one (``GridMetrics/showsTotals``). Columns define their totals
    /// (``ObjectColumn/totaled(_:)``).
    public var totalsTitle: String? = "Σ" { didSet { host?.reloadRows(nil) } }
    /// The noun for counted objects.
    public var rowNoun = RowNoun() { didSet { host?.reloadRows(nil) } }
    /// The text shown when the grid has no rows. The default is “No” and the plural of ``rowNoun``.
    public var emptyText: String {
        get { customEmptyText ?? "No \(rowNoun.many)" }
        set {
            customEmptyText = newValue
            host?.reloadRows(nil)
        }
    }
    private var customEmptyText: String?

    /// A closure that is called after a user has edited an object (``ObjectColumn/edited(_:)``).
    public var didEdit: (ObjectEdit<Object>) -> Void = { _ in }

    /// True if a change also highlights the whole row of the object, in addition to the changed cells. Only columns with
    /// ``Column/highlightsChanges`` are highlighted.
    public var highlightsRows = false

    let id: (Object) -> ID
    /// The objects by row number; `nil` for removed objects.
    var slots: [Object?] = []
    /// The numbers of removed rows, for reuse.
    var free: [UInt32] = []
    /// The row number of each object.
    var numbers: [ID: UInt32] = [:]
    /// The row numbers in the order of ``objects``.
    var order: [UInt32] = []
    /// The row numbers in the order shown.
    var shown: [UInt32] = []
    var tree: SectionTree?
    var totals = ObjectAggregates()
    /// The indices of the columns whose changed formats were not passed to the grid yet.
    var changedFormats: Set<Int> = []

    /// Creates a source of identifiable objects.
    public convenience init(_ objects: [Object] = [], columns: [ObjectColumn<Object>]) where Object: Identifiable, ID == Object.ID {
        self.init(objects, id: \.id, columns: columns)
    }

    /// Creates a source of objects identified by a property. If several objects have the same id, the last one is used. O(objects).
    public init(_ objects: [Object] = [], id: KeyPath<Object, ID>, columns: [ObjectColumn<Object>]) {
        self.id = { $0[keyPath: id] }
        self.columns = columns
        gridColumns = columns.enumerated().map { index, column in
            let (isEdited, adaptsFractionDigits) = (column.edit != nil, column.adaptsFractionDigits)
            var column = column.column
            if adaptsFractionDigits { column.format.setAutomaticDigits(column.format.fractionRoom, isRounding: true) }
            column.id = ColumnID(index)
            column.isEditable = column.isEditable && isEdited
            return column
        }
        for object in objects { if let number = store(object) { order.append(number) } }
        shown = order
    }

    /// Attaches the source to a grid. The grid receives the rows and, if it has no columns, the columns. The rows are sorted by the sort
    /// keys of the grid. A grid without sort keys gets the keys of the source. O(objects · log objects) if sorted, otherwise O(objects).
    public func attach(to host: any GridHost) {
        self.host = host
        host.dataSource = self
        if host.state.columns.all.isEmpty { host.perform(.replaceColumns(gridColumns)) }
        updateFormats()
        if host.state.sort.isEmpty, !sortKeys.isEmpty { host.perform(.setSort(sortKeys)) }
        sortKeys = validKeys(host.state.sort)
        arrange(keeping: [])
    }

    // MARK: Objects and rows

    /// The number of objects.
    public var count: Int { order.count }

    /// All objects in the order of the array, which sorting does not change. O(objects).
    public var objects: [Object] { order.map { slots[Int($0)]! } }

    /// The object of a row; `nil` if the row does not exist. O(1).
    public func object(_ row: RowID) -> Object? { slots.indices.contains(row.rawValue) ? slots[row.rawValue] : nil }

    /// The row of an object, by its id; `nil` if the object does not exist. O(1).
    public func row(of id: ID) -> RowID? { numbers[id].map { RowID(Int($0)) } }

    /// Stores an object and returns its row number if it is new.
    func store(_ object: Object) -> UInt32? {
        let id = id(object)
        fitDigits(to: object)
        if let number = numbers[id] {
            setObject(object, at: number)
            return nil
        }
        let number = free.popLast() ?? UInt32(slots.count)
        if Int(number) == slots.count { slots.append(nil) }
        setObject(object, at: number)
        numbers[id] = number
        return number
    }

    // MARK: Data source

    /// The content of a cell. O(1), plus the cost of reading the property.
    public func content(row: RowID, column: ColumnID) -> CellContent {
        guard let object = object(row), columns.indices.contains(column.rawValue) else { return .missing }
        return columns[column.rawValue].content(of: object)
    }

    /// The ``accessory`` of the row's object.
    public func accessory(ofRow row: RowID) -> Accessory { object(row).map(accessory) ?? .none }

    /// The ``rowHeaderText`` of the row's object.
    public func rowHeader(_ row: RowID) -> String? { object(row).flatMap(rowHeaderText) }

    /// The ``styleClass`` of the row's object.
    public func styleClass(ofRow row: RowID) -> String? { object(row).flatMap(styleClass) }

    /// The total of a column. An aggregate takes O(objects) the first time, then O(log objects). A closure takes O(objects).
    public func total(column: ColumnID) -> CellContent? {
        guard columns.indices.contains(column.rawValue) else { return nil }
        switch columns[column.rawValue].total {
        case nil: return nil
        case .computed(let total): return total(objects)
        case .aggregate(.first): return order.first.map { content(row: RowID(Int($0)), column: column) }
        case .aggregate(.last): return order.last.map { content(row: RowID(Int($0)), column: column) }
        case .aggregate(let function):
            let value = aggregate(function, of: column.rawValue)
            if value.isNaN { return nil }
            switch function {
            case .count, .distinct: return CellContent(.integer(Int64(value)))
            case .sum, .min, .max, .first, .last: return CellContent(.number(value))
            case .share: return CellContent(.number((value * 10_000).rounded() / 10_000))
            case .mean, .standardDeviation, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99:
                // Round the aggregates of an integer column, such as the mean, to two decimals.
                let isInteger = gridColumns[column.rawValue].kind == .integer
                return CellContent(.number(isInteger ? (value * 100).rounded() / 100 : value))
            }
        }
    }

    /// The order in which the rows are shown. O(1).
    public var rowOrder: RowOrder? { .permuted(RowPermutation(shown)) }
    /// The number of groups at all levels; 1 without groupings.
    public var numberOfSections: Int { tree?.sections.count ?? 1 }
    /// The number of objects in a group.
    public func numberOfRows(inSection section: Int) -> Int { tree?.sections[section].rows.count ?? shown.count }
    /// The title of a section, from the value that its objects share.
    public func title(ofSection section: Int) -> String? { tree?.sections[section].title }
    /// The scrolling title, computed from the section's objects. O(rows of the section).
    public func scrollingTitle(ofSection section: Int) -> String? {
        guard let tree, tree.sections.indices.contains(section), case let level = tree.level(of: section),
            groupings.indices.contains(level), let title = groupings[level].scrollingTitle
        else { return nil }
        return title(objects(ofSection: section))
    }
    /// The index of the section's grouping.
    public func level(ofSection section: Int) -> Int { tree?.sections[section].level ?? 0 }

    /// The columns of the groupings; empty if one of them is not a column.
    public var groupColumns: [ColumnID] {
        let columns = groupings.map { $0.column(in: self.columns) }
        return columns.contains(nil) ? [] : columns.compactMap(\.self)
    }

    /// The aggregates of the section's rows. O(log objects) each; O(objects) the first time.
    public func aggregates(ofSection section: Int) -> [SectionAggregate] {
        guard let tree, tree.sections.indices.contains(section) else { return [] }
        let rows = tree.rows(of: section).clamped(to: 0..<shown.count)
        return aggregates.compactMap { aggregate -> SectionAggregate? in
            guard columns.indices.contains(aggregate.column.rawValue) else { return nil }
            if aggregate.function.isCell {
                let row = aggregate.function == .first ? rows.first : rows.last
                return SectionAggregate(aggregate, row.map { Double(shown[$0]) } ?? .nan)
            }
            return SectionAggregate(aggregate, self.aggregate(aggregate.function, of: aggregate.column.rawValue, in: rows))
        }
    }

    private func objects(ofSection section: Int) -> [Object] {
        (tree?.rows(of: section) ?? 0..<0).clamped(to: 0..<shown.count).compactMap { slots[Int(shown[$0])] }
    }
}
