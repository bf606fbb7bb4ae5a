import DataGrid
import DataGridQuery
import FieldValues
import Locks
import Tables

/// Formats the rows that ``RowOutput`` reads. Each thread uses its own copy, and ``merge(_:)`` combines what the copies have found.
protocol RowWriter: Sendable {
    /// The delimiter of CSV or TSV if fields are written unchanged, so that lines of the input may be copied as they are; otherwise `nil`.
    var lineDelimiter: UInt8? { get }

    /// Writes one row. Rows can arrive in any order.
    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink)

    /// Adds what a copy on another thread has found, such as invalid fields in the rows that the copy has written.
    mutating func merge(_ other: Self)
}

/// Adjacent records that are also adjacent in the row order, so that they can be read together.
struct RowRun {
    var records: Range<Int>
    /// The position of the first record in the row order.
    var position: Int
    /// If rows are reordered, each run has only one row. This is the index of that row among the rows that are in memory together.
    var slot = 0
}

/// Reads rows and passes them to a writer.
///
/// Rows of a file are read on several threads in file order, even if the view has another order. A sequential table, such as one on a
/// server, is read on one thread in the order of the view: each scan is a statement that may sort the whole table.
struct RowOutput<Writer: RowWriter>: Sendable {
    let table: any Table
    /// The order of rows. Every row must have a row number: rows that are counted from the end of the file are not supported.
    let rows: RowOrder
    /// The field numbers to read in each row.
    let columns: [Int]
    let threads: Int
    /// True if a server has not counted its rows. Then the last range may contain positions beyond the last row.
    var isOpenEnded = false
    /// Receives the fields of the rows that a server has cut; `nil` to ignore them.
    var cuts: CutFields?

    /// The maximum number of unneeded records between two needed ones that are read, too, because skipping them takes another look-up.
    private static var maximumGap: Int { 256 }
    /// The same limit for a columnar table.
    private static var maximumColumnarGap: Int { 1_024 }
    /// The same limit for a sequential table, in which skipping records takes another scan.
    private static var maximumSequentialGap: Int { 4_096 }
    /// The approximate number of file bytes that one thread formats at a time.
    private var bytesPerPart: Int { 512 << 10 }
    /// The approximate number of records that one thread formats at a time.
    private var recordsPerPart: Int { min(1 << 16, max(1, bytesPerPart / table.meanRecordBytes)) }

    /// Writes the rows at these positions, in order.
    ///
    /// If the records ascend or the table is sequential, only a few parts of the output are in memory.
    /// - Parameters:
    ///   - memory: the approximate memory in bytes for the text and the positions of rows that are not in file order.
    ///   - textBytes: the approximate size of the text of a row in bytes; `nil` to estimate it from the size of a record.
    ///   - byteLimit: the maximum size of the text of all rows in bytes. More text closes `sink`. The limit applies only to rows that are
    ///     not in file order.
    /// - Throws: `JobCancelled`, `OutOfMemory`, and errors of the file.
    func write(
        at ranges: [Range<Int>], with writer: inout Writer, to sink: inout OutputSink, memory: Int, textBytes: Int? = nil,
        byteLimit: Int = .max, _ control: JobControl
    ) throws {
        if table.isSequential {
            try writeSequentially(ranges, with: &writer, to: &sink, control)
        } else if rows.isAscending {
            for range in ranges { try writeAscending(range, with: &writer, to: &sink, control) }
        } else {
            let fits = try forEachText(
                at: ranges, with: &writer, memory: memory, textBytes: textBytes, byteLimit: byteLimit, control
            ) { _, text in
                sink.write(utf8: text)
                return sink.isOpen
            }
            if !fits { sink.close() }
        }
    }

    /// Passes the rows at these positions, in any order, to a writer that only examines them. The parameters and errors are those of
    /// ``write(at:with:to:memory:textBytes:byteLimit:_:)``.
    func visit(_ ranges: [Range<Int>], with writer: inout Writer, memory: Int, _ control: JobControl) throws {
        var nothing = OutputSink(byteLimit: .max)
        try write(at: ranges, with: &writer, to: &nothing, memory: memory, textBytes: 0, control)
    }

    // MARK: File order

