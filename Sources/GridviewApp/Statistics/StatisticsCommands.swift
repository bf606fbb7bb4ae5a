import DataGrid

extension Command {
    static let statistics: [Command] = [
        Command(
            .statistics, .statistics, ["I"], "statistics",
            "Show statistics of this column: min, max, mean, quantiles, histogram, most frequent values. Filters apply.",
            also: "histogram describe mean median"
        ) { state, _ in state.withColumn { $0.openStatistics(.column($1.id)) } },
        Command(
            .frequencies, .statistics, ["F"], "frequencies", "Count each distinct value of this column.",
            also: "distinct unique value counts"
        ) { state, _ in
            state.withColumn { $0.openStatistics(.frequencies($1.id)) }
        },
        Command(
            .summary, .statistics, ["zI"], "summary", "Show statistics of every column; Enter shows details.", also: "describe overview"
        ) { state, _ in
            state.openStatistics(.summary)
        },
    ]

    static let statisticsPanel: [Command] = [
        Command(.accept, in: .statistics, ["Enter"], "details", "Filter by the selected value; in a summary, open the selected column."),
        Command(.sort, in: .statistics, ["s"], "sort", "Sort by value; press again to sort by count."),
        Command(.frequencies, in: .statistics, ["F"], "frequencies", "Count each distinct value of the column."),
        Command(.close, in: .statistics, ["Escape", "q", "C-c"], "back", "Close the panel or return to the previous one."),
    ]
}

extension CommandID {
    static let statistics = CommandID("statistics")
    static let frequencies = CommandID("frequencies")
    static let summary = CommandID("summary")
}

extension Command.Chapter {
    static let statistics = Self("Statistics")
}

extension KeyContext {
    static let statistics = Self("statistics", title: "Statistics panels")
}
