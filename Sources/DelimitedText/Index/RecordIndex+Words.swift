import CByteScan
import Locks

// The form of a complete index in a cache entry: the incomplete record at the end (`openRun`), the problems found, one 64-bit word
// for each chunk and half a word for each span. The number of words depends only on the size of the file.

extension RecordIndex {
    private static let stateWordCount = 4 + 2 * ChunkFindings.wordCount

    /// The number of words that an index takes in a cache entry. `end` is the size of the file in bytes.
    func wordCount(end: Int) -> Int {
        let settings = grammar.settings
        func wordCount(bytes: Int) -> Int { 1 + ((bytes + settings.spanBytes - 1) / settings.spanBytes + 1) / 2 }
        let (whole, rest) = max(end - contentStart, 0).quotientAndRemainder(dividingBy: settings.chunkBytes)
        return Self.stateWordCount + whole * wordCount(bytes: settings.chunkBytes) + (rest > 0 ? wordCount(bytes: rest) : 0)
    }

    /// The index as words of a cache entry; `nil` if it is incomplete or does not end at `end`.
    func words(end: Int) -> [UInt64]? {
        let state = state.withLock { $0 }
        guard state.isComplete, state.end == end else { return nil }
        var words: [UInt64] = []
        words.reserveCapacity(wordCount(end: end))
        let open = state.openRun
        for number in [open.begin, open.startCount, open.delimiterCount, open.isUneven ? 1 : 0] {
            words.append(UInt64(bitPattern: Int64(number)))
        }
        state.findings.append(to: &words)
        (state.partialFindings ?? ChunkFindings()).append(to: &words)
        for number in 0..<state.count { state.table[number].chunk.append(to: &words) }
        state.partialEntry?.chunk.append(to: &words)
        return words.count == wordCount(end: end) ? words : nil
    }

    /// Loads a complete index from the result of ``words(end:)``. Returns `false`, without a change, if the words are not a valid index of
    /// any file.
    func restore(_ words: UnsafeBufferPointer<UInt64>, end: Int) -> Bool {
        guard let state = restoredState(words, end: end) else { return false }
        adopt(state)
        return true
    }

    /// Replaces the state of the index with a result of ``restoredState(_:end:)``.
    func adopt(_ restored: State) {
        state.withLock {
            let revision = $0.revision + 1
            $0 = restored
            $0.revision = revision
        }
    }

    /// The state of a complete index from the result of ``words(end:)``; `nil` if the words are not a valid index of any file.
    ///
    /// The words may come from an untrusted file. The result may be a wrong index, but always one that is safe to use.
    func restoredState(_ words: UnsafeBufferPointer<UInt64>, end: Int) -> State? {
        guard end > contentStart, words.count == wordCount(end: end) else { return nil }
        let (size, spanBytes) = (grammar.settings.chunkBytes, grammar.settings.spanBytes)
        let (whole, rest) = (end - contentStart).quotientAndRemainder(dividingBy: size)
        var reader = WordReader(words: words)
        let open = RecordRun(
            begin: reader.nextInt(), startCount: reader.nextInt(), delimiterCount: reader.nextInt(), isUneven: reader.next() != 0)
        guard open.begin == -1 || contentStart..<startOffset(ofChunk: whole) ~= open.begin, 0...spanBytes ~= open.startCount,
            0...end ~= open.delimiterCount, let findings = ChunkFindings(&reader, end: end),
            let partialFindings = ChunkFindings(&reader, end: end)
        else { return nil }

        var restored = State()
        restored.table = ChunkTable(capacity: max(64, whole))
        for number in 0..<whole {
            let begin = startOffset(ofChunk: number)
            guard
                let chunk = IndexChunk(
                    &reader, begin: begin, end: begin + size, spanBytes: spanBytes, startState: restored.parserState)
            else { return nil }
            restored.table.append(ChunkTable.Entry(startCount: restored.startCount, lineCount: restored.lineCount, chunk: chunk))
            restored.count += 1
            restored.startCount += chunk.startCount
            restored.lineCount += chunk.lineCount
            restored.parserState = chunk.endState
        }
        if rest > 0 {
            let begin = startOffset(ofChunk: whole)
            guard let chunk = IndexChunk(&reader, begin: begin, end: end, spanBytes: spanBytes, startState: restored.parserState)
            else { return nil }
            restored.partialEntry = ChunkTable.Entry(startCount: restored.startCount, lineCount: restored.lineCount, chunk: chunk)
        }
        restored.findings = findings
        restored.partialFindings = partialFindings
        restored.openRun = open
        restored.end = end
        restored.isComplete = true
        return restored
    }
}

