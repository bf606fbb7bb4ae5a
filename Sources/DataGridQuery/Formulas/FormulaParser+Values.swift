import FieldValues
import Tables

extension FormulaParser {
    mutating func parseSum() throws(FilterError) -> LocatedFormula {
        var left = try parseProduct()
        while isSymbol("+") || isSymbol("-") {
            let (function, operatorRange): (Function, Range<Int>) = (isSymbol("+") ? .add : .subtract, token.range)
            try advanceOverOperator()
            left = call(function, [left, try parseProduct()], from: left.range.lowerBound, operatorRange: operatorRange)
        }
        return left
    }

    private mutating func parseProduct() throws(FilterError) -> LocatedFormula {
        var left = try parseSigned()
        while isSymbol("*") || isSymbol("/") {
            let (function, operatorRange): (Function, Range<Int>) = (isSymbol("*") ? .multiply : .divide, token.range)
            try advanceOverOperator()
            if source.text(token.range) == source.text(operatorRange) {
                let range = operatorRange.lowerBound..<token.range.upperBound
                if let error = FunctionHints.unknownOperatorError(source.text(range), at: range) { throw error }
            }
            left = call(function, [left, try parseSigned()], from: left.range.lowerBound, operatorRange: operatorRange)
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
            throw FilterError(.tooManyOperators, "Too many operators: the limit is \(Self.operatorLimit).", at: token.range)
        }
    }

    private mutating func parseSigned() throws(FilterError) -> LocatedFormula {
        guard isSymbol("-") || isSymbol("+") else { return try parseAtom() }
        let operatorRange = token.range
        let isNegative = isSymbol("-")
        try advance()
        if case .number = token.kind {
            // The minus sign becomes part of the number instead of a negation.
            let number = try parseAtom()
            guard case .constant(let constant) = number.formula else { return number }
            return LocatedFormula(.constant(isNegative ? constant.negated : constant), at: operatorRange.lowerBound..<end)
        }
        let part = try nested { parser throws(FilterError) in try parser.parseSigned() }
        let negated = call(.negate, [part], from: operatorRange.lowerBound, operatorRange: operatorRange)
        if isNegative { return negated }
        // A plus sign has no effect, but is allowed only before numbers.
        _ = try negated.type(in: schema)
        return part
    }

    /// Parses the values up to `)`.
    /// - Parameter left: the value before `in`. Its type determines how the listed values are parsed. `nil` for the arguments of a
    ///   function.
    mutating func parseList(valuesOf left: LocatedFormula? = nil) throws(FilterError) -> [LocatedFormula] {
        let wasInList = isInList
        isInList = true
        defer { isInList = wasInList }
        var parts: [LocatedFormula] = []
        while true {
            if let left, let text = try parseUnquotedText(for: left) {
                parts.append(text)
            } else {
                parts.append(try nested { parser throws(FilterError) in try parser.parseDisjunction() })
            }
            guard isSymbol(",") else { break }
            if let left, left.formula.hasDecimalCommas(in: schema), let number = source.numberWithPoint(comma: token.range.lowerBound) {
                let spaced = source.text(number.range).replacing(",", with: ", ")
                throw FilterError(
                    .ambiguousNumber,
                    "“\(source.text(number.range))” is ambiguous. Write \(number.text), or \(spaced) with a space.", at: number.range)
            }
            if let left { try advance(toValueOf: left) } else { try advance() }
        }
        guard try skip(")") else { throw FilterError(.expectedListEnd, "Expected “,” or “)”.", at: token.range) }
        return parts
    }

    private mutating func parseParenthesized() throws(FilterError) -> LocatedFormula {
        let start = token.range.lowerBound
        let wasInList = isInList
        isInList = false
        defer { isInList = wasInList }
        var inside = try nested { parser throws(FilterError) in
            try parser.advance()
            return try parser.parseDisjunction()
        }
        guard try skip(")") else { throw FilterError(.expectedParenthesis, "Expected “)”.", at: token.range) }
        inside.range = start..<end
        return inside
    }

