import FieldValues
import Tables

/// Computes in databases whose decimals have a fixed number of digits. Numbers are decimals of at most 38 digits, or floating-point
/// numbers.
///
/// Each decimal gets as many digits as its value can have, so no result is rounded or too large. Arithmetic with more digits, with
/// floating-point numbers, or with a quotient has a rounded result, which only comparisons accept. Floating-point numbers can also be
/// rounded to whole numbers. In other operations, gridview computes with their exact decimals, which the server cannot.
extension FormulaCompiler {
    /// Converts a number to a decimal with the given numbers of digits before and after the decimal point.
    private func decimal(
        _ sql: SQLFragment, whole: Int, scale: Int, isNullable: Bool
    ) throws(UnsupportedError) -> Term {
        let whole = max(1, whole)
        guard whole + scale <= SQLDialect.maximumDigits else { throw UnsupportedError(dialect.tooManyDigitsReason) }
        return Term(
            sql: "CAST(\(sql) AS decimal(\(whole + scale), \(scale)))", type: .number, isNullable: isNullable, isWhole: scale == 0,
            storage: .numeric(scale: scale), wholeDigits: whole)
    }

    /// The numbers of digits before and after the decimal point; `nil` for a floating-point number.
    private func digits(_ term: Term) -> (whole: Int, scale: Int)? {
        guard case .numeric(let scale?) = term.storage, let whole = term.wholeDigits else { return nil }
        return (whole, scale)
    }

    func fixedNumber(_ formula: Formula) throws(UnsupportedError) -> Term {
        let inner = try nested(in: formula)
        switch formula {
        case .field(let id):
            let column = try conditions.column(id)
            let number = try NumberTerm(column, in: dialect)
            if number.storage == .double {
                guard let nan = dialect.nan, dialect.family == .duckDB else { throw exactDecimalsNeededError }
                return Term(
                    sql: "NULLIF(\(number.sql), \(nan))", type: .number, isNullable: true, mayBeInfinite: true, storage: .double)
            }
            var scale = 0
            if case .numeric(let fraction) = number.storage { scale = fraction ?? SQLDialect.maximumDigits }
            do {
                return try decimal(
                    number.sql, whole: column.wholeDigits ?? SQLDialect.maximumDigits, scale: scale, isNullable: number.isNullable)
            } catch {
                guard dialect.family == .duckDB else { throw error }
                return Term(
                    sql: number.double(in: dialect), type: .number, isNullable: number.isNullable, roundingReason: error, storage: .double)
            }
        case .constant(.number(let number)):
            let literal = NumberLiteral(number)
            guard let (whole, scale) = literal.digitCounts else { throw Self.mismatchError }
            return try decimal(dialect.text(literal.text), whole: whole, scale: scale, isNullable: false)
        case .constant(.approximate(let text)): return try approximate(text)
        case .constant: throw Self.mismatchError
        case .call(let function, let arguments): return finite(try inner.fixedNumber(function, arguments))
        }
    }

    private func fixedNumber(_ function: Formula.Function, _ arguments: [Formula]) throws(UnsupportedError) -> Term {
        switch function {
        case .add, .subtract, .multiply, .divide, .round, .floor, .ceil:
            guard dialect.family == .duckDB else {
                throw UnsupportedError("gridview cannot express arithmetic in the SQL of \(dialect.name).")
            }
        default: break
        }
        switch function {
        case .add, .subtract, .multiply, .divide:
            let (a, b) = (try fixedNumber(arguments[0]), try fixedNumber(arguments[1]))
            do {
                return try exactResult(function, a, b)
            } catch {
                return inFloatingPoint(function, a, b, because: error)
            }
        case .negate, .abs:
            var term = function == .abs ? try number(arguments[0]) : try fixedNumber(arguments[0])
            term.sql = function == .abs ? "abs(\(term.sql))" : "(- \(term.sql))"
            return term
        case .round, .floor, .ceil:
            return try rounded(
                try number(arguments[0]), function, digits: arguments.count > 1 ? try Self.constant(arguments[1]) : 0)
        case .length:
            let length: SQLFragment = "COALESCE(\(dialect.length(try text(arguments[0]).sql)), 0)"
            return try decimal(length, whole: 10, scale: 0, isNullable: false)
        case .year, .month, .day, .weekday, .hour, .minute, .second:
            let part = try datePart(function, arguments[0])
            return try decimal(part.sql, whole: 4, scale: function == .second ? 6 : 0, isNullable: true)
        case .days:
            guard dialect.family == .duckDB else {
                throw UnsupportedError("gridview cannot express “\(function.rawValue)” in the SQL of \(dialect.name).")
            }
            let (a, b) = (try temporal(arguments[0], isTime: false), try temporal(arguments[1], isTime: false))
            return try decimal(days(from: a, to: b), whole: 7, scale: 0, isNullable: true)
        case .conditional:
            let test = try flag(arguments[0])
            let terms = try convertedToCommonType([try number(arguments[1]), try number(arguments[2])])
            var term = terms[0]
            term.sql = "CASE WHEN \(test.sql) THEN \(terms[0].sql) ELSE \(terms[1].sql) END"
            term.isNullable = terms.contains(where: \.isNullable)
            term.mayBeInfinite = terms.contains(where: \.mayBeInfinite)
            return term
        case .coalesce:
            var parts: [Term] = []
            for argument in arguments { parts.append(finite(try number(argument))) }
            let terms = try convertedToCommonType(parts)
            var term = terms[0]
            term.sql = "COALESCE(\(terms.map(\.sql)))"
            term.isNullable = terms.allSatisfy(\.isNullable)
            return term
        default: throw Self.mismatchError
        }
    }

