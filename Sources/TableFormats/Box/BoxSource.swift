import DelimitedText
import FieldValues
import Tables

/// A drawn table, or a table in a Markdown document. Its rows are written to a temporary file as comma-separated text, which is then read.
final class BoxSource: ConvertedSource {
    private let input: DelimitedFile
    /// The temporary file with the rows.
    let textFile: DelimitedFile
    private let notes: BoxNotes
    /// The kinds that the table declares for its columns; `nil` for a column without one.
    private let kinds: [ValueKind?]
    /// The name of the format for the file details.
    private let format: String

    /// The maximum number of rows sampled for column profiles.
    private static let sampledRows = 500

    /// Reads a table whose rows a rewriter writes to a temporary file.
    /// - Throws: an error if the temporary file cannot be created, or if the first rows cannot be read.
    init(
        _ input: DelimitedFile, by rewriter: some TextRewriter, _ notes: BoxNotes, hasColumnNames: Bool, kinds: [ValueKind?],
        format: String = "box table"
    ) throws {
        let request = DialectRequest(
            delimiter: UInt8(ascii: ","), quote: .some(UInt8(ascii: "\"")), hasHeader: hasColumnNames, encoding: input.dialect.encoding)
        textFile = try input.rewritten(by: rewriter, as: request)
        (self.input, self.notes, self.kinds, self.format) = (input, notes, kinds, format)
    }

    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }

    /// The column profiles. Fields with the word NULL are ignored, because the word can stand for a null in a table without declared types.
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let columns = Array(first..<max(first, columnCount))
        if columns.isEmpty { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let snapshot = snapshot()
        let sampleLimit = max(20, min(Self.sampledRows, 100_000 / columns.count))
        // Errors are ignored here: they are reported when the rows are read for the screen.
        try? snapshot.scan(0..<min(sampleLimit, snapshot.recordCount), columns: columns) { _, fields in
            for (index, field) in fields.enumerated() {
                if field.bytes.elementsEqual("NULL".utf8) { samplers[index].addUnsampled(field) } else { samplers[index].add(field) }
            }
            return true
        }
        return declared(
            ColumnSampler.profiles(samplers) { textFile.hasColumnNames ? textFile.title(ofColumn: columns[$0]) : "" }, of: columns)
    }

    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        declared(textFile.profiles(ofRareColumns: columns, from: record, while: shouldContinue), of: columns)
    }

    /// Sets the kinds that the table declares.
    private func declared(_ profiles: [ColumnProfile], of columns: [Int]) -> [ColumnProfile] {
        var profiles = profiles
        for (index, column) in zip(profiles.indices, columns) where kinds.indices.contains(column) {
            if let kind = kinds[column] { profiles[index].kind = kind }
        }
        return profiles
    }

    var details: [(name: String, value: String)] {
        [("format", format), ("header", hasColumnNames ? "in the table" : "none")] + notes.details
            + textFile.details.filter { ["encoding", "compression"].contains($0.name) }
    }
    var problems: [String] {
        notes.omissions + (mayContainInvalidText ? ["some text is not valid UTF-8"] : []) + input.ignoredBytes
    }
    var conversions: [TextConversion] {
        input.characterConversions + notes.omissions.map { TextConversion("\(name): \($0).", isLoss: true) }
    }
}
