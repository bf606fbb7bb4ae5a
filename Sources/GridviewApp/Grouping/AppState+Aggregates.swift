import DataGrid
import FieldValues

extension AppState {
    /// Lists the aggregates that group headers can show for a column. Choosing one shows or hides it, and the list stays open.
    /// - Parameter selected: the index of the list row to select.
    mutating func openAggregates(of column: Column, selected: Int = 0) -> [AppEffect] {
        guard !query.requested.groups.isEmpty else {
            message = noGroupsMessage
            return []
        }
        let shown = query.requested.shownAggregates(grid.columns.all)
        let rows = Self.functions(of: column.kind).enumerated().map { index, function in
            let isShown = shown.contains(Aggregate(function, of: column.id))
            var row = ListPanel.Row(text: function.rawValue, detail: isShown ? "shown" : "", tag: index)
            row.keywords = Self.synonyms[function] ?? ""
            return row
        }
        var panel = ListPanel(
            purpose: .aggregates, title: "Aggregates of \(Message.name(column.title, width: 24))", rows: rows, of: column.id)
        panel.selected = selected
        return open(panel)
    }

    /// Names that other programs use for these functions. Typing such a name in the list finds the function, too.
    private static let synonyms: [AggregateFunction: String] = [
        .mean: "avg average", .standardDeviation: "std stdev sd", .median: "p50", .distinct: "unique nunique", .sum: "total",
        .share: "percent %",
    ]

    /// The functions that the list offers for a column of this type, in the order of the list.
    fileprivate static func functions(of kind: ValueKind) -> [AggregateFunction] {
        AggregateFunction.allCases.filter { $0.isDefined(for: kind) && !($0 == .sum && kind.isTemporal) }
    }

    /// Shows or hides an aggregate in group headers. If the groups are sorted by an aggregate that is now hidden, sorts them by name again.
    fileprivate mutating func toggle(_ aggregate: Aggregate) -> [AppEffect] {
        let columns = grid.columns.all
        return arrange { arrangement in
            var shown = arrangement.shownAggregates(columns)
            if let index = shown.firstIndex(of: aggregate) {
                shown.remove(at: index)
                arrangement.sectionOrders = arrangement.sectionOrders.filter { $0.value.criterion != .aggregate(aggregate) }
            } else {
                shown.append(aggregate)
            }
            arrangement.aggregates = shown
        }
    }

    /// Groups the rows again if the groups lack a subtotal that they must show, because a column was added or shown. The order of rows and
    /// the collapsed groups stay.
    /// - Parameters:
    ///   - effects: the effects of the action. If they already group the rows, does nothing.
    ///   - columns: the columns before the action; `nil` if the groups have changed. A job for the missing subtotals may already be
    ///     running, or may have failed, so a change such as a new width does nothing.
    mutating func computeMissingSubtotals(after effects: [AppEffect], changing columns: [Column]?) -> [AppEffect] {
        let shown = query.requested.shownAggregates(grid.columns.all)
        guard let tree = grid.outline.tree, query.isSettled, document.canBeQueried,
            columns.map({ query.requested.shownAggregates($0) }) != shown,
            !effects.contains(where: { if case .arrange = $0 { true } else { false } }), !Set(tree.aggregates).isSuperset(of: shown)
        else { return [] }
        sheet.awaitedMoves = sheet.awaitedMoves ?? grid.rows.movedRuns
        return [.arrange(query.requested)]
    }

    /// Lists the criteria by which the groups at the cursor can be sorted: name, row count, and every shown aggregate.
    mutating func openGroupOrders() -> [AppEffect] {
        withSections { state in
            let order = state.levelColumnAtCursor.flatMap { state.query.requested.sectionOrders[$0] }
            let rows = state.groupCriteria.enumerated().map { index, criterion in
                let name = criterion == .title ? "name" : criterion == .rowCount ? "row count" : state.name(of: criterion)
                let isCurrent = order?.criterion == criterion
                return ListPanel.Row(text: name, detail: isCurrent ? (order?.isDescending == true ? "▼" : "▲") : "", tag: index)
            }
            return state.open(ListPanel(purpose: .groupOrders, title: "Sort groups by", rows: rows))
        }
    }

    /// The criteria that ``openGroupOrders()`` lists, in the order of the list.
    fileprivate var groupCriteria: [SectionOrder.Criterion] {
        [.title, .rowCount] + query.requested.shownAggregates(grid.columns.all).map { .aggregate($0) }
    }

    private var levelColumnAtCursor: ColumnID? {
        guard let tree = grid.outline.tree, let section = grid.outline.section(of: grid.cursor.item) else { return nil }
        let level = tree.level(of: section)
        return level < tree.columns.count ? tree.columns[level] : nil
    }
}

extension ListPanel.Purpose {
    /// Shows or hides the selected aggregate, and opens the list again.
    static let aggregates = Self("aggregates", hint: "show or hide") { state, panel, row in
        guard let id = panel.column, let column = state.grid.columns[id] else { return [] }
        let effects = state.toggle(Aggregate(AppState.functions(of: column.kind)[row.tag], of: id))
        return effects + state.openAggregates(of: column, selected: row.tag)
    }

    /// Sorts the groups by the selected criterion, or reverses their order.
    static let groupOrders = Self("groupOrders", hint: "sort") { state, _, row in
        guard state.groupCriteria.indices.contains(row.tag) else { return [] }
        let criterion = state.groupCriteria[row.tag]
        return state.orderSections(by: criterion, startsDescending: criterion != .title)
    }
}
