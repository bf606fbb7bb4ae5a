import FieldValues
import Tables

/// A comparison of a column with a literal, as an interval of matching typed values.
///
/// The bounds of the interval are found by comparing values as ``FilterProgram`` does, so it matches the same records as the program. A
/// value outside ``IntegerTest/readable`` must be compared as text, because the program may read another value from its text.
final class TypedComparison: Sendable {
    let program: FilterProgram
    let type: ComparisonType
    let comparison: FilterComparison
    let number: FilterNumber
    /// The test of stored doubles; `nil` if the column is not read as numbers.
    let doubles: DoubleTest?
    private let numbers: [IntegerTest]
    private let flags: IntegerTest
    private let dates: IntegerTest
    /// The tests of stored times. Element d is for times in units of 10^−d seconds.
    private let times: [IntegerTest]

    /// The dates that have a text form, as days since 1970: those of the years 1 to 9999. A date in another year counts as unreadable.
    static let readableDays: Range<Int64> = -719_162..<2_932_897

    init(_ program: FilterProgram, _ type: ComparisonType, _ comparison: FilterComparison, _ number: FilterNumber) {
        (self.program, self.type, self.comparison, self.number) = (program, type, comparison, number)
        func test(_ readable: ClosedRange<Int64>, _ value: (Int64) -> FilterNumber) -> IntegerTest {
            IntegerTest(comparison, number, readable, value)
        }
        let (day, days): (Int64, _) = (86_400_000_000, Self.readableDays)
        var (numbers, times): ([IntegerTest], [IntegerTest]) = ([], [])
        var doubles: DoubleTest?
        switch type {
        case .number(.point):
            numbers = (0...18).map { digits in test(.min ... .max) { FilterNumber($0, digits: digits) } }
            doubles = DoubleTest(comparison, number)
        case .dateTime(.iso), .time:
            times = (0...9).map { digits in
                let seconds = type == .time ? 0...86_399 : days.lowerBound * 86_400...days.upperBound * 86_400 - 1
                let unit = FixedScale.power(digits)
                let (low, lowOverflows) = seconds.lowerBound.multipliedReportingOverflow(by: unit)
                let (high, highOverflows) = (seconds.upperBound + 1).multipliedReportingOverflow(by: unit)
                return test((lowOverflows ? .min : low)...(highOverflows ? .max : high - 1)) { time in
                    .integer(
                        digits <= 6
                            ? time &* FixedScale.power(6 - digits)
                            : ValueTextWriter.floorDivide(time, FixedScale.power(digits - 6)).quotient)
                }
            }
        default: break
        }
        (self.numbers, self.times, self.doubles) = (numbers, times, doubles)
        flags = test(0...1) { .integer($0) }
        dates = test(days.lowerBound...days.upperBound - 1) { .integer($0 * day) }
    }

    /// The test for a stored type of integers; `nil` if its values must be compared as text.
    func integerTest(for values: ColumnVector.Values) -> IntegerTest? {
        switch (type, values) {
        case (.number(.point), .integers(_, let scale)): numbers[scale]
        case (.flag, .flags): flags
        case (.date(.iso), .dates), (.dateTime(.iso), .dates): dates
        case (.dateTime(.iso), .dateTimes(_, let digits, _)), (.time, .times(_, let digits)): times[digits]
        default: nil
        }
    }

    /// A test of stored integers: they must be in an interval, or outside it.
    struct IntegerTest: Sendable {
        /// The integers for which the test is valid. Others must be compared as text.
        let readable: ClosedRange<Int64>
        private(set) var first: Int64 = 0
        /// The number of integers in the interval. An interval of all 2^64 integers is stored as the complement of an empty interval,
        /// because its length does not fit.
        private(set) var length: UInt64 = 0
        private(set) var isInverted: Bool

