import FieldValues
import Tables

/// A recursive descent parser for formulas and filters. Each level of operator precedence has a method; the operators that bind least come
/// first.
///
/// The parser resolves field names but does not check types: ``PlacedFormula/type(in:)`` and ``FilterPlanner`` do.
struct FormulaParser {
    typealias Function = Formula.Function

    let source: FormulaSource
    let schema: Schema
    /// True for the text of a filter, where more is allowed: a single word searches all fields, double quotes after `contains` enclose a
    /// string, and a word after `=` can be a string.
    let isFilter: Bool
    private(set) var token = FormulaToken(kind: .end, place: 0..<0)
    /// The end of the token before ``token``, as an index of Unicode scalars.
    private(set) var end = 0
    private var nesting = 0
    var operatorCount = 0
    /// True while the values of a list are parsed. A comma then separates values and is never part of a number or date.
    var isInList = false
    /// The range of the last string that was written without quotes, for error messages.
    private var bareText: Range<Int>?

    /// The maximum nesting of parentheses, calls, negations and signs. Each level uses stack space.
    static let nestingLimit = 100
    /// The maximum number of arithmetic operators in a formula. Each one makes the tree deeper, and processing a deep tree uses stack
    /// space.
    static let operatorLimit = 1_000

    init(_ source: FormulaSource, _ schema: Schema, isFilter: Bool) {
        (self.source, self.schema, self.isFilter) = (source, schema, isFilter)
    }

    mutating func parseAll() throws(FilterError) -> PlacedFormula {
        if isFilter, let texts = source.bareTexts, let filter = try unquotedFilter(texts) { return filter }
        try advance()
        let part = try parseDisjunction()
        switch token.kind {
        case .end: return part
        case .symbol(")"): throw FilterError(.unmatchedParenthesis, "Unmatched “)”.", at: token.place)
        default:
            if let number = source.numberWithPoint(comma: token.place.lowerBound) {
                throw FilterError(.decimalComma, "The decimal separator is a point: write \(number.text).", at: number.place)
            }
            guard part.isCondition else {
                throw isFilter ? comparisonError : FilterError(.expectedOperator, "Expected an operator.", at: token.place)
            }
            if let bareText, bareText.upperBound == end, case .word = token.kind {
                throw FilterError(
                    .severalWords,
                    "Put text of several words in quotes, as in 'two words'.", at: bareText.lowerBound..<token.place.upperBound)
            }
            if let bareText, bareText.upperBound == end, isSymbol("*"), token.place.lowerBound == end {
                let text = source.text(bareText)
                throw FilterError(.wildcard, "* is not a wildcard. Use “starts with '\(text)'” or “like '\(text)%'”.", at: token.place)
            }
            throw FilterError(.expectedAndOr, "Expected “and” or “or”.", at: token.place)
        }
    }

    /// The filter that consists only of words and quoted strings: a column of flags, or strings to search for in all fields. Returns `nil`
    /// for a condition with operators.
    private func unquotedFilter(_ texts: [(text: String, place: Range<Int>)]) throws(FilterError) -> PlacedFormula? {
        let place = source.trimmedPlace
        if let first = try? source.token(after: 0), first.place == texts[0].place {
            switch first.kind {
            // A column name alone is parsed as a column, so that a column of flags is a condition.
            case .word(let name):
                guard let field = try self.field(named: name, at: first.place) else { break }
                return texts.count == 1 ? PlacedFormula(.field(field.id), at: place) : nil
            case .name(let name): if texts.count > 1, schema.field(named: name) != nil { return nil }
            default: break
            }
        }
        if texts.count > 1, texts.contains(where: { !isQuoted($0.place) && isOperator($0.text) }) { return nil }
        let parts = texts.map { text, place in
            PlacedFormula(.anyFieldContains, [PlacedFormula(.constant(.text(text)), at: place)], at: place, operatorPlace: place)
        }
        return parts.count == 1 ? parts[0] : PlacedFormula(.and, parts, at: place, operatorPlace: place)
    }

