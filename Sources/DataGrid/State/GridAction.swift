/// A movement of the cursor.
public enum GridMotion: Hashable, Sendable {
    /// Up by so many rows or headers, lines of cards or, across, columns; as far as there are any.
    case up(Int)
    /// Down by so many, likewise.
    case down(Int)
    /// To the left by so many columns, cards or, across, rows; as far as there are any.
    case left(Int)
    /// To the right by so many, likewise.
    case right(Int)
    /// Up by what the pane holds; near the top to the very first item.
    case pageUp
    /// Down by what the pane holds; near the bottom to the very last item.
    case pageDown
    /// Up by half of that; near the top to the very first item.
    case halfPageUp
    /// Down by half of that; near the bottom to the very last item.
    case halfPageDown
    /// To the left by as many columns as are seen whole; on a card to its first slot.
    case pageLeft
    /// To the right by as many columns as are seen whole; on a card to its last slot.
    case pageRight
    /// To the first column of the row; of a line of cards, to its first card.
    case firstColumn
    /// To the last column of the row; of a line of cards, to its last card.
    case lastColumn
    /// To the first item, a row or the header of a section.
    case top
    /// To the last item.
    case bottom
    /// The row at this position.
    case row(Int)
    /// The column at this index; on cards the nearest to it that stands in a slot.
    case column(Int)
    /// To the next column; at the end of a row to the first of the next. On cards the columns come as they are read, slot by slot.
    case nextColumn
    /// To the previous column; at the beginning of a row to the last of the previous one.
    case previousColumn
    /// To the nearest header of a section below.
    case nextSection
    /// To the nearest header of a section above.
    case previousSection
}

/// Everything that changes a grid. Keyboard and mouse make the same actions.
public enum GridAction: Equatable, Sendable {
    // The frame.
    /// Gives the grid another frame. What is at the top stays there as far as it can, and a cursor that is in sight stays so: with its row
    /// where it is, as nearly as can be, when rows become higher or lower, or cards come to stand in other lines.
    case resize(GridSize)
    /// Takes the theme as it is: what was set of styles by hand, here and in columns, is gone; columns keep theirs if asked for.
    case apply(theme: Theme, keepsColumns: Bool = false)
    /// Sets a part of the theme by hand, until another theme is applied.
    case setStyle(ThemePart, CellStyle)
    /// Sets the looks of a class by hand, until another theme is applied; `nil` takes them away.
    case setClass(String, ThemeClass?)
    /// Takes other measures; the cursor stays in sight.
    case set(metrics: GridMetrics)
    /// Shows the rows as a table, transposed or as cards. The cursor's row stays as many lines below the top as it is, as nearly as can be;
    /// when that is out of sight, and across, what is at the top does.
    case present(GridPresentation)

    // Moving about.
    /// Moves the cursor and scrolls as little as shows it; with `extending`, the selection reaches from where that began to it.
    case move(GridMotion, extending: Bool = false)
    /// Puts the cursor on an item and a column, the nearest there are; a section that hides the row is expanded.
    case place(GridCursor, extending: Bool = false)
    /// Scrolls by items and by columns; the cursor stays with its row as far as it stays in sight.
    case scroll(items: Int, columns: Int)
    /// Scrolls by as many items as those lines hold, at least by one; up when negative.
    case scrollLines(Int)

