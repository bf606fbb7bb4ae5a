/// The lines of items: of a header one, of a row those it was given, those the delegate says, those its content needs, or those that all
/// rows have; the first that there are.
struct ItemHeights {
    private let rows: RowOrder
    private let own: RowHeights
    /// What asks the delegate and finds heights from content; `nil`: nothing does.
    private let automatic: AutomaticHeights?
    /// Of rows of which nothing else is known.
    let common: LineIndex.Common

    /// - Parameters:
    ///   - frame: lines below the header.
    ///   - free: those of them that rows can share.
    init(_ state: GridState, frame: Int, free: Int) {
        rows = state.rows
        own = state.heights
        automatic = AutomaticHeights(state, frame: frame)
        let gap = state.metrics.gridLines.areBetweenRows ? 1 : 0
        var height = max(1, state.metrics.rowHeight)
        let count = state.outline.shownRowCount
        if state.metrics.fitsRowsToFrame, count > 0 {
            height = max(1, state.metrics.minimumRowHeight, (free - (state.outline.itemCount - count)) / count - gap)
        }
        common = LineIndex.Common(height: height, gap: gap)
    }

    /// What automatic heights depend on; `nil` when there are none.
    var wrapping: AutomaticHeights.Wrapping? { automatic?.wrapping }
    /// Lines of a row of which nothing else is known, the rule below it included.
    var rowHeight: Int { common.height + common.gap }
    /// Whether all rows have that height.
    var isUniform: Bool { automatic == nil && own.isEmpty }
    /// Whether all heights are known without asking anyone.
    var isIndexed: Bool { automatic == nil }

    /// Lines of an item, the rule below a row included. O(1).
    func height(of item: GridItem) -> Int {
        guard case .row(let position) = item else { return 1 }
        if isUniform { return rowHeight }
        let row = rows[position]
        return (own[row] ?? automatic?.height(of: row) ?? common.height) + common.gap
    }
}