    /// True if the string at a range of the filter is in quotes.
    private func isQuoted(_ place: Range<Int>) -> Bool { ["'", "\""].contains(source.scalars[place.lowerBound]) }

    private func isOperator(_ word: String) -> Bool {
        Formula.operatorWords.contains(word.lowercased()) || ["+", "-", "*", "/", "&", "|"].contains(word)
    }

    /// The error for a filter that starts with a value without a comparison. If the text is only words, it suggests a search for them.
    private var comparisonError: FilterError {
        guard let texts = source.bareTexts, texts.count > 1, !texts.contains(where: { isQuoted($0.place) || isOperator($0.text) }) else {
            return .comparisonExpected(at: token.place)
        }
        let text = source.trimmedText
        let example = text.unicodeScalars.count <= 40 ? "'\(text)'" : "'text'"
        return FilterError(.expectedComparison, "Expected a comparison, or text in quotes: \(example).", at: token.place)
    }

    // MARK: Tokens

    mutating func advance() throws(FilterError) {
        end = token.place.upperBound
        do {
            token = try source.token(after: end)
        } catch {
            let place = error.place.lowerBound
            guard [.unexpectedCharacter, .unquotedName, .unknownOperator, .numberUnit].contains(error.kind) else { throw error }
            if let name = unquotedName(at: place) { throw .quotesMissing(name.text, at: name.place) }
            throw source.currencyError(at: place) ?? error
        }
    }

    /// A column name with spaces or symbols that was written without quotes and contains the scalar at `place`; `nil` if there is no such
    /// name. Used for error messages.
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

    private mutating func skip(word: String, or symbol: String? = nil) throws(FilterError) -> Bool {
        guard isWord(word) || symbol.map(isSymbol) == true else { return false }
        try advance()
        return true
    }

    mutating func nested<Result>(_ body: (inout Self) throws(FilterError) -> Result) throws(FilterError) -> Result {
        nesting += 1
        guard nesting <= Self.nestingLimit else {
            throw FilterError(.nestedTooDeeply, "Nested too deeply: the limit is \(Self.nestingLimit) levels.", at: token.place)
        }
        defer { nesting -= 1 }
        return try body(&self)
    }

    /// Creates a function call that ends at the previous token. The method is mutating so that arguments in the same expression, which
    /// advance the parser, are evaluated before it reads ``end``.
    mutating func call(_ function: Function, _ arguments: [PlacedFormula], from start: Int, operatorPlace: Range<Int>) -> PlacedFormula {
        PlacedFormula(function, arguments, at: start..<end, operatorPlace: operatorPlace)
    }

    /// Creates a comparison that ends at the previous token.
    /// - Throws: an error if one argument is a number such as `1.000`, and another has decimal commas, where this could mean 1000.
    mutating func comparison(
        _ function: Function, _ arguments: [PlacedFormula], from start: Int, operatorPlace: Range<Int>
    ) throws(FilterError) -> PlacedFormula {
        for argument in arguments {
            guard case .constant(.number) = argument.formula else { continue }
            let text = source.text(argument.place).filter { !"( )".contains($0) }
            guard let whole = NumberGroups.joined(text, separator: "."),
                arguments.contains(where: { $0.formula.hasDecimalCommas(in: schema) })
            else { continue }
            throw ambiguity(of: text, whole: whole, at: argument.place)
        }
        return call(function, arguments, from: start, operatorPlace: operatorPlace)
    }

