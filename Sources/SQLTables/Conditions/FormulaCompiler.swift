import FieldValues
import Tables

/// Compiles formulas to SQL. Numbers are exact decimals.
///
/// The rules equal the rules of the local formula engine: a function with a missing argument has no value. Missing values are NULL.
struct FormulaCompiler {
    /// The SQL of a formula.
    struct Term {
        var sql: SQLFragment
        var type: FormulaType
        var isNullable: Bool
        /// True for a quotient, which may be a rounded floating-point number.
        var isQuotient = false
        /// The reason why the database computed a number with floating-point numbers; `nil` if the number equals that of the local engine.
        /// Comparisons and arithmetic in filters accept a rounded number, and other formulas are refused with this reason.
        var roundingReason: UnsupportedError?
        /// True if the number is an integer.
        var isWhole = false
        /// True if the number may be infinite. An infinite number has no text, so its text is empty.
        var mayBeInfinite = false
        var storage: ServerType.Storage
        /// For a decimal with a fixed number of digits, the maximum number of digits before the decimal point.
        var wholeDigits: Int?
    }

    let conditions: ConditionCompiler
    /// True for a computed column and for the arguments of functions. Then the numbers of comparisons must be exact, too.
    let needsExactNumbers: Bool
    var dialect: SQLDialect { conditions.dialect }

    init(_ conditions: ConditionCompiler, needsExactNumbers: Bool = false) {
        (self.conditions, self.needsExactNumbers) = (conditions, needsExactNumbers)
    }

    /// A compiler of the parts of `formula`.
    func nested(in formula: Formula) throws(UnsupportedError) -> FormulaCompiler {
        FormulaCompiler(try conditions.nested(), needsExactNumbers: needsExactNumbers || Self.needsExactArguments(formula))
    }

    /// False for arithmetic and conditions, and true for other functions.
    private static func needsExactArguments(_ formula: Formula) -> Bool {
        guard case .call(let function, _) = formula else { return false }
        switch function {
        case .add, .subtract, .multiply, .divide, .negate, .and, .or, .not, .isEmpty, .isNull, .isIn, .equal, .notEqual, .less,
            .lessOrEqual, .greater, .greaterOrEqual:
            return false
        default: return true
        }
    }

    /// The maximum length of the SQL of a value, see ``SQLFragment/length``.
    private static let lengthLimit = 20_000

    /// Checks the length of the SQL of a value. Some conditions repeat their operands, so the length can double with each nested call.
    static func checkLength(_ length: Int) throws(UnsupportedError) {
        guard length <= lengthLimit else { throw UnsupportedError("The formula is too long for an SQL statement.") }
    }

    static let mismatchError = UnsupportedError("The types in the formula do not match.")

    // MARK: Types

    func type(_ formula: Formula) throws(UnsupportedError) -> FormulaType {
        switch formula {
        case .field(let id): return FormulaType(try conditions.column(id).kind)
        case .constant(.number), .constant(.approximate): return .number
        case .constant(.text): return .text
        case .constant(.flag): return .flag
        case .constant(.temporal(_, let kind)): return FormulaType(kind)
        case .call(let function, let arguments):
            try function.check(argumentCount: arguments.count)
            switch function {
            case .add, .subtract, .multiply, .divide, .negate, .abs, .round, .floor, .ceil, .length: return .number
            case .year, .month, .day, .weekday, .hour, .minute, .second, .days: return .number
            case .upper, .lower, .trim, .replace, .concat, .left, .right, .mid: return .text
            case .json: throw UnsupportedError("\(dialect.name) reads values in JSON text differently from gridview.")
            case .date: return .date
            case .conditional, .coalesce:
                let inner = try nested(in: formula)
                var types: Set<FormulaType> = []
                for argument in function == .conditional ? arguments.dropFirst() : arguments[...] { types.insert(try inner.type(argument)) }
                return types.count == 1 ? types.first ?? .text : .text
            default: return .flag
            }
        }
    }

    private func isTextField(_ formula: Formula) throws(UnsupportedError) -> Bool {
        if case .field(let id) = formula { return try conditions.column(id).kind == .text }
        return false
    }

