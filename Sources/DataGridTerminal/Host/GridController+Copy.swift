public import DataGrid
public import TerminalSurface

extension GridController {
    /// The selection as tab-separated text for spreadsheets; without a selection, the text of the cell under the cursor.
    ///
    /// The text has the rows and columns with selected cells; other cells are empty. A field with a tab, quote or line ending is quoted,
    /// and its quotes are doubled. The last row has no line ending. Each cell's text is read once; rows are announced 256 at a time.
    /// - Parameters:
    ///   - selection: cells to copy instead of the current selection.
    ///   - withHeader: true to start with the titles of the columns.
    ///   - limit: the maximum length in bytes of UTF-8, by default that of the clipboard (`Clipboard`).
    /// - Returns: `nil` if there is nothing to copy, the text exceeds `limit`, or the source has no text for a cell.
    public func copyText(of selection: Selection? = nil, withHeader: Bool = false, limit: Int = Clipboard.byteLimit) -> String? {
        guard let source = dataSource, let cells = state.cellsToCopy(of: selection ?? state.selection), cells.rowCount <= limit else {
            return nil
        }
        let ids = cells.columns.map(\.id)
        if cells.isSingleCell {
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
