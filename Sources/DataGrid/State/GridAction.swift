/// A motion of the cursor.
public enum GridMotion: Hashable, Sendable {
    /// Moves up by this number of rows and section headers. On cards, the number counts lines of cards; in a transposed grid, columns.
    /// The motion stops at the edge of the grid. A negative number moves in the opposite direction.
    case up(Int)
    /// Moves down by this number, counted in the same units as for ``up(_:)``.
    case down(Int)
    /// Moves left by this number of columns; on cards, by cards; in a transposed grid, by rows. The motion stops at the edge of the grid.
    case left(Int)
    /// Moves right by this number, counted in the same units as for ``left(_:)``.
    case right(Int)
    /// Moves up by a page; if the grid cannot scroll up, to the first item.
    case pageUp
    /// Moves down by a page; if the grid cannot scroll down, to the last item.
    case pageDown
    /// Moves up by half a page; if the grid cannot scroll up, to the first item.
    case halfPageUp
    /// Moves down by half a page; if the grid cannot scroll down, to the last item.
    case halfPageDown
    /// Moves left by the number of fully visible columns; on a card, to its first slot.
    case pageLeft
    /// Moves right by the number of fully visible columns; on a card, to its last slot.
    case pageRight
    /// Moves to the first column of the row; in a line of cards, to its first card.
    case firstColumn
    /// Moves to the last column of the row; in a line of cards, to its last card.
    case lastColumn
    /// Moves to the first item, which is a row or a section header.
    case top
    /// Moves to the last item, which is a row or a section header.
    case bottom
    /// Moves to the row at this position, and expands the sections that hide it.
    case row(Int)
    /// Moves to the column at this index among the visible columns; on a card, to the nearest column that has a slot.
    case column(Int)
    /// Moves to the next column or, from the last column, to the first column of the next row.
    ///
    /// On a card, columns follow the reading order of its slots.
    case nextColumn
    /// Moves to the previous column or, from the first column, to the last column of the previous row.
    case previousColumn
    /// Moves to the next section header below the cursor.
    case nextSection
    /// Moves to the next section header above the cursor.
    case previousSection
}

extension GridMotion {
    /// The motion itself or, if its count is negative, the motion in the opposite direction.
    var withPositiveCount: GridMotion {
        switch self {
        case .up(let count) where count < 0: .down(Int(clamping: count.magnitude))
        case .down(let count) where count < 0: .up(Int(clamping: count.magnitude))
        case .left(let count) where count < 0: .right(Int(clamping: count.magnitude))
        case .right(let count) where count < 0: .left(Int(clamping: count.magnitude))
        default: self
        }
    }
}

/// A change of a grid's state. Keys, mouse events and code use the same actions.
public enum GridAction: Equatable, Sendable {
    // The frame.
    /// Resizes the frame of the grid. The item at the top and a visible cursor keep their places if possible.
    ///
    /// If row heights or the number of cards per line change, the cursor's row stays as close as possible to its line on the screen.
    case resize(GridSize)
    /// Applies a theme and removes styles that were set for single parts. With `keepsColumns`, columns keep their own styles.
    case setTheme(_ theme: Theme, keepsColumns: Bool = false)
    /// Sets the style of one part of the theme until another theme is applied.
    case setStyle(ThemePart, CellStyle)
    /// Sets the styles of a class of rows or cells until another theme is applied; `nil` removes the class.
    case setClass(String, ThemeClass?)
    /// Sets the dimensions and layout options of the grid; the cursor stays visible.
    case setMetrics(_ metrics: GridMetrics)
    /// Sets the policies for clicks, keys and drags.
    case setInteraction(GridInteraction)
    /// Turns blending on or off. With blending, translucent colors mix with the colors below; without it, only the top color is drawn.
    case setBlending(Bool)
    /// Shows the rows as a table, transposed or as cards.
    ///
    /// The cursor's row keeps its distance from the top if possible. If this row is not visible, or if the grid is transposed, the top
    /// item keeps its place.
    case setPresentation(GridPresentation)

    // Movement.
    /// Moves the cursor, and scrolls as little as possible to show the cursor. With `extending`, extends the selection to the cursor.
    case move(GridMotion, extending: Bool = false)
    /// Moves the cursor to this item and column, or to the nearest ones that exist. Sections that hide the row are expanded.
    case moveCursor(GridCursor, extending: Bool = false)
    /// Scrolls by a number of items and a number of columns. The cursor stays on its row while the row is visible.
    case scroll(items: Int, columns: Int)
    /// Scrolls by this number of lines, down if positive. The distance is shortened to whole items, but is at least one item.
    case scrollLines(Int)

