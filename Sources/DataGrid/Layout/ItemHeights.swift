/// The heights of rows and section headers in lines.
///
/// The height of a row comes from the first of these sources that has one: a height set for this row, the delegate, the wrapped text, the
/// default height of rows. The height of a section header comes from the delegate, otherwise from the default height of headers.
struct ItemHeights {
    private let rows: RowOrder
    private let explicitHeights: RowHeights
    /// The heights from the delegate and from wrapped text; `nil` if the grid uses neither of them.
    private let automatic: AutomaticHeights?
    /// The height of rows for which no other source has a height.
    let defaultHeight: LineIndex.DefaultHeight
    /// The height in lines of a section header for which the delegate returns no height.
    let headerHeight: Int

    /// - Parameters:
    ///   - frameHeight: the number of lines below the header.
    ///   - itemLines: the number of lines for rows and section headers. If rows are fitted to the frame, they fill all these lines.
    init(_ state: GridState, frameHeight: Int, itemLines: Int) {
        rows = state.rows
        explicitHeights = state.heights
        automatic = AutomaticHeights(state, frameHeight: frameHeight)
        headerHeight = state.metrics.sectionHeaderHeight.clamped(to: 1...GridState.maximumHeight)
        let gap = state.metrics.gridLines.hasRowRules ? 1 : 0
        var height = max(1, state.metrics.rowHeight)
        let count = state.outline.shownRowCount
        if state.metrics.fitsRowsToFrame, count > 0 {
            // Stop counting when section headers alone fill the frame.
            var headers = 0
            for section in state.outline.shownSections {
                guard headers < itemLines else { break }
                headers += automatic?.height(ofSection: section) ?? headerHeight
            }
            height = max(1, state.metrics.minimumRowHeight, (itemLines - headers) / count - gap)
        }
        defaultHeight = LineIndex.DefaultHeight(height: height, gap: gap)
    }

    var wrapping: AutomaticHeights.Wrapping? { automatic?.wrapping }
    /// The height in lines of a row with the default height, including the rule below the row.
    var rowHeight: Int { defaultHeight.height + defaultHeight.gap }
    var isUniform: Bool { automatic == nil && explicitHeights.isEmpty }
    /// True if the height of every item is known without asking the delegate or reading text.
    var areHeightsKnown: Bool { automatic == nil }
    var hasDelegatedHeaders: Bool { automatic?.isDelegated == true }

    func height(ofHeader section: Int) -> Int { automatic?.height(ofSection: section) ?? headerHeight }

    /// The height of an item in lines. For a row, it includes the rule below the row. O(1).
    func height(of item: GridItem) -> Int {
        switch item {
        case .header(let section): return height(ofHeader: section)
        case .row where isUniform: return rowHeight
        case .row(let position):
            let row = rows[position]
            return (explicitHeights[row] ?? automatic?.height(of: row) ?? defaultHeight.height) + defaultHeight.gap
        }
    }
}
