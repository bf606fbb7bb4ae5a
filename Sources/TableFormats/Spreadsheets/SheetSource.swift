import DelimitedText
import FieldValues
import Tables

/// A sheet of a workbook. Its rows are written to a temporary file as comma-separated text, which is then read.
final class SheetSource: RereadableSource, ConvertedSource {
    /// The temporary file with the rows.
    let textFile: DelimitedFile
    private let workbook: BinaryFile
    private let notes: SheetNotes
    private let workbookDetails: [(name: String, value: String)]

    /// - Parameters:
    ///   - textFile: the rows as comma-separated text.
    ///   - workbook: the file.
    ///   - notes: the cell counts of the columns, and the problems of the sheet.
    ///   - details: names and values for the file details.
    private init(_ textFile: DelimitedFile, of workbook: BinaryFile, _ notes: SheetNotes, details: [(name: String, value: String)]) {
        (self.textFile, self.workbook, self.notes, workbookDetails) = (textFile, workbook, notes, details)
    }

    /// Opens a sheet.
    /// - Parameters:
    ///   - reader: the reader of its rows.
    ///   - maximumRows: the maximum number of rows of the format.
    ///   - workbook: the file.
    ///   - name: the name of the table.
    ///   - details: names and values for the file details.
    ///   - notes: receives the cell counts of the columns, and the problems of the sheet.
    ///   - opener: the requested options. Only header, skipped lines and notation are used.
    convenience init(
        _ reader: any SheetReader, maximumRows: Int, of workbook: BinaryFile, name: String, details: [(name: String, value: String)],
        notes: SheetNotes = SheetNotes(), by opener: FileOpener
    ) throws {
        let producer = SheetProducer(converter: SheetConverter(reader, maximumRows: maximumRows, notes: notes), name: name)
        let textFile = try DelimitedFile(
            producer, from: workbook, name: name, request: Self.rowRequest(opener.dialect), spoolLimit: opener.spoolLimit)
        self.init(textFile, of: workbook, notes, details: details)
    }

    private static func rowRequest(_ request: DialectRequest) -> DialectRequest {
        DialectRequest(
            delimiter: UInt8(ascii: ","), quote: .some(UInt8(ascii: "\"")), hasHeader: request.hasHeader, encoding: .utf8,
            skipLines: request.skipLines, headerRows: request.headerRows, notation: request.notation)
    }

    /// A source for the same rows, read with another header or other skipped lines.
    func reread(by opener: FileOpener) throws -> any TableSource {
        SheetSource(try textFile.reread(as: Self.rowRequest(opener.dialect)), of: workbook, notes, details: workbookDetails)
    }

    /// A source for a copy of the first rows, read with other settings.
    func sample(by opener: FileOpener) throws -> (any TableSource)? {
        SheetSource(try textFile.sample(as: Self.rowRequest(opener.dialect)), of: workbook, notes, details: workbookDetails)
    }

    var path: String? { workbook.path }
    var fileByteCount: Int? { workbook.count }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
        declared(textFile.profiles(budgetMilliseconds: budgetMilliseconds), of: 0..<textFile.columnCount)
    }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        declared(textFile.profiles(ofColumnsFrom: first), of: first..<max(first, textFile.columnCount))
    }
    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        declared(textFile.profiles(ofRareColumns: columns, from: record, while: shouldContinue), of: columns)
    }

    /// Makes a column text if its values are strings that look like numbers, such as 00123.
    private func declared(_ profiles: [ColumnProfile], of columns: some Collection<Int>) -> [ColumnProfile] {
        var profiles = profiles
        for (index, column) in zip(profiles.indices, columns) where profiles[index].kind.isNumber && notes.isText(column: column) {
            profiles[index].kind = .text
            profiles[index].hasIdentifiers = false
            profiles[index].maximumFractionDigits = 0
        }
        return profiles
    }

    func lineCount(beforeRecord record: Int) throws -> Int? { try textFile.lineCount(beforeRecord: record) }
    func checkForChange() -> FileChange { workbook.checkForChange() }
    func isUnchanged() -> Bool { workbook.path != nil && workbook.checkForChange() == .unchanged }

    var details: [(name: String, value: String)] {
        workbookDetails + textFile.details.filter { $0.name == "header" || $0.name == "skipped" }
    }
    var problems: [String] { notes.problems + (mayContainInvalidText ? ["some text is not valid UTF-8"] : []) }
    var conversions: [TextConversion] {
        notes.formulasPhrase.map {
            [TextConversion("\(name): \($0). Open and save the file in a spreadsheet program, which computes them.", isLoss: true)]
        } ?? []
    }
    var suggestions: [ReadingSuggestion] { textFile.suggestions }
}

/// Produces the rows of a sheet as comma-separated text.
private struct SheetProducer: TextProducer {
    let converter: SheetConverter
    let name: String

    func produce(into output: inout [UInt8]) throws -> Bool {
        do throws(ContentError) { return try converter.convert(into: &output) } catch {
            throw FormatError("Cannot read all of \(name): \(error.reason).")
        }
    }
}
