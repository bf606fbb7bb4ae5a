import FieldValues

/// A comparison of a column of numbers with a literal that all records have to fulfil. It is decided for a batch of records at once, by the
/// mantissas of the numbers, and the rest of the condition is asked of few records.
///
/// For each number of digits after the point, the mantissas that fulfil the comparison are an interval, or all others. Its ends are found by
/// comparing values, so the outcome is that of ``FilterProgram``.
final class LeadingComparison: @unchecked Sendable {
    /// The whole condition.
    let program: FilterProgram
    /// The rest of it, with the columns of ``program``; `nil` when there is none.
    private let rest: FilterProgram?
    private let slot: Int
    private let notation: NumberNotation
    /// By digits after the point; never changed.
    private let intervals: [Interval]

    /// Mantissas from `first` up to, but not including, `end`.
    private struct Interval {
        var first: Int64
        var end: Int64
        /// Whether the other mantissas fulfil the comparison.
        var isInverted: Bool

        @inline(__always)
        func holds(_ mantissa: Int64) -> Bool { (mantissa >= first && mantissa < end) != isInverted }
    }

    /// What one thread reads numbers to.
    struct Room {
        fileprivate let mantissas: UnsafeArray<Int64>
        fileprivate let digits: UnsafeArray<UInt8>

        init(count: Int = 1024) throws { (mantissas, digits) = (try UnsafeArray(count: count), try UnsafeArray(count: count)) }
    }

    /// `nil` when the condition has no such part that all records have to fulfil.
    init?(_ expression: FilterExpression, program: FilterProgram, allColumns: [Int]) {
        var parts = Self.parts(expression)
        for (index, part) in parts.enumerated() {
            guard case .compare(.column(let column, let reading), let comparison, .literal(let number)) = part, reading.isNumber,
                !number.isNaN, let slot = program.columns.firstIndex(of: column)
            else { continue }
            parts.remove(at: index)
            self.program = program
            self.slot = slot
            rest = parts.isEmpty ? nil : FilterProgram(.all(parts), allColumns: allColumns, columns: program.columns)
            notation = reading == .commaNumber ? .comma : .point
            intervals = (0...18).map { Self.interval(comparison, number, digits: $0) }
            return
        }
        return nil
    }

    /// What has to hold, each for itself.
    private static func parts(_ expression: FilterExpression) -> [FilterExpression] {
        if case .all(let parts) = expression { return parts.flatMap { Self.parts($0) } }
        return [expression]
    }

    /// The greatest mantissa that is compared by its interval. It is in range for all mantissas without digits after the point.
    private static func limit(digits: Int) -> Int64 { digits == 0 ? .max - 1 : Int64(FixedScale.limit) }

    private static func interval(_ comparison: FilterComparison, _ number: FilterNumber, digits: Int) -> Interval {
        let limit = limit(digits: digits)
        /// The first mantissa whose value does not compare so.
        func first(_ comparison: FilterComparison) -> Int64 {
            var (low, high) = (-limit, limit + 1)
            while low < high {
                // Half-way, rounded down, without overflow.
                let middle = (low & high) + (low ^ high) >> 1
                let value: FilterNumber = digits == 0 ? .integer(middle) : .decimal(FixedScale.double(middle, digits: digits))
                if value.compares(comparison, to: number) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let (notLess, greater) = (first(.less), first(.lessOrEqual))
        switch comparison {
        case .less: return Interval(first: .min, end: notLess, isInverted: false)
        case .lessOrEqual: return Interval(first: .min, end: greater, isInverted: false)
        case .greaterOrEqual: return Interval(first: .min, end: notLess, isInverted: true)
        case .greater: return Interval(first: .min, end: greater, isInverted: true)
        case .equal: return Interval(first: notLess, end: greater, isInverted: false)
        case .notEqual: return Interval(first: notLess, end: greater, isInverted: true)
        }
    }

    /// Calls `body` with the records of a batch that fulfil the whole condition, numbered within the batch.
    func forEachHolding(
        in batch: FieldBatch, _ room: inout Room, _ programRoom: FilterProgram.Room, _ body: (_ record: Int) -> Void
    ) throws {
        if batch.count > room.digits.count { room = try Room(count: batch.count) }
        let (mantissas, digits) = (room.mantissas.base, room.digits.base)
        _ = FixedPoint.read(batch, column: slot, notation, mantissas: mantissas, digits: digits, checksPlain: false)
        for record in 0..<batch.count {
            let isDecided = digits[record] != FixedPoint.none && (digits[record] == 0 || mantissas[record].magnitude <= FixedScale.limit)
            if isDecided {
                guard intervals[Int(digits[record])].holds(mantissas[record]) else { continue }
                if rest?.holds(batch.fields(of: record), programRoom) ?? true { body(record) }
            } else if program.holds(batch.fields(of: record), programRoom) {
                body(record)
            }
        }
    }
}