    // Columns.
    /// Replaces the columns, and freezes columns with a ``Column/frozenSide``. Columns that have the same id as before keep their sort
    /// keys and selected cells, and the cursor stays on its column.
    case replaceColumns([Column])
    /// Inserts columns before the column at this place among all columns, or at the end. Columns whose ids already exist are ignored.
    /// Columns inserted between frozen columns are frozen.
    case insertColumns([Column], atPlace: Int)
    /// Removes columns together with their sort keys and selected cells. O(columns), and O(columns) for each block of the selection.
    case removeColumns([ColumnID])
    /// Replaces the column that has the same id; no effect if no column has this id.
    case updateColumn(Column)
    /// Widens a column by this many terminal cells; a negative number narrows it, but never below its minimum.
    case resizeColumn(ColumnID, by: Int)
    /// Sets the width rule of a column. A fixed width can be outside the minimum and maximum width of the column.
    case setWidth(ColumnID, WidthRule)
    /// Sets the width of the rows of a transposed grid (``GridMetrics/transposedRowWidth``); `nil` fits it to the columns.
    case setTransposedRowWidth(Int?)
    /// Sets the widths, in terminal cells, that the content of columns needs. An ``WidthRule/automatic`` column gets this width, within its
    /// limits.
    ///
    /// A ``WidthRule/standard`` column gets this width if there is room for all columns.
    case setMeasuredWidths([ColumnID: Int])
    /// Sets the widths, in terminal cells, that the delegate returns for automatic and standard columns (``Column/delegatedWidth``).
    /// Columns that are not in the dictionary lose their delegated width.
    ///
    /// `GridState.updateWidths(from:)` gets the widths from the delegate.
    case setDelegatedWidths([ColumnID: Int])
    /// Makes these columns ``WidthRule/automatic``, with these widths of their content in terminal cells. Columns that are not
    /// ``Column/isResizable`` do not change.
    case fitColumns([ColumnID: Int])
    /// Hides or shows a column; the last visible column cannot be hidden. A frozen column is frozen again when it is shown.
    case setHidden(ColumnID, Bool)
    /// Moves a column to this index among the visible columns. All other columns stay as they are, frozen or scrolling.
    ///
    /// A column moved between frozen columns is frozen; a column moved between scrolling columns scrolls.
    case moveColumn(ColumnID, toIndex: Int)
    /// Freezes the given numbers of columns and rows at the sides of the grid. Those that do not fit in the frame scroll with the others
    /// until the frame is large enough.
    ///
    /// The frozen columns, and hidden columns between them, get a ``Column/frozenSide``. They keep this side when columns are hidden,
    /// inserted or removed.
    case freeze(FrozenPanes)
    /// Freezes a column at the left or, if it is frozen there, lets it scroll again.
    case pinLeading(ColumnID)
    /// Freezes a column at the right or, if it is frozen there, lets it scroll again.
    case pinTrailing(ColumnID)
    /// Has the effect of a click on the column's header (``GridEvent/headerActivated(_:isAdding:)``), even if no header is visible. With
    /// `isAdding`, the column becomes an additional sort key.
    case activateHeader(ColumnID, isAdding: Bool = false)
    /// Requests a fit of the column to its content, like a double click on the column's edge. No effect if the column is not
    /// ``Column/isResizable``.
    case requestFit(ColumnID)
    /// Sets the sort keys that the headers show. `pending` are the keys of a sort that is still running.
    case setSort([ColumnSort], pending: [ColumnSort] = [])
    /// Sets the filters that are stored in ``GridState/savedView``. The grid itself does not filter rows.
    case setFilters([String])

    /// Restores a saved view: columns, frozen panes, sort order, filters, collapsed sections, selection, cursor and scroll position.
    ///
    /// Selection and cursor are saved as positions. Therefore filter, sort and group the rows before restoring a view. A `GridController`
    /// first calls ``GridDataSource/sort(by:)``. If the source sorts asynchronously, or groups rows in
    /// ``GridInteractionDelegate/didRestoreView()``, the controller restores the view again when the rows arrive.
    case restore(SavedView)

