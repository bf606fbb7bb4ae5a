import DataGrid
import DataGridSources
import DataGridTerminal

/// What is copied: the selected cells, or the one under the cursor, as tab-separated text.
@MainActor
struct Clip {
    /// Terminals take no more, and many far less.
    static let byteLimit = 4 << 20

    /// `nil` when it is more than ``byteLimit``.
    private(set) var text: String?
    private(set) var sentence = ""

    init(_ grid: GridState, source: DelimitedGridSource, withHeader: Bool) {
        let columns = grid.columns.visible
        guard !grid.selection.isEmpty else {
            guard let row = grid.currentRow, let column = grid.currentColumn else {
                text = ""
                sentence = "There is nothing to copy here."
                return
            }
            let value = source.text(row: row, column: column.id, limit: Self.byteLimit) ?? ""
            text = withHeader ? column.title + "\n" + value : value
            sentence = "Copied the cell."
            return
        }
        let ranges = grid.selection.rows(rowCount: grid.rows.count, columns: columns.map(\.id))
        let chosen = columns.filter { column in ranges.contains { grid.selection.contains(row: $0.lowerBound, column: column.id) } }
        var lines = withHeader ? [chosen.map { Self.field($0.title) }.joined(separator: "\t")] : []
        var bytes = 0
        var rows = 0
        for range in ranges {
            for position in range {
                let id = grid.rows[position]
                let line = chosen.map { column in
                    grid.selection.contains(row: position, column: column.id)
                        ? Self.field(source.text(row: id, column: column.id, limit: Self.byteLimit) ?? "") : ""
                }.joined(separator: "\t")
                bytes += line.utf8.count + 1
                if bytes > Self.byteLimit { return }
                lines.append(line)
                rows += 1
            }
        }
        text = lines.joined(separator: "\n")
        sentence =
            "Copied \(ValueText.count(rows)) \(rows == 1 ? "row" : "rows") of \(chosen.count) \(chosen.count == 1 ? "column" : "columns")."
    }

    /// A value that holds tabs, quotes or line breaks is quoted, as spreadsheets expect it.
    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 34 }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

/// The terminal's clipboard.
enum Clipboard {
    /// The control sequence (OSC 52) that puts `text` there; it works over ssh and in tmux.
    static func sequence(_ text: String) -> [UInt8] {
        Array("\u{1b}]52;c;".utf8) + base64(Array(text.utf8)) + [7]
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
