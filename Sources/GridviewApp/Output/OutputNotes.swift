import DataGrid
import DataGridSources
import FieldValues
import Tables

/// Notes about differences between the output and the file, for standard error or for the message of an export.
public struct OutputNotes: Sendable, Equatable {
    /// Sentences, one per line.
    public private(set) var lines: [String] = []
    /// True if the output lacks something, so that the exit status is 1.
    public private(set) var hasLosses = false

    /// True if U+FFFD replaces characters of the input.
    private(set) var replacesCharacters = false

    /// The number of fields written with U+FFFD instead of invalid UTF-8 bytes.
    private var replacedFields = 0
    /// The number of the row of the first replaced field, from 1; `nil` if it is unknown or the field is in the header.
    private var firstRow: Int?
    /// The position of the first replaced field in the output; −1 for the header.
    private var firstPosition = Int.max
    /// True if fields must be checked, because the format cannot keep invalid bytes. This does not depend on the problems found in the
    /// input so far, because the output may be the first reader of its last rows.
    private let checksFields: Bool
    /// True if the names of ``checkHeader(_:)`` must be checked, because the format cannot keep invalid bytes in names.
    private let checksNames: Bool
    /// True if programs read the output. For them, U+FFFD is content rather than a mark of invalid bytes.
    private let isData: Bool

    /// - Parameter asShown: true if values are written as displayed.
    init(_ format: FileFormat, asShown: Bool = false) {
        let keepsBytes =
            switch format.content {
            case .text(let text): !asShown && (text == .csv || text == .tsv)
            case .typed(let typed): typed.keepsInvalidText
            }
        checksFields = !keepsBytes
        // Typed formats store column names as text, even if they keep invalid bytes in fields.
        checksNames = !keepsBytes || format.text == nil
        isData = format.text != .text
    }

    /// Checks fields of the output, in any order.
    /// - Parameters:
    ///   - record: the row in the file, as in `RowID/rawValue`. The note has no number for a row that is counted from the end.
    ///   - position: the position of the row in the output.
    mutating func check(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int) {
        guard checksFields else { return }
        let row = RowID(record)
        addReplaced(fields, row: row.isCountedFromEnd ? nil : row.number + 1, position: position)
    }

    /// Checks fields of a record that is not a row of the file, such as the statistics of a column.
    mutating func check(_ fields: UnsafeBufferPointer<FieldBytes>) {
        if checksFields { addReplaced(fields, row: nil, position: .max) }
    }

    /// Checks the names of the columns, which CSV and TSV output has as they are in the file.
    mutating func checkHeader(_ names: UnsafeBufferPointer<FieldBytes>) {
        if checksNames { addReplaced(names, row: nil, position: -1) }
    }

    private mutating func addReplaced(_ fields: UnsafeBufferPointer<FieldBytes>, row: Int?, position: Int) {
        for field in fields where !field.isUTF8 {
            replacedFields += 1
            if position < firstPosition { (firstRow, firstPosition) = (row, position) }
        }
    }

    /// Checks the names of columns whose titles are written as text, in any format.
    /// - Throws: the errors of the table.
    mutating func checkTitles(of columns: [Column], in table: any Table) throws {
        try table.scanHeader(columns: columns.map(\.field.rawValue)) { names in
            // A renamed column has a valid title.
            let names = zip(names, columns).map { $1.title.unicodeScalars.contains("\u{FFFD}") ? $0 : .missing }
            names.withUnsafeBufferPointer { addReplaced($0, row: nil, position: -1) }
        }
    }

    /// A copy without findings, for a writer of some of the rows.
    var withoutFindings: OutputNotes {
        var notes = self
        (notes.replacedFields, notes.firstRow, notes.firstPosition) = (0, nil, .max)
        return notes
    }

    /// Adds the findings of another writer, which has checked other fields.
    mutating func merge(_ other: OutputNotes) {
        replacedFields += other.replacedFields
        if other.firstPosition < firstPosition { (firstRow, firstPosition) = (other.firstRow, other.firstPosition) }
    }

    /// Adds a sentence about something that is not in the output.
    mutating func addLoss(_ sentence: String) {
        lines.append(sentence)
        hasLosses = true
    }

