import CByteScan
import FieldValues

extension RecordSnapshot {
    /// Where record `record` begins, in bytes from the start of the file. `recordCount` gives where the last record ends, as far as known.
    ///
    /// When the file has been truncated so that the place cannot be looked up, the nearest indexed place before it.
    /// - Complexity: O(log n) and a scan of at most 8 KiB.
    public func byteOffset(ofRecord record: Int) -> Int {
        precondition(record >= 0 && record <= recordCount, "There is no record \(record).")
        if let place = try? begin(ofStart: record + headerStarts) { return place }
        return nearest(toStart: min(record + headerStarts, max(starts - 1, 0)))
    }

    /// The record that holds the byte at `offset`, its line end and comment lines after it included.
    ///
    /// `nil` before the first record, and where the index has not come yet. A record that was found otherwise (from the file's end, say)
    /// is this record exactly when ``byteOffset(ofRecord:)`` gives its first byte back.
    public func record(atByteOffset offset: Int) -> Int? {
        guard offset >= contentStart, offset < (isComplete ? byteEnd : indexedEnd) else { return nil }
        guard let entry = entry(atByteOffset: offset) else { return nil }
        let chunk = entry.chunk
        let spanBytes = grammar.settings.spanBytes
        let span = (offset - chunk.begin) / spanBytes
        var number = entry.starts + Int(chunk.cumulative[span])
        let first = chunk.firstStart[span]
        let begin = chunk.begin + span * spanBytes + Int(first)
        if first != IndexChunk.noStart, begin <= offset {
            guard let more = try? startCount(from: begin, through: offset) else { return nil }
            number += more
        }
        let record = number - 1 - headerStarts
        return record >= 0 && record < recordCount ? record : nil
    }

    /// Where record start `number` is, or the end of the last one.
    func begin(ofStart number: Int) throws(DelimitedTextError) -> Int {
        guard number < starts else { return isComplete ? byteEnd : indexedEnd }
        let entry = entry(ofStart: number)
        let chunk = entry.chunk
        let spanBytes = grammar.settings.spanBytes
        let (span, skip) = chunk.span(ofStart: number - entry.starts)
        let spanBegin = chunk.begin + span * spanBytes
        let first = spanBegin + Int(chunk.firstStart[span])
        if skip == 0 { return first }
        let count = min(spanBegin + spanBytes, chunk.end) - first
        var missing = false
        let place = try withBytes(at: first, count: count) { bytes, readable in
            // Of a truncated file, what is left may still do.
            let there = min(count, readable)
            let found = gv_nth_start(
                grammar.settings.implementation, grammar.raw, bytes, there, readable, UInt8(GV_RECORD_START), skip)
            missing = found == there
            return first + found
        }
        if missing { throw source.truncated(at: place) }
        return place
    }

    private func startCount(from begin: Int, through offset: Int) throws(DelimitedTextError) -> Int {
        let count = offset - begin + 1
        return try withBytes(at: begin, count: count) { bytes, readable in
            grammar.scan(bytes, min(count, readable), readable: readable).starts
        }
    }

    /// The number of line ends before `offset`, counted from the start of the indexed part.
    func lineEnds(before offset: Int) throws(DelimitedTextError) -> Int {
        guard offset > contentStart, let entry = entry(atByteOffset: offset - 1) else { return 0 }
        let begin = entry.chunk.begin
        let count = offset - begin
        return try entry.lines
            + withBytes(at: begin, count: count, before: 1) { bytes, readable in
                let previous = begin > 0 ? bytes[-1] : 0
                return grammar.scan(bytes, min(count, readable), previous: previous, state: entry.chunk.startState).lines
            }
    }

    /// Reads into a buffer of its own, with a margin after it where there are bytes; fewer when the file has been truncated.
    private func withBytes(
        at offset: Int, count: Int, before: Int = 0, _ body: (_ bytes: UnsafePointer<UInt8>, _ readable: Int) -> Int
    ) throws(DelimitedTextError) -> Int {
        let before = min(before, offset)
        let wanted = min(count + Grammar.margin, max(byteEnd - offset, count))
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: before + wanted)
        defer { buffer.deallocate() }
        let there = try source.readUpTo(into: buffer, count: before + wanted, at: offset - before)
        guard there > before else { throw source.truncated(at: offset - before + there) }
        return body(buffer + before, there - before)
    }

    private var entryCount: Int { chunkCount + (partial == nil ? 0 : 1) }

    private func entry(_ index: Int) -> ChunkTable.Entry {
        if index == chunkCount, let partial { return partial }
        return table[index]
    }

    /// The chunk in which record start `number` lies; `number` < `starts`.
    private func entry(ofStart number: Int) -> ChunkTable.Entry {
        entry((0..<entryCount).partitioningIndex { entry($0).starts > number } - 1)
    }

    /// The chunk that holds the byte at `offset`; `nil` where the index has none.
    func entry(atByteOffset offset: Int) -> ChunkTable.Entry? {
        let index = (offset - contentStart) / grammar.settings.chunkBytes
        guard index >= 0, index < entryCount else { return nil }
        let entry = entry(index)
        return offset < entry.chunk.end ? entry : nil
    }

    private func nearest(toStart number: Int) -> Int {
        guard starts > 0 else { return contentStart }
        let entry = entry(ofStart: number)
        let (span, _) = entry.chunk.span(ofStart: number - entry.starts)
        return entry.chunk.begin + span * grammar.settings.spanBytes + Int(entry.chunk.firstStart[span])
    }
}
