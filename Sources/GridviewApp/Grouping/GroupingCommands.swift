extension Command {
    static let grouping: [Command] = [
        Command(.group, .sections, ["zg"], "group", "Groups the rows by this column."),
        Command(.groupFurther, .sections, ["zG"], "group further", "Groups by this column within the groups there are."),
        Command(.ungroup, .sections, ["zu"], "ungroup", "Takes the groups away."),
        Command(
            .orderByFigure, .sections, ["zo"], "order by figure",
            "Puts the sections in the order of what their headers tell of this column, greatest first; again: least first."),
        Command(
            .orderBySize, .sections, ["zO"], "order by count",
            "Puts the sections with the most rows first; again: those with the fewest."),
        Command(
            .orderByName, .sections, ["zn"], "order by name",
            "Puts the sections in the order of their names; again: the last first."),
        Command(.toggleSection, .sections, ["za"], "toggle section", "Collapses or expands this section."),
        Command(.collapseAll, .sections, ["zM"], "collapse all", "Collapses all sections."),
        Command(.expandAll, .sections, ["zR"], "expand all", "Expands all sections."),
        Command(.nextSection, .sections, ["zj"], "next section", "To the next section's header."),
        Command(.previousSection, .sections, ["zk"], "previous section", "To this section's header, then to the one before."),
    ]
}