    /// The error for a number such as `1.500` or `1,500`, which can have a group of thousands or a fraction.
    /// - Parameter whole: the number if it has a group of thousands.
    func ambiguity(of written: String, whole: String, at place: Range<Int>) -> FilterError {
        let point = written.replacing(",", with: ".")
        // The same fraction with another number of digits is not a group of thousands.
        var fraction = point
        while fraction.hasSuffix("0"), !fraction.hasSuffix(".0") { fraction.removeLast() }
        if fraction == point { fraction += "0" }
        return FilterError(
            .ambiguousNumber, "“\(written)” is ambiguous. Write \(whole) or \(fraction), without thousands separators.", at: place)
    }

    // MARK: Conditions

    mutating func parseDisjunction() throws(FilterError) -> PlacedFormula {
        try parseChain("or", "||", .or) { parser throws(FilterError) in try parser.parseConjunction() }
    }

    private mutating func parseConjunction() throws(FilterError) -> PlacedFormula {
        try parseChain("and", "&&", .and) { parser throws(FilterError) in try parser.parseNegation() }
    }

    private mutating func parseChain(
        _ word: String, _ symbol: String, _ function: Function, _ next: (inout Self) throws(FilterError) -> PlacedFormula
    ) throws(FilterError) -> PlacedFormula {
        let first = try next(&self)
        guard isWord(word) || isSymbol(symbol) else { return first }
        let operatorPlace = token.place
        var parts = [first]
        while try skip(word: word, or: symbol) { parts.append(try next(&self)) }
        return call(function, parts, from: first.place.lowerBound, operatorPlace: operatorPlace)
    }

    private mutating func parseNegation() throws(FilterError) -> PlacedFormula {
        guard isWord("not") || isSymbol("!") else { return try parseComparison() }
        let operatorPlace = token.place
        try advance()
        let part = try nested { parser throws(FilterError) in try parser.parseNegation() }
        return call(.not, [part], from: operatorPlace.lowerBound, operatorPlace: operatorPlace)
    }

    /// The function of each comparison operator. `!~` has the function of `~`, and ``parseComparison()`` negates it.
    private static let comparisons: [String: Function] = [
        "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "~": .matches, "!~": .matches,
    ]

    /// Parses a word or a quoted string as a search in all fields, if no comparison follows. Returns `nil` for other conditions.
    private mutating func parseSearchString() throws(FilterError) -> PlacedFormula? {
        guard isFilter, !isInList else { return nil }
        let text: String
        switch token.kind {
        case .text(let content) where !content.isEmpty: text = content
        case .word(let word) where isUnquotedText(word): text = word
        default: return nil
        }
        switch (try? source.token(after: token.place.upperBound))?.kind {
        case .end, .symbol(")"), .symbol("&&"), .symbol("||"): break
        case .word(let next) where ["and", "or"].contains(next.lowercased()): break
        default: return nil
        }
        let place = token.place
        try advance()
        return call(
            .anyFieldContains, [PlacedFormula(.constant(.text(text)), at: place)], from: place.lowerBound, operatorPlace: place)
    }

    private mutating func parseComparison() throws(FilterError) -> PlacedFormula {
        if let search = try parseSearchString() { return search }
        let left = try parseSum()
        let (start, operatorPlace) = (left.place.lowerBound, token.place)
        guard case .symbol(let symbol) = token.kind, let function = Self.comparisons[symbol] else { return try parseTest(of: left) }
        if function != .matches, let period = period(comparedWith: left) {
            return try parseComparison(of: left, function, with: period, operatorPlace: operatorPlace)
        }
        try advance(toValueOf: left)
        if function == .matches {
            let test = call(try parseCaseVariant(of: function), [left, try parseText()], from: start, operatorPlace: operatorPlace)
            return symbol == "~" ? test : call(.not, [test], from: start, operatorPlace: operatorPlace)
        }
        if function == .equal || function == .notEqual, try skip("*") {
            let test = call(.equalIgnoringCase, [left, try parseText()], from: start, operatorPlace: operatorPlace)
            return function == .equal ? test : call(.not, [test], from: start, operatorPlace: operatorPlace)
        }
        if function == .equal || function == .notEqual, let text = try parseUnquotedText(for: left) {
            return call(function, [left, text], from: start, operatorPlace: operatorPlace)
        }
        return try comparison(function, [left, try parseSum()], from: start, operatorPlace: operatorPlace)
    }

