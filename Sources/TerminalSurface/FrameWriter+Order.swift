/// The order in which the changed cells of a row are drawn.
///
/// Drawing from left to right is shortest for text of one style. In a table row, the styles of numbers, text and vertical lines
/// alternate. Setting a color takes up to 19 bytes, and moving over cells of another style only 3 to 5. All cells of one style are then
/// drawn before the next style.
extension FrameWriter {
    /// The number of style changes in a row from which the order by style is also tried.
    private static let minimumStyleChanges = 3
    /// The limits for drawing by style: groups of cells in a row, and styles. Tables rarely have more, and sorting more would cost more
    /// time than it saves.
    private static let pieceLimit = 128
    private static let styleLimit = 8

    /// Draws the changed cells of one row, either from left to right or style by style, whichever takes fewer bytes.
    mutating func drawRow(_ runs: ArraySlice<FrameDiff.Run>, _ cells: UnsafeBufferPointer<ScreenCell>, isFresh: Bool) {
        guard let lastChange = runs.last?.columns.upperBound else { return }
        let before = (x: x, y: y, style: style, changes: styleChanges)
        let start = bytes.count
        draw(runs, cells, isFresh: isFresh, lastChange: lastChange)
        guard styleChanges - before.changes >= Self.minimumStyleChanges, let pieces = pieces(of: runs, cells, first: before.style) else {
            return
        }
        let after = (x: x, y: y, style: style)
        let middle = bytes.count
        (x, y, style) = (before.x, before.y, before.style)
        draw(pieces, cells, isFresh: isFresh, lastChange: lastChange)
        if bytes.count - middle < middle - start {
            bytes.removeSubrange(start..<middle)
        } else {
            bytes.removeSubrange(middle...)
            (x, y, style) = after
        }
    }

    /// The changed cells, split where the style changes and sorted by style: first the active style, then other styles in order of
    /// appearance. `nil` if there are too many, or if no style occurs twice.
    private func pieces(
        of runs: ArraySlice<FrameDiff.Run>, _ cells: UnsafeBufferPointer<ScreenCell>, first: ScreenStyle?
    ) -> [FrameDiff.Run]? {
        var groups: [(style: ScreenStyle, pieces: [FrameDiff.Run])] = first.map { [($0, [])] } ?? []
        var count = 0
        for run in runs {
            var column = run.columns.lowerBound
            while column < run.columns.upperBound {
                let piece = piece(at: column, before: run.columns.upperBound, cells)
                let group = groups.firstIndex { piece.isBlank ? $0.style.canWrite(blank: piece.style) : $0.style == piece.style }
                let part = FrameDiff.Run(row: run.row, columns: column..<piece.end)
                if let group { groups[group].pieces.append(part) } else { groups.append((piece.style, [part])) }
                count += 1
                guard count <= Self.pieceLimit, groups.count <= Self.styleLimit else { return nil }
                column = piece.end
            }
        }
        guard groups.count < count else { return nil }
        return groups.flatMap(\.pieces)
    }

    /// The cells from `column` onwards that are drawn in one style, including blanks between them. More than two blanks before text of
    /// another style are drawn separately, in any style that looks the same on blanks.
    private func piece(at column: Int, before limit: Int, _ cells: UnsafeBufferPointer<ScreenCell>) -> (
        style: ScreenStyle, end: Int, isBlank: Bool
    ) {
        let style = cells[column].style
        guard !cells[column].isBlank else {
            var end = column + 1
            while end < limit, cells[end] == cells[column] { end += 1 }
            return (style, end, true)
        }
        var end = column + 1
        var lastText = end
        while end < limit {
            if cells[end].isBlank, style.canWrite(blank: cells[end].style) {
                end += 1
            } else if cells[end].style == style {
                end += 1
                lastText = end
            } else {
                break
            }
        }
        // Writing one or two blanks now takes fewer bytes than moving the cursor to them later.
        return (style, end - lastText > 2 && end < limit ? lastText : end, false)
    }
}