    private func comparedType(_ arguments: [Formula]) throws(UnsupportedError) -> FormulaType {
        var common: Set<FormulaType> = []
        let (a, isTextA) = (try type(arguments[0]), try isTextField(arguments[0]))
        for argument in arguments.dropFirst() {
            let (b, isTextB) = (try type(argument), try isTextField(argument))
            let compared: FormulaType
            if a == b {
                compared = a
            } else if a.isDateOrTime, b.isDateOrTime, a != .time, b != .time {
                compared = .dateTime
            } else if isTextA {
                compared = b
            } else if isTextB {
                compared = a
            } else {
                throw Self.mismatchError
            }
            common.insert(compared == .date ? .dateTime : compared)
        }
        return common.count == 1 ? common.first ?? .text : .text
    }

    // MARK: Values

    func column(_ derived: DerivedField) throws(UnsupportedError) -> ColumnTerm {
        let type = try type(derived.formula)
        let kind = derived.field.kind
        guard FormulaType(kind) == type else {
            throw UnsupportedError("The formula of column “\(derived.field.name)” does not have the type of the column.")
        }
        if type == .text {
            let text = try text(derived.formula)
            // A derived field without a value is an empty string.
            let sql: SQLFragment = text.isNullable ? text.orEmpty : "(\(text.sql))"
            return ColumnTerm(
                index: nil, name: derived.field.name, kind: kind, storage: .text, value: sql, text: sql, isNullable: false,
                collation: text.collation)
        }
        let term = finite(try term(derived.formula, type))
        return ColumnTerm(
            index: nil, name: derived.field.name, kind: kind, storage: term.storage, value: "(\(term.sql))",
            text: "(\(try self.text(of: term)))", isNullable: term.isNullable, wholeDigits: term.wholeDigits)
    }

    /// The number with infinities and NaN replaced by NULL, because they have no text form.
    func finite(_ term: Term) -> Term {
        guard term.mayBeInfinite else { return term }
        var finite = term
        finite.sql = dialect.finite(term.sql)
        (finite.isNullable, finite.mayBeInfinite) = (true, false)
        return finite
    }

    /// Compiles a condition that contains functions.
    func condition(_ formula: Formula) throws(UnsupportedError) -> SQLCondition {
        guard try type(formula) == .flag else { throw UnsupportedError("A filter needs a condition, not a value.") }
        return try flag(formula)
    }

    /// - Parameter allowsRounding: true to accept a number that the database rounds, unless ``needsExactNumbers`` is true.
    private func term(_ formula: Formula, _ type: FormulaType, allowsRounding: Bool = false) throws(UnsupportedError) -> Term {
        let term = try uncheckedTerm(formula, type, allowsRounding: allowsRounding)
        try Self.checkLength(term.sql.length)
        return term
    }

    private func uncheckedTerm(_ formula: Formula, _ type: FormulaType, allowsRounding: Bool) throws(UnsupportedError) -> Term {
        switch type {
        case .number: return try number(formula, allowsRounding: allowsRounding)
        case .flag:
            var condition = try flag(formula)
            // Replace NULL by false, as in a comparison with a missing value. Only fields and choices between values can be NULL in
            // gridview.
            var hasValue = true
            switch formula {
            case .field, .call(.conditional, _), .call(.coalesce, _): hasValue = false
            default: break
            }
            if condition.mayBeNull, hasValue {
                condition = SQLCondition("COALESCE(\(condition.sql), \(dialect.falseLiteral))", mayBeNull: false)
            }
            // Avoid a bare constant, which ORDER BY would read as the number of a result column.
            if condition.sql == dialect.trueLiteral || condition.sql == dialect.falseLiteral {
                condition.sql = dialect.cast(condition.sql, .flag)
            }
            return Term(sql: condition.sql, type: .flag, isNullable: condition.mayBeNull, storage: .flag)
        case .date, .dateTime, .time: return try temporal(formula, isTime: type == .time)
        case .text:
            let text = try text(formula)
            return Term(sql: text.sql, type: .text, isNullable: text.isNullable, storage: .text)
        }
    }

    // MARK: Conditions