    // Rows and sections.
    /// Sets another order of the rows and their sections. Clears the selection unless `keeping` contains ``PreservedState/selection``.
    /// Marked rows stay marked.
    ///
    /// Rows that were selected may be missing in the new order, for example because a filter hides them. They are selected again when a
    /// later order contains them, if every order until then keeps the selection.
    ///
    /// Sections that reach beyond the last row of the order are shortened.
    ///
    /// A selection of more than a million rows is cleared. Finding the selected rows takes O(selected rows · log rows), and O(rows) for an
    /// order other than the source's.
    case setRows(RowOrder, tree: SectionTree? = nil, keeping: PreservedState = [])
    /// Adds rows at the end or, in a ``RowOrder/spliced(first:head:tail:)`` order, before its tail. Visible rows keep their places on the
    /// screen.
    ///
    /// Added rows are selected if they were selected before a filter or another order removed them. `tree` contains the existing sections,
    /// followed by new sections. The last existing section of each level may have more rows than before.
    ///
    /// O(sections + selected blocks), for any number of rows. In addition, O(ranges of moved rows) if users have moved rows. O(rows) if
    /// heights were set for single rows in an order other than the source's.
    case growRows(RowOrder, tree: SectionTree? = nil)
    /// Inserts rows at one position. Scroll position, selection, marks, cursor and heights stay with their rows. No effect in a
    /// ``RowOrder/spliced(first:head:tail:)`` order.
    ///
    /// O(sections); O(rows) for an order other than the source's.
    case insertRows(RowInsertion)
    /// Removes the rows at these positions. Scroll position, selection, marks, cursor and heights stay with the remaining rows.
    ///
    /// With `renumbering`, the source numbers its rows consecutively, and the ids of later rows decrease.
    case removeRows(Range<Int>, renumbering: Bool)
    /// Inserts a section before the section at this index, or at the end. The position in `rows` is ignored, because the new rows are the
    /// rows of the section.
    case insertSection(Int, level: Int = 0, title: String, rows: RowInsertion)
    /// Removes a section with its nested sections and rows. With `renumbering`, the ids of later rows decrease.
    case removeSection(Int, renumbering: Bool)
    /// Discards the marks and heights of these rows, which no longer exist. New rows can then reuse their ids.
    case discardRowState([RowID])
    /// Replaces old row ids (the keys) by new ids in the marks, in the heights, and in the selected rows that are not in the current order.
    /// If the order contains the new id of such a selected row, the row is selected again. Ids that are not in the dictionary stay the
    /// same.
    ///
    /// Use it after ``setRows(_:tree:keeping:)`` for a source that numbers the rows of each order separately, such as a server. O(stored
    /// ids · log rows), plus the time to find the rows.
    case renumberRowState([RowID: RowID])
    /// Sets the height of a row in lines, at least 1; `nil` removes this height. The limits for automatic heights do not apply.
    case setRowHeight(RowID, Int?)
    /// Moves the rows at these positions. After the move, the first of these rows is at `to`, or as near to `to` as the section of the rows
    /// allows.
    ///
    /// Selection, marks and cursor stay on their rows. No effect in a ``RowOrder/spliced(first:head:tail:)`` order, because the final
    /// positions of its rows are not known yet. O(ranges of moved rows + heights + selected blocks), for any number of rows.
    case moveRows(Range<Int>, to: Int)
    /// Moves the current row, together with the selected rows around it, down by this number of rows. A negative number moves the rows
    /// up.
    case moveCurrentRows(by: Int)
    /// Collapses or expands a section; no effect if it does not exist.
    case setCollapsed(section: Int, Bool)
    /// Toggles a section between collapsed and expanded.
    case toggleSection(Int)
    /// Collapses or expands all sections. O(sections).
    case setAllCollapsed(Bool)
    /// Collapses these sections and expands all others. O(sections).
    case setCollapsedSections(Set<Int>)
    /// Sets the number of rows that the scroll bar represents while rows are still being loaded. `nil` means the number of loaded rows.
    case setExpectedRowCount(Int?)
    /// Sets the indicator that more rows are expected; `nil` removes it.
    case setLoader(GridLoader?)
    /// Advances the animation of the indicator that more rows are expected.
    case tickLoader

    // Pull to refresh.
    /// Sets the strip that users can pull down at the top of the grid; `nil` disables pulling.
    case setPull(GridPull?)
    /// Uncovers this number of additional lines of the pull strip; a negative number covers lines. No effect while the grid is scrolled
    /// down.
    case pull(by: Int)
    /// Releases the pull strip, which is covered again. If it was fully uncovered, sends ``GridEvent/pullTriggered``.
    case releasePull

