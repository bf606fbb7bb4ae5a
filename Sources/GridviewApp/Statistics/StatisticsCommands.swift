import DataGrid

extension Command {
    static let statistics: [Command] = [
        Command(
            .statistics, .statistics, ["I"], "statistics",
            "Show statistics of this column: min, max, mean, quantiles, histogram, most frequent values. Filters apply.",
            also: "histogram chart plot describe median sum total average standard deviation percentile"
        ) { state, _ in state.withColumn { $0.openStatistics(.column($1.id)) } },
        Command(
            .frequencies, .statistics, ["F"], "frequencies", "Count each distinct value of this column.",
            also: "distinct unique value counts frequency deduplicate duplicates"
        ) { state, _ in
            state.withColumn { $0.openStatistics(.frequencies($1.id)) }
        },
        Command(
            .summary, .statistics, ["zI", "M-i"], "summary", "Show statistics of every column; Enter shows details.",
            also: "describe overview"
        ) { state, _ in
            state.openStatistics(.summary)
        },
    ]

    static let statisticsPanel: [Command] = [
        Command(
            .accept, in: .statistics, ["Enter"], "details",
            "Filter by the marked values or, without marks, by the selected value or bar. In a summary, open the column."),
        Command(
            .nextColumn, in: .statistics, ["Right", "l", "Tab"], "next bar",
            "Select the next bar of the histogram, or the next value in the list of frequent values."),
        Command(
            .previousColumn, in: .statistics, ["Left", "h", "S-Tab"], "previous bar",
            "Select the previous bar of the histogram, or the previous value in the list of frequent values."),
        Command(.sort, in: .statistics, ["s"], "sort", "Sort by value; press again to sort by count."),
        Command(.frequencies, in: .statistics, ["F"], "frequencies", "Count each distinct value of the column."),
        Command(.exactStatistics, in: .statistics, ["e"], "exact", "Compute exact statistics instead of estimates."),
        Command(.close, in: .statistics, ["Escape", "q", "C-c"], "back", "Close the panel or return to the previous one."),
    ]

    static let valuesList: [Command] = [
        Command(.findValues, in: .values, ["/"], "find", "List only the values that contain the typed text."),
        Command(.markAndNext, in: .values, ["Space", "m"], "mark", "Mark the value or remove its mark, and go to the next one."),
        Command(
            .filterExcludingCell, in: .values, ["~"], "exclude",
            "Hide the rows with the marked values, or with this value if none is marked."),
        Command(
            .copy, in: .values, ["y"], "copy",
            "Copy the marked values with counts and shares, or all listed values if none is marked."),
        Command(
            .export, in: .values, ["zs"], "export",
            "Export the marked values with counts and shares, or all listed values if none is marked."),
        Command(.markAndNext, in: .narrowing, ["Tab"], "mark", "Mark the value or remove its mark, and go to the next one."),
    ]
}

extension CommandID {
    static let findValues = CommandID("narrow")
    static let statistics = CommandID("statistics")
    static let frequencies = CommandID("frequencies")
    static let summary = CommandID("summary")
    static let exactStatistics = CommandID("exactStatistics")
}

extension Command.Chapter {
    static let statistics = Self("Statistics")
}

extension KeyContext {
    static let statistics = Self("statistics-panel", title: "Statistics panels")
    static let values = Self("values", title: "List of values")
    /// The context while the user types text that shortens a list of values to the matching ones.
    static let narrowing = Self("narrowing", title: "Finding values")
}