    /// An exact sum, difference or product.
    private func exactResult(_ function: Formula.Function, _ a: Term, _ b: Term) throws(UnsupportedError) -> Term {
        if let reason = a.roundingReason ?? b.roundingReason { throw reason }
        guard function != .divide else {
            throw UnsupportedError(
                "\(dialect.name) rounds quotients differently from gridview, so you can divide only within a comparison in a filter.")
        }
        guard let (x, m) = digits(a), let (y, n) = digits(b) else { throw exactDecimalsNeededError }
        let isNullable = a.isNullable || b.isNullable
        if function == .multiply {
            // Widen the type, because DuckDB computes with 64 bits unless an operand has more than 18 digits.
            let wide = try decimal(a.sql, whole: x + y + n, scale: m, isNullable: a.isNullable)
            return try decimal("\(wide.sql) * \(b.sql)", whole: x + y, scale: m + n, isNullable: isNullable)
        }
        let (whole, scale) = (max(x, y) + 1, max(m, n))
        let (left, right) = (
            try decimal(a.sql, whole: whole, scale: scale, isNullable: a.isNullable),
            try decimal(b.sql, whole: whole, scale: scale, isNullable: b.isNullable)
        )
        let symbol: SQLFragment = function == .add ? "+" : "-"
        return try decimal("\(left.sql) \(symbol) \(right.sql)", whole: whole, scale: scale, isNullable: isNullable)
    }

    private func rounded(_ term: Term, _ function: Formula.Function, digits count: Int) throws(UnsupportedError) -> Term {
        let name: SQLFragment = function == .floor ? "floor" : function == .ceil ? "ceil" : "round"
        guard let (whole, scale) = digits(term) else {
            guard count == 0 else { throw exactDecimalsNeededError }
            var rounded = term
            rounded.sql = "\(name)(\(term.sql))"
            return rounded
        }
        if count >= scale { return term }
        guard count >= -whole else {
            return try decimal("CASE WHEN \(term.sql) IS NOT NULL THEN 0 END", whole: 1, scale: 0, isNullable: term.isNullable)
        }
        let sql: SQLFragment = function == .round ? "round(\(term.sql), \(count))" : "\(name)(\(term.sql))"
        return try decimal(sql, whole: whole + 1, scale: max(0, count), isNullable: term.isNullable)
    }

    /// Converts numbers to one type, so that they can be compared. This type is floating point if one of them is a floating-point number,
    /// otherwise decimal. Floating-point numbers represent only decimals of at most 15 digits.
    /// - Parameter allowsRounding: true to round longer decimals beside a floating-point number, and decimals that have no common type with
    ///   enough digits. Otherwise, these numbers are refused.
    func convertedToCommonType(_ terms: [Term], allowsRounding: Bool = false) throws(UnsupportedError) -> [Term] {
        let digits = terms.compactMap { self.digits($0) }
        let (whole, scale) = (digits.map(\.whole).max() ?? 0, digits.map(\.scale).max() ?? 0)
        if digits.count < terms.count || allowsRounding && whole + scale > SQLDialect.maximumDigits {
            guard allowsRounding || digits.allSatisfy({ $0.whole + $0.scale <= 15 }) else { throw exactDecimalsNeededError }
            return terms.map { self.digits($0) == nil ? $0 : double($0) }
        }
        var converted: [Term] = []
        for term in terms {
            converted.append(try decimal(term.sql, whole: whole, scale: scale, isNullable: term.isNullable))
        }
        return converted
    }

    /// The text of a decimal. A floating-point number is refused, because the server can print it differently.
    func fixedText(of term: Term) throws(UnsupportedError) -> SQLFragment {
        guard let (_, scale) = digits(term) else { throw exactDecimalsNeededError }
        return dialect.decimalText(term.sql, scale: scale)
    }

    private var exactDecimalsNeededError: UnsupportedError {
        UnsupportedError(
            "gridview computes with exact decimals, but \(dialect.name) would round these floating-point numbers. Use a decimal column.")
    }
}
