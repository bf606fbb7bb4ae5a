public import Tables
import CByteScan

extension DelimitedFile {
    /// The last records of the file, found from its end without the index.
    ///
    /// The reader infers whether the position where it starts is within quotes; see `TailRecords.isSettled`. If the index is complete, or
    /// the whole file is read, the result is certain.
    /// - Parameter records: the number of records. The result has fewer records if the file has fewer, or if the records exceed 16 MiB.
    /// - Complexity: O(bytes of these records); a few hundred µs for a screen of typical records.
    /// - Throws: ``DelimitedTextError`` if the file can no longer be read.
    public func tail(
        atLeast records: Int, columns: Range<Int>? = nil, maximumFieldBytes: Int = 4096
    ) throws(DelimitedTextError) -> TailRecords {
        let snapshot = snapshot()
        if snapshot.isComplete {
            let range = max(0, snapshot.recordCount - max(records, 0))..<snapshot.recordCount
            let found = try snapshot.records(range, columns: columns, maximumFieldBytes: maximumFieldBytes)
            return TailRecords(records: found, firstByteOffset: snapshot.byteOffset(ofRecord: range.lowerBound), isSettled: true)
        }
        let end = snapshot.byteEnd
        // Estimate the number of bytes to read from the mean size of the indexed records.
        let meanBytes = snapshot.startCount > 0 ? (snapshot.indexedEnd - contentStart) / snapshot.startCount : 0
        let estimatedBytes = min(max(records, 1), 100_000) * 5 / 4 * min(meanBytes, 1 << 20)
        var size = max(grammar.settings.tailBytes, min(estimatedBytes, grammar.settings.maximumShownRecordBytes), 1)
        while true {
            let begin = max(contentStart, end - size)
            let isWhole = begin == contentStart
            let isLargest = size >= grammar.settings.maximumShownRecordBytes
            let before = isWhole ? 0 : 1
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: end - begin + before)
            defer { buffer.deallocate() }
            if buffer.count > 0 { try source.read(into: buffer.baseAddress!, count: buffer.count, at: begin - before) }
            let bytes = UnsafeBufferPointer(rebasing: buffer[before...])
            let isFinished = source.current.isFinished
            var found = alignment(of: bytes, previous: isWhole ? nil : buffer[0], isLast: isFinished)
            // If the file is read from its start, the header is not one of the last records.
            var skip = isWhole ? headerStartCount : 0
            // While a pipe is open, its last record may be incomplete, so it is left out.
            let incompleteCount = isFinished ? 0 : 1
            if found.startCount - skip - incompleteCount < records && !isWhole && !isLargest {
                size = size > Int.max / 4 ? Int.max : size * 4
                continue
            }
            skip = max(skip, found.startCount - incompleteCount - max(records, 0))
            if skip >= found.startCount - incompleteCount {
                found.first = bytes.count; skip = 0
            } else if skip > 0 {
                found.first += gv_nth_start(
                    grammar.settings.implementation, grammar.raw, bytes.baseAddress! + found.first, bytes.count - found.first,
                    bytes.count - found.first, UInt8(GV_RECORD_START), skip)
            }
            let first = begin + found.first
            var reader = RecordReader(source, grammar, begin: first, end: end, columns: columns, maximumFieldBytes: maximumFieldBytes)
            var result: [Record] = []
            while result.count < max(records, 0), let record = try reader.next() {
                result.append(record)
                if record.isTruncated { break }
            }
            return TailRecords(records: result, firstByteOffset: first, isSettled: found.isSettled && !result.isEmpty || isWhole)
        }
    }

    private func alignment(of bytes: UnsafeBufferPointer<UInt8>, previous: UInt8?, isLast: Bool) -> RecordAligner.Alignment {
        if let previous {
            return RecordAligner(grammar: grammar, expectedFields: index.expectedFields)
                .align(bytes, previous: previous, isLast: isLast)
        }
        let span = bytes.baseAddress.map { grammar.scan($0, bytes.count) } ?? gv_span()
        return RecordAligner.Alignment(first: span.first_start, startCount: span.starts, isSettled: true)
    }
}
