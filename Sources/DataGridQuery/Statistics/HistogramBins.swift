import FieldValues

/// Divides the range of the values of a column into equal bins for a histogram.
struct HistogramBins {
    /// True if keys stand for integers, false if they stand for doubles.
    private let isFixed: Bool
    /// The keys of the least and the greatest value.
    private let minimum: UInt64
    private let maximum: UInt64
    /// The key of the first value of each bin.
    private let starts: [UInt64]
    /// The least double; 0 if keys stand for integers.
    private let origin: Double
    /// The number of bins per unit of distance from the minimum.
    private let factor: Double

    init(_ representation: ValueVector.Representation, minimum: UInt64, maximum: UInt64) {
        let count = ColumnStatistics.Histogram.binCount
        isFixed = representation != .double
        (self.minimum, self.maximum) = (minimum, maximum)
        if isFixed {
            let range = UInt128(maximum - minimum)
            starts = (0..<count).map { minimum + UInt64((range * UInt128($0) + UInt128(count - 1)) / UInt128(count)) }
            origin = 0
            factor = Double(count) / Double(maximum - minimum)
        } else {
            let (a, b) = (ValueVector.decimal(of: minimum), ValueVector.decimal(of: maximum))
            // The start is a sum of two products, because the difference of maximum and minimum may overflow a double.
            starts = (0..<count).map {
                let bin = Double($0) / Double(count)
                // Round to a decimal with few digits, so that a value on the boundary belongs to the upper bin.
                return $0 == 0 ? minimum : ValueVector.key(of: NumberText.roundedToDecimals(a * (1 - bin) + b * bin))
            }
            origin = a
            let range = b - a
            factor = range.isFinite ? Double(count) / range : 0
        }
    }

    /// The index of the bin that contains a value; `nil` for infinite values.
    @inline(__always)
    func bin(of key: UInt64) -> Int? {
        guard key >= minimum, key <= maximum else { return nil }
        let guess = (isFixed ? Double(key &- minimum) : ValueVector.decimal(of: key) - origin) * factor
        var bin = guess >= 0 && guess < Double(starts.count) ? Int(guess) : guess >= Double(starts.count) ? starts.count - 1 : 0
        // The guess has rounding errors, so it is corrected by comparing keys.
        while bin > 0, key < starts[bin] { bin -= 1 }
        while bin + 1 < starts.count, key >= starts[bin + 1] { bin += 1 }
        return bin
    }
}
