import CByteScan
import Locks

extension DelimitedFile {
    /// The problems found in the part of the file that has been scanned.
    ///
    /// - Complexity: O(1) for a file without problems. Each kind of problem adds a read of up to 1 MiB to find its line.
    public var diagnostics: Diagnostics {
        var result = Diagnostics()
        result.namesRows = opening.hasDecodedLineEnds
        let found = index.findings
        let snapshot = snapshot()
        for kind in Diagnostics.Kind.allCases where found.counts[kind.index] > 0 {
            // A few well-formed sequences occur by chance and are not reported.
            if kind == .likelyUTF8, EncodingSniffer.isCoincidence(wellFormed: found.counts[kind.index], illFormed: found.illFormedCount) {
                continue
            }
            var offset = found.firstOffsets[kind.index]
            if kind == .mixedLineEnds { offset = firstOtherLineEnd(from: offset, in: snapshot) }
            result.findings[kind] = Diagnostics.Finding(count: found.counts[kind.index], first: location(offset, in: snapshot))
        }
        if hasByteOrderMark {
            result.findings[.byteOrderMark] = Diagnostics.Finding(count: 1, first: .init(line: 1, record: nil, byteOffset: 0))
        }
        let unpaired = source.current.unpaired
        if unpaired.count > 0 {
            let all = (result.findings[.invalidText]?.count ?? 0) + unpaired.count
            let offset = min(found.firstOffsets[Diagnostics.Kind.invalidText.index] & Int.max, unpaired.first)
            result.findings[.invalidText] = Diagnostics.Finding(count: all, first: location(offset, in: snapshot))
        }
        if snapshot.isComplete, isQuoteOpen, snapshot.startCount > 0 {
            let offset = (try? snapshot.offset(ofStart: snapshot.startCount - 1)) ?? contentStart
            result.findings[.unclosedQuote] = Diagnostics.Finding(count: 1, first: location(offset, in: snapshot))
        }
        return result
    }

    /// True if the scanned part of the file ends within quotes.
    private var isQuoteOpen: Bool {
        index.state.withLock { Int32($0.partialEntry?.chunk.endState ?? $0.parserState) == GV_QUOTED }
    }

    func location(_ offset: Int, in snapshot: RecordSnapshot) -> Diagnostics.Location {
        let before = (try? snapshot.lineEndCount(before: offset)) ?? 0
        return Diagnostics.Location(line: skippedLines + before + 1, record: snapshot.record(atByteOffset: offset), byteOffset: offset)
    }

    /// The offset of the first line ending that differs from the first one in the file. Scans the span of 8 KiB in which the index has
    /// found it.
    private func firstOtherLineEnd(from offset: Int, in snapshot: RecordSnapshot) -> Int {
        guard let usual = try? lineEnd(ofStart: 0, in: snapshot) else { return offset }
        let from = (snapshot.record(atByteOffset: offset) ?? 0) + headerStartCount
        for number in max(from - 1, 0)..<min(from + grammar.settings.spanBytes, snapshot.startCount) {
            guard let kind = try? lineEnd(ofStart: number, in: snapshot) else { break }
            if kind != usual { return (try? snapshot.offset(ofStart: number)) ?? offset }
        }
        return offset
    }

    /// The bytes of the line ending before record start `number + 1`, at most two.
    private func lineEnd(ofStart number: Int, in snapshot: RecordSnapshot) throws(DelimitedTextError) -> [UInt8]? {
        let begin = try snapshot.offset(ofStart: number)
        let end = try snapshot.offset(ofStart: number + 1)
        let count = min(2, end - begin)
        let bytes = try source.bytes(at: end - count, count: count)
        if bytes.last == 0x0d { return [0x0d] }
        if bytes.last == 0x0a { return bytes.first == 0x0d ? bytes : [0x0a] }
        return nil
    }
}
