public import DataGrid
public import DataGridQuery
import FieldValues
import Tables

/// Which rows are to be shown, and how arranged.
public struct Arrangement: Equatable, Sendable {
    /// The conditions that the rows shown meet, all of them.
    public var filters: [Filter] = []
    /// Sort keys, the strongest first.
    public var sort: [SortDescriptor] = []
    /// The columns grouped by, the outermost first.
    public var groups: [ColumnID] = []
    /// The order of the sections of the levels that have one; the others are in the order of their titles, the greatest first where the
    /// rows are sorted so by their column.
    public var sectionOrders: [ColumnID: SectionOrder] = [:]
    /// What section headers tell; `nil`: sums of integers and means of decimals, where they are amounts.
    public var aggregates: [Aggregate]?

    /// All rows in the order of the file, without sections.
    public init() {}

    /// Whether the rows stand as in the file, so that no job has to arrange them.
    public var isNatural: Bool { sort.isEmpty && groups.isEmpty && filters.isEmpty }

    /// Whether rows are left out and the others stand as in the file.
    public var isFilterOnly: Bool { sort.isEmpty && groups.isEmpty && !filters.isEmpty }

    /// Whether the rows, all or some, stand as in the file.
    var isInFileOrder: Bool { isNatural || isFilterOnly }

    var unordered: Arrangement {
        var arrangement = Arrangement()
        arrangement.filters = filters
        return arrangement
    }

    /// Takes other columns in place of these: what was asked of a column is asked of the one with its name, or no more.
    /// - Returns: those of which something was asked, and that are not there any more.
    mutating func follow(_ old: [Column], to new: [Column]) -> [Column] {
        // Several may have one name: they go with each other in their order.
        let ids = Dictionary(grouping: new, by: \.valueKey)
        var ranks: [String: Int] = [:]
        var followed: [ColumnID: ColumnID] = [:]
        for column in old {
            let rank = ranks[column.valueKey, default: 0]
            ranks[column.valueKey] = rank + 1
            if let same = ids[column.valueKey], rank < same.count { followed[column.id] = same[rank].id }
        }
        let asked = Set(sort.map(\.column) + groups + (aggregates ?? []).map(\.column))
        sort = sort.compactMap { key in followed[key.column].map { SortDescriptor($0, isDescending: key.isDescending) } }
        groups = groups.compactMap { followed[$0] }
        aggregates = aggregates?.compactMap { aggregate in followed[aggregate.column].map { Aggregate(aggregate.function, of: $0) } }
        sectionOrders = sectionOrders.reduce(into: [:]) { orders, entry in
            guard let level = followed[entry.key] else { return }
            var order = entry.value
            if case .aggregate(let aggregate) = order.criterion {
                guard let column = followed[aggregate.column] else { return }
                order.criterion = .aggregate(Aggregate(aggregate.function, of: column))
            }
            orders[level] = order
        }
        return old.filter { asked.contains($0.id) && followed[$0.id] == nil }
    }

    /// Reads the filters again by the names of columns, and leaves out those that fit no more.
    /// - Returns: the first that is left out, with the reason.
    mutating func readFilters(in schema: Schema) -> (filter: Filter, error: FilterError)? {
        var mistake: (filter: Filter, error: FilterError)?
        var read: [Filter] = []
        for filter in filters {
            do {
                read.append(try Filter(filter.text, in: schema))
            } catch {
                mistake = mistake ?? (filter, error)
            }
        }
        filters = read
        return mistake
    }
}

extension Arrangement {
    func order(ofLevel column: ColumnID) -> SectionOrder {
        sectionOrders[column] ?? SectionOrder(.title, isDescending: sort.contains { $0.column == column && $0.isDescending })
    }

    /// What section headers tell: what was asked for, and by what sections are put in order.
    func shownAggregates(_ columns: [Column]) -> [Aggregate] {
        var all = aggregates ?? Self.usefulAggregates(columns, groups: groups)
        for group in groups {
            if case .aggregate(let aggregate) = order(ofLevel: group).criterion, !all.contains(aggregate) { all.append(aggregate) }
        }
        return all
    }

    /// What is worth telling of a section when nobody has said: amounts are added, prices and rates averaged; names are neither.
    static func usefulAggregates(_ columns: [Column], groups: [ColumnID]) -> [Aggregate] {
        let worthy = columns.filter { $0.kind.isNumber && !$0.isHidden && !groups.contains($0.id) && $0.format.groupsThousands }
        return worthy.prefix(6).compactMap(usefulAggregate)
    }

    /// What is worth telling of a column; `nil` where it has no numbers.
    static func usefulAggregate(of column: Column) -> Aggregate? {
        column.kind.isNumber ? Aggregate(column.kind == .integer ? .sum : .mean, of: column.id) : nil
    }

    func isOrdered(byFigureOf column: ColumnID) -> Bool {
        sectionOrders.values.contains { order in
            if case .aggregate(let aggregate) = order.criterion { aggregate.column == column } else { false }
        }
    }
}