    /// Parses a test that follows `left`, such as `contains`, `in`, `between`, `like`, `is empty`, `is null` or a negation of them. Returns
    /// `left` if no test follows.
    private mutating func parseTest(of left: PlacedFormula) throws(FilterError) -> PlacedFormula {
        let (start, operatorPlace) = (left.place.lowerBound, token.place)
        let isNegated = isWord("not")
        if isNegated { try advance() }
        let test: PlacedFormula
        if isWord("is"), !isNegated {
            try advance()
            let isNot = try skip(word: "not")
            let isNull = isWord("missing") || isWord("null") && left.formula.hasNulls(in: schema)
            guard isNull || isWord("empty") || isWord("null") else {
                throw FilterError(
                    .expectedState,
                    isNot ? "Expected “empty”, “null” or “missing”." : "Expected “empty”, “null”, “missing” or “not”.", at: token.place)
            }
            try advance()
            test = call(isNull ? .isNull : .isEmpty, [left], from: start, operatorPlace: operatorPlace)
            return isNot ? call(.not, [test], from: start, operatorPlace: operatorPlace) : test
        } else if try skip(word: "in") {
            guard isSymbol("(") else { throw FilterError(.expectedList, "Expected a list of values in parentheses.", at: token.place) }
            try advance(toValueOf: left)
            guard !isSymbol(")") else {
                throw FilterError(.expectedListValue, "Expected a number, a date or text in quotes.", at: token.place)
            }
            test = try comparison(.isIn, [left] + (try parseList(valuesOf: left)), from: start, operatorPlace: operatorPlace)
        } else if isWord("between") {
            test = try parseBetween(left, operatorPlace: operatorPlace)
        } else if isWord("like") || isWord("ilike") {
            test = try parseLike(left, ignoresCase: isWord("ilike"), operatorPlace: operatorPlace)
        } else if try skip(word: "contains") {
            test = call(try parseCaseVariant(of: .contains), [left, try parseText()], from: start, operatorPlace: operatorPlace)
        } else if isWord("starts") || isWord("ends") {
            let (function, word): (Function, String) = isWord("starts") ? (.startsWith, "starts") : (.endsWith, "ends")
            try advance()
            guard try skip(word: "with") else { throw FilterError(.expectedWith, "Write “\(word) with”.", at: token.place) }
            test = call(try parseCaseVariant(of: function), [left, try parseText()], from: start, operatorPlace: operatorPlace)
        } else if isNegated {
            throw FilterError(
                .expectedTest, "Write “in”, “between”, “like”, “contains”, “starts with” or “ends with” here.", at: token.place)
        } else {
            return left
        }
        return isNegated ? call(.not, [test], from: start, operatorPlace: operatorPlace) : test
    }

    /// Skips a `*`, if there is one, and returns the variant of the function that ignores case. Without `*`, returns the function itself.
    private mutating func parseCaseVariant(of function: Function) throws(FilterError) -> Function {
        try skip("*") ? function.ignoringCase ?? function : function
    }

    /// Parses a `between` test. The current token is `between`. The result is two comparisons of `left`, with the lower and the upper
    /// limit.
    private mutating func parseBetween(_ left: PlacedFormula, operatorPlace: Range<Int>) throws(FilterError) -> PlacedFormula {
        operatorCount += left.formula.size - 1
        try checkOperatorCount()
        let atLeast = try parseLimit(of: left, .greaterOrEqual, operatorPlace: operatorPlace)
        guard isWord("and") || isSymbol("&&") else {
            throw FilterError(.expectedUpperLimit, "Expected “and” and the upper limit, as in “between 1 and 5”.", at: token.place)
        }
        let atMost = try parseLimit(of: left, .lessOrEqual, operatorPlace: operatorPlace)
        return call(.and, [atLeast, atMost], from: left.place.lowerBound, operatorPlace: operatorPlace)
    }

