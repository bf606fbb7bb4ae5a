public import DataGrid
import TerminalSurface

/// Sizes of the column header and row header that depend on their text.
extension GridState {
    /// Fits the width of the row header to its widest text, and the height of the column header to its tallest title.
    ///
    /// Has an effect only if `GridMetrics.fitsRowHeader` is set or `GridMetrics.maximumTitleLines` is greater than 1. Call this function
    /// after other rows or columns have become visible. The row header only becomes wider, so that nothing jumps during scrolling.
    ///
    /// Reads the visible rows, the first and the last row, and the titles of all columns: O(columns + visible rows).
    @MainActor
    public mutating func fitHeaders(to source: (any GridDataSource)?) {
        var fitted = metrics
        if metrics.fitsRowHeader { fitted.rowHeaderWidth = max(metrics.rowHeaderWidth, HeaderFit.rowHeaderWidth(self, source)) }
        if metrics.maximumTitleLines > 1 { fitted.titleLines = HeaderFit.titleLines(self) }
        if fitted != metrics { _ = apply(.setMetrics(fitted)) }
    }
}

@MainActor
private enum HeaderFit {
    /// The width of a row header without its text: one terminal cell for marks before the text, two for the rule and the space after it.
    static let frameWidth = 3

    static func rowHeaderWidth(_ state: GridState, _ source: (any GridDataSource)?) -> Int {
        var rows = state.visibleRows
        if state.rows.count > 0 { rows += [state.rows[0], state.rows[state.rows.count - 1]] }
        var texts = rows.map { row in source?.rowHeader(row) ?? (row.isCountedFromEnd ? "" : String(row.number + 1)) }
        if let corner = source?.corner { texts.append(corner.text) }
        if state.metrics.showsTotals, let title = source?.totalsTitle { texts.append(title) }
        let limit = max(0, state.size.width)
        return (texts.map { DisplayWidth.of($0, limit: limit) }.max() ?? 0) + frameWidth
    }

    static func titleLines(_ state: GridState) -> Int {
        let limit = state.metrics.maximumTitleLines
        var maximum = 1
        for (index, width) in state.layout.geometry.widths.enumerated() where maximum < limit && width > 0 {
            maximum = max(maximum, TextWrap.lines(state.columns[index].title, width: width, limit: limit).count)
        }
        return maximum
    }
}
