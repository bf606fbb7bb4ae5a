/// The order in which the changed cells of a row are drawn.
///
/// Drawing from left to right is shortest for text of one style. In a table row, the styles of numbers, text and vertical lines alternate.
/// Setting a color takes up to 19 bytes, and moving over cells of another style only 3 to 5. Therefore, it can be shorter to draw all cells
/// of one style before the cells of the next style.
extension FrameWriter {
    /// The minimum number of style changes in a row for which drawing style by style is also tried.
    private static let minimumStyleChanges = 3
    /// The maximum number of ``segments(of:_:first:)`` in a row that is drawn by style. Rows of tables rarely have more, and sorting more
    /// segments would cost more time than it saves.
    private static let segmentLimit = 128
    /// The maximum number of styles in a row that is drawn by style.
    private static let styleLimit = 8

    /// Draws the changed cells of one row, either from left to right or style by style, whichever takes fewer bytes.
    mutating func drawRow(_ runs: ArraySlice<FrameDiff.Run>, _ cells: UnsafeBufferPointer<ScreenCell>, isFresh: Bool) {
        guard let lastChange = runs.last?.columns.upperBound else { return }
        let before = (x: x, y: y, style: style, changes: styleChanges)
        let start = bytes.count
        draw(runs, cells, isFresh: isFresh, lastChange: lastChange)
        guard styleChanges - before.changes >= Self.minimumStyleChanges, let segments = segments(of: runs, cells, first: before.style)
        else { return }
        let after = (x: x, y: y, style: style)
        let middle = bytes.count
        (x, y, style) = (before.x, before.y, before.style)
        draw(segments, cells, isFresh: isFresh, lastChange: lastChange)
        if bytes.count - middle < middle - start {
            bytes.removeSubrange(start..<middle)
        } else {
            bytes.removeSubrange(middle...)
            (x, y, style) = after
        }
    }

    /// The changed cells, split where the style changes and sorted by style: first the active style, then other styles in order of
    /// appearance. `nil` if there are too many segments or styles, or if no style occurs twice.
    private func segments(
        of runs: ArraySlice<FrameDiff.Run>, _ cells: UnsafeBufferPointer<ScreenCell>, first: ScreenStyle?
    ) -> [FrameDiff.Run]? {
        var groups: [(style: ScreenStyle, segments: [FrameDiff.Run])] = first.map { [($0, [])] } ?? []
        var count = 0
        for run in runs {
            var column = run.columns.lowerBound
            while column < run.columns.upperBound {
                let segment = segment(at: column, before: run.columns.upperBound, cells)
                let group = groups.firstIndex { segment.isBlank ? $0.style.canWrite(blank: segment.style) : $0.style == segment.style }
                let part = FrameDiff.Run(row: run.row, columns: column..<segment.end)
                if let group { groups[group].segments.append(part) } else { groups.append((segment.style, [part])) }
                count += 1
                guard count <= Self.segmentLimit, groups.count <= Self.styleLimit else { return nil }
                column = segment.end
            }
        }
        guard groups.count < count else { return nil }
        return groups.flatMap(\.segments)
    }

    /// The cells from `column` onwards that are drawn in one style, including blanks between them. More than two blanks before text of
    /// another style are drawn separately, in any style that looks the same on blanks.
    private func segment(at column: Int, before limit: Int, _ cells: UnsafeBufferPointer<ScreenCell>) -> (
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
