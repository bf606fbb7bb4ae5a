import DataGrid

extension GridPainter {
    /// What the source says about a cell in sight. It is asked once for a frame: what was measured for the layout is known already.
    func content(_ row: RowID, _ column: ColumnID) -> CellContent { content(row, column, source) }

    /// The same, from a source that is held already.
    func content(_ row: RowID, _ column: ColumnID, _ source: (any GridDataSource)?) -> CellContent {
        measured?.answer(of: source, row, column) ?? source?.content(row: row, column: column) ?? .missing
    }

    /// What found the heights of the rows in this frame from their content.
    var measured: ContentHeights? { state.metrics.hasAutomaticRowHeights ? state.rowHeightSource as? ContentHeights : nil }
}
