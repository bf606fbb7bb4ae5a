public import DataGrid
import FieldValues
public import TerminalSurface

extension GridController {
    /// The selection as tab-separated text for spreadsheets; without a selection, the text of the cell under the cursor.
    ///
    /// The text contains all rows and columns that have a selected cell. Cells of these rows and columns that are not selected are empty. A
    /// field with a tab, quote or line ending is quoted, and its quotes are doubled. The last row has no line ending. Each cell's text is
    /// read once; rows are announced 256 at a time.
    /// - Parameters:
    ///   - selection: cells to copy instead of the current selection.
    ///   - withHeader: true to start with the titles of the columns.
    ///   - limit: the maximum length in bytes of UTF-8, by default the limit of the clipboard (`Clipboard`).
    /// - Returns: `nil` if there is nothing to copy, the text exceeds `limit`, or the source has no text for a cell.
    public func copyText(of selection: Selection? = nil, withHeader: Bool = false, limit: Int = Clipboard.byteLimit) -> String? {
        guard let source = dataSource, let cells = state.cellsToCopy(of: selection), cells.rowCount <= limit else { return nil }
        let (ids, text) = (cells.columns.map(\.id), CopiedText(cells))
        var bytes: [UInt8] = []
        var buffer = FieldBuffer()
        if withHeader { text.withTitles { bytes += $0 } }
        for range in cells.rows {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 256) {
                let chunk = start..<min(range.upperBound, start + 256)
                source.willShow(rows: chunk.map { state.rows[$0] }, columns: ids)
                for position in chunk {
                    for id in ids {
                        let isCopied = cells.contains(row: position, column: id)
                        let field = isCopied ? source.text(row: state.rows[position], column: id) : nil
                        if isCopied, field == nil { return nil }
                        buffer.append(field)
                    }
                    buffer.withFields { fields in text.withLine(of: fields) { bytes += $0 } }
                    // The final line ending is counted here, but is not copied.
                    guard bytes.count <= limit + 1 else { return nil }
                }
            }
        }
        return String(decoding: CopiedText.text(ofLines: bytes), as: UTF8.self)
    }

    /// Copies the edited text while a cell is edited. Otherwise copies the selection or the current cell, if the delegate permits it.
    func copy(withHeader: Bool) {
        if state.editing == nil {
            guard let cells = state.cellsToCopy(), delegate?.shouldCopy(cells, withHeader: withHeader) ?? true else { return }
        }
        guard let text = state.editing?.field.string ?? copyText(withHeader: withHeader), text.utf8.count <= Clipboard.byteLimit else {
            onRefusal?("Nothing copied: there is no text, or it is larger than \(Clipboard.byteLimit >> 20) MiB.")
            return
        }
        onCopy?(text)
    }

    /// The message after a copy, such as `Copied 3 cells`.
    var copyMessage: String {
        if state.editing != nil { return "Copied the text" }
        let count = state.cellsToCopy()?.cellCount ?? 0
        return "Copied \(ValueText.count(count)) \(count == 1 ? "cell" : "cells")"
    }
}