    /// Writes rows whose records ascend. Only a few parts of the output are in memory.
    /// - Throws: `JobCancelled`, `OutOfMemory`, and errors of the file.
    private func writeAscending(_ positions: Range<Int>, with writer: inout Writer, to sink: inout OutputSink, _ control: JobControl) throws
    {
        let output = OrderedOutput(sink)
        defer { sink = output.sink }
        let prototype = writer
        let merged = Mutex(writer)
        // Reuse the memory of finished parts: allocating it again for each part would take longer than formatting the rows.
        let spareBuffers = Mutex<[[UInt8]]>([])
        let size = recordsPerPart
        // Start every part even after a cancellation: a part that never starts would block all later ones. Each part checks for
        // cancellation itself.
        try forEachRange(of: positions.count, size: size, threads: threads, control: JobControl()) { _, range in
            let part = range.lowerBound / size
            guard output.isOpen else { return output.end(part: part) }
            var writer = prototype
            var text = OutputSink(
                part: part, of: output, capacity: 4 * bytesPerPart, buffer: spareBuffers.withLock { $0.popLast() } ?? [])
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

    /// Writes rows of a sequential table in the order of their positions. Rows that are adjacent, or close to each other in one section,
    /// are read by one scan.
    /// - Parameter didWrite: called after each row.
    private func writeSequentially(
        _ ranges: [Range<Int>], with writer: inout Writer, to sink: inout OutputSink, _ control: JobControl,
        didWrite: (_ position: Int, _ sink: inout OutputSink) -> Void = { _, _ in }
    ) throws {
        var ascending: [RowRun] = []
        for range in ranges where !range.isEmpty {
            for run in rows.runs(at: range) {
                // Positions always ascend, but the record numbers of rows that were moved by hand may descend. Start a new scan there.
                if let last = ascending.last, run.records.lowerBound < last.records.upperBound {
                    try read(ascending, with: &writer, to: &sink, control) { didWrite($1, &$2) }
                    ascending = []
                }
                ascending.append(run)
            }
        }
        try read(ascending, with: &writer, to: &sink, control) { didWrite($1, &$2) }
    }

    /// Writes `runs`, whose records ascend.
    /// - Parameter didWrite: called after each row, with its run and position. If rows are copied as lines, it is called only after the
    ///   last row of each run. Rows of a sequential table are never copied as lines.
    private func read(
        _ runs: [RowRun], with writer: inout Writer, to sink: inout OutputSink, _ control: JobControl,
        didWrite: (_ run: RowRun, _ position: Int, _ sink: inout OutputSink) -> Void = { _, _, _ in }
    ) throws {
        var next = 0
        let foundCuts = CutFields()
        let table = cuts == nil ? table : table.recordingCuts(in: foundCuts)
        let columnar = table.columnar(storing: columns)
        var printer = if let columnar { columnar.printer(of: columns) } else { ValuePrinter(width: 0) }
        // Reading unneeded values of a columnar table is cheap, but a new scan is expensive, because it starts at the beginning of a page.
        let gap = columnar != nil ? Self.maximumColumnarGap : table.isSequential ? Self.maximumSequentialGap : Self.maximumGap
        /// True if one scan can read this run together with the previous one, and the records between them.
        func isJoined(_ run: Int) -> Bool {
            let (start, end) = (runs[run - 1].records.upperBound, runs[run].records.lowerBound)
            // A server reads one section per statement, so joining runs of several sections would not save a statement.
            return end <= start || end - start <= gap && table.areInOneSection(start - 1..<end + 1)
        }
        while next < runs.count, sink.isOpen {
            try control.checkCancellation()
            let first = next
            var end = next + 1
            while end < runs.count, isJoined(end) { end += 1 }
            let records = runs[next].records.lowerBound..<runs[end - 1].records.upperBound
            /// Writes a record if it belongs to one of the runs.
            /// - Returns: The number of written rows.
            func writeRow(_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Int {
                let run = runs[next]
                guard record >= run.records.lowerBound else { return 0 }
                let position = run.position + record - run.records.lowerBound
                writer.write(fields, record: record, position: position, to: &sink)
                didWrite(run, position, &sink)
                if sink.isOpen, record + 1 == run.records.upperBound { next += 1 }
                return 1
            }
            /// Writes the records of a batch that belong to one of the runs.
            func write(_ batch: FieldBatch) -> Bool {
                var written = 0
                for index in 0..<batch.count where sink.isOpen { written += writeRow(batch.firstRecord + index, batch.fields(of: index)) }
                control.advance(by: written)
                return sink.isOpen && !control.isCancelled
            }
            if let columnar {
                try columnar.scanColumns(records, columns: columns.map { columnar.storedColumn($0) }) { batch in
                    let found = batch.firstRecord..<batch.firstRecord + batch.count
                    var start = batch.firstRecord
                    while next < end {
                        // Skip the records that were read only because they are between two runs.
                        let part = runs[next].records.clamped(to: start..<found.upperBound)
                        guard !part.isEmpty else { break }
                        start = min(part.upperBound, part.lowerBound + printer.capacity)
                        guard write(printer.fields(of: part.lowerBound - found.lowerBound..<start - found.lowerBound, in: batch)) else {
                            return false
                        }
                    }
                    return !control.isCancelled
                }
            } else if table.isSequential {
                // Check for cancellation even if the table returns no row for a long time.
                try table.scan(records, columns: columns, holding: RequiredBytes(), control: control) {
                    control.advance(by: writeRow($0, $1))
                    return sink.isOpen
                }
            } else {
                try table.scanLines(
                    records, columns: columns, delimiter: writer.lineDelimiter,
                    lines: { batch in
                        let found = batch.firstRecord..<batch.firstRecord + batch.count
                        var written = 0
                        while next < end, runs[next].records.lowerBound < found.upperBound {
                            let lines = runs[next].records.clamped(to: found)
                            sink.write(utf8: batch.bytes(of: lines.lowerBound - batch.firstRecord..<lines.upperBound - batch.firstRecord))
                            written += lines.count
                            if runs[next].records.upperBound > found.upperBound { break }
                            didWrite(runs[next], runs[next].position + runs[next].records.count - 1, &sink)
                            next += 1
                        }
                        control.advance(by: written)
                        return sink.isOpen && !control.isCancelled
                    },
                    fields: write)
            }
            try control.checkCancellation()
            // A scan can also pass records between the runs.
            for cut in foundCuts.removeAll() where runs[first..<end].contains(where: { $0.records.contains(cut.record) }) { cuts?.add(cut) }
            if sink.isOpen, next < end {
                if isOpenEnded { return }
                // A row is missing although the table should have it. Stop, because reading it again would never end.
                throw IncompleteScan()
            }
        }
    }

    // MARK: Any order

    /// The byte range of a row in the text of its bucket.
    private struct TextRange {
        var start: Int
        var count: Int
    }

    /// Calls `body` with the text of each row at these positions, in order, until `body` returns `false`.
    ///
    /// The rows of a file are divided into blocks of rows whose text fits in `memory`. The rows of a block are read in file order. In the
    /// worst case, each block reads the whole file.
    ///
    /// The parameters and errors are those of ``write(at:with:to:memory:textBytes:byteLimit:_:)``, and the errors of `body`.
    /// - Returns: False if the text of all rows exceeds `byteLimit`.
    func forEachText(
        at ranges: [Range<Int>], with writer: inout Writer, memory: Int, textBytes: Int? = nil, byteLimit: Int = .max,
        _ control: JobControl,
        _ body: (_ position: Int, _ text: UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> Bool {
        if table.isSequential { return try forEachTextSequentially(ranges, with: &writer, byteLimit: byteLimit, control, body) }
        let textBytes = textBytes ?? table.meanRecordBytes * 5 / 4
        let most = windowRowCount(memory: memory, of: ranges.reduce(0) { $0 + $1.count }, textBytes)
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
                let continues = try forEachText(
                    ofWindow: window, copying: prototype, mergingInto: &writer, textBytes: textBytes, byteLimit: &left, control, body)
                guard continues else { return left >= 0 }
                (window, count) = ([], 0)
            }
        }
        _ = try forEachText(
            ofWindow: window, copying: prototype, mergingInto: &writer, textBytes: textBytes, byteLimit: &left, control, body)
        return left >= 0
    }

    /// Like ``forEachText(at:with:memory:textBytes:byteLimit:_:_:)`` for a sequential table, with one row in memory at a time.
    private func forEachTextSequentially(
        _ ranges: [Range<Int>], with writer: inout Writer, byteLimit: Int, _ control: JobControl,
        _ body: (_ position: Int, _ text: UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> Bool {
        var row = OutputSink(byteLimit: .max)
        var (left, failure) = (byteLimit, (any Error)?.none)
        try writeSequentially(ranges, with: &writer, to: &row, control) { position, row in
            left -= row.buffer.count
            guard left >= 0 else { return row.close() }
            do {
                let continues = try row.drain { try body(position, $0) }
                if !continues { row.close() }
            } catch {
                failure = error
                row.close()
            }
        }
        if let failure { throw failure }
        return left >= 0
    }

    /// The number of rows whose text fits in `memory`, or in the available memory if that is less.
    private func windowRowCount(memory: Int, of count: Int, _ textBytes: Int) -> Int {
        let rowBytes = textBytes + MemoryLayout<RowRun>.stride + MemoryLayout<TextRange>.stride
        let minimum = (1 << 20) / rowBytes + 1
        var most = max(1, min(count, memory / rowBytes))
        while most > minimum, (try? Memory.check(byteCount: most * rowBytes)) == nil { most /= 2 }
        return most
    }

    /// Calls `body` with the text of each row in a block of rows, in order, until `body` returns `false`. The text of all these rows is in
    /// memory.
    ///
    /// Copies of `prototype` format the rows in file order. Their findings, such as invalid fields, are merged into `writer`.
    /// - Parameters:
    ///   - window: the positions of the rows.
    ///   - byteLimit: the maximum number of bytes of text. On return, it is reduced by the bytes of these rows, and is negative if their
    ///     text exceeds the maximum.
    /// - Returns: True if the text fits and `body` always returned `true`.
    private func forEachText(
        ofWindow window: [Range<Int>], copying prototype: Writer, mergingInto writer: inout Writer, textBytes: Int,
        byteLimit: inout Int, _ control: JobControl,
        _ body: (_ position: Int, _ text: UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> Bool {
        let count = window.reduce(0) { $0 + $1.count }
        // Divide the records of the file into equal ranges. Each bucket has the needed records of one range, and one thread reads it.
        let shift = Int.bitWidth - 1 - recordsPerPart.leadingZeroBitCount
        // The row numbers of each row order of a server start at a different number.
        let numbers = rows.serverRecords ?? 0..<table.recordCount
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

        let textRanges = UnsafeMutableBufferPointer<TextRange>.allocate(capacity: count)
        defer { textRanges.deallocate() }
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
            var text = OutputSink(byteLimit: left, initialCapacity: runs.count * textBytes * 9 / 10)
            var start = 0
            try read(runs, with: &writer, to: &text, control) { run, _, text in
                textRanges.initializeElement(at: run.slot, to: TextRange(start: start, count: text.buffer.count - start))
                start = text.buffer.count
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
            let range = textRanges[slot]
            let continues = try texts[(rows[position].rawValue - first) >> shift].withUnsafeBufferPointer { text in
                try body(position, UnsafeBufferPointer(rebasing: text[range.start..<range.start + range.count]))
            }
            guard continues else { return false }
        }
        return true
    }

    private func checkCancellation(_ control: JobControl, at step: Int) throws { if step & 0xFFFF == 0 { try control.checkCancellation() } }
}

extension RowOrder {
    /// True if records ascend with their positions, so that rows can be read in file order. Stops at the first descending record; O(count)
    /// at worst.
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

    /// The rows at `positions`, with adjacent records combined. O(positions), or O(1) in the order of the table or of a server.
    func runs(at positions: Range<Int>) -> [RowRun] {
        switch self {
        case .natural: return [RowRun(records: positions, position: positions.lowerBound)]
        case .spliced(let first, let head, _) where positions.upperBound <= head:
            let records = first + positions.lowerBound..<first + positions.upperBound
            return [RowRun(records: records, position: positions.lowerBound)]
        default: break
        }
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
            // Read a whole range of members of the set, because looking up each member by its position is slower.
            for record in permutation.records.numbers(at: positions) { append(record) }
        } else {
            for position in positions { append(self[position].rawValue) }
        }
        return runs
    }
}
