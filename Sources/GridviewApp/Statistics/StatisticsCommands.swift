extension Command {
    static let statistics: [Command] = [
        Command(
            .statistics, .statistics, ["I"], "statistics",
            "Tells of this column: extremes, mean, quantiles, a histogram, the most frequent values; of the rows in the view."),
        Command(
            .frequencies, .statistics, ["F"], "frequencies",
            "Lists the values of this column with their counts."),
        Command(.summary, .statistics, ["zI"], "summary", "A line of numbers for each column."),
    ]

    static let statisticsPanel: [Command] = [
        Command(.accept, in: .statistics, ["Enter"], "more", "Keep the rows with the chosen value; in a summary, open the chosen column."),
        Command(.sort, in: .statistics, ["s"], "order", "Sort a list of values by value; again: by count."),
        Command(.frequencies, in: .statistics, ["F"], "frequencies", "List the values of the column."),
        Command(.close, in: .statistics, ["Escape", "q", "C-c"], "back", "Close the panel, or return to the one before."),
    ]
}
