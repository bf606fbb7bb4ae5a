import FieldValues
import Locks

/// A column of typed values, stored as 64-bit integer keys at the slots of their records. The order of the keys is the order of the values.
///
/// Each ``PackedBlock`` holds the keys of ``rangeSize`` slots in as few bytes as possible: a price with two decimals typically takes 4
/// bytes per slot, and a quantity takes 2 bytes. A block that has fields without a value takes one more byte per slot.
final class ValueVector: @unchecked Sendable {
    /// The conversion of keys to values.
    enum Representation: Equatable {
        /// Fixed-point numbers: the value is the number divided by 10^`digits`.
        case fixed(digits: Int)
        case double
    }

    /// The fields that cannot be read as the type of the column although they may be meant as values, such as `$4` in a column of plain
    /// numbers.
    struct LeftOutFields: Sendable {
        fileprivate(set) var count = 0
        /// The least slot of these fields. `Int.max` without such fields.
        fileprivate(set) var firstSlot = Int.max
        /// The slots of these fields; `nil` without such fields, or if the vector does not keep its values.
        fileprivate(set) var slots: BitSet?
    }

    struct Block {
        var keys = PackedBlock<UInt64>()
        /// The ``FieldClass`` of each slot of the block; `nil` if every field has a value.
        var classes: UnsafeMutablePointer<UInt8>?
        /// The number of fraction digits of this block; ``double`` for doubles. ``finish()`` converts all blocks to the same number of
        /// digits.
        var digits: UInt8 = 0
        /// The exact decimal numbers of a block of doubles; `nil` if a value has no exact number.
        var exact: ExactBlock?

        static let double = UInt8.max

        mutating func dropExactNumbers() {
            // The keys and the exact numbers may use the same memory, which must not be freed twice.
            if let distances = exact?.numbers.distances, distances != keys.distances { distances.deallocate() }
            exact = nil
        }
    }

    let count: Int
    let limit: UInt64
    let blocks: UnsafeArray<Block>
    let blockCount: Int
    private(set) var representation = Representation.fixed(digits: 0)
    /// The minimum and maximum keys. If there are no values, `minimum` is greater than `maximum`.
    private(set) var minimum = UInt64.max
    private(set) var maximum: UInt64 = 0
    private(set) var hasOnlyValues = true
    /// The fields that cannot be read as values but may be meant as values, such as `$4`.
    var leftOutFields: LeftOutFields { leftOutState.withLock { $0 } }
    private let leftOutState = Mutex(LeftOutFields())
    /// The number of fraction digits of the results of ``exactNumber(at:)``, in a column of doubles. `nil` if the exact sum of all values
    /// may overflow 128 bits, or if a value has no exact number (`1e-300`, `inf`).
    private(set) var exactDigits: Int?
    /// The slots whose double may stand for several decimal numbers, so that equal keys do not prove equal numbers; `nil` without such
    /// slots.
    private(set) var ambiguousDoubles: BitSet?
    /// Collects ``ambiguousDoubles`` while several threads read the column.
    private let ambiguousMarks = Mutex<BitSet?>(nil)

    /// - Parameter limit: the maximum magnitude of a scaled number with fraction digits. Larger numbers are stored as doubles.
    init(count: Int, limit: UInt64 = FixedScale.limit) throws {
        self.count = count
        self.limit = limit
        blockCount = (count + rangeSize - 1) / rangeSize
        blocks = try UnsafeArray(count: blockCount, repeating: Block())
    }

    deinit {
        for index in 0..<blockCount {
            blocks.base[index].dropExactNumbers()
            blocks[index].keys.distances?.deallocate()
            blocks[index].classes?.deallocate()
        }
    }

    var byteCount: Int {
        var bytes = blockCount * MemoryLayout<Block>.stride
        for index in 0..<blockCount {
            let block = blocks[index]
            bytes +=
                slots(ofBlock: index).count
                * (Int(block.keys.width) + (block.classes == nil ? 0 : 1) + Int(block.exact?.numbers.width ?? 0))
        }
        return bytes + (ambiguousDoubles == nil ? 0 : count / 8) + (leftOutFields.slots == nil ? 0 : count / 8)
    }

    /// Adds slots to ``ambiguousDoubles``: the `offsets` relative to slot `first`. Several threads may call this for different blocks.
    func markAmbiguous(_ offsets: [Int], from first: Int) throws {
        guard !offsets.isEmpty else { return }
        let ambiguousMarks = try ambiguousMarks.withLock { ambiguousMarks in
            let known = try ambiguousMarks ?? BitSet(count: count)
            ambiguousMarks = known
            return known
        }
        for offset in offsets { ambiguousMarks.insert(first + offset) }
    }

