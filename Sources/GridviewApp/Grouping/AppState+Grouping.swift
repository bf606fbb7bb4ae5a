import DataGrid
import DataGridTerminal
import FieldValues
import Tables

extension AppState {
    /// Groups the rows by a column. If they are already grouped by this column alone, removes the grouping.
    /// - Parameter addsLevel: true to add the column as an inner group level instead.
    mutating func group(by id: ColumnID, addsLevel: Bool) -> [AppEffect] {
        guard addsLevel else {
            return arrange {
                $0.groups = $0.groups == [id] ? [] : [id]
                ($0.sectionOrders, $0.groupIntervals) = ([:], [:])
            }
        }
        if query.requested.groups.contains(id) {
            let name = Message.name(grid.columns[id]?.title ?? "?")
            return show(.alreadyGrouped(by: name, ungroupKey: key(.ungroup)))
        }
        return arrange { $0.groups.append(id) }
    }

    mutating func ungroup() -> [AppEffect] {
        guard !query.requested.groups.isEmpty else {
            message = noGroupsMessage
            return []
        }
        return arrange {
            $0.groups = []
            ($0.sectionOrders, $0.groupIntervals) = ([:], [:])
        }
    }

    /// Groups the rows by intervals of a column, such as months. If the column is already a group level, the level keeps its place among
    /// the levels.
    mutating func group(by id: ColumnID, _ interval: GroupInterval) -> [AppEffect] {
        arrange {
            if !$0.groups.contains(id) { ($0.groups, $0.sectionOrders, $0.groupIntervals) = ([id], [:], [:]) }
            $0.groupIntervals[id] = interval
        }
    }

    var noGroupsMessage: Message { .noGroups(groupKey: key(.group)) }

    /// Runs `body` if the rows are grouped; otherwise shows a message.
    mutating func withSections(_ body: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        guard grid.outline.tree != nil else {
            message = noGroupsMessage
            return []
        }
        return body(&self)
    }

    /// Collapses or expands the group at the cursor.
    mutating func toggleSection() -> [AppEffect] {
        withSections { state in
            guard let section = state.grid.outline.section(of: state.grid.cursor.item) else { return [] }
            return state.changeGrid(.toggleSection(section))
        }
    }

    /// Collapses or expands all groups.
    mutating func setAllCollapsed(_ isCollapsed: Bool) -> [AppEffect] {
        if query.requested.groups != query.shown.groups, !query.requested.groups.isEmpty {
            // The groups are not computed yet. Store the state for them.
            query.setCollapsed(isCollapsed ? .allCollapsed : nil)
            return []
        }
        return withSections { $0.changeGrid(.setAllCollapsed(isCollapsed)) }
    }
}
