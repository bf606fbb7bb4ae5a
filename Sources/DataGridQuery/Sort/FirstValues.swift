import CByteScan
import FieldValues
import Tables

/// The first records of a sort by a column of numbers, dates or flags, found while the column is read. The column is not stored.
///
/// Each thread keeps only the `limit` values that sort first among the values it has read.
final class FirstValues: @unchecked Sendable {
    private let limit: Int
    private let isDescending: Bool
    private let threadStates: [ThreadState]
    /// The maximum magnitude of a number that is scaled to more fraction digits.
    private let maximumMagnitude: UInt64

    /// The first `limit` records of `selection` in sorted order. Ties are in the order of the selection.
    /// - Returns: `nil` if the whole column must be sorted instead: if the column has strings or doubles, if a field among the first
    ///   records is empty or unreadable, or if `selection` is not ascending.
    /// - Complexity: O(slots), and O(`limit`) memory for each thread.
    static func records(
        of table: any Table, _ selection: RecordSelection, by key: ResolvedSortKey, limit: Int, threads: Int, control: JobControl
    ) throws -> RowNumbers? {
        guard selection.slots == nil, !key.ordering.isText, limit > 0 else { return nil }
        let reader = try ValueReader(key.column, as: key.ordering, count: selection.slotCount, threads: threads)
        let first = try FirstValues(limit, isDescending: key.isDescending, maximumMagnitude: reader.vector.limit, threads: threads)
        reader.receiveBlock = { block, slot, thread in first.threadStates[thread].add(block, slot) }
        control.begin(total: selection.slotCount)
        try selection.readColumns(with: [reader], of: table, threads: threads, control: control)
        guard reader.shouldContinue, let slots = first.merged(), slots.count == min(limit, selection.positionCount) else { return nil }
        return try selection.records(at: UnsafeArray(slots))
    }

    private init(_ limit: Int, isDescending: Bool, maximumMagnitude: UInt64, threads: Int) throws {
        (self.limit, self.isDescending, self.maximumMagnitude) = (limit, isDescending, maximumMagnitude)
        threadStates = try (0..<threads).map { _ in try ThreadState(limit, isDescending: isDescending, maximumMagnitude: maximumMagnitude) }
    }

    /// The slots of the first values in sorted order, merged from all threads. `nil` if a number is too large to be scaled to the fraction
    /// digits of the other numbers; the column then has doubles.
    private func merged() -> [UInt32]? {
        let digits = threadStates.map(\.digits).max() ?? 0
        guard threadStates.allSatisfy({ $0.canScale(to: digits) }) else { return nil }
        var items: [FirstItems.Item] = []
        for state in threadStates {
            guard state.first.scale(by: digits - state.digits, limit: maximumMagnitude) else { return nil }
            items += state.first.items
        }
        items.sort { FirstItems.precedes($0, $1, isDescending: isDescending) }
        return items.prefix(limit).map(\.slot)
    }

    /// The values that sort first among the values that one thread has read.
    private final class ThreadState {
        var first: FirstItems
        /// The greatest number of fraction digits that has occurred. All kept values are scaled to this number of digits.
        private(set) var digits = 0
        private let isDescending: Bool
        private let maximumMagnitude: UInt64
        /// Exclusive upper bounds of magnitudes. Element d is the bound for the numbers with d fraction digits; 0 if there are no such
        /// numbers.
        private var magnitudes = [UInt64](repeating: 0, count: Int(UInt8.max))
        private let found: UnsafeArray<UInt32>

        init(_ limit: Int, isDescending: Bool, maximumMagnitude: UInt64) throws {
            first = FirstItems(limit, isDescending: isDescending)
            (self.isDescending, self.maximumMagnitude) = (isDescending, maximumMagnitude)
            found = try UnsafeArray(count: rangeSize)
        }

        /// True if all numbers that the thread has read can be scaled to `digits` fraction digits without exceeding the limit.
        func canScale(to digits: Int) -> Bool {
            magnitudes.indices.allSatisfy { ownDigits in
                let magnitude = min(magnitudes[ownDigits], UInt64(Int64.max))
                return ownDigits >= digits || magnitude == 0
                    || FixedScale.scaled(Int64(magnitude), by: digits - ownDigits, limit: maximumMagnitude) != nil
            }
        }