    func flag(_ formula: Formula) throws(UnsupportedError) -> SQLCondition {
        let inner = try nested(in: formula)
        switch formula {
        case .field(let id):
            let column = try conditions.column(id)
            guard column.kind == .flag else { throw UnsupportedError("Column “\(column.name)” is not Boolean on the server.") }
            return SQLCondition(column.value, mayBeNull: column.isNullable)
        case .constant(.flag(let flag)): return SQLCondition(flag ? dialect.trueLiteral : dialect.falseLiteral, mayBeNull: false)
        case .constant: throw Self.mismatchError
        case .call(let function, let arguments):
            switch function {
            case .and, .or:
                var parts: [SQLCondition] = []
                for argument in arguments { parts.append(try inner.flag(argument)) }
                return .joined(parts, by: function == .and ? " AND " : " OR ")
            case .not: return try inner.flag(arguments[0]).negated(in: dialect)
            case .isEmpty: return try inner.isEmpty(arguments[0])
            case .isNull: return try inner.isNull(arguments[0])
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                guard let comparison = SQLComparison(function) else { throw Self.mismatchError }
                return try inner.compare(arguments[0], comparison, arguments[1], try inner.comparedType(arguments))
            case .isIn:
                let type = try inner.comparedType(arguments)
                var parts: [SQLCondition] = []
                for argument in arguments.dropFirst() { parts.append(try inner.compare(arguments[0], .equal, argument, type)) }
                return .joined(parts, by: " OR ")
            case .matches, .matchesIgnoringCase:
                guard case .constant(.text(let pattern)) = arguments[1] else { throw Self.mismatchError }
                return try conditions.matches(try inner.text(arguments[0]), pattern, ignoresCase: function == .matchesIgnoringCase)
            case .conditional:
                let (test, a, b) = (try inner.flag(arguments[0]), try inner.flag(arguments[1]), try inner.flag(arguments[2]))
                return SQLCondition("CASE WHEN \(test.sql) THEN \(a.sql) ELSE \(b.sql) END", mayBeNull: a.mayBeNull || b.mayBeNull)
            case .coalesce:
                var parts: [SQLFragment] = []
                for argument in arguments { parts.append(try inner.flag(argument).sql) }
                return SQLCondition("COALESCE(\(parts))", mayBeNull: true)
            default:
                guard let (test, ignoresCase) = ConditionCompiler.textTest(function) else { throw Self.mismatchError }
                let text = try inner.text(arguments[0])
                if case .constant(.text(let constant)) = arguments[1] {
                    return try conditions.test(test, text, constant, ignoresCase: ignoresCase)
                }
                guard !ignoresCase else { throw Self.mismatchError }
                return conditions.test(test, text, try inner.text(arguments[1]))
            }
        }
    }

    private func isNull(_ formula: Formula) throws(UnsupportedError) -> SQLCondition {
        if case .field(let id) = formula { return conditions.isNull(try conditions.column(id)) }
        let type = try type(formula)
        if type == .flag { return SQLCondition(dialect.falseLiteral, mayBeNull: false) }
        return SQLCondition("\(finite(try term(formula, type, allowsRounding: true)).sql) IS NULL", mayBeNull: false)
    }

    private func isEmpty(_ formula: Formula) throws(UnsupportedError) -> SQLCondition {
        if case .field(let id) = formula { return dialect.isEmpty(try conditions.column(id)) }
        let type = try type(formula)
        let term = finite(try term(formula, type, allowsRounding: true))
        guard type == .text else { return SQLCondition(type == .flag ? dialect.falseLiteral : "\(term.sql) IS NULL", mayBeNull: false) }
        return SQLCondition("(\(term.sql) IS NULL OR \(dialect.isBlank(term.sql)))", mayBeNull: false)
    }

    private func compare(_ a: Formula, _ comparison: SQLComparison, _ b: Formula, _ type: FormulaType) throws(UnsupportedError)
        -> SQLCondition
    {
        if type == .text { return conditions.compareTexts(try text(a), comparison, try text(b)) }
        var (x, y) = (try term(a, type, allowsRounding: true), try term(b, type, allowsRounding: true))
        if type == .number, dialect.hasFixedDecimals {
            let terms = try convertedToCommonType([x, y], allowsRounding: !needsExactNumbers)
            (x, y) = (terms[0], terms[1])
        }
        if type.isDateOrTime, x.storage != y.storage {
            (x.sql, y.sql) = (dialect.withoutZone(x.sql, x.storage), dialect.withoutZone(y.sql, y.storage))
        }
        return conditions.compareValues("(\(x.sql))", comparison, "(\(y.sql))", aIsNullable: x.isNullable, bIsNullable: y.isNullable)
    }

