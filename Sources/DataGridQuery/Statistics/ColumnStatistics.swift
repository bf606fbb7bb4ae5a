public import FieldValues

/// What there is to know of the fields of one column.
///
/// Each record has one of: a value (or NaN), a field that cannot be read as the kind of the column, a blank field, no such field.
public struct ColumnStatistics: Sendable, Hashable {
    /// The column of the table, from 0.
    public var column: Int
    /// What its values were read as.
    public var kind: ValueKind
    /// Records that were looked at.
    public var recordCount = 0
    /// Fields that are values of the kind, NaN not among them; for text all fields that are not blank.
    public var valueCount = 0
    /// Fields that say that they are no number.
    public var notANumberCount = 0
    /// Fields that are neither blank nor values of the kind.
    public var unreadableCount = 0
    /// Fields that are there and blank.
    public var blankCount = 0
    /// Records too short to have the field.
    public var missingCount = 0
    /// Different fields, by their bytes, those that are blank not counted.
    public var distinct = DistinctCount(count: 0, isExact: true)
    /// The least value, exact for whole numbers; microseconds for dates and times. Nothing for text.
    public var least = AggregateValue.none
    /// The greatest value, as ``least``.
    public var greatest = AggregateValue.none
    /// The sum of numbers, or of flags that are true: added exactly where the digits after the point are few, else compensated.
    public var sum = AggregateValue.none
    /// The mean of numbers, of flags (the share of those that are true), or of times in microseconds.
    public var mean = AggregateValue.none
    /// The standard deviation of the sample (divided by one less than the values); `nil` where it has none or a value is infinite.
    public var standardDeviation: Double?
    /// The values at 5, 25, 50, 75 and 95 %, interpolated between the two next to each; empty where values have no order.
    public var quantiles: [AggregateValue] = []
    /// The percentages of ``quantiles``.
    public static let percentages = [5, 25, 50, 75, 95]
    /// The finite values in equal parts of the range between the least and the greatest of them; `nil` where they are all the same.
    public var histogram: Histogram?
    /// The first and last text in natural order; `nil` for other kinds.
    public var texts: ClosedTexts?
    /// The values that occur most, at most 20, the most frequent first; empty when too many differ to be counted.
    public var top: [Frequency] = []
    /// ``top``, but empty where every value occurs once: then none is more frequent than others.
    public var mostFrequent: [Frequency] { (top.first?.count ?? 0) > 1 ? top : [] }

    /// What takes memory of each column, and is not always wanted.
    public struct Details: OptionSet, Sendable {
        /// A bit for each detail.
        public let rawValue: Int
        /// The details of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// ``ColumnStatistics/quantiles``.
        public static let quantiles = Details(rawValue: 1)
        /// ``ColumnStatistics/histogram``.
        public static let histogram = Details(rawValue: 2)
    }

    /// A number of different fields.
    public struct DistinctCount: Sendable, Hashable {
        /// How many differ.
        public var count: Int
        /// Whether they were counted; otherwise it is an estimate with a standard error of 1.2 %.
        public var isExact: Bool
    }

    /// How many values lie in each part of a range.
    public struct Histogram: Sendable, Hashable {
        /// Where the first part begins.
        public var least: AggregateValue
        /// Where the last part ends.
        public var greatest: AggregateValue
        /// Values in each part; a value between two belongs to the upper one, the greatest of all to the last.
        public var counts: [Int]
        /// The number of parts.
        public static let partCount = 20
    }

    /// The ends of a column of texts.
    public struct ClosedTexts: Sendable, Hashable {
        /// The first and the last in natural order.
        public var first, last: String
        /// Characters (Unicode scalars) of the shortest and the longest.
        public var lengths: ClosedRange<Int>
    }

    /// A value and how often it occurs.
    public struct Frequency: Sendable, Hashable {
        /// The field as text, invalid UTF-8 replaced.
        public var value: String
        /// Records that have it.
        public var count: Int
    }

    init(column: Int, kind: ValueKind) { (self.column, self.kind) = (column, kind) }
}
