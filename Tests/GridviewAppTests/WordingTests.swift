import DataGrid
import FieldValues
import TerminalSurface
import Testing

@testable import GridviewApp

/// The text of every message. Other tests compare identities, so rewording a message changes one line here and one in its feature.
@Suite struct WordingTests {
    private struct Sample {
        let message: Message
        let text: String
        let short: String?

        init(_ message: Message, _ text: String, _ short: String? = nil) { (self.message, self.text, self.short) = (message, text, short) }
    }

    private static let samples: [Sample] = [
        // Keys
        Sample(.noCommand(on: "zx", helpKey: "?"), "“zx” is not bound. Press ? for all keys.", "Unbound: zx."),
        Sample(.familiarKey("redo", key: "Ctrl-r"), "To redo, press Ctrl-r.", "Press Ctrl-r."),
        Sample(
            .filesUnchanged(copyKey: "y", exportKey: "zs"), "gridview does not change files. y copies, and zs exports the view.",
            "Cannot edit."),
        Sample(.pasteUnsupported(searchKey: "/"), "Cannot paste here. To search for the text, press / first.", "Paste after /."),
        Sample(
            .noOptionsPrompt(wrapKey: "W", commandsKey: ":"),
            "gridview has no options prompt. W wraps long text, and : lists all commands.",
            ": lists commands."),
        Sample(
            .filesOpenAtStart(filesKey: "zw"), "gridview opens files only at startup, and cannot add rows. zw lists the open files.",
            "zw lists files."),
        Sample(.notInRowView(backKey: "Esc", key: "/"), "Not available here. Press Esc, then /.", "Esc, then /."),
        // Help
        Sample(
            .firstSteps(searchKey: "/", filterKey: "&", sortKey: "s", helpKey: "?", quitKey: "q"),
            "Five keys to start: / search · & filter · s sort · ? all keys · q quit", "? all keys"),
        // Moving
        Sample(.noDifferentValue, "No row with a different value in this direction.", "No other value."),
        Sample(
            .lastRowSoFar, "This is the last row so far. Not all rows are known yet.", "Last row so far."),
        Sample(.percentOfKnownRows, "This is a percentage of the rows known so far.", "% of rows so far."),
        Sample(.rowNotRead(39_999, knownCount: 1_200), "Row 39,999 has not been read yet; 1,200 rows so far.", "Not read yet."),
        Sample(.rowsAwaitCount, "The rows are still being counted. Click again when all are counted.", "Counting rows."),
        Sample(
            .commandAwaitsCount(escapeKey: "Esc"), "The command runs when the rows are counted. Esc cancels it.",
            "Counting rows."),
        Sample(.commandNotRun, "The rows could not be counted, so the command was not run.", "Not run."),
        Sample(.rowFilteredOut(7), "Row 7 is hidden by a filter.", "Filtered out."),
        Sample(.noSuchRow(99, lastRow: 20), "No row 99: the table has 20 rows.", "No such row."),
        Sample(.noSuchRow(2_000_000, lastRow: 1), "No row 2,000,000: the table has 1 row.", "No such row."),
        Sample(.noSuchRow(1, lastRow: nil), "No row 1.", "No such row."),
        Sample(.noJump, "Nothing to go back to.", "No earlier jump."),
        Sample(.marked(0), "No rows are marked.", "Marked: 0."), Sample(.marked(1), "1 row marked.", "Marked: 1."),
        Sample(.marked(2_000), "2,000 rows marked.", "Marked: 2,000."),
        Sample(.marksCleared(1), "1 mark cleared.", "Marks cleared."), Sample(.marksCleared(2), "2 marks cleared.", "Marks cleared."),
        Sample(.noMarks(markKey: "m"), "No rows are marked. m marks one.", "m marks a row."),
        Sample(.marksNotShown(1), "The view does not show the marked row.", "No marks in view."),
        Sample(.marksNotShown(1_200), "The view shows none of the 1,200 rows with marks.", "No marks in view."),
        Sample(
            .rowsNotFollowed, "This order does not show marks and selection: the table has no usable key.",
            "No table key."),
        Sample(.notAllRowsFollowed, "Only 10,000 rows keep their marks in a new order.", "Some marks lost."),
        // Searching
        Sample(.noSearch(searchKey: "/"), "No search yet: press /.", "Press / first."),
        Sample(.nothingToSearchFor, "The cell is empty: nothing to search for.", "Empty cell."),
        Sample(.searchWrapped, "Search wrapped."),
        Sample(.notFound(Search(text: "abc")), "“abc” not found.", "Not found."),
        Sample(.notFound(Search(text: "a.c", isPattern: true)), "/a.c/ not found.", "Not found."),
        Sample(.notFound(Search(text: "x"), in: "id"), "“x” not found in “id”.", "Not found."),
        Sample(.notFound(nil), "Not found.", "Not found."),
        Sample(
            .notFoundInStart(Search(text: "abc")), "“abc” not found in the start of this long row. A search in the table reads all of it.",
            "Not found."),
        // Filtering
        Sample(
            .filtered(2_344, of: 5_000, isComplete: true, filterCount: 1, removeKey: "\\"),
            "2,344 of 5,000 rows match. \\ removes the filter.", "2,344 rows."),
        Sample(
            .filtered(1, of: 6, isComplete: true, filterCount: 2, removeKey: "\\"), "1 of 6 rows matches. \\ removes the last filter.",
            "1 row."),
        Sample(
            .filtered(1, of: nil, isComplete: false, filterCount: 1, removeKey: "\\"), "1 row matches so far. \\ removes the filter.",
            "1 row."
        ),
        Sample(.filtered(9, of: nil, isComplete: true, filterCount: 1, removeKey: "\\"), "9 rows match. \\ removes the filter.", "9 rows."),
        Sample(
            .noMatches("price > 100000", containing: nil, filterCount: 1, isComplete: true, removeKey: "\\"),
            "No rows match “price > 100000”. \\ removes the filter.", "No rows match."),
        Sample(
            .noMatches("x", containing: "x", filterCount: 1, isComplete: false, removeKey: "\\"),
            "No rows contain “x” so far. \\ removes the filter.", "No rows match."),
        Sample(
            .noMatches("x", containing: "x", filterCount: 2, isComplete: true, removeKey: "\\"),
            "No rows match both filters. \\ removes the last filter.", "No rows match."),
        Sample(
            .noMatches("x", containing: "x", filterCount: 3, isComplete: true, removeKey: "\\"),
            "No rows match all 3 filters. \\ removes the last filter.", "No rows match."),
        Sample(
            .filtersRemain(removeKey: "\\", removeAllKey: "|"), "Filters stay on. \\ removes the last one, | removes all.",
            "Filters stay on."),
        Sample(.filterAlreadyOn, "This filter is already on.", "Already on."),
        Sample(.noFilter(filterKey: "&", filterByCellKey: "@"), "There is no filter. & adds one; @ filters by this cell.", "No filter."),
        Sample(.filterInvalid("Unknown column “x”."), "Unknown column “x”."),
        Sample(.filterDropped("b = 'x'", "Unknown column “b”."), "Filter “b = 'x'” removed. Unknown column “b”.", "Filter removed."),
        Sample(.noCell, "There is no cell here.", "No cell here."),
        Sample(
            .cannotFilterByInterval(filterKey: "&"),
            "Cannot filter by a group of a period or range. Press & to write a condition.", "Use & instead."),
        Sample(
            .cannotFilterByValue(filterKey: "&"),
            "Cannot filter by this value: it is too long or not valid text. Press & and use “contains”.",
            "Use & instead."),
        // Sorting and grouping
        Sample(
            arranged(sort: ["“company” (A to Z)"], hint: Message.sortHint("s", isDescending: false)),
            "Sorted by “company” (A to Z). s reverses the order.", "Sorted."),
        Sample(
            arranged(sort: ["“company” (Z to A)"], isSelectionLost: true, hint: Message.sortHint("s", isDescending: true)),
            "Sorted by “company” (Z to A). Selection cleared: it had more than 10,000 rows. s restores file order.", "Sorted."),
        Sample(
            arranged(
                after: Message.removalSentences(filterCount: 1, isUngrouped: true), groups: ["“sector”", "“side”"],
                groupOrders: ["“side” groups sorted by row count (largest first)"], sort: ["“price” (smallest first)"]),
            "Filter removed. Ungrouped. Grouped by “sector”, then “side”; “side” groups sorted by row count (largest first); "
                + "rows sorted by “price” (smallest first).",
            "Grouped."),
        Sample(
            arranged(groups: ["“sector”"], hint: Message.groupHint(collapseAllKey: "zM", expandAllKey: "zR", ungroupKey: "zu")),
            "Grouped by “sector”. zM collapses all groups. zR expands them. zu ungroups.", "Grouped."),
        Sample(
            arranged(groups: ["“sector”"], hint: Message.subtotalHint(without: 1, of: 13, aggregatesKey: "zA")),
            "Grouped by “sector”. 1 of 13 number columns has no subtotal; zA adds one.", "Grouped."),
        Sample(
            arranged(groups: ["“sector”"], hint: Message.subtotalHint(without: 1_188, of: 1_200, aggregatesKey: "zA")),
            "Grouped by “sector”. 1,188 of 1,200 number columns have no subtotal; zA adds one.", "Grouped."),
        Sample(fileOrder(), "Back to file order.", "In file order."),
        Sample(fileOrder(filterCount: 1), "Filter removed.", "Filter removed."),
        Sample(
            fileOrder(filterCount: 2, isSelectionLost: true), "Filters removed. Selection cleared: it had more than 10,000 rows.",
            "Filter removed."),
        Sample(
            .fileOrder(
                after: Message.removalSentences(filterCount: 1, isTurnedOff: true, isUngrouped: false), isUnfiltered: true,
                isTurnedOff: true,
                isUngrouped: false, wasSorted: false, isSelectionLost: false),
            "Filter turned off.", "Filter off."),
        Sample(fileOrder(isUngrouped: true), "Ungrouped.", "Ungrouped."),
        Sample(fileOrder(isUngrouped: true, wasSorted: true), "Ungrouped. Back to file order.", "Ungrouped."),
        Sample(.waitsForFile(isGrouping: false), "Sorting waits until the whole file has been read.", "Sorting waits."),
        Sample(.waitsForFile(isGrouping: true), "Grouping waits until the whole file has been read.", "Grouping waits."),
        Sample(
            .noIntervals(of: "side"), "Cannot group by period or range: “side” has no dates or numbers.", "No date or number."),
        Sample(.alreadyGrouped(by: "side", ungroupKey: "zu"), "Already grouped by “side”. zu ungroups.", "Already grouped."),
        Sample(.noGroups(groupKey: "zg"), "The rows are not grouped. zg groups them by this column.", "zg groups rows."),
        Sample(.noSubtotal(of: "side"), "No subtotal for “side”: it is not numeric.", "No subtotal."),
        Sample(
            .pivotsWhenRead,
            "Cannot compute a pivot table yet: the file is still being read. Try again when all rows are counted.", "Still reading."),
        // Columns
        Sample(.frozen(columns: 2, rows: nil, key: "f"), "Frozen: first 2 columns. Press f again to unfreeze.", "Frozen."),
        Sample(.frozen(columns: 1, rows: 1, key: "zF"), "Frozen: first column and first row. Press zF again to unfreeze.", "Frozen."),
        Sample(.unfrozen(columns: true, rows: false), "Columns unfrozen.", "Unfrozen."),
        Sample(.unfrozen(columns: false, rows: true), "Rows unfrozen.", "Unfrozen."),
        Sample(.unfrozen(columns: true, rows: true), "Columns and rows unfrozen.", "Unfrozen."),
        Sample(.tooNarrowToFreeze, "Not enough room to freeze everything. The rest scrolls.", "Not enough room."),
        Sample(.frozenPartly(3, of: 4), "Frozen: 3 of 4 columns; the screen is too narrow for more.", "Frozen: 3 of 4."),
        Sample(.columnHidden("price", showKey: "+"), "Column “price” hidden. + shows it again.", "Column hidden."),
        Sample(.lastColumn, "The only visible column cannot be hidden.", "Cannot hide it."),
        Sample(.columnExists("id"), "Column “id” already exists. Choose another name.", "Name exists."),
        Sample(.pinned("“at”", isLeft: true, key: "!"), "Pinned on the left: “at”. Press ! again to unpin.", "Pinned left."),
        Sample(.pinned("“at”", isLeft: false, key: "z!"), "Pinned on the right: “at”. Press z! again to unpin.", "Pinned right."),
        Sample(.unpinned("“at”"), "Unpinned: “at”.", "Unpinned."), Sample(.unpinned("3 columns"), "Unpinned: 3 columns.", "Unpinned."),
        Sample(.noScrollingColumn, "Not frozen: at least one column must scroll.", "Not frozen."),
        Sample(.columnsHidden(1, showKey: "+"), "1 column hidden. + shows it again.", "Columns hidden."),
        Sample(.columnsHidden(1_200, showKey: "+"), "1,200 columns hidden. + shows them again.", "Columns hidden."),
        Sample(.columnsHidden(3, showKey: nil), "3 columns hidden.", "Columns hidden."),
        Sample(.columnsShown(0), "No columns are hidden.", "No hidden columns."),
        Sample(.columnsShown(1), "1 column shown.", "Columns shown."), Sample(.columnsShown(3), "3 columns shown.", "Columns shown."),
        Sample(
            .emptyColumnsHidden(0, rows: 9, isComplete: true, showKey: "+"), "No empty columns.", "No empty columns."),
        Sample(
            .emptyColumnsHidden(0, rows: 1_200, isComplete: false, showKey: "+"), "No empty columns in the 1,200 rows read so far.",
            "No empty columns."),
        Sample(
            .emptyColumnsHidden(1, rows: 9, isComplete: true, showKey: "+"), "1 empty column hidden. + shows it again.", "Columns hidden."),
        Sample(
            .emptyColumnsHidden(3, rows: 9, isComplete: true, showKey: nil), "3 empty columns hidden.", "Columns hidden."),
        Sample(
            .emptyColumnsHidden(3, rows: 1_200, isComplete: false, showKey: "+"),
            "3 columns hidden: no values in the 1,200 rows read so far. + shows them again.", "Columns hidden."),
        Sample(.noOtherColumns, "No other column is visible.", "No other column."),
        Sample(.columnsFitted(3, width: nil), "3 columns fitted to the visible rows.", "Columns fitted."),
        Sample(.columnsFitted(3, width: 20), "Width of 3 columns: 20 characters.", "Widths set."),
        Sample(.nameRestored("price"), "A column needs a name. Original name restored: “price”.", "Name restored."),
        Sample(.columnDuplicated("code", as: "code 2"), "Column “code” duplicated as “code 2”.", "Duplicated."),
        Sample(.columnType("“disk”", .text, nextTypeKey: "t"), "“disk” is now a text column. Press t for the next type.", "Type: text."),
        Sample(
            .columnType("“disk”", .integer, nextTypeKey: "t"),
            "“disk” is now an integer column; invalid values are underlined. Press t for the next type.", "Type: integer."),
        Sample(
            .columnType("“at”", .dateTime, nextTypeKey: "t"),
            "“at” is now a datetime column; invalid values are underlined. Press t for the next type.", "Type: datetime."),
        Sample(
            .columnType("3 columns", count: 3, .date, nextTypeKey: "t"),
            "3 columns are now date columns; invalid values are underlined. Press t for the next type.", "Type: date."),
        Sample(
            .digitsGrouped("“price”", isGrouped: true, key: "z,"), "“price” is shown with thousands separators. Press z, again to go back.",
            "Separators on."),
        Sample(
            .digitsGrouped("“price”", isGrouped: false, key: "z,"),
            "“price” is shown without thousands separators. Press z, again to go back.",
            "Separators off."),
        Sample(
            .dayOrder("“when”", isDayFirst: true, key: "z/"), "“when” is read as day/month/year. Press z/ again to swap back.", "Day first."
        ),
        Sample(
            .dayOrder("“when”", isDayFirst: false, key: "z/"), "“when” is read as month/day/year. Press z/ again to swap back.",
            "Month first."),
        Sample(
            .digitsGrouped("2 columns", count: 2, isGrouped: true, key: "z,"),
            "2 columns are shown with thousands separators. Press z, again to go back.", "Separators on."),
        Sample(
            .dayOrder("2 columns", count: 2, isDayFirst: true, key: "z/"),
            "2 columns are read as day/month/year. Press z/ again to swap back.", "Day first."),
        Sample(
            .noDayOrder("2 columns", count: 2), "Cannot swap day and month: 2 columns have no dates such as 01/02/2024.",
            "No such dates."),
        Sample(.noNumbers("2 columns", count: 2), "2 columns have no numbers. Only numbers have thousands separators.", "No numbers."),
        Sample(.noDayOrder("“side”"), "Cannot swap day and month: “side” has no dates such as 01/02/2024.", "No such dates."),
        Sample(.noNumbers("“side”"), "“side” has no numbers. Only numbers have thousands separators.", "No numbers."),
        Sample(.columnAdded("total", "price * 2"), "Column added: “total = price * 2”.", "Column added."),
        Sample(
            .columnAdded("total", "name + name", isEmpty: true),
            "Column added: “total = name + name”. It has no value in the first rows: check the formula.", "Empty column."),
        Sample(.formulaInvalid("Not a number."), "Not a number."),
        Sample(.expanded("meta", count: 3, collapseKey: ")"), "Expanded “meta” to 3 columns. Press ) to collapse.", "Expanded."),
        Sample(
            .expanded("meta", count: 100, hasMore: true, collapseKey: ")"),
            "Expanded “meta” to the first 100 columns. Press ) to collapse.", "Expanded."),
        Sample(.nothingToExpand("side", rows: nil), "“side” has no JSON object or array in any row.", "No JSON here."),
        Sample(.nothingToExpand("side", rows: 10_000), "“side” has no JSON object or array in the first 10,000 rows.", "No JSON here."),
        Sample(.nothingToExpand("side", rows: nil, isArray: true), "“side” has no JSON array in any row.", "No JSON here."),
        Sample(
            .cannotExpandYet, "Cannot expand the arrays yet: the file is still being read. Try again when all rows are counted.",
            "Still reading."),
        Sample(.columnCollapsed("meta", expandKey: "("), "Collapsed “meta”. Press ( to expand.", "Collapsed."),
        Sample(
            .nothingToCollapse("side", expandKey: "("),
            "“side” is not part of an expanded column. Press ( on a column of JSON to expand it.", "Not expanded."),
        Sample(.cannotExpandOnServer, "Columns of a server table cannot be expanded.", "Not on servers."),
        Sample(.addingColumn, "Still adding another column. Try again when it is done.", "Adding a column."),
        // Rows
        Sample(.rowMoved(undoKey: "U"), "Row moved in this view only (U undoes it).", "Moved: U undoes."),
        Sample(.noRowToMove, "No row here to move.", "No row here."),
        Sample(.cannotMoveRowsYet, "Rows can be moved once all rows are known.", "Not all rows."),
        Sample(.alreadyAtEdge(isTop: true, isGrouped: false), "The row is already at the top.", "At the top."),
        Sample(.alreadyAtEdge(isTop: false, isGrouped: false), "The row is already at the bottom.", "At the bottom."),
        Sample(
            .alreadyAtEdge(isTop: true, isGrouped: true), "The row is already first in its group, and rows cannot leave their group.",
            "At the top."),
        Sample(
            .alreadyAtEdge(isTop: false, isGrouped: true), "The row is already last in its group, and rows cannot leave their group.",
            "At the bottom."),
        Sample(.rowDragging(true), "Row dragging on: drag a row number to move the row.", "Row dragging on."),
        Sample(.rowDragging(false), "Row dragging off: dragging row numbers selects rows.", "Row dragging off."),
        Sample(.dragInterrupted, "Drag cancelled: the rows or the columns have changed.", "Drag cancelled."),
        // Selecting and copying
        Sample(.selectionMode(.none), "Selection mode: off.", "Mode: off."),
        Sample(.selectionMode(.cell), "Selection mode: one cell.", "Mode: one cell."),
        Sample(
            .selectionModeForbids(.row, changeKey: "zv"), "Not available in selection mode “one row”. zv changes the mode.",
            "zv changes mode."),
        Sample(.selectionOff(changeKey: "zv"), "Selection is off. zv changes the selection mode.", "Selection is off."),
        Sample(.copiedCell(), "Copied the cell via the terminal.", "Copied."),
        Sample(.copiedCell(of: "note"), "Copied the field “note” via the terminal.", "Copied."),
        Sample(.copiedCell(withName: true), "Copied the cell with the column name via the terminal.", "Copied."),
        Sample(.copiedRows(1, columns: 1), "Copied 1 row × 1 column via the terminal.", "Copied."),
        Sample(
            .copiedRows(1, columns: 1, by: .terminal(problem: "xclip failed")),
            "Copied 1 row × 1 column via the terminal. xclip failed; if pasting does not work, export to a file.", "Copied."),
        Sample(
            .copiedRows(3, columns: 2, by: .program("tmux", withTerminal: false)), "Copied 3 rows × 2 columns via tmux.", "Copied."),
        Sample(
            .copiedRows(3, columns: 2, by: .program("xclip", withTerminal: true)),
            "Copied 3 rows × 2 columns via xclip and the terminal.", "Copied."),
        Sample(
            .copiedRows(2, columns: 2, withNames: true), "Copied 2 rows × 2 columns with column names via the terminal.",
            "Copied."),
        Sample(.copiedRows(1, columns: 2_000), "Copied 1 row × 2,000 columns via the terminal.", "Copied."),
        Sample(.copiedRows(2_000, columns: 3, as: "CSV"), "Copied 2,000 rows × 3 columns as CSV via the terminal.", "Copied."),
        Sample(
            .copiedRows(2, columns: 2, as: "JSON", losses: ["A note."]),
            "Copied 2 rows × 2 columns as JSON via the terminal, with replaced characters. A note.", "Lossy copy."),
        Sample(
            .copiedCell(as: "JSON", by: .program("xclip", withTerminal: true), losses: ["A note."]),
            "Copied the cell as JSON via xclip and the terminal, with replaced characters. A note.", "Lossy copy."),
        Sample(
            .copiedGroups(1, as: "JSON", losses: ["A note."]),
            "Copied 1 group as JSON via the terminal, with replaced characters. A note.", "Lossy copy."),
        Sample(.notCopied("The file is gone."), "Nothing copied. The file is gone.", "Nothing copied."),
        Sample(.copiedGroups(3, as: "CSV"), "Copied 3 groups as CSV via the terminal.", "Copied."),
        Sample(
            .copiedGroups(1, withNames: true, by: .program("tmux", withTerminal: false)), "Copied 1 group with column names via tmux.",
            "Copied."),
        Sample(
            .notCopied(by: "xclip", limit: 4 << 20),
            "Nothing copied. xclip failed, and the terminal accepts at most 4 MiB. Export to a file instead.", "Nothing copied."),
        Sample(.nothingToCopy, "Nothing to copy here.", "Nothing to copy."),
        Sample(
            .nothingToCopy(collapseKey: "za"), "Only a collapsed group can be copied. za collapses this one.", "za collapses it."),
        Sample(
            .tooLargeToCopy(about: nil, limit: 4 << 20),
            "Selection too large for the clipboard (limit 4 MiB). Export it to a file instead.",
            "Too large to copy."),
        Sample(
            .tooLargeToCopy(about: 12_000_000, limit: 4 << 20),
            "Selection too large for the clipboard (about 12 MB, limit 4 MiB). Export it to a file instead.", "Too large to copy."),
        Sample(.noRows, "No rows."),
        Sample(.cellNotRead, "The end of this cell has not been read yet.", "Still reading."),
        Sample(.nothingToPick, "No row here to pick.", "No row here."),
        // Exporting
        Sample(.exported("1,234 rows", to: "x.csv", byteCount: 56_000), "Exported 1,234 rows to x.csv (56 kB).", "Exported."),
        Sample(
            .exported("1 row", to: "x.csv", byteCount: 12, changedCells: 3),
            "Exported 1 row to x.csv (12 bytes). Escaped 3 cells that begin like formulas.",
            "Exported."),
        Sample(
            .exported("1 group", to: "x.tsv", byteCount: 12, changedCells: 0, notes: ["A note."]),
            "Exported 1 group to x.tsv (12 bytes). No cells were escaped, because none begins like a formula. A note.", "Exported."),
        Sample(
            .exported("1,234 rows", to: "x.db", byteCount: 56_000, notes: ["A note."]).withNotes(1, listKey: "Alt-g"),
            "Exported 1,234 rows to x.db (56 kB). A note.", "Exported."),
        Sample(
            .exported("1,234 rows", to: "x.csv", byteCount: 56_000, notes: ["A note."], isIncomplete: true),
            "Exported 1,234 rows of an incomplete file to x.csv (56 kB). A note.", "Exported in part."),
        Sample(
            .exported("2 rows", to: "x.json", byteCount: 59, notes: ["A note."], renamesColumns: true),
            "Exported 2 rows to x.json (59 bytes), with renamed columns. A note.", "Exported."),
        Sample(
            .exported("2 rows", to: "x.json", byteCount: 59, replacesCharacters: true, renamesColumns: true),
            "Exported 2 rows to x.json (59 bytes), with replaced characters and renamed columns.", "Lossy export."),
        Sample(
            .exported("1,234 rows", to: "x.json", byteCount: 56_000, notes: ["A note."], replacesCharacters: true),
            "Exported 1,234 rows to x.json (56 kB), with replaced characters. A note.", "Lossy export."),
        Sample(
            .fileIsOpen("x.csv", acceptKey: "Enter"), "x.csv is the open file. Press Enter again to replace its content.",
            "Replace the open file?"),
        Sample(.fileExists("x.csv", acceptKey: "Enter"), "x.csv exists. Press Enter again to replace it.", "Replace the file?"),
        Sample(.notExported("x.csv is a folder. Add a file name."), "x.csv is a folder. Add a file name."),
        Sample(.nothingToExport, "Nothing to export here.", "Nothing to export."),
        Sample(.cannotExportYet, "Rows can be exported once reading, filtering and sorting are done.", "Not ready yet."),
        Sample(
            .exportStopsOnQuit(quitKey: "q", cancelKey: "Esc"),
            "An export is running. Press q again to stop it and quit. Esc stops it without quitting.",
            "q stops exporting."),
        Sample(.exportRunning(cancelKey: "Esc"), "Still exporting another file. Esc cancels it.", "Still exporting."),
        // Appearance
        Sample(.rowHeight(1), "One line per row."), Sample(.rowHeight(3), "3 lines per row; long text wraps.", "3 lines per row."),
        Sample(
            .automaticRowHeight(maximumLines: 10, wrapKey: "W"), "Long text wraps, up to 10 lines per row. Press W again for one line.",
            "Long text wraps."),
        Sample(
            .wrapUnavailable(openKey: "Enter"), "Long text wraps only in the table view. Enter shows the whole row.", "Enter shows all."),
        Sample(.presentation(.table, key: "zt"), "Back to the table.", "Table."),
        Sample(
            .presentation(.transposed, key: "zt"), "Transposed: one line per column. Press zt again to go back.", "zt goes back."),
        Sample(
            .presentation(.cards, key: "zc"), "One card per row; Tab goes through its columns. Press zc again to go back.", "zc goes back."),
        Sample(.gridLines(.none), "No grid lines."),
        Sample(.gridLines(.columns), "Grid lines between columns.", "Column lines."),
        Sample(.gridLines(.rows), "Grid lines between rows.", "Row lines."),
        Sample(.gridLines(.both), "Grid lines between columns and rows.", "All grid lines."),
        Sample(.panning(true), "Panning on: drag cells to pan; Ctrl-drag selects.", "Panning on."),
        Sample(.panning(false), "Panning off: dragging cells selects them.", "Panning off."),
        Sample(.theme("dark"), "Theme: dark."),
        Sample(.theme("dark", saveKey: ": save settings"), "Theme: dark. “: save settings” saves it.", "Theme: dark."),
        Sample(.viewReset(undoKey: "U"), "View reset. U restores it.", "View reset."),
        Sample(.viewReset(undoKey: nil), "View reset.", "View reset."),
        // Views
        Sample(
            .viewSaved("x.view.json", path: "a b/x.view.json"), "View saved to x.view.json. Open it with --view 'a b/x.view.json'.",
            "View saved."),
        Sample(.viewRestored(missing: 0, leftOutCount: 0, unknownFields: []), "View restored.", "View restored."),
        Sample(
            .viewRestored(missing: 2, leftOutCount: 3, unknownFields: ["a", "b"]),
            "View restored. 2 columns of the view are not in this table. 3 parts of the view (filters, sort keys, groups or formulas) "
                + "do not fit this table. Ignored settings that this version does not know: “a” and 1 more.", "View restored."),
        Sample(
            .viewRestored(missing: 0, leftOutCount: 1, unknownFields: []),
            "View restored. 1 part of the view (filter, sort key, group or formula) does not fit this table.", "View restored."),
        Sample(
            .viewRestored(missing: 0, leftOutCount: 0, unknownFields: ["a"], isNewer: true),
            "View restored. It was saved by a newer version of gridview. Ignored settings that this version does not know: “a”.",
            "View restored."),
        Sample(
            .viewRestored(missing: 0, leftOutCount: 0, unknownFields: [], isNewer: true),
            "View restored. It was saved by a newer version of gridview.", "View restored."),
        Sample(
            .noLastView, "No view to restore. A changed view is saved when you quit.", "No earlier view."),
        Sample(.noRecentViews, "Nothing to restore: automatic saving of views is off.", "No earlier view."),
        Sample(
            .noCommandLine, "No command opens this table, because it was computed from another sheet.", "No command."),
        // Statements
        Sample(
            .noStatements, "No SQL to show: only tables on servers and results of --sql have SQL.", "No SQL here."),
        // History
        Sample(.undone("hide “a”", redoKey: "Ctrl-r"), "Undone: hide “a”. Ctrl-r redoes it.", "Undone."),
        Sample(.redone("hide “a”", undoKey: "U"), "Redone: hide “a”. U undoes it.", "Redone."),
        Sample(.nothingToUndo, "Nothing to undo."), Sample(.nothingToRedo, "Nothing to redo."),
        Sample(.hintsOff(hintsKey: "z?"), "Hints off. z? shows them.", "z? shows hints."),
        Sample(
            .hintsOff(hintsKey: "z?", saveKey: ": save settings"), "Hints off. z? shows them. “: save settings” saves it.",
            "z? shows hints."),
        // Settings
        Sample(.settingsIgnored(problems(1), listKey: "Alt-g")!, "config.toml, line 1, them: Unknown setting."),
        Sample(.settingsIgnored(problems(9), listKey: "Alt-g")!, "config.toml, line 1, them: Unknown setting."),
        Sample(.settingsSaved(["theme", "hints"], in: "config.toml"), "Saved in config.toml: theme, hints.", "Settings saved."),
        Sample(.settingsNotSaved("Settings not saved: x."), "Settings not saved: x."),
        Sample(
            .settingsOff, "Cannot save settings: gridview was started without a settings file.", "Settings are off."),
        Sample(.nothingToSave, "No setting has changed.", "Nothing changed."),
        Sample(.mouseOn, "Mouse on."),
        Sample(
            .mouseOff(mouseKey: "Alt-m"), "Mouse off: the terminal selects text. Alt-m turns the mouse on.", "Mouse off."),
        // Panels
        Sample(.noColumns, "No columns."),
        Sample(.chooseBar(selectionKeys: "← →", hasBars: true), "Choose a bar or a frequent value with ← → first.", "Choose: ← →."),
        Sample(.chooseBar(selectionKeys: "← →", hasBars: false), "Choose a frequent value with ← → first.", "Choose: ← →."),
        Sample(.emptyBar, "This bar has no rows.", "Empty bar."),
        Sample(.cannotEdit, "Cells cannot be edited: gridview only reads tables.", "Cannot be edited."),
        Sample(.rowNotReadToEnd, "The end of this row has not been read yet.", "Still reading."),
        // Reading
        Sample(.readAgain("a.csv", undoKey: "U"), "“a.csv” was read again with the new options. U undoes it.", "Read again."),
        Sample(
            .cannotReadAgain("a.csv"), "Cannot change how “a.csv” is read: it is not delimited text.", "Cannot change."),
        Sample(.notReadYet, "The input has not arrived yet.", "No input yet."),
        Sample(.rowCannotBeHeader, "This row cannot be the header: it is too far down, or its format has no header.", "Cannot be header."),
        Sample(
            .suggested(.linesBeforeTable(5), acceptKey: "Enter"), "5 lines before the table. Enter skips them.", "Enter skips them."),
        Sample(.suggested(.linesBeforeTable(1), acceptKey: "Enter"), "1 line before the table. Enter skips it.", "Enter skips it."),
        Sample(
            .suggested(.commentLines(prefix: "#", count: 1), acceptKey: "Enter"),
            "The first line begins with “#”. Enter skips all such lines (--comment).", "Enter skips #."),
        Sample(
            .suggested(.commentLines(prefix: "#", count: 3), acceptKey: "Enter"),
            "The first 3 lines begin with “#”. Enter skips all such lines (--comment).", "Enter skips #."),
        Sample(
            .suggested(.commentedHeader(prefix: "##", linesBefore: 0), acceptKey: "Enter"),
            "The last comment may have the column names. Enter reads them.", "Enter sets header."),
        Sample(
            .suggested(.unitsRow, acceptKey: "Enter"), "The first row has units. Enter adds them to the column names.", "Enter moves units."
        ),
        Sample(
            .suggested(.header, acceptKey: "Enter"), "The first row was read as data. Enter reads it as the column names.",
            "Enter sets header."),
        Sample(
            .suggested(.totalsRow(column: 0, value: "Total"), acceptKey: "Enter"),
            "A row at the end has totals: “Total”. Enter omits it.",
            "Enter omits total."),
        Sample(
            .suggested(.totalsRow(column: 0, value: ""), acceptKey: "Enter"), "A row at the end has totals. Enter omits it.",
            "Enter omits total."),
        // Files
        Sample(.onlyOneFile, "Only one file is open. To open two, start “gridview a.csv b.csv”.", "Only one file."),
        Sample(.onlyOpenFile(quitKey: "q"), "This is the only open file. q quits.", "q quits."),
        Sample(.fileGrown(reloadKey: "R"), "New rows: R loads them.", "R loads new rows."),
        Sample(
            .fileTruncated("a.csv", size: 100_000, reloadKey: "R"), "“a.csv” was truncated to 100,000 bytes. R reloads it.",
            "Truncated. R reloads."),
        Sample(.fileRewritten("a.csv", reloadKey: "R"), "“a.csv” was rewritten. R reloads it.", "Rewritten. R reloads."),
        Sample(.fileDeleted("a.csv"), "“a.csv” was deleted. Its rows stay readable until you quit.", "File deleted."),
        Sample(
            .fileDeleted("a.csv", isAwaited: true), "“a.csv” was deleted. Its rows stay until a new file replaces it.", "File deleted."),
        Sample(.changeReloaded("a.csv", "truncated"), "“a.csv” was truncated. It has been reloaded.", "Reloaded."),
        Sample(.following(stopKey: "Alt-f"), "Following the file: the last row stays in view. Alt-f stops.", "Alt-f stops."),
        Sample(.followingOff(followKey: "Alt-f"), "No longer following the file. Alt-f follows it again.", "Following off."),
        Sample(.cannotFollow, "Cannot follow: only files and open pipes can be followed.", "Cannot follow."),
        Sample(.reloaded("a.csv"), "“a.csv” reloaded.", "Reloaded."),
        Sample(.fileUnchanged("a.csv"), "“a.csv” has not changed.", "Unchanged."),
        Sample(.cannotReload("a.csv"), "Cannot reload “a.csv”: it is not a file.", "Cannot reload."),
        Sample(.columnMissing("x", of: "a.csv"), "“a.csv” reloaded. Column “x” no longer exists.", "Column missing."),
        Sample(.rowsAdded(1), "1 new row."), Sample(.rowsAdded(1_500), "1,500 new rows."),
        Sample(.noNewRows, "No new rows; the last row may have changed.", "No new rows."),
        Sample(.columnsAdded(1, first: "#5"), "New column “#5”: only later rows have it.", "New columns."),
        Sample(.columnsAdded(3, first: "#5"), "3 new columns: only later rows have them.", "New columns."),
        Sample(.openingFailed("Cannot open a.csv: permission denied."), "Cannot open a.csv: permission denied."),
        Sample(
            .openingFailed("Cannot open a.csv: permission denied.", otherCount: 2),
            "Cannot open a.csv: permission denied. 2 more files cannot be opened."),
        // Jobs
        Sample(.cancelled("sorting by “price”"), "Cancelled: sorting by “price”.", "Cancelled."),
        Sample(.cancelled(nil), "Cancelled: sorting and grouping.", "Cancelled."),
        Sample(.readingStopped(after: 5_000, reloadKey: "R"), "Reading stopped after 5,000 rows. R continues.", "R continues."),
        Sample(.readingResumed, "Reading resumed."),
        Sample(.notCounted(reloadKey: "R"), "All rows can be shown, but their number is not known. Press R to count them.", "Not counted."),
        Sample(
            .notCounted(because: .jobFailed("Stopped by the server: out of time."), reloadKey: "R"),
            "Stopped by the server: out of time. All rows can be shown, but their number is not known. Press R to count them."),
        Sample(
            .notCounted(because: .jobFailed("Stopped by the server: out of time."), reloadKey: nil),
            "Stopped by the server: out of time. All rows can be shown, but their number is not known."),
        Sample(.countingResumed, "The rows are being counted.", "Counting rows."),
        Sample(.nothingToCancel(quitKey: "q"), "Nothing to cancel; q quits.", "Nothing to cancel."),
        Sample(.jobFailed("Cannot read a.csv."), "Cannot read a.csv."),
        Sample(
            .jobFailed("The connection was lost. Reload to connect again.", reloadKey: "R"),
            "The connection was lost. Press R to connect again."),
        Sample(
            .jobFailed("The data changed while it was being read. Reload it.", reloadKey: "R"),
            "The data changed while it was being read. R reloads it."),
    ]

