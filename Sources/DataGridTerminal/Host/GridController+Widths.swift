public import DataGrid
import FieldValues

/// Column widths that follow from content.
///
/// A column is measured if its width is `WidthRule.automatic`, or `WidthRule.standard` and fitted to the frame. Widths that are set in
/// other ways take precedence: `Column.measuredWidth`, `GridDelegate.width(ofColumn:)`, `GridMetrics.defaultColumnWidth`.
///
/// Measuring happens when a column or the first rows are added, and in ``reload()``. Without rows, columns share the frame, but if a title
/// would be cut, they get the widths of their headers. A column whose format changes is measured again, and
/// can only widen. Measuring includes the title, type and total, and the content of the visible rows, the first and the last row. For
/// columns more than three frames away, only the header is measured.
///
/// A column also widens if an edited value does not fit. At other times, a width changes only with the frame or another column, so that
/// nothing jumps during scrolling or when data changes. A number that does not fit is replaced by a mark.
extension GridController {
    /// Fits a column to its header and the content of the visible rows, the first and the last row, within its limits. Its width is
    /// automatic afterwards.
    ///
    /// A double click on its edge does the same, unless the delegate handles that (`GridInteractionDelegate.shouldFit(column:)`). The
    /// delegate can veto the new width. O(columns + visible rows).
    public func fit(column: ColumnID) { fit(columns: [column]) }

    /// Fits all visible columns. If the delegate refuses the new width of a column, this column keeps its width.
    /// O(columns + visible rows · columns in three frames).
    public func fitColumns() { fit(columns: state.columns.visible.map(\.id)) }

    /// Fits columns like ``fit(column:)``, in one action. O(columns + visible rows · columns in three frames).
    public func fit(columns: [ColumnID]) {
        let widths = ContentWidths(state, caches.contents).widths(of: columns)
        guard !widths.isEmpty, perform(.fitColumns(widths)) else { return }
        for column in state.columns.all where widths[column.id] != nil { measuredWidths[column.id] = column.measuredWidth }
    }

    /// Widens columns of automatic width in which a visible number, date or time does not fit, because cut values are not readable.
    /// O(visible cells).
    package func widenTruncatedColumns() {
        guard state.effectivePresentation == .table else { return }
        let shown = state.layout.columns.map { state.columns[$0.index] }
        let columns = shown.filter {
            $0.width == .automatic && $0.delegatedWidth == nil && $0.measuredWidth > 0 && ($0.kind.isNumber || $0.kind.isTemporal)
        }
        let widths = ContentWidths(state, caches.contents).widths(ofVisibleContentOf: columns)
        let cut = columns.filter { widths[$0.id] ?? 0 > $0.measuredWidth }.map { ($0.id, widths[$0.id]!) }
        if !cut.isEmpty { perform(.setMeasuredWidths(Dictionary(uniqueKeysWithValues: cut))) }
    }

    /// Fits the rows of a transposed grid to their visible content. The delegate can veto.
    ///
    /// A double click on the edge of a row does the same, unless the delegate handles that (`GridInteractionDelegate.shouldFitRows()`).
    /// O(visible cells).
    public func fitTransposedRows() {
        guard let width = ContentWidths(state, caches.contents).transposedRowWidth else { return }
        perform(.setTransposedRowWidth(width))
    }

    /// Marks restored widths as measured, so that ``reload()`` measures these columns again. Widths that the application set are not
    /// marked.
    func trackRestoredWidths(_ new: GridState, since old: GridState) {
        for column in new.columns.all {
            let before = old.columns[column.id]?.measuredWidth ?? 0
            guard column.measuredWidth != before, before == 0 || measuredWidths[column.id] == before else { continue }
            measuredWidths[column.id] = column.measuredWidth
        }
    }

    /// Measures columns whose widths depend on their content and are unknown.
    /// - Parameter remeasures: true to measure known widths again, for columns near the visible columns.
    func measureColumns(of state: inout GridState, remeasures: Bool = false) {
        guard dataSource != nil else { return }
        let hasRows = !state.visibleRows.isEmpty
        var columns: [ColumnID] = []
        for place in state.columns.visiblePlaces {
            guard followsContent(state.columns.all[place], in: state) else { continue }
            let (id, width) = (state.columns.all[place].id, state.columns.all[place].measuredWidth)
            let mayHaveGrown =
                remeasures || caches.reformattedColumns.contains(id) || hasRows && columnsWithMeasuredHeader.contains(id)
            if width == 0 || mayHaveGrown && measuredWidths[id] == width { columns.append(id) }
        }
        guard !columns.isEmpty else { return }
        guard hasRows else { return measureTruncatedHeaders(of: columns, in: &state) }
        columnsWithMeasuredHeader.subtract(columns)
        var widths = ContentWidths(state, caches.contents, ignoresFrameWidth: true).widths(of: columns)
        guard !widths.isEmpty else { return }
        if !remeasures {
            for id in caches.reformattedColumns { widths[id] = widths[id].map { max($0, state.columns[id]?.measuredWidth ?? 0) } }
        }
        caches.reformattedColumns.subtract(columns)
        measuredWidths.merge(widths) { $1 }
        _ = state.apply(.setMeasuredWidths(widths))
    }

    /// If a title of unmeasured columns would be cut, gives these columns the width of their headers. For a grid without visible rows.
    /// Otherwise, the columns share the frame.
    private func measureTruncatedHeaders(of columns: [ColumnID], in state: inout GridState) {
        let unmeasured = columns.filter { state.columns[$0]?.measuredWidth == 0 }
        guard state.size.width > 0, !unmeasured.isEmpty else { return }
        let needed = ContentWidths(state, caches.contents, ignoresFrameWidth: true).headerWidths(of: unmeasured)
        let shared = ColumnGeometry(state).widths
        guard needed.contains(where: { id, width in state.columns.index(of: id).map { shared[$0] < width } ?? false }) else { return }
        columnsWithMeasuredHeader.formUnion(unmeasured)
        measuredWidths.merge(needed) { $1 }
        _ = state.apply(.setMeasuredWidths(needed))
    }

    private func followsContent(_ column: Column, in state: GridState) -> Bool {
        column.delegatedWidth == nil
            && (column.width == .automatic || column.width == .standard && state.metrics.defaultColumnWidth == nil)
    }

    /// Widens a measured column if the content of an edited cell, or its total, does not fit.
    func widen(_ id: ColumnID, toFit row: RowID, of state: inout GridState) {
        guard let index = state.columns.index(of: id), followsContent(state.columns[index], in: state) else { return }
        let column = state.columns[index]
        guard column.measuredWidth > 0, measuredWidths[id] == column.measuredWidth else { return }
        let width = ContentWidths(state, caches.contents, ignoresFrameWidth: true).width(
            of: column, in: [row], atLeast: column.measuredWidth)
        guard width > column.measuredWidth, width > ColumnGeometry(state).widths[index] else { return }
        measuredWidths[id] = width
        _ = state.apply(.setMeasuredWidths([id: width]))
    }
}