    /// Parses one limit of a `between` test as a comparison with `left`. The current token is the one before the limit.
    private mutating func parseLimit(
        of left: PlacedFormula, _ function: Function, operatorPlace: Range<Int>
    ) throws(FilterError) -> PlacedFormula {
        if let period = period(comparedWith: left) {
            return try parseComparison(of: left, function, with: period, operatorPlace: operatorPlace)
        }
        try advance(toValueOf: left)
        return try comparison(function, [left, try parseSum()], from: left.place.lowerBound, operatorPlace: operatorPlace)
    }

    /// Parses a `like` or `ilike` test. The current token is that word.
    private mutating func parseLike(
        _ left: PlacedFormula, ignoresCase: Bool, operatorPlace: Range<Int>
    ) throws(FilterError) -> PlacedFormula {
        try advance()
        let pattern = try parseText()
        guard let written = pattern.text else { throw .textExpected(at: pattern.place) }
        var escape: Unicode.Scalar?
        if try skip(word: "escape") {
            guard case .text(let mark) = token.kind, mark.unicodeScalars.count == 1 else {
                throw FilterError(.invalidEscape, "Expected one character in single quotes, as in escape '!'.", at: token.place)
            }
            escape = mark.unicodeScalars.first
            try advance()
        }
        guard let like = LikePattern(written, escape: escape) else {
            throw FilterError(
                .unfinishedEscape, "The pattern ends with the escape character. Write a character after it.", at: pattern.place)
        }
        let (function, text) = like.test(isOfText: isText(left), ignoresCase: ignoresCase)
        return call(
            function, [left, PlacedFormula(.constant(.text(text)), at: pattern.place)], from: left.place.lowerBound,
            operatorPlace: operatorPlace)
    }

    // MARK: Values without quotes

    /// Advances to the value that is compared with `left`. If `left` is a date column, the value may be a date without quotes in the date
    /// format of the column.
    mutating func advance(toValueOf left: PlacedFormula) throws(FilterError) {
        let start = token.place.upperBound
        guard isFilter, case .field(let id) = left.formula, let reading = schema[id].flatMap({ FilterReading($0) }), reading.isTemporal,
            let written = source.unquotedText(after: start, where: { reading.withTime.value(of: $0) != nil })
        else { return try advance() }
        if let next = try? source.token(after: start), case .temporal = next.kind, next.place.upperBound >= written.place.upperBound {
            return try advance()
        }
        (end, token) = (start, written)
    }

    /// The year or month after the current token, if `left` is a column of dates whose notation does not read this text as a single date.
    private func period(comparedWith left: PlacedFormula) -> WrittenPeriod? {
        guard isFilter, case .field(let id) = left.formula, let reading = schema[id].flatMap({ FilterReading($0) }), reading.isTemporal,
            reading != .time, let period = source.period(after: token.place.upperBound), reading.withTime.value(of: period.text) == nil
        else { return nil }
        return period
    }