    // Selecting.
    /// Sets the selection mode and clears the selection.
    case setSelectionMode(SelectionMode)
    /// Starts a selection of this shape at the cursor. Every motion then extends the selection, until this action is performed again with
    /// the same shape.
    ///
    /// If an end of the selection is in a collapsed section, all rows of this section are selected.
    case beginSelection(SelectionShape)
    /// Keeps the selected ranges and stops extending the selection. The next selection adds a range.
    case keepRanges
    /// Moves the cursor to the other end of the selection that is being extended. If a collapsed section hides this end, the cursor moves
    /// to the header of the section.
    case swapSelectionEnds
    /// Selects every cell, including the cells of rows added later.
    case selectAll
    /// Selects the cells that are not selected, and deselects the selected cells.
    case invertSelection
    /// Clears the selection.
    case clearSelection
    /// Selects exactly these cells, in any selection mode. O(blocks) to detect a change.
    case setSelection(Selection)
    /// Selects exactly these rows, in any selection mode. Rows that the grid does not contain are ignored. O(rows), and O(rows of the
    /// grid) for orders that are the result of sorting or grouping.
    case setSelectedRows([RowID])
    /// Selects or, if the last value is false, deselects a row or one of its cells, in any selection mode. Other cells stay selected.
    case setSelected(RowID, column: ColumnID? = nil, Bool)
    /// Marks a row, or removes its mark. A mark belongs to the identity of the row, so it stays on the row when rows are sorted.
    case toggleMark(RowID)
    /// Clears all marks.
    case clearMarks

    // Cells.
    /// Acts like a key or click on the current cell: performs the effects that the policies (``GridInteraction``) assign to this input.
    case performTrigger(CellTrigger)
    /// Selects the current cell or, if the selection mode selects whole rows, the current row. If the cell or row is already selected,
    /// deselects it. Other cells stay selected if the selection mode allows several cells.
    case toggleSelection
    /// Requests an editor for the current cell, or activates the cell if its column is not editable. `typed` is the text that the user
    /// has typed; it replaces the text of the cell in the editor.
    case requestEdit(typed: String? = nil)
    /// Opens this editor in its cell.
    case beginEditing(CellEditing)
    /// Changes the text or the cursor of the editor.
    case edit(LineEditor.Edit)
    /// Inserts pasted text into the editor.
    case paste(String)
    /// Shows a reason why the text in the editor is rejected. The editor stays open.
    case rejectEdit(String)
    /// Closes the editor. `committed` is the text that the application has stored in the cell; `nil` if the cell did not change.
    case endEditing(committed: String? = nil)
    /// Activates the symbol at the end of the current row (``GridEvent/accessoryActivated(_:)``).
    case activateAccessory
    /// Requests a copy of the edited text or, without an editor, of ``GridState/cellsToCopy(of:)``. With `withHeader`, the titles of the
    /// columns are copied, too.
    case requestCopy(withHeader: Bool = false)

    // Pointer.
    /// A mouse button was pressed on a terminal cell of the frame.
    case pointerDown(GridPoint, PointerPress)
    /// The pointer moved while a button was pressed. The point may be outside the frame.
    case pointerMoved(GridPoint)
    /// The pressed button was released.
    case pointerUp(GridPoint)
    /// Cancels a drag and restores the state before it.
    case cancelDrag
    /// Scrolls by one step while the pointer of a drag is held at an edge of the grid. The host performs this action repeatedly.
    case dragTick
}

extension GridAction {
    /// True if the action reports a change of the rows that has already happened in the data source. The delegate cannot refuse such an
    /// action.
    public var reportsRowChanges: Bool {
        switch self {
        case .setRows, .growRows, .insertRows, .removeRows, .insertSection, .removeSection, .discardRowState,
            .renumberRowState:
            true
        default: false
        }
    }
}

extension GridAction {
    /// True if the action is a pointer event or cancels a drag.
    var isPointerInput: Bool {
        switch self {
        case .pointerDown, .pointerMoved, .pointerUp, .cancelDrag, .dragTick: true
        default: false
        }
    }

    /// True if the action inserts or removes rows. The data source has already changed its rows, and may have given new ids to the
    /// remaining rows.
    package var splicesRows: Bool {
        switch self {
        case .insertRows, .removeRows, .insertSection, .removeSection: true
        default: false
        }
    }
}

