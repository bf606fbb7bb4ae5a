public import FieldValues
public import Tables

/// One level of grouping.
public struct GroupKey: Sendable, Hashable {
    /// The column of the table, from 0.
    public var column: Int
    /// The order of fields; those that are the same bytes are one group under any ordering.
    public var ordering: SortOrdering
    /// Whether the greatest group comes first. Groups without a value come last either way: those of blank fields when the order is that
    /// of the fields, those without the figure when it is that of a figure.
    public var isDescending: Bool
    /// What makes one group greater than another.
    public var criterion: Criterion

    /// What groups that lie in the same group are put in order by; those that are equal come in the order of their fields, ascending.
    public enum Criterion: Sendable, Hashable {
        /// The field that the records share.
        case field
        /// The number of records.
        case recordCount
        /// The figure that was asked for at this place, from 0.
        case aggregate(Int)
    }

    /// Groups by `column`.
    public init(column: Int, ordering: SortOrdering, isDescending: Bool = false, by criterion: Criterion = .field) {
        self.column = column
        self.ordering = ordering
        self.isDescending = isDescending
        self.criterion = criterion
    }
}

/// A figure that every group gets.
public struct AggregateRequest: Sendable, Hashable {
    /// What is made of the fields of a column.
    public typealias Function = Query.Aggregate.Function

    /// What is asked for.
    public var function: Function
    /// The column of the table, from 0.
    public var column: Int
    /// What values of the column are; text has counts, a first and a last field only. A mean of times is one of microseconds.
    public var kind: ValueKind
    /// How its numbers are written.
    public var notation: NumberNotation
    /// The letters by which groups are put in the order of a text.
    public var alphabet: NaturalOrder.Alphabet

    /// Asks for `function` of `column`.
    public init(
        _ function: Function, column: Int, kind: ValueKind = .decimal, notation: NumberNotation = .point,
        alphabet: NaturalOrder.Alphabet = .ascii
    ) {
        self.function = function
        self.column = column
        self.kind = kind
        self.notation = notation
        self.alphabet = alphabet
    }
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
