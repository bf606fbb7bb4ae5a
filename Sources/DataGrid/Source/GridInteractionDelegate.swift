/// The delegate for events in a grid. Applications implement it; the grid calls it on the main actor. Every member is optional.
///
/// A `should…` method is called before a change and can refuse it; a `did…` method is called after the change. Both are called for user
/// actions, and for actions that code performs on a `GridController` without bypassing the delegate.
///
/// Indirect changes call only `did…` methods. For example, the selection changes because rows have moved, or because a saved view is
/// restored (``GridAction/restore(_:)``).
///
/// Methods for edits and moves return a ``Permission``, which can have a reason. A refused cell, column or row blinks once.
@MainActor
public protocol GridInteractionDelegate: AnyObject {
    // MARK: Selecting

    /// Returns true if the selection may change from `old` to `new`. This method is called before the `should…` methods for single rows and
    /// cells.
    func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool
    /// Called after the selection has changed.
    func didChangeSelection(from old: Selection, to new: Selection)
    /// Returns true if a whole row may be selected. If it returns false, the row is not selected; other rows of the same change are still
    /// selected.
    ///
    /// This method and the next three methods are called for changes of up to 1,000 rows and cells. For larger changes, only
    /// ``shouldChangeSelection(from:to:)`` is called. While a selection is being extended, they are called again for rows that were
    /// refused before.
    func shouldSelect(row: RowID) -> Bool
    /// Returns true if a row may be deselected. If it returns false, the row stays selected.
    func shouldDeselect(row: RowID) -> Bool
    /// Returns true if a cell may be selected. The method is called for a change of single cells, not for a change of a whole row.
    func shouldSelect(row: RowID, column: ColumnID) -> Bool
    /// Returns true if a cell may be deselected. The method is called for a change of single cells, not for a change of a whole row.
    func shouldDeselect(row: RowID, column: ColumnID) -> Bool
    /// Called after a whole row was selected.
    func didSelect(row: RowID)
    /// Called after a whole row was deselected.
    func didDeselect(row: RowID)
    /// Called after a single cell was selected.
    func didSelect(row: RowID, column: ColumnID)
    /// Called after a single cell was deselected.
    func didDeselect(row: RowID, column: ColumnID)
    /// Called after the cursor has moved to another row, section header or column.
    func didMoveCursor(to cursor: GridCursor)

    // MARK: Headers and sorting

    /// Returns true if a click or key may activate the header of a column, which sorts by this column according to ``Column/sortMode``.
    /// - Parameters:
    ///   - column: the column whose header was clicked.
    ///   - isAdding: true if the column becomes an additional sort key.
    func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool
    /// Called when the header of a column was activated, before the grid requests another sort order.
    func didActivateHeader(ofColumn column: ColumnID)
    /// Returns true if the rows may be sorted by these keys.
    func shouldSort(by keys: [ColumnSort]) -> Bool
    /// Called when the user or code requested another sort order, which the headers already show. The application or its data source must
    /// sort the rows.
    func didSort(by keys: [ColumnSort])
    /// Called when the user requested a menu for the header of a column, by a click with the right button.
    func didRequestMenu(ofColumn column: ColumnID)

    // MARK: Columns

    /// Returns true if a column may get this width, in terminal cells. During a drag, it is called for every step.
    func shouldResize(column: ColumnID, to width: Int) -> Bool
    /// Called after the width of a column has changed to `width` terminal cells.
    func didResize(column: ColumnID, to width: Int)
    /// Returns true if the grid may fit a column to its visible content, after the user has double-clicked its edge. Return `false` if
    /// the application fits the column itself, for example to all rows.
    func shouldFit(column: ColumnID) -> Bool
    /// Returns true if the rows of a transposed grid may get this width, in terminal cells.
    func shouldResizeRows(to width: Int) -> Bool
    /// Called after the width of the rows of a transposed grid has changed to `width` terminal cells.
    func didResizeRows(to width: Int)
    /// Returns true if the grid may fit the rows of a transposed grid to their visible content, after the user has double-clicked an
    /// edge.
    func shouldFitRows() -> Bool
    /// Returns true if a column may be hidden or, if `isHidden` is false, shown.
    func shouldSetHidden(column: ColumnID, _ isHidden: Bool) -> Bool
    /// Called after a column was hidden or, if `isHidden` is false, shown.
    func didSetHidden(column: ColumnID, _ isHidden: Bool)
    /// Called after columns or rows were frozen or unfrozen.
    func didFreeze(_ panes: FrozenPanes)
    /// Called after a saved view was restored.
    func didRestoreView()

    // MARK: Moving

