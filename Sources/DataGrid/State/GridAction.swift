/// A movement of the cursor.
public enum GridMotion: Hashable, Sendable {
    /// Up by this many items: rows and section headers. For cards, the number counts lines of cards; in a transposed grid, columns. The
    /// motion stops at the edge.
    case up(Int)
    /// Down by this many items, lines of cards or columns, as for ``up(_:)``.
    case down(Int)
    /// Left by this many columns; for cards, by cards; in a transposed grid, by rows. The motion stops at the edge.
    case left(Int)
    /// Right by this many columns, cards or rows, as for ``left(_:)``.
    case right(Int)
    /// Up by a page; near the top, to the first item.
    case pageUp
    /// Down by a page; near the bottom, to the last item.
    case pageDown
    /// Up by half a page; near the top, to the first item.
    case halfPageUp
    /// Down by half a page; near the bottom, to the last item.
    case halfPageDown
    /// Left by the number of fully visible columns; on a card, to its first slot.
    case pageLeft
    /// Right by the number of fully visible columns; on a card, to its last slot.
    case pageRight
    /// To the first column of the row; in a line of cards, to its first card.
    case firstColumn
    /// To the last column of the row; in a line of cards, to its last card.
    case lastColumn
    /// To the first item: a row or a section header.
    case top
    /// To the last item.
    case bottom
    /// To the row at this position.
    case row(Int)
    /// To the column at this index; on a card, to the nearest column that has a slot.
    case column(Int)
    /// To the next column; from the last column, to the first column of the next row.
    ///
    /// On a card, columns follow the reading order of its slots.
    case nextColumn
    /// To the previous column; from the first column, to the last column of the previous row.
    case previousColumn
    /// To the nearest section header below.
    case nextSection
    /// To the nearest section header above.
    case previousSection
}

/// A change of a grid's state. Keys, mouse events and code use the same actions.
public enum GridAction: Equatable, Sendable {
    // The frame.
    /// Resizes the frame. The item at the top and a visible cursor stay in place if possible.
    ///
    /// If row heights or the number of cards per line change, the cursor's row stays as close as possible to its line on the screen.
    case resize(GridSize)
    /// Applies a theme and discards styles that were set individually. With `keepsColumns`, columns keep their styles.
    case setTheme(_ theme: Theme, keepsColumns: Bool = false)
    /// Sets the style of one part of the theme until another theme is applied.
    case setStyle(ThemePart, CellStyle)
    /// Sets the styles of a class until another theme is applied; `nil` removes them.
    case setClass(String, ThemeClass?)
    /// Sets the metrics; the cursor stays visible.
    case setMetrics(_ metrics: GridMetrics)
    /// Sets the policies for clicks, keys and drags.
    case setInteraction(GridInteraction)
    /// Turns blending on or off. With blending, translucent colors mix with the colors below; without it, only the top color is drawn.
    case setBlending(Bool)
    /// Shows the rows as a table, transposed or as cards.
    ///
    /// The cursor's row keeps its distance from the top if possible. If that row is not visible, or the grid is transposed, the top item
    /// stays in place.
    case setPresentation(GridPresentation)

    // Movement.
    /// Moves the cursor, and scrolls as little as possible to show the cursor. With `extending`, extends the selection to the cursor.
    case move(GridMotion, extending: Bool = false)
    /// Moves the cursor to the nearest existing item and column; expands a section that hides the row.
    case moveCursor(GridCursor, extending: Bool = false)
    /// Scrolls by items and by columns; the cursor stays on its row while the row is visible.
    case scroll(items: Int, columns: Int)
    /// Scrolls by this number of lines, rounded to whole items but at least one item; a negative number scrolls up.
    case scrollLines(Int)

