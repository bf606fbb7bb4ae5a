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
        var parser = try FormulaParser(FilterSource(text), schema)
        self = try parser.whole()
    }

    /// What the values are read as: `decimal` for every number.
    public func kind(in schema: Schema) -> ValueKind { ((try? type(in: schema)) ?? .text).kind }
}

/// Reads a formula by recursive descent: a method for each level of binding, the weakest first.
struct FormulaParser {
    private typealias Function = Formula.Function

    /// A part of the formula, where it stands.
    private struct Part {
        var formula: Formula
        var type: ValueType
        var place: Range<Int>
    }

    private let source: FilterSource
    private let schema: Schema
    private var token: FilterToken
    private var end = 0
    private var nesting = 0
    private var callCount = 0

    /// Deeper formulas are refused, as each level takes its part of the stack.
    static let nestingLimit = 100
    /// Chains of operators make a tree as deep as they are long.
    static let callLimit = 1_000

    init(_ source: FilterSource, _ schema: Schema) throws(FilterError) {
        (self.source, self.schema) = (source, schema)
        token = try source.token(after: 0)
    }

    mutating func whole() throws(FilterError) -> Formula {
        let part = try disjunction()
        guard token.kind == .end else {
            throw FilterError(isSymbol(")") ? "There is no “(” for this one." : "An operator is expected here.", at: token.place)
        }
        return part.formula
    }

    // MARK: Tokens

    private mutating func advance() throws(FilterError) {
        end = token.place.upperBound
        token = try source.token(after: end)
    }

    private func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    private func isWord(_ word: String) -> Bool {
        if case .word(let text) = token.kind { return text.lowercased() == word }
        return false
    }

    private mutating func skip(_ symbol: String) throws(FilterError) -> Bool {
        guard isSymbol(symbol) else { return false }
        try advance()
        return true
    }

    private mutating func skip(word: String) throws(FilterError) -> Bool {
        guard isWord(word) else { return false }
        try advance()
        return true
    }

    private mutating func nested<Result>(_ body: (inout Self) throws(FilterError) -> Result) throws(FilterError) -> Result {
        nesting += 1
        guard nesting <= Self.nestingLimit else {
            throw FilterError("This is nested too deeply: \(Self.nestingLimit) levels are the most.", at: token.place)
        }
        defer { nesting -= 1 }
        return try body(&self)
    }

    // MARK: Calls

    private mutating func call(_ function: Function, _ arguments: [Part], from start: Int) throws(FilterError) -> Part {
        callCount += 1
        guard callCount <= Self.callLimit else {
            throw FilterError("This is too long: \(Self.callLimit) operators and functions are the most.", at: start..<end)
        }
        do {
            let type = try function.type(
                of: arguments.map(\.type), areTextFields: arguments.map { $0.formula.isTextField(schema) })
            return Part(formula: .call(function, arguments.map(\.formula)), type: type, place: start..<end)
        } catch {
            throw FilterError(error.message, at: arguments[error.argument].place)
        }
    }

    // MARK: Levels

    private mutating func disjunction() throws(FilterError) -> Part {
        try chain("or", .or) { parser throws(FilterError) in try parser.conjunction() }
    }

    private mutating func conjunction() throws(FilterError) -> Part {
        try chain("and", .and) { parser throws(FilterError) in try parser.negation() }
    }

    private mutating func chain(
        _ word: String, _ function: Function, _ next: (inout Self) throws(FilterError) -> Part
    ) throws(FilterError) -> Part {
        let first = try next(&self)
        guard isWord(word) else { return first }
        var parts = [first]
        while try skip(word: word) { parts.append(try next(&self)) }
        return try call(function, parts, from: first.place.lowerBound)
    }

    private mutating func negation() throws(FilterError) -> Part {
        guard isWord("not") else { return try comparison() }
        let start = token.place.lowerBound
        try advance()
        let part = try nested { parser throws(FilterError) in try parser.negation() }
        return try call(.not, [part], from: start)
    }

