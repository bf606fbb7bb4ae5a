extension GridInput {
    /// The keys and mouse gestures of a grid, for help panels. `KeyHelpChapter.text(_:)` formats them as plain text. Commands that policies
    /// disable are included.
    public static func help(_ keys: KeyMap<GridCommand> = .standard) -> [KeyHelpChapter] {
        let alt = KeyHelpEntry("Alt", "With a letter or sign key: the same command, even while letters are typed into cells.")
        return keys.help(in: [.grid, .section, .editor, .text]).map { chapter in
            chapter.title == "Grid" ? KeyHelpChapter(chapter.title, chapter.entries + [alt]) : chapter
        } + [KeyHelpChapter("Mouse", mouse)]
    }

    private static let mouse: [KeyHelpEntry] = [
        KeyHelpEntry("click", "Select the cell; with Ctrl add it, with Shift extend the selection to it."),
        KeyHelpEntry("double click", "Edit the cell, or open it."),
        KeyHelpEntry("click on a title", "Sort by the column; with Ctrl within the present order."),
        KeyHelpEntry("drag a title", "Move the column."),
        KeyHelpEntry("drag with Alt", "Move the row, where rows can be moved."),
        KeyHelpEntry("drag an edge", "Resize the column; double click: fit it."),
        KeyHelpEntry("wheel", "Scroll; with Shift sideways."),
        KeyHelpEntry("middle button", "Pan."),
    ]
}
