/// Integers stored as differences of 0, 1, 2, 4, 8 or 16 bytes from the minimum. Frame of reference: J. Goldstein, R. Ramakrishnan, U.
/// Shaft, "Compressing Relations and Indexes", 1998.
struct PackedBlock<Number: FixedWidthInteger & BitwiseCopyable>: BitwiseCopyable {
    /// The minimum; the only number if `width` is 0.
    var least = Number.max
    /// The maximum; less than ``least`` if the block has no numbers.
    var greatest = Number.min
    var distances: UnsafeMutableRawPointer?
    var width: UInt8 = 0

    var isEmpty: Bool { least > greatest }

    init() {}

    /// Creates a block with the numbers of another block, and shares its differences.
    /// - Parameter convert: a conversion that preserves differences.
    init<Other>(_ other: PackedBlock<Other>, _ convert: (Other) -> Number) {
        (least, greatest, distances, width) = (convert(other.least), convert(other.greatest), other.distances, other.width)
    }

    /// Packs the numbers whose class is a value. Overwrites the others.
    init(_ numbers: UnsafeMutablePointer<Number>, _ count: Int, classes: UnsafeMutablePointer<UInt8>?) throws {
        if let classes {
            for place in 0..<count where classes[place] == FieldClass.value.rawValue {
                least = min(least, numbers[place])
                greatest = max(greatest, numbers[place])
            }
            for place in 0..<count where classes[place] != FieldClass.value.rawValue { numbers[place] = least }
        } else {
            for place in 0..<count {
                least = min(least, numbers[place])
                greatest = max(greatest, numbers[place])
            }
        }
        guard least < greatest else { return }
        let base = least
        func pack<Distance: FixedWidthInteger & UnsignedInteger>(_: Distance.Type) throws {
            let to = try Memory.allocate(Distance.self, count: count)
            for place in 0..<count { to[place] = Distance(truncatingIfNeeded: numbers[place] &- base) }
            (width, distances) = (UInt8(MemoryLayout<Distance>.size), UnsafeMutableRawPointer(to))
        }
        switch UInt128(truncatingIfNeeded: greatest &- least) {
        case ...0xFF: try pack(UInt8.self)
        case ...0xFFFF: try pack(UInt16.self)
        case ...0xFFFF_FFFF: try pack(UInt32.self)
        case ...0xFFFF_FFFF_FFFF_FFFF: try pack(UInt64.self)
        default: try pack(UInt128.self)
        }
    }

    /// The number at a place that holds a value; undefined at other places.
    @inline(__always)
    subscript(place: Int) -> Number {
        guard let distances else { return least }
        switch width {
        case 1: return least &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt8.self)[place])
        case 2: return least &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt16.self)[place])
        case 4: return least &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt32.self)[place])
        case 8: return least &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt64.self)[place])
        default: return least &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: Number.Magnitude.self)[place])
        }
    }

    /// The sum of the numbers at the first `count` places, `values` of which hold a value.
    func sum(_ count: Int, values: Int) -> Int128 {
        // Places without a value hold the minimum, so their difference is 0.
        var sum = Int128(truncatingIfNeeded: least) &* Int128(values)
        if width > 0 { for place in 0..<count { sum &+= Int128(truncatingIfNeeded: self[place] &- least) } }
        return sum
    }
}
