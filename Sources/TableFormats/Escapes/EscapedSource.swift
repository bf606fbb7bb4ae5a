import DelimitedText
import FieldValues
import Tables

/// Delimited text with escapes, as in `"say \"hi\""`. It is written to a temporary file with doubled quotes, which is then read.
final class EscapedSource: FileSource, TextBackedSource {
    /// The input with escapes.
    let file: DelimitedFile
    /// The temporary file with doubled quotes.
    let textFile: DelimitedFile
    /// The escape character as it is written on the command line.
    private let escape: String
    private let notes: EscapeNotes
    /// Finds the nulls of the temporary file; `nil` if the input has quotes, because `\N` is then text.
    private let nulls: UnescapedNulls?

    /// - Parameters:
    ///   - textFile: the rewritten text of the file.
    ///   - name: the escape character as it is written on the command line.
    ///   - notes: the problems that rewriting finds.
    init(_ file: DelimitedFile, _ textFile: DelimitedFile, escape: UInt8, named name: String, _ notes: EscapeNotes) {
        (self.file, self.textFile, self.escape, self.notes) = (file, textFile, name, notes)
        nulls = file.dialect.quote == nil ? UnescapedNulls(escape: escape) : nil
    }

    // MARK: Columns

    var columnCount: Int { textFile.columnCount }
    var hasColumnNames: Bool { textFile.hasColumnNames }
    var hasNulls: Bool { nulls != nil }
    func title(ofColumn column: Int) -> String { textFile.title(ofColumn: column) }

    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
        nulls == nil ? textFile.profiles(budgetMilliseconds: budgetMilliseconds) : profiles(ofColumnsFrom: 0)
    }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        guard nulls != nil else { return textFile.profiles(ofColumnsFrom: first) }
        let columns = Array(first..<max(first, columnCount))
        return snapshot().profiles(of: columns, delimiter: textFile.dialect.delimiter, notation: textFile.notation, title: name(ofColumn:))
    }
    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        snapshot().profiles(
            ofRareColumns: columns, from: record, delimiter: textFile.dialect.delimiter, notation: textFile.notation, while: shouldContinue,
            title: name(ofColumn:))
    }
    private func name(ofColumn column: Int) -> String { hasColumnNames ? title(ofColumn: column) : "" }

    // MARK: Records

    func snapshot() -> EscapedTable { EscapedTable(rows: textFile.snapshot(), nulls: nulls) }
    func tail(atLeast count: Int) throws -> TailRecords {
        var tail = try textFile.tail(atLeast: count)
        let table = snapshot()
        tail.records = tail.records.map { table.withNulls($0) }
        return tail
    }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try textFile.readAll(threads: threads, priority: priority, progress: progress)
    }
    var omission: String? { textFile.omission }
    /// The number of lines before a record; `nil` if the input has no quotes. A decoded line ending then begins a line of the temporary
    /// file, but not of the input.
    func lineCount(beforeRecord record: Int) throws -> Int? { nulls == nil ? try textFile.lineCount(beforeRecord: record) : nil }

    // MARK: The file

    var details: [(name: String, value: String)] {
        var details = textFile.details.filter { $0.name != "compression" } + file.compressionDetails
        let dialect = file.details
        for index in details.indices where ["quote", "line endings"].contains(details[index].name) {
            details[index].value = dialect.first { $0.name == details[index].name }?.value ?? details[index].value
        }
        details.insert(("escape", escape), at: details.firstIndex { $0.name == "encoding" } ?? details.count)
        return details
    }
    var suggestions: [ReadingSuggestion] { textFile.suggestions }
    /// True if characters of the file were replaced when it was rewritten.
    private var hasReplacedCharacters: Bool { file.mayContainInvalidText && !textFile.mayContainInvalidText }
    var mayContainInvalidText: Bool { textFile.mayContainInvalidText || file.mayContainInvalidText }
    var problems: [String] {
        textFile.problems + file.ignoredBytes + notes.problems + (hasReplacedCharacters ? ["some text is not valid UTF-16"] : [])
    }
    var conversions: [TextConversion] {
        let losses = (file.ignoredBytes + notes.problems).map { TextConversion("\(name): \($0).", isLoss: true) }
        return losses + (hasReplacedCharacters ? file.characterConversions.filter(\.replacesCharacters) : []) + textFile.conversions
    }
}

extension TableSource {
    /// The delimited text that this table is read from, with doubled quotes; `nil` for other formats.
    var delimitedText: DelimitedFile? { self as? DelimitedFile ?? (self as? EscapedSource)?.textFile }
}
