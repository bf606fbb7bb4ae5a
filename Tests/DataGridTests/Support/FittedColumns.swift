import DataGrid

/// Columns with these measured widths; 0 is unmeasured.
func measuredColumns(_ needs: Int..., rule: WidthRule = .standard) -> [Column] {
    needs.enumerated().map { Column(id: ColumnID($0), title: "\($0)", width: rule, measuredWidth: $1) }
}

func fittedState(_ columns: [Column], frame: Int, _ metrics: (inout GridMetrics) -> Void = { _ in }) -> GridState {
    var state = grid("", frame: (frame, 10), metrics)
    state.play(.replaceColumns(columns))
    return state
}

/// The widths of the columns in a frame of `frame` cells, with a gap of one cell.
func fittedWidths(_ columns: [Column], frame: Int, _ metrics: (inout GridMetrics) -> Void = { _ in }) -> [Int] {
    fittedState(columns, frame: frame, metrics).layout.geometry.widths
}
