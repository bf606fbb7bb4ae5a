extension Command {
    /// Moves of the cursor, and marks.
    static let moving: [Command] = [
        Command(.up, .moving, ["Up", "k"], "up", "Up one row (5k: five rows)."),
        Command(.down, .moving, ["Down", "j"], "down", "Down one row (5j: five rows)."),
        Command(.left, .moving, ["Left", "h"], "left", "Left one column; on a group, collapse it."),
        Command(.right, .moving, ["Right", "l"], "right", "Right one column; on a group, expand it."),
        Command(.pageDown, .moving, ["PageDown", "C-f", "Space"], "page down", "Down one page."),
        Command(.pageUp, .moving, ["PageUp", "C-b"], "page up", "Up one page."),
        Command(.halfPageDown, .moving, ["C-d", "d"], "half page down", "Down half a page."),
        Command(.halfPageUp, .moving, ["C-u", "u"], "half page up", "Up half a page."),
        Command(.firstColumn, .moving, ["Home", "0", "^"], "first column", "Go to the first column."),
        Command(.lastColumn, .moving, ["End", "$"], "last column", "Go to the last column."),
        Command(.edgeLeft, .moving, ["C-Left"], "edge of data, left", "Jump left to the edge of the data."),
        Command(.edgeRight, .moving, ["C-Right"], "edge of data, right", "Jump right to the edge of the data."),
        Command(.top, .moving, ["g", "C-Home"], "top", "First row; 120g goes to row 120."),
        Command(.bottom, .moving, ["G", "C-End"], "bottom", "Last row; 120G goes to row 120."),
        Command(.nextColumn, .moving, ["Tab", "w"], "next column", "Next column; wraps to the next row."),
        Command(.previousColumn, .moving, ["S-Tab", "b"], "previous column", "Previous column; wraps to the row above."),
        Command(.goToColumn, .moving, ["c"], "go to column", "Go to a column by name."),
        Command(.nextDifferent, .moving, ["}"], "next value", "Next row with a different value in this column."),
        Command(.previousDifferent, .moving, ["{"], "previous value", "Previous row with a different value in this column."),
        Command(.mark, .moving, ["m"], "mark row", "Mark or unmark this row."),
        Command(.clearMarks, .moving, ["M"], "clear marks", "Clear all marks."),
        Command(.nextMark, .moving, ["'"], "next mark", "Next marked row; wraps around."),
        Command(.back, .moving, ["C-o"], "go back", "Return to where you were before the last jump."),
    ]
}
