public import FieldValues

/// One level of grouping.
public struct GroupKey: Sendable, Hashable {
    /// The column of the table, from 0.
    public var column: Int
    /// The order of the groups; fields that are the same bytes are one group under any ordering.
    public var ordering: SortOrdering
    /// Whether the group with the greatest value comes first; blank fields come last either way.
    public var isDescending: Bool

    /// Groups by `column`.
    public init(column: Int, ordering: SortOrdering, isDescending: Bool = false) {
        self.column = column
        self.ordering = ordering
        self.isDescending = isDescending
    }
}

/// A figure that every group gets.
public struct AggregateRequest: Sendable, Hashable {
    /// What is made of the fields of a column.
    public enum Function: String, Sendable, Hashable, CaseIterable {
        /// Fields that are not blank.
        case count
        /// The sum of the values: exact for integers as far as it fits in 64 bits, otherwise compensated in doubles.
        case sum
        /// The mean of the values.
        case mean
        /// The least value.
        case min
        /// The greatest value.
        case max
        /// Different fields that are not blank, by their bytes.
        case distinct
    }

    /// What is asked for.
    public var function: Function
    /// The column of the table, from 0.
    public var column: Int
    /// What values of the column are; text has a count and a number of distinct fields only. A mean of times is one of microseconds.
    public var kind: ValueKind
    /// How its numbers are written.
    public var notation: NumberNotation

    /// Asks for `function` of `column`.
    public init(_ function: Function, column: Int, kind: ValueKind = .decimal, notation: NumberNotation = .point) {
        self.function = function
        self.column = column
        self.kind = kind
        self.notation = notation
    }
}

/// The outcome of an aggregate.
public enum AggregateValue: Sendable, Hashable {
    /// There was no value to make it of.
    case none
    /// A count, or an exact figure of integers; for dates and times microseconds, as ``FieldBytes/temporal(_:)`` gives them.
    case integer(Int64)
    case decimal(Double)
}