    /// Adds fields to ``leftOutFields``: the ascending `offsets` relative to slot `first`. Several threads may call this for different
    /// blocks.
    /// - Parameter keepsSlots: false to keep only the number of fields and the first slot, which takes no memory.
    func markLeftOut(_ offsets: [Int], from first: Int, keepsSlots: Bool) throws {
        guard let least = offsets.first else { return }
        let slots = try leftOutState.withLock { leftOutState in
            if keepsSlots, leftOutState.slots == nil { leftOutState.slots = try BitSet(count: count) }
            leftOutState.count += offsets.count
            leftOutState.firstSlot = min(leftOutState.firstSlot, first + least)
            return leftOutState.slots
        }
        guard let slots else { return }
        for offset in offsets { slots.insert(first + offset) }
    }

    func slots(ofBlock index: Int) -> Range<Int> { index * rangeSize..<min(count, (index + 1) * rangeSize) }

    /// The key at a slot. Undefined if the field at the slot has no value.
    @inline(__always)
    func key(_ slot: Int) -> UInt64 { (blocks.base + slot / rangeSize).pointee.keys[slot & (rangeSize - 1)] }

    @inline(__always)
    func kind(_ slot: Int) -> UInt8 {
        guard let classes = blocks[slot / rangeSize].classes else { return FieldClass.value.rawValue }
        return classes[slot & (rangeSize - 1)]
    }

    /// Writes the values and the classes at the given `slots`, in any order, to `values` and `kinds`.
    /// - Parameter value: returns the value at a slot, such as its key.
    @inline(__always)
    func fetch<Value>(
        _ slots: UnsafePointer<UInt32>, _ count: Int, into values: UnsafeMutablePointer<Value>, _ kinds: UnsafeMutablePointer<UInt8>,
        _ value: (_ slot: Int) -> Value
    ) {
        for index in 0..<count { values[index] = value(Int(slots[index])) }
        if hasOnlyValues { return kinds.update(repeating: FieldClass.value.rawValue, count: count) }
        for index in 0..<count { kinds[index] = kind(Int(slots[index])) }
    }

