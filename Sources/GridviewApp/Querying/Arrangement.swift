public import DataGrid
public import DataGridQuery
import FieldValues
public import Tables

/// The filters, sort keys and groups of a sheet. It names columns, whereas a query names fields.
public struct Arrangement: Equatable, Sendable {
    /// The active filters. A row must match all of them.
    public var filters: [Filter] = []
    /// The filters that are turned off, in ascending order of ``DisabledFilter/index``.
    var disabledFilters: [DisabledFilter] = []
    /// The sort keys, most significant first.
    public var sort: [ColumnSort] = []
    /// The group columns, outermost first.
    public var groups: [ColumnID] = []
    /// The intervals by which a group column is grouped, such as months. Group columns without an entry are grouped by equal values.
    public var groupIntervals: [ColumnID: GroupInterval] = [:]
    /// The order of the groups of each group column. Without an entry, groups are sorted by title, in the direction of the column's sort
    /// key.
    public var sectionOrders: [ColumnID: SectionOrder] = [:]
    /// The aggregates that group headers show; `nil` for the default ones.
    public var aggregates: [Aggregate]?

    /// Creates an arrangement of all rows in file order, without groups.
    public init() {}

    /// True if all rows are shown in file order, without groups. Showing them needs no job.
    public var isFileOrder: Bool { sort.isEmpty && groups.isEmpty && filters.isEmpty }

    /// True if the rows are filtered but not sorted or grouped.
    public var isFilterOnly: Bool { sort.isEmpty && groups.isEmpty && !filters.isEmpty }

    /// True if the rows are in file order and not grouped, whether they are filtered or not.
    var isInFileOrder: Bool { isFileOrder || isFilterOnly }

    /// True if some filters are active, and only filters differ from those of `before`.
    func changesOnlyFilters(of before: Arrangement) -> Bool {
        guard !filters.isEmpty, filters != before.filters else { return false }
        var changed = before
        (changed.filters, changed.disabledFilters) = (filters, disabledFilters)
        return changed == self
    }

    /// A copy with the same filters, but without sort keys and groups.
    var withoutOrder: Arrangement {
        var arrangement = Arrangement()
        (arrangement.filters, arrangement.disabledFilters) = (filters, disabledFilters)
        return arrangement
    }

    /// All filters in the order in which they are listed, including those that are turned off.
    var allFilters: [ShownFilter] {
        get {
            disabledFilters.reduce(into: filters.map { ShownFilter(filter: $0, isOn: true) }) { all, disabled in
                all.insert(ShownFilter(filter: disabled.filter, isOn: false), at: min(disabled.index, all.count))
            }
        }
        set {
            filters = newValue.filter(\.isOn).map(\.filter)
            disabledFilters = newValue.enumerated().filter { !$1.isOn }.map { DisabledFilter(filter: $1.filter, index: $0) }
        }
    }

    /// Replaces each column by the new column with the same name, after a file was read again. Sort keys, groups and aggregates of columns
    /// without a new one are removed.
    /// - Returns: The removed columns that were sorted, grouped or aggregated.
    mutating func replaceColumns(_ old: [Column], with new: [Column]) -> [Column] {
        // Several columns can have the same name. The first old one becomes the first new one, and so on.
        let ids = Dictionary(grouping: new, by: \.valueKey)
        var ranks: [String: Int] = [:]
        var replacements: [ColumnID: ColumnID] = [:]
        for column in old {
            let rank = ranks[column.valueKey, default: 0]
            ranks[column.valueKey] = rank + 1
            if let same = ids[column.valueKey], rank < same.count { replacements[column.id] = same[rank].id }
        }
        let used = Set(sort.map(\.column) + groups + (aggregates ?? []).map(\.column))
        sort = sort.compactMap { key in replacements[key.column].map { ColumnSort($0, isDescending: key.isDescending) } }
        groups = groups.compactMap { replacements[$0] }
        aggregates = aggregates?.compactMap { aggregate in replacements[aggregate.column].map { Aggregate(aggregate.function, of: $0) } }
        groupIntervals = groupIntervals.reduce(into: [:]) { intervals, entry in
            if let level = replacements[entry.key] { intervals[level] = entry.value }
        }
        sectionOrders = sectionOrders.reduce(into: [:]) { orders, entry in
            guard let level = replacements[entry.key] else { return }
            var order = entry.value
            if case .aggregate(let aggregate) = order.criterion {
                guard let column = replacements[aggregate.column] else { return }
                order.criterion = .aggregate(Aggregate(aggregate.function, of: column))
            }
            orders[level] = order
        }
        return old.filter { used.contains($0.id) && replacements[$0.id] == nil }
    }

