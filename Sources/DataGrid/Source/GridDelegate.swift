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
    /// The lines of a row, within the grid's limits, where heights are automatic or delegated; `nil`: as its content needs, or as all rows
    /// have. Remembered until `reload()` and, for automatic heights, until the cells of the row are asked for again.
    func height(ofRow row: RowID) -> Int?
    /// The lines of a section header, within the limits of rows, where ``GridMetrics/hasDelegatedRowHeights``; `nil`:
    /// ``GridMetrics/sectionHeaderHeight``. Remembered until `reload()` and until sections or their rows change.
    func height(ofSection section: Int) -> Int?
    /// The terminal cells of a standard or automatic column, within its limits and the grid's; `nil`: computed. Asked when columns come and
    /// when the grid reloads (``GridState/updateWidths(from:)``).
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
