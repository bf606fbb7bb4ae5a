/// The styles that are drawn over one another in a grid cell, from the lowest to the highest; `nil` means no style.
///
/// Each style overrides the styles declared before it. For example, ``delegateCell`` overrides ``cellClass``, and ``rowClass`` overrides
/// ``delegateRow``. Header cells use only the header style.
public struct StyleLayers: Hashable, Sendable {
    /// The style in the theme for all rows.
    public var row: CellStyle?
    /// The style in the theme for every second row of a section; not used for cards.
    public var alternateRow: CellStyle?
    /// The column's own style (``Column/style``).
    public var column: CellStyle?
    /// The style that the delegate returns for the column.
    public var delegateColumn: CellStyle?
    /// The style that the delegate returns for the rows of the section.
    public var section: CellStyle?
    /// The style that the delegate returns for the row.
    public var delegateRow: CellStyle?
    /// The style in the theme for the class of the row.
    public var rowClass: CellStyle?
    /// The style in the theme for the class of the cell.
    public var cellClass: CellStyle?
    /// The style that the delegate returns for the cell.
    public var delegateCell: CellStyle?
    /// The highlight of a row that changed recently.
    public var rowHighlight: CellStyle?
    /// The highlight of a value that changed recently.
    public var highlight: CellStyle?
    /// The style in the theme for selected cells.
    public var selection: CellStyle?
    /// The style of the row's class for selected cells (``ThemeClass/selected``).
    public var selectedRowClass: CellStyle?
    /// The style of the cell's class for selected cells (``ThemeClass/selected``).
    public var selectedCellClass: CellStyle?
    /// The style of the cell under the cursor. It keeps the text readable over any style below.
    public var cursor: CellStyle?

    /// Creates a value without styles.
    public init() {}

    /// Returns the style that results from drawing all styles over one another.
    /// - Parameters:
    ///   - blending: true to mix translucent colors with the colors below. If false, each color comes from the highest style that
    ///     sets it.
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

    /// Returns this style with a decoration over it, such as the symbol at the end of a row. If the decoration would not be readable, it
    /// gets the color of the text.
    package func decorated(with decoration: CellStyle, blending: Bool, base: CellStyle) -> CellStyle {
        var style = applying(decoration, blending: blending, base: base)
        guard let drawn = style.foreground, let behind = style.background ?? base.background, decoration.background == nil,
            drawn.contrast(with: behind) < Self.readableContrast
        else { return style }
        style.foreground = foreground ?? base.foreground
        return style
    }

    /// Returns the style of a cell with the cursor style over it. The text stays readable.
    ///
    /// A reversed cursor style that sets only a foreground shows its text in the theme's background color. Such a cursor looks the same
    /// over all styles. If the cursor style sets only one color and the text would not be readable, the text gets a color of `base`, or
    /// black or white.
    func underCursor(_ cursor: CellStyle, row: CellStyle?, blending: Bool, base: CellStyle) -> CellStyle {
        var style = self
        if cursor.traits.contains(.reverse), cursor.foreground != nil, cursor.background == nil {
            style.background = row?.background == nil ? nil : base.background ?? row?.background
        }
        style.apply(cursor, blending: blending, base: base)
        guard (cursor.foreground == nil) != (cursor.background == nil) else { return style }
        let isReversed = style.traits.contains(.reverse)
        let (front, back) = isReversed ? (\CellStyle.background, \CellStyle.foreground) : (\.foreground, \.background)
        guard let drawn = style[keyPath: front] ?? base[keyPath: front], let behind = style[keyPath: back] ?? base[keyPath: back],
            drawn.contrast(with: behind) < Self.readableContrast
        else { return style }
        let known = [base.background, base.foreground].compactMap { $0 }.first { $0.contrast(with: behind) >= Self.readableContrast }
        style[keyPath: front] = known ?? (behind.contrast(with: .black) > behind.contrast(with: .white) ? .black : .white)
        return style
    }
}

extension Color {
    fileprivate static let black = Color(0x000000)
    fileprivate static let white = Color(0xffffff)
}
