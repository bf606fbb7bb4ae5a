/// Where a grid's content comes from. It knows nothing of style: where looks depend on what something is, it gives that a name.
///
/// A grid asks only for what it is about to show.
@MainActor
public protocol GridDataSource: AnyObject {
    /// The number of rows in a section, sections counted from 0. Not asked of sections that hold others: those have the rows of these.
    func numberOfRows(inSection section: Int) -> Int
    /// The content of a cell.
    func content(row: RowID, column: ColumnID) -> CellContent

    /// The number of sections; 1 unless said otherwise. A single section without a title has no header.
    var numberOfSections: Int { get }
    /// What the header of a section says at its left, where it never moves.
    func title(ofSection section: Int) -> String?
    /// What the header of a section says in the part that scrolls with the columns, from the first of these on. Asked when it is in sight.
    func movingTitle(ofSection section: Int) -> String?
    /// How deep a section is nested: 0 for the outermost, and at most one more than the section before it. A section of level 1 is within the
    /// last one of level 0 before it.
    func level(ofSection section: Int) -> Int
    /// The columns by whose values the sections of each level are made, the outermost first; empty: sections are made of something else. A view
    /// knows groups by them (``SavedView/grouping``), and only what is grouped by the same columns stays collapsed. Asked by a reload.
    var groupColumns: [ColumnID] { get }
    /// What the header of a section tells about the rows below it. Asked when it is in sight.
    func aggregates(ofSection section: Int) -> [SectionAggregate]
    /// Which row stands at which position, all sections in one; `nil`: rows are numbered in the order in which they stand.
    var rowOrder: RowOrder? { get }
    /// A view is about to come back: the source brings its rows into the filters and the groups that it has (``SavedView/filters``,
    /// ``SavedView/grouping``), and the grid takes them. It is asked for their order next; what the view says of positions and of collapsed sections
    /// is put back afterwards (``GridAction/restore(_:)``).
    func prepare(for view: SavedView)
    /// A person has asked for another order, or a view that has one comes back: the source brings its rows into it, and the grid takes them.
    /// What the view says of positions is put back afterwards (``GridAction/restore(_:)``).
    func sort(by keys: [SortDescriptor])
    /// Whether rows that are not in sight take a while to read. Columns are then fitted to what is in sight, and to no further rows.
    var readsSlowly: Bool { get }
    /// A grid is about to ask for everything anew: sums and the like that the source keeps are to be taken anew, too.
    func willReload()
    /// The rows at these positions have been moved by hand, so that the first of them stands at `to`.
    func didMove(rows: Range<Int>, to: Int)
    /// What a row is called where rows are counted, as in the headers of sections: “3 contacts” rather than “3 rows”.
    var rowNoun: RowNoun { get }
    /// What the row header says; `nil`: the row's number.
    func rowHeader(_ row: RowID) -> String?
    /// What stands in the corner above the row header; `nil`: nothing.
    var corner: CellContent? { get }
    /// What the row of totals says about a column; `nil`: nothing. Asked anew when any cell has changed.
    func total(column: ColumnID) -> CellContent?
    /// What the row of totals is called; it stands in the row header or, where there is no room, before the first total.
    var totalsTitle: String? { get }
    /// What kind of row it is, by a name whose looks the theme has (``Theme/classes``); `nil`: a row like any other.
    func styleClass(ofRow row: RowID) -> String?
    /// What stands at the row's end, where the grid shows accessories (``GridMetrics/showsAccessories``).
    func accessory(ofRow row: RowID) -> Accessory
    /// The whole text of a cell, to be edited or copied, where ``content(row:column:)`` gives no more than can be shown; `nil`: it cannot be had.
    func text(row: RowID, column: ColumnID) -> String?
    /// Takes what was typed into a cell. The cell is asked for anew; of others that follow from it the source tells the grid.
    func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome
    /// Told before a frame or a copy which rows and columns it will ask for, so that a source can fetch them at once.
    func willShow(rows: [RowID], columns: [ColumnID])
}

extension GridDataSource {
    /// One section.
    public var numberOfSections: Int { 1 }
    /// No title: the section has no header.
    public func title(ofSection section: Int) -> String? { nil }
    /// Nothing that scrolls.
    public func movingTitle(ofSection section: Int) -> String? { nil }
    /// All sections are side by side.
    public func level(ofSection section: Int) -> Int { 0 }
    /// Sections are made of no columns.
    public var groupColumns: [ColumnID] { [] }
    /// Nothing is told.
    public func aggregates(ofSection section: Int) -> [SectionAggregate] { [] }
    /// Rows are numbered in the order in which they stand.
    public var rowOrder: RowOrder? { nil }
    /// Nothing: filters and groups are somebody else's business.
    public func prepare(for view: SavedView) {}
    /// Nothing: the order is somebody else's business.
    public func sort(by keys: [SortDescriptor]) {}
    /// No.
    public var readsSlowly: Bool { false }
    /// Nothing: nothing is kept.
    public func willReload() {}
    /// Nothing: the order is the grid's alone.
    public func didMove(rows: Range<Int>, to: Int) {}
    /// “Row” and “rows”.
    public var rowNoun: RowNoun { RowNoun() }
    /// The row's number.
    public func rowHeader(_ row: RowID) -> String? { nil }
    /// Nothing.
    public var corner: CellContent? { nil }
    /// Nothing.
    public func total(column: ColumnID) -> CellContent? { nil }
    /// A sign for sums.
    public var totalsTitle: String? { "Σ" }
    /// A row like any other.
    public func styleClass(ofRow row: RowID) -> String? { nil }
    /// Nothing.
    public func accessory(ofRow row: RowID) -> Accessory { .none }
    /// The text that is shown.
    public func text(row: RowID, column: ColumnID) -> String? { content(row: row, column: column).text }
    /// Takes nothing.
    public func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome { .rejected("This cannot be changed.") }
    /// Fetches nothing ahead.
    public func willShow(rows: [RowID], columns: [ColumnID]) {}
}

/// What a row is called, for one and for any other number.
public struct RowNoun: Hashable, Sendable {
    /// Behind a 1.
    public var one: String
    /// Behind any other number.
    public var many: String

    /// `one` and `many` of something.
    public init(_ one: String = "row", _ many: String = "rows") {
        self.one = one
        self.many = many
    }
}

/// What both protocols have, so that one object can be data source and delegate.
extension GridDataSource where Self: GridInteractionDelegate {
    /// Nothing: the order is the grid's alone.
    public func didMove(rows: Range<Int>, to: Int) {}
}
