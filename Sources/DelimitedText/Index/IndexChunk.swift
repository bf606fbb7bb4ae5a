import FieldValues

/// What the index knows of a stretch of the file: where its records start, roughly, and what is odd about it.
///
/// For every span of ``ScanSettings/spanBytes`` it keeps how many records start before it and where the first one in it starts: six
/// bytes for 8 KiB of file. Everything between is found by scanning again from there.
struct IndexChunk: Sendable {
    /// Offsets in the file.
    let begin: Int
    let end: Int
    /// The parser's state before the first byte and after the last (GV_RECORD_START and so on).
    var startState: UInt8
    var endState: UInt8
    /// The number of records that start here.
    var starts = 0
    /// Line ends.
    var lines = 0
    /// For each span, the number of records that start in the chunk before it.
    var cumulative: [UInt32] = []
    /// For each span, the offset in it of the first record that starts there; 65,535 when none does.
    var firstStart: [UInt16] = []
    /// Whether quotes here are text, or text follows a closing quote: then fields are not in the file as they are meant.
    var hasStrayQuotes = false

    static let noStart = UInt16.max

    /// The span in which record start `number` (from 0, of this chunk) lies, and how many of the span's starts come before it.
    /// O(log spans). `number` < ``starts``.
    func span(ofStart number: Int) -> (span: Int, skip: Int) {
        // The last span with cumulative ≤ number: spans without a start have the same value as the next one.
        let span = cumulative.indices.partitioningIndex { Int(cumulative[$0]) > number } - 1
        return (span, number - Int(cumulative[span]))
    }
}

/// Odd things in a chunk: how many, and the file offset of the first of each.
struct ChunkFindings: Sendable {
    var counts = [Int](repeating: 0, count: Diagnostics.Kind.allCases.count)
    var firsts = [Int](repeating: -1, count: Diagnostics.Kind.allCases.count)
    /// GV_NOTE_LF, GV_NOTE_CRLF, GV_NOTE_CR.
    var lineEnds: UInt32 = 0
    /// The fields of the longest record among those that were counted; 0 where all have as many as expected.
    var most = 0
    /// Where the encoding was guessed to be a single-byte one, the sequences that are not UTF-8.
    var illFormed = 0

    mutating func add(_ kind: Diagnostics.Kind, _ count: Int = 1, at offset: Int) {
        counts[kind.index] += count
        if firsts[kind.index] < 0 { firsts[kind.index] = offset }
    }

    /// Adds what lies later in the file.
    mutating func append(_ other: ChunkFindings) {
        let mixed = Diagnostics.Kind.mixedLineEnds.index
        for index in counts.indices where index != mixed {
            counts[index] += other.counts[index]
            if firsts[index] < 0 { firsts[index] = other.firsts[index] }
        }
        if counts[mixed] == 0 && (lineEnds | other.lineEnds).nonzeroBitCount > 1 {
            let atOnce = (lineEnds | other.firstLineEnds).nonzeroBitCount > 1
            add(.mixedLineEnds, at: atOnce ? other.firstLineEndOffset : other.firsts[mixed])
        }
        if lineEnds == 0 {
            firstLineEnds = other.firstLineEnds
            firstLineEndOffset = other.firstLineEndOffset
        }
        lineEnds |= other.lineEnds
        most = max(most, other.most)
        illFormed += other.illFormed
    }

    /// Adds a span with line ends of these kinds (GV_NOTE_…).
    mutating func add(lineEnds kinds: UInt32, at offset: Int) {
        if kinds == 0 || kinds == lineEnds { return }
        if lineEnds == 0 {
            firstLineEnds = kinds
            firstLineEndOffset = offset
        }
        lineEnds |= kinds
        if lineEnds.nonzeroBitCount > 1 && counts[Diagnostics.Kind.mixedLineEnds.index] == 0 { add(.mixedLineEnds, at: offset) }
    }

    /// The kinds of line ends of the first span that has any, and where the span begins.
    var firstLineEnds: UInt32 = 0
    var firstLineEndOffset = 0
}

/// Neighbouring records: those that start in one span, and what is known of their fields so far.
struct RecordStretch: Sendable {
    /// Where the first of them starts; -1 for no records.
    var begin = -1
    /// The number of records.
    var starts = 0
    /// The delimiters in them. More are added until the last record ends.
    var delimiters = 0
    /// Whether one of those that end in the same span has another number of fields than expected.
    var isUneven = false
}

/// The first and the last records of a chunk. Records that cross its borders are counted when both sides are known.
struct ChunkEnds: Sendable {
    /// Delimiters before the first record start.
    var headDelimiters = 0
    /// The first record start; -1 for none.
    var firstStart = -1
    /// The records of the last span in which any start.
    var tail = RecordStretch()
}
