/// What an application permits in a grid, and what it is told. Every member is optional.
///
/// A `should…` is asked before anything has changed and can refuse; a `did…` comes when the change is there. Both are about what people do
/// by key and pointer and about what code asks a ``GridController`` to perform; code that must not be refused says so there.
@MainActor
public protocol GridInteractionDelegate: AnyObject {
    /// Whether the selection may become another one.
    func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool
    /// The selection has changed.
    func didChangeSelection(from old: Selection, to new: Selection)

    /// A column's header was clicked, or activated by key; asked before the grid sorts by it. `false`: the grid does nothing more.
    func shouldSort(by keys: [SortDescriptor]) -> Bool
    /// Another sort order is asked for: the header shows it, and the rows are the application's to bring in order.
    func didSort(by keys: [SortDescriptor])
    /// A header's menu was asked for.
    func didRequestMenu(ofColumn column: ColumnID)

    /// Whether a column may get this width, in terminal cells; asked for every step of a drag.
    func shouldResize(column: ColumnID, to width: Int) -> Bool
    /// A column has another width.
    func didResize(column: ColumnID, to width: Int)
    /// A column should be as wide as its content (a double click on its edge).
    func didRequestFit(ofColumn column: ColumnID)

    /// Whether a column may be moved from one index among the visible columns to another.
    func shouldMove(column: ColumnID, from: Int, to: Int) -> Bool
    /// A column stands at another index.
    func didMove(column: ColumnID, from: Int, to: Int)
    /// Whether the rows at these positions may be moved so that the first stands at `to`.
    func shouldMove(rows: Range<Int>, to: Int) -> Bool
    /// Rows stand elsewhere.
    func didMove(rows: Range<Int>, to: Int)

    /// Whether a section may be collapsed, or expanded.
    func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool
    /// A section was collapsed, or expanded.
    func didSetCollapsed(section: Int, _ isCollapsed: Bool)

    /// A cell was activated: by a double click, or by Enter.
    func didActivate(row: RowID, column: ColumnID)

    /// The end of the rows is near and more are coming (``GridState/loader``): time to get them.
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
    public func shouldSort(by keys: [SortDescriptor]) -> Bool { true }
    /// Nothing.
    public func didSort(by keys: [SortDescriptor]) {}
    /// Nothing.
    public func didRequestMenu(ofColumn column: ColumnID) {}
    /// Yes.
    public func shouldResize(column: ColumnID, to width: Int) -> Bool { true }
    /// Nothing.
    public func didResize(column: ColumnID, to width: Int) {}
    /// Nothing.
    public func didRequestFit(ofColumn column: ColumnID) {}
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
    /// Nothing.
    public func didActivate(row: RowID, column: ColumnID) {}
    /// Nothing.
    public func endOfDataIsNear() {}
    /// Yes.
    public func shouldReloadAfterPull() -> Bool { true }
}
