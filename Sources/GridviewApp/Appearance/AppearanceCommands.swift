extension Command {
    static let appearance: [Command] = [
        Command(.wrap, .appearance, ["W"], "wrap", "Wrap long text, or back to one line per row; 3W: three lines per row."),
        Command(.transpose, .appearance, ["zt"], "transpose", "Transpose the table; press again to go back."),
        Command(.cards, .appearance, ["zc"], "cards", "Show each row as a card; press again to go back."),
        Command(.gridLines, .appearance, ["zl"], "grid lines", "Change the grid lines: none, columns, rows, both."),
        Command(.theme, .appearance, ["T"], "theme", "Switch to the next theme: dark, light, contrast, plain."),
        Command(.reset, .appearance, ["r"], "reset view", "Reset filters, sorting, groups, frozen panes, widths and hidden columns."),
    ]
}
