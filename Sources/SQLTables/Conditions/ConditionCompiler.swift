import FieldValues
import Tables

/// Compiles conditions to SQL with the results of the local filter. Columns, literals and floating-point arithmetic are compiled here,
/// other conditions by ``FormulaCompiler``.
///
/// The rules equal the rules of `Filter`: a missing value compares like NaN, so only `!=` is true. Missing text is an empty string.
struct ConditionCompiler {
    let dialect: SQLDialect
    let schema: Schema
    let columns: [FieldID: ColumnTerm]
    /// The columns that a search in any field examines.
    let allColumns: [FieldID]
    /// The remaining nesting depth; deeper formulas are refused.
    var depth = 200

    func nested() throws(Unsupported) -> ConditionCompiler {
        guard depth > 0 else { throw Unsupported("The formula has too many nested parts. Split it into computed columns.") }
        var nested = self
        nested.depth -= 1
        return nested
    }

    func column(_ id: FieldID) throws(Unsupported) -> ColumnTerm {
        guard let column = columns[id] else {
            throw Unsupported(
                id.isDerived ? "A column that it uses cannot be computed." : "The table has no column #\(id.rawValue + 1).")
        }
        return column
    }

    // MARK: Conditions

    func condition(_ formula: Formula) throws(Unsupported) -> SQLCondition {
        let inner = try nested()
        guard case .call(let function, let arguments) = formula else {
            if case .field(let id) = formula {
                let column = try column(id)
                if column.kind == .flag { return SQLCondition(column.value, mayBeNull: column.isNullable) }
            }
            throw Unsupported("A filter needs a condition, not a value.")
        }
        try function.check(argumentCount: arguments.count)
        switch function {
        case .and, .or:
            var parts: [SQLCondition] = []
            for argument in arguments { parts.append(try inner.condition(argument)) }
            return .joined(parts, by: function == .and ? " AND " : " OR ")
        case .not: return try inner.condition(arguments[0]).negated(in: dialect)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let comparison = SQLComparison(function), let a = try inner.operand(arguments[0]), let b = try inner.operand(arguments[1])
            else { return try FormulaCompiler(inner).condition(formula) }
            return try inner.compare(a, comparison, b)
        case .isIn:
            guard let a = try inner.operand(arguments[0]) else { return try FormulaCompiler(inner).condition(formula) }
            var others: [Operand] = []
            for argument in arguments.dropFirst() {
                guard let b = try inner.operand(argument) else { return try FormulaCompiler(inner).condition(formula) }
                others.append(b)
            }
            return try inner.isAny(a, of: others)
        case .isEmpty:
            guard case .field(let id) = arguments[0] else { return try FormulaCompiler(inner).condition(formula) }
            return isEmpty(try column(id))
        case .isNull:
            guard case .field(let id) = arguments[0] else { return try FormulaCompiler(inner).condition(formula) }
            return isNull(try column(id))
        case .matches, .matchesIgnoringCase:
            guard case .field(let id) = arguments[0] else { return try FormulaCompiler(inner).condition(formula) }
            guard case .constant(.text(let pattern)) = arguments[1] else { throw Unsupported("A regular expression must be a constant.") }
            return try matches(text(try column(id)), pattern, ignoresCase: function == .matchesIgnoringCase)
        case .anyFieldContains:
            guard case .constant(.text(let text)) = arguments[0] else { throw Unsupported("The text to search for must be a constant.") }
            return try anyField(contains: text)
        default:
            guard let (test, ignoresCase) = Self.textTest(function), case .field(let id) = arguments[0],
                case .constant(.text(let text)) = arguments[1]
            else { return try FormulaCompiler(inner).condition(formula) }
            return try self.test(test, self.text(try column(id)), text, ignoresCase: ignoresCase)
        }
    }

