extension GridState {
    /// True if rows can be moved. False while the rows in the middle of the source are unknown (``RowOrder/spliced(first:head:tail:)``).
    public var canMoveRows: Bool {
        if case .spliced = rows { return false }
        return true
    }

    /// The positions to which the row at `position` can be moved: the positions of the rows that are directly in its section, not in a
    /// nested section. `nil` if there is no such row.
    func bounds(ofRow position: Int) -> Range<Int>? {
        guard (0..<rows.count).contains(position) else { return nil }
        guard let tree = outline.tree else { return 0..<rows.count }
        return tree.innermostSection(containing: position).map { tree.ownRows(of: $0) }
    }

    /// The rows that move together with the row at `position`: the fully selected rows around it, or only this row if it is not fully
    /// selected.
    func rowsMoving(with position: Int) -> Range<Int>? {
        bounds(ofRow: position).map { (selection.wholeRows(around: position) ?? position..<position + 1).clamped(to: $0) }
    }

    mutating func moveCurrentRows(by count: Int) -> [GridEvent] {
        guard let row = cursor.row, let range = rowsMoving(with: row) else { return [] }
        let events = moveRows(range, to: range.lowerBound + count.clamped(to: -rows.count...rows.count))
        return events.isEmpty && canMoveRows && !range.isEmpty ? [.moveRefused(.rows(range))] : events
    }

    mutating func moveRows(_ range: Range<Int>, to target: Int) -> [GridEvent] {
        guard canMoveRows, let bounds = bounds(ofRow: range.lowerBound) else { return [] }
        let range = range.clamped(to: bounds)
        let target = target.clamped(to: bounds.lowerBound...bounds.upperBound - range.count)
        guard !range.isEmpty, target != range.lowerBound else { return [] }
        rows = rows.moving(range, to: target)

        let move = RowMove(range, to: target)
        heights.updatePositions(after: move)
        if let row = cursor.row { cursor.item = .row(move.newPosition(ofRowAt: row)) }
        selection.updatePositions(move.newRanges(ofRowsIn:))
        if var anchor = selectionAnchor {
            anchor.row = move.newPosition(ofRowAt: anchor.row)
            selectionAnchor = anchor
            // Do not extend a selected range that the move has split.
            if selection.blocks.last != currentBlock() { selectionAnchor = nil }
        }
        revealCursor()
        // Make cancelling impossible, because the positions before the drag now belong to other rows.
        if drag != nil { dragOrigin = nil }
        followRowDrag(move.newRanges(ofRowsIn:))
        return [.rowsMoved(range, to: target)]
    }
}
