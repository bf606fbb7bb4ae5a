import FieldValues

/// A column of values by slot, each as a number of 64 bits whose plain order is the order of the values.
///
/// Kept in blocks of ``rangeSize`` slots, each as distances of 0, 1, 2, 4 or 8 bytes from its least number: a price with two decimals
/// takes 4 bytes a slot, a quantity 2 (frame of reference: J. Goldstein, R. Ramakrishnan, U. Shaft, "Compressing Relations and Indexes",
/// 1998). Fields that are no values are told apart by a byte a slot in the blocks that have such.
final class ValueVector: @unchecked Sendable {
    /// What the numbers stand for.
    enum Meaning: Equatable {
        /// Whole numbers; the value is the number divided by 10 to the power of `digits`.
        case fixed(digits: Int)
        /// Doubles.
        case double
    }

    struct Block {
        /// The least number; the only one when `width` is 0.
        var base: UInt64 = 0
        /// The greatest number. Less than `base` when the block holds no value at all.
        var greatest: UInt64 = 0
        var distances: UnsafeMutableRawPointer?
        /// The ``FieldClass`` of each slot; `nil` when all are values.
        var classes: UnsafeMutablePointer<UInt8>?
        var width: UInt8 = 0
        /// The digits after the point in this block, until all blocks have the same; `double` stands for none.
        var digits: UInt8 = 0
        /// The numbers without rounding, in a block of doubles; `nil` where a value has none.
        var exact: UnsafeMutablePointer<ExactBlock>?

        static let double = UInt8.max
    }

    let count: Int
    let limit: UInt64
    let blocks: Storage<Block>
    let blockCount: Int
    private(set) var meaning = Meaning.fixed(digits: 0)
    /// The least and the greatest number; the other way round when there are no values.
    private(set) var least = UInt64.max
    private(set) var greatest: UInt64 = 0
    /// Whether every field is a value.
    private(set) var hasOnlyValues = true
    /// In a column of doubles, the digits after the point of ``exact(_:)``; `nil` where the exact sum of all values might not fit in 128
    /// bits, or a value has no exact number (`1e-300`, `inf`).
    private(set) var exactDigits: Int?

    /// - Parameter limit: the most that numbers with digits after the point may come to; beyond it they are doubles.
    init(count: Int, limit: UInt64 = FixedScale.limit) throws {
        self.count = count
        self.limit = limit
        blockCount = (count + rangeSize - 1) / rangeSize
        blocks = try Storage(count: blockCount, repeating: Block())
    }

    deinit {
        for index in 0..<blockCount {
            // Exact numbers may be the block's own; then they go once.
            if blocks[index].exact?.pointee.distances != blocks[index].distances { blocks[index].distances?.deallocate() }
            blocks[index].classes?.deallocate()
            blocks[index].dropExact()
        }
    }

    /// Bytes in memory.
    var byteCount: Int {
        var bytes = blockCount * MemoryLayout<Block>.stride
        for index in 0..<blockCount {
            let block = blocks[index]
            bytes +=
                slots(ofBlock: index).count * (Int(block.width) + (block.classes == nil ? 0 : 1) + Int(block.exact?.pointee.width ?? 0))
        }
        return bytes
    }

    func slots(ofBlock index: Int) -> Range<Int> { index * rangeSize..<min(count, (index + 1) * rangeSize) }

    /// The number at a slot that holds a value; otherwise any number.
    @inline(__always)
    func key(_ slot: Int) -> UInt64 {
        let block = blocks.base + slot / rangeSize
        let place = slot & (rangeSize - 1)
        guard let distances = block.pointee.distances else { return block.pointee.base }
        switch block.pointee.width {
        case 1: return block.pointee.base &+ UInt64(distances.assumingMemoryBound(to: UInt8.self)[place])
        case 2: return block.pointee.base &+ UInt64(distances.assumingMemoryBound(to: UInt16.self)[place])
        case 4: return block.pointee.base &+ UInt64(distances.assumingMemoryBound(to: UInt32.self)[place])
        default: return block.pointee.base &+ distances.assumingMemoryBound(to: UInt64.self)[place]
        }
    }

    @inline(__always)
    func kind(_ slot: Int) -> UInt8 {
        guard let classes = blocks[slot / rangeSize].classes else { return FieldClass.value.rawValue }
        return classes[slot & (rangeSize - 1)]
    }

    /// Writes numbers and classes at `slots`, wherever they lie, to `keys` and `kinds`.
    func fetch(
        _ slots: UnsafePointer<UInt32>, _ count: Int, into keys: UnsafeMutablePointer<UInt64>, _ kinds: UnsafeMutablePointer<UInt8>
    ) {
        for index in 0..<count { keys[index] = key(Int(slots[index])) }
        if hasOnlyValues { return kinds.update(repeating: FieldClass.value.rawValue, count: count) }
        for index in 0..<count { kinds[index] = kind(Int(slots[index])) }
    }

