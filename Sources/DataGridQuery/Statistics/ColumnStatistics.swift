public import FieldValues

/// Statistics of the fields of a column.
///
/// Each record counts as exactly one of these: a value, NaN, an unreadable field, an empty field, or a missing field.
public struct ColumnStatistics: Sendable, Hashable {
    /// The index of the column in the table.
    public var column: Int
    /// The kind of values that the fields were read as.
    public var kind: ValueKind
    /// True if all counts and results are estimates, such as estimates of a server.
    public var isEstimate = false
    /// The number of records that were examined.
    public var recordCount = 0
    /// The number of values of the kind, without NaN. For text, the number of fields that are not empty.
    public var valueCount = 0
    /// The number of NaN fields.
    public var nanCount = 0
    /// The number of fields that are neither empty nor values of the kind.
    public var unreadableCount = 0
    /// The number of empty fields, without missing fields.
    public var emptyCount = 0
    /// The number of records that are too short to have the field.
    public var missingCount = 0
    /// The number of distinct fields, compared by bytes. Empty and missing fields do not count.
    public var distinct = DistinctCount(count: 0, isExact: true)
    /// The minimum. Exact for integers; microseconds for dates and times; `none` for text.
    public var minimum = AggregateValue.none
    /// The maximum, like ``minimum``.
    public var maximum = AggregateValue.none
    /// The sum of numbers, or the number of flags that are true. The sum is exact for few fraction digits; otherwise its rounding errors
    /// are compensated.
    public var sum = AggregateValue.none
    /// The mean of numbers, of flags (the fraction that is true), or of times in microseconds.
    public var mean = AggregateValue.none
    /// The sample standard deviation (divisor n − 1); `nil` if it is undefined or a value is infinite.
    public var standardDeviation: Double?
    /// The quantiles at ``percentages``, with linear interpolation; empty for kinds without quantiles, such as text.
    public var quantiles: [AggregateValue] = []
    /// The percentages of ``quantiles``.
    public static let percentages = [5, 25, 50, 75, 95]
    /// The histogram of the values from the minimum to the maximum, without infinite values; `nil` if all values are equal.
    public var histogram: Histogram?
    /// The first and last value of a text column in natural order; `nil` for other columns.
    public var textRange: TextRange?
    /// The most frequent values, at most 20, in descending order of frequency, then in ascending order of values; empty if there are too
    /// many distinct values to count.
    public var top: [Frequency] = []
    /// ``top``, or empty if every value occurs only once.
    public var mostFrequent: [Frequency] { (top.first?.count ?? 0) > 1 ? top : [] }

    /// Statistics that are computed on request, because they take memory for each column.
    public struct Details: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: Int
        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Computes ``ColumnStatistics/quantiles``.
        public static let quantiles = Details(rawValue: 1)
        /// Computes ``ColumnStatistics/histogram``.
        public static let histogram = Details(rawValue: 2)
    }

    /// A number of distinct fields, exact or estimated.
    public struct DistinctCount: Sendable, Hashable {
        /// The number of distinct fields.
        public var count: Int
        /// True if ``count`` is exact; otherwise it is an estimate with a standard error of 1.2 %.
        public var isExact: Bool

        /// Creates a count.
        public init(count: Int, isExact: Bool) { (self.count, self.isExact) = (count, isExact) }
    }

    /// The number of values in each of several bins, which divide a range into equal parts.
    public struct Histogram: Sendable, Hashable {
        /// The start of the first bin.
        public var minimum: AggregateValue
        /// The end of the last bin.
        public var maximum: AggregateValue
        /// The number of values in each bin. A value on the boundary of two bins belongs to the upper bin, and the maximum to the last
        /// bin.
        public var counts: [Int]
        /// The number of bins.
        public static let binCount = 20

        /// Creates a histogram with a count for each bin.
        public init(minimum: AggregateValue, maximum: AggregateValue, counts: [Int]) {
            (self.minimum, self.maximum, self.counts) = (minimum, maximum, counts)
        }
    }

    /// The first and the last string of a text column, and the lengths of its strings.
    public struct TextRange: Sendable, Hashable {
        /// The first and the last string in natural order. For a table on a server, the order is by bytes, and strings are cut after 1,024
        /// characters.
        public var first, last: String
        /// The lengths of the shortest and the longest string, in Unicode scalars.
        public var lengths: ClosedRange<Int>
        /// The bytes of ``first`` and ``last`` if they are not valid UTF-8; otherwise `nil`.
        package var invalidFirst, invalidLast: [UInt8]?

        /// Creates a range of texts with their lengths.
        public init(first: String, last: String, lengths: ClosedRange<Int>) {
            (self.first, self.last, self.lengths) = (first, last, lengths)
        }

        package init(first: [UInt8], last: [UInt8], lengths: ClosedRange<Int>) {
            self.init(first: String(decoding: first, as: UTF8.self), last: String(decoding: last, as: UTF8.self), lengths: lengths)
            invalidFirst = first.withUnsafeBufferPointer { FieldBytes($0).invalidText }
            invalidLast = last.withUnsafeBufferPointer { FieldBytes($0).invalidText }
        }
    }

    /// A value and its number of occurrences.
    public struct Frequency: Sendable, Hashable {
        /// The field as text, with ill-formed UTF-8 replaced.
        public var value: String
        /// The number of records that have the value.
        public var count: Int
        /// The bytes of the field if they are not valid UTF-8; otherwise `nil`.
        package var invalidText: [UInt8]?

        /// Creates an entry.
        public init(value: String, count: Int) { (self.value, self.count) = (value, count) }

        init(_ bytes: UnsafeBufferPointer<UInt8>, count: Int) {
            self.init(value: ByteDictionary.text(bytes), count: count)
            invalidText = FieldBytes(bytes).invalidText
        }
    }

    /// Creates the statistics of a column without records.
    public init(column: Int, kind: ValueKind) { (self.column, self.kind) = (column, kind) }
}