        /// - Parameter value: converts a stored integer to the number it represents. It must be an increasing function.
        init(
            _ comparison: FilterComparison, _ number: FilterNumber, _ readable: ClosedRange<Int64>, _ value: (Int64) -> FilterNumber
        ) {
            self.readable = readable
            /// The number of integers, from the start of the range, for which the comparison is true.
            func count(_ comparison: FilterComparison) -> UInt128 {
                var (low, high): (UInt128, UInt128) = (0, UInt128(Int128(readable.upperBound) - Int128(readable.lowerBound)) + 1)
                while low < high {
                    let middle = low + (high - low) / 2
                    let integer = Int64(truncatingIfNeeded: Int128(readable.lowerBound) + Int128(middle))
                    if value(integer).satisfies(comparison, comparedTo: number) { low = middle + 1 } else { high = middle }
                }
                return low
            }
            let (less, notGreater) = (count(.less), count(.lessOrEqual))
            let all = UInt128(Int128(readable.upperBound) - Int128(readable.lowerBound)) + 1
            let interval: Range<UInt128>
            switch comparison {
            case .less: (interval, isInverted) = (0..<less, false)
            case .lessOrEqual: (interval, isInverted) = (0..<notGreater, false)
            case .greater: (interval, isInverted) = (notGreater..<all, false)
            case .greaterOrEqual: (interval, isInverted) = (less..<all, false)
            case .equal: (interval, isInverted) = (less..<notGreater, false)
            case .notEqual: (interval, isInverted) = (less..<notGreater, true)
            }
            let size = interval.upperBound - interval.lowerBound
            if size > UInt128(UInt64.max) {
                isInverted.toggle()
            } else if size > 0 {
                first = Int64(truncatingIfNeeded: Int128(readable.lowerBound) + Int128(interval.lowerBound))
                length = UInt64(size)
            }
        }

        @inline(__always)
        func matches(_ value: Int64) -> Bool { (UInt64(bitPattern: value &- first) < length) != isInverted }

        /// True if the test is valid for all values of `rows` that are not missing.
        func areReadable(_ numbers: UnsafePointer<Int64>, _ presence: UnsafePointer<UInt8>?, _ rows: TypedCondition.Rows) -> Bool {
            if readable == .min ... .max { return true }
            let (first, last) = (readable.lowerBound, readable.upperBound)
            return rows.allSatisfy { row in numbers[row] >= first && numbers[row] <= last || presence.map { $0[row] == 0 } ?? false }
        }
    }

    /// A test of stored doubles: they must be in a closed interval, or outside it. NaN is never in the interval.
    struct DoubleTest: Sendable {
        let first: Double
        let last: Double
        let isInverted: Bool

        init(_ comparison: FilterComparison, _ number: FilterNumber) {
            // A double counts as the decimal number that is its shortest text. This matters only for the double nearest to the literal,
            // because it can be less or greater than the literal. All other doubles are compared as doubles.
            let value = number.double
            let shown = ComparisonType.number(.point).value(of: value.description) ?? .none
            let (isBelow, isAbove) = (shown.satisfies(.less, comparedTo: number), shown.satisfies(.greater, comparedTo: number))
            /// The greatest double that counts as less than the literal, and the least one that counts as greater; NaN if there is no such
            /// double.
            let below = isBelow ? value : value == -.infinity ? .nan : value.nextDown
            let above = isAbove ? value : value == .infinity ? .nan : value.nextUp
            switch comparison {
            case .less: (first, last) = (-.infinity, below)
            case .lessOrEqual: (first, last) = (-.infinity, isAbove ? below : value)
            case .greater: (first, last) = (above, .infinity)
            case .greaterOrEqual: (first, last) = (isBelow ? above : value, .infinity)
            case .equal, .notEqual: (first, last) = isBelow || isAbove ? (.nan, .nan) : (value, value)
            }
            isInverted = comparison == .notEqual
        }
    }
}

extension TypedCondition.Rows {
    /// True if `matches` is true for all rows. Tests all rows without an early exit, because that needs no branches.
    @inline(__always)
    fileprivate func allSatisfy(_ matches: (Int) -> Bool) -> Bool {
        var failures: UInt64 = 0
        if let list {
            for index in 0..<count { failures |= matches(Int(list[index])) ? 0 : 1 }
        } else {
            for row in 0..<count { failures |= matches(row) ? 0 : 1 }
        }
        return failures == 0
    }
}

extension ColumnVector.Values {
    /// The memory of values that are stored in 64 bits; `nil` for other values.
    var words: UnsafePointer<Int64>? {
        switch self {
        case .integers(let values, _), .dates(let values), .dateTimes(let values, _, _), .times(let values, _): values
        default: nil
        }
    }
}
