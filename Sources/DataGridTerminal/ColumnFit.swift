import DataGrid
import TerminalSurface

/// How wide columns have to be for what they say in the rows in sight, in the first and in the last: numbers that count up are long at the end.
@MainActor
struct ColumnFit {
    private let state: GridState
    private let contents: ContentCache
    private let geometry: ColumnGeometry
    private let rows: [RowID]
    /// Those that are looked at though they are not in sight.
    private let ends: [RowID]
    /// Columns are looked at as long as they take no more than so many times the frame.
    private let frames = 3
    /// The most that columns are found to need which are fitted to the frame; more than a frame has.
    private let greatestNeed = 500
    /// Whether columns that are fitted to the frame are measured for that: what they need does not hang on the frame of the moment.
    private let findsNeeds: Bool

    init(_ state: GridState, _ contents: ContentCache, findsNeeds: Bool = false) {
        self.findsNeeds = findsNeeds
        self.state = state
        self.contents = contents
        geometry = ColumnGeometry(state)
        rows = state.visibleRows
        let (inSight, count) = (Set(rows), state.rows.count)
        ends =
            count == 0 || contents.readsSlowly
            ? [] : [state.rows[0], state.rows[count - 1]].filter { !inSight.contains($0) }
    }

    /// The terminal cells that these columns want; nothing without a frame and rows. Of columns that are far away it is what their headers
    /// want, or what they were measured to want before.
    func widths(of columns: [ColumnID]) -> [ColumnID: Int] {
        guard state.size.width > 0, !rows.isEmpty else { return [:] }
        let wanted = Set(columns)
        var widths: [ColumnID: Int] = [:]
        var near: [Column] = []
        var room = frames * state.size.width
        for index in nearest {
            let column = state.columns[index]
            if wanted.contains(column.id) {
                let width = headerWidth(of: column)
                widths[column.id] = max(width, column.measuredWidth)
                if room > 0 || columns.count == 1 { near.append(column) }
                room -= width + state.metrics.columnSpacing
            } else {
                room -= geometry.widths[index] + state.metrics.columnSpacing
            }
        }
        // Those in sight are what the next frame asks for.
        contents.willShow(rows: rows, columns: Array(Set(near.map(\.id)).union(state.layout.columns.map(\.id))))
        if !ends.isEmpty { contents.source?.willShow(rows: ends, columns: near.map(\.id)) }
        for column in near { widths[column.id] = width(of: column) }
        return widths
    }

    /// The visible columns: those that are frozen, those in sight, those at the right of them, and those at the left.
    private var nearest: [Int] {
        let scrolling = geometry.scrolling
        let first = scrolling.first { geometry.starts[$0] + geometry.widths[$0] > state.scroll.x } ?? scrolling.upperBound
        return Array(0..<geometry.leading) + Array(scrolling.upperBound..<state.columns.count) + Array(first..<scrolling.upperBound)
            + (scrolling.lowerBound..<first).reversed()
    }

    /// The terminal cells that rows which stand beside each other want for what they say in sight, their headers and totals counted, within the limits
    /// of the columns; `nil` where there are none.
    var transposedRowWidth: Int? {
        let layout = state.layout
        guard !layout.fields.isEmpty, !rows.isEmpty else { return nil }
        contents.willShow(rows: rows, columns: layout.fields.map(\.id))
        var widest = state.metrics.minimumColumnWidth
        for column in layout.fields.map({ state.columns[$0.index] }) {
            let limit = max(widest, limit(of: column))
            for row in rows {
                widest = max(widest, ValueText.width(of: contents.content(row: row, column: column.id), in: column, limit: limit))
            }
            if state.metrics.showsTotals, let total = contents.total(column: column.id) {
                widest = max(widest, ValueText.width(of: total, in: column, limit: limit))
            }
        }
        guard layout.headerHeight > 0 else { return widest }
        return rows.reduce(widest) { max($0, DisplayWidth.of(contents.rowHeader($1) ?? String($1.rawValue + 1), limit: layout.size.width)) }
    }

    private func headerWidth(of column: Column) -> Int {
        ValueText.headerWidth(of: column, limit: limit(of: column), showsType: findsNeeds || state.metrics.headerHeight > 1)
    }

    /// No more is counted than is shown.
    private func limit(of column: Column) -> Int {
        if findsNeeds, column.width == .standard { return max(1, column.maximumWidth ?? state.metrics.maximumColumnWidth ?? greatestNeed) }
        return max(1, column.maximumWidth ?? geometry.fittedLimit)
    }

    private func width(of column: Column) -> Int {
        let limit = limit(of: column)
        var width = headerWidth(of: column)
        for row in rows + ends where width < limit {
            width = max(width, ValueText.width(of: contents.content(row: row, column: column.id), in: column, limit: limit))
        }
        if state.metrics.showsTotals, let total = contents.total(column: column.id) {
            width = max(width, ValueText.width(of: total, in: column, limit: limit))
        }
        return width
    }
}