    // MARK: Numbers

    /// - Parameter allowsRounding: true to accept a number that the database rounds, unless ``needsExactNumbers`` is true.
    func number(_ formula: Formula, allowsRounding: Bool = false) throws(UnsupportedError) -> Term {
        var term = try uncheckedNumber(formula)
        if needsExactNumbers || !allowsRounding, let reason = term.roundingReason { throw reason }
        // As in the local formula engine, only a field can be infinite.
        if case .call = formula { term = finite(term) }
        try Self.checkLength(term.sql.length)
        return term
    }

    private func uncheckedNumber(_ formula: Formula) throws(UnsupportedError) -> Term {
        func exact(_ sql: SQLFragment, isNullable: Bool, isWhole: Bool = false) -> Term {
            Term(
                sql: sql, type: .number, isNullable: isNullable, isWhole: isWhole,
                storage: isWhole && dialect.family == .sqlite ? .integer : .numeric(scale: nil))
        }
        if dialect.hasFixedDecimals { return try fixedNumber(formula) }
        guard dialect.family != .ansi else { throw UnsupportedError("gridview cannot express arithmetic in the SQL of \(dialect.name).") }
        let inner = try nested(in: formula)
        switch formula {
        case .field(let id):
            let column = try conditions.column(id)
            let number = try NumberTerm(column, in: dialect)
            if dialect.family == .sqlite {
                // A column of integers that is not strict can contain floating-point numbers.
                return Term(
                    sql: number.sql, type: .number, isNullable: number.isNullable, isWhole: number.isInteger,
                    mayBeInfinite: number.storage == .double || column.isMixed, storage: number.storage)
            }
            switch column.storage {
            case .integer: return exact(dialect.cast(column.value, .numeric), isNullable: column.isNullable, isWhole: true)
            case .numeric(let scale):
                var term = exact("NULLIF(\(column.value), 'NaN')", isNullable: true)
                // Numbers with a declared precision cannot be infinite.
                term.mayBeInfinite = scale == nil && column.index != nil
                return term
            default:
                var term = exact("NULLIF(\(dialect.cast(column.text, .numeric)), 'NaN')", isNullable: true)
                term.mayBeInfinite = true
                return term
            }
        case .constant(.number(let number)):
            let literal = NumberLiteral(number)
            if case .integer = literal {
                return exact(dialect.number(literal, for: .numeric(scale: nil)), isNullable: false, isWhole: true)
            }
            var term = exact(dialect.number(literal, for: .numeric(scale: nil)), isNullable: false)
            if dialect.family == .sqlite { term.storage = .double }
            return term
        case .constant(.approximate(let text)): return try approximate(text)
        case .constant: throw Self.mismatchError
        case .call(let function, let arguments):
            switch function {
            case .add, .subtract, .multiply, .divide:
                let (a, b) = (
                    try inner.number(arguments[0], allowsRounding: true), try inner.number(arguments[1], allowsRounding: true)
                )
                if let reason = roundingReason(function, a, b) { return inFloatingPoint(function, a, b, because: reason) }
                if function == .divide { return quotient(a, b) }
                let symbol: SQLFragment = function == .add ? "+" : function == .subtract ? "-" : "*"
                var term = exact(
                    "(\(a.sql) \(symbol) \(b.sql))", isNullable: a.isNullable || b.isNullable, isWhole: a.isWhole && b.isWhole)
                term.mayBeInfinite = a.mayBeInfinite || b.mayBeInfinite
                return term
            case .negate, .abs:
                // The result is exact even for a floating-point number.
                var term = try inner.number(arguments[0], allowsRounding: true)
                let negated: SQLFragment = "(- \(term.sql))"
                switch (function, dialect.family) {
                // SQLite reports an error for the absolute value of -2^63, but negates it.
                case (.abs, .sqlite): term.sql = "max(\(term.sql), \(negated))"
                case (.abs, _): term.sql = "\(function: "abs")(\(term.sql))"
                default: term.sql = negated
                }
                return term
            case .round, .floor, .ceil:
                let a = try inner.number(arguments[0])
                let digits = arguments.count > 1 ? try Self.constant(arguments[1]) : 0
                guard dialect.family == .postgreSQL else {
                    guard a.isWhole, digits >= 0 else { throw Self.unsupportedDecimalsError(dialect) }
                    return a
                }
                let sql: SQLFragment =
                    switch function {
                    case .floor: "\(function: "floor")(\(a.sql))"
                    case .ceil: "\(function: "ceil")(\(a.sql))"
                    case _ where digits == 0: "\(function: "round")(\(a.sql))"
                    default: "\(function: "round")(\(a.sql), \(max(-400, min(400, digits))))"
                    }
                var term = exact(sql, isNullable: a.isNullable, isWhole: digits <= 0)
                term.mayBeInfinite = a.mayBeInfinite
                return term
            case .length:
                let length: SQLFragment = "COALESCE(\(dialect.length(try inner.text(arguments[0]).sql)), 0)"
                return exact(dialect.family == .postgreSQL ? dialect.cast(length, .numeric) : length, isNullable: false, isWhole: true)
            case .year, .month, .day, .weekday, .hour, .minute, .second:
                let part = try inner.datePart(function, arguments[0])
                return exact(part.sql, isNullable: part.isNullable)
            case .days:
                let (a, b) = (try inner.temporal(arguments[0], isTime: false), try inner.temporal(arguments[1], isTime: false))
                return exact(dialect.cast(days(from: a, to: b), .numeric), isNullable: true, isWhole: true)
            case .conditional:
                let (test, a, b) = (try inner.flag(arguments[0]), try inner.number(arguments[1]), try inner.number(arguments[2]))
                var term = exact(
                    "CASE WHEN \(test.sql) THEN \(a.sql) ELSE \(b.sql) END", isNullable: a.isNullable || b.isNullable,
                    isWhole: a.isWhole && b.isWhole)
                term.isQuotient = a.isQuotient || b.isQuotient
                term.mayBeInfinite = a.mayBeInfinite || b.mayBeInfinite
                if !term.isWhole, dialect.family == .sqlite { throw Self.unsupportedDecimalsError(dialect) }
                return term
            case .coalesce:
                var parts: [Term] = []
                for argument in arguments { parts.append(finite(try inner.number(argument))) }
                let isWhole = parts.allSatisfy(\.isWhole)
                if !isWhole, dialect.family == .sqlite { throw Self.unsupportedDecimalsError(dialect) }
                var term = exact("COALESCE(\(parts.map(\.sql)))", isNullable: parts.allSatisfy(\.isNullable), isWhole: isWhole)
                term.isQuotient = parts.contains(where: \.isQuotient)
                return term
            default: throw Self.mismatchError
            }
        }
    }