    static func textTest(_ function: Formula.Function) -> (SQLDialect.TextTest, ignoresCase: Bool)? {
        switch function {
        case .equalIgnoringCase: (.equals, true)
        case .contains: (.contains, false)
        case .containsIgnoringCase: (.contains, true)
        case .startsWith: (.startsWith, false)
        case .startsWithIgnoringCase: (.startsWith, true)
        case .endsWith: (.endsWith, false)
        case .endsWithIgnoringCase: (.endsWith, true)
        default: nil
        }
    }

    /// True for NULL, and for computed text that is empty.
    func isNull(_ column: ColumnTerm) -> SQLCondition {
        if column.index == nil, column.isText { return SQLCondition("\(dialect.length(column.text)) = 0", mayBeNull: false) }
        return SQLCondition(column.isNullable ? "\(column.value) IS NULL" : dialect.falseLiteral, mayBeNull: false)
    }

    /// True for NULL, and for text that is empty or only spaces and tabs.
    func isEmpty(_ column: ColumnTerm) -> SQLCondition {
        let isNull: SQLFragment = "\(column.value) IS NULL"
        guard column.isText || column.isMixed else {
            return SQLCondition(column.isNullable ? isNull : dialect.falseLiteral, mayBeNull: false)
        }
        let hasBytes = dialect.family == .postgreSQL && column.hasTextValue && (column.isStored || column.collation == .bytes)
        let bytes = column.collation == .bytes ? column.text : dialect.byBytes(column.text)
        let isBlank = dialect.isBlank(column.text, comparing: hasBytes ? bytes : nil)
        return SQLCondition(column.isNullable ? "(\(isNull) OR \(isBlank))" : isBlank, mayBeNull: false)
    }

    // MARK: Text

    /// A text operand. NULL is treated as an empty string.
    struct TextTerm {
        var sql: SQLFragment
        var isNullable: Bool
        var collation = ServerColumn.Collation.bytes
        var isNumberOrDate = false
        /// The string, if the operand is a constant.
        var constant: String?

        var orEmpty: SQLFragment { isNullable ? "COALESCE(\(sql), '')" : sql }
    }

    func text(_ column: ColumnTerm) -> TextTerm {
        if case .nondeterministic = column.collation {
            // Replace a nondeterministic collation, because text functions reject it.
            return TextTerm(sql: "(\(dialect.byBytes(column.text)))", isNullable: column.isNullable, isNumberOrDate: !column.isText)
        }
        return unchangedText(column)
    }

    private func unchangedText(_ column: ColumnTerm) -> TextTerm {
        TextTerm(sql: column.text, isNullable: column.isNullable, collation: column.collation, isNumberOrDate: !column.isText)
    }

    func constant(_ text: String) throws(Unsupported) -> TextTerm {
        guard !text.unicodeScalars.contains("\0") || dialect.family == .sqlite else {
            throw Unsupported("The text contains a NUL character, which gridview cannot send to \(dialect.name).")
        }
        return TextTerm(sql: dialect.text(text), isNullable: false, constant: text)
    }

    /// The operand of an equality test, which compares bytes.
    func equatable(_ term: TextTerm, _ sql: SQLFragment) -> SQLFragment {
        if case .nondeterministic = term.collation { return "(\(dialect.byBytes(sql)))" }
        return sql
    }

    /// The operand of an ordered comparison, which compares bytes.
    func ordered(_ term: TextTerm, _ sql: SQLFragment) -> SQLFragment { term.collation == .bytes ? sql : "(\(dialect.byBytes(sql)))" }

