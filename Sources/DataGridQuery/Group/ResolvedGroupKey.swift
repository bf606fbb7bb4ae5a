public import FieldValues
import Tables

/// A group level of a query, with the column of its field and the ordering of its comparison.
struct ResolvedGroupKey: Sendable, Hashable {
    var column: Int
    /// The ordering of fields. Fields with the same bytes are one group in every ordering.
    var ordering: SortOrdering
    /// True for descending order. Groups without a value or an aggregate come last in both directions.
    var isDescending = false
    /// The order of groups. Ties are in ascending order of their fields.
    var order = Query.GroupKey.Order.value
    /// The intervals of values that form groups; `nil` if equal fields form a group.
    var interval: GroupInterval?

    /// The column that the level requires.
    var request: ColumnSet.Request {
        ColumnSet.Request(column: column, form: interval == nil ? .numbers : .values(ordering))
    }
}

/// An aggregate to compute for each group.
struct AggregateRequest: Sendable, Hashable {
    typealias Function = Query.Aggregate.Function

    var function: Function
    var column: Int
    /// The kind of the values. Text supports count, distinct, first and last only. The mean of times is in microseconds.
    var kind = ValueKind.decimal
    var notation = DecimalStyle.point
    var dateNotation = DateNotation.iso
    /// The alphabet used to order groups by strings.
    var alphabet = NaturalOrder.Alphabet.ascii
}

/// The result of an aggregate.
public enum AggregateValue: Sendable, Hashable, BitwiseCopyable {
    /// There is no value to aggregate.
    case none
    /// A count or an exact integer. For dates and times, microseconds, as returned by `FieldBytes.temporal(_:_:)`.
    case integer(Int64)
    /// A decimal, a mean or another computed number. If the sum is exact, the shortest text of this number is exact too.
    case decimal(Double)
    /// An exact value that is neither a 64-bit integer nor the shortest text of a `Double`.
    case exact(ExactDecimal)
    /// The content of the field of this record, of any kind.
    case record(Int)
}

extension Query.Aggregate.Function {
    /// True if values must be read.
    var needsValues: Bool {
        switch self {
        case .count, .sum, .mean, .min, .max, .share, .standardDeviation: true
        case .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: true
        case .distinct, .first, .last: false
        }
    }

    /// True if the result cannot be computed from the results of parts of a group.
    var needsWholeGroup: Bool { percentage != nil || self == .standardDeviation }
}
