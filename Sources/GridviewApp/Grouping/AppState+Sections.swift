import DataGrid
import FieldValues

extension AppState {
    /// The group level and the aggregate by which to sort it, for a sort by this column that sorts groups; `nil` if the sort sorts rows.
    ///
    /// A sort sorts groups if all groups are collapsed and their headers show an aggregate of the column.
    func groupsToSort(byAggregateOf id: ColumnID) -> (level: ColumnID, aggregate: Aggregate)? {
        guard !grid.outline.showsRows, case .header(let section) = grid.cursor.item, let tree = grid.outline.tree,
            tree.columns == query.requested.groups,
            !query.requested.groups.contains(id), let aggregate = tree.aggregates.first(where: { $0.column == id })
        else { return nil }
        return (tree.columns[tree.level(of: section)], aggregate)
    }

    mutating func order(_ level: ColumnID, by criterion: SectionOrder.Criterion, isDescending: Bool) -> [AppEffect] {
        arrange { $0.sectionOrders[level] = SectionOrder(criterion, isDescending: isDescending) }
    }

    /// Sorts the groups at the level of the cursor. If they are sorted by this criterion already, reverses the order.
    mutating func orderSections(by criterion: SectionOrder.Criterion, startsDescending: Bool) -> [AppEffect] {
        guard let tree = grid.outline.tree, tree.columns == query.requested.groups,
            let section = grid.outline.section(of: grid.cursor.item),
            tree.columns.indices.contains(tree.level(of: section))
        else { return [] }
        let level = tree.columns[tree.level(of: section)]
        // Groups without an explicit order are already sorted by title. Pressing the key for the first time only makes this order explicit.
        let isDescending = query.requested.sectionOrders[level].flatMap { $0.criterion == criterion ? !$0.isDescending : nil }
        return order(level, by: criterion, isDescending: isDescending ?? startsDescending)
    }

    /// Sorts groups by an aggregate of the column, and adds one if the section headers do not show any. If the column is a group level
    /// without an aggregate, sorts by name.
    mutating func orderSections(byAggregateOf column: Column) -> [AppEffect] {
        let subtotal = grid.outline.tree?.aggregates.first { $0.column == column.id }
        if query.requested.groups.contains(column.id), subtotal == nil { return orderSections(by: .title, startsDescending: false) }
        guard let aggregate = subtotal ?? Arrangement.defaultAggregate(of: column) else {
            return show(.noSubtotal(of: Message.name(column.title, width: 12)))
        }
        return orderSections(by: .aggregate(aggregate), startsDescending: true)
    }

    /// A clause about the order of groups, such as `groups sorted by mean of “price” (largest first)`.
    func phrase(about order: SectionOrder, of level: ColumnID) -> String {
        let (name, kind) = criterion(of: order, of: level)
        return "groups sorted by \(name) (\(Message.direction(of: kind, isDescending: order.isDescending)))"
    }

    /// The name of the sort criterion of a group level, and the value type that determines the words for the direction.
    func criterion(of order: SectionOrder, of level: ColumnID) -> (name: String, kind: ValueKind?) {
        func title(_ id: ColumnID) -> String { Message.quoted(grid.columns[id]?.title ?? "?") }
        return switch order.criterion {
        case .title: (title(level), grid.columns[level]?.kind)
        case .rowCount: ("row count", .integer)
        case .aggregate(let aggregate):
            ("\(aggregate.function.rawValue) of \(title(aggregate.column))", self.kind(ofOrderBy: aggregate))
        }
    }

    /// The value type that determines the words for the direction of an order by the aggregate.
    private func kind(ofOrderBy aggregate: Aggregate) -> ValueKind? {
        switch aggregate.function {
        case .count, .sum, .distinct, .standardDeviation, .share: .integer
        case .mean, .min, .max, .first, .last, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: grid.columns[aggregate.column]?.kind
        }
    }

    /// The name of a sort criterion, as in section headers; empty for the title criterion.
    func name(of criterion: SectionOrder.Criterion) -> String {
        switch criterion {
        case .title: return ""
        case .rowCount: return "rows"
        case .aggregate(let aggregate):
            return "\(aggregate.function.rawValue) \(grid.columns[aggregate.column]?.title ?? "?")"
        }
    }
}
