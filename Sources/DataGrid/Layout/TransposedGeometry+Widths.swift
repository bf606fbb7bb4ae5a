/// The widths of rows and of column names in a transposed grid.
extension TransposedGeometry {
    /// The limits in terminal cells of a row width that depends on content: wide enough for a row header, narrow enough for several rows.
    private static let automaticWidthRange = 8...32

    /// The width of each row in terminal cells: the width that is set for all rows, or the width of the widest column; at most `room`.
    ///
    /// The limits for columns of a table apply to a width that is not set. O(columns).
    static func rowWidth(_ state: GridState, room: Int) -> Int {
        let metrics = state.metrics
        if let width = metrics.transposedRowWidth { return width.clamped(to: 1...room) }
        let share = Int(Double(room) * metrics.maximumColumnFraction)
        // Limit the width so that two rows fit next to the band that marks a section.
        let half = state.outline.tree == nil ? share : (room - TransposedItems.bandWidth) / 2 - max(0, metrics.columnSpacing)
        let limit = metrics.maximumColumnWidth ?? min(share, half).clamped(to: automaticWidthRange)
        var widest = min(automaticWidthRange.lowerBound, metrics.maximumColumnWidth.map { max(1, $0) } ?? .max)
        for place in state.columns.visiblePlaces {
            let column = state.columns.all[place]
            let minimum = column.minimumWidth ?? metrics.minimumColumnWidth
            let maximum = max(minimum, column.maximumWidth ?? limit)
            let width =
                switch column.width {
                case .fixed(let width): width
                case .fraction(let fraction):
                    max(minimum, Int(Double(room) * fraction.clamped(to: 0...1))).clamped(
                        to: minimum...max(minimum, column.maximumWidth ?? .max))
                case .standard where column.delegatedWidth == nil && metrics.defaultColumnWidth != nil,
                    .automatic where column.contentWidth == 0 && metrics.defaultColumnWidth != nil:
                    max(minimum, metrics.defaultColumnWidth ?? 0).clamped(to: minimum...max(minimum, column.maximumWidth ?? .max))
                case .standard, .automatic, .flexible: column.contentWidth.clamped(to: minimum...maximum)
                }
            widest = max(widest, width)
        }
        return min(room, widest)
    }

    /// The width of the column names in terminal cells, even if the names are scrolled out of view.
    static func titleWidth(_ state: GridState) -> Int {
        let frame = state.size.width
        if let width = state.metrics.titleWidth { return max(0, min(width, frame * 2 / 3)) }
        let widest = state.columns.visible.map { approximateWidth(of: $0.title) + width(besideNameOf: $0) }.max() ?? 0
        return min(widest + 2, max(1, frame / 3), max(0, frame - 1))
    }

    /// The approximate width of a string in terminal cells: 2 for each character from U+1100 onward, 1 for others.
    private static func approximateWidth(of text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) } }

    /// The width in terminal cells of the symbol and the header item next to a column name, including blanks.
    private static func width(besideNameOf column: Column) -> Int {
        let accessory = column.accessory == .none ? 0 : 2
        switch column.headerItem?.item {
        case .icon(let icon): return approximateWidth(of: icon.glyph) + 1 + accessory
        case nil: return accessory
        default: return min(approximateWidth(of: column.headerItem?.text ?? ""), 12) + 1 + accessory
        }
    }
}
