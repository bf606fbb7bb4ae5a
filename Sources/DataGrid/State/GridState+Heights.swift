extension GridState {
    /// More lines than any screen has.
    static let greatestHeight = 10_000

    mutating func setHeight(_ height: Int?, of row: RowID) {
        heights.set(height.map { $0.clamped(to: 1...Self.greatestHeight) }, of: row, in: rows)
        revealCursor()
    }

    // MARK: Wrapping anew

    /// A row that stays where it is on the screen while others become higher or lower.
    struct HeldRow {
        var item: GridItem
        /// Lines below the upper edge of the pane.
        var line: Int
        var wrapping: AutomaticHeights.Wrapping?
    }

    /// The cursor's row, when it is in sight and heights may depend on what `action` changes.
    func heldRow(through action: GridAction) -> HeldRow? {
        switch action {
        // These say themselves what is seen afterwards.
        case .restore, .setRows, .growRows, .pointerDown, .pointerMoved, .pointerUp, .cancelDrag, .dragTick: return nil
        case .set: break
        default: guard metrics.hasAutomaticRowHeights else { return nil }
        }
        let lines = LineGeometry(self)
        guard let line = lines.page(from: scroll.top).lines.first(where: { $0.item == cursor.item && $0.pane == .scrolling }) else {
            return nil
        }
        return HeldRow(item: cursor.item, line: line.y - lines.pane.lowerBound, wrapping: lines.wrapping)
    }

    /// Puts the row back to where it was if rows have been wrapped anew and the cursor is still on it.
    mutating func hold(_ held: HeldRow) {
        let lines = LineGeometry(self)
        guard cursor.item == held.item, lines.wrapping != held.wrapping, outline.itemCount > 0 else { return }
        scroll.top = lines.top(placing: outline.index(of: cursor.item), atLine: held.line)
        revealCursor()
    }
}
