extension Command {
    static let moving: [Command] = [
        Command(.up, .moving, ["Up", "k"], "up", "One row up; with a number before it, that many."),
        Command(.down, .moving, ["Down", "j"], "down", "One row down; with a number before it, that many."),
        Command(.left, .moving, ["Left", "h"], "left", "One column to the left; on a section's header, collapses it."),
        Command(.right, .moving, ["Right", "l"], "right", "One column to the right; on a section's header, expands it."),
        Command(.pageDown, .moving, ["PageDown", "C-f", "Space"], "page down", "One page down."),
        Command(.pageUp, .moving, ["PageUp", "C-b"], "page up", "One page up."),
        Command(.halfPageDown, .moving, ["C-d", "d"], "half page down", "Half a page down."),
        Command(.halfPageUp, .moving, ["C-u", "u"], "half page up", "Half a page up."),
        Command(.firstColumn, .moving, ["Home", "0", "^"], "first column", "To the first column."),
        Command(.lastColumn, .moving, ["End", "$"], "last column", "To the last column."),
        Command(.edgeLeft, .moving, ["C-Left"], "edge of data, left", "To the last filled cell before an empty one, leftwards."),
        Command(.edgeRight, .moving, ["C-Right"], "edge of data, right", "To the last filled cell before an empty one, rightwards."),
        Command(.top, .moving, ["g", "C-Home"], "top", "To the first row; with a number before it, to that row."),
        Command(.bottom, .moving, ["G", "C-End"], "bottom", "To the last row; with a number before it, to that row."),
        Command(.nextColumn, .moving, ["Tab", "w"], "next column", "To the next column, from the last one to the next row."),
        Command(
            .previousColumn, .moving, ["S-Tab", "b"], "previous column", "To the previous column, from the first one to the row above."),
        Command(.goToColumn, .moving, ["c"], "go to column", "To a column by its name."),
        Command(.nextDifferent, .moving, ["}"], "next value", "Down to the next row with another value in this column."),
        Command(.previousDifferent, .moving, ["{"], "previous value", "Up to the next row with another value in this column."),
        Command(.mark, .moving, ["m"], "mark row", "Marks this row, or takes the mark away."),
        Command(.clearMarks, .moving, ["M"], "clear marks", "Takes all marks away."),
        Command(.nextMark, .moving, ["'"], "next mark", "Down to the next marked row, from the last one to the first."),
        Command(.back, .moving, ["C-o"], "back", "Back to where the last jump began."),
    ]
}
