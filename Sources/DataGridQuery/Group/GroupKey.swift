public import FieldValues
import Tables

/// One level of grouping.
struct GroupKey: Sendable, Hashable {
    var column: Int
    /// The order of fields; fields with the same bytes are one group under any ordering.
    var ordering: SortOrdering
    /// Whether the greatest group comes first. Groups without a value or an aggregate come last either way.
    var isDescending = false
    /// Groups that are equal by this are in the order of their fields, ascending.
    var order = Query.GroupKey.Order.value
}

/// An aggregate that every group gets.
struct AggregateRequest: Sendable, Hashable {
    typealias Function = Query.Aggregate.Function

    var function: Function
    var column: Int
    /// Text has counts, a first and a last field only. A mean of times is one of microseconds.
    var kind = ValueKind.decimal
    var notation = NumberNotation.point
    /// The letters by which groups are put in the order of a text.
    var alphabet = NaturalOrder.Alphabet.ascii
}

/// The outcome of an aggregate.
public enum AggregateValue: Sendable, Hashable, BitwiseCopyable {
    /// There was no value to make it of.
    case none
    /// A count, or an exact figure of integers; for dates and times microseconds, as `FieldBytes.temporal(_:)` gives them.
    case integer(Int64)
    /// A figure of decimals, or a mean. Where sums are exact, so is the shortest text of this number.
    case decimal(Double)
    /// An exact figure that is neither a whole number of 64 bits nor the shortest text of a `Double`.
    case exact(ExactDecimal)
    /// What the field of this record holds, of whatever kind.
    case record(Int)
}

extension Query.Aggregate.Function {
    /// Whether values have to be read for it.
    var needsValues: Bool {
        switch self {
        case .count, .sum, .mean, .min, .max: true
        case .distinct, .first, .last: false
        }
    }
}