    // Columns.
    /// Takes other columns. What those that were there before had stays with them: cursor, selection, sort keys.
    case replaceColumns([Column])
    /// Takes in columns before the one at a place among all, or behind the last one; ids that are there already are passed over.
    case insertColumns([Column], atPlace: Int)
    /// Lets columns go, with their sort keys and what was selected of them. O(columns), and O(columns) for each selected block.
    case removeColumns([ColumnID])
    /// Takes this in place of the column with the same identity; nothing when there is none.
    case updateColumn(Column)
    /// Makes a column wider by hand, or narrower when negative; no narrower than its minimum.
    case widen(ColumnID, by: Int)
    /// Sets a width as it is said: no limit holds for it.
    case setWidth(ColumnID, WidthRule)
    /// Sets the width of rows that stand beside each other (``GridMetrics/transposedRowWidth``); `nil`: as their columns need.
    case setTransposedRowWidth(Int?)
    /// Widths that were found by measuring: what ``WidthRule/automatic`` means, within the limits, and what ``WidthRule/standard`` columns need.
    case setMeasuredWidths([ColumnID: Int])
    /// Widths that the delegate says of columns without a width of their own and of automatic ones (``Column/delegatedWidth``); it says none of
    /// columns that are not named. `GridState.updateWidths(from:)` asks it.
    case setDelegatedWidths([ColumnID: Int])
    /// Widths that were found for these columns to have from now on: they are ``WidthRule/automatic`` afterwards. Columns that are not
    /// ``Column/isResizable`` keep theirs.
    case fitColumns([ColumnID: Int])
    /// Hides a column or shows it again; the last one that is shown stays.
    case setHidden(ColumnID, Bool)
    /// Moves a column to this index among those that are not hidden. As many stay frozen: where it goes over the border of the frozen ones,
    /// the one that is nearest to the border on the other side goes over it, too, the other way.
    case moveColumn(ColumnID, toIndex: Int)
    /// Freezes so many columns and rows at each side; more than there is room for wait until there is.
    case freeze(FrozenPanes)
    /// Moves a column to the frozen ones at the left or, when it is one of those, back to the scrolling ones.
    case pinLeading(ColumnID)
    /// The same at the right.
    case pinTrailing(ColumnID)
    /// Does what a click on the column's header does (``GridEvent/headerActivated(_:isAdding:)``), also where no header is seen.
    case activateHeader(ColumnID, isAdding: Bool = false)
    /// Asks for the column to be fitted to its content, as a double click on its edge does; nothing when it is not ``Column/isResizable``.
    case requestFit(ColumnID)
    /// Says by what the rows are sorted now, and by what they will be, when that is still to come: both are shown in the header.
    case setSort([SortDescriptor], pending: [SortDescriptor] = [])
    /// Says by what the rows are filtered: the grid only keeps it for ``GridState/savedView``.
    case setFilters([String])

    /// Brings a view back: columns, frozen panes, sort order, filters, collapsed sections, selection, cursor and scroll position.
    ///
    /// What is selected and where the cursor is are positions, so rows have to be filtered, sorted and in their sections before. A
    /// `GridController` has its source sort them first (``GridDataSource/sort(by:)``); a source that takes its time over it, or that groups
    /// in ``GridInteractionDelegate/didRestoreView()``, has the view brought back again when its rows are there.
    case restore(SavedView)

    // Rows and sections.
    /// Another order of the rows: positions mean other rows than before. Selections by position end unless they are to be kept, marks stay.
    ///
    /// What is kept is found by identity: O(rows) for an order that is not the source's, and O(rows selected · log). A selection of more than
    /// a million rows ends.
    case setRows(RowOrder, tree: SectionTree? = nil, keeping: RowKeeping = [])
    /// Rows came at the end, behind all that are shown; or, when spliced, between the head and the tail: what is seen stays where it is.
    /// A new tree has the sections there are, the last of each level grown perhaps, and further ones behind them.
    ///
    /// O(sections + selected blocks), whatever the number of rows; where these were moved by hand O(runs) besides, and where they are not in the
    /// source's order O(rows) if some have heights of their own.
    case growRows(RowOrder, tree: SectionTree? = nil)
    /// Rows came at one place. What is seen, selected, marked, under the cursor and of an own height stays with its rows. Nothing happens
    /// while the rows are spliced.
    ///
    /// O(sections), and for an order that is not the source's O(rows).
    case insertRows(RowInsertion)
    /// The rows at these positions went; see ``insertRows(_:)``. With `renumbering`, the source numbers its rows in order, so that those
    /// behind have lesser numbers now.
    case removeRows(Range<Int>, renumbering: Bool)
    /// A section came before the one at this index, or behind the last one, with rows whose position is the section's business.
    case insertSection(Int, level: Int = 0, title: String, rows: RowInsertion)
    /// A section went, with those nested in it and their rows.
    case removeSection(Int, renumbering: Bool)
    /// These rows have gone for good, and others may be called so from now on: their marks and heights go.
    case forgetRows([RowID])
    /// Gives a row a height of its own in lines, at least 1, whatever the limits for automatic heights are; `nil` takes it away.
    case setRowHeight(RowID, Int?)
    /// Moves the rows at these positions so that the first of them stands at `to`, or as near as their section allows. What is selected,
    /// marked, and under the cursor stays so. Nothing happens while the rows are spliced: where they belong is not known yet.
    /// O(runs + heights of their own + selected blocks), whatever the number of rows.
    case moveRows(Range<Int>, to: Int)
    /// Moves the row under the cursor, with the selected rows around it, down by so many; up when negative.
    case moveCurrentRows(by: Int)
    /// Collapses a section or expands it; nothing when there is none.
    case setCollapsed(section: Int, Bool)
    /// Collapses an expanded section, and expands a collapsed one.
    case toggleSection(Int)
    /// Collapses all sections, or expands them. O(sections).
    case setAllCollapsed(Bool)
    /// Says that more rows are coming, or no longer.
    case setLoader(GridLoader?)
    /// Time has passed: the loader's sign turns on.
    case tickLoader

