/// A drag of the right edge of a column, which resizes the column.
public struct ColumnResizeDrag: Hashable, Sendable {
    /// The column that is resized. Its right edge is dragged.
    public let column: ColumnID
    /// The x coordinate at which the button was pressed.
    public let startX: Int
    /// The width of the column in terminal cells when the button was pressed.
    public let startWidth: Int
    /// The horizontal scroll position when the button was pressed, restored if the drag is cancelled.
    let scrollX: Int
    /// The previous width rules of all columns that the drag changes: the resized column, and earlier columns whose width depends on the
    /// width that other columns leave free. These rules are restored if the drag is cancelled.
    fileprivate var originalRules: [ColumnID: WidthRule]

    init(of column: Column, startX: Int, startWidth: Int, scrollX: Int) {
        self.column = column.id
        self.startX = startX
        self.startWidth = startWidth
        self.scrollX = scrollX
        originalRules = [column.id: column.width]
    }
}

extension GridState {
    mutating func updateColumnResize(_ edge: ColumnResizeDrag, to point: GridPoint) -> [GridEvent] {
        var edge = edge
        edge.originalRules.merge(fixWidths(before: edge.column)) { first, _ in first }
        drag = .separator(edge)
        return resizeByHand(edge.column, to: max(1, edge.startWidth + point.x - edge.startX))
    }

    /// Fixes the widths of columns before a dragged edge if they depend on the width that other columns leave free. Otherwise, the edge
    /// would not follow the pointer. O(columns).
    /// - Returns: the previous width rules of the columns that were fixed.
    private mutating func fixWidths(before id: ColumnID) -> [ColumnID: WidthRule] {
        guard let end = columns.index(of: id) else { return [:] }
        let sharing = (0..<end).filter { columns[$0].dependsOnSpareWidth(metrics) }
        if sharing.isEmpty { return [:] }
        let geometry = ColumnGeometry(self)
        let widths = Dictionary(uniqueKeysWithValues: sharing.map { (columns[$0].id, geometry.widths[$0]) })
        let rules = Dictionary(uniqueKeysWithValues: sharing.map { (columns[$0].id, columns[$0].width) })
        columns.updateAll { column in widths[column.id].map { column.width = .fixed($0) } }
        return rules
    }

    mutating func restoreWidths(changedBy edge: ColumnResizeDrag) {
        columns.updateAll { column in edge.originalRules[column.id].map { column.width = $0 } }
        scroll.x = edge.scrollX
    }
}