    private mutating func parseAtom() throws(FilterError) -> LocatedFormula {
        let range = token.range
        let formula: Formula
        switch token.kind {
        case .symbol("("): return try parseParenthesized()
        case .symbol, .end: throw FilterError(.expectedOperand, "Expected a column or a value.", at: range)
        case .word(let word): return try parseWord(word, at: range)
        case .name(let name): formula = try field(named: name, at: range).map { .field($0.id) } ?? .constant(.text(name))
        case .text(let text): formula = .constant(.text(text))
        case .columnNumber(let number):
            guard let field = schema.field(numbered: number) else {
                let last = Set(schema.fields.lazy.map(\.id).filter { !$0.isDerived }).count
                throw FilterError(.unknownColumnNumber, "No column #\(number): the last is #\(last).", at: range)
            }
            formula = .field(field.id)
        case .number:
            if let error = source.pointGroupsError(at: range.lowerBound), !isInList { throw error }
            if !isInList, let plain = source.numberWithoutSeparators(from: range.lowerBound) {
                // After a column with decimal commas, a single comma may be a decimal comma.
                let written = source.text(plain.range)
                if written.count(where: { ",.".contains($0) }) == 1, namesColumnWithDecimalCommas(before: range.lowerBound) {
                    throw ambiguityError(of: written, whole: plain.text, at: plain.range)
                }
                throw FilterError(
                    .thousandsSeparator,
                    "Write numbers without thousands separators: \(plain.text).",
                    at: plain.range)
            }
            formula = .constant(.number(asWritten: source.text(range)))
        case .temporal(let value, let kind): formula = .constant(.temporal(value, kind))
        }
        try advance()
        return LocatedFormula(formula, at: range)
    }

    /// True if the formula names a column with decimal commas before the scalar at `end`.
    private func namesColumnWithDecimalCommas(before end: Int) -> Bool {
        var position = 0
        while let token = try? source.token(after: position), token.range.lowerBound < end {
            let field: Field? =
                switch token.kind {
                case .word(let name), .name(let name): schema.field(named: name)
                case .columnNumber(let number): schema.field(numbered: number)
                default: nil
                }
            if let field, field.kind.isNumber, field.notation.isComma { return true }
            position = token.range.upperBound
        }
        return false
    }

    /// Parses a value that starts with a word: a column name, a function call, `true` or `false`.
    private mutating func parseWord(_ word: String, at range: Range<Int>) throws(FilterError) -> LocatedFormula {
        try advance()
        let folded = word.lowercased()
        if isSymbol("("), let function = Function.named[folded] {
            try advance()
            let arguments = try parseList()
            guard function.argumentCounts.contains(arguments.count) else {
                throw FilterError(
                    .argumentCount, "\(word) takes \(function.argumentCountText), not \(arguments.count).", at: range.lowerBound..<end)
            }
            return call(function, arguments, from: range.lowerBound, operatorRange: range)
        }
        if folded == "true" || folded == "false" { return LocatedFormula(.constant(.flag(folded == "true")), at: range) }
        if let field = try self.field(named: word, at: range) { return LocatedFormula(.field(field.id), at: range) }
        if isSymbol("("), !Formula.reservedWords.contains(folded) {
            throw FilterError(.unknownFunction, "Unknown function “\(word)”.\(FunctionHints.replacementAdvice(for: folded))", at: range)
        }
        if folded == "null" { throw FilterError(.nullComparison, "To find empty fields, write “is empty” or “is null”.", at: range) }
        if let error = source.currencyError(at: range.lowerBound) { throw error }
        let advice =
            FunctionHints.currentDateAdvice(folded) ?? FunctionHints.keywordAdvice(folded) ?? schema.adviceOnOutputName(word)
            ?? FunctionHints.numberAdvice(folded)
        let hint =
            advice ?? schema.name(near: word).map { " Did you mean “\($0)”?" } ?? " For text, write '\(joinedText(at: range))'."
        throw FilterError(.unknownColumn, "Unknown column “\(word)”.\(hint)", at: range)
    }

    /// The field with a name that was typed at `range`; `nil` without such a field.
    /// - Throws: an error if several fields have this name.
    func field(named name: String, at range: Range<Int>) throws(FilterError) -> Field? {
        let fields = schema.fields(named: name)
        guard fields.count < 2 else {
            throw FilterError(.ambiguousColumn, Schema.ambiguousNameMessage(name, fields.map { (id: $0.id, name: $0.name) }), at: range)
        }
        return fields.first
    }

    /// The text from a word up to the next space, such as `n/a`. If a part of this text is the name of a column, returns only the word,
    /// because the rest is an operation.
    private func joinedText(at range: Range<Int>) -> String {
        let rest = source.scalars[range.lowerBound...].prefix { FormulaSource.isPartOfWord($0) || $0 == "/" || $0 == "-" }
        let text = source.text(range.lowerBound..<rest.endIndex)
        let hasName = text.split { $0 == "/" || $0 == "-" }.contains { schema.field(named: String($0)) != nil }
        return hasName ? source.text(range) : text
    }
}

extension Formula.Constant {
    /// The number that a token represents.
    fileprivate static func number(asWritten text: String) -> Formula.Constant {
        FieldBytes.withBytes(of: text) { $0.exactDecimal() ?? $0.sizeInBytes }.map { .exact($0) } ?? .approximate(text)
    }

    fileprivate var negated: Formula.Constant {
        switch self {
        case .number(let number): .number(ExactDecimal(-number.mantissa, digits: number.digits))
        case .approximate(let text): .approximate(text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text)
        case .text, .flag, .temporal: self
        }
    }
}