    func compareTexts(_ a: TextTerm, _ comparison: SQLComparison, _ b: TextTerm) -> SQLCondition {
        if a.constant != nil, b.constant == nil { return compareTexts(b, comparison.exchanged, a) }
        // The server refuses to compare columns with different collations unless one side names a collation.
        let needsCollation = b.constant == nil && a.collation != b.collation
        let isEquality = !needsCollation && (comparison == .equal || comparison == .notEqual)
        func side(_ term: TextTerm, _ sql: SQLFragment) -> SQLFragment {
            // An explicit collation on one side applies to both.
            isEquality ? equatable(term, sql) : ordered(term, sql)
        }
        guard let constant = b.constant else {
            let sql: SQLFragment = "\(side(a, a.orEmpty)) \(comparison.sql) \(side(b, b.orEmpty))"
            return SQLCondition(sql, mayBeNull: false)
        }
        let sql: SQLFragment = "\(side(a, a.sql)) \(comparison.sql) \(b.sql)"
        guard a.isNullable else { return SQLCondition(sql, mayBeNull: false) }
        if comparison.matchesEmptyText(comparedWith: constant) { return SQLCondition("(\(a.sql) IS NULL OR \(sql))", mayBeNull: false) }
        return SQLCondition(sql, mayBeNull: true)
    }

    func test(_ test: SQLDialect.TextTest, _ term: TextTerm, _ text: String, ignoresCase: Bool) throws(Unsupported) -> SQLCondition {
        let needle = try constant(text)
        if text.isEmpty, test != .equals { return SQLCondition(dialect.trueLiteral, mayBeNull: false) }
        guard ignoresCase else {
            let value = equatable(term, term.sql)
            if test == .equals { return compareTexts(term, .equal, needle) }
            if let pattern = dialect.patternTest(test, value, text) { return SQLCondition(pattern, mayBeNull: term.isNullable) }
            return SQLCondition(dialect.test(test, value, needle.sql, count: text.unicodeScalars.count), mayBeNull: term.isNullable)
        }
        let folded = CaseVariants.folded(text)
        guard let value = dialect.translated(term.sql, folded.pairs) else {
            throw Unsupported("\(dialect.name) cannot ignore case as gridview does. Use a case-sensitive test.")
        }
        let bytes = equatable(term, value)
        if text.isEmpty {
            return SQLCondition(term.isNullable ? "(\(term.sql) IS NULL OR \(bytes) = '')" : "\(bytes) = ''", mayBeNull: false)
        }
        let condition = dialect.test(test, bytes, dialect.text(folded.text), count: folded.text.unicodeScalars.count)
        return SQLCondition(condition, mayBeNull: term.isNullable)
    }

    /// Tests a text operand against a second operand that is not a constant.
    func test(_ test: SQLDialect.TextTest, _ term: TextTerm, _ other: TextTerm) -> SQLCondition {
        SQLCondition(dialect.test(test, equatable(term, term.orEmpty), equatable(other, other.orEmpty), count: nil), mayBeNull: false)
    }

    func matches(_ term: TextTerm, _ pattern: String, ignoresCase: Bool) throws(Unsupported) -> SQLCondition {
        _ = try constant(pattern)
        guard dialect.capabilities.contains(.regex),
            let sql = try dialect.matches(equatable(term, term.orEmpty), pattern, ignoresCase: ignoresCase)
        else {
            throw Unsupported("\(dialect.name) does not support regular expressions. Use contains, starts with, ends with or like.")
        }
        return SQLCondition(sql, mayBeNull: false)
    }

    /// The condition that any field contains `text`. It ignores case unless `text` contains capital letters.
    private func anyField(contains text: String) throws(Unsupported) -> SQLCondition {
        let ignoresCase = !text.unicodeScalars.contains { $0.properties.isUppercase }
        var parts: [SQLCondition] = []
        for id in allColumns { parts.append(try test(.contains, self.text(try column(id)), text, ignoresCase: ignoresCase)) }
        return parts.isEmpty ? SQLCondition(dialect.falseLiteral, mayBeNull: false) : .joined(parts, by: " OR ")
    }

    // MARK: Operands

    /// One side of a comparison, if it contains no function calls.
    enum Operand {
        case column(ColumnTerm)
        case number(NumberLiteral)
        /// The result of arithmetic.
        case computed(NumberTerm)
        case text(String)
        case temporal(Int64, ValueKind)
        case flag(Bool)
    }

