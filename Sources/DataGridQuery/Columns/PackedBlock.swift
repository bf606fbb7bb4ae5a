import CByteScan

/// A block of integers. Each integer is stored as its distance from the minimum, in 0, 1, 2, 4, 8 or 16 bytes. The method is called “frame
/// of reference” (J. Goldstein, R. Ramakrishnan, U. Shaft, "Compressing Relations and Indexes", 1998).
struct PackedBlock<Number: FixedWidthInteger & BitwiseCopyable>: BitwiseCopyable {
    /// The minimum of the block. If `width` is 0, every number equals it.
    var minimum = Number.max
    /// The maximum; less than ``minimum`` if the block has no numbers.
    var maximum = Number.min
    var distances: UnsafeMutableRawPointer?
    var width: UInt8 = 0

    var isEmpty: Bool { minimum > maximum }

    init() {}

    /// Converts the numbers of another block without copying: both blocks use the same memory for the distances from the minimum.
    /// - Parameter convert: a conversion that does not change the differences between numbers.
    init<Other>(_ other: PackedBlock<Other>, _ convert: (Other) -> Number) {
        (minimum, maximum, distances, width) = (convert(other.minimum), convert(other.maximum), other.distances, other.width)
    }

    /// Packs the numbers that are values according to `classes`. Overwrites all other elements of `numbers`.
    init(_ numbers: UnsafeMutablePointer<Number>, _ count: Int, classes: UnsafeMutablePointer<UInt8>?) throws {
        if let classes {
            for index in 0..<count where classes[index] == FieldClass.value.rawValue {
                minimum = min(minimum, numbers[index])
                maximum = max(maximum, numbers[index])
            }
            for index in 0..<count where classes[index] != FieldClass.value.rawValue { numbers[index] = minimum }
        } else if Number.self == UInt64.self, count > 0 {
            var (least, greatest): (UInt64, UInt64) = (0, 0)
            gv_find_extremes(UnsafeRawPointer(numbers).assumingMemoryBound(to: UInt64.self), count, &least, &greatest)
            (minimum, maximum) = (Number(truncatingIfNeeded: least), Number(truncatingIfNeeded: greatest))
        } else {
            for index in 0..<count {
                minimum = min(minimum, numbers[index])
                maximum = max(maximum, numbers[index])
            }
        }
        guard minimum < maximum else { return }
        let base = minimum
        func pack<Distance: FixedWidthInteger & UnsignedInteger>(_: Distance.Type) throws {
            let to = try Memory.allocate(Distance.self, count: count)
            if Number.self == UInt64.self {
                gv_pack_distances(
                    UnsafeRawPointer(numbers).assumingMemoryBound(to: UInt64.self), count, UInt64(truncatingIfNeeded: base),
                    UInt32(MemoryLayout<Distance>.size), to)
            } else {
                for index in 0..<count { to[index] = Distance(truncatingIfNeeded: numbers[index] &- base) }
            }
            (width, distances) = (UInt8(MemoryLayout<Distance>.size), UnsafeMutableRawPointer(to))
        }
        switch UInt128(truncatingIfNeeded: maximum &- minimum) {
        case ...0xFF: try pack(UInt8.self)
        case ...0xFFFF: try pack(UInt16.self)
        case ...0xFFFF_FFFF: try pack(UInt32.self)
        case ...0xFFFF_FFFF_FFFF_FFFF: try pack(UInt64.self)
        default: try pack(UInt128.self)
        }
    }

    /// The number at an index of the block. Undefined if the field at the index has no value.
    @inline(__always)
    subscript(index: Int) -> Number {
        guard let distances else { return minimum }
        switch width {
        case 1: return minimum &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt8.self)[index])
        case 2: return minimum &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt16.self)[index])
        case 4: return minimum &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt32.self)[index])
        case 8: return minimum &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: UInt64.self)[index])
        default: return minimum &+ Number(truncatingIfNeeded: distances.assumingMemoryBound(to: Number.Magnitude.self)[index])
        }
    }

    /// The sum of the values among the first `count` numbers.
    /// - Parameter values: how many of these numbers are values.
    func sum(_ count: Int, values: Int) -> Int128 {
        // An index without a value has the distance 0, so it adds nothing to the sum of distances.
        var sum = Int128(truncatingIfNeeded: minimum) &* Int128(values)
        if width > 0 { for index in 0..<count { sum &+= Int128(truncatingIfNeeded: self[index] &- minimum) } }
        return sum
    }
}
