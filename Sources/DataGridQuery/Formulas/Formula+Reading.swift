public import FieldValues
public import Tables

extension Formula {
    /// Parses a formula.
    ///
    /// ```
    /// price * quantity
    /// if(side = 'BUY' and price > 100, 'large', 'small')
    /// concat(upper(left(name, 1)), mid(name, 2, 100))
    /// ```
    /// - Parameters:
    ///   - text: the formula. Fields are bare names, names in double quotes, or `#3`. Strings are in single quotes.
    ///   - schema: the fields that the formula can use.
    /// - Throws: `FilterError` with the range of the error in `text`.
    /// - Complexity: O(length).
    public init(_ text: String, in schema: Schema) throws(FilterError) {
        var parser = FormulaParser(FormulaSource(text), schema, isFilter: false)
        let parsed = try parser.parseAll()
        try parsed.checkNumbers()
        _ = try parsed.type(in: schema)
        try parsed.checkPatterns()
        self = parsed.formula
    }

    /// The kind of the values that the formula computes; `decimal` for all numbers.
    public func kind(in schema: Schema) -> ValueKind { ((try? type(in: schema)) ?? .text).kind }

    /// The type of the values that the formula computes.
    /// - Throws: ``FilterError`` without a range, if an argument has a wrong type.
    func type(in schema: Schema) throws(FilterError) -> FormulaType { try LocatedFormula(self).type(in: schema) }

    /// The formula with each number that is the same in every row as a constant: `price > 6` instead of `price > 2 * 3`.
    package var foldingConstants: Formula {
        guard case .call(let function, let arguments) = self else { return self }
        let schema = Schema([])
        if fields.isEmpty, (try? type(in: schema)) == .number, let value = FormulaProgram(self, schema).constantValue?.exactDecimal {
            return .constant(.number(value.withoutTrailingZeros))
        }
        return .call(function, arguments.map(\.foldingConstants))
    }

    /// True if the formula returns text that may be read as another type, such as a number. The formula is then a text field, or a value
    /// from JSON text.
    func isTextField(_ schema: Schema) -> Bool {
        switch self {
        case .field(let id): schema[id]?.kind ?? .text == .text
        case .call(let function, _): function == .json
        case .constant: false
        }
    }
}

extension LocatedFormula {
    /// The type of the values that the formula computes.
    /// - Throws: ``FilterError`` at the range of an argument of a wrong type.
    func type(in schema: Schema) throws(FilterError) -> FormulaType {
        switch formula {
        case .field(let id): return FormulaType(schema[id]?.kind ?? .text)
        case .constant(.number): return .number
        case .constant(.approximate(let text)):
            guard ComparisonType.number(.point).value(of: text) != nil else { throw FilterError(.notNumber, "Not a number.", at: range) }
            return .number
        case .constant(.text): return .text
        case .constant(.flag): return .flag
        case .constant(.temporal(_, let kind)): return FormulaType(kind)
        case .call(.anyFieldContains, _):
            throw FilterError(
                .searchInFormula, "A search in all cells works only in filters, alone or with “and”, “or” and “not”.", at: range)
        case .call(let function, _):
            if function.needsConstant, arguments[1].text == nil { throw .textExpectedError(at: arguments[1].range) }
            var types: [FormulaType] = []
            for argument in arguments { types.append(try argument.type(in: schema)) }
            do {
                return try function.type(of: types, areTextFields: arguments.map { $0.formula.isTextField(schema) })
            } catch {
                let argument = arguments[error.argument]
                // In SQL, dates are in quotes.
                let advice = argument.text.flatMap { FormulaSource($0).isValue ? " Write \($0) without quotes." : nil }
                throw FilterError(.argumentType, error.message + (advice ?? ""), at: argument.range)
            }
        }
    }

    /// Checks the numbers of a computed column, in which a rounded number could be shown.
    /// - Throws: ``FilterError`` if a number has more than 38 digits.
    func checkNumbers() throws(FilterError) {
        if case .constant(.approximate) = formula {
            throw FilterError(.numberTooLarge, "Number too large: the limit is 38 digits.", at: range)
        }
        for argument in arguments { try argument.checkNumbers() }
    }

    /// Checks the constant arguments that functions compile.
    /// - Throws: ``FilterError`` if a regular expression or a JSON path is invalid.
    func checkPatterns() throws(FilterError) {
        if case .call(let function, _) = formula {
            if function == .matches || function == .matchesIgnoringCase { _ = try pattern() }
            if function == .json, JSONPath.keys(arguments[1].text ?? "")?.isEmpty ?? true {
                throw FilterError(.invalidPath, "Expected a path, as in 'address.city' or 'items.0'.", at: arguments[1].range)
            }
        }
        for argument in arguments { try argument.checkPatterns() }
    }

    func pattern() throws(FilterError) -> FilterPattern {
        guard case .call(let function, _) = formula, let text = arguments[1].text else { throw .textExpectedError(at: arguments[1].range) }
        do {
            return try FilterPattern(text, ignoresCase: function.ignoresCase)
        } catch {
            throw FilterError(.invalidPattern, "Invalid regular expression: \(error.message).", at: arguments[1].range)
        }
    }
}

extension Formula.Function {
    /// True if the function ignores the case of letters.
    var ignoresCase: Bool { needsConstant && self != .matches && self != .json }

    /// The test that ``FoldedText`` performs for the function, if its second argument is a constant; `nil` for other functions.
    var textTest: FilterTextTest? {
        switch self {
        case .equalIgnoringCase: .equals
        case .contains, .containsIgnoringCase: .contains
        case .startsWith, .startsWithIgnoringCase: .startsWith
        case .endsWith, .endsWithIgnoringCase: .endsWith
        default: nil
        }
    }
}