    // Columns.
    /// Replaces the columns, and freezes columns with a ``Column/frozenSide``. Cursor, selection and sort keys of remaining columns are
    /// kept.
    case replaceColumns([Column])
    /// Inserts columns before the column at this place, or at the end. Columns whose ids already exist are ignored. Columns inserted
    /// between frozen columns are frozen.
    case insertColumns([Column], atPlace: Int)
    /// Removes columns with their sort keys and selected cells. O(columns), and O(columns) for each selected block.
    case removeColumns([ColumnID])
    /// Replaces the column that has the same id; no effect if no column has this id.
    case updateColumn(Column)
    /// Widens a column by this many terminal cells; a negative number narrows it, but never below its minimum.
    case resizeColumn(ColumnID, by: Int)
    /// Sets the width rule of a column. The column's minimum and maximum width do not limit it.
    case setWidth(ColumnID, WidthRule)
    /// Sets the width of the rows of a transposed grid (``GridMetrics/transposedRowWidth``); `nil` fits it to the columns.
    case setTransposedRowWidth(Int?)
    /// Sets the measured widths of columns. The measured width is the width of an ``WidthRule/automatic`` column, within its limits.
    ///
    /// For a ``WidthRule/standard`` column, the measured width is the width that its content needs.
    case setMeasuredWidths([ColumnID: Int])
    /// Sets the delegated widths of automatic and standard columns (``Column/delegatedWidth``). Columns that are not in the dictionary have
    /// no delegated width afterwards.
    ///
    /// `GridState.updateWidths(from:)` gets the widths from the delegate.
    case setDelegatedWidths([ColumnID: Int])
    /// Sets measured widths and makes these columns ``WidthRule/automatic``; skips columns that are not ``Column/isResizable``.
    case fitColumns([ColumnID: Int])
    /// Hides or shows a column; the last visible column cannot be hidden. A frozen column is frozen again when it is shown.
    case setHidden(ColumnID, Bool)
    /// Moves a column to this index among the visible columns. The other columns remain frozen or scrolling as before.
    ///
    /// A column moved between frozen columns is frozen; a column moved between scrolling columns scrolls.
    case moveColumn(ColumnID, toIndex: Int)
    /// Freezes columns and rows at each side. Columns and rows that do not fit scroll until the frame is larger.
    ///
    /// The frozen columns, and hidden columns between them, get a ``Column/frozenSide``. They keep this side when columns are hidden,
    /// inserted or removed.
    case freeze(FrozenPanes)
    /// Pins a column on the left or, if it is frozen there, unpins it.
    case pinLeading(ColumnID)
    /// Pins a column on the right or, if it is frozen there, unpins it.
    case pinTrailing(ColumnID)
    /// Acts like a click on the column's header (``GridEvent/headerActivated(_:isAdding:)``), even if no header is visible.
    case activateHeader(ColumnID, isAdding: Bool = false)
    /// Requests a fit to the column's content, like a double click on the column's edge. No effect if the column is not
    /// ``Column/isResizable``.
    case requestFit(ColumnID)
    /// Sets the sort keys that the headers show, and the keys of a running sort as `pending`.
    case setSort([ColumnSort], pending: [ColumnSort] = [])
    /// Sets the filters to store in ``GridState/savedView``. The grid does not apply filters.
    case setFilters([String])

    /// Restores a view: columns, frozen panes, sort order, filters, collapsed sections, selection, cursor and scroll position.
    ///
    /// Selection and cursor are saved as positions. Therefore filter, sort and group the rows before restoring a view. A `GridController`
    /// first calls ``GridDataSource/sort(by:)``. If the source sorts asynchronously, or groups rows in
    /// ``GridInteractionDelegate/didRestoreView()``, the controller restores the view again when the rows arrive.
    case restore(SavedView)

