/// What an application says about a grid's looks, and, as a ``GridInteractionDelegate``, about what happens in it. Every member is optional.
@MainActor
public protocol GridDelegate: GridInteractionDelegate {
    /// The style layer of a row.
    func style(ofRow row: RowID) -> CellStyle?
    /// The style layer of a column's cells, over the one the column has itself; asked once for a frame.
    func style(ofColumn column: ColumnID) -> CellStyle?
    /// The style layer of a line, over the theme's style of all lines.
    func style(ofLine line: GridLine) -> CellStyle?
    /// The style layer of a section's rows.
    func style(ofSection section: Int) -> CellStyle?
    /// The style of a section's header.
    func headerStyle(ofSection section: Int) -> CellStyle?
    /// The style layer of a cell.
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle?
    /// The lines of a row, where heights are automatic or delegated; kept within the grid's limits. `nil`: as many as its content needs, or
    /// as all rows have. Asked of rows in sight and next to them, and remembered for some screens: again by `reload()` and, where content decides
    /// over heights, with the cells of the row.
    func height(ofRow row: RowID) -> Int?
    /// The lines of a section's header, where ``GridMetrics/hasDelegatedRowHeights``; kept within the limits that rows have. `nil`: as many as
    /// all headers have (``GridMetrics/sectionHeaderHeight``). Asked of sections in sight and next to them, and
    /// remembered: again by `reload()`, and where sections are others or their rows come and go.
    func height(ofSection section: Int) -> Int?
    /// The terminal cells of a column that has no width of its own or an automatic one; kept within the limits of the column and the grid.
    /// `nil`: as many as follow from its content, the frame, or the width that all have. Asked when columns come and when the grid reloads
    /// (``GridState/updateWidths(from:)``).
    func width(ofColumn column: ColumnID) -> Int?
}

extension GridDelegate {
    /// No layer of its own.
    public func style(ofRow row: RowID) -> CellStyle? { nil }
    /// No layer of its own.
    public func style(ofColumn column: ColumnID) -> CellStyle? { nil }
    /// As all lines.
    public func style(ofLine line: GridLine) -> CellStyle? { nil }
    /// No layer of its own.
    public func style(ofSection section: Int) -> CellStyle? { nil }
    /// The theme's style for headers.
    public func headerStyle(ofSection section: Int) -> CellStyle? { nil }
    /// No layer of its own.
    public func style(ofRow row: RowID, column: ColumnID) -> CellStyle? { nil }
    /// As high as the content.
    public func height(ofRow row: RowID) -> Int? { nil }
    /// As high as all headers.
    public func height(ofSection section: Int) -> Int? { nil }
    /// As wide as the content.
    public func width(ofColumn column: ColumnID) -> Int? { nil }
}
