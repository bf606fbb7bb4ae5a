import DataGrid

extension Command {
    static let appearance: [Command] = [
        Command(
            .wrap, .appearance, ["W"], "wrap",
            "Wrap long text, or return to one line per row; 3W sets three lines per row."
        ) { state, count in state.setRowHeight(count.typedNumber) },
        Command(.transpose, .appearance, ["zt"], "transpose", "Transpose the table; press again to go back.") { state, _ in
            state.present(.transposed)
        },
        Command(.cards, .appearance, ["zc"], "cards", "Show each row as a card; press again to go back.") { state, _ in
            state.present(.cards)
        },
        Command(
            .gridLines, .appearance, ["zl"], "grid lines", short: "lines", "Change the grid lines: none, columns, rows, both."
        ) { state, _ in state.cycleGridLines() },
        Command(.theme, .appearance, ["T"], "theme", "Switch to the next theme: dark, light, contrast, plain.", also: "colors dark light") {
            state, _ in
            state.cycleTheme()
        },
        Command(
            .panning, .appearance, [], "pan by dragging",
            "Turn panning on or off: when on, dragging cells pans the table instead of selecting."
        ) { state, _ in state.togglePanning() },
        Command(
            .reset, .appearance, ["r"], "reset view",
            "Reset filters, sorting, groups, frozen panes, widths and hidden columns.", also: "clear everything"
        ) { state, _ in state.resetView() },
    ]
}

extension CommandID {
    static let wrap = CommandID("rowHeight")
    static let transpose = CommandID("transpose")
    static let cards = CommandID("cards")
    static let gridLines = CommandID("gridLines")
    static let theme = CommandID("theme")
    static let panning = CommandID("panning")
    static let reset = CommandID("reset")
}

extension Command.Chapter {
    static let appearance = Self("View")
}
