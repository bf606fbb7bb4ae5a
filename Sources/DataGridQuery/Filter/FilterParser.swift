import FieldValues

/// Reads a filter by recursive descent: a method for each level of binding, the weakest first.
///
/// Whether a parenthesis holds a condition or an amount is known only behind it, so every level gives a ``Part``, and asks of the parts
/// below it what it needs.
struct FilterParser {
    /// What was read: a condition, or something that can be compared.
    enum Part {
        case condition(FilterExpression)
        case operand(FilterOperand)
    }

    let source: FilterSource
    let columns: FilterColumns
    private(set) var token: FilterToken
    /// Where the token before ended.
    private(set) var end = 0
    private var nesting = 0
    private var operators = 0

    /// Parentheses, negations and signs within each other; deeper ones are refused, as every level takes its part of the stack.
    static let nestingLimit = 100
    /// Arithmetic in one filter: every operator makes the tree a level deeper.
    static let operatorLimit = 1_000

    init(_ text: String, columns: [FilterColumn]) throws(FilterError) {
        source = FilterSource(text)
        self.columns = FilterColumns(columns)
        token = FilterToken(kind: .end, place: 0..<0)
    }

    mutating func parse() throws(FilterError) -> FilterExpression {
        if let text = source.bareText {
            // A column's name alone is hardly a text to look for.
            if let only = try? source.token(after: 0), only.kind == .word(text), let column = columns.named(text) {
                return try truth(of: column, at: only.place)
            }
            return .anyFieldContains(text)
        }
        try advance()
        let whole = try condition(disjunction())
        guard token.kind == .end else {
            let expected = "“and” or “or” is expected here."
            let message =
                isSymbol(")")
                ? "There is no “(” for this one." : isSymbol(",") ? expected + " Numbers have a point, as in 12.5." : expected
            throw FilterError(message, at: token.place)
        }
        return whole
    }

    // MARK: Tokens

    mutating func advance() throws(FilterError) {
        end = token.place.upperBound
        token = try source.token(after: end)
    }

    func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    func isWord(_ word: String) -> Bool {
        if case .word(let text) = token.kind { return text.lowercased() == word }
        return false
    }

    /// Goes over the symbol, if it is there.
    mutating func take(_ symbol: String) throws(FilterError) -> Bool {
        guard isSymbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func take(word: String) throws(FilterError) -> Bool {
        guard isWord(word) else { return false }
        try advance()
        return true
    }

    /// Begins a level; whoever calls it ends the level by taking one off ``nesting``.
    private mutating func descend() throws(FilterError) {
        nesting += 1
        guard nesting <= Self.nestingLimit else {
            throw FilterError("This is nested too deeply: \(Self.nestingLimit) levels are the most.", at: token.place)
        }
    }

    // MARK: Conditions

    private mutating func disjunction() throws(FilterError) -> Part {
        let first = try conjunction()
        guard isWord("or") else { return first }
        var parts = [try condition(first)]
        while try take(word: "or") { parts.append(try condition(conjunction())) }
        return .condition(.any(parts))
    }

    private mutating func conjunction() throws(FilterError) -> Part {
        let first = try negation()
        guard isWord("and") else { return first }
        var parts = [try condition(first)]
        while try take(word: "and") { parts.append(try condition(negation())) }
        return .condition(.all(parts))
    }

    private mutating func negation() throws(FilterError) -> Part {
        guard isWord("not"), columns.named("not") == nil else { return try comparison() }
        try advance()
        try descend()
        defer { nesting -= 1 }
        return .condition(.not(try condition(negation())))
    }

    /// Changes nothing; but what is said of a mistake depends on where reading has come to, which is after the part was read.
    mutating func condition(_ part: Part) throws(FilterError) -> FilterExpression {
        switch part {
        case .condition(let expression): return expression
        case .operand(let operand):
            // What follows is what is wrong, unless it is the whole that lacks something.
            if case .word(let word) = operand.kind { throw columns.unknown(word, at: operand.place) }
            if case .column(let column) = operand.kind, column.kind == .flag { return try truth(of: column, at: operand.place) }
            throw FilterError(
                "A comparison is expected here: = != < <= > >= ~ contains, starts with, ends with, in, is empty.",
                at: token.kind == .end ? end..<end : token.place)
        }
    }

    private mutating func comparison() throws(FilterError) -> Part {
        let left = try sum()
        guard case .operand(let operand) = left else { return left }
        if let comparison = try takeComparison() {
            var ignoresCase = false
            if comparison == .equal || comparison == .notEqual { ignoresCase = try take("*") }
            let right = try self.operand(sum())
            return .condition(try compare(operand, comparison, right, ignoresCase: ignoresCase))
        }
        if let test = try textTest(operand) { return .condition(test) }
        return left
    }

    private mutating func takeComparison() throws(FilterError) -> FilterComparison? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        let all: [String: FilterComparison] = [
            "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
        ]
        guard let comparison = all[symbol] else { return nil }
        try advance()
        return comparison
    }

