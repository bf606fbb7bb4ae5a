import FieldValues
import Tables

/// Compiles conditions to SQL with the results of the local filter. Comparisons and tests of columns with literals are compiled here, other
/// conditions by ``FormulaCompiler``.
///
/// The rules equal the rules of `Filter`: a missing value compares like NaN, so only `!=` is true. Missing text is an empty string.
struct ConditionCompiler {
    let dialect: SQLDialect
    let schema: Schema
    let columns: [FieldID: ColumnTerm]
    /// The columns that a search in all columns examines.
    let allColumns: [FieldID]
    /// The remaining nesting depth; deeper formulas are refused.
    var depth = 200

    func nested() throws(UnsupportedError) -> ConditionCompiler {
        guard depth > 0 else { throw UnsupportedError("The formula has too many nested parts. Split it into computed columns.") }
        var nested = self
        nested.depth -= 1
        return nested
    }

    func column(_ id: FieldID) throws(UnsupportedError) -> ColumnTerm {
        guard let column = columns[id] else {
            throw UnsupportedError(
                id.isDerived ? "A column that it uses cannot be computed." : "The table has no column #\(id.rawValue + 1).")
        }
        return column
    }

    // MARK: Conditions

    func condition(_ formula: Formula) throws(UnsupportedError) -> SQLCondition {
        let inner = try nested()
        guard case .call(let function, let arguments) = formula else {
            if case .field(let id) = formula {
                let column = try column(id)
                if column.kind == .flag { return SQLCondition(column.value, mayBeNull: column.isNullable) }
            }
            throw UnsupportedError("A filter needs a condition, not a value.")
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
            return try inner.equalsAny(a, of: others)
        case .isEmpty:
            guard case .field(let id) = arguments[0] else { return try FormulaCompiler(inner).condition(formula) }
            return dialect.isEmpty(try column(id))
        case .isNull:
            guard case .field(let id) = arguments[0] else { return try FormulaCompiler(inner).condition(formula) }
            return isNull(try column(id))
        case .matches, .matchesIgnoringCase:
            guard case .field(let id) = arguments[0] else { return try FormulaCompiler(inner).condition(formula) }
            guard case .constant(.text(let pattern)) = arguments[1] else {
                throw UnsupportedError("A regular expression must be a constant.")
            }
            return try matches(text(try column(id)), pattern, ignoresCase: function == .matchesIgnoringCase)
        case .anyFieldContains:
            guard case .constant(.text(let text)) = arguments[0] else {
                throw UnsupportedError("The text to search for must be a constant.")
            }
            return try anyField(contains: text)
        default:
            guard let (test, ignoresCase) = Self.textTest(function), case .field(let id) = arguments[0],
                case .constant(.text(let text)) = arguments[1]
            else { return try FormulaCompiler(inner).condition(formula) }
            // Use the whole text for `endsWith`, because a cut text lacks its end.
            let tested = test == .endsWith ? self.text(try column(id)) : testedText(try column(id))
            return try self.test(test, tested, text, ignoresCase: ignoresCase)
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
        return SQLCondition(column.isNullable ? "\(column.presence) IS NULL" : dialect.falseLiteral, mayBeNull: false)
    }
}
