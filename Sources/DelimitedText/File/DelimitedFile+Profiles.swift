public import Tables
import CByteScan
import FieldValues

extension DelimitedFile {
    /// What the columns hold, judged by a sample of the head, of some places in the middle, and of the tail; of a file no larger than its
    /// first block, by records all over it, and no text is longer than the longest that was kept.
    ///
    /// - Parameter budgetMilliseconds: after this time no further place is read. The first block is always looked at, so 0 gives the same
    ///   answer every time, and one that needs no reading beyond it.
    /// - Returns: one profile for each of the ``columnCount`` columns known now.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
        let columnCount = columnCount
        if columnCount == 0 { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columnCount)
        let deadline = Platform.now() + UInt64(max(budgetMilliseconds, 0)) * 1_000_000
        let snapshot = snapshot()
        // Wide records are as good as many.
        let most = max(20, min(500, 100_000 / columnCount))
        let end = byteCount
        guard end - contentStart > grammar.settings.firstBytes else {
            sampleAll(snapshot, most: max(most, min(2_000, 50_000 / columnCount)), &samplers)
            return ColumnSampler.profiles(samplers, delimiter: dialect.delimiter)
        }
        let head = min(snapshot.recordCount, most)
        // Of a record longer than its number of columns explains, the beginning has to do; of very long ones, few.
        let recordBytes = max(1 << 20, min(grammar.settings.recordBytes, columnCount * 64))
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
        // No more is read of a place than is looked at: finding out where its records begin takes longer than looking at them.
        let length = min(size, max(1 << 10, most / 4 * bytesPerRecord))
        // The tail first, then the middle from coarse to fine: each place is as useful whenever time runs out.
        let places = [1.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875]
        for place in places {
            // The tail always, if there is any time at all: a busy machine shows the same widths.
            if place < 1 || budgetMilliseconds <= 0, Platform.now() >= deadline { break }
            let begin = contentStart + Int(Double(end - contentStart - length) * place)
            if begin > contentStart { sample(at: begin, count: min(length, end - begin), most: most / 4, &samplers) }
        }
        return ColumnSampler.profiles(samplers, delimiter: dialect.delimiter)
    }

    /// What the columns behind the `known` first ones hold, judged by the records from the first on that is longer than usual.
    /// - Returns: one profile for each column from `known` up to ``columnCount``.
    public func profiles(ofColumnsFrom known: Int) -> [ColumnProfile] {
        let columns = Array(known..<max(known, columnCount))
        if columns.isEmpty { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let snapshot = snapshot()
        var bytes = 0
        let offset = index.findings.firsts[Diagnostics.Kind.longRecord.index]
        if let first = snapshot.record(atByteOffset: offset) {
            let end = min(snapshot.recordCount, first + max(20, min(500, 100_000 / columns.count)))
            try? snapshot.scanBatches(first..<end, columns: columns, cutting: 1 << 20) { batch in
                for record in 0..<batch.count {
                    for (index, field) in batch.fields(of: record).enumerated() { samplers[index].add(field) }
                }
                // A few records that fill memory are sample enough.
                bytes += snapshot.byteOffset(ofRecord: batch.first + batch.count) - snapshot.byteOffset(ofRecord: batch.first)
                return bytes < 4 << 20
            }
        }
        return ColumnSampler.profiles(samplers, delimiter: dialect.delimiter)
    }

    /// Looks at a file that is in memory: at `most` records spread evenly over it, the last one among them; of the others, at what is longer
    /// than all before.
    private func sampleAll(_ snapshot: RecordSnapshot, most: Int, _ samplers: inout [ColumnSampler]) {
        let count = snapshot.recordCount
        try? snapshot.scan(0..<count, columns: Array(samplers.indices)) { record, fields in
            let isSampled = count <= most || (record + 1) * most / count > record * most / count
            for (index, field) in fields.enumerated() {
                if isSampled { samplers[index].add(field) } else { samplers[index].addUnsampled(field) }
            }
            return true
        }
    }

    /// Looks at a place of which only the offset is known; does nothing when it is not clear where records begin.
    private func sample(at offset: Int, count: Int, most: Int, _ samplers: inout [ColumnSampler]) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count + 1)
        defer { buffer.deallocate() }
        guard (try? source.read(into: buffer.baseAddress!, count: count + 1, at: offset - 1)) != nil else { return }
        let bytes = UnsafeBufferPointer(rebasing: buffer[1...])
        let found = RecordAligner(grammar: grammar, expectedFields: index.expectedFields)
            .align(bytes, previous: buffer[0], isLast: false)
        guard found.isSettled else { return }
        var selector = FieldSelector(grammar, Array(samplers.indices), capacity: most)
        _ = selector.read(bytes.baseAddress! + found.first, bytes.count - found.first, isLast: false, most: most)
        let batch = selector.batch(from: 0)
        for record in 0..<batch.count {
            for (index, field) in batch.fields(of: record).enumerated() { samplers[index].add(field) }
        }
    }
}
