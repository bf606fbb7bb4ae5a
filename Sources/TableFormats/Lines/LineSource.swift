import DelimitedText
import FieldValues
import Tables

/// A file with one record per line. A layout divides the lines into fields.
final class LineSource<Layout: LineLayout>: FileSource, TextBackedSource {
    /// The file, read as records of a single field that is the whole line.
    private let lines: DelimitedFile
    private let layout: Layout
    /// The byte offset of the first record.
    private let contentStart: Int
    /// Suggestions to read the file in another way. Lines before a table are counted from the first line that is not skipped.
    let suggestions: [ReadingSuggestion]

    /// Creates a source from a file of lines.
    /// - Throws: `DelimitedTextError` if the file cannot be read.
    init(_ lines: DelimitedFile, _ layout: Layout, suggestions: [ReadingSuggestion] = []) throws {
        (self.lines, self.layout, self.suggestions) = (lines, layout, suggestions)
        let snapshot = lines.snapshot()
        let header = try snapshot.records(0..<min(layout.headerLines, snapshot.recordCount), maximumFieldBytes: 0)
        contentStart = header.last?.byteRange.upperBound ?? 0
    }

    var file: DelimitedFile { lines }
    var textFile: DelimitedFile { lines }

    var columnCount: Int { layout.titles.count }
    var hasColumnNames: Bool { layout.hasColumnNames }
    func title(ofColumn column: Int) -> String { layout.titles.indices.contains(column) ? layout.titles[column] : "" }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        // The sample reads only the beginnings of lines, because a line may be as long as the file.
        let sampled = LineTable(lines.snapshot(), layout, maximumBytes: LineTable<Layout>.maximumLineBytes)
        return sampled.profiles(of: Array(first..<max(first, columnCount)), notation: lines.notation, title: sampledTitle)
    }

    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        snapshot().profiles(
            ofRareColumns: columns, from: record, notation: lines.notation, while: shouldContinue, title: sampledTitle)
    }

    /// The title with which the values of a column are read. Titles of the format do not count, except that of the times of a log: they may
    /// be seconds since 1970.
    private func sampledTitle(ofColumn column: Int) -> String {
        let title = title(ofColumn: column)
        return hasColumnNames || title == "time" ? title : ""
    }

    func snapshot() -> LineTable<Layout> { LineTable(lines.snapshot(), layout) }

    func tail(atLeast count: Int) throws -> TailRecords {
        var tail = try lines.tail(atLeast: count, maximumFieldBytes: LineTable<Layout>.maximumLineBytes)
        tail.records = tail.records.filter { $0.byteRange.lowerBound >= contentStart }.map(snapshot().record)
        return tail
    }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try lines.readAll(threads: threads, priority: priority) { read in
            progress(
                ReadProgress(bytesDone: read.bytesDone, bytesTotal: read.bytesTotal, records: max(0, read.records - layout.headerLines)))
        }
    }

    func lineCount(beforeRecord record: Int) throws -> Int? {
        guard layout.canHaveHeader, record >= 0, record <= Int.max - layout.headerLines else { return nil }
        return try lines.lineCount(beforeRecord: record + layout.headerLines)
    }
    var canGrow: Bool { lines.canGrow }
    func growthUpdate(from newer: any TableSource) -> (@Sendable () -> Void)? {
        guard let newer = newer as? Self, newer.layout == layout else { return nil }
        return lines.growthUpdate(from: newer.lines)
    }

    var details: [(name: String, value: String)] {
        layout.details + lines.details.filter { ["encoding", "line endings", "skipped", "compression"].contains($0.name) }
    }
    /// The problems of the file. Problems with quotes and with the number of fields are left out, because lines cannot have them.
    var problems: [String] {
        lines.diagnostics.withoutFields.phrases + lines.ignoredBytes
    }
    var conversions: [TextConversion] { lines.characterConversions }
}

extension DelimitedFile {
    /// The delimiter with which a file of lines is read. It is U+001F, which is rare in text. A line is therefore nearly always one field.
    /// Scans pass a line that contains it as one field. In records for display, its fields are joined.
    static var lineDelimiter: UInt8 { 0x1F }

    /// A request to read lines as records of a single field.
    static func lineRequest(encoding: TextEncoding?) -> DialectRequest {
        var request = DialectRequest(delimiter: lineDelimiter, quote: .some(nil), hasHeader: false, encoding: encoding)
        request.keepsLinesWhole = true
        return request
    }

    /// Opens the file again, as records of a single field that is the whole line.
    /// - Parameter skipsBlankLines: true if blank lines are not records, and blanks before a line are not part of it.
    func lines(skipsBlankLines: Bool = false) throws -> DelimitedFile {
        var request = Self.lineRequest(encoding: isEncodingGuessed ? nil : dialect.encoding)
        (request.skipLines, request.commentPrefix) = (dialect.skipLines, dialect.commentPrefix)
        (request.notation, request.skipsBlankLines) = (notation, skipsBlankLines)
        return try reread(as: request)
    }
}
