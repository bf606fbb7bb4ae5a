import DataGrid
import DataGridQuery
import FieldValues
import Locks
import Tables

/// Formats rows for ``RowOutput``. Each thread uses its own copy, which starts without findings.
protocol RowWriter: Sendable {
    /// The delimiter, if rows are delimited text with unchanged field bytes; otherwise `nil`.
    var lineDelimiter: UInt8? { get }

    /// Writes a row. Rows can arrive in any order.
    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink)

    /// Merges the findings of a copy that wrote other rows.
    mutating func merge(_ other: Self)
}

/// Adjacent records at adjacent positions.
struct RowRun {
    var records: Range<Int>
    var position: Int
    /// The index of the row among the rows to be reordered.
    var slot = 0
}

/// Reads rows in runs, in file order even if the view has another order, and formats them on several threads.
struct RowOutput<Writer: RowWriter>: Sendable {
    let table: any Table
    /// Rows that are counted from the end are not supported.
    let rows: RowOrder
    let columns: [Int]
    let threads: Int

    /// The maximum number of unneeded records that are read to avoid another look-up.
    private static var maximumGap: Int { 256 }
    /// The maximum number of unneeded records that are read from a columnar table to avoid another look-up.
    private static var maximumColumnarGap: Int { 1_024 }
    /// The approximate number of file bytes in one part.
    private var partBytes: Int { 512 << 10 }
    /// The approximate number of records in one part.
    private var partCount: Int { min(1 << 16, max(1, partBytes / table.meanRecordBytes)) }

    // MARK: File order

    /// Writes rows with ascending records. Uses the memory of a few parts.
    /// - Throws: ``JobCancelled``, ``OutOfMemory``, and errors of the file.
    func writeAscending(_ positions: Range<Int>, with writer: inout Writer, to sink: inout OutputSink, _ control: JobControl) throws {
        let output = OrderedOutput(sink)
        defer { sink = output.sink }
        let prototype = writer
        let merged = Mutex(writer)
        // Reuse buffers: allocating memory for each part would take longer than formatting it.
        let spareBuffers = Mutex<[[UInt8]]>([])
        // A table that must be read sequentially is read by one thread, as one part.
        let size = table.isSequential ? max(1, positions.count) : partCount
        // Parts check for cancellation themselves: a part that never starts would block later ones.
        try forEachRange(of: positions.count, size: size, threads: threads, control: JobControl()) { _, range in
            let part = range.lowerBound / size
            guard output.isOpen else { return output.end(part: part) }
            var writer = prototype
            var text = OutputSink(
                part: part, of: output, capacity: 4 * partBytes, buffer: spareBuffers.withLock { $0.popLast() } ?? [])
            do {
                let first = positions.lowerBound + range.lowerBound
                try read(rows.runs(at: first..<first + range.count), with: &writer, to: &text, control)
                text.flush()
            } catch {
                output.end(part: part, hasFailed: true)
                throw error
            }
            output.end(part: part)
            spareBuffers.withLock { $0.append(text.removeBuffer()) }
            merged.withLock { $0.merge(writer) }
        }
        writer = merged.withLock { $0 }
    }

