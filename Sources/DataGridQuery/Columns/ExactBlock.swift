import FieldValues

/// The numbers of a block of doubles without rounding: whole numbers that stand for others with `digits` digits after the point, kept as
/// distances of 0, 1, 2, 4, 8 or 16 bytes from the least.
struct ExactBlock {
    var base: Int128 = 0
    var greatest: Int128 = 0
    var distances: UnsafeMutableRawPointer?
    var width: UInt8 = 0
    var digits: UInt8 = 0
    /// What makes all blocks of a column have the same digits.
    var factor: Int128 = 1

    /// The number at a place that holds a value, with the digits of the column.
    @inline(__always)
    func number(_ place: Int) -> Int128 {
        let number = base &+ distance(place)
        return factor == 1 ? number : number &* factor
    }

    @inline(__always)
    private func distance(_ place: Int) -> Int128 {
        guard let distances else { return 0 }
        switch width {
        case 1: return Int128(distances.assumingMemoryBound(to: UInt8.self)[place])
        case 2: return Int128(distances.assumingMemoryBound(to: UInt16.self)[place])
        case 4: return Int128(distances.assumingMemoryBound(to: UInt32.self)[place])
        case 8: return Int128(distances.assumingMemoryBound(to: UInt64.self)[place])
        default: return Int128(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt128.self)[place])
        }
    }

    /// The sum of the first `count` places, `values` of which hold a value, with the digits of the column.
    func sum(_ count: Int, values: Int) -> Int128 {
        // A place without a value has the distance 0.
        var sum = base &* Int128(values)
        if width > 0 { for place in 0..<count { sum &+= distance(place) } }
        return sum &* factor
    }

    /// A block of the numbers in `numbers`, of which those count whose class is a value.
    static func encoded(
        _ numbers: UnsafeMutablePointer<Int128>, _ count: Int, classes: UnsafeMutablePointer<UInt8>?, digits: UInt8
    ) throws -> ExactBlock {
        var (least, greatest) = (Int128.max, Int128.min)
        func isValue(_ place: Int) -> Bool { classes.map { $0[place] == FieldClass.value.rawValue } ?? true }
        for place in 0..<count where isValue(place) {
            least = min(least, numbers[place])
            greatest = max(greatest, numbers[place])
        }
        var block = ExactBlock(base: least, greatest: greatest, digits: digits)
        guard least < greatest else { return block }
        func narrow<Distance: FixedWidthInteger & UnsignedInteger>(_: Distance.Type) throws -> UnsafeMutableRawPointer {
            let to = try Memory.allocate(Distance.self, count: count)
            for place in 0..<count { to[place] = isValue(place) ? Distance(truncatingIfNeeded: numbers[place] &- least) : 0 }
            return UnsafeMutableRawPointer(to)
        }
        switch UInt128(truncatingIfNeeded: greatest &- least) {
        case ...0xFF: (block.width, block.distances) = (1, try narrow(UInt8.self))
        case ...0xFFFF: (block.width, block.distances) = (2, try narrow(UInt16.self))
        case ...0xFFFF_FFFF: (block.width, block.distances) = (4, try narrow(UInt32.self))
        case ...0xFFFF_FFFF_FFFF_FFFF: (block.width, block.distances) = (8, try narrow(UInt64.self))
        default: (block.width, block.distances) = (16, try narrow(UInt128.self))
        }
        return block
    }
}

extension ValueVector.Block {
    /// Whether the block holds a value.
    var hasValues: Bool { base <= greatest }

    mutating func dropExact() {
        exact?.pointee.distances?.deallocate()
        exact?.deallocate()
        exact = nil
    }
}

extension ValueVector {
    /// The number at a slot that holds a value, times 10^``exactDigits``, which there has to be.
    @inline(__always)
    func exact(_ slot: Int) -> Int128 {
        guard let block = blocks[slot / rangeSize].exact else { return 0 }
        return block.pointee.number(slot & (rangeSize - 1))
    }

    /// The least and the greatest exact number; `nil` without ``exactDigits`` or without values.
    var exactExtremes: (least: Int128, greatest: Int128)? {
        guard exactDigits != nil else { return nil }
        var extremes: (least: Int128, greatest: Int128)?
        for index in 0..<blockCount {
            guard let exact = blocks[index].exact?.pointee else { continue }
            let (least, greatest) = (exact.base * exact.factor, exact.greatest * exact.factor)
            extremes = (min(extremes?.least ?? least, least), max(extremes?.greatest ?? greatest, greatest))
        }
        return extremes
    }

    /// Writes exact numbers and classes at `slots`, wherever they lie, to `numbers` and `kinds`.
    func fetchExact(
        _ slots: UnsafePointer<UInt32>, _ count: Int, into numbers: UnsafeMutablePointer<Int128>, _ kinds: UnsafeMutablePointer<UInt8>
    ) {
        for index in 0..<count { numbers[index] = exact(Int(slots[index])) }
        if hasOnlyValues { return kinds.update(repeating: FieldClass.value.rawValue, count: count) }
        for index in 0..<count { kinds[index] = kind(Int(slots[index])) }
    }

    /// The most digits after the point of a column that is about to become one of doubles; `nil` where its values cannot be added in 128 bits.
    func commonExactDigits() -> Int? {
        var digits = 0
        for index in 0..<blockCount where blocks[index].hasValues {
            if blocks[index].digits != Block.double {
                digits = max(digits, Int(blocks[index].digits))
            } else if let exact = blocks[index].exact {
                digits = max(digits, Int(exact.pointee.digits))
            } else {
                return nil
            }
        }
        // No sum of some values is beyond that of the largest magnitudes.
        var most: Int128 = 0
        for index in 0..<blockCount where blocks[index].hasValues {
            let block = blocks[index]
            let (own, least, greatest) =
                block.digits == Block.double
                ? (block.exact!.pointee.digits, block.exact!.pointee.base, block.exact!.pointee.greatest)
                : (block.digits, Int128(ValueVector.integer(of: block.base)), Int128(ValueVector.integer(of: block.greatest)))
            guard least > .min, let scaled = ExactDecimal.scaled(max(abs(least), abs(greatest)), by: digits - Int(own)) else { return nil }
            let (product, overflows) = scaled.multipliedReportingOverflow(by: Int128(slots(ofBlock: index).count))
            let (sum, carries) = most.addingReportingOverflow(product)
            guard !overflows, !carries else { return nil }
            most = sum
        }
        return digits
    }
}
