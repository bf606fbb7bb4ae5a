extension Command {
    static let looks: [Command] = [
        Command(.wrap, .looks, ["W"], "wrap", "Wrap long text, or back to one line per row; 3W: three lines per row."),
        Command(.transpose, .looks, ["zt"], "transpose", "Transpose the table; press again to go back."),
        Command(.cards, .looks, ["zc"], "cards", "Show each row as a card; press again to go back."),
        Command(.gridLines, .looks, ["zl"], "grid lines", "Change the grid lines: none, columns, rows, both."),
        Command(.theme, .looks, ["T"], "theme", "Switch to the next theme: dark, light, contrast, plain."),
        Command(.reset, .looks, ["r"], "reset view", "Reset filters, sorting, groups, frozen panes, widths and hidden columns."),
    ]
}
