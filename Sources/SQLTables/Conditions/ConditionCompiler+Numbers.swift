import FieldValues
import Tables

/// Comparisons of numbers.
extension ConditionCompiler {
    /// One side of a comparison, if it contains no arithmetic and no function calls.
    enum Operand {
        case column(ColumnTerm)
        case number(NumberLiteral)
        case text(String)
        case temporal(Int64, ValueKind)
        case flag(Bool)
    }

    /// One side of a comparison; `nil` if it needs a formula.
    func operand(_ formula: Formula) throws(UnsupportedError) -> Operand? {
        switch formula {
        case .field(let id): return .column(try column(id))
        case .constant(.text(let text)): return .text(text)
        case .constant(.flag(let flag)): return .flag(flag)
        case .constant(.temporal(let value, let kind)): return .temporal(value, kind)
        case .constant(.number(let number)): return .number(NumberLiteral(number))
        case .constant(.approximate(let text)):
            guard let number = NumberLiteral(text) else { throw UnsupportedError("“\(text)” is not a number.") }
            return .number(number)
        case .call: return nil
        }
    }

    /// The numeric term of an operand. Throws for text, dates, times and flags.
    func number(_ operand: Operand) throws(UnsupportedError) -> NumberTerm {
        switch operand {
        case .column(let column): return try NumberTerm(column, in: dialect)
        case .number(let literal): return NumberTerm(literal, in: dialect)
        case .text, .temporal, .flag: throw FormulaCompiler.mismatchError
        }
    }

    // MARK: Comparisons

    /// Compares numbers as gridview does: NaN is neither less than, greater than nor equal to a number.
    func compareNumbers(_ a: NumberTerm, _ comparison: SQLComparison, _ b: NumberTerm) -> SQLCondition {
        if a.literal != nil, b.literal == nil { return compareNumbers(b, comparison.exchanged, a) }
        if let rounded = compareRounded(a, comparison, b) { return rounded }
        if let column = a.mixedColumn, b.literal != nil {
            // In SQLite, text and BLOBs are greater than all numbers. Only the plain column can use an index.
            let condition = compareValues(column, comparison, b.sql, aIsNullable: a.isNullable)
            guard comparison == .greater || comparison == .greaterOrEqual else { return condition }
            return SQLCondition("(\(condition.sql) AND \(dialect.isNumeric(column)))", mayBeNull: condition.mayBeNull)
        }
        var (x, y) = (a, b)
        var isLarge = false
        if case .integer(let whole) = b.literal { isLarge = whole.magnitude > 1 << 53 }
        if needsDoubles(a, b) {
            (x.sql, y.sql) = (a.double(in: dialect), b.double(in: dialect))
        } else if let literal = b.literal, !(isLarge && a.storage == .double && dialect.family == .postgreSQL) {
            // Integers are compared with integers, so that an index is used.
            y.sql = dialect.number(literal, for: a.storage, wholeDigits: a.wholeDigits)
        } else if dialect.family == .postgreSQL, a.isInteger != b.isInteger, a.storage == .double || b.storage == .double {
            (x.sql, y.sql) = (a.exact(in: dialect), b.exact(in: dialect))
        } else {
            (x.sql, y.sql) = (a.widened(forUseWith: b, in: dialect), b.widened(forUseWith: a, in: dialect))
        }
        var condition = compareValues(x.sql, comparison, y.sql, aIsNullable: x.isNullable, bIsNullable: y.isNullable)
        guard let nan = dialect.nan else { return condition }
        // Servers treat NaN as the greatest number, equal to itself. In gridview, it has no order.
        var nans: [SQLFragment] = []
        if x.mayBeNaN { nans.append(x.sql) }
        if y.mayBeNaN { nans.append(y.sql) }
        guard !nans.isEmpty else { return condition }
        switch comparison {
        case .notEqual:
            if x.mayBeNaN, y.mayBeNaN { condition.sql = "(\(condition.sql) OR \(x.sql) = \(nan))" }
        case .equal:
            if x.mayBeNaN, y.mayBeNaN { condition.sql = "(\(condition.sql) AND \(x.sql) <> \(nan))" }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let isLess = comparison == .less || comparison == .lessOrEqual
            // If only one side can be NaN, it is tested only if it is the greater side. A side that is less than a number is not NaN,
            // because NaN counts as the greatest value.
            let needed = nans.filter { $0 != (isLess ? x.sql : y.sql) || x.mayBeNaN && y.mayBeNaN }
            if !needed.isEmpty { condition.sql = "(\(condition.sql) AND \(needed.map { "\($0) < \(nan)" }, by: " AND "))" }
        }
        return condition
    }

    /// True if DuckDB cannot convert both numbers to one decimal. They are then compared as floating-point numbers.
    private func needsDoubles(_ a: NumberTerm, _ b: NumberTerm) -> Bool {
        guard dialect.family == .duckDB, a.storage != .double, b.storage != .double, !(a.isInteger && b.isInteger) else { return false }
        func scale(_ term: NumberTerm) -> Int {
            if case .numeric(let scale?) = term.storage { return scale }
            return term.literal?.digitCounts?.scale ?? 0
        }
        let scale = max(scale(a), scale(b))
        guard scale > 0, let x = a.wholeDigits, let y = b.wholeDigits else { return false }
        return max(x, y) + scale > SQLDialect.maximumDigits
    }

    /// The comparison of a number with a literal that has more fraction digits than the number can have. The literal is rounded down first,
    /// because DuckDB may have no decimal type for the digits of both. This does not change the result: the number cannot lie between the
    /// literal and the rounded literal.
    /// - Returns: `nil` if the literal does not have more fraction digits, or for other databases.
    private func compareRounded(_ number: NumberTerm, _ comparison: SQLComparison, _ literal: NumberTerm) -> SQLCondition? {
        guard dialect.family == .duckDB, let scale = number.storage.fractionDigits,
            let rounded = literal.literal?.roundedDown(fractionDigits: scale)
        else { return nil }
        switch comparison {
        case .equal: return SQLCondition(dialect.falseLiteral, mayBeNull: false)
        case .notEqual: return SQLCondition(dialect.trueLiteral, mayBeNull: false)
        case .less, .lessOrEqual: return compareNumbers(number, .lessOrEqual, NumberTerm(rounded, in: dialect))
        case .greater, .greaterOrEqual: return compareNumbers(number, .greater, NumberTerm(rounded, in: dialect))
        }
    }
}