    private static func problems(_ count: Int) -> [SettingsProblem] {
        (1...count).map { SettingsProblem(path: "/c/config.toml", line: $0, key: "them", reason: "Unknown setting.") }
    }

    private static func arranged(
        after removals: String = "", groups: [String] = [], groupOrders: [String] = [], sort: [String] = [], isSelectionLost: Bool = false,
        hint: String = ""
    ) -> Message {
        let names = sort.map { String($0.prefix { $0 != " " }) }
        return .arranged(
            after: removals, groups: groups, groupOrders: groupOrders, sort: sort, isSelectionLost: isSelectionLost, hint: hint,
            short: Message.shortSentence(groups.isEmpty ? .sorted(names) : .grouped(groups), width: 18))
    }

    private static func fileOrder(
        filterCount: Int = 0, isUngrouped: Bool = false, wasSorted: Bool = false, isSelectionLost: Bool = false
    ) -> Message {
        .fileOrder(
            after: Message.removalSentences(filterCount: filterCount, isUngrouped: isUngrouped), isUnfiltered: filterCount > 0,
            isUngrouped: isUngrouped, wasSorted: wasSorted, isSelectionLost: isSelectionLost)
    }

    @Test func `D16: every message has the expected text`() {
        for sample in Self.samples {
            #expect(sample.message.text == sample.text)
            #expect(sample.message.short == sample.short, "\(sample.message.id)")
        }
    }