    private static func unsupportedDecimalsError(_ dialect: SQLDialect) -> UnsupportedError {
        UnsupportedError(
            "\(dialect.name) does not support exact decimals, so the result would be rounded. Open the file without “sqlite:” instead.")
    }

    /// A number of more than 38 digits, which is a floating-point number in gridview, too.
    func approximate(_ text: String) throws(UnsupportedError) -> Term {
        guard let literal = NumberLiteral(text) else { throw Self.mismatchError }
        return Term(
            sql: dialect.number(literal, for: .double), type: .number, isNullable: false,
            roundingReason: UnsupportedError("A number in the formula is too large: the limit is 38 digits."), storage: .double)
    }

    /// The reason why the database cannot compute a sum, difference, product or quotient exactly; `nil` if it can.
    private func roundingReason(_ function: Formula.Function, _ a: Term, _ b: Term) -> UnsupportedError? {
        if let reason = a.roundingReason ?? b.roundingReason { return reason }
        if a.isQuotient || b.isQuotient {
            return UnsupportedError(
                "Inside a larger formula, the server rounds quotients differently from gridview. Compute the quotient in its own column.")
        }
        if dialect.capabilities.contains(.exactDecimals) { return nil }
        return function != .divide && a.isWhole && b.isWhole ? nil : Self.unsupportedDecimalsError(dialect)
    }

