import FieldValues

/// Divides the range of values into equal parts.
struct PartScale {
    /// True if the keys are those of integers; false for those of doubles.
    private let isFixed: Bool
    /// The keys of the smallest and the largest value.
    private let minimum: UInt64
    private let maximum: UInt64
    /// The start of each part, as a key.
    private let starts: [UInt64]
    /// The smallest double; 0 for integers.
    private let origin: Double
    /// The number of parts per unit.
    private let factor: Double

    init(_ meaning: ValueVector.Meaning, minimum: UInt64, maximum: UInt64) {
        let count = ColumnStatistics.Histogram.partCount
        isFixed = meaning != .double
        (self.minimum, self.maximum) = (minimum, maximum)
        if isFixed {
            let range = UInt128(maximum - minimum)
            starts = (0..<count).map { minimum + UInt64((range * UInt128($0) + UInt128(count - 1)) / UInt128(count)) }
            origin = 0
            factor = Double(count) / Double(maximum - minimum)
        } else {
            let (a, b) = (ValueVector.decimal(of: minimum), ValueVector.decimal(of: maximum))
            // Two products are added, because the difference of maximum and minimum may overflow a double.
            starts = (0..<count).map {
                let part = Double($0) / Double(count)
                // Removes rounding errors, so that a decimal on a boundary belongs to the upper part.
                return $0 == 0 ? minimum : ValueVector.key(of: NumberText.roundedToDecimals(a * (1 - part) + b * part))
            }
            origin = a
            let range = b - a
            factor = range.isFinite ? Double(count) / range : 0
        }
    }

    /// The part of a value; `nil` for infinite values.
    @inline(__always)
    func part(of key: UInt64) -> Int? {
        guard key >= minimum, key <= maximum else { return nil }
        let guess = (isFixed ? Double(key &- minimum) : ValueVector.decimal(of: key) - origin) * factor
        var part = guess >= 0 && guess < Double(starts.count) ? Int(guess) : guess >= Double(starts.count) ? starts.count - 1 : 0
        // The products are rounded, so compare the keys.
        while part > 0, key < starts[part] { part -= 1 }
        while part + 1 < starts.count, key >= starts[part + 1] { part += 1 }
        return part
    }
}
