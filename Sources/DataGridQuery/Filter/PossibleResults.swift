import FieldValues
import Tables

/// The results that a condition can have for some records of a table, derived from the bounds of their values. If the condition can only be
/// false, the records need not be read.
struct PossibleResults: Equatable {
    var canBeTrue: Bool
    var canBeFalse: Bool

    /// The condition may be true for some of the records and false for others.
    static let unknown = PossibleResults(canBeTrue: true, canBeFalse: true)

    /// - Parameter bounds: returns the bounds of a column; `nil` if they are unknown.
    static func results(of expression: FilterExpression, _ bounds: (_ column: Int) -> ColumnBounds?) -> PossibleResults {
        switch expression {
        case .all(let parts):
            let all = parts.map { results(of: $0, bounds) }
            return PossibleResults(canBeTrue: all.allSatisfy(\.canBeTrue), canBeFalse: all.contains(where: \.canBeFalse))
        case .any(let parts):
            let all = parts.map { results(of: $0, bounds) }
            return PossibleResults(canBeTrue: all.contains(where: \.canBeTrue), canBeFalse: all.allSatisfy(\.canBeFalse))
        case .not(let part):
            let inner = results(of: part, bounds)
            return PossibleResults(canBeTrue: inner.canBeFalse, canBeFalse: inner.canBeTrue)
        case .compare(.column(let column, let type), let comparison, .literal(let number)):
            guard let bounds = bounds(column), let range = range(bounds, type) else { return unknown }
            return results(range, comparison, number)
        case .isOneOf(.column(let column, let type), let numbers):
            guard let bounds = bounds(column), let range = range(bounds, type) else { return unknown }
            return PossibleResults(canBeTrue: numbers.contains { results(range, .equal, $0).canBeTrue }, canBeFalse: true)
        case .compareTexts(.column(let column), let comparison, .literal(let text)):
            return bounds(column).map { results($0, comparison, text) } ?? unknown
        case .textIsOneOf(let column, let texts):
            guard let bounds = bounds(column) else { return unknown }
            return PossibleResults(canBeTrue: texts.contains { results(bounds, .equal, $0).canBeTrue }, canBeFalse: true)
        default: return unknown
        }
    }

    /// The least and the greatest value of some records. The records may also have missing fields, unreadable fields and NaN.
    private enum ValueRange {
        case none
        case values(FilterNumber, FilterNumber)
    }

    private static func results(_ range: ValueRange, _ comparison: FilterComparison, _ number: FilterNumber) -> PossibleResults {
        // Only `!=` is true for a field without a value, as for NaN.
        let isNotEqual = comparison == .notEqual
        var results = PossibleResults(canBeTrue: isNotEqual, canBeFalse: !isNotEqual)
        guard !number.isNaN, case .values(let low, let high) = range else { return results }
        let isOutside = low.satisfies(.greater, comparedTo: number) || high.satisfies(.less, comparedTo: number)
        switch comparison {
        case .less, .lessOrEqual: results.canBeTrue = low.satisfies(comparison, comparedTo: number)
        case .greater, .greaterOrEqual: results.canBeTrue = high.satisfies(comparison, comparedTo: number)
        case .equal: results.canBeTrue = !isOutside
        case .notEqual: results.canBeFalse = !isOutside
        }
        return results
    }

    private static func results(_ bounds: ColumnBounds, _ comparison: FilterComparison, _ text: String) -> PossibleResults {
        let bytes = Array(text.utf8)
        // A missing field is compared like an empty string.
        let missing = comparison.matches(isLess: !bytes.isEmpty, isEqual: bytes.isEmpty, isGreater: false)
        var results = PossibleResults(canBeTrue: missing, canBeFalse: !missing)
        switch bounds.values {
        case .none: break
        case .texts(let low, let high):
            // If the upper bound is unknown, it counts as greater than all strings.
            let (isLowLess, isHighLess) = (low.lexicographicallyPrecedes(bytes), high?.lexicographicallyPrecedes(bytes) ?? false)
            let (isLowGreater, isHighGreater) = (
                bytes.lexicographicallyPrecedes(low), high.map { bytes.lexicographicallyPrecedes($0) } ?? true
            )
            let (less, equal, greater) = (isLowLess, !isLowGreater && !isHighLess, isHighGreater)
            for (isPossible, order) in [(less, -1), (equal, 0), (greater, 1)] where isPossible {
                if comparison.matches(isLess: order < 0, isEqual: order == 0, isGreater: order > 0) {
                    results.canBeTrue = true
                } else {
                    results.canBeFalse = true
                }
            }
        default: return unknown
        }
        return results
    }

    /// The range of the values as the comparison reads them; `nil` if the bounds do not limit these values.
    private static func range(_ bounds: ColumnBounds, _ type: ComparisonType) -> ValueRange? {
        func values(_ range: ClosedRange<Int64>, _ value: (Int64) -> FilterNumber) -> ValueRange {
            .values(value(range.lowerBound), value(range.upperBound))
        }
        /// The product; if it does not fit in 64 bits, the 64-bit integer nearest to it.
        func scaled(_ number: Int64, _ factor: Int64) -> FilterNumber {
            let (product, overflows) = number.multipliedReportingOverflow(by: factor)
            return .integer(overflows ? (number < 0 ? .min : .max) : product)
        }
        func microseconds(_ number: Int64, _ digits: Int) -> FilterNumber {
            digits <= 6
                ? scaled(number, FixedScale.power(6 - digits))
                : .integer(ValueTextWriter.floorDivide(number, FixedScale.power(digits - 6)).quotient)
        }
        switch (type, bounds.values) {
        case (_, .none): return ValueRange.none
        case (.number(.point), .integers(let range, let scale)):
            return values(range) { FilterNumber($0, digits: scale) }
        case (.number(.point), .doubles(let range)):
            // The range is widened by two doubles, because a large double may be printed as another integer.
            return .values(.decimal(range.lowerBound.nextDown.nextDown), .decimal(range.upperBound.nextUp.nextUp))
        case (.flag, .flags(let range)): return .values(.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound)))
        case (.date(.iso), .dates(let range)), (.dateTime(.iso), .dates(let range)):
            return values(range) { scaled($0, 86_400_000_000) }
        case (.dateTime(.iso), .dateTimes(let range, let digits)), (.time, .times(let range, let digits)):
            return values(range) { microseconds($0, digits) }
        default: return nil
        }
    }
}
