public import Tables
import CByteScan
import FieldValues

extension DelimitedFile {
    /// The profiles of the columns, from samples of the start, the middle and the end of the file. If the file fits in its first block, the
    /// samples are distributed evenly over it, and the longest strings of all records are found.
    ///
    /// - Parameter budgetMilliseconds: the time after which no more parts are read. The first block is always sampled. Therefore 0 gives a
    ///   reproducible result without another read.
    /// - Returns: one profile for each of the ``columnCount`` columns that are known at the time of the call.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
        let columnCount = columnCount
        func profiles(_ samplers: [ColumnSampler]) -> [ColumnProfile] {
            ColumnSampler.profiles(samplers, delimiter: dialect.delimiter, notation: notation) { name(ofColumn: $0) }
        }
        if columnCount == 0 { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columnCount)
        let deadline = Platform.monotonicNanoseconds() + UInt64(max(budgetMilliseconds, 0)) * 1_000_000
        let snapshot = snapshot()
        // Records with many columns take longer, so fewer of them are sampled.
        let maximumCount = max(20, min(500, 100_000 / columnCount))
        let recordsPerSample = max(5, maximumCount / 16)
        let end = byteCount
        guard end - contentStart > grammar.settings.firstBytes else {
            sampleAll(snapshot, atMost: max(maximumCount, min(2_000, 50_000 / columnCount)), &samplers)
            return profiles(samplers)
        }
        let head = min(snapshot.recordCount, maximumCount)
        // Only the start of a very long record is read, up to a limit that grows with the number of columns.
        let recordBytes = max(1 << 20, min(grammar.settings.maximumShownRecordBytes, columnCount * 64))
        var room = 32 << 20
        try? snapshot.scanBatches(0..<head, columns: Array(0..<columnCount), cutting: recordBytes) { batch in
            for record in 0..<batch.count {
                for (index, field) in batch.fields(of: record).enumerated() {
                    samplers[index].add(field)
                    room -= field.count
                }
            }
            return room > 0
        }
        let size = 32 << 10
        let bytesPerRecord = head > 1 ? max(1, (snapshot.byteOffset(ofRecord: head - 1) - contentStart) / (head - 1)) : size
        // Read only as many bytes as the sample needs, because finding the record starts in them takes longer than sampling.
        let length = min(size, max(1 << 10, recordsPerSample * bytesPerRecord))
        // The end is sampled first, then the middle at finer and finer distances. The samples are then evenly distributed, whenever the
        // time runs out.
        let fractions = [1.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875]
        for fraction in fractions {
            // Sample the end even if the time has run out on a busy machine, so that the column widths are reproducible. With a budget
            // of 0, sample only the start.
            if fraction < 1 || budgetMilliseconds <= 0, Platform.monotonicNanoseconds() >= deadline { break }
            let begin = contentStart + Int(Double(end - contentStart - length) * fraction)
            if begin > contentStart { sample(at: begin, count: min(length, end - begin), atMost: recordsPerSample, &samplers) }
        }
        return profiles(samplers)
    }

    /// The profiles of the columns from index `first` on. Only records that are longer than expected have these columns, so the samples
    /// start with the first such record.
    /// - Returns: one profile for each column from `first` to ``columnCount``.
    public func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let columns = Array(first..<max(first, columnCount))
        if columns.isEmpty { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let snapshot = snapshot()
        var bytes = 0
        let offset = index.findings.firstOffsets[Diagnostics.Kind.longRecord.index]
        if let firstRecord = snapshot.record(atByteOffset: offset) {
            let end = min(snapshot.recordCount, firstRecord + max(20, min(500, 100_000 / columns.count)))
            try? snapshot.scanBatches(firstRecord..<end, columns: columns, cutting: 1 << 20) { batch in
                for record in 0..<batch.count {
                    for (index, field) in batch.fields(of: record).enumerated() { samplers[index].add(field) }
                }
                // If the records are large, a few of them are a sufficient sample.
                bytes += snapshot.byteOffset(ofRecord: batch.firstRecord + batch.count) - snapshot.byteOffset(ofRecord: batch.firstRecord)
                return bytes < 4 << 20
            }
        }
        return ColumnSampler.profiles(samplers, delimiter: dialect.delimiter, notation: notation) { name(ofColumn: columns[$0]) }
    }

    /// The profiles of columns without a value in the samples, from their first values in the records indexed so far.
    public func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        snapshot().profiles(
            ofRareColumns: columns, from: record, delimiter: dialect.delimiter, notation: notation, while: shouldContinue
        ) { name(ofColumn: $0) }
    }

    /// The title of a column; empty if the file has no header.
    private func name(ofColumn column: Int) -> String { dialect.hasHeader ? title(ofColumn: column) : "" }

    /// Samples a file that is in memory: at most `limit` records, evenly distributed and including the last. Of all other records, only
    /// strings that are longer than all previous strings are added.
    private func sampleAll(_ snapshot: RecordSnapshot, atMost limit: Int, _ samplers: inout [ColumnSampler]) {
        let count = snapshot.recordCount
        try? snapshot.scan(0..<count, columns: Array(samplers.indices)) { record, fields in
            let isSampled = count <= limit || (record + 1) * limit / count > record * limit / count
            for (index, field) in fields.enumerated() {
                if isSampled { samplers[index].add(field) } else { samplers[index].addUnsampled(field) }
            }
            return true
        }
    }

    /// Samples at most `limit` records at an offset. Does nothing if it cannot be determined where records start.
    private func sample(at offset: Int, count: Int, atMost limit: Int, _ samplers: inout [ColumnSampler]) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count + 1)
        defer { buffer.deallocate() }
        guard (try? source.read(into: buffer.baseAddress!, count: count + 1, at: offset - 1)) != nil else { return }
        let bytes = UnsafeBufferPointer(rebasing: buffer[1...])
        let found = RecordAligner(grammar: grammar, expectedFields: index.expectedFields)
            .align(bytes, previous: buffer[0], isLast: false)
        guard found.isSettled else { return }
        var selector = FieldSelector(grammar, Array(samplers.indices), capacity: limit)
        _ = selector.read(bytes.baseAddress! + found.first, bytes.count - found.first, isLast: false, atMost: limit)
        let batch = selector.batch(from: 0)
        for record in 0..<batch.count {
            for (index, field) in batch.fields(of: record).enumerated() { samplers[index].add(field) }
        }
    }
}
