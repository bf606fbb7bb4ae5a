import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

/// Notes about differences between the output and the file. They go to standard error, or into the message about an export.
public struct OutputNotes: Sendable, Equatable {
    /// The notes, one sentence per line.
    public private(set) var lines: [String] = []
    /// True if something of the file is missing in the output. The exit status is 1 then.
    public private(set) var hasLosses = false

    /// True if U+FFFD replaces characters of the input.
    private(set) var replacesCharacters = false

    /// The number of fields in which U+FFFD was written instead of invalid bytes.
    private var replacedFields = 0
    /// The row number of the first replaced field, from 1; `nil` if the row has no known number or the field is in the header.
    private var firstRow: Int?
    /// The position of the first replaced field in the output, from 0; −1 for the header.
    private var firstPosition = Int.max
    /// The first columns whose names differ in the output, as in `“a” to “a_2”`. ``renamedCount`` counts all such columns.
    private var renames: [String] = []
    private var renamedCount = 0
    /// True if the names of some columns differ in the output.
    var renamesColumns: Bool { renamedCount > 0 }
    /// True if the format cannot keep invalid bytes, so that fields must be checked. It is set even if no invalid bytes are known yet,
    /// because the output may be the first to read the last rows.
    private let checksFields: Bool
    /// True if the format cannot keep invalid bytes in column names, so that ``checkHeader(_:)`` must check them.
    private let checksNames: Bool
    /// True if programs read the output. A program takes U+FFFD for content, not for a mark of invalid bytes, so replaced bytes are a loss.
    private let isMachineReadable: Bool
    /// True if the format has hexadecimal digits instead of fields with invalid bytes.
    private let writesHexadecimal: Bool

    /// - Parameter asShown: true if values are written as displayed.
    init(_ format: FileFormat, asShown: Bool = false) {
        let keepsBytes: Bool
        switch format.content {
        case .text(let text): (keepsBytes, writesHexadecimal) = (!asShown && (text == .csv || text == .tsv), false)
        case .typed(let typed): (keepsBytes, writesHexadecimal) = (typed.keepsInvalidText, !typed.keepsInvalidText)
        }
        checksFields = !keepsBytes
        // Typed formats store column names as text, even if they keep the invalid bytes of fields.
        checksNames = !keepsBytes || format.text == nil
        isMachineReadable = format.text != .text
    }

    /// Counts invalid fields among the fields of a row. Rows can be checked in any order.
    /// - Parameters:
    ///   - record: the row in the file, as in `RowID/rawValue`. The note has no row number if the row is counted from the end.
    ///   - position: the position of the row in the output, from 0.
    mutating func check(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int) {
        guard checksFields else { return }
        let row = RowID(record)
        addReplaced(fields, row: row.isCountedFromEnd ? nil : row.number + 1, position: position)
    }

    /// Counts invalid fields in output that is not a row of the file, such as the statistics of a column.
    mutating func check(_ fields: UnsafeBufferPointer<FieldBytes>) {
        if checksFields { addReplaced(fields, row: nil, position: .max) }
    }

    /// Counts invalid column names. Does nothing for CSV and TSV, which keep the bytes of the names in the file.
    mutating func checkHeader(_ names: UnsafeBufferPointer<FieldBytes>) {
        if checksNames { addReplaced(names, row: nil, position: -1) }
    }

    private mutating func addReplaced(_ fields: UnsafeBufferPointer<FieldBytes>, row: Int?, position: Int) {
        for field in fields where !field.isUTF8 {
            replacedFields += 1
            if position < firstPosition { (firstRow, firstPosition) = (row, position) }
        }
    }

    /// Counts invalid column names in formats that write titles as text.
    /// - Throws: the errors of the table.
    mutating func checkTitles(of columns: [Column], in table: any Table) throws {
        try table.scanHeader(columns: columns.map(\.field.rawValue)) { names in
            // A title without U+FFFD is valid, even if the name in the file is not: the user has renamed the column.
            let names = zip(names, columns).map { $1.title.unicodeScalars.contains("\u{FFFD}") ? $0 : .missing }
            names.withUnsafeBufferPointer { addReplaced($0, row: nil, position: -1) }
        }
    }

