/// A function that computes one value from the rows of a group or section, such as a sum.
public enum AggregateFunction: String, Hashable, Sendable, Codable, CaseIterable {
    /// The number of values that are not empty.
    case count
    /// The sum of the numbers.
    ///
    /// In queries, it is exact if all values fit in 38 digits with a common number of fraction digits, and if the sum fits in 128 bits.
    /// Otherwise (`1e-300`, `inf`) it is a sum of doubles whose rounding errors are compensated.
    case sum
    /// The mean of the numbers.
    case mean
    /// The minimum.
    case min
    /// The maximum.
    case max
    /// The number of distinct values that are not empty. Queries compare the bytes of values, so `1` and `1.0` are distinct.
    case distinct
    /// The value of the first row, even if it is empty.
    case first
    /// The value of the last row, even if it is empty.
    case last
    /// The median. Like all quantiles, it is interpolated if it lies between two values.
    ///
    /// Queries interpolate without rounding errors, unless the numbers have too many digits for fixed-point arithmetic.
    case median
    /// The 5th percentile: 5 % of the values are less than it.
    case p5
    /// The 10th percentile.
    case p10
    /// The 25th percentile, the first quartile.
    case p25
    /// The 75th percentile, the third quartile.
    case p75
    /// The 90th percentile.
    case p90
    /// The 95th percentile.
    case p95
    /// The 99th percentile.
    case p99
    /// The sample standard deviation (divisor n − 1) of at least two numbers; undefined for dates and times.
    case standardDeviation = "stddev"
    /// The sum of the group divided by the sum of all rows: 0.25 for a quarter.
    case share

    /// True if the result is copied from the cell of a row, so that it can be any text.
    public var returnsCell: Bool { self == .first || self == .last }

    /// True if the result is a value of the column's kind, such as a date if the values are dates.
    public var resultHasColumnKind: Bool {
        switch self {
        case .mean, .min, .max, .first, .last, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: true
        case .count, .sum, .distinct, .standardDeviation, .share: false
        }
    }

    /// True if the function adds or interpolates values. Such functions are not available for text.
    public var needsNumbers: Bool {
        switch self {
        case .sum, .mean, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99, .standardDeviation, .share: true
        case .count, .min, .max, .distinct, .first, .last: false
        }
    }

    /// True if the aggregate has a meaning for values of a kind. Text has only the counts, and the first and the last value.
    public func isDefined(for kind: ValueKind) -> Bool {
        switch kind {
        case .integer, .decimal: true
        case .flag: percentage == nil
        case .date, .dateTime, .time: self != .standardDeviation && self != .share
        case .text: self == .count || self == .distinct || returnsCell
        }
    }

    /// The percentage of values below the quantile that the function computes; `nil` for functions that are not quantiles.
    public var percentage: Int? {
        switch self {
        case .median: 50
        case .p5: 5
        case .p10: 10
        case .p25: 25
        case .p75: 75
        case .p90: 90
        case .p95: 95
        case .p99: 99
        case .count, .sum, .mean, .min, .max, .distinct, .first, .last, .standardDeviation, .share: nil
        }
    }
}
