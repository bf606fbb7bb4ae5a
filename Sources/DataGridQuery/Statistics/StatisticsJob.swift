import Tables
import FieldValues

/// A column whose statistics are requested, and how its fields are read.
struct StatisticsRequest: Sendable, Hashable {
    var column: Int
    var kind: ValueKind
    var notation = DecimalStyle.point
    var dateNotation = DateNotation.iso
    var alphabet = NaturalOrder.Alphabet.ascii

    var ordering: SortOrdering {
        SortOrdering(kind: kind, notation: notation, dateNotation: dateNotation, alphabet: alphabet)
    }
}

/// Statistics of some columns of a table, in the order of the requests. The result does not depend on `threads`.
/// - Parameters:
///   - records: the distinct records to include, in any order; `nil` for all. Records that the table does not have are ignored.
///   - exactLimit: the maximum number of distinct fields of a column that are counted exactly; larger numbers are estimated.
///   - memory: the approximate memory limit of the columns that are read together, in bytes. At least one column is read.
/// - Complexity: one scan for each set of columns that fits in `memory`, and O(n) work for each column. Memory: 1 to 8 bytes per record for
///   a column other than text, and the distinct fields once per thread while they are counted.
func columnStatistics(
    of table: any Table, _ requests: [StatisticsRequest], within records: RowNumbers? = nil, exactLimit: Int = 1 << 16,
    memory: Int = 512 << 20, topCount: Int = 20, details: ColumnStatistics.Details = [.quantiles, .histogram], threads: Int,
    control: JobControl
) throws -> [ColumnStatistics] {
    let selection = try RecordSelection(ascending: records, of: table, control)
    let job = StatisticsJob(
        table: table, selection: selection, exactLimit: exactLimit, memory: memory, topCount: topCount, details: details,
        threads: max(1, threads), control: control)
    return try job.statistics(of: requests)
}

struct StatisticsJob {
    let table: any Table
    let selection: RecordSelection
    let exactLimit: Int
    let memory: Int
    let topCount: Int
    let details: ColumnStatistics.Details
    let threads: Int
    let control: JobControl

    /// A requested column, with the result of a sample of its fields.
    private struct ColumnTask {
        let request: StatisticsRequest
        /// The number of fraction digits of nearly all numbers of the column; `nil` if the digits vary.
        var digits: UInt8?
    }

    func statistics(of requests: [StatisticsRequest]) throws -> [ColumnStatistics] {
        let passes = passes(try sampledTasks(requests))
        control.begin(total: passes.count * selection.slotCount * 2)
        // Reserve all elements at once. With a million columns, growing the array would need hundreds of megabytes for both copies.
        var all: [ColumnStatistics] = []
        all.reserveCapacity(requests.count)
        for tasks in passes { all += try runPass(tasks) }
        try control.checkCancellation()
        return all
    }

    private func sampledTasks(_ requests: [StatisticsRequest]) throws -> [ColumnTask] {
        var tasks = requests.map { ColumnTask(request: $0) }
        let numbers = requests.indices.filter { requests[$0].kind.isNumber }
        guard !numbers.isEmpty, selection.slotCount > 0 else { return tasks }
        let columns = Array(Set(numbers.map { requests[$0].column })).sorted()
        let columnIndices = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        var samples = [FractionDigitSample](repeating: FractionDigitSample(), count: requests.count)
        try selection.scanBatches(table, 0..<min(64, selection.slotCount), columns: columns, control: control) { _, batch in
            for index in numbers {
                let columnIndex = columnIndices[requests[index].column]!
                for record in 0..<batch.count { samples[index].add(batch[record, columnIndex], requests[index].notation) }
            }
        }
        for index in numbers { tasks[index].digits = samples[index].digits }
        return tasks
    }

    /// The maximum number of columns that are read in one pass. With more columns, fields would leave the processor's cache before they are
    /// counted. Reading the file once more is faster. Few records allow more columns.
    private var maximumColumns: Int { max(2_000, (1 << 17) / max(1, selection.slotCount)) }

    /// Divides the columns into passes, each of which fits in ``memory``.
    private func passes(_ tasks: [ColumnTask]) -> [ArraySlice<ColumnTask>] {
        var passes: [ArraySlice<ColumnTask>] = []
        var (start, size) = (0, 0)
        for (index, task) in tasks.enumerated() {
            // Estimate the memory of a column. Values usually take 4 bytes per record, and each thread has buffers. Distinct fields take
            // about 60 bytes each per thread.
            let values = selection.slotCount * 4 + ValueReader.threadBytes(count: selection.slotCount) * threads
            let fields = task.digits == nil ? min(selection.slotCount, exactLimit * threads) * 60 : 0
            let taskBytes = (task.request.kind == .text ? 0 : values) + fields
            if index > start, size + taskBytes > memory || index - start >= maximumColumns {
                passes.append(tasks[start..<index])
                (start, size) = (index, 0)
            }
            size += taskBytes
        }
        return start < tasks.count ? passes + [tasks[start...]] : passes
    }

