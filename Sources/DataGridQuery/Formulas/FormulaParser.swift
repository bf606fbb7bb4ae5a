import Tables

/// A recursive descent parser of formulas and filters. Each precedence level has a method, the lowest first.
///
/// The parser resolves field names but does not check types: ``PlacedFormula/type(in:)`` and ``FilterPlanner`` do.
struct FormulaParser {
    typealias Function = Formula.Function

    let source: FormulaSource
    let schema: Schema
    /// True if a word alone searches all fields, and if double quotes after `contains` enclose a text.
    let isFilter: Bool
    private(set) var token = FormulaToken(kind: .end, place: 0..<0)
    /// The end of the previous token.
    private(set) var end = 0
    private var nesting = 0
    var operatorCount = 0
    /// True if a comma separates values here.
    var isInList = false

    /// The maximum nesting of parentheses, calls, negations and signs, because each level uses stack space.
    static let nestingLimit = 100
    /// The maximum number of arithmetic operators in a formula, because each one makes the tree deeper.
    static let operatorLimit = 1_000

    init(_ source: FormulaSource, _ schema: Schema, isFilter: Bool) {
        (self.source, self.schema, self.isFilter) = (source, schema, isFilter)
    }

    mutating func whole() throws(FilterError) -> PlacedFormula {
        if isFilter, let text = source.bareText { return unquotedFilter(text) }
        try advance()
        let part = try disjunction()
        switch token.kind {
        case .end: return part
        case .symbol(")"): throw FilterError("Unmatched “)”.", at: token.place)
        default:
            guard part.isCondition else {
                throw isFilter ? .comparisonExpected(at: token.place) : FilterError("Expected an operator.", at: token.place)
            }
            let hint = isSymbol(",") ? " The decimal separator is a point, as in 12.5." : ""
            throw FilterError("Expected “and” or “or”.\(hint)", at: token.place)
        }
    }

    /// A filter of one word or a quoted text: a column, or a text to search for in all fields.
    private func unquotedFilter(_ text: String) -> PlacedFormula {
        let place = source.trimmedPlace
        // A column name alone is probably not a text to search for.
        if let only = try? source.token(after: 0), only.kind == .word(text), let field = schema.field(named: text) {
            return PlacedFormula(.field(field.id), at: place)
        }
        return PlacedFormula(.anyFieldContains, [PlacedFormula(.constant(.text(text)), at: place)], at: place, operatorPlace: place)
    }

    // MARK: Tokens

    mutating func advance() throws(FilterError) {
        end = token.place.upperBound
        do {
            token = try source.token(after: end)
        } catch {
            guard error.message.hasPrefix("Unexpected character"), let name = unquotedName(at: error.place.lowerBound) else { throw error }
            throw .quotesMissing(name.text, at: name.place)
        }
    }

    /// The name of a column with spaces or symbols that is written here without quotes.
    func unquotedName(at place: Int) -> (text: String, place: Range<Int>)? {
        for field in schema.fields {
            let name = Array(field.name.unicodeScalars)
            guard name.count > 1, name.contains(where: { !FormulaSource.isPartOfWord($0) }) else { continue }
            for start in max(0, place - name.count + 1)..<place + 1 where start + name.count <= source.scalars.count {
                let range = start..<start + name.count
                if source.scalars[range].elementsEqual(name) { return (field.name, range) }
            }
        }
        return nil
    }

    func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    private func isWord(_ word: String) -> Bool {
        if case .word(let text) = token.kind { return text.lowercased() == word }
        return false
    }

    mutating func skip(_ symbol: String) throws(FilterError) -> Bool {
        guard isSymbol(symbol) else { return false }
        try advance()
        return true
    }

    private mutating func skip(word: String) throws(FilterError) -> Bool {
        guard isWord(word) else { return false }
        try advance()
        return true
    }

    mutating func nested<Result>(_ body: (inout Self) throws(FilterError) -> Result) throws(FilterError) -> Result {
        nesting += 1
        guard nesting <= Self.nestingLimit else {
            throw FilterError("Nested too deeply: the limit is \(Self.nestingLimit) levels.", at: token.place)
        }
        defer { nesting -= 1 }
        return try body(&self)
    }

    /// A call that ends at the previous token. The method is mutating, so that arguments in the same expression are parsed before it reads
    /// ``end``.
    mutating func call(_ function: Function, _ arguments: [PlacedFormula], from start: Int, operatorPlace: Range<Int>) -> PlacedFormula {
        PlacedFormula(function, arguments, at: start..<end, operatorPlace: operatorPlace)
    }

    // MARK: Conditions

    mutating func disjunction() throws(FilterError) -> PlacedFormula {
        try chain("or", .or) { parser throws(FilterError) in try parser.conjunction() }
    }