    // Pulling on at the top.
    /// Turns pulling on, or off.
    case setPull(GridPull?)
    /// Uncovers so many lines more of the strip, or fewer when negative; only while nothing is scrolled out at the top.
    case pull(by: Int)
    /// Lets go: the strip is covered again, and what it is for happens if all of it was uncovered.
    case releasePull

    // Selecting.
    /// Says what can be selected by hand. What is selected otherwise is let go.
    case setSelectionMode(SelectionMode)
    /// Selects from the cursor on: every motion extends it, until the same shape is asked for again.
    case beginSelection(SelectionShape)
    /// Keeps the ranges there are; the next selection adds one.
    case keepRanges
    /// Goes to the other end of what is being selected.
    case swapSelectionEnds
    /// Selects every cell, also of rows that come later.
    case selectAll
    /// Selects what is not, and lets go what is.
    case invertSelection
    /// Selects nothing.
    case clearSelection
    /// Selects these cells, whatever the mode is. O(blocks), to tell whether that changes anything.
    case setSelection(Selection)
    /// Selects a row, or one cell of it, or takes it out of the selection; what else is selected stays so, whatever the mode is.
    case setSelected(RowID, column: ColumnID? = nil, Bool)
    /// Marks a row, or takes its mark away. Marks belong to rows, wherever these stand.
    case toggleMark(RowID)
    /// Takes all marks away.
    case clearMarks

    // Cells.
    /// Does what the interaction policies say that a key does to the cell under the cursor.
    case trigger(CellTrigger)
    /// Adds the cell under the cursor, or its row, to the selection, or takes it out.
    case toggleSelection
    /// Asks for an editor in the cell under the cursor, or activates the cell where its column has none; with `typed`, what was typed takes
    /// the place of what the cell says.
    case requestEdit(typed: String? = nil)
    /// Opens an editor in a cell.
    case beginEditing(CellEditing)
    /// Changes what is being typed in the editor.
    case edit(TextField.Edit)
    /// Inserts text into the editor.
    case paste(String)
    /// Says why what was typed is not taken. The editor stays open.
    case rejectEdit(String)
    /// Closes the editor. What was typed is the application's to take before: as `committed` it is only told.
    case endEditing(committed: String? = nil)
    /// Activates what stands at the end of the row under the cursor.
    case activateAccessory

    // The pointer.
    /// A button went down at a terminal cell of the frame.
    case pointerDown(GridPoint, PointerPress)
    /// The pointer moved while a button is held; the point may lie outside of the frame.
    case pointerMoved(GridPoint)
    /// The button was let go.
    case pointerUp(GridPoint)
    /// Ends a drag as if it had not been.
    case cancelDrag
    /// Time has passed while the pointer is held at an edge: scrolls on.
    case dragTick
}

extension GridAction {
    /// Whether it says what has become of the rows: nobody is asked whether it may.
    public var isAboutRows: Bool {
        switch self {
        case .setRows, .growRows, .insertRows, .removeRows, .insertSection, .removeSection, .forgetRows: true
        default: false
        }
    }
}