    /// A sum, difference, product or quotient of floating-point numbers. As in the local engine, it is NULL if the divisor is 0 or the
    /// result is not finite.
    func inFloatingPoint(_ function: Formula.Function, _ a: Term, _ b: Term, because reason: UnsupportedError) -> Term {
        let symbol: SQLFragment
        switch function {
        case .add: symbol = "+"
        case .subtract: symbol = "-"
        case .multiply: symbol = "*"
        default: symbol = "/"
        }
        let (x, y) = (double(a).sql, double(b).sql)
        let operand: SQLFragment = function == .divide ? "NULLIF(\(y), 0)" : y
        return finite(
            Term(
                sql: "(\(x) \(symbol) \(operand))", type: .number, isNullable: true, roundingReason: reason, mayBeInfinite: true,
                storage: .double))
    }

    /// The number as a floating-point number.
    func double(_ term: Term) -> Term {
        if term.roundingReason != nil { return term }
        var double = term
        // DuckDB converts whole numbers of 64 bits to the nearest floating-point number.
        let isInteger = term.isWhole && (term.wholeDigits ?? .max) <= 19
        let number = NumberTerm(
            sql: term.sql, storage: isInteger ? .integer : term.storage, isNullable: term.isNullable, mayBeNaN: false,
            wholeDigits: term.wholeDigits)
        (double.sql, double.storage, double.wholeDigits, double.isWhole) = (number.double(in: dialect), .double, nil, false)
        return double
    }

    /// The quotient: exact if it has at most 18 fraction digits, otherwise the nearest floating-point number.
    private func quotient(_ a: Term, _ b: Term) -> Term {
        let (x, y): (SQLFragment, SQLFragment) = ("(\(a.sql))", "(\(b.sql))")
        // Multiply by 1 with 20 fraction digits, so that the server computes the quotient with at least 20 digits.
        let rounded: SQLFragment = "\(function: "round")(\(x) * 1.00000000000000000000 / \(y), 18)"
        let double: SQLFragment = "CAST(CAST(\(dialect.cast(x, .double)) / \(dialect.cast(y, .double)) AS text) AS numeric)"
        let sql: SQLFragment = """
            CASE WHEN \(y) = 0 THEN NULL WHEN \(rounded) * \(y) = \(x) THEN \(rounded) ELSE \(double) END
            """
        var term = Term(sql: sql, type: .number, isNullable: true, isQuotient: true, storage: .numeric(scale: nil))
        term.mayBeInfinite = a.mayBeInfinite || b.mayBeInfinite
        return term
    }

    func datePart(_ function: Formula.Function, _ argument: Formula) throws(UnsupportedError) -> Term {
        let isTime = try type(argument) == .time
        let term = try temporal(argument, isTime: isTime)
        let part: SQLDialect.DatePart
        switch function {
        case .year: part = .year
        case .month: part = .month
        case .day: part = .day
        case .weekday: part = .weekday
        case .hour: part = .hour
        case .minute: part = .minute
        default: part = .second
        }
        let isMoment = term.storage == .dateTime || term.storage == .zonedDateTime
        let value = dialect.family == .duckDB && isMoment ? dialect.inMicroseconds(term.sql) : dialect.withoutZone(term.sql, term.storage)
        // Parts of values with a zone would depend on the zone of Spark's session.
        let isExpressible = dialect.family != .spark || term.storage != .zonedDateTime
        guard isExpressible, let sql = dialect.datePart(part, value) else {
            throw UnsupportedError(
                dialect.capabilities.contains(.temporalTypes)
                    ? "gridview cannot express “\(function.rawValue)” in the SQL of \(dialect.name)."
                    : "\(dialect.name) does not support dates.")
        }
        let isReadable = dialect.isReadable(term.sql, term.storage)
        return Term(
            sql: "CASE WHEN \(isReadable) THEN \(sql) END", type: .number, isNullable: true,
            storage: dialect.hasFixedDecimals ? .integer : .numeric(scale: nil))
    }

    /// The number of days from one date to another; NULL if gridview cannot read one of them.
    func days(from a: Term, to b: Term) -> SQLFragment {
        let areReadable = [a, b].map { dialect.isReadable($0.sql, $0.storage) }
        return "CASE WHEN \(areReadable, by: " AND ") THEN \(dialect.day(b.sql, b.storage)) - \(dialect.day(a.sql, a.storage)) END"
    }

