import Tables
import FieldValues

/// The distinct values of a column with their counts, sorted by value and by count. Tables are equal only if they are the same object,
/// because comparing large tables would take long.
public final class FrequencyTable: @unchecked Sendable, Equatable {
    /// Keeps the memory of ``fields`` alive, if they are in a dictionary of a counter.
    private let counter: FieldCounter?
    private let fields: any FieldList
    /// The number of occurrences of each value, indexed by value number.
    private let counts: [Int]
    private let numbersByCount: [UInt32]
    private let numbersByValue: [UInt32]
    /// The number of records that were counted.
    public let recordCount: Int
    /// The number of empty and missing fields, which are not values.
    public let emptyCount: Int
    /// The number of missing fields, which ``emptyCount`` includes.
    public let missingCount: Int

    fileprivate init(_ counter: FieldCounter, _ tally: FieldTally, numbersByCount: [UInt32], numbersByValue: [UInt32], recordCount: Int) {
        self.counter = counter
        fields = tally.fields.dictionary
        (counts, self.numbersByCount, self.numbersByValue) = (tally.fields.counts, numbersByCount, numbersByValue)
        (emptyCount, missingCount) = (tally.emptyCount + tally.missingCount, tally.missingCount)
        self.recordCount = recordCount
    }

    /// Creates a table from the distinct values of a column, in ascending order of values. O(d log d) for d values.
    /// - Parameters:
    ///   - entries: the values that are not empty, with their counts.
    ///   - recordCount: the number of records.
    ///   - emptyCount: the number of empty and missing fields.
    ///   - missingCount: the number of missing fields, which `emptyCount` includes.
    public init(_ entries: [ColumnStatistics.Frequency], recordCount: Int, emptyCount: Int, missingCount: Int = 0) {
        let numbers = entries.indices.map { UInt32($0) }
        counter = nil
        let areValid = entries.allSatisfy { $0.invalidText == nil }
        fields = areValid ? TextFields(entries.map(\.value)) : TextFields(bytes: entries.map { $0.invalidText ?? Array($0.value.utf8) })
        counts = entries.map(\.count)
        numbersByValue = numbers
        numbersByCount = numbers.sorted { (entries[Int($1)].count, $0) < (entries[Int($0)].count, $1) }
        (self.recordCount, self.emptyCount, self.missingCount) = (recordCount, emptyCount, missingCount)
    }

    /// The number of distinct values.
    public var count: Int { counts.count }

    /// The count of the most frequent value; 0 if there are no values.
    public var maximumCount: Int { numbersByCount.first.map { counts[Int($0)] } ?? 0 }

    /// The value at a position, from 0. Values are in ascending order if `isByValue`, otherwise in descending order of their counts.
    public func entry(_ position: Int, byValue isByValue: Bool) -> ColumnStatistics.Frequency {
        entry(number: valueNumber(at: position, byValue: isByValue))
    }

    /// The value number of the value at a position. Unlike the position, the value number does not depend on the order.
    package func valueNumber(at position: Int, byValue isByValue: Bool) -> Int {
        Int(isByValue ? numbersByValue[position] : numbersByCount[position])
    }

    /// The value with the value number `number`, and its count. For ``emptyNumber``, an empty string with the number of empty and missing
    /// fields.
    package func entry(number: Int) -> ColumnStatistics.Frequency {
        if number == emptyNumber { return .init(value: "", count: emptyCount) }
        return .init(fields.bytes(number), count: counts[number])
    }

    // MARK: The list of values and empty fields

    /// The number that stands for all empty and missing fields together in the list.
    package var emptyNumber: Int { counts.count }

    /// The number of entries in the list: one for each value and, if there are empty or missing fields, one for all of these fields.
    package var listCount: Int { count + (emptyCount > 0 ? 1 : 0) }

    /// The count of the entry with the highest count.
    package var maximumListCount: Int { max(maximumCount, emptyCount) }

    /// The number of the entry at a position in the list. In the order by value, the entry of empty fields comes last. In the order by
    /// count, it follows the values with the same count. O(log values).
    package func entryNumber(at position: Int, byValue isByValue: Bool) -> Int {
        guard emptyCount > 0 else { return valueNumber(at: position, byValue: isByValue) }
        let empty = isByValue ? count : numbersByCount.indices.partitioningIndex { counts[Int(numbersByCount[$0])] < emptyCount }
        return position == empty ? emptyNumber : valueNumber(at: position < empty ? position : position - 1, byValue: isByValue)
    }

    /// The value numbers of all values that contain a match of a search, in the order by value or by count.
    /// - Complexity: at worst O(length of all values × length of the needle).
    package func numbers(matching search: TextSearch, byValue isByValue: Bool) -> [Int] {
        let matcher = TextMatcher(search)
        return (isByValue ? numbersByValue : numbersByCount).lazy.map { Int($0) }.filter {
            matcher.firstRange(in: fields.bytes($0), from: 0) != nil
        }
    }

    /// True if both are the same object.
    public static func == (a: FrequencyTable, b: FrequencyTable) -> Bool { a === b }
}

/// An error for a column with too many distinct values to count exactly.
public struct TooManyValues: Error, Hashable, Sendable {
    /// The estimated number of distinct values, with a standard error of 1.2 %.
    public var estimate: Int

    /// Creates the error.
    public init(estimate: Int) { self.estimate = estimate }
}

/// The distinct values of a column with their counts. The result does not depend on `threads`.
/// - Throws: ``TooManyValues`` for more than `limit` values, ``JobCancelled``, ``IncompleteScan``, or the table's error.
/// - Complexity: a scan, and O(d log d) for d distinct values.
func frequencies(
    of table: any Table, _ request: StatisticsRequest, within records: RowNumbers? = nil, limit: Int = 1 << 20, threads: Int,
    control: JobControl
) throws -> FrequencyTable {
    let selection = try RecordSelection(ascending: records, of: table, control)
    control.begin(total: selection.slotCount + selection.slotCount / 4)
    let counter = FieldCounter(
        request.column, textAlphabet: nil, limit: limit, recordCount: selection.slotCount, threads: threads, control: control)
    try selection.readColumns(with: [counter], of: table, threads: threads, control: control)
    let tally = try counter.merge(intoDictionary: true)
    guard tally.fields.isCounting else { throw TooManyValues(estimate: min(tally.filledCount, tally.fields.distinct.count)) }
    let counts = tally.fields.counts
    let ranks = try control.withPart(of: selection.slotCount / 4) {
        try tally.fields.dictionary.ranks(request.ordering, isDescending: false, threads: threads, control: $0)
    }
    // Check memory for the two orders, `numbersByValue` and `numbersByCount`, and for the sort.
    try Memory.check(byteCount: counts.count * 4 * MemoryLayout<UInt32>.stride)
    var numbersByValue = [UInt32](repeating: 0, count: counts.count)
    for (number, rank) in ranks.enumerated() { numbersByValue[Int(rank)] = UInt32(number) }
    var comparisons = 0
    let numbersByCount = try numbersByValue.sorted {
        comparisons += 1
        try control.checkCancellation(at: comparisons)
        return (counts[Int($1)], ranks[Int($0)]) < (counts[Int($0)], ranks[Int($1)])
    }
    return FrequencyTable(counter, tally, numbersByCount: numbersByCount, numbersByValue: numbersByValue, recordCount: selection.slotCount)
}