    // Rows and sections.
    /// Sets another order of the rows. Clears the selection unless `keeping` contains ``PreservedState/selection``. Marks are kept.
    ///
    /// Selected rows that the new order does not contain, such as rows hidden by a filter, are selected again when a later order contains
    /// them, if each order until then keeps the selection. A selection of more than a million rows is cleared. Finding the kept rows takes
    /// O(selected rows · log rows), and O(rows) for an order other than the source's.
    case setRows(RowOrder, tree: SectionTree? = nil, keeping: PreservedState = [])
    /// Adds rows at the end or, in a spliced order, between head and tail. Visible rows stay in place on the screen.
    ///
    /// Added rows are selected if they were selected before a filter or another order removed them. A new tree contains the existing
    /// sections, followed by new sections. The last existing section of each level may have grown.
    ///
    /// O(sections + selected blocks), for any number of rows. In addition, O(runs) if rows were moved by hand, and O(rows) if rows have
    /// explicit heights in an order other than the source's.
    case growRows(RowOrder, tree: SectionTree? = nil)
    /// Inserts rows at one position. Scroll position, selection, marks, cursor and explicit heights stay with their rows. No effect on
    /// spliced rows.
    ///
    /// O(sections); O(rows) for an order other than the source's.
    case insertRows(RowInsertion)
    /// Removes the rows at these positions; see ``insertRows(_:)``.
    ///
    /// With `renumbering`, the source numbers its rows consecutively, so the ids of later rows decrease.
    case removeRows(Range<Int>, renumbering: Bool)
    /// Inserts a section before the section at this index, or at the end. The position in `rows` is ignored, because the section determines
    /// the position of its rows.
    case insertSection(Int, level: Int = 0, title: String, rows: RowInsertion)
    /// Removes a section with its nested sections and rows.
    case removeSection(Int, renumbering: Bool)
    /// Discards the marks and heights of rows that no longer exist, so that their ids can be reused.
    case discardRowState([RowID])
    /// Replaces row ids: in marks, in explicit heights, and in selected rows that the order does not contain. Such a row is selected again
    /// if the order contains its new id. Rows that are not in the dictionary keep their ids.
    ///
    /// Use it after ``setRows(_:tree:keeping:)`` for a source that numbers the rows of each order separately, such as a server. O(marks +
    /// explicit heights + absent rows · log rows), plus the time to find the rows.
    case renumberRowState([RowID: RowID])
    /// Sets the explicit height of a row in lines, at least 1; `nil` removes it. The limits for automatic heights do not apply.
    case setRowHeight(RowID, Int?)
    /// Moves the rows at these positions so that the first of them is at `to`, or as near as their section allows.
    ///
    /// Selection, marks and cursor stay on their rows. No effect on spliced rows, because their final positions are not known yet. O(runs +
    /// explicit heights + selected blocks), for any number of rows.
    case moveRows(Range<Int>, to: Int)
    /// Moves the current row, together with the selected rows adjacent to it, down by this many rows. A negative number moves them up.
    case moveCurrentRows(by: Int)
    /// Collapses or expands a section; no effect if it does not exist.
    case setCollapsed(section: Int, Bool)
    /// Toggles a section between collapsed and expanded.
    case toggleSection(Int)
    /// Collapses or expands all sections. O(sections).
    case setAllCollapsed(Bool)
    /// Collapses these sections and expands all others. O(sections).
    case setCollapsedSections(Set<Int>)
    /// Sets the number of rows that the scroll bar represents until all rows are loaded; `nil` for the number of loaded rows.
    case setExpectedRowCount(Int?)
    /// Sets or removes the indicator for pending rows.
    case setLoader(GridLoader?)
    /// Advances the animation of the loader.
    case tickLoader

    // Pull to refresh.
    /// Enables or disables the pull gesture.
    case setPull(GridPull?)
    /// Uncovers this many more lines of the pull strip; a negative number covers lines. No effect while the grid is scrolled down.
    case pull(by: Int)
    /// Releases the pull: covers the strip, and triggers the pull event if the whole strip was uncovered.
    case releasePull

    // Selecting.
    /// Sets the selection mode and clears the selection.
    case setSelectionMode(SelectionMode)
    /// Starts a selection of this shape at the cursor. Every motion extends the selection, until this action is performed again with the
    /// same shape.
    ///
    /// If an end of the selection is in a collapsed section, all rows of this section are selected.
    case beginSelection(SelectionShape)
    /// Ends the extension of the selection and keeps all ranges. The next selection adds a range.
    case keepRanges
    /// Moves the cursor to the other end of the selection. If a collapsed section hides this end, moves the cursor to the header of the
    /// section.
    case swapSelectionEnds
    /// Selects every cell, including the cells of rows added later.
    case selectAll
    /// Inverts the selection.
    case invertSelection
    /// Clears the selection.
    case clearSelection
    /// Selects these cells, in any selection mode. O(blocks) to detect a change.
    case setSelection(Selection)
    /// Selects only these rows, in any selection mode. Rows that the grid does not contain are ignored. O(rows), and O(rows of the grid)
    /// for orders computed by sorting or grouping.
    case setSelectedRows([RowID])
    /// Selects or deselects a row or one of its cells, in any selection mode; keeps the rest of the selection.
    case setSelected(RowID, column: ColumnID? = nil, Bool)
    /// Marks or unmarks a row. A mark belongs to the identity of the row, so sorting does not move it to another row.
    case toggleMark(RowID)
    /// Clears all marks.
    case clearMarks

    // Cells.
    /// Performs the effects that the interaction policies (``GridInteraction``) assign to a key on the current cell.
    case performTrigger(CellTrigger)
    /// Adds the current cell, or its row, to the selection or removes it.
    case toggleSelection
    /// Requests an editor for the current cell, or activates the cell if its column is not editable. In the editor, `typed` replaces the
    /// text of the cell.
    case requestEdit(typed: String? = nil)
    /// Opens an editor in a cell.
    case beginEditing(CellEditing)
    /// Changes the text in the editor.
    case edit(LineEditor.Edit)
    /// Inserts text into the editor.
    case paste(String)
    /// Shows why the text in the editor is rejected. The editor stays open.
    case rejectEdit(String)
    /// Closes the editor. `committed` is the text that the application has stored in the cell; `nil` if editing was cancelled.
    case endEditing(committed: String? = nil)
    /// Activates the accessory of the current row.
    case activateAccessory
    /// Requests a copy of the edited text or of ``GridState/cellsToCopy(of:)``, with the titles of the columns if `withHeader` is true.
    case requestCopy(withHeader: Bool = false)