    /// A copy that has counted no invalid fields yet, for a thread that writes some of the rows. ``merge(_:)`` adds its counts later.
    var withoutFindings: OutputNotes {
        var notes = self
        (notes.replacedFields, notes.firstRow, notes.firstPosition) = (0, nil, .max)
        return notes
    }

    /// Adds the notes of another writer, which has checked other fields of the same output.
    mutating func merge(_ other: OutputNotes) {
        replacedFields += other.replacedFields
        if other.firstPosition < firstPosition { (firstRow, firstPosition) = (other.firstRow, other.firstPosition) }
    }

    /// Adds a sentence about a loss: a part of the file that is missing in the output.
    mutating func addLoss(_ sentence: String) {
        lines.append(sentence)
        hasLosses = true
    }

    /// Adds a note about each derived column without a value in the first rows. This may be a mistake in the formula, but is not a loss.
    mutating func add(valuelessFields names: [String]) {
        lines += names.map { "--derive: “\($0)” has no value in the first rows. Check the formula." }
    }

    /// Adds the hints about filters that no row matches. They are not losses.
    mutating func add(hintsAbout filters: [Filter], in schema: Schema) {
        for hint in filters.flatMap({ FormulaHint.hints(aboutFilter: $0.text, in: schema) }) { lines.append("--filter: \(hint.message)") }
    }

    /// Adds a note if the file has comments or other lines before the table, or a row of units, with the reading options for them.
    /// This is not a loss, because the output contains these lines.
    /// - Parameter skippedLines: the number of lines that the current options already skip.
    mutating func add(suggestionFor input: any TableSource, skippedLines: Int) {
        switch input.suggestions.first {
        case .linesBeforeTable(let count):
            lines.append(
                "\(input.name): \(Self.count(count, "line", "lines")) before the table. Use --skip-lines \(skippedLines + count) to skip "
                    + "\(count == 1 ? "it" : "them").")
        case .commentLines(let prefix, let count):
            let subject = count == 1 ? "the first line begins" : "the first \(Self.count(count, "line", "lines")) begin"
            lines.append("\(input.name): \(subject) with “\(prefix)”. Use --comment '\(prefix)' to skip all such lines.")
        case .commentedHeader(let prefix, let count):
            let advice =
                !prefix.isEmpty
                ? "Use --comment '\(prefix)'"
                : skippedLines + count > 0 ? "Use --skip-lines \(skippedLines + count) instead of --comment" : "Omit --comment"
            lines.append("\(input.name): the last comment before the rows may have the column names. \(advice) to read them.")
        case .unitsRow: lines.append("\(input.name): the first row has units. Use --header two to add them to the column names.")
        // These notes suggest reading options. No reading option leaves out a totals row; only a filter does. A header that was read as
        // data is in the output as a row, so nothing is missing.
        case .totalsRow, .header, nil: return
        }
    }

    /// Adds a note about each type of value that a typed file can only store as text or as another type. The text is complete, so this is
    /// not a loss.
    /// - Parameter name: the name of the input.
    mutating func add(
        conversionsOf columns: [WrittenColumn], declared: [DeclaredType?], to format: any WritableFormat, _ name: String
    ) {
        func add(_ sentence: String, _ isConverted: (WrittenColumn, DeclaredType?) -> Bool) {
            let names = zip(columns, declared).filter { isConverted($0, $1) }.map { column, _ in "“\(column.name)”" }
            guard !names.isEmpty else { return }
            lines.append("\(name): \(sentence): \(Self.list(names, of: names.count)).")
        }
        add("arrays and objects are written as JSON text") { $0.isJSON && $1 != .json }
        add("binary values are written as text or as hexadecimal digits") { $1 == .binary }
        guard !format.keepsTimeZones else { return }
        add("times are written in UTC without their zone") { column, _ in
            if case .dateTime(_, isUTC: true) = column.type { true } else { false }
        }
    }