    /// Formats `runs`, whose records are ascending.
    /// - Parameter ended: called after each run, with its index and the number of bytes in the buffer of `sink`.
    func read(
        _ runs: [RowRun], with writer: inout Writer, to sink: inout OutputSink, _ control: JobControl,
        ended: (_ run: Int, _ byteCount: Int) -> Void = { _, _ in }
    ) throws {
        var next = 0
        let columnar = table.columnar(storing: columns)
        var printer = ValuePrinter(width: columnar == nil ? 0 : columns.count)
        // Reading values that are not printed is cheap. A new scan is not: it goes back to the start of a page.
        let gap = columnar == nil ? Self.maximumGap : Self.maximumColumnarGap
        while next < runs.count, sink.isOpen {
            try control.checkCancellation()
            var end = next + 1
            while end < runs.count, runs[end].records.lowerBound - runs[end - 1].records.upperBound <= gap { end += 1 }
            let records = runs[next].records.lowerBound..<runs[end - 1].records.upperBound
            var isCancelled = false
            /// Writes the records of a batch that belong to the runs.
            func write(_ batch: FieldBatch) -> Bool {
                var written = 0
                for index in 0..<batch.count {
                    let record = batch.first + index
                    let run = runs[next]
                    guard record >= run.records.lowerBound else { continue }
                    writer.write(
                        batch.fields(of: index), record: record, position: run.position + record - run.records.lowerBound, to: &sink)
                    written += 1
                    guard sink.isOpen else { break }
                    if record + 1 == run.records.upperBound {
                        ended(next, sink.buffer.count)
                        next += 1
                    }
                }
                control.advance(by: written)
                isCancelled = control.isCancelled
                return sink.isOpen && !isCancelled
            }
            if let columnar {
                try columnar.scanColumns(records, columns: columns.map { columnar.storedColumn($0) }) { batch in
                    let found = batch.first..<batch.first + batch.count
                    var start = batch.first
                    while next < end {
                        // Only the records of the runs are printed.
                        let wanted = runs[next].records.clamped(to: start..<found.upperBound)
                        guard !wanted.isEmpty else { break }
                        start = min(wanted.upperBound, wanted.lowerBound + printer.capacity)
                        guard write(printer.fields(of: wanted.lowerBound - found.lowerBound..<start - found.lowerBound, in: batch)) else {
                            return false
                        }
                    }
                    isCancelled = control.isCancelled
                    return !isCancelled
                }
            } else {
                try table.scanLines(
                    records, columns: columns, delimiter: writer.lineDelimiter,
                    lines: { batch in
                        let found = batch.first..<batch.first + batch.count
                        var written = 0
                        while next < end, runs[next].records.lowerBound < found.upperBound {
                            let lines = runs[next].records.clamped(to: found)
                            sink.write(utf8: batch.bytes(of: lines.lowerBound - batch.first..<lines.upperBound - batch.first))
                            written += lines.count
                            if runs[next].records.upperBound > found.upperBound { break }
                            ended(next, sink.buffer.count)
                            next += 1
                        }
                        control.advance(by: written)
                        isCancelled = control.isCancelled
                        return sink.isOpen && !isCancelled
                    },
                    fields: write)
            }
            if isCancelled { try control.checkCancellation() }
            // Otherwise, the loop would read the same rows forever.
            if sink.isOpen, next < end { throw IncompleteScan() }
        }
    }

    // MARK: Any order

    /// Passes all rows at `ranges` to a writer that writes nothing, in any order. Has the parameters and errors of
    /// ``forEachText(at:with:memory:byteLimit:_:_:)``.
    func visit(_ ranges: [Range<Int>], with writer: inout Writer, memory: Int, _ control: JobControl) throws {
        if rows.isAscending {
            var nothing = OutputSink(byteLimit: .max)
            for range in ranges { try writeAscending(range, with: &writer, to: &nothing, control) }
        } else {
            _ = try forEachText(at: ranges, with: &writer, memory: memory, textBytes: 0, control) { _, _ in true }
        }
    }

    private struct Place {
        var start: Int
        var count: Int
    }

