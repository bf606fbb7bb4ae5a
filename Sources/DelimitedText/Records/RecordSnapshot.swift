public import Tables

/// The records of a file that are known at one moment. It never changes, whatever is indexed or appended meanwhile.
///
/// Records are numbered from 0; the header is not counted.
public struct RecordSnapshot: Table {
    /// The number of records known. While a pipe is read, the last one that has begun is not among them: its end is not known.
    public let recordCount: Int
    /// Whether these are all the records of the file.
    public let isComplete: Bool
    /// Goes up whenever the index grows; equal revisions of one file are equal snapshots.
    public let revision: Int
    /// Names the content: snapshots with the same number are equal, also among files. `nil` until all records are known.
    public var contentID: Int? { isComplete ? source.serial << 32 | revision : nil }

    let source: ByteSource
    let grammar: Grammar
    let table: ChunkTable
    let chunkCount: Int
    let partial: ChunkTable.Entry?
    /// Record starts known, the header's (and blank lines' before it) included.
    let starts: Int
    /// Record starts before record 0.
    let headerStarts: Int
    /// Where the indexed part begins and ends, and where the known bytes end.
    let contentStart: Int
    /// Lines before ``contentStart``.
    let skippedLines: Int
    let indexedEnd: Int
    let byteEnd: Int
    /// The fields of the longest record known, or of the header.
    public let columnCount: Int

    /// Bytes of a record on average, its line end included; at least 1.
    public var meanRecordBytes: Int { max(1, (indexedEnd - contentStart) / max(starts, 1)) }
}
