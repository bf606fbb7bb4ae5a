import Tables
import FieldValues

/// Reads one column of a table on several threads.
///
/// A *slot* is the index of a record among the records that a job reads. Each thread reads ranges of slots. The result does not depend on
/// the thread that reads a range.
protocol ColumnReader: AnyObject, Sendable {
    var column: Int { get }
    /// True while the reader needs more fields.
    var shouldContinue: Bool { get }
    /// Reads the fields of one column of a batch of records.
    /// - Parameters:
    ///   - index: the index of the column in `batch`.
    ///   - slot: the slot of the first record of the batch.
    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws
    /// Reads typed values of a column without converting them to text.
    /// - Parameters:
    ///   - records: the range of records in the batch that `vector` belongs to.
    ///   - slot: the slot of the first of these records.
    /// - Returns: false if the reader needs text. It has read nothing, and the caller passes the fields as text.
    func read(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) throws -> Bool
    /// Called when the thread has read all slots of `range`.
    func finishRange(_ range: Range<Int>, thread: Int) throws
    /// Called when all slots have been read.
    func finish() throws
}

extension ColumnReader {
    var shouldContinue: Bool { true }
    func read(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) throws -> Bool { false }
    func finishRange(_ range: Range<Int>, thread: Int) throws {}
    func finish() throws {}
}

extension ColumnReader {
    /// Reads a range of records of a column as typed values, or as text if the reader does not accept typed values.
    fileprivate func read(
        _ batch: ColumnBatch, _ columnIndex: Int, _ records: Range<Int>, slot: Int, thread: Int, _ printer: inout ValuePrinter
    ) throws {
        let vector = batch.columns[columnIndex]
        if try read(vector, records, slot: slot, thread: thread) { return }
        let column = ColumnBatch(firstRecord: batch.firstRecord, count: batch.count, columns: [vector])
        for first in stride(from: records.lowerBound, to: records.upperBound, by: ValuePrinter.maximumRecords) {
            let chunk = first..<min(records.upperBound, first + ValuePrinter.maximumRecords)
            try read(printer.fields(of: chunk, in: column), 0, slot: slot + first - records.lowerBound, thread: thread)
        }
    }
}

extension RecordSelection {
    /// Reads the columns of `readers` and finishes the readers.
    ///
    /// In a columnar table, stored columns are read in one pass and computed columns in a second one. If the table is slow to scan, one
    /// pass reads both as text.
    func readColumns(with readers: [any ColumnReader], of table: any Table, threads: Int, control: JobControl) throws {
        let stored = readers.filter { table.columnar(storing: [$0.column]) != nil }
        let computed = readers.filter { reader in !stored.contains { $0 === reader } }
        if let columnar = table.columnar(storing: stored.map(\.column)), !stored.isEmpty, computed.isEmpty || !columnar.isSlowToScan {
            try readValues(stored, of: columnar, threads: threads, control: control)
            // Computed columns are read as text, and do not count as progress.
            if !computed.isEmpty { try control.withPart(of: 0) { try readFields(computed, of: table, threads: threads, control: $0) } }
        } else {
            try readFields(readers, of: table, threads: threads, control: control)
        }
        for reader in readers where reader.shouldContinue {
            try control.checkCancellation()
            try reader.finish()
        }
    }

    /// Two lists: the distinct columns of `readers`, because a shared column is read only once, and for each reader the index of its column
    /// in the first list.
    private static func columns(of readers: [any ColumnReader]) -> (columns: [Int], indices: [Int]) {
        let columns = Set(readers.map(\.column)).sorted()
        let indexOfColumn = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        return (columns, readers.map { indexOfColumn[$0.column]! })
    }

    private func readFields(_ readers: [any ColumnReader], of table: any Table, threads: Int, control: JobControl) throws {
        let (columns, columnIndices) = Self.columns(of: readers)
        try forEachRange(of: slotCount, threads: threads, control: control) { thread, range in
            defer { control.advance(by: range.count) }
            guard readers.contains(where: \.shouldContinue) else { return }
            try scanBatches(table, range, columns: columns, control: control) { slot, batch in
                for (reader, columnIndex) in zip(readers, columnIndices) where reader.shouldContinue {
                    try reader.read(batch, columnIndex, slot: slot, thread: thread)
                }
            }
            for reader in readers where reader.shouldContinue { try reader.finishRange(range, thread: thread) }
        }
    }

