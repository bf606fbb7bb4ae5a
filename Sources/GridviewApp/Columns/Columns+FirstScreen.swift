import DataGrid
import FieldValues

extension [Column] {
    /// The minimum width of text columns that are narrowed to show more columns on the first screen, in terminal cells.
    private static let narrowTextWidth = 17
    /// The maximum initial width of a text column beyond the first screen, in terminal cells.
    private static let offscreenTextWidth = 60

    /// Narrows wide text columns so that as many columns as possible fit on the first screen.
    ///
    /// Narrows them only as much as necessary, and not below ``narrowTextWidth``. Text columns beyond the first screen get at most
    /// ``offscreenTextWidth``.
    /// - Parameters:
    ///   - room: the total width for columns, in terminal cells.
    ///   - spacing: the space between two columns, in terminal cells.
    mutating func narrowTextColumns(room: Int, spacing: Int) {
        func isText(_ column: Column) -> Bool { column.kind == .text && column.width == .automatic }
        var (shown, fullWidth, narrowedWidth) = ([Index](), 0, -spacing)
        defer {
            for index in indices.dropFirst((shown.last ?? -1) + 1) where isText(self[index]) {
                // Assign a width only to columns that are too wide, because an assignment copies the array.
                if self[index].measuredWidth > Self.offscreenTextWidth { self[index].measuredWidth = Self.offscreenTextWidth }
            }
        }
        for index in indices where !self[index].isHidden {
            guard self[index].width == .automatic else { return }
            let width = self[index].measuredWidth
            narrowedWidth += spacing + (isText(self[index]) ? Swift.min(width, Self.narrowTextWidth) : width)
            if narrowedWidth > room { break }
            shown.append(index)
            fullWidth += spacing + width
        }
        var excess = fullWidth - spacing - room
        while excess > 0 {
            let texts = shown.filter { isText(self[$0]) }
            guard let widest = texts.max(by: { self[$0].measuredWidth < self[$1].measuredWidth }) else { return }
            self[widest].measuredWidth -= 1
            excess -= 1
        }
    }
}