    @Test(arguments: Message.ID.allCases) func `D16: every message has a sample`(_ id: Message.ID) {
        #expect(Self.samples.contains { $0.message.id == id })
    }

    @Test func `D16: every message has a form for a screen of 20 columns, and its first sentence fits 80 columns`() {
        for sample in Self.samples where !sample.message.isError {
            #expect(DisplayWidth.of(sample.short ?? sample.text) <= 18, "\(sample.short ?? sample.text)")
            #expect(DisplayWidth.of(sample.message.text(width: 78)) <= 78, "\(sample.text)")
        }
    }

    @Test func `D16: long text of the user is shortened in the middle, so that the end of the sentence stays visible`() {
        let filter = "description contains '" + String(repeating: "x", count: 70) + "' and price > 100"
        let shown = "description contains …rice > 100"
        let removed = Message.filterDropped(filter, "Unknown column “price”.")
        #expect(removed.text(width: 78) == "Filter “\(shown)” removed. Unknown column “price”.")
        func noMatches(_ text: String?) -> Message {
            .noMatches(filter, containing: text, filterCount: 1, isComplete: true, removeKey: "\\")
        }
        #expect(noMatches(nil).text(width: 78) == "No rows match “\(shown)”. \\ removes the filter.")
        #expect(noMatches(filter).text(width: 78) == "No rows contain “\(shown)”. \\ removes the filter.")
        #expect(Message.columnAdded("n", filter).text(width: 78) == "Column added: “n = \(shown)”.")
        // The width counts terminal cells, and a wide character is never halved.
        #expect(Message.shortened("abcdefghijk", width: 10) == "abcdef…ijk" && Message.shortened("abcdefghij", width: 10) == "abcdefghij")
        #expect(Message.shortened("日本語日本語", width: 10) == "日本語…語" && Message.shortened("", width: 10) == "")
        #expect(Message.name("abcdefghijk", width: 10) == "abcdefghi…" && Message.name("日本語日本語", width: 10) == "日本語日…")
    }