    /// Adds a note for each reason why numbers are text in a typed file, or strings in JSON and SQL. The text is complete, so this is not a
    /// loss.
    /// - Parameters:
    ///   - format: the title of the format.
    ///   - name: the name of the input.
    mutating func add(_ columns: [TextColumn], in format: String, _ name: String) {
        for reason in TextReason.allCases {
            let names = columns.filter { $0.reason == reason }.map { "“\(Message.shortened($0.name))”" }
            guard !names.isEmpty else { continue }
            let sentence =
                switch reason {
                case .otherValues: "numbers are written as text, because their columns also have other values"
                case .leadingZeros: "numbers are written as text, so that leading zeros are not lost"
                case .plusSigns: "numbers are written as text, so that plus signs are not lost"
                case .lostDigits: "numbers are written as text, because no type of numbers keeps all of their digits"
                case .inexactFormat: "numbers are written as text, because \(format) does not store all of them exactly"
                case .nonFinite: "NaN and infinity are written as strings, because \(format) has no such numbers"
                }
            let label = names.count == 1 ? "Column" : "Columns"
            lines.append("\(name): \(sentence). \(label): \(Self.list(names, of: names.count)).")
        }
    }

    /// Counts the columns whose names differ in the output. This happens if the format requires distinct names, or if the name in the file
    /// is empty and the title is therefore the column number.
    /// - Parameter names: the names in the output; `nil` if the format keeps the titles as they are.
    mutating func checkNames(of columns: [(id: FieldID, title: String)], as names: [String]?, from input: any TableSource) {
        guard let names else { return }
        for (column, name) in zip(columns, names) {
            let index = column.id.rawValue
            let isUnnamed = index < input.columnCount && column.title == "#\(index + 1)" && input.title(ofColumn: index).isEmpty
            guard isUnnamed || name != column.title else { continue }
            renamedCount += 1
            guard renames.count < Self.listedNames else { continue }
            renames.append("“\(isUnnamed ? "" : Message.shortened(column.title))” to “\(Message.shortened(name))”")
        }
    }

    /// Adds a note about the columns that ``checkNames(of:as:from:)`` has found. This is not a loss.
    /// - Parameter name: the name of the input.
    mutating func addRenames(_ name: String) {
        guard renamedCount > 0 else { return }
        lines.append("\(name): columns with an empty or repeated name are renamed: \(Self.list(renames, of: renamedCount)).")
    }

    /// The first items of a list as text, with the number of remaining items.
    private static func list(_ items: [String], of count: Int) -> String {
        items.prefix(listedNames).joined(separator: ", ") + (count > listedNames ? " and \(count - listedNames) more" : "")
    }

    /// Adds a note about columns with two forms of values, if the query handles one of the forms differently than the file intends.
    mutating func add(mixedValuesIn fields: QueriedFields, of input: any TableSource, in table: any Table) {
        let areUnreadable = input.mixedValuesAreUnreadable
        let textColumns = areUnreadable ? fields.textFields.map(\.rawValue) : []
        func phrase(_ fields: [FieldID]) -> String? {
            let columns = fields.map(\.rawValue)
            let read = (table as? DerivedTable)?.columnsRead(for: columns) ?? columns
            return input.mixedValues(of: Set(read).subtracting(textColumns).sorted())
        }
        guard
            let found = phrase(
                fields.combinedFields + fields.filterFields + fields.sortFields + (areUnreadable ? fields.writtenFields : []))
        else { return }
        lines.append("\(input.name): \(found).")
        if phrase(fields.combinedFields + (areUnreadable ? fields.filterFields + fields.writtenFields : [])) != nil { hasLosses = true }
    }

    /// The maximum number of columns that a note names.
    private static let listedNames = 3

