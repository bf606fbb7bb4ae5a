/// The delegate that styles a grid. As a ``GridInteractionDelegate``, it also receives the events of the grid. Every member is optional.
@MainActor
public protocol GridDelegate: GridInteractionDelegate {
    /// The style of a row, drawn over the style in the theme; `nil` changes nothing.
    func style(ofRow row: RowID) -> CellStyle?
    /// The style of a column's cells, drawn over the column's own style; `nil` changes nothing. The method is called once for each frame.
    func style(ofColumn column: ColumnID) -> CellStyle?
    /// The style of a rule, drawn over the style of rules in the theme; `nil` changes nothing.
    func style(ofRule rule: GridRule) -> CellStyle?
    /// The style of the rows in a section, drawn over the style of rows in the theme; `nil` changes nothing.
    func style(ofSection section: Int) -> CellStyle?
    /// The style of a section's header; `nil` means the style in the theme.
    func headerStyle(ofSection section: Int) -> CellStyle?
    /// The style of a cell, drawn over the styles of its row and column; `nil` changes nothing.
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle?
    /// The height of a row in lines; `nil` means the automatic or default height. The grid clamps it to its limits.
    ///
    /// The method is called only if heights are automatic or delegated. The height is cached until `reload()`. Reloading the cells of the
    /// row also discards an automatic height.
    func height(ofRow row: RowID) -> Int?
    /// The height of a row's card in lines, including its edge. `nil` means the height that its slots need, which is also the minimum.
    /// The limits for heights of rows apply. The method is called only if ``GridMetrics/hasDelegatedRowHeights`` is true, and its result
    /// is cached until `reload()`.
    ///
    /// A line of cards is as tall as its tallest card. The last text of a taller card wraps into the additional lines.
    func height(ofCard row: RowID) -> Int?
    /// The height of a section header in lines; `nil` means ``GridMetrics/sectionHeaderHeight``. The limits for heights of rows apply.
    /// The method is called only if ``GridMetrics/hasDelegatedRowHeights`` is true. Its result is cached until `reload()`, or until
    /// sections or their rows change.
    func height(ofSection section: Int) -> Int?
    /// The width of a standard or automatic column in terminal cells; `nil` means the computed width. The limits of the column and the grid
    /// apply. The method is called when columns are added and on reload (``GridState/updateWidths(from:)``).
    func width(ofColumn column: ColumnID) -> Int?
}

extension GridDelegate {
    /// Returns `nil`: the style does not change.
    public func style(ofRow row: RowID) -> CellStyle? { nil }
    /// Returns `nil`: the style does not change.
    public func style(ofColumn column: ColumnID) -> CellStyle? { nil }
    /// Returns `nil`: the style does not change.
    public func style(ofRule rule: GridRule) -> CellStyle? { nil }
    /// Returns `nil`: the style does not change.
    public func style(ofSection section: Int) -> CellStyle? { nil }
    /// Returns `nil`: the header has the style in the theme.
    public func headerStyle(ofSection section: Int) -> CellStyle? { nil }
    /// Returns `nil`: the style does not change.
    public func style(ofRow row: RowID, column: ColumnID) -> CellStyle? { nil }
    /// Returns `nil`: the row has its automatic or default height.
    public func height(ofRow row: RowID) -> Int? { nil }
    /// Returns `nil`: the card is as tall as its slots need.
    public func height(ofCard row: RowID) -> Int? { nil }
    /// Returns `nil`: the header has the height ``GridMetrics/sectionHeaderHeight``.
    public func height(ofSection section: Int) -> Int? { nil }
    /// Returns `nil`: the grid computes the width.
    public func width(ofColumn column: ColumnID) -> Int? { nil }
}
