extension FilterParser {
    /// What may follow a column other than a comparison: `~`, `contains`, `in`, `is empty` and their negations; `nil` when none does.
    mutating func textTest(_ operand: FilterOperand) throws(FilterError) -> FilterExpression? {
        if isSymbol("~") || isSymbol("!~") {
            let isNegated = isSymbol("!~")
            let column = try self.column(operand)
            try advance()
            return negated(isNegated, try pattern(column))
        }
        let isNegated = isWord("not")
        if isNegated { try advance() }
        if isWord("is"), !isNegated {
            try advance()
            let column = try self.column(operand)
            let isNot = try take(word: "not")
            guard try take(word: "empty") else {
                throw FilterError(isNot ? "“empty” is expected here." : "“empty” or “not empty” is expected here.", at: token.place)
            }
            return negated(isNot, .isEmpty(column: column.index))
        }
        if try take(word: "in") { return negated(isNegated, try list(operand)) }
        let test: FilterTextTest
        if try take(word: "contains") {
            test = .contains
        } else if isWord("starts") || isWord("ends") {
            test = isWord("starts") ? .startsWith : .endsWith
            try advance()
            guard try take(word: "with") else { throw FilterError("“with” is expected here.", at: token.place) }
        } else if isNegated {
            throw FilterError("contains, starts with, ends with or in is expected behind “not”.", at: token.place)
        } else {
            return nil
        }
        let column = try self.column(operand)
        let ignoresCase = try take("*")
        return negated(isNegated, .test(test, column: column.index, try text().text, ignoresCase: ignoresCase))
    }

    private func negated(_ isNegated: Bool, _ expression: FilterExpression) -> FilterExpression {
        isNegated ? .not(expression) : expression
    }

    private mutating func pattern(_ column: FilterColumn) throws(FilterError) -> FilterExpression {
        let ignoresCase = try take("*")
        let (text, place) = try self.text()
        do {
            return .matches(column: column.index, try FilterPattern(text, ignoresCase: ignoresCase))
        } catch {
            throw FilterError("This is no regular expression: \(error.message).", at: place)
        }
    }

    /// A text behind a word that nothing else can follow: quotes of both kinds, and a number as it is written.
    private mutating func text() throws(FilterError) -> (text: String, place: Range<Int>) {
        let place = token.place
        let text: String
        switch token.kind {
        case .text(let content), .name(let content): text = content
        case .number, .moment: text = source.text(place)
        case .word, .place, .symbol, .end: throw FilterError("A text in quotes is expected here, as in 'a text'.", at: place)
        }
        try advance()
        return (text, place)
    }

    private func column(_ operand: FilterOperand) throws(FilterError) -> FilterColumn {
        switch operand.kind {
        case .column(let column): return column
        case .word(let word): throw columns.unknown(word, at: operand.place)
        default: throw FilterError("A column is expected before this.", at: operand.place)
        }
    }

    /// `(1, 2, 3)`: equality with each, those of one type put together.
    private mutating func list(_ operand: FilterOperand) throws(FilterError) -> FilterExpression {
        guard try take("(") else { throw FilterError("“(” and a list of values are expected here.", at: token.place) }
        var values: [FilterValue: [FilterNumber]] = [:]
        var order: [FilterValue] = []
        var texts: [Int: [String]] = [:]
        repeat {
            switch try compare(operand, .equal, literal(), ignoresCase: false) {
            case .compare(let value, _, .literal(let number)):
                if values[value] == nil { order.append(value) }
                values[value, default: []].append(number)
            case .compareTexts(.column(let column), _, .literal(let text)): texts[column, default: []].append(text)
            // The comparison has the column on one side and a literal on the other.
            default: throw FilterError("A value is expected here.", at: token.place)
            }
        } while try take(",")
        guard try take(")") else { throw FilterError("“,” or “)” is expected here.", at: token.place) }
        let parts: [FilterExpression] =
            order.map { .isOneOf($0, values[$0] ?? []) } + texts.map { .textIsOneOf(column: $0.key, $0.value) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func literal() throws(FilterError) -> FilterOperand {
        let start = token.place.lowerBound
        let isNegative = try take("-")
        let place = token.place
        let kind: FilterOperand.Kind
        switch token.kind {
        case .number(let number): kind = .amount(.literal(isNegative ? number.negated : number))
        case .text(let text) where !isNegative, .name(let text) where !isNegative: kind = .text(text)
        case .moment(let value, let moment) where !isNegative: kind = .moment(value, moment)
        case .word("true") where !isNegative: kind = .flag(true)
        case .word("false") where !isNegative: kind = .flag(false)
        default: throw FilterError("A number, a date or a text in quotes is expected here.", at: place)
        }
        try advance()
        return FilterOperand(kind: kind, place: start..<place.upperBound)
    }
}
