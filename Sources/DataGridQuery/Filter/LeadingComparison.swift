import FieldValues

/// A comparison of a numeric column with a literal that every matching record must satisfy. It is tested for all records of a batch at
/// once, and only the remaining records are tested with the rest of the condition.
///
/// A number is read as an integer and a number of fraction digits. For each number of fraction digits, the matching integers (mantissas)
/// are an interval or its complement. The bounds are found by comparing values, so the result equals the result of ``FilterProgram``.
final class LeadingComparison: @unchecked Sendable {
    /// The whole condition, for records whose field is not a plain number.
    let program: FilterProgram
    /// The condition without the leading comparison, with the same columns as ``program``; `nil` if there are no other comparisons.
    private let otherConditions: FilterProgram?
    private let slot: Int
    private let notation: DecimalStyle
    /// For each number of fraction digits, the interval of matching mantissas.
    private let intervals: [Interval]

    /// A half-open interval of mantissas.
    private struct Interval {
        var first: Int64
        var end: Int64
        /// True if the mantissas outside the interval match, instead of the mantissas within it.
        var isInverted: Bool

        @inline(__always)
        func matches(_ mantissa: Int64) -> Bool { (mantissa >= first && mantissa < end) != isInverted }
    }

    /// The working memory of one thread.
    struct Buffers {
        fileprivate let mantissas: UnsafeArray<Int64>
        fileprivate let digits: UnsafeArray<UInt8>

        init(count: Int = 1024) throws { (mantissas, digits) = (try UnsafeArray(count: count), try UnsafeArray(count: count)) }
    }

    /// Returns `nil` if the condition has no suitable comparison that must be true for every match.
    init?(_ expression: FilterExpression, program: FilterProgram, allColumns: [Int]) {
        var parts = expression.conjuncts
        for (index, part) in parts.enumerated() {
            guard case .compare(.column(let column, .number(let notation)), let comparison, .literal(let number)) = part,
                !number.isNaN, let slot = program.columns.firstIndex(of: column)
            else { continue }
            parts.remove(at: index)
            self.program = program
            self.slot = slot
            otherConditions = parts.isEmpty ? nil : FilterProgram(.all(parts), allColumns: allColumns, columns: program.columns)
            self.notation = notation
            intervals = (0...18).map { Self.interval(comparison, number, digits: $0) }
            return
        }
        return nil
    }

    private static func interval(_ comparison: FilterComparison, _ number: FilterNumber, digits: Int) -> Interval {
        // All mantissas have smaller magnitudes than this limit, so an interval that extends to it has no bound on that side.
        let limit = Int64.max - 1
        /// The lowest mantissa whose number does not satisfy the comparison, found by binary search.
        func firstMantissa(failing comparison: FilterComparison) -> Int64 {
            var (low, high) = (-limit, limit + 1)
            while low < high {
                // The mean of `low` and `high`, rounded down, computed without overflow.
                let middle = (low & high) + (low ^ high) >> 1
                if FilterNumber(middle, digits: digits).satisfies(comparison, comparedTo: number) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
        let (notLess, greater) = (firstMantissa(failing: .less), firstMantissa(failing: .lessOrEqual))
        switch comparison {
        case .less: return Interval(first: .min, end: notLess, isInverted: false)
        case .lessOrEqual: return Interval(first: .min, end: greater, isInverted: false)
        case .greaterOrEqual: return Interval(first: .min, end: notLess, isInverted: true)
        case .greater: return Interval(first: .min, end: greater, isInverted: true)
        case .equal: return Interval(first: notLess, end: greater, isInverted: false)
        case .notEqual: return Interval(first: notLess, end: greater, isInverted: true)
        }
    }

    /// Calls `body` with each record of the batch that matches the whole condition, as an index in the batch.
    func forEachMatch(
        in batch: FieldBatch, _ buffers: inout Buffers, _ programScratch: FilterProgram.Scratch, _ body: (_ record: Int) -> Void
    ) throws {
        if batch.count > buffers.digits.count { buffers = try Buffers(count: batch.count) }
        let (mantissas, digits) = (buffers.mantissas.base, buffers.digits.base)
        _ = FixedPoint.read(batch, column: slot, notation, mantissas: mantissas, digits: digits, distinguishesPlain: false)
        for record in 0..<batch.count {
            if digits[record] != FixedPoint.invalid {
                guard intervals[Int(digits[record])].matches(mantissas[record]) else { continue }
                if otherConditions?.matches(batch.fields(of: record), programScratch) ?? true { body(record) }
            } else if program.matches(batch.fields(of: record), programScratch) {
                body(record)
            }
        }
    }
}
