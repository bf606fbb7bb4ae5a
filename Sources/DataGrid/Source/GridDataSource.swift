/// The object that provides a grid's content. Applications implement it. The grid calls it on the main actor, only for visible content.
///
/// A data source does not define styles. It can name a style class, which the theme defines.
@MainActor
public protocol GridDataSource: AnyObject {
    /// The number of rows in a section; the first section is 0. The method is called only for sections without nested sections.
    func numberOfRows(inSection section: Int) -> Int
    /// The content of a cell.
    func content(row: RowID, column: ColumnID) -> CellContent

    /// The columns for a grid that has no columns; empty by default. They are read when the source is attached to a grid.
    var gridColumns: [Column] { get }
    /// Connects the source to a grid, which then shows the rows of the source. By default, a grid without columns also gets
    /// ``gridColumns``.
    func attach(to host: any GridHost)
    /// The number of sections; 1 by default. If the only section has no title, no header is shown.
    var numberOfSections: Int { get }
    /// The title of a section at the left of its header; `nil` means no title. The title stays in place while the columns scroll.
    func title(ofSection section: Int) -> String?
    /// A second text in the header of a section. It starts at the first column, and scrolls with the columns. `nil` means no text. The
    /// method is called for visible headers.
    func scrollingTitle(ofSection section: Int) -> String?
    /// The nesting level of a section: 0 for the outermost, and at most one more than the previous section. A section of level 1 is
    /// nested in the preceding section of level 0.
    func level(ofSection section: Int) -> Int
    /// The grouping columns, one for each level, outermost first; empty if the sections are not groups of column values. A saved view
    /// identifies groups by these columns (``SavedView/grouping``). Sections stay collapsed only while the grouping columns are the same.
    /// The grid reads this property when it reloads.
    var groupColumns: [ColumnID] { get }
    /// The aggregates in the header of a section. The method is called for visible headers.
    func aggregates(ofSection section: Int) -> [SectionAggregate]
    /// The order of all rows, section after section, such as ``RowOrder/rows(_:)``. With `nil`, the rows are numbered from 0 in the order
    /// of the source.
    ///
    /// It has as many rows as the sections together.
    var rowOrder: RowOrder? { get }
    /// Called before a view is restored. The source applies the filters and groups of the view (``SavedView/filters``,
    /// ``SavedView/grouping``). The grid then reads ``rowOrder``, and restores positions and collapsed sections
    /// (``GridAction/restore(_:)``).
    func prepare(for view: SavedView)
    /// Sorts the rows. Called when the user or a restored view requests another order. The grid then reads ``rowOrder``.
    ///
    /// A source that sorts in the background passes the new order later (``GridAction/setRows(_:tree:keeping:)``). The grid restores the
    /// positions of a view after this call (``GridAction/restore(_:)``).
    func sort(by keys: [ColumnSort])
    /// True if reading rows that are not visible is slow. Columns are then fitted to visible rows only.
    var hasSlowRows: Bool { get }
    /// Called before the grid reloads all content, so that the source can discard cached values such as aggregates.
    func willReload()
    /// Called after the user has moved rows. `rows` are the positions of the rows before the move, and `to` is the new position of the
    /// first of these rows.
    func didMove(rows: Range<Int>, to: Int)
    /// The noun for rows when they are counted, as in section headers: “3 contacts” instead of “3 rows”.
    var rowNoun: RowNoun { get }
    /// The text in the middle of a grid without rows, such as “No rows match”; an empty string shows no text.
    ///
    /// The text is read only when a frame without rows is drawn. It is not shown while the grid has a loader (``GridState/loader``),
    /// because rows are still expected.
    var emptyText: String { get }
    /// The text in the row header at the left of a row; `nil` means the row number.
    func rowHeader(_ row: RowID) -> String?
    /// The content of the corner above the row headers; `nil` leaves it empty.
    var corner: CellContent? { get }
    /// The content of the totals row in a column; `nil` leaves it empty. The method is called again after any cell has changed.
    func total(column: ColumnID) -> CellContent?
    /// The title of the totals row; `nil` means no title. It is shown in the row header or, if the row header has no room, before the
    /// first total.
    var totalsTitle: String? { get }
    /// The name of the row's style class in the theme (``Theme/classes``); `nil` means no class.
    func styleClass(ofRow row: RowID) -> String?
    /// The symbol at the end of the row, if the grid shows such symbols (``GridMetrics/showsAccessories``).
    func accessory(ofRow row: RowID) -> Accessory
    /// The full text of a cell for editing and copying; `nil` if it is not available. The text of ``content(row:column:)`` may be
    /// truncated.
    func text(row: RowID, column: ColumnID) -> String?
    /// Stores the text that the user entered in a cell. The grid then reloads this cell. The source must report other changed cells to
    /// the grid.
    func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome
    /// Called before a frame is drawn or cells are copied. The source can fetch these rows and columns together, before the grid reads
    /// their cells.
    func willShow(rows: [RowID], columns: [ColumnID])
}

