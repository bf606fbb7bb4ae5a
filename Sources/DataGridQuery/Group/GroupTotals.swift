import FieldValues
import Tables

/// Groups with their aggregates, computed while the columns are read, without storing a column.
///
/// Only for groups of one column with few distinct fields, and for aggregates with exact sums. Other queries use ``AggregateJob``.
final class GroupTotals: @unchecked Sendable {
    /// The maximum number of distinct fields: the aggregates of 4,096 groups fit in the processor cache.
    static let maximumFields = 4_096

    private let key: ResolvedGroupKey
    private let requests: [AggregateRequest]
    private let control: JobControl
    private let fields: FieldNumberReader
    private let rowCounts: [UnsafeArray<UInt32>]
    /// The columns to aggregate, each with the totals of each thread.
    private let sources: [(request: LoadedColumns.Request, totals: [Totals])]
    /// The readers of the columns to aggregate.
    private var readers: [ValueReader] = []

    /// The groups of the records in `selection`, without their rows. `nil` if this method does not support the columns or aggregates of the
    /// query.
    static func groups(
        of table: any Table, _ selection: RecordSelection, by keys: [ResolvedGroupKey], _ requests: [AggregateRequest], threads: Int,
        control: JobControl
    ) throws -> GroupResult? {
        guard keys.count == 1, keys[0].interval == nil, keys[0].order == .value, selection.slots == nil, selection.slotCount > 0,
            requests.allSatisfy({ $0.function.needsValues && !$0.function.needsWholeGroup && $0.function != .share })
        else { return nil }
        // Stored and computed columns of a columnar table are read in separate passes. A query that needs both is not supported here,
        // because a value must be read together with its group.
        let areStored = Set(([keys[0].column] + requests.map(\.column)).map { table.columnar(storing: [$0]) != nil })
        guard areStored.count == 1 else { return nil }
        let totals = try GroupTotals(keys[0], requests, count: selection.slotCount, threads: threads, control: control)
        var result = try totals.read(table, selection)
        let readers = totals.readers
        result?.leftOutValues = try AggregateJob.leftOutValues(
            requests, of: table, selection
        ) { source in readers.first { $0.column == source.column && .values($0.ordering) == source.form }?.vector }
        return result
    }

    private init(_ key: ResolvedGroupKey, _ requests: [AggregateRequest], count: Int, threads: Int, control: JobControl) throws {
        (self.key, self.requests, self.control) = (key, requests, control)
        fields = try FieldNumberReader(key.column, count: count, maximumFields: Self.maximumFields, threads: threads, control: control)
        rowCounts = try (0..<threads).map { _ in try UnsafeArray(count: Self.maximumFields, repeating: 0) }
        sources = try Set(requests.map(AggregateJob.valueRequest)).map { source in
            let functions = requests.filter { AggregateJob.valueRequest($0) == source }.map(\.function)
            let hasExtremes = functions.contains { $0 == .min || $0 == .max }
            return (source, try (0..<threads).map { _ in try Totals(hasExtremes: hasExtremes) })
        }
    }

    private func read(_ table: any Table, _ selection: RecordSelection) throws -> GroupResult? {
        let (threads, stopped) = (rowCounts.count, Flag())
        let (fields, rowCounts) = (fields, rowCounts)
        fields.receiveRange = { numbers, count, thread in
            let rows = rowCounts[thread].base
            for index in 0..<count { rows[Int(numbers[index])] &+= 1 }
        }
        var limits: [UInt64] = []
        var readers: [any ColumnReader] = [fields]
        for (request, totals) in sources {
            guard case .values(let ordering) = request.form else { return nil }
            let reader = try ValueReader(request.column, as: ordering, count: selection.slotCount, threads: threads)
            limits.append(reader.vector.limit)
            reader.receiveBlock = { block, slot, thread in
                guard !stopped.isSet, let numbers = fields.numbers(ofThread: thread), block.digits != ValueVector.Block.double else {
                    stopped.set()
                    fields.stop()
                    return false
                }
                try totals[thread].add(block, numbers + (slot & (rangeSize - 1)))
                return true
            }
            readers.append(reader)
            self.readers.append(reader)
        }
        control.begin(total: selection.slotCount)
        try selection.readColumns(with: readers, of: table, threads: threads, control: control)
        guard !stopped.isSet, let (merged, numbers) = try fields.mergedFields() else { return nil }
        return try result(merged, numbers, limits)
    }

