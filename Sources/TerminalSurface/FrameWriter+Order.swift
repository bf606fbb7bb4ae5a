/// The drawing order of the changes in a row.
///
/// Drawing from left to right is shortest for text of one style. In a table row, numbers, text and rules alternate. Setting a color takes
/// up to 19 bytes, and moving over cells of another style 3 to 5 bytes. Such a row is drawn style by style.
extension FrameWriter {
    /// The minimum number of style changes in a row that justifies a second attempt.
    private static let minimumStyleChanges = 3
    /// The maximum number of pieces and styles. Tables do not have more, and sorting more would cost more time than it saves.
    private static let pieceLimit = 128
    private static let styleLimit = 8

    /// Draws the runs of one row, in the shorter of the two orders.
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

    /// The runs, split into pieces of one style and grouped by style: first the active style, then the others in order of appearance. `nil`
    /// if there are too many pieces or styles, or if no style occurs twice.
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
    /// another style are a separate piece, which can be drawn in any style that looks the same on blanks.
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
        // One or two blanks are shorter here than a cursor move to them later.
        return (style, end - lastText > 2 && end < limit ? lastText : end, false)
    }
}
