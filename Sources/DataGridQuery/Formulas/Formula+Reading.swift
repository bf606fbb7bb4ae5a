public import FieldValues
public import Tables

extension Formula {
    /// Reads a formula as a person writes it.
    ///
    /// ```
    /// price * quantity
    /// if(side = 'BUY' and price > 100, 'large', 'small')
    /// concat(upper(left(name, 1)), mid(name, 2, 100))
    /// ```
    /// - Parameters:
    ///   - text: fields are bare names, names in double quotes or `#3`; texts stand in single quotes.
    ///   - schema: the fields there are.
    /// - Throws: `FilterError` with the place where the text cannot be understood.
    /// - Complexity: O(length).
    public init(_ text: String, in schema: Schema) throws(FilterError) {
        var parser = FormulaParser(FormulaSource(text), schema, isFilter: false)
        let whole = try parser.whole()
        _ = try whole.type(in: schema)
        try whole.checkPatterns()
        self = whole.formula
    }

    /// What the values are read as: `decimal` for every number.
    public func kind(in schema: Schema) -> ValueKind { ((try? type(in: schema)) ?? .text).kind }

    /// What the formula gives.
    /// - Throws: ``FilterError`` without a place, for an argument that a function cannot take.
    func type(in schema: Schema) throws(FilterError) -> ValueType { try PlacedFormula(self).type(in: schema) }

    /// Whether it is a field of texts. Its texts may be read as something else.
    func isTextField(_ schema: Schema) -> Bool {
        if case .field(let id) = self { return schema[id]?.kind ?? .text == .text }
        return false
    }
}

extension PlacedFormula {
    /// What the formula gives.
    /// - Throws: ``FilterError`` at the place of an argument that a function cannot take.
    func type(in schema: Schema) throws(FilterError) -> ValueType {
        switch formula {
        case .field(let id): return ValueType(schema[id]?.kind ?? .text)
        case .constant(.number): return .number
        case .constant(.approximate): throw FilterError("Number too large: the limit is 38 digits.", at: place)
        case .constant(.text): return .text
        case .constant(.flag): return .flag
        case .constant(.moment(_, let kind)): return ValueType(kind)
        case .call(.anyFieldContains, _):
            throw FilterError("Only filters can use this, alone or with “and”, “or” and “not”.", at: place)
        case .call(let function, _):
            if function.needsConstant, arguments[1].text == nil { throw .textExpected(at: arguments[1].place) }
            var types: [ValueType] = []
            for argument in arguments { types.append(try argument.type(in: schema)) }
            do {
                return try function.type(of: types, areTextFields: arguments.map { $0.formula.isTextField(schema) })
            } catch {
                throw FilterError(error.message, at: arguments[error.argument].place)
            }
        }
    }

    /// - Throws: ``FilterError`` for a text that is no regular expression where one is needed.
    func checkPatterns() throws(FilterError) {
        if case .call(let function, _) = formula, function == .matches || function == .matchesIgnoringCase { _ = try pattern() }
        for argument in arguments { try argument.checkPatterns() }
    }

    func pattern() throws(FilterError) -> FilterPattern {
        guard case .call(let function, _) = formula, let text = arguments[1].text else { throw .textExpected(at: arguments[1].place) }
        do {
            return try FilterPattern(text, ignoresCase: function.ignoresCase)
        } catch {
            throw FilterError("Not a regular expression: \(error.message).", at: arguments[1].place)
        }
    }
}

extension Formula.Function {
    /// Whether the function tests texts without regard to case.
    var ignoresCase: Bool { needsConstant && self != .matches }

    /// The test of a text with a constant that ``FoldedText`` makes; `nil` for other functions.
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
