/// Heights of items in lines. Precedence for rows: set, delegated, automatic, common; for section headers: delegated, common.
struct ItemHeights {
    private let rows: RowOrder
    private let own: RowHeights
    /// What asks the delegate and finds heights from content; `nil`: nothing does.
    private let automatic: AutomaticHeights?
    let common: LineIndex.Common
    /// Lines of a section's header of which the delegate says nothing.
    let headerHeight: Int

    /// - Parameter free: the lines that rows can share.
    init(_ state: GridState, frame: Int, free: Int) {
        rows = state.rows
        own = state.heights
        automatic = AutomaticHeights(state, frame: frame)
        headerHeight = state.metrics.sectionHeaderHeight.clamped(to: 1...GridState.greatestHeight)
        let gap = state.metrics.gridLines.areBetweenRows ? 1 : 0
        var height = max(1, state.metrics.rowHeight)
        let count = state.outline.shownRowCount
        if state.metrics.fitsRowsToFrame, count > 0 {
            // Where headers alone take all lines, no more of them are looked at.
            var headers = 0
            for section in state.outline.shownSections {
                guard headers < free else { break }
                headers += automatic?.height(ofSection: section) ?? headerHeight
            }
            height = max(1, state.metrics.minimumRowHeight, (free - headers) / count - gap)
        }
        common = LineIndex.Common(height: height, gap: gap)
    }

    var wrapping: AutomaticHeights.Wrapping? { automatic?.wrapping }
    /// Lines of a row of which nothing else is known, the rule below it included.
    var rowHeight: Int { common.height + common.gap }
    var isUniform: Bool { automatic == nil && own.isEmpty }
    /// Whether all heights are known without asking anyone.
    var isIndexed: Bool { automatic == nil }
    var hasDelegatedHeaders: Bool { automatic?.isDelegated == true }

    func height(ofHeader section: Int) -> Int { automatic?.height(ofSection: section) ?? headerHeight }

    /// Lines of an item, the rule below a row included. O(1).
    func height(of item: GridItem) -> Int {
        switch item {
        case .header(let section): return height(ofHeader: section)
        case .row where isUniform: return rowHeight
        case .row(let position):
            let row = rows[position]
            return (own[row] ?? automatic?.height(of: row) ?? common.height) + common.gap
        }
    }
}