    /// The value of a constant that counts characters or digits, rounded down.
    static func constant(_ formula: Formula) throws(UnsupportedError) -> Int {
        switch formula {
        case .constant(.number(let number)):
            let (quotient, rest) = number.mantissa.quotientAndRemainder(dividingBy: ExactDecimal.power(number.digits))
            return Int(clamping: rest < 0 ? quotient - 1 : quotient)
        case .call(.negate, let arguments) where arguments.count == 1:
            guard case .constant(.number(let number)) = arguments[0], number.digits == 0 else { break }
            return -max(-Int(Int32.max), min(Int(Int32.max), Int(clamping: number.mantissa)))
        default: break
        }
        throw UnsupportedError("On the server, the number of characters or digits must be a constant such as 2, not a column.")
    }

    // MARK: Dates

    func temporal(_ formula: Formula, isTime: Bool) throws(UnsupportedError) -> Term {
        let inner = try nested(in: formula)
        switch formula {
        case .field(let id):
            let column = try conditions.column(id)
            guard dialect.capabilities.contains(.temporalTypes) else { throw UnsupportedError("\(dialect.name) does not support dates.") }
            guard column.kind.isTemporal, (column.kind == .time) == isTime else {
                throw UnsupportedError("Column “\(column.name)” is not a \(isTime ? "time" : "date") column on the server.")
            }
            return Term(sql: column.value, type: FormulaType(column.kind), isNullable: column.isNullable, storage: column.storage)
        case .constant(.temporal(let moment, let kind)):
            guard dialect.capabilities.contains(.temporalTypes) else { throw UnsupportedError("\(dialect.name) does not support dates.") }
            let storage: ServerType.Storage = kind == .time ? .time : kind == .date ? .date : .dateTime
            return Term(sql: conditions.moment(moment, for: storage), type: FormulaType(kind), isNullable: false, storage: storage)
        case .constant: throw Self.mismatchError
        case .call(.date, let arguments) where arguments.count == 1:
            let term = try inner.temporal(arguments[0], isTime: false)
            let sql = dialect.day(term.sql, term.storage)
            return Term(sql: sql, type: .date, isNullable: term.isNullable, storage: .date)
        case .call(.conditional, let arguments) where arguments.count == 3:
            let test = try inner.flag(arguments[0])
            let (a, b) = (try inner.temporal(arguments[1], isTime: isTime), try inner.temporal(arguments[2], isTime: isTime))
            guard a.storage == b.storage else { throw UnsupportedError("The dates in the formula have different types on the server.") }
            let sql: SQLFragment = "CASE WHEN \(test.sql) THEN \(a.sql) ELSE \(b.sql) END"
            return Term(sql: sql, type: a.type, isNullable: a.isNullable || b.isNullable, storage: a.storage)
        case .call(.coalesce, let arguments):
            var parts: [Term] = []
            for argument in arguments { parts.append(try inner.temporal(argument, isTime: isTime)) }
            guard let first = parts.first, parts.allSatisfy({ $0.storage == first.storage }) else {
                throw UnsupportedError("The dates in the formula have different types on the server.")
            }
            return Term(sql: "COALESCE(\(parts.map(\.sql)))", type: first.type, isNullable: true, storage: first.storage)
        case .call: throw Self.mismatchError
        }
    }

    // MARK: Text

    /// The text of a value, as printed by the local formula engine.
    private func text(of term: Term) throws(UnsupportedError) -> SQLFragment {
        let term = finite(term)
        switch term.type {
        case .text: return term.sql
        case .number:
            if dialect.hasFixedDecimals { return try fixedText(of: term) }
            guard term.isWhole || dialect.family == .postgreSQL else { throw Self.unsupportedDecimalsError(dialect) }
            let text = dialect.decimalText(term.sql, scale: 0)
            guard dialect.family == .sqlite else { return text }
            // Beyond 64 bits, SQLite computes in floating point. This is exact for 2^63, but its text has only 15 digits.
            return "CASE \(term.sql) WHEN 9223372036854775808 THEN '9223372036854775808' ELSE \(text) END"
        case .flag: return "CASE WHEN \(term.sql) THEN 'true' ELSE 'false' END"
        case .date, .time: return dialect.cast(term.sql, .text)
        case .dateTime: return dialect.cast(term.sql, .text)
        }
    }