    /// The slots of each scan of a columnar table.
    ///
    /// A longer scan saves work, because a scan that starts within a page must decode the page from its start. In a table that is slow to
    /// scan, long scans would let other threads wait for the last one. For selected records, a longer scan needs more memory.
    private func scans(of table: any ColumnarTable, threads: Int) -> [Range<Int>] {
        let smallest = table.isSlowToScan ? rangeSize : 4 * rangeSize
        let largest = table.isSlowToScan || records != nil ? smallest : max(smallest, slotCount)
        return shrinkingRanges(of: slotCount, unit: rangeSize, smallest: smallest, largest: largest, threads: threads)
    }

    /// Reads the columns as typed values, or as text for readers that do not accept typed values.
    private func readValues(_ readers: [any ColumnReader], of table: any ColumnarTable, threads: Int, control: JobControl) throws {
        let (columns, columnIndices) = Self.columns(of: readers)
        let scans = scans(of: table, threads: threads)
        // After an error in one scan, the other scans end, too.
        let hasFailed = Flag()
        try forEachRange(of: scans.count, size: 1, threads: threads, control: control) { thread, index in
            let all = scans[index.lowerBound]
            guard readers.contains(where: \.shouldContinue) else { return control.advance(by: all.count) }
            var printer = ValuePrinter(width: 1)
            var next = all.lowerBound
            /// The end of the ranges that count as progress.
            var finished = next
            /// False after all readers have stopped.
            var isNeeded = true
            /// Passes a batch to the readers. Its first record is at the slot `next`.
            func read(_ batch: ColumnBatch) throws {
                let (start, end) = (next, next + batch.count)
                while next < end {
                    // The slots of the batch that belong to the current range.
                    let chunk = next..<min(end, (next / rangeSize + 1) * rangeSize)
                    let rows = chunk.lowerBound - start..<chunk.upperBound - start
                    for (reader, columnIndex) in zip(readers, columnIndices) where reader.shouldContinue {
                        try reader.read(batch, columnIndex, rows, slot: chunk.lowerBound, thread: thread, &printer)
                    }
                    next = chunk.upperBound
                    guard next % rangeSize == 0 || next == all.upperBound else { continue }
                    let range = (next - 1) / rangeSize * rangeSize..<next
                    for reader in readers where reader.shouldContinue { try reader.finishRange(range, thread: thread) }
                    control.advance(by: range.count)
                    finished = next
                    isNeeded = readers.contains(where: \.shouldContinue)
                }
            }
            do {
                if let records {
                    try scanColumns(of: table, at: all.map { records[$0] }, columns: columns, control: control, read)
                } else {
                    try table.scanColumns(all, columns: columns) { batch in
                        if control.isCancelled || hasFailed.isSet { return false }
                        try read(batch)
                        return isNeeded
                    }
                }
            } catch {
                hasFailed.set()
                throw error
            }
            try control.checkCancellation()
            if hasFailed.isSet { return }
            guard isNeeded else { return control.advance(by: all.upperBound - finished) }
            if next < all.upperBound { throw IncompleteScan() }
        }
    }

    /// The maximum distance between two records that one scan reads. Records farther apart are read by separate scans.
    private static var maximumGap: Int { 1_024 }

    /// Reads the given ascending records, and passes their values in batches that contain no other records.
    private func scanColumns(
        of table: any ColumnarTable, at records: [Int], columns: [Int], control: JobControl, _ body: (ColumnBatch) throws -> Void
    ) throws {
        let gathered = try columns.map { _ in try GatheredVector() }
        var rows: [UInt32] = []
        var next = 0
        while next < records.count {
            var end = next + 1
            while end < records.count, records[end] - records[end - 1] <= Self.maximumGap { end += 1 }
            try table.scanColumns(records[next]..<records[end - 1] + 1, columns: columns) { batch in
                if control.isCancelled { return false }
                rows.removeAll(keepingCapacity: true)
                while next < end, records[next] < batch.firstRecord + batch.count {
                    rows.append(UInt32(truncatingIfNeeded: records[next] - batch.firstRecord))
                    next += 1
                }
                guard !rows.isEmpty else { return true }
                let vectors = try rows.withUnsafeBufferPointer { rows in
                    try zip(gathered, batch.columns).map { try $0.values(of: $1, at: rows) }
                }
                try body(ColumnBatch(firstRecord: batch.firstRecord, count: rows.count, columns: vectors))
                return true
            }
            try control.checkCancellation()
            if next < end { throw IncompleteScan() }
        }
    }
}