        /// Adds a block of values. The first value of the block is at `slot`.
        /// - Returns: false if the values cannot be compared as scaled integers.
        func add(_ block: ValueReader.ThreadBlock, _ slot: Int) -> Bool {
            guard block.digits != ValueVector.Block.double else { return false }
            let ownDigits = Int(block.digits)
            var bits: Int64 = 0
            for index in 0..<block.count { bits |= block.numbers[index] ^ (block.numbers[index] &>> 63) }
            magnitudes[ownDigits] = max(magnitudes[ownDigits], UInt64(bits) + 1)
            if ownDigits > digits {
                guard first.scale(by: ownDigits - digits, limit: maximumMagnitude) else { return false }
                digits = ownDigits
            }
            guard ownDigits == digits, block.classes == nil else { return addEach(block, slot) }
            var next = 0
            while next < block.count {
                // Test only some values at a time. Later values must come before the last kept value, which changes as values are added.
                let count = min(block.count - next, first.last == nil ? first.room : FirstValues.partCount)
                let hits = first.select(block.numbers + next, count, found.base)
                for hit in 0..<hits {
                    let index = next + Int(found[hit])
                    first.add(block.numbers[index], UInt32(slot + index))
                }
                next += count
            }
            return true
        }

        /// Adds, one by one, a block of numbers with fewer fraction digits, or a block in which some fields have no number.
        private func addEach(_ block: ValueReader.ThreadBlock, _ slot: Int) -> Bool {
            for index in 0..<block.count where block.kind(index) == FieldClass.value.rawValue {
                guard let number = FixedScale.scaled(block.numbers[index], by: digits - Int(block.digits), limit: maximumMagnitude) else {
                    return false
                }
                first.add(number, UInt32(slot + index))
            }
            return true
        }
    }

    /// The number of values that are compared at once with the same last value.
    private static let partCount = 4_096
}

/// The values that sort first among the added values. Values must be added in ascending order of slots.
private struct FirstItems {
    struct Item {
        var number: Int64
        var slot: UInt32
    }

    private let limit: Int
    private let isDescending: Bool
    /// The first values, and possibly some later ones that ``trim()`` has not removed yet, in no order.
    private(set) var items: [Item] = []
    /// The last value that can still be among the first `limit` values, as a scaled integer. A value is added only if it comes before this
    /// one. `nil` as long as all values are kept.
    private(set) var last: Int64?

    init(_ limit: Int, isDescending: Bool) {
        (self.limit, self.isDescending) = (limit, isDescending)
        items.reserveCapacity(capacity)
    }

    private var capacity: Int { max(2 * limit, 1_024) }
    /// The number of values that can be added without a comparison.
    var room: Int { capacity - items.count }

    @inline(__always)
    private func precedes(_ a: Int64, _ b: Int64) -> Bool { isDescending ? a > b : a < b }

    @inline(__always)
    private func precedes(_ a: Item, _ b: Item) -> Bool { Self.precedes(a, b, isDescending: isDescending) }

    @inline(__always)
    static func precedes(_ a: Item, _ b: Item, isDescending: Bool) -> Bool {
        a.number == b.number ? a.slot < b.slot : (a.number < b.number) != isDescending
    }

    /// Writes to `found` the indices of the numbers that come before ``last``, and returns how many there are.
    func select(_ numbers: UnsafePointer<Int64>, _ count: Int, _ found: UnsafeMutablePointer<UInt32>) -> Int {
        guard let last else {
            for index in 0..<count { found[index] = UInt32(index) }
            return count
        }
        if isDescending {
            if last == .max { return 0 }
            return gv_select_integers(numbers, count, last + 1, UInt64(bitPattern: Int64.max &- last), 0, found)
        }
        return gv_select_integers(numbers, count, .min, UInt64(bitPattern: last &- .min), 0, found)
    }

    mutating func add(_ number: Int64, _ slot: UInt32) {
        if let last, !precedes(number, last) { return }
        items.append(Item(number: number, slot: slot))
        if items.count == capacity { trim() }
    }

    /// Multiplies all numbers by 10^`digits`.
    /// - Returns: false if a number would exceed the limit.
    mutating func scale(by digits: Int, limit: UInt64) -> Bool {
        func scaled(_ number: Int64) -> Int64? { FixedScale.scaled(number, by: digits, limit: limit) }
        for index in items.indices {
            guard let number = scaled(items[index].number) else { return false }
            items[index].number = number
        }
        if let known = last {
            guard let number = scaled(known) else { return false }
            last = number
        }
        return true
    }

    /// Keeps the first `limit` items in sort order and removes the others (C. A. R. Hoare, "Algorithm 65: Find", 1961).
    private mutating func trim() {
        var (low, high) = (0, items.count - 1)
        while low < high {
            let pivot = items[(low + high) / 2]
            var (left, right) = (low, high)
            while left <= right {
                while precedes(items[left], pivot) { left += 1 }
                while precedes(pivot, items[right]) { right -= 1 }
                guard left <= right else { break }
                items.swapAt(left, right)
                (left, right) = (left + 1, right - 1)
            }
            if limit - 1 <= right { high = right } else if limit - 1 >= left { low = left } else { break }
        }
        last = items[limit - 1].number
        items.removeLast(items.count - limit)
    }
}
