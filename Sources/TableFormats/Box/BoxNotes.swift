import FieldValues
import Locks

/// Properties of a drawn table that its rows do not show: the text around it, and the numbers of rows and columns that the writing program
/// left out. Any thread can use it.
final class BoxNotes: Sendable {
    private struct State: Sendable {
        var caption: [String] = []
        /// The number of lines above the table that are not stored here.
        var precedingLines = 0
        var footers: [String] = []
        /// The number of lines below the table that are not stored here.
        var followingLines = 0
        /// The number of stored lines that contain more than the table size and the query time.
        var remarkLines = 0
        var rows = 0
        /// The number of columns in the drawing, if the writing program left out other columns; `nil` for a complete table.
        var shownColumns: Int?
        var totals = Totals()
        var hasOmittedRows = false
        /// True if the table is a tibble of R.
        var isTibble = false
    }

    /// The sizes in a footer such as `100 rows (40 shown)  12 columns (5 shown)`.
    struct Totals: Sendable {
        var rows: Int?
        var shownRows: Int?
        var columns: Int?
        var shownColumns: Int?
        /// True if the number read last counts columns, false if it counts rows.
        private var countsColumns = false

        /// Reads the numbers in a line of a footer. Returns `false` for a line without numbers of rows or columns.
        @discardableResult mutating func read(_ line: String) -> Bool {
            var number: Int?
            var isFound = false
            for word in line.split(whereSeparator: { " ()│┃║|".contains($0) }) {
                let digits = word.filter { $0 != "," && $0 != "_" }
                if !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) {
                    number = Int(digits)
                } else if let size = number {
                    number = nil
                    switch word {
                    case "rows", "row": (rows, countsColumns, isFound) = (size, false, true)
                    case "columns", "column": (columns, countsColumns, isFound) = (size, true, true)
                    case "shown":
                        if countsColumns { shownColumns = size } else { shownRows = size }
                        isFound = true
                    default: break
                    }
                } else {
                    number = nil
                }
            }
            return isFound
        }
    }

    private static let footerLines = 8
    /// The start of the line that polars writes above a table. Its numbers of rows and columns follow.
    static let polarsPrefix = "shape: ("
    private let state: Mutex<State>

    /// Creates notes for a table.
    /// - Parameter shownColumns: the number of columns in the drawing if other columns are left out; `nil` for a complete table.
    init(caption: [String], precedingLines: Int = 0, shownColumns: Int? = nil) {
        var state = State()
        (state.caption, state.precedingLines, state.shownColumns) = (caption, precedingLines, shownColumns)
        // Unlike other programs, polars and R write the size above the table.
        for line in caption where line.hasPrefix(Self.polarsPrefix) {
            let sizes = line.dropFirst(Self.polarsPrefix.count).split(separator: ",").map { Int($0.filter(\.isNumber)) }
            if sizes.count == 2 { (state.totals.rows, state.totals.columns) = (sizes[0], sizes[1]) }
        }
        if let line = caption.first, line.hasPrefix(TibbleHeader.prefix) {
            state.isTibble = true
            // `10 × 3`, or `10 x 3` in older versions.
            let words = line.dropFirst(TibbleHeader.prefix.count).split(separator: " ")
            if words.count == 3 { (state.totals.rows, state.totals.columns) = (Self.count(words[0]), Self.count(words[2])) }
            if state.totals.columns == shownColumns { state.shownColumns = nil }
        }
        self.state = Mutex(state)
    }

    /// The number in a word such as `1,234`; `nil` for other words.
    private static func count(_ word: Substring) -> Int? { Int(word.filter { $0 != "," }) }

    /// True for a line with the size of a table, such as `10 rows`.
    static func isFooter(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard line.count < 1_000 else { return false }
        var totals = Totals()
        return totals.read(String(decoding: line, as: UTF8.self))
    }

    func addRows(_ count: Int) { state.withLock { $0.rows += count } }
    /// Counts lines below the table that are not stored.
    func addFollowingLines(_ count: Int) { state.withLock { $0.followingLines += count } }
    func addOmittedRows() { state.withLock { $0.hasOmittedRows = true } }

    /// Stores a line that follows the table.
    func addFooter(_ line: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: line.prefix(1_000), as: UTF8.self)
        let words = text.split(whereSeparator: { " │┃║|\t".contains($0) })
        guard !words.isEmpty else { return }
        state.withLock { state in
            guard state.footers.count < Self.footerLines, BoxRule(line) == nil, state.followingLines == 0 else {
                return state.followingLines += 1
            }
            if text.hasPrefix("only showing top ") {
                // Spark writes this line only if it has left out rows. Its number is that of the rows in the table.
                state.hasOmittedRows = true
                return state.footers.append(words.joined(separator: " "))
            }
            if state.isTibble, words[0] == "#" {
                // `# ℹ 77 more rows`, and the names of the columns that are left out
                if text.contains(" more row") { state.hasOmittedRows = true }
                return state.footers.append(words.joined(separator: " "))
            }
            let isSize = state.totals.read(text)
            if !isSize, !Self.isExpectedFooter(text, words) { state.remarkLines += 1 }
            state.footers.append(words.joined(separator: " "))
        }
    }

    /// True for a footer line that can be left out without a note. Such a line contains the time of a query, a number of rows such as
    /// `3 rows in set`, a number of warnings, only punctuation, or a rounded number of DuckDB such as `(1.25 million)`.
    private static func isExpectedFooter(_ text: String, _ words: [Substring]) -> Bool {
        let last = words.last ?? ""
        return ["Time:", "Run", "Elapsed", "Timing:", "Empty"].contains(words.first ?? "")
            || ["sec)", "set", "ms", "warnings", "warning"].contains(last)
            || text.contains("sec)") || words.allSatisfy { $0.allSatisfy { "·…⋮.─━-=+".contains($0) } }
            || last.hasSuffix("illion)") && words.first?.hasPrefix("(") == true
    }

    /// Names and values for the file details.
    var details: [(name: String, value: String)] {
        let state = state.withLock { $0 }
        return state.caption.map { ("caption", $0) } + state.footers.map { ("note", $0) }
    }

    /// Phrases about rows, columns and lines that the table does not show.
    var omissions: [String] {
        let state = state.withLock { $0 }
        var phrases: [String] = []
        let shown = state.totals.shownRows ?? state.rows
        if let rows = state.totals.rows, state.totals.shownRows != nil || state.hasOmittedRows, rows > shown {
            phrases.append("only \(NumberText.count(shown)) of \(NumberText.count(rows)) rows were written to this table")
        } else if state.hasOmittedRows {
            phrases.append("not all rows were written to this table")
        }
        if let columns = state.totals.columns, let shown = state.totals.shownColumns ?? state.shownColumns, columns > shown {
            phrases.append("only \(shown) of \(NumberText.count(columns)) columns were written to this table")
        } else if state.shownColumns != nil {
            phrases.append("not all columns were written to this table")
        }
        if state.precedingLines > 0 {
            let lines = state.precedingLines == 1 ? "line before the table is" : "lines before the table are"
            phrases.append("\(NumberText.count(state.precedingLines)) \(lines) left out")
        }
        let omittedLines = state.followingLines + state.remarkLines
        if omittedLines > 0 {
            let lines = omittedLines == 1 ? "line after the table is" : "lines after the table are"
            phrases.append("\(NumberText.count(omittedLines)) \(lines) left out")
        }
        return phrases
    }
}
