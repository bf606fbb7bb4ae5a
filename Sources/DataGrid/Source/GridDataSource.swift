/// The source of a grid's content. Applications implement it. The grid calls it on the main actor, only for visible content.
///
/// A data source does not define styles. It can name a style class, which the theme defines.
@MainActor
public protocol GridDataSource: AnyObject {
    /// The number of rows in a section, with sections counted from 0. The method is called only for sections without nested sections.
    func numberOfRows(inSection section: Int) -> Int
    /// The content of a cell.
    func content(row: RowID, column: ColumnID) -> CellContent

    /// The columns for a grid that was created without columns; empty by default. They are read when the source is attached.
    var gridColumns: [Column] { get }
    /// Connects the source to a grid, which then shows the rows of the source. By default, a grid without columns also receives
    /// ``gridColumns``.
    func attach(to host: any GridHost)
    /// The number of sections; 1 by default. A single section without a title has no header.
    var numberOfSections: Int { get }
    /// The title of a section, at the left of its header. It does not scroll with the columns.
    func title(ofSection section: Int) -> String?
    /// The part of a section's title that scrolls with the columns. It starts at the first column. The method is called for visible
    /// headers.
    func scrollingTitle(ofSection section: Int) -> String?
    /// The nesting level of a section: 0 for the outermost, and at most one more than the previous section. A section of level 1 belongs to
    /// the preceding section of level 0.
    func level(ofSection section: Int) -> Int
    /// The grouping columns, one for each level, outermost first; empty if the sections are not groups of column values. A saved view
    /// identifies groups by these columns (``SavedView/grouping``). Sections stay collapsed only while the grouping columns are the same.
    /// It is read on reload.
    var groupColumns: [ColumnID] { get }
    /// The aggregates in the header of a section. The method is called for visible headers.
    func aggregates(ofSection section: Int) -> [SectionAggregate]
    /// The order of the rows of all sections. With `nil`, the rows are numbered from 0 in source order.
    var rowOrder: RowOrder? { get }
    /// Called before a view is restored. The source applies the view's filters and groups (``SavedView/filters``, ``SavedView/grouping``).
    /// The grid then reads ``rowOrder``, and restores positions and collapsed sections (``GridAction/restore(_:)``).
    func prepare(for view: SavedView)
    /// Sorts the rows. Called when the user or a restored view requests another order. The grid restores the positions of a view after this
    /// call (``GridAction/restore(_:)``).
    func sort(by keys: [ColumnSort])
    /// True if reading rows that are not visible is slow. Columns are then fitted to visible rows only.
    var hasSlowRows: Bool { get }
    /// Called before the grid reloads everything, so that the source can discard cached values such as aggregates.
    func willReload()
    /// Called after the user has moved rows. `rows` are their positions before the move, and `to` is the new position of the first.
    func didMove(rows: Range<Int>, to: Int)
    /// The noun for counted rows, as in section headers: “3 contacts” instead of “3 rows”.
    var rowNoun: RowNoun { get }
    /// The text in the middle of a grid without rows, such as “No rows match”; empty for no text.
    ///
    /// It is read only for frames without rows. It is not shown while the grid has a loader (``GridState/loader``), because rows are still
    /// expected.
    var emptyText: String { get }
    /// The text of the row header; `nil` means the row number.
    func rowHeader(_ row: RowID) -> String?
    /// The content of the corner above the row header; `nil` means empty.
    var corner: CellContent? { get }
    /// The total of a column; `nil` means empty. The method is called again after any cell has changed.
    func total(column: ColumnID) -> CellContent?
    /// The title of the totals row, shown in the row header, or before the first total if the row header has no room.
    var totalsTitle: String? { get }
    /// The name of the row's style class in the theme (``Theme/classes``); `nil` means no class.
    func styleClass(ofRow row: RowID) -> String?
    /// The accessory at the end of the row, if the grid shows accessories (``GridMetrics/showsAccessories``).
    func accessory(ofRow row: RowID) -> Accessory
    /// The full text of a cell for editing and copying, because ``content(row:column:)`` can be truncated; `nil` if it is not available.
    func text(row: RowID, column: ColumnID) -> String?
    /// Stores the text that the user typed into a cell. The grid reloads this cell. The source must report other changed cells to the grid.
    func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome
    /// Called before a frame is drawn or cells are copied. The source can fetch these rows and columns together, before the grid reads
    /// their cells.
    func willShow(rows: [RowID], columns: [ColumnID])
}

extension GridDataSource {
    /// Returns no columns.
    public var gridColumns: [Column] { [] }
    /// Sets the data source of the grid, sets the columns of a grid without columns, and reads the rows.
    public func attach(to host: any GridHost) {
        host.dataSource = self
        if host.state.columns.all.isEmpty { host.perform(.replaceColumns(gridColumns)) }
        host.reload()
    }
    /// Returns 1.
    public var numberOfSections: Int { 1 }
    /// Returns `nil`: the section has no header.
    public func title(ofSection section: Int) -> String? { nil }
    /// Returns `nil`.
    public func scrollingTitle(ofSection section: Int) -> String? { nil }
    /// Returns 0: sections are not nested.
    public func level(ofSection section: Int) -> Int { 0 }
    /// Returns no columns.
    public var groupColumns: [ColumnID] { [] }
    /// Returns no aggregates.
    public func aggregates(ofSection section: Int) -> [SectionAggregate] { [] }
    /// Returns `nil`: rows keep their order.
    public var rowOrder: RowOrder? { nil }
    /// Does nothing.
    public func prepare(for view: SavedView) {}
    /// Does nothing.
    public func sort(by keys: [ColumnSort]) {}
    /// Returns `false`.
    public var hasSlowRows: Bool { false }
    /// Does nothing.
    public func willReload() {}
    /// Does nothing.
    public func didMove(rows: Range<Int>, to: Int) {}
    /// Returns “row” and “rows”.
    public var rowNoun: RowNoun { RowNoun() }
    /// Returns “No rows”, with the noun of ``rowNoun``.
    public var emptyText: String { "No \(rowNoun.many)" }
    /// Returns `nil`: the row number is shown.
    public func rowHeader(_ row: RowID) -> String? { nil }
    /// Returns `nil`.
    public var corner: CellContent? { nil }
    /// Returns `nil`.
    public func total(column: ColumnID) -> CellContent? { nil }
    /// Returns “Σ”.
    public var totalsTitle: String? { "Σ" }
    /// Returns `nil`: no class.
    public func styleClass(ofRow row: RowID) -> String? { nil }
    /// Returns no accessory.
    public func accessory(ofRow row: RowID) -> Accessory { .none }
    /// Returns the text that is shown.
    public func text(row: RowID, column: ColumnID) -> String? { content(row: row, column: column).text }
    /// Rejects the text.
    public func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome { .rejected("This cell cannot be edited.") }
    /// Does nothing.
    public func willShow(rows: [RowID], columns: [ColumnID]) {}
}

/// The singular and plural noun for rows.
public struct RowNoun: Hashable, Sendable {
    /// The singular, used after 1.
    public var one: String
    /// The plural, used after any other number.
    public var many: String

    /// Creates a noun from its singular and plural.
    public init(_ one: String = "row", _ many: String = "rows") {
        self.one = one
        self.many = many
    }
}

/// For an object that is both data source and delegate, resolves the ambiguity between two default implementations.
extension GridDataSource where Self: GridInteractionDelegate {
    /// Does nothing.
    public func didMove(rows: Range<Int>, to: Int) {}
}
