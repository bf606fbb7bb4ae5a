extension GridInput {
    /// The keys and mouse gestures of a grid, for help panels. `KeyHelpChapter.text(_:)` formats them as plain text. Commands that policies
    /// disable are included.
    public static func help(_ keys: KeyMap<GridCommand> = .standard) -> [KeyHelpChapter] {
        let alt = KeyHelpEntry("Alt", "With another key, run the command of that key, even where typing would edit the cell.")
        let chapters = keys.help(in: [.grid, .section, .editor, .text])
        return chapters.prefix(1).map { KeyHelpChapter($0.title, $0.entries + [alt]) } + chapters.dropFirst()
            + [KeyHelpChapter("Mouse", mouse)]
    }

    private static let mouse: [KeyHelpEntry] = [
        KeyHelpEntry("click", "Select the cell; with Ctrl add or remove it, with Shift extend the selection to it."),
        KeyHelpEntry("double click", "Edit the cell, or open it."),
        KeyHelpEntry("click a column name", "Sort by the column; with Ctrl add a sort key."),
        KeyHelpEntry("drag a column name", "Move the column."),
        KeyHelpEntry("drag with Alt", "Move the row, if rows can be moved."),
        KeyHelpEntry("drag an edge", "Resize the column; double click fits it."),
        KeyHelpEntry("wheel", "Scroll up or down; with Shift, left or right."),
        KeyHelpEntry("middle button", "Pan."),
    ]
}
