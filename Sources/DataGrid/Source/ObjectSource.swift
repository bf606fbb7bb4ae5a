/// A data source for an array of objects: it fills cells, sorts, groups, takes over rows that were moved by hand, and knows which objects
/// are selected.
///
/// ```swift
/// let source = ObjectSource(instruments, columns: [
///     ObjectColumn("Instrument", \.name) { $0.sortMode = .twoState },
///     ObjectColumn("Bid", \.bid) { $0.format.fractionDigits = 2 },
/// ])
/// source.attach(to: grid)
/// ```
///
/// Attached to a grid, it sorts when a header is clicked. An object keeps its ``RowID`` as long as it is in the source. Totals and aggregates
/// are updated in O(log objects). Takes about 16 bytes an object, and 16 for each column with an aggregate. The grid refers to its source
/// weakly, so keep it.
@MainActor
public final class ObjectSource<Object, ID: Hashable>: GridDataSource {
    /// The columns; their index is their ``ColumnID``.
    public let columns: [ObjectColumn<Object>]
    /// The columns as a grid takes them.
    public let gridColumns: [Column]
    /// The grid that it drives.
    public internal(set) weak var host: (any GridHost)?

    /// The keys in force, the strongest first.
    public internal(set) var sortKeys: [SortDescriptor] = []
    /// The levels of sections, the outermost first; empty: there are no sections. Set it to group anew. O(objects · log).
    public var groupings: [ObjectGrouping<Object>] = [] { didSet { arrange(keeping: .all) } }
    /// What the headers of sections tell, of columns with numbers. They are kept while objects change.
    public var aggregates: [Aggregate] = [] { didSet { host?.reloadRows(nil) } }

    /// What stands at the end of an object's row, where the grid shows accessories (``GridMetrics/showsAccessories``).
    public var accessory: (Object) -> Accessory = { _ in .none } { didSet { host?.reloadRows(nil) } }

    /// What the row header says of an object; `nil`: the number of its row (``GridMetrics/rowHeaderWidth``).
    public var rowHeaderText: (Object) -> String? = { _ in nil } { didSet { host?.reloadRows(nil) } }
    /// Which class of the theme an object's row is of; `nil`: none (``Theme/classes``).
    public var styleClass: (Object) -> String? = { _ in nil } { didSet { host?.reloadRows(nil) } }
    /// What stands in the corner above the row header.
    public var corner: CellContent? { didSet { host?.reloadRows(nil) } }
    /// What the row of totals is called, where the grid shows one (``GridMetrics/showsTotals``). What it says of a column is the column's
    /// (``ObjectColumn/totalled(_:)``).
    public var totalsTitle: String? = "Σ" { didSet { host?.reloadRows(nil) } }
    /// What an object is called where rows are counted.
    public var rowNoun = RowNoun() { didSet { host?.reloadRows(nil) } }

    /// Whether the whole row of an object that is another than before is lit beside the cells that say something else, and fades as they do.
    public var lightsRows = false

    let id: (Object) -> ID
    /// The objects by the number of their row; `nil` where one has gone.
    var slots: [Object?] = []
    /// Numbers of rows that have gone, to be given again.
    var free: [UInt32] = []
    /// The number of each object's row.
    var numbers: [ID: UInt32] = [:]
    var order: [UInt32] = []
    var shown: [UInt32] = []
    var tree: SectionTree?
    var totals = ObjectAggregates()

    /// A source of objects that say themselves which they are.
    public convenience init(_ objects: [Object] = [], columns: [ObjectColumn<Object>]) where Object: Identifiable, ID == Object.ID {
        self.init(objects, id: \.id, columns: columns)
    }

    /// A source of objects of which a property says which they are. Of several with the same id, the last one counts. O(objects).
    public init(_ objects: [Object] = [], id: KeyPath<Object, ID>, columns: [ObjectColumn<Object>]) {
        self.id = { $0[keyPath: id] }
        self.columns = columns
        gridColumns = columns.enumerated().map { index, column in
            let isEdited = column.edit != nil
            var column = column.column
            column.id = ColumnID(index)
            column.isEditable = column.isEditable && isEdited
            return column
        }
        for object in objects { if let number = store(object) { order.append(number) } }
        shown = order
    }

