extension Command {
    static let looks: [Command] = [
        Command(
            .wrap, .looks, ["W"], "wrap",
            "Makes every row as high as its longest text in sight needs, or one line high again; with a number before it, that many lines."),
        Command(.transpose, .looks, ["zt"], "transpose", "Rows across and a line for each column; again: rows down."),
        Command(.cards, .looks, ["zc"], "cards", "A card for each row; again: lines."),
        Command(.gridLines, .looks, ["zl"], "grid lines", "Lines between the cells: none, between columns, between rows, both."),
        Command(.theme, .looks, ["T"], "theme", "The next theme: dark, light, contrast, plain."),
        Command(
            .reset, .looks, ["r"], "reset view",
            "Takes filters, sorting, groups, frozen panes, widths and hidden columns back to how the file was opened, by the options."),
    ]
}
