import DataGrid
import FieldValues

extension AppState {
    /// The group level to sort and the aggregate to sort by; `nil` if sorting by this column sorts rows instead of groups.
    ///
    /// Groups are sorted if all of them are collapsed, the cursor is on a group header, and the headers show an aggregate of the column.
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

    /// Sorts the groups at the level of the cursor by a criterion. If they are already sorted by it, reverses the order.
    mutating func orderSections(by criterion: SectionOrder.Criterion, startsDescending: Bool) -> [AppEffect] {
        guard let tree = grid.outline.tree, tree.columns == query.requested.groups,
            let section = grid.outline.section(of: grid.cursor.item),
            tree.columns.indices.contains(tree.level(of: section))
        else { return [] }
        let level = tree.columns[tree.level(of: section)]
        // Groups are sorted by title by default, but this order is not stored. The first press only stores it; the next one reverses the
        // order.
        let isDescending = query.requested.sectionOrders[level].flatMap { $0.criterion == criterion ? !$0.isDescending : nil }
        return order(level, by: criterion, isDescending: isDescending ?? startsDescending)
    }

    /// Sorts the groups by an aggregate of this column. If their headers show none, adds the default aggregate. For a group column without
    /// an aggregate, sorts by title instead.
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

    /// The name of the criterion by which groups are sorted, and its value type. The type selects the words for the direction, such as
    /// “oldest first”.
    func criterion(of order: SectionOrder, of level: ColumnID) -> (name: String, kind: ValueKind?) {
        func title(_ id: ColumnID) -> String { Message.quoted(grid.columns[id]?.title ?? "?") }
        return switch order.criterion {
        case .title: (title(level), grid.columns[level]?.kind)
        case .rowCount: ("row count", .integer)
        case .aggregate(let aggregate):
            ("\(aggregate.function.rawValue) of \(title(aggregate.column))", self.kindForSorting(by: aggregate))
        }
    }

    /// The value type of an aggregate, which selects the words for the direction of an order, such as “largest first”.
    private func kindForSorting(by aggregate: Aggregate) -> ValueKind? {
        switch aggregate.function {
        case .count, .sum, .distinct, .standardDeviation, .share: .integer
        case .mean, .min, .max, .first, .last, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: grid.columns[aggregate.column]?.kind
        }
    }

    /// The name of a sort criterion as in section headers; empty for the order by title.
    func name(of criterion: SectionOrder.Criterion) -> String {
        switch criterion {
        case .title: return ""
        case .rowCount: return "rows"
        case .aggregate(let aggregate):
            return "\(aggregate.function.rawValue) \(grid.columns[aggregate.column]?.title ?? "?")"
        }
    }
}
