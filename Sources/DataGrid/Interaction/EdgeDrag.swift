/// The edge of a column, held by the pointer.
public struct EdgeDrag: Hashable, Sendable {
    /// The column that ends at the edge.
    public let column: ColumnID
    /// Where the pointer took hold.
    public let startX: Int
    /// How wide the column was then.
    public let startWidth: Int
    /// How far the grid was scrolled sideways then.
    let scrollX: Int
    /// What the widths were of the columns that the drag has given others: of this one, and of those before it that shared the frame.
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
    mutating func move(_ edge: EdgeDrag, to point: GridPoint) -> [GridEvent] {
        var edge = edge
        edge.rules.merge(holdWidths(before: edge.column)) { first, _ in first }
        drag = .separator(edge)
        return resizeByHand(edge.column, to: max(1, edge.startWidth + point.x - edge.startX))
    }

    /// Fixes the widths of columns before a dragged edge that share the frame, so that the edge stays under the pointer. O(columns).
    /// - Returns: what their widths were.
    private mutating func holdWidths(before id: ColumnID) -> [ColumnID: WidthRule] {
        guard let end = columns.index(of: id) else { return [:] }
        let sharing = (0..<end).filter { columns[$0].sharesFrame(metrics) }
        if sharing.isEmpty { return [:] }
        let geometry = ColumnGeometry(self)
        let widths = Dictionary(uniqueKeysWithValues: sharing.map { (columns[$0].id, geometry.widths[$0]) })
        let rules = Dictionary(uniqueKeysWithValues: sharing.map { (columns[$0].id, columns[$0].width) })
        columns.updateAll { column in widths[column.id].map { column.width = .fixed($0) } }
        return rules
    }

    mutating func restoreWidths(before edge: EdgeDrag) {
        columns.updateAll { column in edge.rules[column.id].map { column.width = $0 } }
        scroll.x = edge.scrollX
    }
}