    /// Writes the numbers at `slots`, which lie in one block, to `keys`.
    func decode(_ slots: Range<Int>, into keys: UnsafeMutablePointer<UInt64>) {
        let block = blocks[slots.lowerBound / rangeSize]
        let first = slots.lowerBound & (rangeSize - 1)
        let base = block.base
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

    /// Gives all blocks one meaning and sums up what they hold.
    func finish() throws {
        var digits = 0
        var isDouble = false
        for index in 0..<blockCount {
            let block = blocks[index]
            if block.classes != nil { hasOnlyValues = false }
            guard block.base <= block.greatest else { continue }
            if block.digits == Block.double { isDouble = true } else { digits = max(digits, Int(block.digits)) }
        }
        // Numbers that have more digits in this block than elsewhere may be too long with the zeros of others.
        for index in 0..<blockCount where !isDouble {
            let block = blocks[index]
            guard block.base <= block.greatest, Int(block.digits) != digits else { continue }
            let numbers = [ValueVector.integer(of: block.base), ValueVector.integer(of: block.greatest)]
            if numbers.contains(where: { FixedScale.scaled($0, by: digits - Int(block.digits), limit: limit) == nil }) { isDouble = true }
        }
        meaning = isDouble ? .double : .fixed(digits: digits)
        let wanted = isDouble ? Block.double : UInt8(digits)
        let keys = try Memory.allocate(UInt64.self, count: rangeSize)
        defer { keys.deallocate() }
        if isDouble { try keepExact() } else { dropExact() }
        for index in 0..<blockCount {
            if blocks[index].digits != wanted { try recode(index, as: wanted, keys) }
            guard blocks[index].base <= blocks[index].greatest else { continue }
            least = min(least, blocks[index].base)
            greatest = max(greatest, blocks[index].greatest)
        }
    }

    /// Gives the exact numbers of all blocks the same digits; those of fixed-point numbers become exact ones.
    private func keepExact() throws {
        guard let digits = commonExactDigits() else { return dropExact() }
        exactDigits = digits
        for index in 0..<blockCount where blocks[index].hasValues {
            let block = blocks[index]
            if block.digits != Block.double {
                let exact = try Memory.allocate(ExactBlock.self, count: 1)
                exact.initialize(
                    to: ExactBlock(
                        base: Int128(ValueVector.integer(of: block.base)), greatest: Int128(ValueVector.integer(of: block.greatest)),
                        distances: block.distances, width: block.width, digits: block.digits))
                blocks[index].exact = exact
            }
            blocks[index].exact!.pointee.factor = ExactDecimal.power(digits - Int(blocks[index].exact!.pointee.digits))
        }
    }

    private func dropExact() { for index in 0..<blockCount { blocks[index].dropExact() } }

    private func recode(_ index: Int, as wanted: UInt8, _ keys: UnsafeMutablePointer<UInt64>) throws {
        let block = blocks[index]
        let slots = slots(ofBlock: index)
        decode(slots, into: keys)
        for place in 0..<slots.count {
            let number = ValueVector.integer(of: keys[place])
            keys[place] =
                wanted == Block.double
                ? ValueVector.key(of: FixedScale.double(number, digits: Int(block.digits)))
                : ValueVector.key(of: FixedScale.scaled(number, by: Int(wanted) - Int(block.digits), limit: limit) ?? 0)
        }
        var recoded = try Block.encoded(keys, slots.count, classes: block.classes, digits: wanted)
        recoded.exact = block.exact
        blocks[index] = recoded
        // The numbers without rounding may be the ones that are recoded.
        if block.exact?.pointee.distances != block.distances { block.distances?.deallocate() }
    }
}

extension ValueVector.Block {
    /// A block of `count` numbers, of which those count whose class is a value.
    static func encoded(
        _ keys: UnsafeMutablePointer<UInt64>, _ count: Int, classes: UnsafeMutablePointer<UInt8>?, digits: UInt8
    ) throws -> ValueVector.Block {
        var block = ValueVector.Block(base: .max, greatest: 0, classes: classes, digits: digits)
        if let classes {
            for index in 0..<count where classes[index] == FieldClass.value.rawValue {
                block.base = min(block.base, keys[index])
                block.greatest = max(block.greatest, keys[index])
            }
            for index in 0..<count where classes[index] != FieldClass.value.rawValue { keys[index] = block.base }
        } else {
            for index in 0..<count {
                block.base = min(block.base, keys[index])
                block.greatest = max(block.greatest, keys[index])
            }
        }
        guard block.base < block.greatest else { return block }
        let base = block.base
        func narrow<Distance: FixedWidthInteger & UnsignedInteger>(_: Distance.Type) throws -> UnsafeMutableRawPointer {
            let to = try Memory.allocate(Distance.self, count: count)
            for index in 0..<count { to[index] = Distance(truncatingIfNeeded: keys[index] &- base) }
            return UnsafeMutableRawPointer(to)
        }
        switch block.greatest - base {
        case ...0xFF: (block.width, block.distances) = (1, try narrow(UInt8.self))
        case ...0xFFFF: (block.width, block.distances) = (2, try narrow(UInt16.self))
        case ...0xFFFF_FFFF: (block.width, block.distances) = (4, try narrow(UInt32.self))
        default: (block.width, block.distances) = (8, try narrow(UInt64.self))
        }
        return block
    }
}

extension ValueVector {
    @inline(__always)
    static func key(of value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

    @inline(__always)
    static func integer(of key: UInt64) -> Int64 { Int64(bitPattern: key ^ 1 << 63) }

    /// Negative doubles in reverse, then the others; −0 is 0.
    @inline(__always)
    static func key(of value: Double) -> UInt64 {
        let bits = (value == 0 ? 0 : value).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    @inline(__always)
    static func decimal(of key: UInt64) -> Double { Double(bitPattern: key >> 63 == 1 ? key ^ 1 << 63 : ~key) }
}
