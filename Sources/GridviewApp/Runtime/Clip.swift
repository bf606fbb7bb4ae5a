import DataGrid
import DataGridSources
import DataGridTerminal

/// What is copied: the selected cells, or the one under the cursor, as tab-separated text, byte for byte as the file has it.
@MainActor
struct Clip {
    /// Terminals take no more, and many far less.
    static let byteLimit = 4 << 20

    /// `nil` when it is more than ``byteLimit``, or could not be read.
    private(set) var bytes: [UInt8]? = []
    private(set) var sentence = ""

    init(_ grid: GridState, source: DelimitedGridSource, withHeader: Bool) {
        let columns = grid.columns.visible
        guard !grid.selection.isEmpty else {
            guard let row = grid.currentRow, let column = grid.currentColumn else {
                bytes = nil
                sentence = "There is nothing to copy here."
                return
            }
            add(column: column, row, source, withHeader: withHeader)
            return
        }
        let chosen = columns.filter { !grid.selection.rows(rowCount: grid.rows.count, columns: [$0.id]).isEmpty }
        add(chosen, grid, source, withHeader: withHeader)
    }

    private mutating func add(column: Column, _ row: RowID, _ source: DelimitedGridSource, withHeader: Bool) {
        var all = withHeader ? Array((column.title + "\n").utf8) : []
        let isRead = source.read([row], columns: [column.id]) { _, fields in all += fields[0] }
        finish(all, isRead: isRead, "Copied the cell.")
    }

    private mutating func add(_ columns: [Column], _ grid: GridState, _ source: DelimitedGridSource, withHeader: Bool) {
        var all = withHeader ? Array((columns.map { Self.quoted($0.title) }.joined(separator: "\t") + "\n").utf8) : []
        let ids = columns.map(\.id)
        var rows = 0
        var isRead = true
        for range in grid.selection.rows(rowCount: grid.rows.count, columns: ids) {
            var start = range.lowerBound
            while start < range.upperBound, isRead, all.count <= Self.byteLimit {
                let piece = start..<min(range.upperBound, start + 256)
                isRead = source.read(piece.map { grid.rows[$0] }, columns: ids) { number, fields in
                    rows += 1
                    for (index, field) in fields.enumerated() {
                        if index > 0 { all.append(9) }
                        if grid.selection.contains(row: piece.lowerBound + number, column: ids[index]) { Self.append(field, to: &all) }
                    }
                    all.append(10)
                }
                start = piece.upperBound
            }
        }
        if rows > 0 { all.removeLast() }
        let what = "\(ValueText.count(rows)) \(rows == 1 ? "row" : "rows") of \(columns.count) \(columns.count == 1 ? "column" : "columns")"
        finish(all, isRead: isRead, "Copied \(what).")
    }

    private mutating func finish(_ all: [UInt8], isRead: Bool, _ words: String) {
        if !isRead {
            bytes = nil
            sentence = "Nothing was copied: the file could not be read."
        } else if all.count > Self.byteLimit {
            bytes = nil
            sentence = "Too much to copy at once: at most \(Self.byteLimit >> 20) MB go to the clipboard. --output writes any amount."
        } else {
            bytes = all
            sentence = words
        }
    }

    /// A value that holds tabs, quotes or line breaks is quoted, as spreadsheets expect it.
    private static func append(_ field: [UInt8], to all: inout [UInt8]) {
        guard field.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 34 }) else { return all += field }
        all.append(34)
        for byte in field {
            if byte == 34 { all.append(34) }
            all.append(byte)
        }
        all.append(34)
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(Array(text.utf8), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The terminal's clipboard.
enum Clipboard {
    /// The control sequence (OSC 52) that puts `bytes` there; it works over ssh and in tmux.
    static func sequence(_ bytes: [UInt8]) -> [UInt8] {
        Array("\u{1b}]52;c;".utf8) + base64(bytes) + [7]
    }

    /// RFC 4648.
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let rest = min(3, bytes.count - start)
            let word = (0..<3).reduce(0) { $0 << 8 | ($1 < rest ? Int(bytes[start + $1]) : 0) }
            for n in 0..<4 { result.append(n <= rest ? alphabet[word >> (18 - 6 * n) & 63] : UInt8(ascii: "=")) }
        }
        return result
    }
}
