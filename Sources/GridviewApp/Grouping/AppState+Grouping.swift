import DataGrid
import DataGridTerminal
import FieldValues
import Tables

extension AppState {
    /// Groups the rows by a column or, if they are grouped by it alone, removes the grouping.
    /// - Parameter further: True to add a group level instead.
    mutating func group(by id: ColumnID, addsLevel: Bool) -> [AppEffect] {
        guard addsLevel else {
            return arrange {
                $0.groups = $0.groups == [id] ? [] : [id]
                ($0.sectionOrders, $0.groupIntervals) = ([:], [:])
            }
        }
        if query.requested.groups.contains(id) {
            let name = Message.name(grid.columns[id]?.title ?? "?")
            return say(.alreadyGrouped(by: name, ungroup: key(.ungroup)))
        }
        return arrange { $0.groups.append(id) }
    }

    /// Removes the grouping.
    mutating func ungroup() -> [AppEffect] {
        guard !query.requested.groups.isEmpty else {
            message = noSections
            return []
        }
        return arrange {
            $0.groups = []
            ($0.sectionOrders, $0.groupIntervals) = ([:], [:])
        }
    }

    /// Lists the intervals by which a column can be grouped: periods of dates, widths of bins of numbers.
    mutating func openIntervals(of column: Column) -> [AppEffect] {
        let intervals = Self.intervals(of: column.kind)
        guard !intervals.isEmpty else { return say(.noIntervals(of: Message.name(column.title, width: 12))) }
        let shown = query.requested.groups.contains(column.id) ? query.requested.groupIntervals[column.id] : nil
        let rows = intervals.enumerated().map { place, interval in
            ListPanel.Row(text: interval.text, detail: interval == shown ? "shown" : Self.example(of: interval), tag: place)
        }
        return open(ListPanel(purpose: .groupIntervals, title: "Group by period or range", rows: rows, of: column.id))
    }

    /// The intervals of the list, in its order.
    fileprivate static func intervals(of kind: ValueKind) -> [GroupInterval] {
        let periods = GroupInterval.Period.allCases.map { GroupInterval.period($0) }
        let widths = ["1", "5", "10", "50", "100", "500", "1000", "10000", "100000", "0.1"].compactMap { GroupInterval(text: $0) }
        return kind == .text ? [] : (periods + widths).filter { $0.applies(to: kind) }
    }

    private static func example(of interval: GroupInterval) -> String {
        switch interval {
        case .bins: "as in \(interval.title(ofKey: "0"))"
        case .period(.hour): ""
        case .period: "as in \(interval.title(ofKey: "2024-01-01"))"
        }
    }

    /// Groups the rows by intervals of a column. If they are grouped by the column already, its level stays in place.
    fileprivate mutating func group(by id: ColumnID, _ interval: GroupInterval) -> [AppEffect] {
        arrange {
            if !$0.groups.contains(id) { ($0.groups, $0.sectionOrders, $0.groupIntervals) = ([id], [:], [:]) }
            $0.groupIntervals[id] = interval
        }
    }

    var noSections: Message { .noGroups(group: key(.group)) }

    /// Runs `body` if rows are grouped; otherwise says that there are no groups.
    mutating func withSections(_ body: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        guard grid.outline.tree != nil else {
            message = noSections
            return []
        }
        return body(&self)
    }

    /// Collapses or expands the group at the cursor.
    mutating func toggleSection() -> [AppEffect] {
        withSections { state in
            guard let section = state.grid.outline.section(of: state.grid.cursor.item) else { return [] }
            return state.change(.toggleSection(section))
        }
    }

    /// Collapses or expands all groups.
    mutating func collapseAll(_ isCollapsed: Bool) -> [AppEffect] {
        if query.requested.groups != query.shown.groups, !query.requested.groups.isEmpty {
            // The groups are not complete yet.
            query.setCollapsed(isCollapsed ? .all : nil)
            return []
        }
        return withSections { $0.change(.setAllCollapsed(isCollapsed)) }
    }
}

extension ListPanel.Purpose {
    /// Groups by the selected interval.
    static let groupIntervals = Self("groupIntervals", hint: "group") { state, panel, row in
        guard let id = panel.column, let column = state.grid.columns[id] else { return [] }
        return state.group(by: id, AppState.intervals(of: column.kind)[row.tag])
    }
}