    func text(_ formula: Formula) throws(UnsupportedError) -> TextTerm {
        let text = try uncheckedText(formula)
        try Self.checkLength(text.sql.length)
        return text
    }

    private func uncheckedText(_ formula: Formula) throws(UnsupportedError) -> TextTerm {
        let inner = try nested(in: formula)
        switch formula {
        case .field(let id): return conditions.text(try conditions.column(id))
        case .constant(let constant): return try conditions.constant(constant.unquotedText())
        case .call(let function, let arguments):
            switch function {
            case .trim:
                let text = try inner.text(arguments[0])
                guard let sql = dialect.trimmed(text.sql) else { throw UnsupportedError("\(dialect.name) does not support trimming text.") }
                return TextTerm(sql: sql, isNullable: text.isNullable, collation: text.collation)
            case .left, .right, .mid:
                let text = try inner.text(arguments[0])
                let count = max(0, min(Int(Int32.max), try Self.constant(arguments[function == .mid ? 2 : 1])))
                let sql: SQLFragment
                switch function {
                case .left: sql = dialect.substring(of: text.sql, from: "1", count: "\(count)")
                case .mid:
                    let start = max(1, min(Int(Int32.max), try Self.constant(arguments[1])))
                    sql = dialect.substring(of: text.sql, from: "\(start)", count: "\(min(count, Int(Int32.max) - start))")
                default:
                    switch dialect.family {
                    case .sqlite: sql = count == 0 ? "''" : "substr(\(text.sql), \(-count))"
                    case .ansi: throw UnsupportedError("\(dialect.name) does not support the function “right”.")
                    default: sql = "\(function: "right")(\(text.sql), \(count))"
                    }
                }
                return TextTerm(sql: sql, isNullable: text.isNullable, collation: text.collation)
            case .replace:
                var parts: [SQLFragment] = []
                for argument in arguments {
                    let text = try inner.text(argument)
                    parts.append(conditions.equalityOperand(text, text.orEmpty))
                }
                return TextTerm(sql: "\(function: "replace")(\(parts))", isNullable: false, collation: .nondeterministic(""))
            case .concat:
                var parts: [SQLFragment] = []
                for argument in arguments { parts.append(try inner.text(argument).orEmpty) }
                return TextTerm(sql: "(\(parts, by: " || "))", isNullable: false, collation: .nondeterministic(""))
            case .conditional:
                let (test, a, b) = (try inner.flag(arguments[0]), try inner.text(arguments[1]), try inner.text(arguments[2]))
                let sql: SQLFragment = "CASE WHEN \(test.sql) THEN \(a.sql) ELSE \(b.sql) END"
                return TextTerm(sql: sql, isNullable: a.isNullable || b.isNullable, collation: .nondeterministic(""))
            case .coalesce:
                var parts: [SQLFragment] = []
                for argument in arguments {
                    let text = try inner.text(argument)
                    parts.append("WHEN NOT \(dialect.isBlank(text.sql)) THEN \(text.sql)")
                }
                return TextTerm(sql: "CASE \(parts, by: " ") END", isNullable: true, collation: .nondeterministic(""))
            case .upper, .lower:
                throw UnsupportedError(
                    "The server changes the case of letters by its own rules. Use a test that ignores case, such as contains*.")
            default:
                let type = try inner.type(formula)
                let term = try inner.term(formula, type)
                return TextTerm(sql: try text(of: term), isNullable: term.isNullable)
            }
        }
    }
}

extension Formula.Constant {
    /// The constant as a string, without quotes.
    fileprivate func unquotedText() throws(UnsupportedError) -> String {
        switch self {
        case .text(let text): return text
        case .number, .approximate, .flag: return text
        case .temporal(_, .dateTime): throw UnsupportedError("Write the date and time in quotes.")
        case .temporal: return text
        }
    }
}

extension Formula.Function {
    /// - Throws: ``UnsupportedError`` if the function does not take this number of arguments.
    func check(argumentCount count: Int) throws(UnsupportedError) {
        guard argumentCounts.contains(count) else {
            throw UnsupportedError("The function \(name ?? rawValue) takes \(argumentCountText), not \(count).")
        }
    }
}
