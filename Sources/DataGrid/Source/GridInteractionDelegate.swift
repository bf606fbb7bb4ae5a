/// What an application permits in a grid, and what it is told. Every member is optional.
///
/// A `should…` is asked before anything has changed and can refuse; a `did…` comes when the change is there. Both are about what people do
/// by key and pointer and about what code asks a `GridController` to perform; code that must not be refused says so there. What only
/// follows from something else is told, but not asked for: a selection that ends or moves because rows stand elsewhere, and everything about
/// a view that is brought back (``GridAction/restore(_:)``).
@MainActor
public protocol GridInteractionDelegate: AnyObject {
    // MARK: Selecting

    /// Whether the selection may become another one: asked first, and of the whole.
    func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool
    /// The selection has changed.
    func didChangeSelection(from old: Selection, to new: Selection)
    /// Whether a row may be selected as a whole. A row that may not is left out, and the others are selected.
    ///
    /// Asked for changes of up to 1,000 rows and cells, as are the three below; beyond that ``shouldChangeSelection(from:to:)`` decides
    /// alone. Asked again while the next action still includes what was refused.
    func shouldSelect(row: RowID) -> Bool
    /// Whether a row may be deselected; one that may not stays selected.
    func shouldDeselect(row: RowID) -> Bool
    /// Whether a cell may be selected, where not whole rows are.
    func shouldSelect(row: RowID, column: ColumnID) -> Bool
    /// Whether a cell may be deselected.
    func shouldDeselect(row: RowID, column: ColumnID) -> Bool
    /// A row was selected as a whole.
    func didSelect(row: RowID)
    /// A row is no longer selected.
    func didDeselect(row: RowID)
    /// A cell was selected.
    func didSelect(row: RowID, column: ColumnID)
    /// A cell is no longer selected.
    func didDeselect(row: RowID, column: ColumnID)
    /// The cursor is elsewhere: on another item, or in another column.
    func didMoveCursor(to cursor: GridCursor)

    // MARK: Headers and sorting

    /// Whether a click on a header, or its key, does anything: the grid sorts by it then, as ``Column/sortMode`` says.
    /// - Parameters:
    ///   - column: the column of the header.
    ///   - isAdding: whether the rows stay sorted as they are, and the column only decides between equal ones.
    func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool
    /// A header was activated; the grid sorts by it next.
    func didActivateHeader(ofColumn column: ColumnID)
    /// Whether the header may show these sort keys.
    func shouldSort(by keys: [SortDescriptor]) -> Bool
    /// Another sort order is asked for: the header shows it, and the rows are the application's to bring in order.
    /// In a file that imports Foundation write `[DataGrid.SortDescriptor]`: the name alone is ambiguous there.
    func didSort(by keys: [SortDescriptor])
    /// A header's menu was asked for.
    func didRequestMenu(ofColumn column: ColumnID)

    // MARK: Columns

    /// Whether a column may get this width, in terminal cells; asked for every step of a drag.
    func shouldResize(column: ColumnID, to width: Int) -> Bool
    /// A column has another width.
    func didResize(column: ColumnID, to width: Int)
    /// A column should be as wide as its content (a double click on its edge). `true`: the grid fits it to what is in sight; `false` from a
    /// delegate that knows more of the column, and fits it itself.
    func shouldFit(column: ColumnID) -> Bool
    /// Whether rows that stand beside each other may have this width, in terminal cells.
    func shouldResizeRows(to width: Int) -> Bool
    /// Rows that stand beside each other have this width now, in terminal cells.
    func didResizeRows(to width: Int)
    /// Whether the grid is to make rows that stand beside each other as wide as what they say in sight, which a person asks for by a double click on
    /// the edge of one.
    func shouldFitRows() -> Bool
    /// Whether a column may be hidden, or shown again.
    func shouldSetHidden(column: ColumnID, _ isHidden: Bool) -> Bool
    /// A column was hidden, or is shown again.
    func didSetHidden(column: ColumnID, _ isHidden: Bool)
    /// Other columns or rows are frozen.
    func didFreeze(_ panes: FrozenPanes)
    /// A view was brought back.
    func didRestoreView()

    // MARK: Moving

    /// What a press may drag: a column, a row, or both; a card, its row. On a column's header `row` is `nil`, on a row's header `column` is.
    /// `nil`: as the grid and the column say. Cells are dragged with Alt held, the cursor's card and selected ones without. A column that is
    /// not ``Column/isReorderable`` never moves.
    func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections?
    /// Whether a column may be moved from one index among the visible columns to another.
    func shouldMove(column: ColumnID, from: Int, to: Int) -> Bool
    /// A column stands at another index.
    func didMove(column: ColumnID, from: Int, to: Int)
    /// Whether the rows at these positions may be moved so that the first stands at `to`.
    func shouldMove(rows: Range<Int>, to: Int) -> Bool
    /// Rows stand elsewhere.
    func didMove(rows: Range<Int>, to: Int)

    // MARK: Sections

    /// Whether a section may be collapsed, or expanded. Of all at once, those that may not stay as they are; a movement of the cursor into one
    /// that may not be expanded is not made.
    func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool
    /// A section was collapsed, or expanded.
    func didSetCollapsed(section: Int, _ isCollapsed: Bool)
    /// Whether so many sections may be collapsed or expanded at once: asked in place of the above for more than 1,000.
    func shouldChangeSections(count: Int) -> Bool
    /// So many sections were collapsed or expanded at once: told in place of the above for more than 1,000.
    func didChangeSections(count: Int)

    // MARK: Cells

