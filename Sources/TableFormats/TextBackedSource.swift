import DelimitedText
import Tables

/// A table whose records are read from lines of text, or from a copy of the input that was converted to text. The table reports the
/// progress and the file state of this text as its own.
protocol TextBackedSource: TableSource {
    /// The file with the text from which the records are read.
    var textFile: DelimitedFile { get }
}

extension TextBackedSource {
    var name: String { textFile.name }
    var path: String? { textFile.path }
    var byteCount: Int { textFile.byteCount }
    var fileByteCount: Int? { textFile.fileByteCount }
    var indexedByteCount: Int { textFile.indexedByteCount }
    var isGrowing: Bool { textFile.isGrowing }
    func wakeReader() { textFile.wakeReader() }
    func beginUrgentRead() { textFile.beginUrgentRead() }
    func endUrgentRead() { textFile.endUrgentRead() }
    func checkForChange() -> FileChange { textFile.checkForChange() }
    func isUnchanged() -> Bool { textFile.isUnchanged() }
    var mayContainInvalidText: Bool { textFile.mayContainInvalidText }
}

/// A table whose rows were written to a temporary file as comma-separated text, which is then read.
protocol ConvertedSource: TextBackedSource where Snapshot == RecordSnapshot {}

extension ConvertedSource {
    var columnCount: Int { textFile.columnCount }
    var hasColumnNames: Bool { textFile.hasColumnNames }
    func title(ofColumn column: Int) -> String { textFile.title(ofColumn: column) }
    func snapshot() -> RecordSnapshot { textFile.snapshot() }
    func tail(atLeast count: Int) throws -> TailRecords { try textFile.tail(atLeast: count) }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try textFile.readAll(threads: threads, priority: priority, progress: progress)
    }
    var omission: String? { textFile.omission }
}
