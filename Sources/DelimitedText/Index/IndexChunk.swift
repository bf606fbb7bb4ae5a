import FieldValues

/// The index of a part of the file: approximate record starts, and problems found.
///
/// For each span of 8 KiB (``ScanSettings/spanBytes``), six bytes are stored: the number of record starts before the span, and the offset
/// of the first record start within it. Other record starts are found by scanning the span again.
struct IndexChunk: Sendable {
    /// The byte range in the file.
    let begin: Int
    let end: Int
    /// The parser states before the first byte and after the last (GV_RECORD_START and so on).
    var startState: UInt8
    var endState: UInt8
    /// The number of records that start here.
    var starts = 0
    /// The number of line endings.
    var lines = 0
    /// For each span, the number of record starts in the chunk before the span.
    var cumulative: [UInt32] = []
    /// For each span, the offset of the first record start within it; 65,535 if there is no record start.
    var firstStart: [UInt16] = []
    /// True if the chunk has quotes within text, or text after a closing quote. Then the bytes of a field may differ from its value.
    var hasStrayQuotes = false

    static let noStart = UInt16.max

    /// The span of record start `number`, and the number of record starts before it within the span. `number` counts from 0 within the
    /// chunk and is less than ``starts``. O(log spans).
    func span(ofStart number: Int) -> (span: Int, skip: Int) {
        // Find the last span with at most `number` record starts before it. Spans without a record start have the same count as the span
        // after them.
        let span = cumulative.indices.partitioningIndex { Int(cumulative[$0]) > number } - 1
        return (span, number - Int(cumulative[span]))
    }
}

/// The problems found in a chunk: counts, and the file offsets of the first occurrences.
struct ChunkFindings: Sendable {
    var counts = [Int](repeating: 0, count: Diagnostics.Kind.allCases.count)
    var firsts = [Int](repeating: -1, count: Diagnostics.Kind.allCases.count)
    /// Flags GV_NOTE_LF, GV_NOTE_CRLF, GV_NOTE_CR.
    var lineEnds: UInt32 = 0
    /// The number of fields of the longest counted record; 0 if all have the expected number.
    var maximumFieldCount = 0
    /// The number of sequences that are not UTF-8, if the encoding was guessed to be a single-byte one.
    var illFormedCount = 0

    mutating func add(_ kind: Diagnostics.Kind, _ count: Int = 1, at offset: Int) {
        counts[kind.index] += count
        if firsts[kind.index] < 0 { firsts[kind.index] = offset }
    }

    /// Adds the findings of a later part of the file.
    mutating func append(_ other: ChunkFindings) {
        let mixed = Diagnostics.Kind.mixedLineEnds.index
        for index in counts.indices where index != mixed {
            counts[index] += other.counts[index]
            if firsts[index] < 0 { firsts[index] = other.firsts[index] }
        }
        if counts[mixed] == 0 && (lineEnds | other.lineEnds).nonzeroBitCount > 1 {
            let areMixed = (lineEnds | other.firstLineEnds).nonzeroBitCount > 1
            add(.mixedLineEnds, at: areMixed ? other.firstLineEndOffset : other.firsts[mixed])
        }
        if lineEnds == 0 {
            firstLineEnds = other.firstLineEnds
            firstLineEndOffset = other.firstLineEndOffset
        }
        lineEnds |= other.lineEnds
        maximumFieldCount = max(maximumFieldCount, other.maximumFieldCount)
        illFormedCount += other.illFormedCount
    }

    /// Adds a span with these kinds of line endings (GV_NOTE_…).
    mutating func add(lineEnds kinds: UInt32, at offset: Int) {
        if kinds == 0 || kinds == lineEnds { return }
        if lineEnds == 0 {
            firstLineEnds = kinds
            firstLineEndOffset = offset
        }
        lineEnds |= kinds
        if lineEnds.nonzeroBitCount > 1 && counts[Diagnostics.Kind.mixedLineEnds.index] == 0 { add(.mixedLineEnds, at: offset) }
    }

    /// The kinds of line endings of the first span that has any, and the offset of that span.
    var firstLineEnds: UInt32 = 0
    var firstLineEndOffset = 0
}

/// The consecutive records that start in one span, with the number of delimiters found so far.
struct RecordStretch: Sendable {
    /// The offset of the first record; -1 if there is no record.
    var begin = -1
    /// The number of records.
    var starts = 0
    /// The number of delimiters. It grows until the last record ends.
    var delimiters = 0
    /// True if a record that ends in the same span has an unexpected number of fields.
    var isUneven = false
}

/// The first and the last records of a chunk. Records that cross chunk boundaries are counted when both chunks are known.
struct ChunkEnds: Sendable {
    /// The number of delimiters before the first record start.
    var headDelimiters = 0
    /// The offset of the first record start; -1 if there is no record start.
    var firstStart = -1
    /// The records of the last span that has a record start.
    var tail = RecordStretch()
}