    /// A cell was activated: a double click or Enter was to edit it (``GridInteraction``), and it cannot be edited.
    func didActivate(row: RowID, column: ColumnID)
    /// What stands at the end of a row was clicked, or activated by key.
    func didActivateAccessory(ofRow row: RowID)
    /// Whether an editor may be opened in a cell whose column is ``Column/isEditable``; where it may not, the cell is activated.
    func shouldBeginEditing(row: RowID, column: ColumnID) -> Bool
    /// An editor was opened.
    func didBeginEditing(row: RowID, column: ColumnID)
    /// Whether an editor may close with this text; otherwise it stays open. Not called when editing is cancelled.
    func shouldCommit(text: String, row: RowID, column: ColumnID) -> Bool
    /// What was typed was not taken, and why: the grid says so below the cell.
    func didReject(text: String, row: RowID, column: ColumnID, reason: String)
    /// An editor was closed; `committed` is the new text, `nil` when the cell stays as it was.
    func didEndEditing(row: RowID, column: ColumnID, committed: String?)

    // MARK: The frame

    /// Rows are laid out another way (``GridState/shownPresentation``), because that was asked for or because the frame is wider or narrower
    /// (``GridPresentation/adaptive(below:)``).
    func didPresent(_ presentation: GridPresentation)
    /// The grid was drawn, and something stands elsewhere than when it was drawn last.
    func didFinishLayout()
    /// Other sides than before have no room for all that should be frozen there (``GridLayout/yielding``): told when the grid was drawn so, and
    /// with no sides when everything is frozen again.
    func didYield(_ sides: FrozenSides)
    /// The end of the rows is near and more are coming (``GridState/loader``): time to get them. Told once, and again when rows have come;
    /// a loader that was taken away and is set again is told anew.
    func endOfDataIsNear()
    /// The strip at the top was pulled out and let go (``GridState/pull``). `true`: the grid reloads.
    func shouldReloadAfterPull() -> Bool
}

extension GridInteractionDelegate {
    /// Yes.
    public func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool { true }
    /// Nothing.
    public func didChangeSelection(from old: Selection, to new: Selection) {}
    /// Yes.
    public func shouldSelect(row: RowID) -> Bool { true }
    /// Yes.
    public func shouldDeselect(row: RowID) -> Bool { true }
    /// Yes.
    public func shouldSelect(row: RowID, column: ColumnID) -> Bool { true }
    /// Yes.
    public func shouldDeselect(row: RowID, column: ColumnID) -> Bool { true }
    /// Nothing.
    public func didSelect(row: RowID) {}
    /// Nothing.
    public func didDeselect(row: RowID) {}
    /// Nothing.
    public func didSelect(row: RowID, column: ColumnID) {}
    /// Nothing.
    public func didDeselect(row: RowID, column: ColumnID) {}
    /// Nothing.
    public func didMoveCursor(to cursor: GridCursor) {}
    /// Yes.
    public func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool { true }
    /// Nothing.
    public func didActivateHeader(ofColumn column: ColumnID) {}
    /// Yes.
    public func shouldSort(by keys: [SortDescriptor]) -> Bool { true }
    /// Nothing.
    public func didSort(by keys: [SortDescriptor]) {}
    /// Nothing.
    public func didRequestMenu(ofColumn column: ColumnID) {}
    /// Yes.
    public func shouldResize(column: ColumnID, to width: Int) -> Bool { true }
    /// Nothing.
    public func didResize(column: ColumnID, to width: Int) {}
    /// Yes.
    public func shouldFit(column: ColumnID) -> Bool { true }
    /// Yes.
    public func shouldResizeRows(to width: Int) -> Bool { true }
    /// Nothing.
    public func didResizeRows(to width: Int) {}
    /// Yes.
    public func shouldFitRows() -> Bool { true }
    /// Yes.
    public func shouldSetHidden(column: ColumnID, _ isHidden: Bool) -> Bool { true }
    /// Nothing.
    public func didSetHidden(column: ColumnID, _ isHidden: Bool) {}
    /// Nothing.
    public func didFreeze(_ panes: FrozenPanes) {}
    /// Nothing.
    public func didRestoreView() {}
    /// As the grid and the column say.
    public func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections? { nil }
    /// Yes.
    public func shouldMove(column: ColumnID, from: Int, to: Int) -> Bool { true }
    /// Nothing.
    public func didMove(column: ColumnID, from: Int, to: Int) {}
    /// Yes.
    public func shouldMove(rows: Range<Int>, to: Int) -> Bool { true }
    /// Nothing.
    public func didMove(rows: Range<Int>, to: Int) {}
    /// Yes.
    public func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool { true }
    /// Nothing.
    public func didSetCollapsed(section: Int, _ isCollapsed: Bool) {}
    /// Yes.
    public func shouldChangeSections(count: Int) -> Bool { true }
    /// Nothing.
    public func didChangeSections(count: Int) {}
    /// Nothing.
    public func didActivate(row: RowID, column: ColumnID) {}
    /// Nothing.
    public func didActivateAccessory(ofRow row: RowID) {}
    /// Yes.
    public func shouldBeginEditing(row: RowID, column: ColumnID) -> Bool { true }
    /// Nothing.
    public func didBeginEditing(row: RowID, column: ColumnID) {}
    /// Yes.
    public func shouldCommit(text: String, row: RowID, column: ColumnID) -> Bool { true }
    /// Nothing.
    public func didReject(text: String, row: RowID, column: ColumnID, reason: String) {}
    /// Nothing.
    public func didEndEditing(row: RowID, column: ColumnID, committed: String?) {}
    /// Nothing.
    public func didPresent(_ presentation: GridPresentation) {}
    /// Nothing.
    public func didFinishLayout() {}
    /// Nothing.
    public func didYield(_ sides: FrozenSides) {}
    /// Nothing.
    public func endOfDataIsNear() {}
    /// Yes.
    public func shouldReloadAfterPull() -> Bool { true }
}