    @Test func `D14: the number of other errors in the settings is shown at every width`() throws {
        let message = try #require(Message.settingsIgnored(Self.problems(5), listKey: "Alt-g"))
        #expect(message.text(width: 100) == "config.toml, line 1, them: Unknown setting. · 4 more: Alt-g")
        #expect(message.text(width: 40) == "config.toml, line 1, th… · 4 more: Alt-g")
        #expect(Message.settingsIgnored(Self.problems(1), listKey: "Alt-g")?.ending == "")
    }

    @Test func `D6: the short message about a sort or grouping names the columns if there is room`() {
        #expect(Message.shortSentence(.sorted(["“price”"]), width: 40) == "Sorted by “price”.")
        #expect(Message.shortSentence(.sorted(["price", "side", "day"]), width: 40) == "Sorted by 3 columns.")
        #expect(Message.shortSentence(.groupsSorted("row count"), width: 40) == "Groups sorted by row count.")
        #expect(Message.shortSentence(.groupsSorted("row count"), width: 18) == "Groups sorted.")
        #expect(Message.shortSentence(.grouped(["“sector”"]), width: 40) == "Grouped by “sector”.")
    }

    @Test(
        arguments: [
            (ValueKind.text, "A to Z", "Z to A"), (.integer, "smallest first", "largest first"), (.date, "oldest first", "newest first"),
            (.time, "earliest first", "latest first"), (.flag, "false first", "true first"),
        ])
    func `D6: descriptions of sort directions depend on the column type`(_ kind: ValueKind, ascending: String, descending: String) {
        #expect(Message.direction(of: kind, isDescending: false) == ascending)
        #expect(Message.direction(of: kind, isDescending: true) == descending)
    }
}