extension GridDataSource {
    /// Returns no columns, so that the grid keeps its columns.
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
    /// Returns `nil`: the header shows no scrolling text.
    public func scrollingTitle(ofSection section: Int) -> String? { nil }
    /// Returns 0: sections are not nested.
    public func level(ofSection section: Int) -> Int { 0 }
    /// Returns no columns: sections are not groups of column values.
    public var groupColumns: [ColumnID] { [] }
    /// Returns no aggregates, so that headers show none.
    public func aggregates(ofSection section: Int) -> [SectionAggregate] { [] }
    /// Returns `nil`: rows keep the order of the source.
    public var rowOrder: RowOrder? { nil }
    /// Does nothing: the source keeps its filters and groups.
    public func prepare(for view: SavedView) {}
    /// Does nothing: the source does not sort.
    public func sort(by keys: [ColumnSort]) {}
    /// Returns `false`: reading rows is fast.
    public var hasSlowRows: Bool { false }
    /// Does nothing: the source has no cached values.
    public func willReload() {}
    /// Does nothing: the source does not store the order of rows.
    public func didMove(rows: Range<Int>, to: Int) {}
    /// Returns “row” and “rows”.
    public var rowNoun: RowNoun { RowNoun() }
    /// Returns “No rows”, with the noun of ``rowNoun``.
    public var emptyText: String { "No \(rowNoun.many)" }
    /// Returns `nil`: the row number is shown.
    public func rowHeader(_ row: RowID) -> String? { nil }
    /// Returns `nil`: the corner is empty.
    public var corner: CellContent? { nil }
    /// Returns `nil`: the column has no total.
    public func total(column: ColumnID) -> CellContent? { nil }
    /// Returns “Σ”.
    public var totalsTitle: String? { "Σ" }
    /// Returns `nil`: the row has no class.
    public func styleClass(ofRow row: RowID) -> String? { nil }
    /// Returns ``Accessory/none``: the row has no symbol.
    public func accessory(ofRow row: RowID) -> Accessory { .none }
    /// Returns the text of ``content(row:column:)``.
    public func text(row: RowID, column: ColumnID) -> String? { content(row: row, column: column).text }
    /// Rejects the text, because cells of the source cannot be edited.
    public func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome { .rejected("This cell cannot be edited.") }
    /// Does nothing: the source fetches each cell when it is read.
    public func willShow(rows: [RowID], columns: [ColumnID]) {}
}

/// The noun for rows, in singular and plural.
public struct RowNoun: Hashable, Sendable {
    /// The singular, used for 1 row.
    public var one: String
    /// The plural, used for any other number of rows.
    public var many: String

    /// Creates a noun from its singular `one` and plural `many`.
    public init(_ one: String = "row", _ many: String = "rows") {
        self.one = one
        self.many = many
    }
}

/// For an object that is both data source and delegate, resolves the ambiguity between two default implementations.
extension GridDataSource where Self: GridInteractionDelegate {
    /// Does nothing: the object does not store the order of rows.
    public func didMove(rows: Range<Int>, to: Int) {}
}
