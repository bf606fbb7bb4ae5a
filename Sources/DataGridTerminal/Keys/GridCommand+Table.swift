extension GridCommand {
    /// All commands, in the order of the help.
    public static let table: [GridCommand] = [moving, selecting, cells, columns, sections, editor, text, application].flatMap(\.self)

    private static let moving: [GridCommand] = [
        GridCommand(.up, .grid, ["Up"], "up", "Go up one row."),
        GridCommand(.down, .grid, ["Down"], "down", "Go down one row."),
        GridCommand(.left, .grid, ["Left"], "left", "Go left one column."),
        GridCommand(.right, .grid, ["Right"], "right", "Go right one column."),
        GridCommand(.pageUp, .grid, ["PageUp"], "page up", "Go up one page."),
        GridCommand(.pageDown, .grid, ["PageDown"], "page down", "Go down one page."),
        GridCommand(.firstColumn, .grid, ["Home", "C-Left"], "first column", "Go to the first column."),
        GridCommand(.lastColumn, .grid, ["End", "C-Right"], "last column", "Go to the last column."),
        GridCommand(.top, .grid, ["C-Home"], "top", "Go to the first row."),
        GridCommand(.bottom, .grid, ["C-End"], "bottom", "Go to the last row."),
        GridCommand(.nextCell, .grid, ["Tab"], "next column", "Go to the next column; wraps to the next row."),
        GridCommand(.previousCell, .grid, ["S-Tab"], "previous column", "Go to the previous column; wraps to the row above."),
    ]

    private static let selecting: [GridCommand] = [
        GridCommand(.extendUp, .grid, ["S-Up"], "extend up", "Extend the selection up."),
        GridCommand(.extendDown, .grid, ["S-Down"], "extend down", "Extend the selection down."),
        GridCommand(.extendLeft, .grid, ["S-Left"], "extend left", "Extend the selection left."),
        GridCommand(.extendRight, .grid, ["S-Right"], "extend right", "Extend the selection right."),
        GridCommand(.extendPageUp, .grid, ["S-PageUp"], "extend a page up", "Extend the selection up one page."),
        GridCommand(.extendPageDown, .grid, ["S-PageDown"], "extend a page down", "Extend the selection down one page."),
        GridCommand(.extendToFirstColumn, .grid, ["S-Home", "C-S-Left"], "extend to start", "Extend the selection to the first column."),
        GridCommand(.extendToLastColumn, .grid, ["S-End", "C-S-Right"], "extend to end", "Extend the selection to the last column."),
        GridCommand(.extendToTop, .grid, ["C-S-Home"], "extend to top", "Extend the selection to the first row."),
        GridCommand(.extendToBottom, .grid, ["C-S-End"], "extend to bottom", "Extend the selection to the last row."),
        GridCommand(.selectColumn, .grid, ["C-Space"], "select columns", "Start selecting whole columns; press again to stop."),
        GridCommand(.selectRow, .grid, ["V", "S-Space"], "select rows", "Start selecting whole rows; press again to stop."),
        GridCommand(.selectAll, .grid, ["C-a"], "select all", "Select all cells."),
        GridCommand(.invertSelection, .grid, ["z~"], "invert selection", "Select everything that is not selected."),
        GridCommand(.escape, .grid, ["Escape"], "cancel", "Cancel dragging, or clear the selection."),
    ]

    private static let cells: [GridCommand] = [
        GridCommand(.space, .grid, ["Space"], "select", "Select or deselect the cell or the row."),
        GridCommand(.enter, .grid, ["Enter"], "open", "Edit the cell, or open it."),
        GridCommand(.edit, .grid, ["F2"], "edit", "Edit the cell."),
        GridCommand(
            .activateAccessory, .grid, ["M-Enter"], "open row", "Open the row. If a symbol is at its end, do what a click on it does."),
    ]

    private static let columns: [GridCommand] = [
        GridCommand(.sort, .grid, ["s"], "sort", "Sort by this column; press again to reverse."),
        GridCommand(.addSortKey, .grid, ["S"], "add sort key", "Add this column as the next sort key."),
        GridCommand(.narrower, .grid, ["<"], "narrower", "Make this column narrower."),
        GridCommand(.wider, .grid, [">"], "wider", "Make this column wider."),
        GridCommand(.fitColumn, .grid, ["_"], "fit column", "Fit this column to the visible rows."),
        GridCommand(.hideColumn, .grid, ["-"], "hide column", "Hide this column."),
        GridCommand(.showColumn, .grid, ["+"], "show column", "Show the nearest hidden column."),
        GridCommand(.freezeColumns, .grid, ["f"], "freeze columns", "Freeze columns up to this one; press again to unfreeze."),
        GridCommand(.freezeRows, .grid, ["zf"], "freeze rows", "Freeze rows up to this one; press again to unfreeze."),
        GridCommand(.freezeBoth, .grid, ["zF"], "freeze both", "Freeze columns and rows up to this cell; press again to unfreeze."),
        GridCommand(.moveLeft, .grid, ["M-Left"], "move left", "Move this column left, or the row in a transposed table."),
        GridCommand(.moveRight, .grid, ["M-Right"], "move right", "Move this column right, or the row in a transposed table."),
        GridCommand(.moveUp, .grid, ["M-Up"], "move up", "Move this row up, or the column in a transposed table."),
        GridCommand(.moveDown, .grid, ["M-Down"], "move down", "Move this row down, or the column in a transposed table."),
    ]

    private static let sections: [GridCommand] = [
        GridCommand(.collapseAll, .grid, ["zM"], "collapse all", "Collapse all groups."),
        GridCommand(.expandAll, .grid, ["zR"], "expand all", "Expand all groups."),
        GridCommand(.toggleSection, .section, ["Enter", "Space"], "toggle group", "Collapse or expand this group."),
        GridCommand(.expandSection, .section, ["Right"], "expand", "Expand this group."),
        GridCommand(.collapseSection, .section, ["Left"], "collapse", "Collapse this group; press again to go to the outer group."),
    ]

    private static let editor: [GridCommand] = [
        GridCommand(.commitDown, .editor, ["Enter", "Down", "S-Down"], "apply and go down", "Apply the text and go to the cell below."),
        GridCommand(.commitUp, .editor, ["S-Enter", "Up", "S-Up"], "apply and go up", "Apply the text and go to the cell above."),
        GridCommand(.commitNext, .editor, ["Tab"], "apply and go to the next cell", "Apply the text and go to the next cell."),
        GridCommand(
            .commitPrevious, .editor, ["S-Tab"], "apply and go to the previous cell", "Apply the text and go to the previous cell."),
        GridCommand(.commitPageUp, .editor, ["PageUp", "S-PageUp"], "apply and go up a page", "Apply the text and go up one page."),
        GridCommand(
            .commitPageDown, .editor, ["PageDown", "S-PageDown"], "apply and go down a page", "Apply the text and go down one page."),
        GridCommand(.cancelEditing, .editor, ["Escape", "S-Escape"], "cancel", "Cancel editing and keep the old value."),
    ]

    /// The editing keys of a text field, as in shells.
    private static let text: [GridCommand] = [
        GridCommand(.deleteBackward, .text, ["Backspace", "C-h"], "delete backward", "Delete the character before the cursor."),
        GridCommand(.deleteForward, .text, ["Delete"], "delete forward", "Delete the character after the cursor."),
        GridCommand(.textLeft, .text, ["Left", "C-b"], "cursor left", "Move the text cursor left."),
        GridCommand(.textRight, .text, ["Right", "C-f"], "cursor right", "Move the text cursor right."),
        GridCommand(.textStart, .text, ["Home", "C-a"], "cursor to start", "Move the text cursor to the start."),
        GridCommand(.textEnd, .text, ["End", "C-e"], "cursor to end", "Move the text cursor to the end."),
        GridCommand(.deleteToStart, .text, ["C-u"], "delete to start", "Delete everything before the cursor."),
        GridCommand(.deleteToEnd, .text, ["C-k"], "delete to end", "Delete everything after the cursor."),
        GridCommand(.deleteWord, .text, ["C-w", "M-Backspace", "C-Backspace"], "delete word", "Delete the word before the cursor."),
    ]

    private static let application: [GridCommand] = [
        GridCommand(.copy, .application, ["y"], "copy", "Copy the selection or the cell."),
        GridCommand(
            .copyOrQuit, .application, ["C-c"], "copy or quit", "Copy the cells or, while editing, the text; press again to quit."),
        GridCommand(.nextGrid, .application, ["F6"], "next grid", "Go to the next grid."),
        GridCommand(.suspend, .application, ["C-z"], "suspend", "Suspend and return to the shell; fg resumes."),
        GridCommand(.quit, .application, ["q", "C-q"], "quit", "Quit; an open edit is applied first."),
    ]
}
