import DataGrid
import TerminalSurface

/// Computes column widths from the visible rows, the first row and the last row. The last row is included because increasing values, such
/// as ids, are longest in the last row.
@MainActor
struct ContentWidths {
    private let state: GridState
    private let contents: ContentCache
    private let geometry: ColumnGeometry
    private let rows: [RowID]
    /// The first and the last row, if they are not visible; empty if reading rows is slow (`GridDataSource.hasSlowRows`).
    private let endRows: [RowID]
    /// Columns farther from the visible columns than this number of frame widths are not measured.
    private let maximumFrameDistance = 3
    /// The maximum content width, in terminal cells, of columns that are fitted to the frame. It is greater than the width of a usual
    /// frame.
    private let maximumContentWidth = 500
    /// True to measure columns as if the frame had unlimited width, so that the result is valid for every frame width.
    private let ignoresFrameWidth: Bool

    init(_ state: GridState, _ contents: ContentCache, ignoresFrameWidth: Bool = false) {
        self.ignoresFrameWidth = ignoresFrameWidth
        self.state = state
        self.contents = contents
        geometry = ColumnGeometry(state)
        rows = state.visibleRows
        let (visible, count) = (Set(rows), state.rows.count)
        endRows =
            count == 0 || contents.hasSlowRows
            ? [] : [state.rows[0], state.rows[count - 1]].filter { !visible.contains($0) }
    }

    /// The content widths of `columns`, in terminal cells; empty without a frame or rows. Columns far from the frame keep their last
    /// measured width or get the width of their header.
    func widths(of columns: [ColumnID]) -> [ColumnID: Int] {
        guard state.size.width > 0, !rows.isEmpty else { return [:] }
        let requested = Set(columns)
        var widths: [ColumnID: Int] = [:]
        var near: [Column] = []
        var room = maximumFrameDistance * state.size.width
        for index in columnsNearestFirst {
            let column = state.columns[index]
            if requested.contains(column.id) {
                let width = headerWidth(of: column)
                widths[column.id] = max(width, column.measuredWidth)
                if room > 0 || columns.count == 1 { near.append(column) }
                room -= width + state.metrics.columnSpacing
            } else {
                room -= geometry.widths[index] + state.metrics.columnSpacing
            }
        }
        // Include the visible columns, because the next frame requests them.
        contents.willShow(rows: rows, columns: Array(Set(near.map(\.id)).union(state.layout.columns.map(\.id))))
        if !endRows.isEmpty { contents.source?.willShow(rows: endRows, columns: near.map(\.id)) }
        for column in near { widths[column.id] = width(of: column) }
        return widths
    }

    /// The widths of the headers of `columns`.
    func headerWidths(of columns: [ColumnID]) -> [ColumnID: Int] {
        let columns = columns.compactMap { state.columns[$0] }
        return Dictionary(columns.map { ($0.id, headerWidth(of: $0)) }) { first, _ in first }
    }

    /// The widths of the content of `columns` in the visible rows, without titles and totals.
    func widths(ofVisibleContentOf columns: [Column]) -> [ColumnID: Int] {
        guard state.size.width > 0, !rows.isEmpty, !columns.isEmpty else { return [:] }
        contents.willShow(rows: rows, columns: state.layout.columns.map(\.id))
        return Dictionary(uniqueKeysWithValues: columns.map { ($0.id, contentWidth(of: $0, in: rows, atLeast: 0)) })
    }

    /// Indices of the columns that are not hidden: frozen columns, columns in the frame, columns to the right of it, then columns to the
    /// left.
    private var columnsNearestFirst: [Int] {
        let scrolling = geometry.scrolling
        let first = scrolling.first { geometry.starts[$0] + geometry.widths[$0] > state.scroll.x } ?? scrolling.upperBound
        return Array(0..<geometry.leading) + Array(scrolling.upperBound..<state.columns.count) + Array(first..<scrolling.upperBound)
            + (scrolling.lowerBound..<first).reversed()
    }

    /// The width of the rows of a transposed grid, including headers and totals, within the limits of the columns; `nil` if there are no
    /// rows.
    var transposedRowWidth: Int? {
        let layout = state.layout
        guard !layout.fields.isEmpty, !rows.isEmpty else { return nil }
        contents.willShow(rows: rows, columns: layout.fields.map(\.id))
        var widest = state.metrics.minimumColumnWidth
        for column in layout.fields.map({ state.columns[$0.index] }) {
            let limit = max(widest, column.maximumWidth ?? geometry.fittedLimit)
            let mark = column.widthForChangeMark(column.alignment ?? .leading)
            for row in rows {
                let text = ValueText.width(of: contents.content(row: row, column: column.id), in: column, limit: limit)
                widest = max(widest, min(limit, text + mark))
            }
            if state.metrics.showsTotals, let total = contents.total(column: column.id) {
                widest = max(widest, ValueText.width(of: total, in: column, limit: limit))
            }
        }
        guard layout.headerHeight > 0 else { return widest }
        return rows.reduce(widest) { max($0, DisplayWidth.of(contents.rowHeader($1) ?? String($1.number + 1), limit: layout.size.width)) }
    }

    private func headerWidth(of column: Column) -> Int {
        ValueText.headerWidth(of: column, limit: widthLimit(of: column), showsType: ignoresFrameWidth || state.metrics.headerHeight > 1)
    }

    /// The width at which measuring a column stops, because wider content does not widen the column.
    private func widthLimit(of column: Column) -> Int {
        if ignoresFrameWidth, column.width == .standard {
            return max(1, column.maximumWidth ?? state.metrics.maximumColumnWidth ?? maximumContentWidth)
        }
        // If there is spare room, a column can be wider than the limit for fitted columns.
        return max(1, column.maximumWidth ?? state.metrics.maximumColumnWidth ?? max(geometry.fittedLimit, state.size.width))
    }

    private func width(of column: Column) -> Int { width(of: column, in: rows + endRows, atLeast: headerWidth(of: column)) }

    /// The width that a column needs for its content in `rows` and for its total: at least `minimum`, and within the column's own limits.
    func width(of column: Column, in rows: [RowID], atLeast minimum: Int) -> Int {
        let limit = widthLimit(of: column)
        let width = contentWidth(of: column, in: rows, atLeast: minimum)
        guard state.metrics.showsTotals, let total = contents.total(column: column.id) else { return width }
        return max(width, ValueText.width(of: total, in: column, limit: limit))
    }

    private func contentWidth(of column: Column, in rows: [RowID], atLeast minimum: Int) -> Int {
        let limit = widthLimit(of: column)
        var width = minimum
        let mark = column.widthForChangeMark(column.effectiveAlignment)
        for row in rows where width < limit {
            let text = ValueText.width(of: contents.content(row: row, column: column.id), in: column, limit: limit)
            width = max(width, min(limit, text + mark))
        }
        return width
    }
}
