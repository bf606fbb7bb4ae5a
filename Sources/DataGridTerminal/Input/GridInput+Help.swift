/// Keys, or what is done with the mouse, and what that does.
public struct InputHelp: Hashable, Sendable {
    /// The keys, as they are labelled.
    public var keys: String
    /// What they do, in a few words.
    public var words: String
}

extension GridInput {
    /// The keys and the mouse of a grid, in the order to be read, for hosts that show help. What policies turn off is there nevertheless.
    public static let help: [InputHelp] = [
        InputHelp(keys: "arrows", words: "move; with Shift select"),
        InputHelp(keys: "PageUp PageDown", words: "a page up, down"),
        InputHelp(keys: "Home End", words: "first, last column"),
        InputHelp(keys: "Ctrl-← Ctrl-→", words: "first, last column"),
        InputHelp(keys: "Ctrl-Home Ctrl-End", words: "top, bottom"),
        InputHelp(keys: "Tab Shift-Tab", words: "next, previous cell"),
        InputHelp(keys: "Space", words: "select, or take out of the selection"),
        InputHelp(keys: "Ctrl-Space", words: "select the column"),
        InputHelp(keys: "Shift-Space V", words: "select the row"),
        InputHelp(keys: "Ctrl-a", words: "select all"),
        InputHelp(keys: "z~", words: "invert the selection"),
        InputHelp(keys: "Esc", words: "cancel, end the selection"),
        InputHelp(keys: "Enter", words: "edit the cell, or open it"),
        InputHelp(keys: "F2", words: "edit the cell"),
        InputHelp(keys: "Alt-Enter", words: "open what the row's end offers"),
        InputHelp(keys: "Alt-← Alt-→", words: "move the column; the row, where rows stand across"),
        InputHelp(keys: "Alt-↑ Alt-↓", words: "move the row, where rows may be moved"),
        InputHelp(keys: "← →", words: "on a section: close, open"),
        InputHelp(keys: "zM zR", words: "close, open all sections"),
        InputHelp(keys: "s S", words: "sort by the column; by it too"),
        InputHelp(keys: "< > _", words: "the column narrower, wider, fit"),
        InputHelp(keys: "- +", words: "hide the column; show the nearest hidden one"),
        InputHelp(keys: "f zf zF", words: "freeze up to the cursor: columns, rows, both"),
        InputHelp(keys: "Alt-V Alt-z Alt-s …", words: "the same where letters are typed into cells"),
        InputHelp(keys: "click", words: "select; with Ctrl add, with Shift extend"),
        InputHelp(keys: "double click", words: "edit the cell, or open it"),
        InputHelp(keys: "click on a title", words: "sort; with Ctrl by it too"),
        InputHelp(keys: "drag a title", words: "move the column"),
        InputHelp(keys: "drag with Alt", words: "move the row, where rows may be moved"),
        InputHelp(keys: "drag an edge", words: "resize; double click: fit"),
        InputHelp(keys: "wheel", words: "scroll; with Shift sideways"),
        InputHelp(keys: "middle button", words: "pan"),
    ]
}