/// A press of a mouse button.
public struct PointerPress: Hashable, Sendable {
    /// A mouse button.
    public enum Button: Hashable, Sendable {
        /// The left button, or the right button if the mouse is set up for left-handed users. It selects, sorts and drags.
        case primary
        /// The middle button, which pans.
        case middle
        /// The right button, which requests a menu.
        case secondary
    }
    /// The pressed button.
    public var button: Button
    /// The number of presses in quick succession: 1 for a click, 2 for a double click.
    public var clicks: Int
    /// True if the modifier key for adding is held. A click then adds a sort key, or selects or deselects a cell without changing the rest
    /// of the selection.
    public var isAdding: Bool
    /// True if the modifier key for extending is held. A click then extends the selection.
    public var isExtending: Bool
    /// True if the modifier key for moving is held. A drag then moves rows or columns instead of selecting cells.
    public var isMoving: Bool
    /// The directions in which the cell or header under the pointer can be dragged; `nil` means that the settings of the grid and the
    /// column decide.
    public var permittedDirections: DragDirections?

    /// Creates a press of `button`, by default without modifier keys.
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

/// An event that an action causes, to be handled by the application.
public enum GridEvent: Hashable, Sendable {
    /// The header of a column was activated. The application should sort by this column, as an additional key if `isAdding` is true.
    case headerActivated(ColumnID, isAdding: Bool)
    /// The user requested a menu for the header of this column.
    case headerMenuRequested(ColumnID)
    /// The user requested a menu for a row. The column is `nil` if the click was not on a cell.
    case rowMenuRequested(RowID, ColumnID?)
    /// The user requested that this column be fitted to its content.
    case columnFitRequested(ColumnID)
    /// The user requested that the rows of a transposed grid be fitted to their visible content.
    case rowFitRequested
    /// A cell that is not editable was activated by a double click or Enter.
    case cellActivated(RowID, ColumnID)
    /// The symbol at the end of a row was clicked, or activated by a key.
    case accessoryActivated(RowID)
    /// A copy was requested. With `withHeader`, the titles of the columns should be copied, too.
    case copyRequested(withHeader: Bool)
    /// An editor was requested for a cell. `typed` is the text that replaces the text of the cell in the editor; `nil` keeps the text of
    /// the cell.
    case editRequested(RowID, ColumnID, typed: String?)
    /// An editor was opened in a cell.
    case editingBegan(RowID, ColumnID)
    /// An editor was closed. `committed` is the text that was stored in the cell; `nil` if the cell did not change.
    case editingEnded(RowID, ColumnID, committed: String?)
    /// A drag ended before the button was released, because the dragged rows or column were removed, or the layout has changed.
    case dragInterrupted
    /// A move was refused: users cannot move this column, or these rows are already at the start or end of their section.
    case moveRefused(Reordering.Subject)
    /// A column was moved from one index among the visible columns to another.
    case columnMoved(ColumnID, from: Int, to: Int)
    /// The rows at these positions were moved. The first of these rows is now at `to`.
    case rowsMoved(Range<Int>, to: Int)
    /// The width of a column changed to this number of terminal cells.
    case columnResized(ColumnID, width: Int)
    /// The width of the rows of a transposed grid changed to this number of terminal cells.
    case rowsResized(width: Int)
    /// The section with this index was collapsed.
    case sectionCollapsed(Int)
    /// The section with this index was expanded.
    case sectionExpanded(Int)
    /// More than 1,000 sections were collapsed or expanded at once. This event, with their number, replaces the events for single sections.
    case sectionsChanged(Int)
    /// The sort keys shown in the headers changed.
    case sortChanged
    /// A column was hidden.
    case columnHidden(ColumnID)
    /// A hidden column was shown.
    case columnShown(ColumnID)
    /// The frozen columns or rows changed.
    case frozenPanesChanged
    /// The grid changed between table, transposed rows and cards (``GridState/effectivePresentation``).
    case presentationChanged
    /// A saved view was restored. The order and widths of the columns may have changed.
    case viewRestored
    /// The selection changed.
    case selectionChanged
    /// The last row is less than a page away, and more rows are expected. The event is sent once, and again only after rows were added.
    case endOfDataNear
    /// The scroll bar was released at a row that is expected but not loaded yet (``GridState/expectedRowCount``). The value is the position
    /// of this row among all expected rows.
    case rowRequested(Int)
    /// The pull strip was released after it was fully uncovered, for example to reload.
    case pullTriggered
}