    /// Creates the result from the totals of all threads.
    /// - Parameters:
    ///   - merged: the distinct fields of all threads.
    ///   - numbers: for each thread, a list that maps its field numbers to field numbers of `merged`.
    ///   - limits: for each column to aggregate, the maximum magnitude of its scaled numbers.
    private func result(_ merged: any FieldList, _ numbers: [[UInt32]], _ limits: [UInt64]) throws -> GroupResult? {
        let ranks = try merged.groupRanks(
            key.ordering, isDescending: key.isDescending, threads: rowCounts.count, control: control)
        // Empty and missing fields have the same rank and form one group. A rank without rows is not a group.
        var (rows, fieldOfRank) = ([UInt32](repeating: 0, count: ranks.count), [UInt32](repeating: 0, count: ranks.count))
        for (thread, numbers) in numbers.enumerated() {
            for (number, field) in numbers.enumerated() { rows[Int(ranks[Int(field)])] += rowCounts[thread][number] }
        }
        for (field, rank) in ranks.enumerated() { fieldOfRank[Int(rank)] = UInt32(field) }
        var (starts, groupFields, groupOfRank) = ([UInt32(0)], [UInt32](), [Int](repeating: 0, count: ranks.count))
        for rank in rows.indices where rows[rank] > 0 {
            groupOfRank[rank] = groupFields.count
            groupFields.append(fieldOfRank[rank])
            starts.append(starts[starts.count - 1] + rows[rank])
        }
        let groups = GroupList(starts: starts, levels: [], fieldNumbers: groupFields, fields: [merged])
        let groupOfNumber = numbers.map { $0.map { groupOfRank[Int(ranks[Int($0)])] } }
        var values = [AggregateValue](repeating: .none, count: groups.count * requests.count)
        for ((source, totals), limit) in zip(sources, limits) {
            let merged = try Totals.merged(totals, groupOfNumber, groupCount: groups.count, limit: limit)
            guard let (digits, aggregates) = merged else { return nil }
            for (index, request) in requests.enumerated()
            where AggregateJob.valueRequest(request) == source && request.function.isDefined(for: request.kind) {
                let scale = AggregateScale(digits: digits, isTemporal: request.kind.isTemporal)
                for group in aggregates.indices {
                    values[group * requests.count + index] = aggregates[group].value(request.function, scale)
                }
            }
        }
        return GroupResult(order: RowNumbers([]), groups: groups, values: values, valuesPerGroup: requests.count)
    }

    /// The aggregates of one column over the rows that one thread has read, indexed by the field numbers of that thread.
    private final class Totals {
        /// 64-bit aggregates since the last flush to ``longAggregates``. All of these numbers have ``digits`` fraction digits.
        private let shortAggregates: UnsafeArray<ShortAggregates>
        private var digits = 0
        /// True if the minimum and the maximum of each group are needed. Otherwise only ``largestMagnitude``, a bound of all magnitudes, is
        /// updated.
        private let hasExtremes: Bool
        private var largestMagnitude: Int64 = 0
        /// The magnitude that can be added to ``shortAggregates`` before a sum may overflow.
        private var remainingMagnitude = UInt64(Int64.max)
        /// The aggregates, indexed by the number of fraction digits of their numbers.
        private var longAggregates = [UnsafeArray<Aggregates>?](repeating: nil, count: Int(UInt8.max))

        init(hasExtremes: Bool) throws {
            self.hasExtremes = hasExtremes
            shortAggregates = try UnsafeArray(count: GroupTotals.maximumFields, repeating: ShortAggregates())
        }