    /// A numeric operand: an integer or a floating-point number.
    struct NumberTerm {
        var sql: SQLFragment
        var storage: ServerType.Storage
        var isNullable: Bool
        var mayBeNaN: Bool
        var literal: NumberLiteral?
        /// The column before conversion, if its values can have several types; otherwise `nil`. ``sql`` excludes values that are not
        /// numbers.
        var mixedColumn: SQLFragment?
        /// The maximum number of digits before the decimal point of an integer or a decimal; `nil` if unknown.
        var wholeDigits: Int?
        /// True for the result of arithmetic.
        var isComputed = false

        var isInteger: Bool { storage == .integer }
    }

    /// One side of a comparison; `nil` if it needs a formula.
    func operand(_ formula: Formula) throws(Unsupported) -> Operand? {
        switch formula {
        case .field(let id): return .column(try column(id))
        case .constant(.text(let text)): return .text(text)
        case .constant(.flag(let flag)): return .flag(flag)
        case .constant(.temporal(let value, let kind)): return .temporal(value, kind)
        case .constant(.number(let number)): return .number(NumberLiteral(number))
        case .constant(.approximate(let text)):
            guard let number = NumberLiteral(text) else { throw Unsupported("“\(text)” is not a number.") }
            return .number(number)
        case .call:
            guard let number = try nested().computedNumber(formula) else { return nil }
            return number.literal.map { .number($0) } ?? .computed(number)
        }
    }

    private func computedNumber(_ formula: Formula) throws(Unsupported) -> NumberTerm? {
        switch formula {
        case .field, .constant: return try operand(formula).map { (operand) throws(Unsupported) in try number(operand) }
        case .call(.negate, let arguments) where arguments.count == 1:
            guard let value = try nested().computedNumber(arguments[0]) else { return nil }
            if let literal = value.literal { return number(literal.negated) }
            return NumberTerm(
                sql: "(- \(value.isInteger ? arithmetic(value) : value.sql))", storage: value.storage, isNullable: value.isNullable,
                mayBeNaN: value.mayBeNaN, wholeDigits: value.wholeDigits, isComputed: true)
        case .call(let function, let arguments) where arguments.count == 2:
            let symbol: SQLFragment
            switch function {
            case .add: symbol = "+"
            case .subtract: symbol = "-"
            case .multiply: symbol = "*"
            case .divide: symbol = "/"
            default: return nil
            }
            let inner = try nested()
            guard let a = try inner.computedNumber(arguments[0]), let b = try inner.computedNumber(arguments[1]) else { return nil }
            guard dialect.family != .spark, dialect.family != .ansi else {
                throw Unsupported("gridview cannot express arithmetic in the SQL of \(dialect.name).")
            }
            let isNullable = a.isNullable || b.isNullable
            if function == .divide {
                guard let quotient = dialect.doubleQuotient(arithmetic(a), arithmetic(b)) else {
                    throw Unsupported("\(dialect.name) divides numbers differently from gridview.")
                }
                return NumberTerm(
                    sql: "(\(quotient))", storage: .double, isNullable: isNullable || dialect.nan == nil, mayBeNaN: true, isComputed: true)
            }
            if a.isInteger, b.isInteger {
                let sql: SQLFragment = "(\(arithmetic(a)) \(symbol) \(arithmetic(b)))"
                let (x, y) = (a.wholeDigits ?? Self.integerDigits, b.wholeDigits ?? Self.integerDigits)
                let digits = function == .multiply ? x + y : max(x, y) + 1
                guard digits <= SQLDialect.maximumDigits || dialect.family != .duckDB else {
                    throw Unsupported(dialect.tooManyDigits)
                }
                return NumberTerm(
                    sql: sql, storage: .integer, isNullable: isNullable, mayBeNaN: false, wholeDigits: digits, isComputed: true)
            }
            // Compute with floating-point numbers, as local filters do. Exact decimals would give other results: 0.1 + 0.2 = 0.3.
            let (x, y) = (double(a), double(b))
            // In DuckDB, the result of floating-point overflow is infinity, and infinity minus infinity is NaN.
            return NumberTerm(
                sql: "(\(x) \(symbol) \(y))", storage: .double, isNullable: isNullable || dialect.nan == nil,
                mayBeNaN: a.mayBeNaN || b.mayBeNaN || dialect.family == .duckDB, isComputed: true)
        default: return nil
        }
    }