    private static let comparisons: [String: Function] = [
        "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    ]

    private mutating func comparison() throws(FilterError) -> Part {
        let left = try sum()
        let start = left.place.lowerBound
        if case .symbol(let symbol) = token.kind, let function = Self.comparisons[symbol] {
            try advance()
            return try call(function, [left, try sum()], from: start)
        }
        let isNegated = isWord("not")
        if isNegated { try advance() }
        let test: Part
        if isWord("is"), !isNegated {
            try advance()
            let isNot = try skip(word: "not")
            guard try skip(word: "empty") else {
                throw FilterError(isNot ? "“empty” is expected here." : "“empty” or “not empty” is expected here.", at: token.place)
            }
            test = try call(.isEmpty, [left], from: start)
            return isNot ? try call(.not, [test], from: start) : test
        } else if try skip(word: "in") {
            guard try skip("(") else { throw FilterError("“(” and a list of values are expected here.", at: token.place) }
            test = try call(.isIn, [left] + (try list()), from: start)
        } else if try skip(word: "contains") {
            test = try call(.contains, [left, try sum()], from: start)
        } else if isWord("starts") || isWord("ends") {
            let function: Function = isWord("starts") ? .startsWith : .endsWith
            try advance()
            guard try skip(word: "with") else { throw FilterError("“with” is expected here.", at: token.place) }
            test = try call(function, [left, try sum()], from: start)
        } else if isNegated {
            throw FilterError("contains, starts with, ends with or in is expected behind “not”.", at: token.place)
        } else {
            return left
        }
        return isNegated ? try call(.not, [test], from: start) : test
    }

    private mutating func sum() throws(FilterError) -> Part {
        var left = try product()
        while isSymbol("+") || isSymbol("-") {
            let function: Function = isSymbol("+") ? .add : .subtract
            try advance()
            left = try call(function, [left, try product()], from: left.place.lowerBound)
        }
        return left
    }

    private mutating func product() throws(FilterError) -> Part {
        var left = try sign()
        while isSymbol("*") || isSymbol("/") {
            let function: Function = isSymbol("*") ? .multiply : .divide
            try advance()
            left = try call(function, [left, try sign()], from: left.place.lowerBound)
        }
        return left
    }

    private mutating func sign() throws(FilterError) -> Part {
        guard isSymbol("-") || isSymbol("+") else { return try atom() }
        let start = token.place.lowerBound
        let isNegative = isSymbol("-")
        try advance()
        if case .number = token.kind {
            // The sign is a part of the number.
            var part = try atom()
            if isNegative, case .constant(.number(let number)) = part.formula {
                part.formula = .constant(.number(ExactDecimal(-number.mantissa, digits: number.digits)))
            }
            part.place = start..<end
            return part
        }
        let part = try nested { parser throws(FilterError) in try parser.sign() }
        let negated = try call(.negate, [part], from: start)
        return isNegative ? negated : part
    }

    private mutating func list() throws(FilterError) -> [Part] {
        var parts: [Part] = []
        repeat { parts.append(try nested { parser throws(FilterError) in try parser.disjunction() }) } while try skip(",")
        guard try skip(")") else { throw FilterError("“,” or “)” is expected here.", at: token.place) }
        return parts
    }

    private mutating func atom() throws(FilterError) -> Part {
        let (place, kind) = (token.place, token.kind)
        func part(_ constant: Formula.Constant, _ type: ValueType) -> Part {
            Part(formula: .constant(constant), type: type, place: place)
        }
        switch kind {
        case .symbol("("):
            try advance()
            var inside = try nested { parser throws(FilterError) in try parser.disjunction() }
            guard try skip(")") else { throw FilterError("“)” is expected here.", at: token.place) }
            inside.place = place.lowerBound..<end
            return inside
        case .symbol, .end: throw FilterError("A field, a value or a function is expected here.", at: place)
        case .word(let word): return try self.word(word, at: place)
        case .name(let name):
            try advance()
            return schema.field(named: name).map { field($0, at: place) } ?? part(.text(name), .text)
        case .text(let text):
            try advance()
            return part(.text(text), .text)
        case .place(let number):
            guard let known = schema.field(numbered: number) else { throw FilterError("There is no field #\(number).", at: place) }
            try advance()
            return field(known, at: place)
        case .number:
            let exact = FieldBytes.withBytes(of: source.text(place)) { $0.exactDecimal() }
            guard let exact else { throw FilterError("This number does not fit in 38 digits.", at: place) }
            try advance()
            return part(.exact(exact), .number)
        case .moment(let value, let kind):
            try advance()
            return part(.moment(value, kind), ValueType(kind))
        }
    }

    private func field(_ field: Field, at place: Range<Int>) -> Part {
        Part(formula: .field(field.id), type: ValueType(field.kind), place: place)
    }

    /// A field, a function or a truth value.
    private mutating func word(_ word: String, at place: Range<Int>) throws(FilterError) -> Part {
        try advance()
        if isSymbol("("), let function = Function.named[word.lowercased()] {
            try advance()
            let arguments = try list()
            let counts = function.argumentCounts
            guard counts.contains(arguments.count) else {
                let wanted =
                    counts.count == 1
                    ? "\(counts.lowerBound)"
                    : counts.count == 2 ? "\(counts.lowerBound) or \(counts.upperBound)" : "at least \(counts.lowerBound)"
                throw FilterError("\(word) takes \(wanted) \(counts == 1...1 ? "argument" : "arguments").", at: place.lowerBound..<end)
            }
            return try call(function, arguments, from: place.lowerBound)
        }
        let folded = word.lowercased()
        if folded == "true" || folded == "false" {
            return Part(formula: .constant(.flag(folded == "true")), type: .flag, place: place)
        }
        if !Formula.reservedWords.contains(folded), let known = schema.field(named: word) { return field(known, at: place) }
        if isSymbol("(") {
            let near = NearNames.nearest(folded, Function.named.keys.sorted()).map { " Did you mean “\($0)”?" } ?? ""
            throw FilterError("There is no function “\(word)”.\(near)", at: place)
        }
        let near = schema.name(near: word).map { " Did you mean “\($0)”?" } ?? " A text stands in single quotes: '\(word)'."
        throw FilterError("There is no field “\(word)”.\(near)", at: place)
    }
}