/// Reads words one after another. The caller ensures that there are enough words.
struct WordReader {
    let words: UnsafeBufferPointer<UInt64>
    private var position = 0

    init(words: UnsafeBufferPointer<UInt64>) { self.words = words }

    mutating func next() -> UInt64 {
        defer { position += 1 }
        return words[position]
    }

    mutating func nextInt() -> Int { Int(Int64(bitPattern: next())) }
}

extension IndexChunk {
    /// Appends a chunk to the words of a cache entry: its line endings, states and stray quotes, then for each span its number of record
    /// starts and the offset of the first one.
    fileprivate func append(to words: inout [UInt64]) {
        words.append(UInt64(lineCount) | UInt64(startState) << 32 | UInt64(endState) << 40 | (hasStrayQuotes ? 1 << 48 : 0))
        var word: UInt64 = 0
        for span in cumulativeStarts.indices {
            let next = span + 1 < cumulativeStarts.count ? cumulativeStarts[span + 1] : UInt32(startCount)
            let half = UInt64(next - cumulativeStarts[span]) | UInt64(firstStarts[span]) << 16
            if span & 1 == 0 { word = half } else { words.append(word | half << 32) }
        }
        if cumulativeStarts.count & 1 == 1 { words.append(word) }
    }

    /// Reads a chunk from the words of a cache entry; `nil` if no bytes of a file could produce it.
    fileprivate init?(_ reader: inout WordReader, begin: Int, end: Int, spanBytes: Int, startState: UInt8) {
        let head = reader.next()
        let lines = Int(head & 0xffff_ffff)
        let endState = UInt8(truncatingIfNeeded: head >> 40)
        guard head >> 49 == 0, UInt8(truncatingIfNeeded: head >> 32) == startState, endState <= UInt8(GV_COMMENT), lines <= end - begin
        else { return nil }
        let spans = (end - begin + spanBytes - 1) / spanBytes
        var starts = 0
        var isPossible = true
        var firstStarts: [UInt16] = []
        let cumulativeStarts = [UInt32](unsafeUninitializedCapacity: spans) { cumulativeStarts, done in
            firstStarts = [UInt16](unsafeUninitializedCapacity: spans) { firstStarts, done in
                var word: UInt64 = 0
                for span in 0..<spans {
                    word = span & 1 == 0 ? reader.next() : word >> 32
                    let count = Int(word & 0xffff)
                    let first = UInt16(truncatingIfNeeded: word >> 16)
                    // A span cannot have more record starts than bytes.
                    let maximum = min(spanBytes, end - begin - span * spanBytes)
                    isPossible = isPossible && (count == 0 ? first == Self.noStart : Int(first) + count <= maximum)
                    cumulativeStarts[span] = UInt32(starts)
                    firstStarts[span] = first
                    starts += count
                }
                done = spans
            }
            done = spans
        }
        guard isPossible else { return nil }
        self.init(
            begin: begin, end: end, startState: startState, endState: endState, startCount: starts, lineCount: lines,
            cumulativeStarts: cumulativeStarts,
            firstStarts: firstStarts, hasStrayQuotes: head >> 48 == 1)
    }
}

extension ChunkFindings {
    fileprivate static let wordCount = 2 * Diagnostics.Kind.allCases.count + 5

    fileprivate func append(to words: inout [UInt64]) {
        for number in counts + firstOffsets { words.append(UInt64(bitPattern: Int64(number))) }
        words += [UInt64(lineEnds), UInt64(firstLineEnds), UInt64(firstLineEndOffset), UInt64(maximumFieldCount), UInt64(illFormedCount)]
    }

    fileprivate init?(_ reader: inout WordReader, end: Int) {
        for index in counts.indices { counts[index] = reader.nextInt() }
        for index in firstOffsets.indices { firstOffsets[index] = reader.nextInt() }
        let (kinds, firstKinds, offset, fieldCount, illFormed) = (
            reader.next(), reader.next(), reader.nextInt(), reader.nextInt(), reader.nextInt()
        )
        guard zip(counts, firstOffsets).allSatisfy({ $0 == 0 ? $1 == -1 : 1...end ~= $0 && 0..<end ~= $1 }),
            (kinds | firstKinds) & ~UInt64(GV_NOTE_LF | GV_NOTE_CRLF | GV_NOTE_CR) == 0, 0..<end ~= offset, 0...end ~= fieldCount,
            0...end ~= illFormed
        else { return nil }
        lineEnds = UInt32(kinds)
        firstLineEnds = UInt32(firstKinds)
        firstLineEndOffset = offset
        maximumFieldCount = fieldCount
        self.illFormedCount = illFormed
    }
}
