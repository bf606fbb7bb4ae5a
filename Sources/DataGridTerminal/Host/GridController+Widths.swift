public import DataGrid

/// Columns as wide as what they say, or as follows from it.
///
/// A column whose width is `WidthRule.automatic`, or which has none (`WidthRule.standard`) and is fitted to the frame by what it needs, and of
/// which nobody said how wide it is (`Column.measuredWidth`, `GridDelegate.width(ofColumn:)`, `GridMetrics.defaultColumnWidth`), is measured
/// when it comes to a grid with rows, or rows come to it, and again by ``reload()``: its title, its type, its total, and what the rows in
/// sight, the first and the last say. Its width changes at no other time but when the frame or another column does, so that nothing jumps
/// while rows scroll. Of columns that are more than three frames away, the header alone is looked at.
extension GridController {
    /// Makes a column as wide as its header and what the rows in sight, the first and the last say, within its limits, as a double click on
    /// its edge does unless the delegate does that itself (`GridInteractionDelegate.shouldFit(column:)`). Its width is automatic from then
    /// on. Asks the delegate. O(columns + visible rows).
    public func fit(column: ColumnID) { fit([column]) }

    /// Does the same with all columns that are not hidden; those to whose resizing the delegate does not agree stay as they are.
    /// O(columns + visible rows · columns in three frames).
    public func fitColumns() { fit(state.columns.visible.map(\.id)) }

    private func fit(_ columns: [ColumnID]) {
        let widths = ColumnFit(state, caches.contents).widths(of: columns)
        guard !widths.isEmpty, perform(.fitColumns(widths)) else { return }
        for id in widths.keys { measured[id] = state.columns[id]?.measuredWidth }
    }

    /// Makes rows that stand beside each other as wide as what they say in sight, as a double click on the edge of one does unless the delegate does that
    /// itself (`GridInteractionDelegate.shouldFitRows()`). Asks the delegate. O(cells in sight).
    public func fitTransposedRows() {
        guard let width = ColumnFit(state, caches.contents).transposedRowWidth else { return }
        perform(.setTransposedRowWidth(width))
    }

    /// Widths that a view has brought back were measured once, and are again by ``reload()``; but for those that the host had measured.
    func noteRestoredWidths(_ new: GridState, since old: GridState) {
        for column in new.columns.all {
            let before = old.columns[column.id]?.measuredWidth ?? 0
            guard column.measuredWidth != before, before == 0 || measured[column.id] == before else { continue }
            measured[column.id] = column.measuredWidth
        }
    }

    /// Measures the columns whose widths follow from their content and of which that is not known.
    /// - Parameter anew: also those that were measured before, as far as they are in sight or to come next.
    func measureColumns(of state: inout GridState, anew: Bool = false) {
        guard dataSource != nil else { return }
        let isFitted = state.metrics.defaultColumnWidth == nil
        var columns: [ColumnID] = []
        for place in state.columns.visiblePlaces {
            let rule = state.columns.all[place].width
            guard rule == .automatic || rule == .standard && isFitted, state.columns.all[place].delegatedWidth == nil else { continue }
            let (id, width) = (state.columns.all[place].id, state.columns.all[place].measuredWidth)
            if width == 0 || anew && measured[id] == width { columns.append(id) }
        }
        guard !columns.isEmpty else { return }
        let widths = ColumnFit(state, caches.contents, findsNeeds: true).widths(of: columns)
        guard !widths.isEmpty else { return }
        measured.merge(widths) { $1 }
        _ = state.apply(.setMeasuredWidths(widths))
    }
}
