/// The heights of items in lines. Precedence for rows: explicit, delegated, automatic, common; for section headers: delegated, common.
struct ItemHeights {
    private let rows: RowOrder
    private let explicitHeights: RowHeights
    /// Delegated and automatic heights; `nil` if neither is used.
    private let automatic: AutomaticHeights?
    let common: LineIndex.Common
    /// The height of a section header without a delegated height.
    let headerHeight: Int

    /// - Parameter free: the lines available to rows and headers.
    init(_ state: GridState, frame: Int, free: Int) {
        rows = state.rows
        explicitHeights = state.heights
        automatic = AutomaticHeights(state, frame: frame)
        headerHeight = state.metrics.sectionHeaderHeight.clamped(to: 1...GridState.maximumHeight)
        let gap = state.metrics.gridLines.hasRowRules ? 1 : 0
        var height = max(1, state.metrics.rowHeight)
        let count = state.outline.shownRowCount
        if state.metrics.fitsRowsToFrame, count > 0 {
            // Stop counting when headers alone fill the frame.
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
    /// The default height of a row in lines, including the rule below it.
    var rowHeight: Int { common.height + common.gap }
    var isUniform: Bool { automatic == nil && explicitHeights.isEmpty }
    /// True if no height depends on a delegate or on content.
    var areHeightsKnown: Bool { automatic == nil }
    var hasDelegatedHeaders: Bool { automatic?.isDelegated == true }

    func height(ofHeader section: Int) -> Int { automatic?.height(ofSection: section) ?? headerHeight }

    /// The height of an item in lines, including the rule below a row. O(1).
    func height(of item: GridItem) -> Int {
        switch item {
        case .header(let section): return height(ofHeader: section)
        case .row where isUniform: return rowHeight
        case .row(let position):
            let row = rows[position]
            return (explicitHeights[row] ?? automatic?.height(of: row) ?? common.height) + common.gap
        }
    }
}
