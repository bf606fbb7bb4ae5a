import FieldValues
import Tables

/// Converts a parsed condition to its execution plan. Comparisons of columns and literals become typed tests; all others are evaluated as
/// formulas.
struct FilterPlanner {
    let schema: Schema

    func plan(_ whole: LocatedFormula) throws(FilterError) -> FilterExpression {
        if case .field(let id) = whole.formula, let field = schema[id], field.kind != .flag {
            throw missingComparisonError(field, at: whole.range)
        }
        return try condition(whole)
    }

    private func condition(_ part: LocatedFormula) throws(FilterError) -> FilterExpression {
        guard case .call(let function, _) = part.formula else {
            if case .field(let id) = part.formula, schema[id]?.kind == .flag {
                return .compare(.column(id.rawValue, .flag), .equal, .literal(.integer(1)))
            }
            throw .comparisonExpectedError(at: part.end)
        }
        switch function {
        case .and: return .all(try conditions(part))
        case .or: return .any(try conditions(part))
        case .not: return .not(try condition(part.arguments[0]))
        case .equal: return try comparison(part, .equal)
        case .notEqual: return try comparison(part, .notEqual)
        case .less: return try comparison(part, .less)
        case .lessOrEqual: return try comparison(part, .lessOrEqual)
        case .greater: return try comparison(part, .greater)
        case .greaterOrEqual: return try comparison(part, .greaterOrEqual)
        case .isIn: return try membershipTest(part)
        case .isEmpty:
            guard case .field(let id) = part.arguments[0].formula else { return try computedCondition(part) }
            return .isEmpty(column: id.rawValue)
        case .isNull:
            guard case .field(let id) = part.arguments[0].formula else { return try computedCondition(part) }
            // A derived field is text and cannot be null, so `is null` means that it is empty.
            return id.isDerived ? .isEmpty(column: id.rawValue) : .isNull(column: id.rawValue)
        case .matches, .matchesIgnoringCase:
            let pattern = try part.pattern()
            guard case .field(let id) = part.arguments[0].formula else { return try computedCondition(part) }
            return .matches(column: id.rawValue, pattern)
        case .anyFieldContains:
            guard let text = part.arguments[0].text else { throw .textExpectedError(at: part.arguments[0].range) }
            return .anyFieldContains(text)
        default:
            guard let test = function.textTest else { return try computedCondition(part) }
            return try textTest(part, test, ignoresCase: function.ignoresCase)
        }
    }

    private func conditions(_ part: LocatedFormula) throws(FilterError) -> [FilterExpression] {
        var conditions: [FilterExpression] = []
        for argument in part.arguments { conditions.append(try condition(argument)) }
        return conditions
    }

    // MARK: Tests

    private func textTest(_ part: LocatedFormula, _ test: FilterTextTest, ignoresCase: Bool) throws(FilterError) -> FilterExpression {
        let (left, right) = (part.arguments[0], part.arguments[1])
        // If the second operand is a column name, it is probably meant as a string, but its quotes are missing.
        if case .field = right.formula { throw .textExpectedError(at: right.range) }
        guard case .field(let id) = left.formula, let text = right.text else { return try computedCondition(part) }
        return .test(test, column: id.rawValue, text, ignoresCase: ignoresCase)
    }

    private func comparison(_ part: LocatedFormula, _ comparison: FilterComparison) throws(FilterError) -> FilterExpression {
        let (left, right) = (part.arguments[0], part.arguments[1])
        guard let a = try operand(left), let b = try operand(right) else {
            if left.isCondition, try right.type(in: schema) != .flag {
                throw FilterError(.expectedAndOr, "Expected “and” or “or”.", at: part.operatorRange)
            }
            if right.isCondition, try left.type(in: schema) != .flag {
                throw FilterError(.expectedValue, "Expected a value here, not a condition.", at: right.end)
            }
            return try computedCondition(part)
        }
        try checkNumber(right, with: a)
        try checkNumber(left, with: b)
        return try compare(a, comparison, b)
    }

    /// Throws if a literal number is compared with a column of dates, times or flags.
    private func checkNumber(_ number: LocatedFormula, with operand: FilterOperand) throws(FilterError) {
        guard case .column(let column) = operand.kind, column.kind != .text, !column.kind.isNumber,
            case .constant(let constant) = number.formula
        else { return }
        switch constant {
        case .number, .approximate: throw typeMismatchError(of: column, ", not \(constant.text)", at: operand.range)
        case .text, .flag, .temporal: return
        }
    }

    /// Creates the test of `in (…)`: equality with one of several values. Literals of one type form one test.
    private func membershipTest(_ part: LocatedFormula) throws(FilterError) -> FilterExpression {
        var numbers: [FilterValue: [FilterNumber]] = [:]
        var order: [FilterValue] = []
        var texts: [String] = []
        var column = 0
        var others: [FilterExpression] = []
        guard let a = try operand(part.arguments[0]) else { return try computedCondition(part) }
        for item in part.arguments.dropFirst() {
            guard let b = try operand(item) else { return try computedCondition(part) }
            try checkNumber(item, with: a)
            switch try compare(a, .equal, b) {
            case .compare(let value, _, .literal(let number)):
                if numbers[value] == nil { order.append(value) }
                // No field equals a constant without a value, such as 1 / 0. The list is sorted, so it must not contain NaN.
                numbers[value, default: []] += number.isNaN ? [] : [number]
            case .compareTexts(.column(let index), _, .literal(let text)):
                column = index
                texts.append(text)
            case let other: others.append(other)
            }
        }
        var parts: [FilterExpression] = order.map { .isOneOf($0, numbers[$0] ?? []) }
        if !texts.isEmpty { parts.append(.textIsOneOf(column: column, texts)) }
        parts += others
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    // MARK: Formulas

    private func computedCondition(_ part: LocatedFormula) throws(FilterError) -> FilterExpression {
        guard try part.type(in: schema) == .flag else { throw .comparisonExpectedError(at: part.end) }
        try part.checkPatterns()
        guard !part.formula.fields.isEmpty else {
            throw FilterError(.expectedColumn, "Expected a column.", at: part.arguments.first?.range ?? part.range)
        }
        return .computed(FilterFormula(part.formula, schema))
    }
}