    /// Adds a note about each derived column that has no value in the first rows. This may be intended, so it is not a loss.
    mutating func add(valuelessFields names: [String]) {
        lines += names.map { "--derive: “\($0)” has no value in the first rows. Check the formula." }
    }

    /// Adds a note about lines before the table or a row of units, for which the screen would suggest other reading options. The output
    /// contains these lines, so nothing is lost.
    /// - Parameter skippedLines: the number of lines that are skipped already.
    mutating func add(suggestionFor input: any TableSource, skippedLines: Int) {
        switch input.suggestions.first {
        case .linesBeforeTable(let count):
            lines.append(
                "\(input.name): \(Self.count(count, "line", "lines")) before the table. Use --skip-lines \(skippedLines + count) to skip "
                    + "\(count == 1 ? "it" : "them").")
        case .unitsRow: lines.append("\(input.name): the first row has units. Use --header two to add them to the column names.")
        // Only a filter can omit a totals row; no reading option can.
        case .totalsRow, nil: return
        }
    }

    /// Adds a note about each kind of value that a typed file stores as another type. Its text is complete, so this is not a loss.
    /// - Parameter name: the name of the input.
    mutating func add(
        conversionsOf columns: [WrittenColumn], declared: [DeclaredType?], to format: any WritableFormat, _ name: String
    ) {
        func add(_ sentence: String, _ isConverted: (WrittenColumn, DeclaredType?) -> Bool) {
            let names = zip(columns, declared).filter { isConverted($0, $1) }.map { column, _ in "“\(column.name)”" }
            guard !names.isEmpty else { return }
            let rest = names.count > Self.listedNames ? " and \(names.count - Self.listedNames) more" : ""
            lines.append("\(name): \(sentence): \(names.prefix(Self.listedNames).joined(separator: ", "))\(rest).")
        }
        add("arrays and objects are written as JSON text") { $0.isJSON && $1 != .json }
        add("binary values are written as text or as hexadecimal digits") { $1 == .binary }
        guard !format.keepsZones else { return }
        add("times are written in UTC without their zone") { column, _ in
            if case .dateTime(_, isUTC: true) = column.type { true } else { false }
        }
    }

    /// The maximum number of columns that a note names.
    private static let listedNames = 3

    /// Adds the final notes.
    /// - Parameters:
    ///   - formulas: the guard of the output, if any.
    ///   - csvAdvice: as for ``addReplacements(_:csvAdvice:)``.
    mutating func finish(_ input: any TableSource, _ formulas: FormulaGuard? = nil, csvAdvice: String = "Use -o csv") {
        if let count = formulas?.count, count > 0 {
            let cells = Self.count(count, "cell that begins like a formula was", "cells that begin like a formula were")
            lines.append("\(input.name): \(cells) written with a leading apostrophe.")
        }
        addReplacements(input.name, csvAdvice: csvAdvice)
        for conversion in input.conversions {
            lines.append(conversion.sentence)
            if conversion.isLoss { hasLosses = true }
            if conversion.replacesCharacters { replacesCharacters = true }
        }
    }

    /// Adds a note about the fields whose invalid bytes were replaced.
    /// - Parameters:
    ///   - name: the name of the input.
    ///   - csvAdvice: the start of the advice to write CSV, which keeps invalid bytes.
    mutating func addReplacements(_ name: String, csvAdvice: String = "Use -o csv") {
        guard replacedFields > 0 else { return }
        if isData { hasLosses = true }
        replacesCharacters = true
        let location = firstPosition < 0 ? " (the first in the header)" : firstRow.map { " (the first in row \($0))" }
        let fields = Self.count(replacedFields, "field", "fields") + (location == nil ? " of the output" : "")
        lines.append(
            "\(name): \(fields) \(replacedFields == 1 ? "is" : "are") not valid UTF-8\(location ?? ""). Invalid "
                + "bytes were replaced with U+FFFD. \(csvAdvice) to keep them, or --encoding to decode them.")
    }

    private static func count(_ number: Int, _ one: String, _ several: String) -> String { "\(number) \(number == 1 ? one : several)" }
}
