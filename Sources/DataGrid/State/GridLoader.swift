/// An indicator after the last row that more rows are expected. It does not count as a row and cannot be selected.
public struct GridLoader: Hashable, Sendable, Codable {
    /// The text of the indicator.
    public var text: String
    /// The current step of the animation. Only ``GridAction/tickLoader`` advances it.
    public internal(set) var tick = 0
    /// The number of rows when ``GridEvent/endOfDataNear`` was last sent, minus the rows removed since then. The event is not sent again
    /// for the same number.
    var reportedRowCount: Int?

    /// Creates a loader that shows `text`.
    public init(_ text: String = "loading more rows") { self.text = text }
}

extension GridState {
    /// Sets the loader; `nil` removes it. A new loader continues the animation of the old one.
    mutating func set(loader newLoader: GridLoader?) {
        let old = loader
        loader = newLoader
        if let old {
            loader?.tick = old.tick
            loader?.reportedRowCount = old.reportedRowCount
        }
        clampScroll()
    }

    /// True if the loader is visible or less than a page away. Computes ``layout``.
    private var isEndNear: Bool {
        guard size.width > 0, size.height > 0 else { return false }
        let layout = layout
        let last = layout.tiles.last { !$0.isFrozenOrStuck }?.index ?? layout.itemSpans.last { $0.pane == .scrolling }?.index ?? scroll.top
        return last + layout.pageItemCount >= outline.itemCount - layout.bottomItemCount - 1
    }

    /// Completes an action: covers the pull strip if the grid is scrolled down, and returns ``GridEvent/endOfDataNear`` if the last row
    /// is near.
    mutating func finishAction() -> [GridEvent] {
        if let pull, pull.uncovered > 0, !isAtTop {
            self.pull?.uncovered = 0
            clampScroll()
        }
        guard let loader, loader.reportedRowCount != rows.count, isEndNear else { return [] }
        self.loader?.reportedRowCount = rows.count
        return [.endOfDataNear]
    }
}
