/// Limits for the values of one column in one part of a table, such as the statistics of a row group in a file. The limits may be wider
/// than the values.
public struct ColumnBounds: Sendable {
    /// The least and the greatest value. There is one case for each type of values in ``ColumnVector/Values``. A column with limits may
    /// also contain NaN.
    public enum Values: Sendable {
        /// Integers whose last `scale` digits are the fraction.
        case integers(ClosedRange<Int64>, scale: Int)
        /// Floating-point numbers.
        case doubles(ClosedRange<Double>)
        /// Flags: 0 is false, 1 is true.
        case flags(ClosedRange<UInt8>)
        /// Days since the epoch.
        case dates(ClosedRange<Int64>)
        /// Times since the epoch, in units of `10^-digits` seconds.
        case dateTimes(ClosedRange<Int64>, digits: Int)
        /// Times of day since midnight, in units of `10^-digits` seconds.
        case times(ClosedRange<Int64>, digits: Int)
        /// Strings in the order of their UTF-8 bytes. If `high` is `nil`, the column can contain any string from `low` upwards.
        case texts(low: [UInt8], high: [UInt8]?)
        /// No values, because all fields of the part are missing.
        case none
    }

    /// The least and the greatest value.
    public var values: Values

    /// Creates limits.
    public init(_ values: Values) { self.values = values }

    /// The limits of the values of both parts; `nil` if the parts have different types.
    public func union(_ other: ColumnBounds) -> ColumnBounds? {
        func join<Value>(_ a: ClosedRange<Value>, _ b: ClosedRange<Value>) -> ClosedRange<Value> {
            min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
        }
        switch (values, other.values) {
        case (.none, _): return other
        case (_, .none): return self
        case (.integers(let a, let scale), .integers(let b, let otherScale)) where scale == otherScale:
            return ColumnBounds(.integers(join(a, b), scale: scale))
        case (.doubles(let a), .doubles(let b)): return ColumnBounds(.doubles(join(a, b)))
        case (.flags(let a), .flags(let b)): return ColumnBounds(.flags(join(a, b)))
        case (.dates(let a), .dates(let b)): return ColumnBounds(.dates(join(a, b)))
        case (.dateTimes(let a, let digits), .dateTimes(let b, let otherDigits)) where digits == otherDigits:
            return ColumnBounds(.dateTimes(join(a, b), digits: digits))
        case (.times(let a, let digits), .times(let b, let otherDigits)) where digits == otherDigits:
            return ColumnBounds(.times(join(a, b), digits: digits))
        case (.texts(let low, let high), .texts(let otherLow, let otherHigh)):
            let least = otherLow.lexicographicallyPrecedes(low) ? otherLow : low
            guard let high, let otherHigh else { return ColumnBounds(.texts(low: least, high: nil)) }
            return ColumnBounds(.texts(low: least, high: high.lexicographicallyPrecedes(otherHigh) ? otherHigh : high))
        default: return nil
        }
    }
}

/// A column to search, and bounds for the values to find. Each of these values is within at least one of the bounds.
public struct ColumnRanges: Sendable {
    /// The number of the column.
    public var column: Int
    /// The bounds, in any order.
    public var bounds: [ColumnBounds]

    /// Creates bounds of a column.
    public init(column: Int, bounds: [ColumnBounds]) { (self.column, self.bounds) = (column, bounds) }
}
