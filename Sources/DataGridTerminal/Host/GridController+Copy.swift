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
        guard let source = dataSource, let cells = state.cellsToCopy(of: selection ?? state.selection), cells.rowCount <= limit else {
            return nil
        }
        let ids = cells.columns.map(\.id)
        if cells.isOne {
            guard let text = source.text(row: state.rows[cells.rows[0].lowerBound], column: ids[0]) else { return nil }
            let whole = withHeader ? cells.columns[0].title + "\n" + text : text
            return whole.utf8.count <= limit ? whole : nil
        }
        var text = withHeader ? Self.line(cells.columns.map(\.title)) : ""
        for range in cells.rows {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 256) {
                let piece = start..<min(range.upperBound, start + 256)
                source.willShow(rows: piece.map { state.rows[$0] }, columns: ids)
                for position in piece {
                    var fields: [String] = []
                    for id in ids {
                        guard cells.contains(row: position, column: id) else {
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

    private static func line(_ fields: [String]) -> String {
        fields.map { field in
            guard field.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 34 }) else { return field }
            return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }.joined(separator: "\t") + "\n"
    }
}