    /// Parses the comparison of a date column with a year or month, which stands for all of its days. For example, `>` means after its last
    /// day.
    private mutating func parseComparison(
        of left: PlacedFormula, _ function: Function, with period: WrittenPeriod, operatorPlace: Range<Int>
    ) throws(FilterError) -> PlacedFormula {
        (end, token) = (period.place.upperBound, FormulaToken(kind: .text(period.text), place: period.place))
        try advance()
        let start = left.place.lowerBound
        func compare(_ function: Function, _ moment: Int64) -> PlacedFormula {
            call(
                function, [left, PlacedFormula(.constant(.temporal(moment, .date)), at: period.place)], from: start,
                operatorPlace: operatorPlace)
        }
        switch function {
        case .greater: return compare(.greaterOrEqual, period.end)
        case .lessOrEqual: return compare(.less, period.end)
        case .less, .greaterOrEqual: return compare(function, period.start)
        case .equal, .notEqual:
            var parts = call(
                .and, [compare(.greaterOrEqual, period.start), compare(.less, period.end)], from: start, operatorPlace: operatorPlace)
            if period.isQuoted {
                // Quoted text also matches cells that consist of exactly this text, although they are not dates.
                let text = PlacedFormula(.constant(.text(period.text)), at: period.place)
                let same = call(.equal, [left, text], from: start, operatorPlace: operatorPlace)
                parts = call(.or, [parts, same], from: start, operatorPlace: operatorPlace)
            }
            return function == .equal ? parts : call(.not, [parts], from: start, operatorPlace: operatorPlace)
        default: throw .comparisonExpected(at: operatorPlace)
        }
    }

    /// Parses a flag after `left`, if `left` is a column of flags. The words are the same as in cells, such as `yes`; 1 is true and 0 is
    /// false.
    private mutating func parseFlag(for left: PlacedFormula) throws(FilterError) -> PlacedFormula? {
        guard isFilter, case .field(let id) = left.formula, schema[id]?.kind == .flag else { return nil }
        let (place, text) = (token.place, source.text(token.place))
        let flag: Bool?
        switch token.kind {
        case .word(let word) where isUnquotedText(word): flag = FieldBytes.withBytes(of: word) { $0.flag() }
        case .number: flag = ["0": false, "1": true][text]
        default: flag = nil
        }
        guard let flag else { return nil }
        try advance()
        return PlacedFormula(.constant(.flag(flag)), at: place)
    }

    /// Parses a word without quotes as a string, if it is not the name of a column, a function or an operator, and if `left` can be
    /// compared with text.
    ///
    /// If `left` is a column of flags, a word or number that means a flag becomes a flag. Returns `nil` for other tokens.
    mutating func parseUnquotedText(for left: PlacedFormula) throws(FilterError) -> PlacedFormula? {
        if let flag = try parseFlag(for: left) { return flag }
        guard case .word(let word) = token.kind, isUnquotedText(word) else { return nil }
        if case .field(let id) = left.formula {
            guard let kind = schema[id]?.kind, kind == .text || kind == .flag else { return nil }
        } else if !isText(left) {
            return nil
        }
        return try parseUnquotedText(word)
    }

    private mutating func parseUnquotedText(_ word: String) throws(FilterError) -> PlacedFormula {
        let place = token.place
        bareText = place
        try advance()
        return PlacedFormula(.constant(.text(word)), at: place)
    }

    /// True if the word of the current token is not the name of a column, a function or an operator.
    private func isUnquotedText(_ word: String) -> Bool {
        let folded = word.lowercased()
        guard isFilter, folded != "null", !Formula.reservedWords.contains(folded), schema.field(named: word) == nil else { return false }
        return (try? source.token(after: token.place.upperBound))?.kind != .symbol("(")
    }

    private func isText(_ part: PlacedFormula) -> Bool { (try? part.type(in: schema)) == .text }

    /// Parses the string after `contains` and similar tests. A number or a date is taken as a string.
    private mutating func parseText() throws(FilterError) -> PlacedFormula {
        let (text, place): (String, Range<Int>) = (source.text(token.place), token.place)
        switch token.kind {
        case .number, .temporal:
            try advance()
            return PlacedFormula(.constant(.text(text)), at: place)
        case .name(let name) where isFilter:
            try advance()
            return PlacedFormula(.constant(.text(name)), at: place)
        case .word(let word) where isUnquotedText(word): return try parseUnquotedText(word)
        case .symbol(let symbol) where symbol != "(" && symbol != "-": throw .textExpected(at: place)
        case .end: throw .textExpected(at: place)
        default: return try parseSum()
        }
    }
}
