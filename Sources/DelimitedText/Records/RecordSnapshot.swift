public import Tables

/// The records of a file that were indexed at one moment. A snapshot never changes, even if more records are indexed or the file grows.
///
/// Records are numbered from 0, without the header.
public struct RecordSnapshot: Table {
    /// The number of records. While a pipe is read, its incomplete last record is not counted.
    public let recordCount: Int
    /// True if the snapshot has all records of the file.
    public let isComplete: Bool
    /// A number that is incremented whenever the index grows. Two snapshots of one file with the same revision are equal.
    public let revision: Int
    /// An identifier of the content. Snapshots with the same identifier are equal, even across files. `nil` until all records are known.
    public var contentID: Int? { isComplete ? serial << 32 | revision : nil }

    /// The number that identifies the index in this process.
    let serial: Int
    let source: ByteSource
    let grammar: Grammar
    let table: ChunkTable
    let chunkCount: Int
    let partialEntry: ChunkTable.Entry?
    /// The number of record starts in the indexed bytes, including the header and empty lines before it.
    let startCount: Int
    /// The number of record starts before record 0: the header, and empty lines before it.
    let headerStartCount: Int
    /// The file offset at which records start, after a byte order mark and skipped lines.
    let contentStart: Int
    /// The number of lines at the start of the file that are not read as records.
    let skippedLines: Int
    /// The file offset of the end of the indexed bytes.
    let indexedEnd: Int
    /// The number of bytes of the file that were known when the snapshot was taken.
    let byteEnd: Int
    /// The number of fields of the header, or of the longest indexed record if that has more.
    public let columnCount: Int

    /// The mean size of a record in bytes, with its line ending; at least 1.
    public var meanRecordBytes: Int { max(1, (indexedEnd - contentStart) / max(startCount, 1)) }
}