    // Pointer.
    /// A mouse button was pressed on a terminal cell of the frame.
    case pointerDown(GridPoint, PointerPress)
    /// The pointer moved while a button is pressed; the point may lie outside the frame.
    case pointerMoved(GridPoint)
    /// The button was released.
    case pointerUp(GridPoint)
    /// Cancels a drag and restores the state before it.
    case cancelDrag
    /// Scrolls by one step during a drag whose pointer is held at an edge. Perform it repeatedly.
    case dragTick
}

extension GridAction {
    /// True if the action reports a change of the rows that has already happened. The delegate cannot refuse such an action.
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

    /// True if the action inserts or removes rows. The data source has already changed its rows and may use new ids for the other rows.
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
        /// The left button, unless the mouse is set up for left-handed users: selects, sorts and drags.
        case primary
        /// The middle button: pans.
        case middle
        /// The right button: requests a menu.
        case secondary
    }
    /// The pressed button.
    public var button: Button
    /// 1 for a click, 2 for a double click.
    public var clicks: Int
    /// True if a modifier key is pressed with which a click adds a sort key, or toggles a cell or row of the selection.
    public var isAdding: Bool
    /// True if a modifier key is pressed with which a click extends the selection.
    public var isExtending: Bool
    /// True if a modifier key is pressed with which a drag moves rows or columns instead of selecting cells.
    public var isMoving: Bool
    /// The directions in which the cell or header under the pointer can be dragged; `nil` means the settings of the grid and the column.
    public var permittedDirections: DragDirections?

    /// Creates a press of `button`, by default without modifiers.
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
    /// A header was activated. The application should sort by its column.
    case headerActivated(ColumnID, isAdding: Bool)
    /// A menu for a header was requested.
    case headerMenu(ColumnID)
    /// Fitting a column to its content was requested.
    case fitColumn(ColumnID)
    /// Fitting the rows of a transposed grid to their visible content was requested.
    case fitRows
    /// A cell that is not editable was activated by a double click or Enter.
    case cellActivated(RowID, ColumnID)
    /// The accessory of a row was clicked, or activated by key.
    case accessoryActivated(RowID)
    /// A copy was requested, with the titles of the columns if `withHeader` is true.
    case copyRequested(withHeader: Bool)
    /// An editor was requested. In the editor, `typed` replaces the text of the cell.
    case editRequested(RowID, ColumnID, typed: String?)
    /// An editor was opened.
    case editingBegan(RowID, ColumnID)
    /// An editor was closed; `committed` is the stored text, or `nil` if editing was cancelled.
    case editingEnded(RowID, ColumnID, committed: String?)
    /// A drag ended before the button was released, because the dragged rows or column were removed, or the layout has changed.
    case dragInterrupted
    /// A column or rows were not moved, because users cannot move the column, or because the rows are at the end of their section.
    case moveRefused(Reordering.Subject)
    /// A column was moved by hand, between these indices among the visible columns.
    case columnMoved(ColumnID, from: Int, to: Int)
    /// Rows at these positions were moved by hand; they now begin at `to`.
    case rowsMoved(Range<Int>, to: Int)
    /// The width of a column in terminal cells changed.
    case columnResized(ColumnID, width: Int)
    /// The width of the rows of a transposed grid in terminal cells changed.
    case rowsResized(width: Int)
    /// A section was collapsed.
    case sectionCollapsed(Int)
    /// A section was expanded.
    case sectionExpanded(Int)
    /// This many sections were collapsed or expanded at once. It replaces single events for more than 1,000 sections.
    case sectionsChanged(Int)
    /// The sort keys shown in the headers changed.
    case sortChanged
    /// A column was hidden.
    case columnHidden(ColumnID)
    /// A hidden column was shown.
    case columnShown(ColumnID)
    /// The frozen columns or rows changed.
    case frozenPanesChanged
    /// The presentation changed to ``GridState/effectivePresentation``.
    case presentationChanged
    /// A view was restored; order and widths of the columns may have changed.
    case viewRestored
    /// The selection changed.
    case selectionChanged
    /// The last row is less than a page away, and more rows are expected. The event is sent once, then again after rows were added.
    case endOfDataNear
    /// The scroll bar was released at a row that is expected but not loaded yet (``GridState/expectedRowCount``). The position counts all
    /// expected rows.
    case rowRequested(Int)
    /// The pull strip was released after it was fully uncovered, for example to reload.
    case pullTriggered
}
