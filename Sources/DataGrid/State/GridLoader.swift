/// The row at the end of the rows that says that more are coming. It is no row: it is neither counted nor selected.
public struct GridLoader: Hashable, Sendable, Codable {
    /// What it says.
    public var text: String
    /// How far its sign has turned; changed by ``GridAction/tickLoader`` alone, so that nothing moves by itself.
    public internal(set) var tick = 0
    /// Row count at the last ``GridEvent/endOfDataNear``, less rows removed since.
    var toldRowCount: Int?

    /// A loader that says `text`.
    public init(_ text: String = "loading more rows") { self.text = text }
}

extension GridState {
    /// Takes a loader, or takes it away; one that was there goes on turning.
    mutating func set(loader new: GridLoader?) {
        let old = loader
        loader = new
        if let old {
            loader?.tick = old.tick
            loader?.toldRowCount = old.toldRowCount
        }
        clampScroll()
    }

    /// Whether the loader is in sight, or would be a page further. As ``layout``.
    private var isEndNear: Bool {
        guard size.width > 0, size.height > 0 else { return false }
        let layout = layout
        let last = layout.tiles.last { !$0.isFixed }?.index ?? layout.lines.last { $0.pane == .scrolling }?.index ?? scroll.top
        return last + layout.pageItemCount >= outline.itemCount - layout.bottomItemCount - 1
    }

    /// After an action: what has been scrolled away is not pulled any more, and the end may have come near.
    mutating func settle() -> [GridEvent] {
        if let pull, pull.uncovered > 0, !isAtTop {
            self.pull?.uncovered = 0
            clampScroll()
        }
        guard let loader, loader.toldRowCount != rows.count, isEndNear else { return [] }
        self.loader?.toldRowCount = rows.count
        return [.endOfDataNear]
    }
}
