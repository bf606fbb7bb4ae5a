public import Tables

/// The records of a file that are known at one moment. A snapshot never changes, even if more records are indexed or the file grows.
///
/// Records are numbered from 0, without the header.
public struct RecordSnapshot: Table {
    /// The number of records. While a pipe is read, its incomplete last record is not counted.
    public let recordCount: Int
    /// True if the snapshot has all records of the file.
    public let isComplete: Bool
    /// The revision of the index, incremented whenever the index grows. Snapshots of one file with the same revision are equal.
    public let revision: Int
    /// An identifier of the content. Snapshots with the same identifier are equal, even across files. `nil` until all records are known.
    public var contentID: Int? { isComplete ? serial << 32 | revision : nil }

    /// The serial number of the index.
    let serial: Int
    let source: ByteSource
    let grammar: Grammar
    let table: ChunkTable
    let chunkCount: Int
    let partial: ChunkTable.Entry?
    /// The number of record starts, including the header and empty lines before it.
    let starts: Int
    /// The number of record starts before record 0.
    let headerStarts: Int
    /// The file offset at which records start, after a byte order mark and skipped lines.
    let contentStart: Int
    /// The number of lines before ``contentStart``.
    let skippedLines: Int
    /// The end of the indexed part.
    let indexedEnd: Int
    /// The end of the known bytes.
    let byteEnd: Int
    /// The number of fields of the header or of the longest known record.
    public let columnCount: Int

    /// The average number of bytes of a record with its line ending; at least 1.
    public var meanRecordBytes: Int { max(1, (indexedEnd - contentStart) / max(starts, 1)) }
}
