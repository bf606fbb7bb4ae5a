public import DataGrid
public import FieldValues

/// A column whose statistics are asked for.
public struct StatisticsRequest: Sendable, Hashable {
    /// The column of the table, from 0.
    public var column: Int
    /// What its values are to be read as.
    public var kind: ValueKind
    /// How its numbers are written.
    public var notation: NumberNotation
    /// The letters by which its texts are put in order.
    public var alphabet: NaturalOrder.Alphabet

    /// Asks about `column`.
    public init(column: Int, kind: ValueKind, notation: NumberNotation = .point, alphabet: NaturalOrder.Alphabet = .ascii) {
        (self.column, self.kind, self.notation, self.alphabet) = (column, kind, notation, alphabet)
    }
}

/// Statistics of some columns of a table, in the order asked for.
///
/// - Parameters:
///   - table: the records.
///   - requests: the columns, and how their fields are read.
///   - records: the records to look at, each once, in any order; `nil` for all. Records that the table does not have are left out.
///   - exactLimit: up to how many different fields of a column are counted one by one; more are estimated.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - control: asked to go on and told the progress, again and again; it ends the work when that is cancelled.
/// - Throws: ``JobCancelled``, ``RecordsMissing``, or the table's error.
/// - Complexity: a scan for as many columns together as fit in `StatisticsJob.memory`, and O(n) work for each column. Memory: 1 to 8
///   bytes a record for a column that is no text, and its different fields once for each thread as long as they are counted.
public func columnStatistics(
    of table: any RecordTable, _ requests: [StatisticsRequest], within records: [UInt32]? = nil, exactLimit: Int = 1 << 16, threads: Int,
    control: JobControl
) throws -> [ColumnStatistics] {
    let selection = RecordSelection(order: ascending(records, recordCount: table.recordCount), recordCount: table.recordCount)
    let job = StatisticsJob(
        table: table, selection: selection, exactLimit: exactLimit, threads: max(1, threads), control: control)
    return try job.statistics(of: requests)
}

/// The same records in ascending order, in which they are read fastest; `nil` when they are all.
func ascending(_ records: [UInt32]?, recordCount: Int) -> [UInt32]? {
    guard let records else { return nil }
    var isWanted = [Bool](repeating: false, count: recordCount)
    var count = 0
    for record in records where Int(record) < recordCount && !isWanted[Int(record)] {
        isWanted[Int(record)] = true
        count += 1
    }
    if count == recordCount { return nil }
    var ascending: [UInt32] = []
    ascending.reserveCapacity(count)
    for record in 0..<recordCount where isWanted[record] { ascending.append(UInt32(record)) }
    return ascending
}

struct StatisticsJob {
    let table: any RecordTable
    let selection: RecordSelection
    let exactLimit: Int
    let threads: Int
    let control: JobControl

    /// About how many bytes the columns of one pass may take.
    static let memory = 512 << 20

    func statistics(of requests: [StatisticsRequest]) throws -> [ColumnStatistics] {
        let passes = passes(requests)
        control.begin(total: passes.count * selection.slotCount + requests.count)
        return try passes.flatMap { try pass($0) }
    }

    /// The columns that are read together.
    private func passes(_ requests: [StatisticsRequest]) -> [ArraySlice<StatisticsRequest>] {
        var passes: [ArraySlice<StatisticsRequest>] = []
        var (start, size) = (0, 0)
        for (index, request) in requests.enumerated() {
            // Most columns of values take 4 bytes a record; different fields about 60 each for every thread.
            let own = selection.slotCount * (request.kind == .text ? 0 : 4) + min(selection.slotCount, exactLimit * threads) * 60
            if size + own > StatisticsJob.memory, index > start {
                passes.append(requests[start..<index])
                (start, size) = (index, 0)
            }
            size += own
        }
        return start < requests.count ? passes + [requests[start...]] : passes
    }