    /// The directions in which a cell or header can be dragged. The drag can then move its column, its row, or either of them; on a card,
    /// only the row. Return `nil` to use the settings of the grid and the column.
    ///
    /// For a press on a column header, `row` is `nil`; on a row header, `column` is `nil`. Dragging a cell requires Alt, except on the
    /// card under the cursor and on selected cards. A column that is not ``Column/isReorderable`` never moves.
    func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections?
    /// Permits or refuses the move of a column between two indices among the visible columns.
    func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission
    /// Called after a column has moved from one index among the visible columns to another.
    func didMove(column: ColumnID, from: Int, to: Int)
    /// Permits or refuses the move of the rows at these positions. `to` is the new position of the first of these rows.
    func shouldMove(rows: Range<Int>, to: Int) -> Permission
    /// Called after rows have moved. `rows` are their positions before the move, and `to` is the new position of the first of these rows.
    func didMove(rows: Range<Int>, to: Int)

    // MARK: Sections

    /// Returns true if a section may be collapsed or expanded. When the user collapses or expands all sections, refused sections do not
    /// change. Moving the cursor into a collapsed section requires permission to expand that section.
    func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool
    /// Called after a section was collapsed or expanded.
    func didSetCollapsed(section: Int, _ isCollapsed: Bool)
    /// Returns true if `count` sections may be collapsed or expanded together. It is called instead of ``shouldSetCollapsed(section:_:)``
    /// if there are more than 1,000 sections.
    func shouldChangeSections(count: Int) -> Bool
    /// Called after `count` sections were collapsed or expanded together. It is called instead of ``didSetCollapsed(section:_:)`` if
    /// there are more than 1,000 sections.
    func didChangeSections(count: Int)

    // MARK: Cells

    /// Called when the user double-clicked a cell that cannot be edited, or pressed Enter on it (``GridInteraction``).
    func didActivate(row: RowID, column: ColumnID)
    /// Called when the symbol at the end of a row was clicked, or activated by a key.
    func didActivateAccessory(ofRow row: RowID)
    /// Called when the user requested a menu for a row, by a click with the right button. The cursor and the selection do not change.
    ///
    /// `column` is the column of the clicked cell. It is `nil` if the row header or the end of the row was clicked.
    func didRequestMenu(ofRow row: RowID, column: ColumnID?)
    /// Returns true if the grid may copy these cells as text (``GridAction/requestCopy(withHeader:)``), with the column titles if
    /// `withHeader` is true. Return `false` if the application copies the cells itself, for example in a background job.
    func shouldCopy(_ cells: CopiedCells, withHeader: Bool) -> Bool
    /// Permits or refuses an editor in a cell whose column is ``Column/isEditable``. If it is refused, the cell is activated
    /// (``didActivate(row:column:)``), unless the user has typed text.
    func shouldBeginEditing(row: RowID, column: ColumnID) -> Permission
    /// Called after an editor has opened in a cell.
    func didBeginEditing(row: RowID, column: ColumnID)
    /// Permits or refuses the text that the user entered. After a refusal, the editor stays open and shows the reason. The method is not
    /// called when editing is cancelled.
    func shouldCommit(text: String, row: RowID, column: ColumnID) -> Permission
    /// Called when the entered text was rejected. The grid shows the reason below the cell.
    func didReject(text: String, row: RowID, column: ColumnID, reason: String)
    /// Called after an editor has closed. `committed` is the new text of the cell, or `nil` if the cell did not change.
    func didEndEditing(row: RowID, column: ColumnID, committed: String?)

    // MARK: The frame

    /// Called after the grid has changed between table, transposed rows and cards (``GridState/effectivePresentation``). The change was
    /// requested, or the width of the frame has changed (``GridPresentation/adaptive(below:)``).
    func didChangePresentation(to presentation: GridPresentation)
    /// Called after a frame was drawn whose layout differs from the layout of the previous frame.
    func didFinishLayout()
    /// Called after a frame was drawn, if the set of sides that lack room for their frozen rows or columns has changed
    /// (``GridLayout/overflowingSides``). `sides` is the new set; it is empty if all frozen rows and columns fit again.
    func didOverflow(_ sides: FrozenSides)
    /// Called when a drag ends before the button is released, because the dragged rows or column were removed, or the grid has another
    /// layout.
    func didInterruptDrag()
    /// Called once when the user scrolls or moves near the last row while more rows are expected (``GridState/loader``). It is called
    /// again after rows were added, or after the loader was removed and set again.
    func endOfDataIsNear()
    /// Called when the scroll bar was released at an expected row that is not loaded yet (``GridState/expectedRowCount``). `position`
    /// counts all rows, including rows that are not loaded. Until the row is loaded, the grid shows the last loaded row before it.
    func didRequestRow(at position: Int)
    /// Returns true if the grid should reload its content after the user has pulled down the pull strip and released it
    /// (``GridState/pull``).
    func shouldReloadAfterPull() -> Bool
}

