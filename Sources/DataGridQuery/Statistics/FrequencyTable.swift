public import Tables
public import FieldValues

/// The different values of a column with their counts, in two orders; compared by identity, as it may be large.
public final class FrequencyTable: @unchecked Sendable, Equatable {
    /// How often each field occurs, by the dictionary's numbers.
    private let counts: [Int]
    private let dictionary: ByteDictionary
    private let byCount: [UInt32]
    private let byValue: [UInt32]
    /// Records that were looked at.
    public let recordCount: Int
    /// Records whose field is blank, or that have no such field; they are no values.
    public let blankCount: Int

    fileprivate init(
        _ dictionary: ByteDictionary, _ counts: [Int], byCount: [UInt32], byValue: [UInt32], recordCount: Int, blankCount: Int
    ) {
        (self.dictionary, self.counts, self.byCount, self.byValue) = (dictionary, counts, byCount, byValue)
        (self.recordCount, self.blankCount) = (recordCount, blankCount)
    }

    deinit { dictionary.deallocate() }

    /// How many values differ.
    public var count: Int { counts.count }

    /// How often the most frequent value occurs; 0 without values.
    public var greatestCount: Int { byCount.first.map { counts[Int($0)] } ?? 0 }

    /// The value at a place from 0, the most frequent or the least one first.
    public func entry(_ place: Int, byValue isByValue: Bool) -> ColumnStatistics.Frequency {
        let number = Int(isByValue ? byValue[place] : byCount[place])
        return .init(value: ByteDictionary.text(dictionary.bytes(number)), count: counts[number])
    }

    /// Tables are the same when they are one.
    public static func == (a: FrequencyTable, b: FrequencyTable) -> Bool { a === b }
}

/// Thrown when more values differ than are counted one by one.
public struct TooManyValues: Error, Hashable, Sendable {
    /// About how many differ, with a standard error of 1.2 %.
    public var estimate: Int
}

/// The values of a column with their counts.
///
/// - Parameters:
///   - table: the records.
///   - request: the column, and how its fields are read.
///   - records: as for ``columnStatistics(of:_:within:exactLimit:memory:topCount:details:threads:control:)``.
///   - limit: the most values that are counted.
///   - threads: how many threads to use, the caller's among them; the result is the same for any number.
///   - control: asked to go on and told the progress, again and again; it ends the work when that is cancelled.
/// - Throws: ``TooManyValues``, ``JobCancelled``, ``RecordsMissing``, or the table's error.
/// - Complexity: a scan, and O(d log d) for d different values.
public func frequencies(
    of table: any Table, _ request: StatisticsRequest, within records: RowNumbers? = nil, limit: Int = 1 << 20, threads: Int,
    control: JobControl
) throws -> FrequencyTable {
    let selection = try RecordSelection(
        order: try ascending(records, recordCount: table.recordCount, shortLimit: control.shortLimit), recordCount: table.recordCount,
        shortLimit: control.shortLimit)
    control.begin(total: selection.slotCount + selection.slotCount / 4)
    let census = FieldCensus(request.column, textsBy: nil, limit: limit, records: selection.slotCount, threads: threads, control: control)
    try selection.read([census], of: table, threads: threads, control: control)
    try census.bringTogether()
    guard let (dictionary, counts) = try census.takeFields() else { throw TooManyValues(estimate: census.distinct.count) }
    do {
        let ranks = try control.part(of: selection.slotCount / 4) {
            try dictionary.ranks(
                SortOrdering(kind: request.kind, notation: request.notation, alphabet: request.alphabet), isDescending: false,
                threads: threads, control: $0)
        }
        // This list, and the other while it is sorted.
        try Memory.check(byteCount: counts.count * 4 * MemoryLayout<UInt32>.stride)
        var byValue = [UInt32](repeating: 0, count: counts.count)
        for (number, rank) in ranks.enumerated() { byValue[Int(rank)] = UInt32(number) }
        var comparisons = 0
        let byCount = try byValue.sorted {
            comparisons += 1
            try control.checkCancellation(at: comparisons)
            return (counts[Int($1)], ranks[Int($0)]) < (counts[Int($0)], ranks[Int($1)])
        }
        return FrequencyTable(
            dictionary, counts, byCount: byCount, byValue: byValue, recordCount: selection.slotCount,
            blankCount: census.blankCount + census.missingCount)
    } catch {
        dictionary.deallocate()
        throw error
    }
}