    private func pass(_ requests: ArraySlice<StatisticsRequest>) throws -> [ColumnStatistics] {
        var texts: [FieldCensus?] = []
        var values: [ValueFieldReader?] = []
        let valueCount = requests.count { $0.kind != .text }
        let slabs = (0..<threads).map { _ in Slab(byteCount: max(1, valueCount) * ValueReader.slabBytes(count: selection.slotCount)) }
        for request in requests {
            let isText = request.kind == .text
            texts.append(isText ? census(request) : nil)
            values.append(
                isText
                    ? nil
                    : ValueFieldReader(
                        request, limit: exactLimit, records: selection.slotCount, threads: threads, in: slabs, control: control))
        }
        try lookAtFirst(values.compactMap(\.self))
        try selection.read(texts.compactMap(\.self) + values.compactMap(\.self), of: table, threads: threads, control: control)
        // What was misjudged is read once more: rarely anything.
        for (place, request) in requests.enumerated() where values[place]?.hasToCountAgain ?? false { texts[place] = census(request) }
        let again = zip(texts, values).compactMap { $1 == nil ? nil : $0 }
        if !again.isEmpty {
            control.extend(by: selection.slotCount)
            try selection.read(again, of: table, threads: threads, control: control)
        }

        return try requests.enumerated().map { place, request in
            defer { control.advance(by: 1) }
            var statistics = ColumnStatistics(column: request.column, kind: request.kind)
            statistics.recordCount = selection.slotCount
            var top = TopFields(number: StatisticsJob.topCount, alphabet: request.alphabet)
            if let values = values[place] {
                try tell(of: values, countedAgain: texts[place], request, &statistics, &top)
            } else if let texts = texts[place] {
                try tell(of: texts, &statistics, &top)
            }
            statistics.top = top.fields.map { .init(value: String(decoding: $0.bytes, as: UTF8.self), count: $0.count) }
            return statistics
        }
    }

    private func census(_ request: StatisticsRequest) -> FieldCensus {
        FieldCensus(
            request.column, textsBy: request.kind == .text ? request.alphabet : nil, limit: exactLimit, records: selection.slotCount,
            threads: threads,
            control: control)
    }

    /// Shows the first records to `readers`.
    private func lookAtFirst(_ readers: [ValueFieldReader]) throws {
        guard !readers.isEmpty, selection.slotCount > 0 else { return }
        let columns = Array(Set(readers.map(\.column))).sorted()
        let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        try selection.scanBatches(table, 0..<min(64, selection.slotCount), columns: columns, control: control) { _, batch in
            for reader in readers { reader.look(at: batch, places[reader.column]!) }
        }
    }

    // MARK: One column

    /// Tells what there is to say of fields, but for those that occur most.
    private func tell(of census: FieldCensus, _ statistics: inout ColumnStatistics, _ top: inout TopFields) throws {
        try census.bringTogether()
        defer { census.removeAll() }
        statistics.valueCount = census.filledCount
        statistics.blankCount = census.blankCount
        statistics.missingCount = census.missingCount
        statistics.distinct = census.distinct
        statistics.texts = census.texts
        census.add(to: &top)
    }

    private func tell(
        of read: ValueFieldReader, countedAgain: FieldCensus?, _ request: StatisticsRequest, _ statistics: inout ColumnStatistics,
        _ top: inout TopFields
    ) throws {
        let vector = read.reader.vector
        let counted = try CountedValues(vector, threads: threads, control: control)
        var distinct = ColumnStatistics.DistinctCount(count: 0, isExact: true)
        if countedAgain == nil, let (census, digits) = try read.valueCensus(counted, control: control) {
            defer { census.deallocate() }
            distinct = census.distinct
            census.add(to: &top, of: vector, digits: digits, request.notation)
        }
        try tell(of: countedAgain ?? read.census, &statistics, &top)
        statistics.distinct.count += distinct.count
        statistics.distinct.isExact = statistics.distinct.isExact && distinct.isExact
        // Of too many, none is told, be they too many only together.
        if statistics.distinct.count > exactLimit { top = TopFields(number: StatisticsJob.topCount, alphabet: request.alphabet) }
        let values = try ValueStatistics(
            vector, counted: counted, hasParts: request.kind != .flag, threads: threads, control: control)
        statistics.valueCount = values.valueCount
        statistics.notANumberCount = values.counts[Int(FieldClass.notANumber.rawValue)]
        statistics.unreadableCount = values.counts[Int(FieldClass.unreadable.rawValue)]
        values.tell(&statistics)
    }

    /// How many of the fields that occur most are told.
    private static let topCount = 20
}
