import FieldValues
import Tables

extension FormulaParser {
    mutating func parseSum() throws(FilterError) -> PlacedFormula {
        var left = try parseProduct()
        while isSymbol("+") || isSymbol("-") {
            let (function, operatorPlace): (Function, Range<Int>) = (isSymbol("+") ? .add : .subtract, token.place)
            try advanceOverOperator()
            left = call(function, [left, try parseProduct()], from: left.place.lowerBound, operatorPlace: operatorPlace)
        }
        return left
    }

    private mutating func parseProduct() throws(FilterError) -> PlacedFormula {
        var left = try parseSigned()
        while isSymbol("*") || isSymbol("/") {
            let (function, operatorPlace): (Function, Range<Int>) = (isSymbol("*") ? .multiply : .divide, token.place)
            try advanceOverOperator()
            left = call(function, [left, try parseSigned()], from: left.place.lowerBound, operatorPlace: operatorPlace)
        }
        return left
    }

    private mutating func advanceOverOperator() throws(FilterError) {
        operatorCount += 1
        try checkOperatorCount()
        try advance()
    }

    func checkOperatorCount() throws(FilterError) {
        guard operatorCount <= Self.operatorLimit else {
            throw FilterError(.tooManyOperators, "Too many operators: the limit is \(Self.operatorLimit).", at: token.place)
        }
    }

    private mutating func parseSigned() throws(FilterError) -> PlacedFormula {
        guard isSymbol("-") || isSymbol("+") else { return try parseAtom() }
        let operatorPlace = token.place
        let isNegative = isSymbol("-")
        try advance()
        if case .number = token.kind {
            // The minus sign becomes part of the number instead of a negation.
            let number = try parseAtom()
            guard case .constant(let constant) = number.formula else { return number }
            return PlacedFormula(.constant(isNegative ? constant.negated : constant), at: operatorPlace.lowerBound..<end)
        }
        let part = try nested { parser throws(FilterError) in try parser.parseSigned() }
        let negated = call(.negate, [part], from: operatorPlace.lowerBound, operatorPlace: operatorPlace)
        if isNegative { return negated }
        // A plus sign has no effect, but is allowed only before numbers.
        _ = try negated.type(in: schema)
        return part
    }

    /// Parses the values up to `)`.
    /// - Parameter left: the value before `in`, whose type determines how the listed values are parsed; `nil` for the arguments of a
    ///   function.
    mutating func parseList(valuesOf left: PlacedFormula? = nil) throws(FilterError) -> [PlacedFormula] {
        let wasInList = isInList
        isInList = true
        defer { isInList = wasInList }
        var parts: [PlacedFormula] = []
        while true {
            if let left, let text = try parseUnquotedText(for: left) {
                parts.append(text)
            } else {
                parts.append(try nested { parser throws(FilterError) in try parser.parseDisjunction() })
            }
            guard isSymbol(",") else { break }
            if let left, left.formula.hasDecimalCommas(in: schema), let number = source.numberWithPoint(comma: token.place.lowerBound) {
                let spaced = source.text(number.place).replacing(",", with: ", ")
                throw FilterError(
                    .ambiguousNumber,
                    "“\(source.text(number.place))” is ambiguous. Write \(number.text), or \(spaced) with a space.", at: number.place)
            }
            if let left { try advance(toValueOf: left) } else { try advance() }
        }
        guard try skip(")") else { throw FilterError(.expectedListEnd, "Expected “,” or “)”.", at: token.place) }
        return parts
    }

    private mutating func parseParenthesized() throws(FilterError) -> PlacedFormula {
        let start = token.place.lowerBound
        let wasInList = isInList
        isInList = false
        defer { isInList = wasInList }
        var inside = try nested { parser throws(FilterError) in
            try parser.advance()
            return try parser.parseDisjunction()
        }
        guard try skip(")") else { throw FilterError(.expectedParenthesis, "Expected “)”.", at: token.place) }
        inside.place = start..<end
        return inside
    }