    private mutating func conjunction() throws(FilterError) -> PlacedFormula {
        try chain("and", .and) { parser throws(FilterError) in try parser.negation() }
    }

    private mutating func chain(
        _ word: String, _ function: Function, _ next: (inout Self) throws(FilterError) -> PlacedFormula
    ) throws(FilterError) -> PlacedFormula {
        let first = try next(&self)
        guard isWord(word) else { return first }
        let operatorPlace = token.place
        var parts = [first]
        while try skip(word: word) { parts.append(try next(&self)) }
        return call(function, parts, from: first.place.lowerBound, operatorPlace: operatorPlace)
    }

    private mutating func negation() throws(FilterError) -> PlacedFormula {
        guard isWord("not") else { return try comparison() }
        let operatorPlace = token.place
        try advance()
        let part = try nested { parser throws(FilterError) in try parser.negation() }
        return call(.not, [part], from: operatorPlace.lowerBound, operatorPlace: operatorPlace)
    }

    private static let comparisons: [String: Function] = [
        "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "~": .matches, "!~": .matches,
    ]

    private mutating func comparison() throws(FilterError) -> PlacedFormula {
        let left = try sum()
        let (start, operatorPlace) = (left.place.lowerBound, token.place)
        guard case .symbol(let symbol) = token.kind, let function = Self.comparisons[symbol] else { return try test(of: left) }
        try advance()
        if function == .matches {
            let test = call(try ignoringCase(function), [left, try text()], from: start, operatorPlace: operatorPlace)
            return symbol == "~" ? test : call(.not, [test], from: start, operatorPlace: operatorPlace)
        }
        if function == .equal || function == .notEqual, try skip("*") {
            let test = call(.equalIgnoringCase, [left, try text()], from: start, operatorPlace: operatorPlace)
            return function == .equal ? test : call(.not, [test], from: start, operatorPlace: operatorPlace)
        }
        return call(function, [left, try sum()], from: start, operatorPlace: operatorPlace)
    }

    /// The word operators that may follow a value: `contains`, `in`, `is empty` and their negations.
    private mutating func test(of left: PlacedFormula) throws(FilterError) -> PlacedFormula {
        let (start, operatorPlace) = (left.place.lowerBound, token.place)
        let isNegated = isWord("not")
        if isNegated { try advance() }
        let test: PlacedFormula
        if isWord("is"), !isNegated {
            try advance()
            let isNot = try skip(word: "not")
            guard try skip(word: "empty") else {
                throw FilterError(isNot ? "Expected “empty”." : "Expected “empty” or “not empty”.", at: token.place)
            }
            test = call(.isEmpty, [left], from: start, operatorPlace: operatorPlace)
            return isNot ? call(.not, [test], from: start, operatorPlace: operatorPlace) : test
        } else if try skip(word: "in") {
            guard try skip("(") else { throw FilterError("Expected a list of values in parentheses.", at: token.place) }
            guard !isSymbol(")") else { throw FilterError("Expected a number, a date or text in quotes.", at: token.place) }
            test = call(.isIn, [left] + (try list()), from: start, operatorPlace: operatorPlace)
        } else if try skip(word: "contains") {
            test = call(try ignoringCase(.contains), [left, try text()], from: start, operatorPlace: operatorPlace)
        } else if isWord("starts") || isWord("ends") {
            let (function, word): (Function, String) = isWord("starts") ? (.startsWith, "starts") : (.endsWith, "ends")
            try advance()
            guard try skip(word: "with") else { throw FilterError("Write \(word) with.", at: token.place) }
            test = call(try ignoringCase(function), [left, try text()], from: start, operatorPlace: operatorPlace)
        } else if isNegated {
            throw FilterError("Expected contains, starts with, ends with or in after “not”.", at: token.place)
        } else {
            return left
        }
        return isNegated ? call(.not, [test], from: start, operatorPlace: operatorPlace) : test
    }

    /// The variant of the function that ignores case, if a `*` follows.
    private mutating func ignoringCase(_ function: Function) throws(FilterError) -> Function {
        try skip("*") ? function.ignoringCase ?? function : function
    }

    /// The right side of a text test. A number or a date is read as a text here.
    private mutating func text() throws(FilterError) -> PlacedFormula {
        let (text, place): (String, Range<Int>) = (source.text(token.place), token.place)
        switch token.kind {
        case .number, .temporal:
            try advance()
            return PlacedFormula(.constant(.text(text)), at: place)
        case .name(let name) where isFilter:
            try advance()
            return PlacedFormula(.constant(.text(name)), at: place)
        case .symbol(let symbol) where symbol != "(" && symbol != "-": throw .textExpected(at: place)
        case .end: throw .textExpected(at: place)
        default: return try sum()
        }
    }
}