    /// Writes the keys at `slots`, which must be within one block, to `keys`.
    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>) {
        let block = blocks[slots.lowerBound / rangeSize].keys
        let first = slots.lowerBound & (rangeSize - 1)
        let base = block.minimum
        func widen<Distance: FixedWidthInteger & UnsignedInteger>(_: Distance.Type, _ distances: UnsafeMutableRawPointer) {
            let from = distances.assumingMemoryBound(to: Distance.self) + first
            for index in 0..<slots.count { keys[index] = base &+ UInt64(truncatingIfNeeded: from[index]) }
        }
        guard let distances = block.distances else { return keys.update(repeating: base, count: slots.count) }
        switch block.width {
        case 1: widen(UInt8.self, distances)
        case 2: widen(UInt16.self, distances)
        case 4: widen(UInt32.self, distances)
        default: widen(UInt64.self, distances)
        }
    }

    /// Calls `body` with the key and class of each slot of `slots`, which must be within one block.
    @inline(__always)
    func forEachField(in slots: Range<Int>, _ body: (_ slot: Int, _ key: UInt64, _ kind: UInt8) throws -> Void) throws {
        let keys = try UnsafeArray<UInt64>(count: slots.count)
        decode(slots, into: keys.base)
        guard let classes = blocks[slots.lowerBound / rangeSize].classes else {
            for offset in 0..<slots.count { try body(slots.lowerBound + offset, keys[offset], FieldClass.value.rawValue) }
            return
        }
        let first = slots.lowerBound & (rangeSize - 1)
        for offset in 0..<slots.count { try body(slots.lowerBound + offset, keys[offset], classes[first + offset]) }
    }

    /// Calls `body` for each slot of `slots` that holds a value. The slots must be within one block.
    @inline(__always)
    func forEachValue(in slots: Range<Int>, _ body: (_ slot: Int, _ key: UInt64) throws -> Void) throws {
        try forEachField(in: slots) { slot, key, kind in if kind == FieldClass.value.rawValue { try body(slot, key) } }
    }

    /// Calls `body` for each slot of `slots` whose key does not come after the key of slot `last`. The slots must be within one block, and
    /// every field of this block must have a value.
    func forEachSlot(in slots: Range<Int>, notAfter last: Int, isDescending: Bool, _ body: (_ slot: Int) throws -> Void) throws {
        let (edge, block) = (key(last), blocks[slots.lowerBound / rangeSize].keys)
        if isDescending ? block.maximum < edge : block.minimum > edge { return }
        let capacity = 1_024
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { buffer in
            // The buffer is not empty, so its address exists.
            let keys = buffer.baseAddress!
            for first in stride(from: slots.lowerBound, to: slots.upperBound, by: capacity) {
                let count = min(capacity, slots.upperBound - first)
                decode(first..<first + count, into: keys)
                if isDescending {
                    for offset in 0..<count where keys[offset] >= edge { try body(first + offset) }
                } else {
                    for offset in 0..<count where keys[offset] <= edge { try body(first + offset) }
                }
            }
        }
    }

    /// Converts all blocks to the same number of fraction digits or to doubles, and computes the minimum and maximum. Called when all slots
    /// have been read.
    func finish() throws {
        var digits = 0
        var isDouble = false
        for index in 0..<blockCount {
            let block = blocks[index]
            if block.classes != nil { hasOnlyValues = false }
            guard !block.keys.isEmpty else { continue }
            if block.digits == Block.double { isDouble = true } else { digits = max(digits, Int(block.digits)) }
        }
        // Scaling a number to the fraction digits of another block may overflow. The column then becomes doubles.
        for index in 0..<blockCount where !isDouble {
            let block = blocks[index]
            guard !block.keys.isEmpty, Int(block.digits) != digits else { continue }
            let numbers = [ValueVector.integer(of: block.keys.minimum), ValueVector.integer(of: block.keys.maximum)]
            if numbers.contains(where: { FixedScale.scaled($0, by: digits - Int(block.digits), limit: limit) == nil }) { isDouble = true }
        }
        representation = isDouble ? .double : .fixed(digits: digits)
        let targetDigits = isDouble ? Block.double : UInt8(digits)
        let keys = try Memory.allocate(UInt64.self, count: rangeSize)
        defer { keys.deallocate() }
        if isDouble { keepExactNumbers() } else { dropExactNumbers() }
        for index in 0..<blockCount {
            if blocks[index].digits != targetDigits { try recode(index, as: targetDigits, keys) }
            minimum = min(minimum, blocks[index].keys.minimum)
            maximum = max(maximum, blocks[index].keys.maximum)
        }
        ambiguousDoubles = ambiguousMarks.withLock { $0 }
    }

    /// Scales the exact numbers of all blocks, including fixed-point blocks, to the same number of fraction digits.
    private func keepExactNumbers() {
        guard let digits = commonExactDigits() else { return dropExactNumbers() }
        exactDigits = digits
        for index in 0..<blockCount where !blocks[index].keys.isEmpty {
            let block = blocks[index]
            if block.digits != Block.double {
                let numbers = PackedBlock(block.keys) { Int128(ValueVector.integer(of: $0)) }
                blocks.base[index].exact = ExactBlock(numbers: numbers, digits: block.digits)
            }
            blocks.base[index].exact!.factor = ExactDecimal.power(digits - Int(blocks[index].exact!.digits))
        }
    }

    private func dropExactNumbers() { for index in 0..<blockCount { blocks.base[index].dropExactNumbers() } }

    private func recode(_ index: Int, as targetDigits: UInt8, _ keys: UnsafeMutablePointer<UInt64>) throws {
        let block = blocks[index]
        let slots = slots(ofBlock: index)
        decode(slots, into: keys)
        var shared: [Int] = []
        for offset in 0..<slots.count {
            let number = ValueVector.integer(of: keys[offset])
            if targetDigits == Block.double, block.digits == 0, ValueVector.mayShareNearestDouble(number) { shared.append(offset) }
            keys[offset] =
                targetDigits == Block.double
                ? ValueVector.key(of: FixedScale.double(number, digits: Int(block.digits)))
                : ValueVector.key(of: FixedScale.scaled(number, by: Int(targetDigits) - Int(block.digits), limit: limit) ?? 0)
        }
        try markAmbiguous(shared, from: slots.lowerBound)
        blocks.base[index].keys = try PackedBlock(keys, slots.count, classes: block.classes)
        blocks.base[index].digits = targetDigits
        // Free the replaced distances, unless the exact numbers still use them.
        if block.keys.distances != block.exact?.numbers.distances { block.keys.distances?.deallocate() }
    }
}

extension ValueVector {
    /// True if the double nearest to an integer is also the nearest double of other integers.
    @inline(__always)
    static func mayShareNearestDouble(_ value: Int64) -> Bool { value.magnitude > 1 << 53 }

    @inline(__always)
    static func key(of value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

    @inline(__always)
    static func integer(of key: UInt64) -> Int64 { Int64(bitPattern: key ^ 1 << 63) }

    /// The key of a double. The order of the keys is the order of the doubles. For negative doubles, whose bits ascend in the wrong
    /// direction, all bits are inverted. −0 becomes 0.
    @inline(__always)
    static func key(of value: Double) -> UInt64 {
        let bits = (value == 0 ? 0 : value).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    @inline(__always)
    static func decimal(of key: UInt64) -> Double { Double(bitPattern: key >> 63 == 1 ? key ^ 1 << 63 : ~key) }
}