    /// Parses the text of each filter again with the column names of `schema`, and removes filters that are invalid now.
    /// - Returns: The first removed filter and its error; `nil` if all filters are valid.
    mutating func reparseFilters(in schema: Schema) -> (filter: Filter, error: FilterError)? {
        var firstError: (filter: Filter, error: FilterError)?
        var read: [ShownFilter] = []
        for shown in allFilters {
            do {
                read.append(ShownFilter(filter: try Filter(shown.filter.text, in: schema), isOn: shown.isOn))
            } catch {
                firstError = firstError ?? (shown.filter, error)
            }
        }
        allFilters = read
        return firstError
    }
}

/// A filter that is turned off.
struct DisabledFilter: Equatable, Sendable {
    let filter: Filter
    /// The index of the filter among all filters, active or not, so that the filter keeps its place in the list.
    let index: Int
}

/// A filter in the list of filters, with its state.
struct ShownFilter: Equatable, Sendable {
    var filter: Filter
    var isOn: Bool
}

extension Arrangement {
    func order(ofLevel column: ColumnID) -> SectionOrder {
        sectionOrders[column] ?? SectionOrder(.title, isDescending: sort.isDescending(column))
    }

    /// True if `before` also groups by this column, and the requested order or sort key of the column has changed. The resulting order can
    /// still be the same.
    func changesOrder(ofLevel column: ColumnID, from before: Arrangement) -> Bool {
        before.groups.contains(column)
            && (order(ofLevel: column) != before.order(ofLevel: column) || sectionOrders[column] != before.sectionOrders[column]
                || sort.first { $0.column == column } != before.sort.first { $0.column == column })
    }

    /// The aggregates that section headers show: those of the arrangement, and those by which groups are sorted.
    func shownAggregates(_ columns: [Column]) -> [Aggregate] {
        var all = aggregates ?? Self.defaultAggregates(columns, groups: groups)
        for group in groups {
            if case .aggregate(let aggregate) = order(ofLevel: group).criterion, !all.contains(aggregate) { all.append(aggregate) }
        }
        return all
    }

    /// The maximum number of columns that have an aggregate by default. Each of these columns is parsed for every row, and its aggregate
    /// takes 8 bytes for every group.
    static let defaultAggregateLimit = 12

    /// The aggregates that are shown by default: those of the first eligible columns.
    static func defaultAggregates(_ columns: [Column], groups: [ColumnID]) -> [Aggregate] {
        summarizableColumns(in: columns, groups: groups).prefix(defaultAggregateLimit).compactMap(defaultAggregate)
    }

    /// The number of eligible columns beyond the limit, which have no default aggregate, and the number of all eligible columns. `nil` if
    /// no column is beyond the limit, or if the user has chosen the aggregates.
    func unaggregatedColumnCounts(_ columns: [Column]) -> (count: Int, total: Int)? {
        guard aggregates == nil else { return nil }
        let total = Self.summarizableColumns(in: columns, groups: groups).count
        return total > Self.defaultAggregateLimit ? (total - Self.defaultAggregateLimit, total) : nil
    }

    /// The columns that can have a default aggregate: visible columns of numbers that are neither identifiers nor group columns.
    private static func summarizableColumns(in columns: [Column], groups: [ColumnID]) -> [Column] {
        columns.filter { $0.kind.isNumber && !$0.isHidden && !groups.contains($0.id) && !$0.isIdentifier }
    }

    /// The aggregate that is shown by default for a column: a sum or a mean; `nil` if the column is not numeric.
    ///
    /// Percentages have a mean. For other numbers, the name of the column in the file decides. If the name does not decide, money and
    /// integers have a sum, and other decimals have a mean. A new title does not change the aggregate, because the groups are already
    /// computed.
    static func defaultAggregate(of column: Column) -> Aggregate? {
        guard column.kind.isNumber else { return nil }
        let unit = column.notation.unit
        let isAdditive =
            !unit.isPercent && ColumnTitle(column.valueKey).isAdditive ?? (unit.acceptsAmounts || column.kind == .integer)
        return Aggregate(isAdditive ? .sum : .mean, of: column.id)
    }

    func isOrdered(byAggregateOf column: ColumnID) -> Bool {
        sectionOrders.values.contains { order in
            if case .aggregate(let aggregate) = order.criterion { aggregate.column == column } else { false }
        }
    }
}
