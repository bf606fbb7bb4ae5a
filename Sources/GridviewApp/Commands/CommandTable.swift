extension Command {
    /// All commands, in the order of the help.
    public static let table: [Command] =
        moving + searching + filtering + sorting + columns + rows + sections + selecting + numbers + looks + sheets + program

    /// The command of that name.
    public static func named(_ id: CommandID) -> Command { byID[id]! }

    private static let byID = Dictionary(uniqueKeysWithValues: table.map { ($0.id, $0) })

    /// All commands, those first that people look for: what has no key that is easily guessed. Moves come last.
    static let byUse: [CommandID] = {
        let first: [CommandID] = [
            .search, .sort, .sortDescending, .filter, .sortFurther, .group, .freezeColumns, .goToColumn, .hideColumn, .showColumns, .fitAll,
            .copy, .copyAs, .record, .statistics, .frequencies, .summary, .reset, .help,
        ]
        let chapters: [Chapter] = Chapter.allCases.filter { $0 != .moving } + [.moving]
        let rest = chapters.flatMap { chapter in table.filter { $0.chapter == chapter }.map(\.id) }
        return first + rest.filter { !first.contains($0) }
    }()

    private init(_ id: CommandID, _ chapter: Chapter, _ keys: [String], _ title: String, _ summary: String) {
        self.init(id: id, chapter: chapter, title: title, summary: summary, keys: keys)
    }

    private static let moving: [Command] = [
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

    private static let searching: [Command] = [
        Command(
            .search, .searching, ["/"], "search",
            "Finds text while you type, in cells and titles; Tab changes between all columns and this one, Ctrl-r to regular expressions."),
        Command(.searchNext, .searching, ["n"], "next match", "To the next match."),
        Command(.searchPrevious, .searching, ["N"], "previous match", "To the previous match."),
    ]

    private static let filtering: [Command] = [
        Command(
            .filter, .filtering, ["&"], "filter",
            "Shows only the rows that fulfil a condition, such as price > 100 and side = 'BUY'; a single word: rows with it in any cell."),
        Command(.filterLike, .filtering, ["@"], "filter like cell", "Shows only the rows that have the value of this cell in its column."),
        Command(.filterUnlike, .filtering, ["~"], "filter unlike cell", "Leaves out the rows that have the value of this cell."),
        Command(.removeFilter, .filtering, ["\\"], "filter off", "Takes the last filter off."),
        Command(.removeFilters, .filtering, ["|"], "all filters off", "Takes all filters off."),
    ]

    private static let sorting: [Command] = [
        Command(
            .sort, .sorting, ["s"], "sort",
            "Sorts by this column: lowest first, then highest first, then as in the file; while all sections are closed, sorts these."),
        Command(.sortAscending, .sorting, ["["], "sort up", "Sorts by this column, lowest first."),
        Command(.sortDescending, .sorting, ["]"], "sort down", "Sorts by this column, highest first."),
        Command(
            .sortFurther, .sorting, ["S"], "sort further", "Adds this column as a further sort key; again: turns it, then takes it away."),
    ]

    private static let columns: [Command] = [
        Command(.freezeColumns, .columns, ["f"], "freeze columns", "Freezes the columns up to this one; again: none."),
        Command(.freezeRows, .columns, ["zf"], "freeze rows", "Freezes the rows up to this one; again: none."),
        Command(.freezeBoth, .columns, ["zF"], "freeze both", "Freezes columns and rows up to this cell; again: none."),
        Command(.pinLeft, .columns, ["!"], "pin left", "Puts this column to the frozen ones at the left; again: back."),
        Command(.pinRight, .columns, ["z!"], "pin right", "Puts this column to the frozen ones at the right; again: back."),
        Command(.narrower, .columns, ["<"], "narrower", "Makes this column narrower."),
        Command(.wider, .columns, [">"], "wider", "Makes this column wider."),
        Command(
            .fitColumn, .columns, ["_"], "fit column", "Fits this column to what is in sight; with a number before it, makes it that wide."),
        Command(.fitAll, .columns, ["="], "fit all", "Fits all columns to what is in sight."),
        Command(.hideColumn, .columns, ["-"], "hide column", "Hides this column."),
        Command(.showColumns, .columns, ["+"], "show columns", "Shows a list of all columns: Enter shows and hides."),
        Command(.moveColumnLeft, .columns, ["H", "M-Left"], "move column left", "Moves this column to the left."),
        Command(.moveColumnRight, .columns, ["L", "M-Right"], "move column right", "Moves this column to the right."),
        Command(
            .deriveColumn, .columns, ["z="], "derive column",
            "Adds a column that is computed from others, such as total = price * quantity."),
        Command(
            .duplicateColumn, .columns, [], "duplicate column",
            "Shows this column once more at its right, to be read as another type, say."),
        Command(.renameColumn, .columns, [], "rename column", "Gives this column another title."),
        Command(
            .columnType, .columns, ["t"], "column type", "Reads this column as another type: text, whole number, decimal, date, time, flag."
        ),
    ]

    private static let rows: [Command] = [
        Command(.moveRowUp, .rows, ["K", "M-Up"], "move row up", "Moves this row, or the selected ones, up; the file stays as it is."),
        Command(
            .moveRowDown, .rows, ["J", "M-Down"], "move row down", "Moves this row, or the selected ones, down; the file stays as it is."),
        Command(
            .rowDragging, .rows, [], "rows by drag",
            "Lets rows be moved by drag, at their numbers: the cursor's row or selected ones; again: not."
        ),
    ]

    private static let sections: [Command] = [
        Command(.group, .sections, ["zg"], "group", "Groups the rows by this column."),
        Command(.groupFurther, .sections, ["zG"], "group further", "Groups by this column within the groups there are."),
        Command(.ungroup, .sections, ["zu"], "ungroup", "Takes the groups away."),
        Command(
            .orderByFigure, .sections, ["zo"], "order by figure",
            "Puts the sections in the order of what their headers tell of this column, greatest first; again: least first."),
        Command(
            .orderBySize, .sections, ["zO"], "order by count",
            "Puts the sections with the most rows first; again: those with the fewest."),
        Command(
            .orderByName, .sections, ["zn"], "order by name",
            "Puts the sections in the order of their names; again: the last first."),
        Command(.toggleSection, .sections, ["za"], "toggle section", "Collapses or expands this section."),
        Command(.collapseAll, .sections, ["zM"], "collapse all", "Collapses all sections."),
        Command(.expandAll, .sections, ["zR"], "expand all", "Expands all sections."),
        Command(.nextSection, .sections, ["zj"], "next section", "To the next section's header."),
        Command(.previousSection, .sections, ["zk"], "previous section", "To this section's header, then to the one before."),
    ]

    private static let selecting: [Command] = [
        Command(.selectCells, .selecting, ["v"], "select cells", "Selects a block of cells from here on; again: ends it."),
        Command(.selectRows, .selecting, ["V"], "select rows", "Selects whole rows from here on; again: ends it."),
        Command(.selectColumns, .selecting, ["C-Space"], "select columns", "Selects whole columns from here on; again: ends it."),
        Command(.selectAll, .selecting, ["C-a"], "select all", "Selects everything."),
        Command(
            .addRange, .selecting, ["z+"], "add range", "Keeps what is selected: move on, and v, V or Shift-arrows begin another range."),
        Command(.invertSelection, .selecting, ["z~"], "invert selection", "Selects what is not selected."),
        Command(.otherEnd, .selecting, ["o"], "other end", "Goes to the other end of the selection."),
        Command(
            .selectionMode, .selecting, ["zv"], "selection mode", "Changes what can be selected: nothing, one cell, cells, one row, rows."),
        Command(.extendUp, .selecting, ["S-Up"], "extend up", "Extends the selection upwards."),
        Command(.extendDown, .selecting, ["S-Down"], "extend down", "Extends the selection downwards."),
        Command(.extendLeft, .selecting, ["S-Left"], "extend left", "Extends the selection to the left."),
        Command(.extendRight, .selecting, ["S-Right"], "extend right", "Extends the selection to the right."),
        Command(.copy, .selecting, ["y"], "copy", "Copies the selection, or the cell, to the clipboard."),
        Command(.copyWithHeader, .selecting, ["Y"], "copy with titles", "Copies the selection with the titles of its columns."),
        Command(.copyAs, .selecting, ["zy"], "copy as", "Copies the selection, or the cell, as TSV, CSV, JSON or Markdown."),
    ]

    private static let numbers: [Command] = [
        Command(
            .statistics, .statistics, ["I"], "statistics",
            "Tells of this column: extremes, mean, quantiles, a histogram, the most frequent values; of the rows in the view."),
        Command(
            .frequencies, .statistics, ["F"], "frequencies",
            "Lists the values of this column with their counts; s changes the order, Enter filters to the value."),
        Command(.summary, .statistics, ["zI"], "summary", "A line of numbers for each column; Enter tells more of one."),
    ]

    private static let looks: [Command] = [
        Command(
            .record, .looks, ["Enter"], "record", "Shows this row as a form, every cell whole; on a section's header, opens or closes it."),
        Command(
            .wrap, .looks, ["W"], "wrap",
            "Makes every row as high as its longest text in sight needs, or one line high again. 3W: three lines for all."),
        Command(.transpose, .looks, ["zt"], "transpose", "Rows across and a line for each column; again: rows down."),
        Command(.cards, .looks, ["zc"], "cards", "A card for each row; again: lines."),
        Command(.gridLines, .looks, ["zl"], "grid lines", "Lines between the cells: none, between columns, between rows, both."),
        Command(.theme, .looks, ["T"], "theme", "The next theme: dark, light, contrast, plain."),
        Command(
            .reset, .looks, ["r"], "reset view",
            "Takes filters, sorting, groups, frozen panes, widths and hidden columns back to how the file was opened, by the options."),
    ]

    private static let sheets: [Command] = [
        Command(.nextSheet, .program, ["C-PageDown"], "next sheet", "Shows the next open file."),
        Command(.previousSheet, .program, ["C-PageUp"], "previous sheet", "Shows the open file before this one."),
        Command(.sheets, .program, ["zw"], "sheets", "Lists the open files by name."),
        Command(.closeSheet, .program, ["zq"], "close sheet", "Closes this file; the others stay open."),
    ]

    private static let program: [Command] = [
        Command(
            .reload, .program, ["R"], "reload",
            "Reads what has come to a file that has grown, else the file again; where reading was stopped, goes on with it."),
        Command(.palette, .program, [":"], "commands", "Finds a command by its name."),
        Command(.help, .program, ["?", "F1"], "help", "Shows all keys."),
        Command(.about, .program, ["C-g"], "about this file", "Shows how the file is read, and what is odd about it."),
        Command(.hints, .program, ["z?"], "hints", "Shows or hides the line of hints."),
        Command(.mouse, .program, ["M-m"], "mouse", "Leaves the mouse to the terminal, or takes it back."),
        Command(.escape, .program, ["Escape"], "leave", "Leaves one thing: a prompt, a selection, a highlight, a job, the last filter."),
        Command(.cancel, .program, ["C-c"], "cancel", "Cancels what runs; with a selection, copies it."),
        Command(.suspend, .program, ["C-z"], "suspend", "Back to the shell; fg returns."),
        Command(.close, .program, ["q"], "quit", "Closes what is open on top; then leaves the program."),
        Command(.quit, .program, ["C-q"], "quit at once", "Leaves the program."),
    ]
}