    /// The maximum number of digits of a 64-bit integer.
    private static let integerDigits = 19

    /// The number as an operand of arithmetic. In PostgreSQL, integers become decimals, which cannot overflow. In DuckDB, they become
    /// integers of 128 bits.
    private func arithmetic(_ term: NumberTerm) -> SQLFragment {
        switch dialect.family {
        case .postgreSQL where term.isInteger: return dialect.cast(term.sql, .numeric)
        case .duckDB where term.isInteger: return "CAST(\(term.sql) AS hugeint)"
        case .duckDB where term.storage != .double: return double(term)
        default: return term.sql
        }
    }

    /// The number as a floating-point number.
    private func double(_ term: NumberTerm) -> SQLFragment {
        // DuckDB converts decimals of at most 15 digits to the nearest floating-point number. Longer ones need a conversion through text.
        guard dialect.family == .duckDB else { return dialect.cast(arithmetic(term), .double) }
        if let literal = term.literal { return dialect.number(literal, for: .double) }
        guard case .numeric(let scale) = term.storage else { return dialect.cast(term.sql, .double) }
        let isShort = term.wholeDigits.map { $0 + (scale ?? 0) <= 15 } ?? false
        return dialect.cast(isShort ? term.sql : dialect.cast(term.sql, .text), .double)
    }

    private func number(_ literal: NumberLiteral) -> NumberTerm {
        let storage: ServerType.Storage
        switch literal {
        case .integer: storage = .integer
        case .exact: storage = dialect.family == .sqlite ? .double : .numeric(scale: nil)
        case .double: storage = .double
        }
        return NumberTerm(
            sql: dialect.number(literal, for: storage), storage: storage, isNullable: false, mayBeNaN: false, literal: literal,
            wholeDigits: literal.digitCounts?.whole)
    }

    func number(_ column: ColumnTerm) throws(Unsupported) -> NumberTerm {
        guard column.isNumber else {
            throw Unsupported("Column “\(column.name)” is not numeric on the server. Put the value in quotes to compare it as text.")
        }
        var value = column.value
        // Use the shortest text of the number, as gridview does: 0.1, not 0.10000000149.
        if column.storage == .real, dialect.family == .postgreSQL || dialect.family == .duckDB {
            value = dialect.cast(column.text, .double)
        }
        if column.isMixed { value = "CASE WHEN \(dialect.isNumeric(value)) THEN \(value) END" }
        return NumberTerm(
            sql: value, storage: column.storage == .real ? .double : column.storage, isNullable: column.isNullable || column.isMixed,
            mayBeNaN: column.mayBeNaN(in: dialect), mixedColumn: column.isMixed ? column.value : nil, wholeDigits: column.wholeDigits)
    }

    private func number(_ operand: Operand) throws(Unsupported) -> NumberTerm {
        switch operand {
        case .column(let column): return try number(column)
        case .number(let literal): return number(literal)
        case .computed(let term): return term
        case .text, .temporal, .flag: throw Unsupported("Arithmetic needs numbers.")
        }
    }

    // MARK: Comparisons

