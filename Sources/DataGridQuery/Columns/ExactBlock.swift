import FieldValues

/// The exact decimal numbers of a block of doubles, each stored as an integer: the number times 10^`digits`.
struct ExactBlock: BitwiseCopyable {
    var numbers: PackedBlock<Int128>
    var digits: UInt8 = 0
    /// The power of ten that converts the integers of this block to the fraction digits of the whole column.
    var factor: Int128 = 1

    /// The number at an index of the block, scaled to the fraction digits of the column. The field at the index must have a value.
    @inline(__always)
    subscript(index: Int) -> Int128 { factor == 1 ? numbers[index] : numbers[index] &* factor }

    /// The sum of numbers as in ``PackedBlock/sum(_:values:)``, scaled to the fraction digits of the column.
    func sum(_ count: Int, values: Int) -> Int128 { numbers.sum(count, values: values) &* factor }
}

extension ValueVector {
    /// The exact number at a slot that holds a value, as an integer: the number times 10^``exactDigits``. Requires that ``exactDigits`` is
    /// not `nil`.
    @inline(__always)
    func exactNumber(at slot: Int) -> Int128 {
        let block = blocks.base + slot / rangeSize
        return block.pointee.exact == nil ? 0 : block.pointee.exact.unsafelyUnwrapped[slot & (rangeSize - 1)]
    }

    /// The minimum and the maximum of the exact numbers, times 10^``exactDigits``. `nil` if
    /// ``exactDigits`` is `nil`, or if the column has no values.
    var exactExtremes: (minimum: Int128, maximum: Int128)? {
        guard exactDigits != nil else { return nil }
        var extremes: (minimum: Int128, maximum: Int128)?
        for index in 0..<blockCount {
            guard let exact = blocks[index].exact else { continue }
            let (minimum, maximum) = (exact.numbers.minimum * exact.factor, exact.numbers.maximum * exact.factor)
            extremes = (min(extremes?.minimum ?? minimum, minimum), max(extremes?.maximum ?? maximum, maximum))
        }
        return extremes
    }

    /// The greatest number of fraction digits in any block. In a column that becomes doubles, all blocks are scaled to this number of
    /// digits. `nil` if a value has no exact number, or if the sum of the column may overflow 128 bits.
    func commonExactDigits() -> Int? {
        var digits = 0
        for index in 0..<blockCount where !blocks[index].keys.isEmpty {
            if blocks[index].digits != Block.double {
                digits = max(digits, Int(blocks[index].digits))
            } else if let exact = blocks[index].exact {
                digits = max(digits, Int(exact.digits))
            } else {
                return nil
            }
        }
        // No sum of values can exceed the number of values times the largest magnitude.
        var largest: Int128 = 0
        for index in 0..<blockCount where !blocks[index].keys.isEmpty {
            let block = blocks[index]
            let (numbers, blockDigits) =
                block.digits == Block.double
                ? (block.exact!.numbers, block.exact!.digits)
                : (PackedBlock(block.keys) { Int128(ValueVector.integer(of: $0)) }, block.digits)
            let (minimum, maximum) = (numbers.minimum, numbers.maximum)
            guard minimum > .min, let scaled = ExactDecimal.scaled(max(abs(minimum), abs(maximum)), by: digits - Int(blockDigits)) else {
                return nil
            }
            let (product, overflows) = scaled.multipliedReportingOverflow(by: Int128(slots(ofBlock: index).count))
            let (sum, carries) = largest.addingReportingOverflow(product)
            guard !overflows, !carries else { return nil }
            largest = sum
        }
        return digits
    }
}