extension GridAction {
    /// Whether rows come or go by it one by one: the source has let go of them before, or taken them in, and knows the others by other names.
    package var splicesRows: Bool {
        switch self {
        case .insertRows, .removeRows, .insertSection, .removeSection: true
        default: false
        }
    }
}

/// How the pointer was pressed.
public struct PointerPress: Hashable, Sendable {
    /// A button of the mouse.
    public enum Button: Hashable, Sendable {
        /// The left one on a mouse for right-handers: it selects, sorts and drags.
        case primary
        /// It pans.
        case middle
        /// The right one: it asks for a menu.
        case secondary
    }
    /// The button that went down.
    public var button: Button
    /// 1 for a click, 2 for a double click.
    public var clicks: Int
    /// Whether a modifier asks to add to what there is (another sort key, another range).
    public var isAdding: Bool
    /// Whether a modifier asks to extend the selection.
    public var isExtending: Bool
    /// Whether a modifier asks to move what is under the pointer, where a drag would select otherwise.
    public var isMoving: Bool
    /// Which ways what is under the pointer may be dragged; `nil`: as the policies of grid and column say.
    public var permittedDirections: DragDirections?

    /// A press of `button` without modifiers, unless told otherwise.
    public init(
        _ button: Button = .primary, clicks: Int = 1, isAdding: Bool = false, isExtending: Bool = false, isMoving: Bool = false,
        permittedDirections: DragDirections? = nil
    ) {
        self.button = button
        self.clicks = clicks
        self.isAdding = isAdding
        self.isExtending = isExtending
        self.isMoving = isMoving
        self.permittedDirections = permittedDirections
    }
}

/// What an action has brought about that is the application's business.
public enum GridEvent: Hashable, Sendable {
    /// A header was clicked: sort by it.
    case headerActivated(ColumnID, isAdding: Bool)
    /// A header's menu was asked for.
    case headerMenu(ColumnID)
    /// A column should be fitted to its content.
    case fitColumn(ColumnID)
    /// Rows that stand beside each other should be as wide as what they say in sight.
    case fitRows
    /// A cell was to be edited (a double click, Enter) that cannot be: open what it stands for.
    case cellActivated(RowID, ColumnID)
    /// What stands at the end of a row was clicked, or activated by key.
    case accessoryActivated(RowID)
    /// An editor is asked for; `typed` takes the place of what the cell says.
    case editRequested(RowID, ColumnID, typed: String?)
    /// An editor was opened.
    case editingBegan(RowID, ColumnID)
    /// An editor was closed; `committed` is what was taken, `nil` when nothing was.
    case editingEnded(RowID, ColumnID, committed: String?)
    /// A column was moved by hand: its index among those that are not hidden was `from` and is `to`.
    case columnMoved(ColumnID, from: Int, to: Int)
    /// Rows were moved by hand: those that stood at these positions now begin at `to`.
    case rowsMoved(Range<Int>, to: Int)
    /// A column was made so many terminal cells wide by hand.
    case columnResized(ColumnID, width: Int)
    /// Rows that stand beside each other were made so many terminal cells wide by hand.
    case rowsResized(width: Int)
    /// A section was collapsed.
    case sectionCollapsed(Int)
    /// A section was expanded.
    case sectionExpanded(Int)
    /// So many sections were collapsed or expanded at once that they are not told one by one.
    case sectionsChanged(Int)
    /// Other sort keys are shown in the header.
    case sortChanged
    /// A column was hidden.
    case columnHidden(ColumnID)
    /// A column is shown again.
    case columnShown(ColumnID)
    /// Other columns or rows are frozen.
    case frozenPanesChanged
    /// Rows are laid out another way: as ``GridState/shownPresentation`` says.
    case presentationChanged
    /// A view was brought back: order and widths of the columns may be others.
    case viewRestored
    /// Other cells are selected.
    case selectionChanged
    /// The end of the rows has come within a page of what is seen while more are coming. Told once, and again when there are more rows.
    case endOfDataNear
    /// The strip was let go when all of it was uncovered: reload, say.
    case pullTriggered
}