    func compare(_ a: Operand, _ comparison: SQLComparison, _ b: Operand) throws(Unsupported) -> SQLCondition {
        switch (a, b) {
        case (.column(let x), .column(let y)): return try compareColumns(x, comparison, y)
        case (.column(let column), .text(let text)): return try compare(column, comparison, text: text)
        case (.text(let text), .column(let column)): return try compare(column, comparison.exchanged, text: text)
        case (.column(let column), .temporal(let moment, let kind)): return try compare(column, comparison, moment, kind)
        case (.temporal(let moment, let kind), .column(let column)): return try compare(column, comparison.exchanged, moment, kind)
        case (.column(let column), .flag(let flag)): return try compare(column, comparison, flag)
        case (.flag(let flag), .column(let column)): return try compare(column, comparison.exchanged, flag)
        default: return compareNumbers(try number(a), comparison, try number(b))
        }
    }

    private func compareColumns(_ x: ColumnTerm, _ comparison: SQLComparison, _ y: ColumnTerm) throws(Unsupported) -> SQLCondition {
        if x.isNumber, y.isNumber { return compareNumbers(try number(x), comparison, try number(y)) }
        if x.kind == .flag, y.kind == .flag { return compareValues(x.value, comparison, y.value, x.isNullable, y.isNullable) }
        if x.kind.isTemporal, y.kind.isTemporal, (x.kind == .time) == (y.kind == .time) {
            var (a, b) = (x.value, y.value)
            if x.storage != y.storage { (a, b) = (dialect.withoutZone(a, x.storage), dialect.withoutZone(b, y.storage)) }
            return compareValues(a, comparison, b, x.isNullable, y.isNullable)
        }
        return compareTexts(text(x), comparison, text(y))
    }

    private func compare(_ column: ColumnTerm, _ comparison: SQLComparison, text: String) throws(Unsupported) -> SQLCondition {
        func asTexts(isOrdered: Bool) throws(Unsupported) -> SQLCondition {
            guard isOrdered || comparison == .equal || comparison == .notEqual else {
                throw Unsupported("“\(text)” does not match the type of column “\(column.name)”.")
            }
            return compareTexts(self.text(column), comparison, try constant(text))
        }
        switch column.kind {
        case .text, .flag: return try asTexts(isOrdered: column.kind == .text)
        case .integer, .decimal:
            guard let literal = NumberLiteral(text) else { return try asTexts(isOrdered: false) }
            return compareNumbers(try number(column), comparison, number(literal))
        case .date, .dateTime, .time:
            let kind: ValueKind = column.kind == .time ? .time : .dateTime
            guard let moment = FieldBytes.withBytes(of: text, { $0.temporal(kind) }) else { return try asTexts(isOrdered: false) }
            return try compare(column, comparison, moment, kind)
        }
    }

    private func compare(_ column: ColumnTerm, _ comparison: SQLComparison, _ moment: Int64, _ kind: ValueKind) throws(Unsupported)
        -> SQLCondition
    {
        guard column.kind.isTemporal else {
            throw Unsupported(
                "Column “\(column.name)” is not a date or time on the server. Put the value in quotes to compare it as text.")
        }
        guard (column.kind == .time) == (kind == .time) else {
            throw Unsupported("Column “\(column.name)” contains \(column.kind == .time ? "times, not dates" : "dates, not times").")
        }
        return compareValues(column.value, comparison, self.moment(moment, for: column.storage), column.isNullable, false)
    }

