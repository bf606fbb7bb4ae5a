import DataGrid
import DataGridTerminal

extension Command {
    static let grouping: [Command] = [
        Command(.group, .sections, ["zg"], "group", "Group rows by this column; press again to ungroup.", also: "subtotal section") {
            state, _ in
            state.withColumn { $0.group(by: $1.id, addsLevel: false) }
        },
        Command(.addGroupLevel, .sections, ["zG"], "add group level", short: "level", "Add a group level by this column.") { state, _ in
            state.withColumn { $0.group(by: $1.id, addsLevel: true) }
        },
        Command(
            .groupByInterval, .sections, ["zp"], "group by period or range", short: "period",
            "Group rows by periods of dates or ranges of numbers.",
            also: "bucket bin histogram interval year quarter month week day hour"
        ) { state, _ in state.withColumn { $0.openIntervals(of: $1) } },
        Command(
            .aggregates, .sections, ["zA"], "choose aggregates", short: "totals",
            "Show or hide aggregates of this column in group headers.",
            also: "subtotal percentile quantile median stddev deviation share sum mean average"
        ) { state, _ in state.withColumn { $0.openAggregates(of: $1) } },
        Command(
            .sortGroups, .sections, ["zS"], "sort groups by", short: "sort by", "Sort groups by name, row count or any aggregate.",
            also: "order rank subtotal"
        ) { state, _ in state.openGroupOrders() },
        Command(.ungroup, .sections, ["zu"], "ungroup", "Remove grouping.") { state, _ in state.ungroup() },
        Command(
            .sortGroupsByAggregate, .sections, ["zo"], "sort by subtotal", short: "by total",
            "Sort groups by this column's subtotal, largest first; press again to reverse."
        ) { state, _ in state.withSections { $0.withColumn { $0.orderSections(byAggregateOf: $1) } } },
        Command(
            .sortGroupsByCount, .sections, ["zO"], "sort by row count", short: "by count",
            "Sort groups by row count, largest first; press again to reverse."
        ) { state, _ in state.withSections { $0.orderSections(by: .rowCount, startsDescending: true) } },
        Command(
            .sortGroupsByName, .sections, ["zn"], "sort by group name", short: "by name",
            "Sort groups by name; press again to reverse."
        ) { state, _ in state.withSections { $0.orderSections(by: .title, startsDescending: false) } },
        Command(
            .groupDetails, .sections, ["i"], "group details", "Show all subtotals of this group."
        ) { state, _ in state.withSections { $0.open(Page.group) } },
        Command(.toggleSection, .sections, like: .toggleSection, ["za"], short: "toggle") { state, _ in state.toggleSection() },
        Command(.collapseAll, .sections, like: .collapseAll, short: "collapse") { state, _ in state.setAllCollapsed(true) },
        Command(.expandAll, .sections, like: .expandAll, short: "expand") { state, _ in state.setAllCollapsed(false) },
        Command(.nextSection, .sections, ["zj"], "next group", short: "next", "Go to the next group.") { state, _ in
            state.withSections { $0.changeGrid(.move(.nextSection)) }
        },
        Command(
            .previousSection, .sections, ["zk"], "previous group", short: "previous",
            "Go to the start of this group, then to the previous one."
        ) { state, _ in state.withSections { $0.changeGrid(.move(.previousSection)) } },
    ]
}

extension CommandID {
    static let group = CommandID("group")
    static let addGroupLevel = CommandID("addGroupLevel")
    static let groupByInterval = CommandID("groupByInterval")
    static let aggregates = CommandID("aggregates")
    static let sortGroups = CommandID("sortGroups")
    static let ungroup = CommandID("ungroup")
    static let sortGroupsByAggregate = CommandID("sortGroupsByAggregate")
    static let sortGroupsByCount = CommandID("sortGroupsByCount")
    static let sortGroupsByName = CommandID("sortGroupsByName")
    static let groupDetails = CommandID("groupDetails")
    static let toggleSection = CommandID("toggleSection")
    static let collapseAll = CommandID("collapseAll")
    static let expandAll = CommandID("expandAll")
    static let nextSection = CommandID("nextSection")
    static let previousSection = CommandID("previousSection")
}

extension Command.Chapter {
    static let sections = Self("Groups")
}
