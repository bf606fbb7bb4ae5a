import DataGrid
import FieldValues

extension [Column] {
    /// The minimum width of a narrowed text column, in terminal cells.
    private static let narrowTextWidth = 17
    /// The maximum width of a text column that is not on the first screen.
    private static let offscreenTextWidth = 60

    /// Narrows wide text columns, so that as many columns as possible are completely visible on the first screen. Narrows them only as far
    /// as necessary, and not below ``narrowTextWidth``. Text columns that do not fit on the first screen are limited to
    /// ``offscreenTextWidth``.
    /// - Parameters:
    ///   - room: the width that is available for columns, in terminal cells.
    ///   - spacing: the space between two columns, in terminal cells.
    mutating func narrowTexts(room: Int, spacing: Int) {
        func isText(_ column: Column) -> Bool { column.kind == .text && column.width == .automatic }
        var (shown, fullWidth, narrowedWidth) = ([Index](), 0, -spacing)
        defer {
            for index in indices.dropFirst((shown.last ?? -1) + 1) where isText(self[index]) {
                // Assign only if the width changes: most columns are narrow, and an assignment copies the array.
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