    /// Adds the notes that are known only when all rows are written.
    /// - Parameters:
    ///   - formulaGuard: the guard that has counted formulas; `nil` if they were written unchanged.
    ///   - csvAdvice: as for ``addReplacements(_:csvAdvice:)``.
    mutating func finish(_ input: any TableSource, _ formulaGuard: FormulaGuard? = nil, csvAdvice: String = "Use -o csv") {
        if let count = formulaGuard?.count, count > 0 {
            let cells = Self.count(count, "cell that begins like a formula was", "cells that begin like a formula were")
            lines.append("\(input.name): \(cells) written with a leading apostrophe.")
        }
        addReplacements(input.name, csvAdvice: csvAdvice)
        for conversion in input.conversions {
            lines.append(conversion.sentence)
            if conversion.isLoss { hasLosses = true }
            if conversion.replacesCharacters { replacesCharacters = true }
        }
        if let omission = input.omission { addLoss(omission) }
        addRenames(input.name)
    }

    /// Adds a note about the fields that a server has cut.
    mutating func add(_ cuts: CutFields, of input: any TableSource) {
        if let sentence = cuts.sentence(in: input.name, title: { input.title(ofColumn: $0) }) { addLoss(sentence) }
    }

    /// Adds a note about the fields in which U+FFFD or hexadecimal digits replace invalid bytes.
    /// - Parameters:
    ///   - name: the name of the input.
    ///   - csvAdvice: the start of the sentence that advises CSV output, which keeps invalid bytes.
    mutating func addReplacements(_ name: String, csvAdvice: String = "Use -o csv") {
        guard replacedFields > 0 else { return }
        if isMachineReadable { hasLosses = true }
        replacesCharacters = true
        let location = firstPosition < 0 ? " (the first in the header)" : firstRow.map { " (the first in row \($0))" }
        let fields = Self.count(replacedFields, "field", "fields") + (location == nil ? " of the output" : "")
        let isOne = replacedFields == 1
        let effect =
            if !writesHexadecimal || firstPosition < 0 && isOne {
                "Invalid bytes were replaced with U+FFFD"
            } else if firstPosition < 0 {
                "Column names have U+FFFD instead of invalid bytes, and values have hexadecimal digits"
            } else {
                "\(isOne ? "It is" : "They are") written as hexadecimal digits"
            }
        lines.append(
            "\(name): \(fields) \(isOne ? "is" : "are") not valid UTF-8\(location ?? ""). \(effect). "
                + "\(csvAdvice) to keep the bytes, or --encoding to decode them.")
    }

    private static func count(_ number: Int, _ one: String, _ several: String) -> String { "\(number) \(number == 1 ? one : several)" }
}

/// The fields that the query of an output uses, grouped by the effect of a value that the query misreads.
struct QueriedFields: Sendable {
    /// The fields whose values are combined in the output, as in groups and sums. A misread value makes the result wrong.
    var combinedFields: [FieldID] = []
    /// The fields of filters. A misread value may leave out its row.
    var filterFields: [FieldID] = []
    /// The fields that only order rows. A misread value changes the order, but is written unchanged.
    var sortFields: [FieldID] = []
    /// The derived fields in the output. They are empty where a value cannot be read.
    var writtenFields: [FieldID] = []
    /// The fields that the user has chosen to read as text. None of their values is misread.
    var textFields: Set<FieldID> = []
}

extension CutFields {
    /// A sentence about the fields that were cut, with the place of the first one; `nil` if all fields are complete.
    /// - Parameters:
    ///   - name: the name of the input.
    ///   - title: the title of a column; `nil` if it is unknown.
    func sentence(in name: String, title: (_ column: Int) -> String?) -> String? {
        guard let first else { return nil }
        let row = NumberText.count(RowID(first.record).number + 1)
        let column = title(first.column).map { ", column “\(Message.shortened($0))”" } ?? ""
        return "\(name): \(first.limit) (the first in row \(row)\(column))."
    }
}
