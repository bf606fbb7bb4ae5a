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
    /// The columns of the source. The index of a column is the number of its ``ColumnID``.
    public let columns: [ObjectColumn<Object>]
    /// The columns for the grid. For columns without a format, the fraction digits increase when values need more of them.
    public internal(set) var gridColumns: [Column]
    /// The grid to which the source is attached; `nil` if it is not attached.
    public internal(set) weak var host: (any GridHost)?

    /// The current sort keys, most significant first.
    public internal(set) var sortKeys: [ColumnSort] = []
    /// The groupings of the rows: one for each level of sections, outermost first. If empty, there are no sections. Setting this property
    /// groups the rows again. O(objects · log objects).
    public var groupings: [ObjectGrouping<Object>] = [] { didSet { arrange(keeping: .all) } }
    /// The aggregates in section headers, such as sums of number columns. They are updated when objects change.
    public var aggregates: [Aggregate] = [] { didSet { host?.reloadRows(nil) } }

    /// Returns the symbol at the end of an object's row, if the grid shows such symbols (``GridMetrics/showsAccessories``).
    public var accessory: (Object) -> Accessory = { _ in .none } { didSet { host?.reloadRows(nil) } }

    /// Returns the text of an object's row header (``GridMetrics/rowHeaderWidth``); `nil` means the row number.
    public var rowHeaderText: (Object) -> String? = { _ in nil } { didSet { host?.reloadRows(nil) } }
    /// Returns the name of the style class of an object's row (``Theme/classes``); `nil` means no class.
    public var styleClass: (Object) -> String? = { _ in nil } { didSet { host?.reloadRows(nil) } }
    /// The content of the corner above the row headers; `nil` leaves it empty.
    public var corner: CellContent? { didSet { host?.reloadRows(nil) } }
    /// The title of the totals row; `nil` means no title. The grid shows the row if ``GridMetrics/showsTotals`` is true. Columns define
    /// their totals (``ObjectColumn/totaled(_:)``).
    public var totalsTitle: String? = "Σ" { didSet { host?.reloadRows(nil) } }
    /// The noun for objects when they are counted, as in section headers: “3 contacts”.
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

    /// A closure that is called after a user has edited an object (``ObjectColumn/editable(_:)``).
    public var didEdit: (ObjectEdit<Object>) -> Void = { _ in }

    /// True to highlight the whole row of a changed object, in addition to its changed cells. Only cells of columns with
    /// ``Column/highlightsChanges`` are highlighted.
    public var highlightsRows = false

    let id: (Object) -> ID
    /// The object of each row, by row number; `nil` for removed objects.
    var storedObjects: [Object?] = []
    /// The row numbers of removed objects. New objects reuse them.
    var freeNumbers: [UInt32] = []
    /// The row number of each object, by its id.
    var rowNumbers: [ID: UInt32] = [:]
    /// The row numbers in the order of ``objects``.
    var objectOrder: [UInt32] = []
    /// The row numbers in the order in which the rows are shown.
    var displayOrder: [UInt32] = []
    var tree: SectionTree?
    var aggregateCache = ObjectAggregates()
    /// The indices of the columns whose format has changed, but was not passed to the grid yet.
    var changedFormats: Set<Int> = []

    /// Creates a source of identifiable objects.
    public convenience init(_ objects: [Object] = [], columns: [ObjectColumn<Object>]) where Object: Identifiable, ID == Object.ID {
        self.init(objects, id: \.id, columns: columns)
    }

    /// Creates a source of objects identified by a property. If several objects have the same id, the source contains only the last of
    /// them. O(objects).
    public init(_ objects: [Object] = [], id: KeyPath<Object, ID>, columns: [ObjectColumn<Object>]) {
        self.id = { $0[keyPath: id] }
        self.columns = columns
        gridColumns = columns.enumerated().map { index, column in
            let (isEdited, adaptsFractionDigits) = (column.edit != nil, column.adaptsFractionDigits)
            var column = column.column
            if adaptsFractionDigits { column.format.setAutomaticDigits(column.format.reservedFractionDigits, isRounding: true) }
            column.id = ColumnID(index)
            column.isEditable = column.isEditable && isEdited
            return column
        }
        for object in objects { if let number = store(object) { objectOrder.append(number) } }
        displayOrder = objectOrder
    }

    /// Attaches the source to a grid, which then shows the rows of the source.
    ///
    /// If the grid has no columns, it also gets the columns. The rows are sorted by the sort keys of the grid or, if it has no sort keys,
    /// by the sort keys of the source. O(objects · log objects) if sorted, otherwise O(objects).
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
    public var count: Int { objectOrder.count }

    /// All objects, in an order that sorting does not change. O(objects).
    public var objects: [Object] { objectOrder.map { storedObjects[Int($0)]! } }

    /// The object of a row; `nil` if the row does not exist. O(1).
    public func object(_ row: RowID) -> Object? { storedObjects.indices.contains(row.rawValue) ? storedObjects[row.rawValue] : nil }

    /// The row of the object with this id; `nil` if there is no such object. O(1).
    public func row(of id: ID) -> RowID? { rowNumbers[id].map { RowID(Int($0)) } }

    /// The first column that shows a property; `nil` if there is no such column. O(columns).
    public func column(of path: PartialKeyPath<Object>) -> ColumnID? { columns.firstIndex { $0.path == path }.map { ColumnID($0) } }

    /// Stores an object. Returns its row number if it is new, or `nil` if it replaces an object with the same id.
    func store(_ object: Object) -> UInt32? {
        let id = id(object)
        fitDigits(to: object)
        if let number = rowNumbers[id] {
            setObject(object, at: number)
            return nil
        }
        let number = freeNumbers.popLast() ?? UInt32(storedObjects.count)
        if Int(number) == storedObjects.count { storedObjects.append(nil) }
        setObject(object, at: number)
        rowNumbers[id] = number
        return number
    }

    // MARK: Data source

    /// The content of the cell of an object. O(1), plus the cost of reading the property.
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

    /// The content of the totals row in a column; `nil` if the column has no total. An aggregate takes O(objects) the first time, then
    /// O(log objects). A closure takes O(objects).
    public func total(column: ColumnID) -> CellContent? {
        guard columns.indices.contains(column.rawValue) else { return nil }
        switch columns[column.rawValue].total {
        case nil: return nil
        case .computed(let total): return total(objects)
        case .aggregate(.first): return objectOrder.first.map { content(row: RowID(Int($0)), column: column) }
        case .aggregate(.last): return objectOrder.last.map { content(row: RowID(Int($0)), column: column) }
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
    public var rowOrder: RowOrder? { .permuted(RowPermutation(displayOrder)) }
    /// The number of sections at all levels; 1 if the rows are not grouped.
    public var numberOfSections: Int { tree?.sections.count ?? 1 }
    /// The number of objects in a section.
    public func numberOfRows(inSection section: Int) -> Int { tree?.sections[section].rows.count ?? displayOrder.count }
    /// The title of a section, from the value that its objects have in common; `nil` if the rows are not grouped.
    public func title(ofSection section: Int) -> String? { tree?.sections[section].title }
    /// The title that scrolls with the columns, computed from the objects of the section. O(rows of the section).
    public func scrollingTitle(ofSection section: Int) -> String? {
        guard let tree, tree.sections.indices.contains(section), case let level = tree.level(of: section),
            groupings.indices.contains(level), let title = groupings[level].scrollingTitle
        else { return nil }
        return title(objects(ofSection: section))
    }
    /// The nesting level of a section, which is the index of its grouping in ``groupings``.
    public func level(ofSection section: Int) -> Int { tree?.sections[section].level ?? 0 }

    /// The column of each grouping; empty if a grouping is by a property that no column shows.
    public var groupColumns: [ColumnID] {
        let columns = groupings.map { $0.column(in: self.columns) }
        return columns.contains(nil) ? [] : columns.compactMap(\.self)
    }

    /// The aggregates of the rows in a section. O(log objects) for each aggregate; O(objects) the first time.
    public func aggregates(ofSection section: Int) -> [SectionAggregate] {
        guard let tree, tree.sections.indices.contains(section) else { return [] }
        let rows = tree.rows(of: section).clamped(to: 0..<displayOrder.count)
        return aggregates.compactMap { aggregate -> SectionAggregate? in
            guard columns.indices.contains(aggregate.column.rawValue) else { return nil }
            if aggregate.function.returnsCell {
                let row = aggregate.function == .first ? rows.first : rows.last
                return SectionAggregate(aggregate, row.map { Double(displayOrder[$0]) } ?? .nan)
            }
            return SectionAggregate(aggregate, self.aggregate(aggregate.function, of: aggregate.column.rawValue, in: rows))
        }
    }

    private func objects(ofSection section: Int) -> [Object] {
        (tree?.rows(of: section) ?? 0..<0).clamped(to: 0..<displayOrder.count).compactMap { storedObjects[Int(displayOrder[$0])] }
    }
}
