import DataGrid
import TerminalSurface

extension GridPainter {
    /// Reverses the colors of the part whose change was refused. Call it last, so that nothing is painted over it.
    func paintBlink(of part: Blink.Part, on buffer: inout CellBuffer) {
        for area in areas(of: part) { buffer.restyle(area) { $0.attributes.formSymmetricDifference(.reverse) } }
    }

    /// The visible rectangles of a part, in coordinates of the buffer.
    private func areas(of part: Blink.Part) -> [TerminalRect] {
        switch part {
        case .cell(let row, let column): return [area(ofRow: row, column: column)].compactMap(\.self)
        case .column(let id):
            var areas = [state.currentRow.flatMap { area(ofRow: $0, column: id) }].compactMap(\.self)
            if let span = layout.columns.first(where: { $0.id == id }) {
                areas.append(rect(x: span.x, y: 0, width: span.width, height: min(layout.titleLines, layout.headerHeight)))
            } else if let field = layout.fields.first(where: { $0.id == id }) {
                areas.append(rect(x: 0, y: field.y, width: layout.titleWidth - 1))
            }
            return areas
        case .rows(let range):
            guard let column = state.currentColumn?.id else { return [] }
            return layout.positions.filter { range.contains($0) }.compactMap { area(ofRow: state.rows[$0], column: column) }
        }
    }

    private func area(ofRow row: RowID, column: ColumnID) -> TerminalRect? {
        guard let (origin, size) = state.visibleFrame(ofRow: row, column: column) else { return nil }
        return rect(x: origin.x, y: origin.y, width: size.width, height: size.height)
    }
}
