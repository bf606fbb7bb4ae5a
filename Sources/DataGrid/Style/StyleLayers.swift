/// The style layers of a grid cell, from the lowest to the highest; `nil` means no layer.
///
/// A later member takes precedence: a cell style of the delegate over theme classes, and these over the delegate's row, section and column
/// styles. Header cells use only the header style.
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
    /// The style of a row that changed recently.
    public var rowHighlight: CellStyle?
    /// The style of a value that changed recently.
    public var highlight: CellStyle?
    /// The theme's tint of selected cells.
    public var selection: CellStyle?
    /// The row class's style in selected cells.
    public var selectedRowClass: CellStyle?
    /// The cell class's style in selected cells.
    public var selectedCellClass: CellStyle?
    /// The style of the cell under the cursor. Text stays readable over any other layer.
    public var cursor: CellStyle?

    /// Creates a value without layers.
    public init() {}

    /// Returns the combined style.
    /// - Parameters:
    ///   - blending: true to mix translucent colors with the colors below; otherwise the highest layer determines each color.
    ///   - base: the terminal's default colors, if known.
    public func resolved(blending: Bool, base: CellStyle = .none) -> CellStyle {
        var style = CellStyle.none
        func add(_ layer: CellStyle?) {
            if let layer { style.apply(layer, blending: blending, base: base) }
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
    /// The minimum contrast of readable text (WCAG 2.1).
    private static let readableContrast = 4.5

    /// Returns this style with a decoration over it, such as an accessory. If the decoration is not readable, it has the color of the text.
    package func decorated(with decoration: CellStyle, blending: Bool, base: CellStyle) -> CellStyle {
        var style = applying(decoration, blending: blending, base: base)
        guard let drawn = style.foreground, let behind = style.background ?? base.background, decoration.background == nil,
            drawn.contrast(with: behind) < Self.readableContrast
        else { return style }
        style.foreground = foreground ?? base.foreground
        return style
    }

    /// Returns this style under the cursor style, with readable text.
    ///
    /// A reversed cursor that sets only the foreground has the theme's background as its text color. It therefore looks the same over all
    /// layers. If the cursor sets only one color and the text is not readable, a color of `base`, black or white becomes the text color.
    func underCursor(_ cursor: CellStyle, row: CellStyle?, blending: Bool, base: CellStyle) -> CellStyle {
        var style = self
        if cursor.traits.contains(.reverse), cursor.foreground != nil, cursor.background == nil {
            style.background = row?.background == nil ? nil : base.background ?? row?.background
        }
        style.apply(cursor, blending: blending, base: base)
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