    private func runPass(_ tasks: ArraySlice<ColumnTask>) throws -> [ColumnStatistics] {
        let requests = tasks.map(\.request)
        var texts = requests.map { $0.kind == .text ? counter($0) : nil }
        let values = try tasks.map { task -> CountingValueReader? in
            guard task.request.kind != .text else { return nil }
            return try CountingValueReader(
                task.request, digits: task.digits, limit: exactLimit, recordCount: selection.slotCount, threads: threads, control: control)
        }
        try selection.readColumns(with: texts.compactMap(\.self) + values.compactMap(\.self), of: table, threads: threads, control: control)
        // If many fields of a column differ from its sample, the column is read once more and its fields are counted as strings. This is
        // rare.
        for (columnIndex, request) in requests.enumerated() where values[columnIndex]?.needsRecount ?? false {
            texts[columnIndex] = counter(request)
        }
        let again = zip(texts, values).compactMap { $1 == nil ? nil : $0 }
        if !again.isEmpty {
            control.extend(by: selection.slotCount)
            try selection.readColumns(with: again, of: table, threads: threads, control: control)
        }

        // Computing the results takes about as long as reading.
        let units = selection.slotCount
        return try requests.enumerated().map { columnIndex, request in
            defer { control.advance(by: units * (columnIndex + 1) / requests.count - units * columnIndex / requests.count) }
            return try statistics(request, texts[columnIndex], values[columnIndex])
        }
    }

    private func counter(_ request: StatisticsRequest) -> FieldCounter {
        FieldCounter(
            request.column, textAlphabet: request.kind == .text ? request.alphabet : nil, limit: exactLimit,
            recordCount: selection.slotCount,
            threads: threads, control: control)
    }

    // MARK: One column

    /// Computes the statistics of a column that has been read.
    /// - Parameter counter: the counter of all fields; `nil` to use the counter of `valueReader`.
    private func statistics(_ request: StatisticsRequest, _ counter: FieldCounter?, _ valueReader: CountingValueReader?) throws
        -> ColumnStatistics
    {
        var statistics = ColumnStatistics(column: request.column, kind: request.kind)
        statistics.recordCount = selection.slotCount
        var values = DistinctCounter(limit: exactLimit)
        defer { values.deallocate() }
        let valueCounts = try valueReader.flatMap { try ValueCounts($0.reader.vector, threads: threads, control: control) }
        if counter == nil { try valueReader?.count(&values, valueCounts: valueCounts, control: control) }
        if let counter = counter ?? valueReader?.counter {
            defer { counter.removeAll() }
            let tally = try counter.merge()
            statistics.valueCount = tally.filledCount
            statistics.emptyCount = tally.emptyCount
            statistics.missingCount = tally.missingCount
            statistics.textRange = tally.textRange
            let distinct = [tally.fields.distinct, values.distinct]
            // An estimate may exceed the number of fields that are not empty, so it is limited to that number.
            let filledCount = statistics.recordCount - tally.emptyCount - tally.missingCount
            statistics.distinct = .init(
                count: min(filledCount, distinct[0].count + distinct[1].count), isExact: distinct.allSatisfy(\.isExact))
            // The most frequent values are listed only if all distinct values could be counted: both the values counted as numbers and the
            // values counted as strings.
            if statistics.distinct.isExact, statistics.distinct.count <= exactLimit {
                statistics.top = try mostFrequent(tally.fields, values, valueReader, request.ordering)
            }
        }
        if let valueReader { try addValueStatistics(of: valueReader, valueCounts, to: &statistics) }
        return statistics
    }

    /// The most frequent values of a column, from both counters of `valueReader`. Values with equal counts are in ascending order, as in
    /// ``FrequencyTable``.
    private func mostFrequent(
        _ fields: DistinctCounter, _ values: DistinctCounter, _ valueReader: CountingValueReader?, _ ordering: SortOrdering
    ) throws -> [ColumnStatistics.Frequency] {
        var keys = TopValues<UInt64>(topCount)
        values.forEachKey { key, count in keys.add(count: count, isBefore: { key < $0 }) { key } }
        let order = RecordKeys([ResolvedSortKey(column: 0, ordering: ordering)], exactKeys: [0])
        let scratch = try UnsafeArray<UInt8>(count: order.maximumLength)
        func sortKey(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer {
            let count = withUnsafePointer(to: FieldBytes(bytes)) { order.write(UnsafeBufferPointer(start: $0, count: 1), to: scratch.base) }
            return UnsafeRawBufferPointer(start: scratch.base, count: count)
        }
        var top = TopValues<(bytes: [UInt8], sortKey: [UInt8])>(topCount)
        func add(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int) {
            top.add(count: count) { other in
                let order = other.sortKey.withUnsafeBytes { Platform.compare(sortKey(bytes), $0) }
                return order < 0 || order == 0 && other.bytes.withUnsafeBytes { Platform.compare(UnsafeRawBufferPointer(bytes), $0) < 0 }
            } _: {
                ([UInt8](bytes), [UInt8](sortKey(bytes)))
            }
        }
        for (key, count) in keys.entries { valueReader?.text(of: key).withUnsafeBufferPointer { add($0, count) } }
        fields.forEach { add($0, $1) }
        return top.entries.map { entry in entry.value.bytes.withUnsafeBufferPointer { .init($0, count: entry.count) } }
    }

    private func addValueStatistics(of valueReader: CountingValueReader, _ valueCounts: ValueCounts?, to statistics: inout ColumnStatistics)
        throws
    {
        let values = try ValueStatistics(
            valueReader.reader.vector, valueCounts: valueCounts, hasHistogram: details.contains(.histogram) && statistics.kind != .flag,
            threads: threads,
            control: control)
        statistics.valueCount = values.valueCount
        statistics.nanCount = values.counts[Int(FieldClass.notANumber.rawValue)]
        statistics.unreadableCount = values.counts[Int(FieldClass.unreadable.rawValue)]
        values.write(to: &statistics)
        if !details.contains(.quantiles) { statistics.quantiles = [] }
    }
}
