/// The delegate that styles a grid. As a ``GridInteractionDelegate``, it also receives the events of the grid. Every member is optional.
@MainActor
public protocol GridDelegate: GridInteractionDelegate {
    /// The style layer of a row.
    func style(ofRow row: RowID) -> CellStyle?
    /// The style layer of a column's cells, over the column's own style. The method is called once per frame.
    func style(ofColumn column: ColumnID) -> CellStyle?
    /// The style layer of a rule, over the theme's style of rules.
    func style(ofRule rule: GridRule) -> CellStyle?
    /// The style layer of a section's rows.
    func style(ofSection section: Int) -> CellStyle?
    /// The style of a section's header.
    func headerStyle(ofSection section: Int) -> CellStyle?
    /// The style layer of a cell.
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle?
    /// The height of a row in lines; `nil` means the automatic or common height. The grid clamps it to its limits. It is requested only if
    /// heights are automatic or delegated. It is cached until `reload()`; automatic heights also until the row's cells are reloaded.
    func height(ofRow row: RowID) -> Int?
    /// The height of a row's card in lines, including its edge. `nil` means the height of its slots, which is also the minimum. The limits
    /// of rows apply. It is requested only if ``GridMetrics/hasDelegatedRowHeights`` is true, and is cached until `reload()`.
    ///
    /// A line of cards is as tall as its tallest card. The last text of a taller card wraps into the additional lines.
    func height(ofCard row: RowID) -> Int?
    /// The height of a section header in lines; `nil` means ``GridMetrics/sectionHeaderHeight``. The limits of rows apply. It is requested
    /// only if ``GridMetrics/hasDelegatedRowHeights`` is true. It is cached until `reload()`, or until sections or their rows change.
    func height(ofSection section: Int) -> Int?
    /// The width of a standard or automatic column in terminal cells; `nil` means the computed width. The limits of the column and the grid
    /// apply. The method is called when columns are added and on reload (``GridState/updateWidths(from:)``).
    func width(ofColumn column: ColumnID) -> Int?
}

extension GridDelegate {
    /// Returns `nil`: no layer.
    public func style(ofRow row: RowID) -> CellStyle? { nil }
    /// Returns `nil`: no layer.
    public func style(ofColumn column: ColumnID) -> CellStyle? { nil }
    /// Returns `nil`: no layer.
    public func style(ofRule rule: GridRule) -> CellStyle? { nil }
    /// Returns `nil`: no layer.
    public func style(ofSection section: Int) -> CellStyle? { nil }
    /// Returns `nil`: the theme's style of headers.
    public func headerStyle(ofSection section: Int) -> CellStyle? { nil }
    /// Returns `nil`: no layer.
    public func style(ofRow row: RowID, column: ColumnID) -> CellStyle? { nil }
    /// Returns `nil`: the automatic or common height.
    public func height(ofRow row: RowID) -> Int? { nil }
    /// Returns `nil`: the common height of cards.
    public func height(ofCard row: RowID) -> Int? { nil }
    /// Returns `nil`: the common height of section headers.
    public func height(ofSection section: Int) -> Int? { nil }
    /// Returns `nil`: the computed width.
    public func width(ofColumn column: ColumnID) -> Int? { nil }
}