    private mutating func parseAtom() throws(FilterError) -> PlacedFormula {
        let place = token.place
        let formula: Formula
        switch token.kind {
        case .symbol("("): return try parseParenthesized()
        case .symbol, .end: throw FilterError(.expectedOperand, "Expected a column or a value.", at: place)
        case .word(let word): return try parseWord(word, at: place)
        case .name(let name): formula = try field(named: name, at: place).map { .field($0.id) } ?? .constant(.text(name))
        case .text(let text): formula = .constant(.text(text))
        case .columnNumber(let number):
            guard let field = schema.field(numbered: number) else {
                let last = Set(schema.fields.lazy.map(\.id).filter { !$0.isDerived }).count
                throw FilterError(.unknownColumnNumber, "No column #\(number): the last is #\(last).", at: place)
            }
            formula = .field(field.id)
        case .number:
            if let error = source.pointGroupsError(at: place.lowerBound), !isInList { throw error }
            if !isInList, let plain = source.numberWithoutSeparators(from: place.lowerBound) {
                // After a column with decimal commas, a single comma may be one.
                let written = source.text(plain.place)
                if written.count(where: { ",.".contains($0) }) == 1, namesDecimalCommas(before: place.lowerBound) {
                    throw ambiguity(of: written, whole: plain.text, at: plain.place)
                }
                throw FilterError(
                    .thousandsSeparator,
                    "Write numbers without thousands separators: \(plain.text).",
                    at: plain.place)
            }
            formula = .constant(.number(asWritten: source.text(place)))
        case .temporal(let value, let kind): formula = .constant(.temporal(value, kind))
        }
        try advance()
        return PlacedFormula(formula, at: place)
    }

    /// True if the formula names a column with decimal commas before the scalar at `end`.
    private func namesDecimalCommas(before end: Int) -> Bool {
        var place = 0
        while let token = try? source.token(after: place), token.place.lowerBound < end {
            let field: Field? =
                switch token.kind {
                case .word(let name), .name(let name): schema.field(named: name)
                case .columnNumber(let number): schema.field(numbered: number)
                default: nil
                }
            if let field, field.kind.isNumber, field.notation.isComma { return true }
            place = token.place.upperBound
        }
        return false
    }

    /// Parses a value that starts with a word: a column name, a function call, `true` or `false`.
    private mutating func parseWord(_ word: String, at place: Range<Int>) throws(FilterError) -> PlacedFormula {
        try advance()
        let folded = word.lowercased()
        if isSymbol("("), let function = Function.named[folded] {
            try advance()
            let arguments = try parseList()
            guard function.argumentCounts.contains(arguments.count) else {
                throw FilterError(
                    .argumentCount, "\(word) takes \(function.argumentCountText), not \(arguments.count).", at: place.lowerBound..<end)
            }
            return call(function, arguments, from: place.lowerBound, operatorPlace: place)
        }
        if folded == "true" || folded == "false" { return PlacedFormula(.constant(.flag(folded == "true")), at: place) }
        if let field = try self.field(named: word, at: place) { return PlacedFormula(.field(field.id), at: place) }
        if isSymbol("("), !Formula.reservedWords.contains(folded) {
            throw FilterError(.unknownFunction, "Unknown function “\(word)”.\(FunctionHints.alternative(to: folded))", at: place)
        }
        if folded == "null" { throw FilterError(.nullComparison, "To find empty fields, write “is empty” or “is null”.", at: place) }
        if let name = unquotedName(at: place.lowerBound) { throw .quotesMissing(name.text, at: name.place) }
        if let error = source.currencyError(at: place.lowerBound) { throw error }
        let advice = FunctionHints.currentDate(folded) ?? FunctionHints.keyword(folded)
        let hint =
            advice ?? schema.name(near: word).map { " Did you mean “\($0)”?" } ?? " For text, write '\(joinedText(at: place))'."
        throw FilterError(.unknownColumn, "Unknown column “\(word)”.\(hint)", at: place)
    }

    /// The field with a name that was typed at `place`; `nil` without such a field.
    /// - Throws: an error if several fields have this name.
    func field(named name: String, at place: Range<Int>) throws(FilterError) -> Field? {
        let fields = schema.fields(named: name)
        guard fields.count < 2 else {
            throw FilterError(.ambiguousColumn, Schema.ambiguousName(name, fields.map { (id: $0.id, name: $0.name) }), at: place)
        }
        return fields.first
    }

    /// The text from a word up to the next space, such as `n/a`. If a part of it is the name of a column, only the word, because the rest
    /// is an operation.
    private func joinedText(at place: Range<Int>) -> String {
        let rest = source.scalars[place.lowerBound...].prefix { FormulaSource.isPartOfWord($0) || $0 == "/" || $0 == "-" }
        let text = source.text(place.lowerBound..<rest.endIndex)
        let hasName = text.split { $0 == "/" || $0 == "-" }.contains { schema.field(named: String($0)) != nil }
        return hasName ? source.text(place) : text
    }
}

extension Formula.Constant {
    /// The number that a token represents.
    fileprivate static func number(asWritten text: String) -> Formula.Constant {
        FieldBytes.withBytes(of: text) { $0.exactDecimal() }.map { .exact($0) } ?? .approximate(text)
    }

    fileprivate var negated: Formula.Constant {
        switch self {
        case .number(let number): .number(ExactDecimal(-number.mantissa, digits: number.digits))
        case .approximate(let text): .approximate(text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text)
        case .text, .flag, .temporal: self
        }
    }
}
