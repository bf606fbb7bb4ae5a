/// The layers under a grid cell, from the lowest to the highest; what is `nil` is not there.
///
/// Precedence is the order of the members: cell (delegate) > theme class > row (delegate), section, column. Header cells use the header style
/// alone.
public struct StyleLayers: Hashable, Sendable {
    /// The theme's style of all rows.
    public var row: CellStyle?
    /// The theme's style of every second row of a section; not used for cards.
    public var alternateRow: CellStyle?
    /// The column's own style (``Column/style``).
    public var column: CellStyle?
    /// The delegate's style of the column.
    public var delegateColumn: CellStyle?
    /// The delegate's style of the section's rows.
    public var section: CellStyle?
    /// The delegate's style of the row.
    public var delegateRow: CellStyle?
    /// The theme's style of the row's class.
    public var rowClass: CellStyle?
    /// The theme's style of the cell's class.
    public var cellClass: CellStyle?
    /// The delegate's style of the cell.
    public var delegateCell: CellStyle?
    /// A row of which something has just changed.
    public var rowHighlight: CellStyle?
    /// A value that has just changed.
    public var highlight: CellStyle?
    /// The theme's tint of selected cells.
    public var selection: CellStyle?
    /// What the row's class has of its own where it is selected.
    public var selectedRowClass: CellStyle?
    /// What the cell's class has of its own where it is selected.
    public var selectedCellClass: CellStyle?
    /// The cell under the cursor. Whatever is beneath, its text can be read.
    public var cursor: CellStyle?

    /// No layers.
    public init() {}

    /// The style that results.
    /// - Parameters:
    ///   - blending: whether colours that let others through are mixed with them; if not, the strongest layer has each colour.
    ///   - base: what lies beneath everything: the terminal's own colours, as far as they are known.
    public func resolved(blending: Bool, base: CellStyle = .none) -> CellStyle {
        var style = CellStyle.none
        func add(_ layer: CellStyle?) {
            if let layer { style.lay(layer, blending: blending, base: base) }
        }
        add(row)
        add(alternateRow)
        add(column)
        add(delegateColumn)
        add(section)
        add(delegateRow)
        add(rowClass)
        add(cellClass)
        add(delegateCell)
        add(rowHighlight)
        add(highlight)
        add(selection)
        add(selectedRowClass)
        add(selectedCellClass)
        guard let cursor else { return style }
        return style.underCursor(cursor, row: row, blending: blending, base: base)
    }
}

extension CellStyle {
    /// Contrast that is enough to read by (WCAG 2.1).
    private static let readableContrast = 4.5

    /// This style with that of the cursor over it, such that its text can be read.
    ///
    /// A cursor that exchanges the colours and brings one of them has the theme's ground as its text, not those of the layers beneath: it looks alike
    /// wherever it is. Where a cursor brings one colour and the text that results cannot be read, one of `base` stands in for it, or black or
    /// white.
    func underCursor(_ cursor: CellStyle, row: CellStyle?, blending: Bool, base: CellStyle) -> CellStyle {
        var style = self
        if cursor.traits.contains(.reverse), cursor.foreground != nil, cursor.background == nil {
            style.background = row?.background == nil ? nil : base.background ?? row?.background
        }
        style.lay(cursor, blending: blending, base: base)
        guard (cursor.foreground == nil) != (cursor.background == nil) else { return style }
        let isReversed = style.traits.contains(.reverse)
        let (text, ground) = isReversed ? (\CellStyle.background, \CellStyle.foreground) : (\.foreground, \.background)
        guard let drawn = style[keyPath: text] ?? base[keyPath: text], let behind = style[keyPath: ground] ?? base[keyPath: ground],
            drawn.contrast(with: behind) < Self.readableContrast
        else { return style }
        let known = [base.background, base.foreground].compactMap { $0 }.first { $0.contrast(with: behind) >= Self.readableContrast }
        style[keyPath: text] = known ?? (behind.contrast(with: .black) > behind.contrast(with: .white) ? .black : .white)
        return style
    }
}

extension Color {
    fileprivate static let black = Color(0x000000)
    fileprivate static let white = Color(0xffffff)
}