extension GridInteractionDelegate {
    /// Returns `true`, so that the grid makes the change.
    public func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool { true }
    /// Does nothing.
    public func didChangeSelection(from old: Selection, to new: Selection) {}
    /// Returns `true`, so that the grid makes the change.
    public func shouldSelect(row: RowID) -> Bool { true }
    /// Returns `true`, so that the grid makes the change.
    public func shouldDeselect(row: RowID) -> Bool { true }
    /// Returns `true`, so that the grid makes the change.
    public func shouldSelect(row: RowID, column: ColumnID) -> Bool { true }
    /// Returns `true`, so that the grid makes the change.
    public func shouldDeselect(row: RowID, column: ColumnID) -> Bool { true }
    /// Does nothing.
    public func didSelect(row: RowID) {}
    /// Does nothing.
    public func didDeselect(row: RowID) {}
    /// Does nothing.
    public func didSelect(row: RowID, column: ColumnID) {}
    /// Does nothing.
    public func didDeselect(row: RowID, column: ColumnID) {}
    /// Does nothing.
    public func didMoveCursor(to cursor: GridCursor) {}
    /// Returns `true`, so that the grid activates the header.
    public func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool { true }
    /// Does nothing.
    public func didActivateHeader(ofColumn column: ColumnID) {}
    /// Returns `true`, so that the grid requests the order.
    public func shouldSort(by keys: [ColumnSort]) -> Bool { true }
    /// Does nothing.
    public func didSort(by keys: [ColumnSort]) {}
    /// Does nothing.
    public func didRequestMenu(ofColumn column: ColumnID) {}
    /// Returns `true`, so that the grid makes the change.
    public func shouldResize(column: ColumnID, to width: Int) -> Bool { true }
    /// Does nothing.
    public func didResize(column: ColumnID, to width: Int) {}
    /// Returns `true`, so that the grid fits the column.
    public func shouldFit(column: ColumnID) -> Bool { true }
    /// Returns `true`, so that the grid makes the change.
    public func shouldResizeRows(to width: Int) -> Bool { true }
    /// Does nothing.
    public func didResizeRows(to width: Int) {}
    /// Returns `true`, so that the grid fits the rows.
    public func shouldFitRows() -> Bool { true }
    /// Returns `true`, so that the grid makes the change.
    public func shouldSetHidden(column: ColumnID, _ isHidden: Bool) -> Bool { true }
    /// Does nothing.
    public func didSetHidden(column: ColumnID, _ isHidden: Bool) {}
    /// Does nothing.
    public func didFreeze(_ panes: FrozenPanes) {}
    /// Does nothing.
    public func didRestoreView() {}
    /// Returns `nil`: the settings of the grid and the column apply.
    public func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections? { nil }
    /// Returns ``Permission/allowed``, so that the grid makes the change.
    public func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission { .allowed }
    /// Does nothing.
    public func didMove(column: ColumnID, from: Int, to: Int) {}
    /// Returns ``Permission/allowed``, so that the grid makes the change.
    public func shouldMove(rows: Range<Int>, to: Int) -> Permission { .allowed }
    /// Does nothing.
    public func didMove(rows: Range<Int>, to: Int) {}
    /// Returns `true`, so that the grid makes the change.
    public func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool { true }
    /// Does nothing.
    public func didSetCollapsed(section: Int, _ isCollapsed: Bool) {}
    /// Returns `true`, so that the grid makes the change.
    public func shouldChangeSections(count: Int) -> Bool { true }
    /// Does nothing.
    public func didChangeSections(count: Int) {}
    /// Does nothing.
    public func didActivate(row: RowID, column: ColumnID) {}
    /// Does nothing.
    public func didActivateAccessory(ofRow row: RowID) {}
    /// Does nothing.
    public func didRequestMenu(ofRow row: RowID, column: ColumnID?) {}
    /// Returns `true`, so that the grid copies the cells.
    public func shouldCopy(_ cells: CopiedCells, withHeader: Bool) -> Bool { true }
    /// Returns ``Permission/allowed``, so that an editor opens.
    public func shouldBeginEditing(row: RowID, column: ColumnID) -> Permission { .allowed }
    /// Does nothing.
    public func didBeginEditing(row: RowID, column: ColumnID) {}
    /// Returns ``Permission/allowed``, so that the text is stored.
    public func shouldCommit(text: String, row: RowID, column: ColumnID) -> Permission { .allowed }
    /// Does nothing.
    public func didReject(text: String, row: RowID, column: ColumnID, reason: String) {}
    /// Does nothing.
    public func didEndEditing(row: RowID, column: ColumnID, committed: String?) {}
    /// Does nothing.
    public func didChangePresentation(to presentation: GridPresentation) {}
    /// Does nothing.
    public func didFinishLayout() {}
    /// Does nothing.
    public func didOverflow(_ sides: FrozenSides) {}
    /// Does nothing.
    public func didInterruptDrag() {}
    /// Does nothing.
    public func endOfDataIsNear() {}
    /// Does nothing.
    public func didRequestRow(at position: Int) {}
    /// Returns `true`, so that the grid reloads its content.
    public func shouldReloadAfterPull() -> Bool { true }
}