    /// A date or time as a parameter, typed for comparison with columns of this storage.
    func moment(_ microseconds: Int64, for storage: ServerType.Storage) -> SQLFragment {
        let isMidnight = microseconds % 86_400_000_000 == 0
        switch storage {
        case .time: return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .time)), .time)
        case .date where isMidnight: return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .date)), .date)
        case .zonedDateTime:
            return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .dateTime) + "+00:00"), .zonedDateTime)
        default: return dialect.parameter(.text(DateText.text(ofMicroseconds: microseconds, kind: .dateTime)), .dateTime)
        }
    }

    private func compare(_ column: ColumnTerm, _ comparison: SQLComparison, _ flag: Bool) throws(Unsupported) -> SQLCondition {
        guard column.kind == .flag else {
            throw Unsupported("Column “\(column.name)” is not Boolean on the server.")
        }
        return compareValues(column.value, comparison, flag ? dialect.trueLiteral : dialect.falseLiteral, column.isNullable, false)
    }

    /// Compares values that cannot be NaN. If one side is NULL, only `!=` is true.
    func compareValues(
        _ a: SQLFragment, _ comparison: SQLComparison, _ b: SQLFragment, _ isNullableA: Bool, _ isNullableB: Bool
    ) -> SQLCondition {
        let sql: SQLFragment = "\(a) \(comparison.sql) \(b)"
        guard isNullableA || isNullableB else { return SQLCondition(sql, mayBeNull: false) }
        guard comparison == .notEqual else { return SQLCondition(sql, mayBeNull: true) }
        let nulls: [SQLFragment] = (isNullableA ? ["\(a) IS NULL"] : []) + (isNullableB ? ["\(b) IS NULL"] : [])
        return SQLCondition("(\(sql) OR \(nulls, by: " OR "))", mayBeNull: false)
    }

    func compareNumbers(_ a: NumberTerm, _ comparison: SQLComparison, _ b: NumberTerm) -> SQLCondition {
        if a.literal != nil, b.literal == nil { return compareNumbers(b, comparison.exchanged, a) }
        if let rounded = compareRounded(a, comparison, b) { return rounded }
        if let column = a.mixedColumn, b.literal != nil {
            // In SQLite, text and BLOBs are greater than all numbers. Only the plain column can use an index.
            let condition = compareValues(column, comparison, b.sql, a.isNullable, false)
            guard comparison == .greater || comparison == .greaterOrEqual else { return condition }
            return SQLCondition("(\(condition.sql) AND \(dialect.isNumeric(column)))", mayBeNull: condition.mayBeNull)
        }
        var (x, y) = (a, b)
        /// The exact value of a number. Conversion to floating point would round large integers, and the text of a large floating-point
        /// number has fewer digits than its value.
        func exact(_ term: NumberTerm) -> SQLFragment {
            if term.storage != .double { return dialect.cast(term.sql, .numeric) }
            let whole = dialect.cast(dialect.cast(term.sql, .integer), .numeric)
            let text = dialect.cast(dialect.cast(term.sql, .text), .numeric)
            return "CASE WHEN abs(\(term.sql)) < 9e18 AND \(term.sql) = floor(\(term.sql)) THEN \(whole) ELSE \(text) END"
        }
        /// True if DuckDB cannot convert both numbers to one decimal. They are then compared as floating-point numbers.
        func needsDoubles() -> Bool {
            guard dialect.family == .duckDB, a.storage != .double, b.storage != .double, !(a.isInteger && b.isInteger) else { return false }
            if a.isComputed || b.isComputed { return true }
            func scale(_ term: NumberTerm) -> Int {
                if case .numeric(let scale?) = term.storage { return scale }
                return term.literal?.digitCounts?.scale ?? 0
            }
            let scale = max(scale(a), scale(b))
            guard scale > 0, let x = a.wholeDigits, let y = b.wholeDigits else { return false }
            return max(x, y) + scale > SQLDialect.maximumDigits
        }
        var isLarge = false
        if case .integer(let whole) = b.literal { isLarge = whole.magnitude > 1 << 53 }
        if needsDoubles() {
            (x.sql, y.sql) = (double(a), double(b))
        } else if let literal = b.literal, !(isLarge && a.storage == .double && dialect.family == .postgreSQL) {
            // Integers are compared with integers, so that an index is used.
            y.sql = dialect.number(literal, for: a.storage, wholeDigits: a.wholeDigits)
        } else if dialect.family == .postgreSQL, a.isInteger != b.isInteger, a.storage == .double || b.storage == .double {
            (x.sql, y.sql) = (exact(a), exact(b))
        } else {
            (x.sql, y.sql) = (widened(a, beside: b), widened(b, beside: a))
        }
        var condition = compareValues(x.sql, comparison, y.sql, x.isNullable, y.isNullable)
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
            // One test is enough: NaN counts as the greatest value, so the smaller side is not NaN if it is smaller than a number.
            let needed = nans.filter { $0 != (isLess ? x.sql : y.sql) || x.mayBeNaN && y.mayBeNaN }
            if !needed.isEmpty { condition.sql = "(\(condition.sql) AND \(needed.map { "\($0) < \(nan)" }, by: " AND "))" }
        }
        return condition
    }

    /// The comparison of a number with a literal that has more fraction digits than the number can have. The literal is rounded down first,
    /// because DuckDB may have no decimal type for the digits of both. This does not change the result: the number cannot lie between the
    /// literal and the rounded literal.
    /// - Returns: `nil` if the literal does not have more fraction digits, or for other databases.
    private func compareRounded(_ number: NumberTerm, _ comparison: SQLComparison, _ literal: NumberTerm) -> SQLCondition? {
        guard dialect.family == .duckDB, !number.isComputed, let scale = number.storage.fractionDigits,
            let rounded = literal.literal?.roundedDown(fractionDigits: scale)
        else { return nil }
        switch comparison {
        case .equal: return SQLCondition(dialect.falseLiteral, mayBeNull: false)
        case .notEqual: return SQLCondition(dialect.trueLiteral, mayBeNull: false)
        case .less, .lessOrEqual: return compareNumbers(number, .lessOrEqual, self.number(rounded))
        case .greater, .greaterOrEqual: return compareNumbers(number, .greater, self.number(rounded))
        }
    }

    /// The number as an operand beside another number. If that is a HUGEINT, a decimal is converted to a HUGEINT. Otherwise, DuckDB would
    /// convert the HUGEINT to a decimal, which can have fewer digits.
    private func widened(_ term: NumberTerm, beside other: NumberTerm) -> SQLFragment {
        guard dialect.family == .duckDB, other.wholeDigits == SQLDialect.maximumDigits + 1, term.storage == .numeric(scale: 0) else {
            return term.sql
        }
        return "CAST(\(term.sql) AS hugeint)"
    }

    /// True if a list of numbers can contain a literal. In DuckDB, a list has one type, to which the column is converted. Therefore, only
    /// literals that fit the type of the column are put into a list. Other literals are compared one by one.
    private func listCanContain(_ literal: NumberLiteral, for column: ColumnTerm) -> Bool {
        guard dialect.family == .duckDB, let scale = column.storage.fractionDigits else { return true }
        guard let digits = literal.digitCounts else { return false }
        return digits.scale <= scale && digits.whole <= max(1, column.wholeDigits ?? .max)
    }

    /// The condition that `a` equals at least one of `others`.
    private func isAny(_ a: Operand, of others: [Operand]) throws(Unsupported) -> SQLCondition {
        guard others.count <= 10_000 else { throw Unsupported("The list has more than 10,000 values.") }
        // A list of numbers or strings becomes one condition, which can use an index.
        if case .column(let column) = a, column.kind == .text || column.isNumber, !column.isMixed, column.storage != .real {
            var items: [SQLFragment] = []
            var rest: [Operand] = []
            for other in others {
                switch other {
                case .number(let literal) where column.isNumber && listCanContain(literal, for: column):
                    items.append(dialect.number(literal, for: column.storage, wholeDigits: column.wholeDigits))
                case .text(let text) where column.kind == .text && !text.isEmpty: items.append(try constant(text).sql)
                default: rest.append(other)
                }
            }
            if items.count > 1 {
                let value = column.kind == .text ? text(column).sql : column.value
                var parts = [SQLCondition("\(value) IN (\(items))", mayBeNull: column.isNullable)]
                for other in rest { parts.append(try compare(a, .equal, other)) }
                return .joined(parts, by: " OR ")
            }
        }
        var parts: [SQLCondition] = []
        for other in others { parts.append(try compare(a, .equal, other)) }
        return .joined(parts, by: " OR ")
    }
}
