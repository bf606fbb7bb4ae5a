/// A function that computes an aggregate from the rows of a group.
///
/// Grids call it `AggregateFunction`, and queries `Query.Aggregate.Function`.
public enum AggregateKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The number of values that are not empty.
    case count
    /// The sum of the numbers. In queries, it is exact if all values fit in 38 digits with a common number of fraction digits and the sum
    /// fits in 128 bits. Otherwise (`1e-300`, `inf`) it is a compensated sum of doubles.
    case sum
    /// The mean of the numbers.
    case mean
    /// The minimum.
    case min
    /// The maximum.
    case max
    /// The number of distinct values, without empty ones. Queries compare bytes.
    case distinct
    /// The value of the first row, even if it is empty.
    case first
    /// The value of the last row, even if it is empty.
    case last

    /// True if the result is the cell of a row instead of a number.
    public var isCell: Bool { self == .first || self == .last }

    /// True if the result is a value of the column's kind, such as a date if the values are dates.
    public var keepsKind: Bool {
        switch self {
        case .mean, .min, .max, .first, .last: true
        case .count, .sum, .distinct: false
        }
    }
}