    /// Calls `body` with the text of each row at `ranges` of positions, in order, until it returns `false`.
    ///
    /// Rows are read in file order, as many at a time as fit in `memory`. In the worst case, each batch reads the whole file.
    /// - Parameters:
    ///   - memory: approximate bytes for the strings and positions of rows.
    ///   - textBytes: the approximate number of bytes of the text of a row; `nil` for the size of a record.
    ///   - byteLimit: the maximum number of bytes of all strings.
    /// - Returns: `false` if the strings exceed `byteLimit`.
    /// - Throws: The errors of ``writeAscending(_:with:to:_:)`` and of `body`.
    func forEachText(
        at ranges: [Range<Int>], with writer: inout Writer, memory: Int, textBytes: Int? = nil, byteLimit: Int = .max,
        _ control: JobControl,
        _ body: (_ position: Int, _ text: UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> Bool {
        let textBytes = textBytes ?? table.meanRecordBytes * 5 / 4
        let most = rowsAtOnce(memory: memory, of: ranges.reduce(0) { $0 + $1.count }, textBytes)
        let prototype = writer
        var left = byteLimit
        var window: [Range<Int>] = []
        var count = 0
        for range in ranges {
            var start = range.lowerBound
            while start < range.upperBound {
                let end = min(range.upperBound, start + most - count)
                window.append(start..<end)
                count += end - start
                start = end
                guard count == most else { continue }
                guard try forEachText(ofWindow: window, as: prototype, &writer, textBytes, byteLimit: &left, control, body) else {
                    return left >= 0
                }
                (window, count) = ([], 0)
            }
        }
        _ = try forEachText(ofWindow: window, as: prototype, &writer, textBytes, byteLimit: &left, control, body)
        return left >= 0
    }

    /// The number of rows that fit in `memory`, or in the available memory if that is less. Fewer rows at once need more passes.
    private func rowsAtOnce(memory: Int, of count: Int, _ textBytes: Int) -> Int {
        let rowBytes = textBytes + MemoryLayout<RowRun>.stride + MemoryLayout<Place>.stride
        let minimum = (1 << 20) / rowBytes + 1
        var most = max(1, min(count, memory / rowBytes))
        while most > minimum, (try? Memory.check(byteCount: most * rowBytes)) == nil { most /= 2 }
        return most
    }

    /// - Returns: True to continue.
    private func forEachText(
        ofWindow window: [Range<Int>], as prototype: Writer, _ writer: inout Writer, _ textBytes: Int, byteLimit: inout Int,
        _ control: JobControl,
        _ body: (_ position: Int, _ text: UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> Bool {
        let count = window.reduce(0) { $0 + $1.count }
        // Buckets of adjacent records, in file order.
        let shift = Int.bitWidth - 1 - partCount.leadingZeroBitCount
        // The rows of a server's order are numbered from another start.
        let numbers = rows.unmoved.consecutiveRecords ?? 0..<table.recordCount
        let first = numbers.lowerBound
        let bucketCount = (max(1, numbers.count) - 1) >> shift + 1
        let members = UnsafeMutableBufferPointer<RowRun>.allocate(capacity: count)
        defer { members.deallocate() }
        var starts = [Int](repeating: 0, count: bucketCount + 1)
        for (slot, position) in window.joined().enumerated() {
            try checkCancellation(control, at: slot)
            starts[(rows[position].rawValue - first) >> shift + 1] += 1
        }
        for bucket in 0..<bucketCount { starts[bucket + 1] += starts[bucket] }
        var next = starts
        for (slot, position) in window.joined().enumerated() {
            try checkCancellation(control, at: slot)
            let record = rows[position].rawValue
            let bucket = (record - first) >> shift
            members.initializeElement(at: next[bucket], to: RowRun(records: record..<record + 1, position: position, slot: slot))
            next[bucket] += 1
        }

        let places = UnsafeMutableBufferPointer<Place>.allocate(capacity: count)
        defer { places.deallocate() }
        let texts = UnsafeMutableBufferPointer<[UInt8]>.allocate(capacity: bucketCount)
        texts.initialize(repeating: [])
        defer {
            texts.deinitialize()
            texts.deallocate()
        }
        let merged = Mutex(prototype)
        let limit = byteLimit
        let total = Atomic(0)
        try forEachRange(of: bucketCount, size: 1, threads: threads, control: control) { _, range in
            let bucket = range.lowerBound
            let runs = members[starts[bucket]..<starts[bucket + 1]].sorted { $0.records.lowerBound < $1.records.lowerBound }
            let left = limit - total.load(ordering: .relaxed)
            guard !runs.isEmpty, left >= 0 else { return }
            var writer = prototype
            var text = OutputSink(byteLimit: left, likely: runs.count * textBytes * 9 / 10)
            var start = 0
            try read(runs, with: &writer, to: &text, control) { run, end in
                places.initializeElement(at: runs[run].slot, to: Place(start: start, count: end - start))
                start = end
            }
            texts[bucket] = text.removeBuffer()
            total.add(texts[bucket].count, ordering: .relaxed)
            merged.withLock { $0.merge(writer) }
        }
        writer.merge(merged.withLock { $0 })
        byteLimit -= total.load(ordering: .relaxed)
        guard byteLimit >= 0 else { return false }
        for (slot, position) in window.joined().enumerated() {
            try checkCancellation(control, at: slot)
            let place = places[slot]
            let continues = try texts[(rows[position].rawValue - first) >> shift].withUnsafeBufferPointer { text in
                try body(position, UnsafeBufferPointer(rebasing: text[place.start..<place.start + place.count]))
            }
            guard continues else { return false }
        }
        return true
    }

    private func checkCancellation(_ control: JobControl, at step: Int) throws { if step & 0xFFFF == 0 { try control.checkCancellation() } }
}

extension RowOrder {
    /// True if records ascend with their positions. O(count) at worst; stops at the first record that does not.
    var isAscending: Bool {
        if consecutiveRecords != nil { return true }
        var last = -1
        var result = true
        forEachRecord { _, record in
            result = record > last
            last = record
            return result
        }
        return result
    }

    /// The rows at `positions` as runs. O(positions), or O(1) in file order.
    func runs(at positions: Range<Int>) -> [RowRun] {
        if case .natural = self { return [RowRun(records: positions, position: positions.lowerBound)] }
        var runs: [RowRun] = []
        var position = positions.lowerBound
        func append(_ record: Int) {
            if let last = runs.last, last.records.upperBound == record {
                runs[runs.count - 1].records = last.records.lowerBound..<record + 1
            } else {
                runs.append(RowRun(records: record..<record + 1, position: position))
            }
            position += 1
        }
        if case .permuted(let permutation) = self {
            if let records = permutation.records.consecutive {
                let first = records.lowerBound + positions.lowerBound
                return [RowRun(records: first..<first + positions.count, position: positions.lowerBound)]
            }
            // For a set, reading a range of members is faster than looking up each of them.
            for record in permutation.records.numbers(at: positions) { append(record) }
        } else {
            for position in positions { append(self[position].rawValue) }
        }
        return runs
    }
}
