public import DataGrid
public import TerminalSurface

extension GridController {
    /// What is selected as tab-separated text, as spreadsheets take it: the columns and the rows in which something is, blanks where nothing is;
    /// without a selection the cell under the cursor, as it is.
    ///
    /// A field with a tab, a quote or a line end is put in quotes, and its quotes are doubled. No line end follows the last row. The data source
    /// is asked for each cell's text once, 256 rows announced at a time.
    /// - Parameters:
    ///   - selection: other cells than those that are selected.
    ///   - withHeader: whether the titles of the columns come first.
    ///   - limit: bytes of UTF-8; what the clipboard takes (`Clipboard`) unless told otherwise.
    /// - Returns: `nil` when there is nothing, when it is more than `limit`, or when the source has not the text of a cell.
    public func copyText(of selection: Selection? = nil, withHeader: Bool = false, limit: Int = Clipboard.byteLimit) -> String? {
        let selection = selection ?? state.selection
        guard !selection.isEmpty else { return currentCell(withHeader: withHeader, limit: limit) }
        let count = state.rows.count
        let columns = state.columns.visible.filter { !selection.rows(rowCount: count, columns: [$0.id]).isEmpty }
        let ids = columns.map(\.id)
        let ranges = selection.rows(rowCount: count, columns: ids)
        guard let source = dataSource, !ranges.isEmpty, ranges.reduce(0, { $0 + $1.count }) <= limit else { return nil }
        var text = withHeader ? Self.line(columns.map(\.title)) : ""
        for range in ranges {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 256) {
                let piece = start..<min(range.upperBound, start + 256)
                source.willShow(rows: piece.map { state.rows[$0] }, columns: ids)
                for position in piece {
                    var fields: [String] = []
                    for id in ids {
                        guard selection.contains(row: position, column: id) else {
                            fields.append("")
                            continue
                        }
                        guard let field = source.text(row: state.rows[position], column: id) else { return nil }
                        fields.append(field)
                    }
                    text += Self.line(fields)
                    guard text.utf8.count <= limit + 1 else { return nil }
                }
            }
        }
        text.removeLast()
        return text
    }

    private func currentCell(withHeader: Bool, limit: Int) -> String? {
        guard let row = state.currentRow, let column = state.currentColumn, let text = dataSource?.text(row: row, column: column.id) else {
            return nil
        }
        let whole = withHeader ? column.title + "\n" + text : text
        return whole.utf8.count <= limit ? whole : nil
    }

    private static func line(_ fields: [String]) -> String {
        fields.map { field in
            guard field.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 34 }) else { return field }
            return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }.joined(separator: "\t") + "\n"
    }
}