        /// Adds a block of values. `groups` has the field number of each value's group.
        func add(_ block: ValueReader.ThreadBlock, _ groups: UnsafePointer<UInt32>) throws {
            var bits: Int64 = 0
            for index in 0..<block.count { bits |= block.numbers[index] ^ (block.numbers[index] &>> 63) }
            let (sum, overflows) = (UInt64(bits) + 1).multipliedReportingOverflow(by: UInt64(block.count))
            // Large numbers, and small blocks with other fraction digits, would flush the 64-bit sums too often. They are added to
            // `longAggregates` directly.
            let (isSame, isEmpty) = (Int(block.digits) == digits, remainingMagnitude == UInt64(Int64.max))
            let usesShortSums = !overflows && sum <= Self.largestSum && (isSame || isEmpty || block.count >= Self.minimumBlockCount)
            if usesShortSums, !isSame && !isEmpty || sum > remainingMagnitude { try flush() }
            guard usesShortSums else {
                let aggregates = try self.aggregates(Int(block.digits))
                for index in 0..<block.count {
                    aggregates.base[Int(groups[index])].add(Int128(block.numbers[index]), block.kind(index))
                }
                return
            }
            digits = Int(block.digits)
            remainingMagnitude -= sum
            let shortAggregates = shortAggregates.base
            if !hasExtremes {
                largestMagnitude = max(largestMagnitude, bits + 1)
                if let classes = block.classes {
                    for index in 0..<block.count { shortAggregates[Int(groups[index])].addToSum(block.numbers[index], classes[index]) }
                } else {
                    for index in 0..<block.count { shortAggregates[Int(groups[index])].addToSum(block.numbers[index]) }
                }
            } else if let classes = block.classes {
                for index in 0..<block.count { shortAggregates[Int(groups[index])].add(block.numbers[index], classes[index]) }
            } else {
                for index in 0..<block.count { shortAggregates[Int(groups[index])].add(block.numbers[index], FieldClass.value.rawValue) }
            }
        }

        /// The maximum magnitude of the sum of a block. A block that may have a larger sum is added to ``longAggregates`` directly.
        private static let largestSum = UInt64(Int64.max) / 64
        /// For a block with other fraction digits, ``shortAggregates`` is flushed only if the block has at least this many values.
        private static let minimumBlockCount = 1_024

        private func aggregates(_ digits: Int) throws -> UnsafeArray<Aggregates> {
            if let known = longAggregates[digits] { return known }
            let new = try UnsafeArray(count: GroupTotals.maximumFields, repeating: Aggregates())
            longAggregates[digits] = new
            return new
        }

        private func flush() throws {
            let aggregates = try self.aggregates(digits)
            for group in 0..<GroupTotals.maximumFields {
                if !hasExtremes { shortAggregates.base[group].setExtremes(largestMagnitude) }
                aggregates.base[group].add(shortAggregates[group])
                shortAggregates[group] = ShortAggregates()
            }
            largestMagnitude = 0
            remainingMagnitude = UInt64(Int64.max)
        }

        /// The aggregates of all threads by group, scaled to a common number of fraction digits, which is also returned. `nil` if a number
        /// is too large to be scaled. The column must then be read as doubles.
        static func merged(
            _ threads: [Totals], _ groupOfNumber: [[Int]], groupCount: Int, limit: UInt64
        ) throws -> (digits: Int, aggregates: [Aggregates])? {
            for totals in threads { try totals.flush() }
            var digits = 0
            for (totals, groups) in zip(threads, groupOfNumber) {
                for (ownDigits, aggregates) in totals.longAggregates.enumerated() {
                    guard let aggregates, groups.indices.contains(where: { aggregates[$0].hasValues }) else { continue }
                    digits = max(digits, ownDigits)
                }
            }
            var merged = [Aggregates](repeating: Aggregates(), count: groupCount)
            for (totals, groups) in zip(threads, groupOfNumber) {
                for (ownDigits, aggregates) in totals.longAggregates.enumerated() {
                    guard let aggregates else { continue }
                    for (number, group) in groups.enumerated() {
                        guard merged[group].add(aggregates[number], scaledBy: digits - ownDigits, limit: limit) else { return nil }
                    }
                }
            }
            return (digits, merged)
        }
    }
}
