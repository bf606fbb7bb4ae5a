public import FieldValues
import Tables

/// A group level of a query after its names are resolved: the field is a column of the table, and the comparison is a sort ordering.
struct ResolvedGroupKey: Sendable, Hashable {
    var column: Int
    /// The ordering of the fields of the column. Fields with equal bytes are one group in every ordering.
    var ordering: SortOrdering
    /// True for descending order. Groups without a value or an aggregate come last in both directions.
    var isDescending = false
    /// The value that groups are sorted by. Groups with equal values are in ascending order of their fields.
    var order = Query.GroupKey.Order.value
    /// The intervals that form groups, such as months; `nil` if each distinct field is a group.
    var interval: GroupInterval?

    /// The column to read for this level.
    var request: LoadedColumns.Request {
        LoadedColumns.Request(column: column, form: interval == nil ? .numbers : .values(ordering))
    }
}

/// An aggregate to compute for each group.
struct AggregateRequest: Sendable, Hashable {
    typealias Function = Query.Aggregate.Function

    var function: Function
    var column: Int
    /// The kind of the values. Text has only count, distinct, first and last. The mean of times is in microseconds.
    var kind = ValueKind.decimal
    var notation = DecimalStyle.point
    var dateNotation = DateNotation.iso
    /// The alphabet of the natural order, for groups sorted by a first or last string.
    var alphabet = NaturalOrder.Alphabet.ascii
}

/// The result of an aggregate.
public enum AggregateValue: Sendable, Hashable, BitwiseCopyable {
    /// The group has no value to aggregate.
    case none
    /// A count, or a number that is a 64-bit integer. For dates and times, microseconds, as `FieldBytes.temporal(_:_:)` returns them.
    case integer(Int64)
    /// A decimal, a mean or another computed number. If the sum is exact, the shortest text of this double is the exact number.
    case decimal(Double)
    /// An exact number that is neither a 64-bit integer nor the shortest text of a `Double`.
    case exact(ExactDecimal)
    /// The field of the record with this number, for first and last.
    case record(Int)
}

extension Query.Aggregate.Function {
    /// True if the function is computed from typed values.
    var needsValues: Bool {
        switch self {
        case .count, .sum, .mean, .min, .max, .share, .standardDeviation: true
        case .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: true
        case .distinct, .first, .last: false
        }
    }

    /// True if the value of an outer group cannot be computed from the values of its inner groups.
    var needsWholeGroup: Bool { percentage != nil || self == .standardDeviation }
}
