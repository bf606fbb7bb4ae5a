/// A drag of the edge of a column.
public struct ColumnResizeDrag: Hashable, Sendable {
    /// The column to the left of the edge.
    public let column: ColumnID
    /// The x coordinate of the press.
    public let startX: Int
    /// The width of the column when the mouse button was pressed.
    public let startWidth: Int
    /// The horizontal scroll position when the mouse button was pressed.
    let scrollX: Int
    /// The width rules before the drag of all columns that the drag changes: the column, and each column before it whose width was a share
    /// of the frame.
    fileprivate var rules: [ColumnID: WidthRule]

    init(of column: Column, startX: Int, startWidth: Int, scrollX: Int) {
        self.column = column.id
        self.startX = startX
        self.startWidth = startWidth
        self.scrollX = scrollX
        rules = [column.id: column.width]
    }
}

extension GridState {
    mutating func move(_ edge: ColumnResizeDrag, to point: GridPoint) -> [GridEvent] {
        var edge = edge
        edge.rules.merge(fixWidths(before: edge.column)) { first, _ in first }
        drag = .separator(edge)
        return resizeByHand(edge.column, to: max(1, edge.startWidth + point.x - edge.startX))
    }

    /// Fixes the widths of all columns before a dragged edge whose width is a share of the frame. Otherwise, the edge would not stay under
    /// the pointer. O(columns).
    /// - Returns: the previous width rules of these columns.
    private mutating func fixWidths(before id: ColumnID) -> [ColumnID: WidthRule] {
        guard let end = columns.index(of: id) else { return [:] }
        let sharing = (0..<end).filter { columns[$0].sharesFrame(metrics) }
        if sharing.isEmpty { return [:] }
        let geometry = ColumnGeometry(self)
        let widths = Dictionary(uniqueKeysWithValues: sharing.map { (columns[$0].id, geometry.widths[$0]) })
        let rules = Dictionary(uniqueKeysWithValues: sharing.map { (columns[$0].id, columns[$0].width) })
        columns.updateAll { column in widths[column.id].map { column.width = .fixed($0) } }
        return rules
    }

    mutating func restoreWidths(before edge: ColumnResizeDrag) {
        columns.updateAll { column in edge.rules[column.id].map { column.width = $0 } }
        scroll.x = edge.scrollX
    }
}