    // MARK: Amounts

    mutating func operand(_ part: Part) throws(FilterError) -> FilterOperand {
        guard case .operand(let operand) = part else {
            throw FilterError("Something to compare with is expected here, not a condition.", at: token.place)
        }
        return operand
    }

    private mutating func sum() throws(FilterError) -> Part {
        var left = try product()
        while isSymbol("+") || isSymbol("-") {
            let operation: FilterArithmetic = isSymbol("+") ? .add : .subtract
            let amount = try number(operand(left))
            try advanceOverOperator()
            left = .operand(combined(left, .arithmetic(amount, operation, try number(operand(product())))))
        }
        return left
    }

    private mutating func product() throws(FilterError) -> Part {
        var left = try sign()
        while isSymbol("*") || isSymbol("/") {
            let operation: FilterArithmetic = isSymbol("*") ? .multiply : .divide
            let amount = try number(operand(left))
            try advanceOverOperator()
            left = .operand(combined(left, .arithmetic(amount, operation, try number(operand(sign())))))
        }
        return left
    }

    private mutating func advanceOverOperator() throws(FilterError) {
        operators += 1
        guard operators <= Self.operatorLimit else {
            throw FilterError("This is too much to work out: \(Self.operatorLimit) signs of arithmetic are the most.", at: token.place)
        }
        try advance()
    }

    /// An amount that begins where `left` does and ends here.
    private mutating func combined(_ left: Part, _ value: FilterValue) -> FilterOperand {
        var start = end
        if case .operand(let operand) = left { start = operand.place.lowerBound }
        return FilterOperand(kind: .amount(value), place: start..<end)
    }

    private mutating func sign() throws(FilterError) -> Part {
        guard isSymbol("-") || isSymbol("+") else { return try atom() }
        let start = token.place.lowerBound
        let isNegative = isSymbol("-")
        try advance()
        try descend()
        defer { nesting -= 1 }
        let value = try number(operand(sign()))
        guard isNegative else { return .operand(FilterOperand(kind: .amount(value), place: start..<end)) }
        if case .literal(let number) = value {
            return .operand(FilterOperand(kind: .amount(.literal(number.negated)), place: start..<end))
        }
        return .operand(FilterOperand(kind: .amount(.negated(value)), place: start..<end))
    }

    private mutating func atom() throws(FilterError) -> Part {
        let place = token.place
        let kind: FilterOperand.Kind
        switch token.kind {
        case .symbol("("):
            try descend()
            defer { nesting -= 1 }
            try advance()
            let inside = try disjunction()
            guard try take(")") else { throw FilterError("“)” is expected here.", at: token.place) }
            return inside
        case .word(let word):
            if let column = columns.named(word) {
                kind = .column(column)
            } else if word == "true" || word == "false" {
                kind = .flag(word == "true")
            } else {
                kind = .word(word)
            }
        case .name(let name): kind = columns.named(name).map { .column($0) } ?? .text(name)
        case .text(let text): kind = .text(text)
        case .place(let number):
            guard let column = columns.numbered(number) else {
                throw FilterError("There is no column #\(number): the last is #\(columns.count).", at: place)
            }
            kind = .column(column)
        case .number(let number):
            if let plain = source.ungrouped(from: place.lowerBound) {
                throw FilterError(
                    "Numbers have no thousands separators here: \(plain.text). A fraction stands behind a point, as in 12.5.",
                    at: plain.place)
            }
            kind = .amount(.literal(number))
        case .moment(let value, let moment): kind = .moment(value, moment)
        case .symbol, .end:
            throw FilterError("A column or a value is expected here.", at: place)
        }
        try advance()
        return .operand(FilterOperand(kind: kind, place: place))
    }
}
