import CByteScan
import FieldValues

extension RecordSnapshot {
    /// The offset of a record, in bytes from the start of the file. If `record` is `recordCount`, the result is the end of the last record.
    ///
    /// If the file has been truncated and the offset cannot be determined, returns the nearest indexed offset before the record.
    /// - Complexity: O(log n), and a scan of at most 8 KiB.
    public func byteOffset(ofRecord record: Int) -> Int {
        precondition(record >= 0 && record <= recordCount, "There is no record \(record).")
        if let start = try? offset(ofStart: record + headerStartCount) { return start }
        return indexedOffset(nearestToStart: min(record + headerStartCount, max(startCount - 1, 0)))
    }

    /// The number of the record that contains the byte at `offset`. A record includes its line ending and the comment lines and skipped
    /// blank lines after it. `nil` before the first record and after the indexed bytes.
    ///
    /// A record that was found without the index may have a wrong start. To check the start, compare it with ``byteOffset(ofRecord:)``.
    public func record(atByteOffset offset: Int) -> Int? {
        guard offset >= contentStart, offset < (isComplete ? byteEnd : indexedEnd) else { return nil }
        guard let entry = entry(atByteOffset: offset) else { return nil }
        let chunk = entry.chunk
        let spanBytes = grammar.settings.spanBytes
        let span = (offset - chunk.begin) / spanBytes
        var number = entry.startCount + Int(chunk.cumulativeStarts[span])
        let first = chunk.firstStarts[span]
        let begin = chunk.begin + span * spanBytes + Int(first)
        if first != IndexChunk.noStart, begin <= offset {
            guard let more = try? startCount(from: begin, through: offset) else { return nil }
            number += more
        }
        let record = number - 1 - headerStartCount
        return record >= 0 && record < recordCount ? record : nil
    }

    /// The file offset of a record start. The header and empty lines before it also have numbers. If `number` is `starts`, the result is
    /// the end of the last record.
    func offset(ofStart number: Int) throws(DelimitedTextError) -> Int {
        guard number < startCount else { return isComplete ? byteEnd : indexedEnd }
        let entry = entry(ofStart: number)
        let chunk = entry.chunk
        let spanBytes = grammar.settings.spanBytes
        let (span, skip) = chunk.span(ofStart: number - entry.startCount)
        let spanBegin = chunk.begin + span * spanBytes
        let first = spanBegin + Int(chunk.firstStarts[span])
        if skip == 0 { return first }
        let count = min(spanBegin + spanBytes, chunk.end) - first
        var isMissing = false
        let start = try withBytes(at: first, count: count) { bytes, readable in
            // If the file was truncated, fewer bytes can be read, which may suffice to find the record.
            let available = min(count, readable)
            let found = gv_nth_start(
                grammar.settings.implementation, grammar.raw, bytes, available, readable, UInt8(GV_RECORD_START), skip)
            isMissing = found == available
            return first + found
        }
        if isMissing { throw source.truncationError(at: start) }
        return start
    }

    private func startCount(from begin: Int, through offset: Int) throws(DelimitedTextError) -> Int {
        let count = offset - begin + 1
        return try withBytes(at: begin, count: count) { bytes, readable in
            grammar.scan(bytes, min(count, readable), readable: readable).starts
        }
    }

    /// The number of line endings between ``contentStart`` and `offset`.
    func lineEndCount(before offset: Int) throws(DelimitedTextError) -> Int {
        guard offset > contentStart, let entry = entry(atByteOffset: offset - 1) else { return 0 }
        let begin = entry.chunk.begin
        let count = offset - begin
        return try entry.lineCount
            + withBytes(at: begin, count: count, before: 1) { bytes, readable in
                let previous = begin > 0 ? bytes[-1] : 0
                return grammar.scan(bytes, min(count, readable), previous: previous, state: entry.chunk.startState).lines
            }
    }

    /// Reads bytes into a temporary buffer and passes them to `body`. Also reads up to ``Grammar/marginBytes`` bytes after them, which the
    /// scanner needs. Reads fewer bytes if the file has been truncated.
    private func withBytes(
        at offset: Int, count: Int, before: Int = 0, _ body: (_ bytes: UnsafePointer<UInt8>, _ readable: Int) -> Int
    ) throws(DelimitedTextError) -> Int {
        let before = min(before, offset)
        let readCount = min(count + Grammar.marginBytes, max(byteEnd - offset, count))
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: before + readCount)
        defer { buffer.deallocate() }
        let available = try source.readUpTo(into: buffer, count: before + readCount, at: offset - before)
        guard available > before else { throw source.truncationError(at: offset - before + available) }
        return body(buffer + before, available - before)
    }

    private var entryCount: Int { chunkCount + (partialEntry == nil ? 0 : 1) }

    private func entry(_ index: Int) -> ChunkTable.Entry {
        if index == chunkCount, let partialEntry { return partialEntry }
        return table[index]
    }

    /// The chunk in which a record starts.
    /// - Parameter number: the number of the record start, less than `starts`.
    private func entry(ofStart number: Int) -> ChunkTable.Entry {
        entry((0..<entryCount).partitioningIndex { entry($0).startCount > number } - 1)
    }

    /// The chunk that contains the byte at `offset`; `nil` after the indexed bytes.
    func entry(atByteOffset offset: Int) -> ChunkTable.Entry? {
        let index = (offset - contentStart) / grammar.settings.chunkBytes
        guard index >= 0, index < entryCount else { return nil }
        let entry = entry(index)
        return offset < entry.chunk.end ? entry : nil
    }

    private func indexedOffset(nearestToStart number: Int) -> Int {
        guard startCount > 0 else { return contentStart }
        let entry = entry(ofStart: number)
        let (span, _) = entry.chunk.span(ofStart: number - entry.startCount)
        return entry.chunk.begin + span * grammar.settings.spanBytes + Int(entry.chunk.firstStarts[span])
    }
}
