import FieldValues

/// The index of a chunk of the file: some of the record starts, and properties of the whole chunk.
///
/// A chunk is divided into spans of 8 KiB (``ScanSettings/spanBytes``). Six bytes are stored for each span: the number of record starts
/// before it, and the offset of the first record start within it. Other record starts are found by scanning the span again.
struct IndexChunk: Sendable {
    /// The byte range of the chunk in the file.
    let begin: Int
    let end: Int
    /// The parser states before the first byte and after the last byte of the chunk, such as GV_RECORD_START.
    var startState: UInt8
    var endState: UInt8
    /// The number of records that start in the chunk.
    var startCount = 0
    /// The number of line endings in the chunk.
    var lineCount = 0
    /// For each span, the number of records that start in the chunk before the span.
    var cumulativeStarts: [UInt32] = []
    /// For each span, the offset within the span of the first record start; 65,535 if no record starts in it.
    var firstStarts: [UInt16] = []
    /// True if the chunk has quotes within text, or text after a closing quote. Then the bytes of a field may differ from its value.
    var hasStrayQuotes = false

    static let noStart = UInt16.max

    /// The span in which a record starts, and the number of records that start before it in this span. O(log spans).
    /// - Parameter number: the number of the record start, counted from 0 within the chunk; less than ``startCount``.
    func span(ofStart number: Int) -> (span: Int, skip: Int) {
        // The last span with at most `number` record starts before it. A span without record starts is never found, because the next span
        // has the same count.
        let span = cumulativeStarts.indices.partitioningIndex { Int(cumulativeStarts[$0]) > number } - 1
        return (span, number - Int(cumulativeStarts[span]))
    }
}

/// The problems found in a chunk: how often each kind occurs, and the file offset of its first occurrence.
struct ChunkFindings: Sendable {
    var counts = [Int](repeating: 0, count: Diagnostics.Kind.allCases.count)
    /// The file offset of the first occurrence of each kind; -1 if it does not occur.
    var firstOffsets = [Int](repeating: -1, count: Diagnostics.Kind.allCases.count)
    /// The kinds of line endings that occur: a combination of GV_NOTE_LF, GV_NOTE_CRLF and GV_NOTE_CR.
    var lineEnds: UInt32 = 0
    /// The number of fields of the longest record; 0 if all records have the expected number.
    var maximumFieldCount = 0
    /// The number of byte sequences that are not UTF-8. Counted only if the encoding was guessed to be a single-byte one.
    var illFormedCount = 0

    mutating func add(_ kind: Diagnostics.Kind, _ count: Int = 1, at offset: Int) {
        counts[kind.index] += count
        if firstOffsets[kind.index] < 0 { firstOffsets[kind.index] = offset }
    }

    /// Adds the problems of a later part of the file.
    mutating func append(_ other: ChunkFindings) {
        let mixed = Diagnostics.Kind.mixedLineEnds.index
        for index in counts.indices where index != mixed {
            counts[index] += other.counts[index]
            if firstOffsets[index] < 0 { firstOffsets[index] = other.firstOffsets[index] }
        }
        if counts[mixed] == 0 && (lineEnds | other.lineEnds).nonzeroBitCount > 1 {
            let areMixed = (lineEnds | other.firstLineEnds).nonzeroBitCount > 1
            add(.mixedLineEnds, at: areMixed ? other.firstLineEndOffset : other.firstOffsets[mixed])
        }
        if lineEnds == 0 {
            firstLineEnds = other.firstLineEnds
            firstLineEndOffset = other.firstLineEndOffset
        }
        lineEnds |= other.lineEnds
        maximumFieldCount = max(maximumFieldCount, other.maximumFieldCount)
        illFormedCount += other.illFormedCount
    }

    /// Adds the line endings of a span at a file offset. `kinds` is a combination of GV_NOTE_LF, GV_NOTE_CRLF and GV_NOTE_CR.
    mutating func add(lineEnds kinds: UInt32, at offset: Int) {
        if kinds == 0 || kinds == lineEnds { return }
        if lineEnds == 0 {
            firstLineEnds = kinds
            firstLineEndOffset = offset
        }
        lineEnds |= kinds
        if lineEnds.nonzeroBitCount > 1 && counts[Diagnostics.Kind.mixedLineEnds.index] == 0 { add(.mixedLineEnds, at: offset) }
    }

    /// The kinds of line endings of the first span that has any, and the file offset of that span.
    var firstLineEnds: UInt32 = 0
    var firstLineEndOffset = 0
}

/// Some consecutive records that start in one span, with the delimiters counted in them.
struct RecordRun: Sendable {
    /// The file offset of the first record; -1 if there is no record.
    var begin = -1
    /// The number of records in the run.
    var startCount = 0
    /// The number of delimiters in the records of the run. It grows until the last record ends.
    var delimiterCount = 0
    /// True if a record of the run is known to have more or fewer fields than expected.
    var isUneven = false
}

/// The data for counting the fields of records that cross the boundaries of a chunk. These fields are counted when the chunks on both sides
/// of a boundary are scanned.
struct ChunkEnds: Sendable {
    /// The number of delimiters in the chunk before its first record start. They belong to a record of an earlier chunk.
    var headDelimiters = 0
    /// The file offset of the first record start in the chunk; -1 if no record starts in it.
    var firstStart = -1
    /// The records that start in the last span in which any record starts. The last record may continue in the next chunk.
    var tail = RecordRun()
}
