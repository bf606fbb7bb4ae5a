extension Command {
    static let grouping: [Command] = [
        Command(.group, .sections, ["zg"], "group", "Group rows by this column."),
        Command(.addGroupLevel, .sections, ["zG"], "add group level", "Add a group level by this column."),
        Command(.ungroup, .sections, ["zu"], "ungroup", "Remove grouping."),
        Command(
            .sortGroupsByAggregate, .sections, ["zo"], "sort by subtotal",
            "Sort groups by this column's subtotal, largest first; press again to reverse."),
        Command(
            .sortGroupsByCount, .sections, ["zO"], "sort by row count",
            "Sort groups by row count, largest first; press again to reverse."),
        Command(.sortGroupsByName, .sections, ["zn"], "sort by group name", "Sort groups by name, A to Z; press again to reverse."),
        Command(.toggleSection, .sections, ["za"], "toggle group", "Collapse or expand this group."),
        Command(.collapseAll, .sections, ["zM"], "collapse all", "Collapse all groups."),
        Command(.expandAll, .sections, ["zR"], "expand all", "Expand all groups."),
        Command(.nextSection, .sections, ["zj"], "next group", "Go to the next group."),
        Command(.previousSection, .sections, ["zk"], "previous group", "Go to the start of this group, then to the previous one."),
    ]
}