    /// Drives a grid from now on: gives it the rows and, unless it has columns already, the columns; sorts as its header says.
    /// O(objects · log) when it is sorted, otherwise O(objects).
    public func attach(to host: any GridHost) {
        self.host = host
        host.dataSource = self
        if host.state.columns.all.isEmpty { host.perform(.replaceColumns(gridColumns)) }
        sortKeys = known(host.state.sort)
        arrange(keeping: [])
    }

    // MARK: Objects and rows

    /// The number of objects.
    public var count: Int { order.count }

    /// All objects in their own order, which sorting does not change. O(objects).
    public var objects: [Object] { order.map { slots[Int($0)]! } }

    /// The object of a row; `nil` when the source has none. O(1).
    public func object(_ row: RowID) -> Object? { slots.indices.contains(row.rawValue) ? slots[row.rawValue] : nil }

    /// The row of an object, by its id; `nil` when it is not there. O(1).
    public func row(of id: ID) -> RowID? { numbers[id].map { RowID(Int($0)) } }

    /// Keeps an object, and answers its row's number if it is a new one.
    func store(_ object: Object) -> UInt32? {
        let id = id(object)
        if let number = numbers[id] {
            put(object, at: number)
            return nil
        }
        let number = free.popLast() ?? UInt32(slots.count)
        if Int(number) == slots.count { slots.append(nil) }
        put(object, at: number)
        numbers[id] = number
        return number
    }

    // MARK: What a grid asks

    /// What the column makes of the row's object. O(1), and what the key path takes.
    public func content(row: RowID, column: ColumnID) -> CellContent {
        guard let object = object(row), columns.indices.contains(column.rawValue) else { return .missing }
        return columns[column.rawValue].content(of: object)
    }

    /// What ``accessory`` says of the row's object.
    public func accessory(ofRow row: RowID) -> Accessory { object(row).map(accessory) ?? .none }

    /// What ``rowHeaderText`` says of the row's object.
    public func rowHeader(_ row: RowID) -> String? { object(row).flatMap(rowHeaderText) }

    /// What ``styleClass`` says of the row's object.
    public func styleClass(ofRow row: RowID) -> String? { object(row).flatMap(styleClass) }

    /// The total of a column. O(log objects) for an aggregate, O(objects) for the first time and for a hook.
    public func total(column: ColumnID) -> CellContent? {
        guard columns.indices.contains(column.rawValue) else { return nil }
        switch columns[column.rawValue].total {
        case nil: return nil
        case .made(let total): return total(objects)
        case .aggregate(.first): return order.first.map { content(row: RowID(Int($0)), column: column) }
        case .aggregate(.last): return order.last.map { content(row: RowID(Int($0)), column: column) }
        case .aggregate(let function):
            let value = aggregate(function, of: column.rawValue)
            return value.isNaN ? nil : CellContent(.number(value))
        }
    }

    /// The order shown; O(1).
    public var rowOrder: RowOrder? { .permuted(RowPermutation(shown)) }
    /// The groups of all levels; 1 without groupings.
    public var numberOfSections: Int { tree?.sections.count ?? 1 }
    /// The objects of a group.
    public func numberOfRows(inSection section: Int) -> Int { tree?.sections[section].rows.count ?? shown.count }
    /// What the grouping makes of the value of its objects.
    public func title(ofSection section: Int) -> String? { tree?.sections[section].title }
    /// What the grouping makes of the section's objects. O(rows of the section).
    public func movingTitle(ofSection section: Int) -> String? {
        guard let tree, tree.sections.indices.contains(section), case let level = tree.level(of: section),
            groupings.indices.contains(level), let title = groupings[level].movingTitle
        else { return nil }
        return title(objects(ofSection: section))
    }
    /// Which of the groupings it is one of.
    public func level(ofSection section: Int) -> Int { tree?.sections[section].level ?? 0 }

    /// The columns of the groupings; none where one of them groups by something else.
    public var groupColumns: [ColumnID] {
        let columns = groupings.map { $0.column(in: self.columns) }
        return columns.contains(nil) ? [] : columns.compactMap(\.self)
    }

    /// The aggregates of the section's rows. O(log objects) each; O(objects) for the first time.
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
