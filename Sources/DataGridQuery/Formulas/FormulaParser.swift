import FieldValues
import Tables

/// A recursive descent parser for formulas and filters. Each level of operator precedence has a method; the operators that bind least come
/// first.
///
/// The parser resolves field names but does not check types: ``LocatedFormula/type(in:)`` and ``FilterPlanner`` check them.
struct FormulaParser {
    typealias Function = Formula.Function

    let source: FormulaSource
    let schema: Schema
    /// True for the text of a filter, where more is allowed: a single word searches all fields, double quotes after `contains` enclose a
    /// string, and a word after `=` can be a string.
    let isFilter: Bool
    private(set) var token = FormulaToken(kind: .end, range: 0..<0)
    /// The end of the token before ``token``, as an index of Unicode scalars.
    private(set) var end = 0
    private var nesting = 0
    var operatorCount = 0
    /// True while the values of a list are parsed. A comma then separates values and is never part of a number or date.
    var isInList = false
    /// The range of the last string that was written without quotes, for error messages.
    private var bareText: Range<Int>?

    /// The sizes that were read instead of an error, because the schema has a column of sizes. They are removed when a comparison with such
    /// a column is found.
    private var uncheckedSizes: [(range: Range<Int>, error: FilterError)] = []
    private lazy var hasSizeColumn = schema.fields.contains { $0.kind.isNumber && $0.notation.unit.isSize }

    /// The maximum nesting of parentheses, calls, negations and signs. Each level uses stack space.
    static let nestingLimit = 100
    /// The maximum number of arithmetic operators in a formula. Each one makes the tree deeper, and processing a deep tree uses stack
    /// space.
    static let operatorLimit = 1_000

    init(_ source: FormulaSource, _ schema: Schema, isFilter: Bool) {
        (self.source, self.schema, self.isFilter) = (source, schema, isFilter)
    }

    mutating func parseAll() throws(FilterError) -> LocatedFormula {
        do throws(FilterError) {
            return try parseWhole()
        } catch {
            throw suggestingQuotes(error)
        }
    }

    private mutating func parseWhole() throws(FilterError) -> LocatedFormula {
        if isFilter, let texts = source.bareTexts, let filter = try unquotedFilter(texts) { return filter }
        try advance()
        let part = try parseDisjunction()
        if let size = uncheckedSizes.first { throw size.error }
        switch token.kind {
        case .end: return part
        case .symbol(")"): throw FilterError(.unmatchedParenthesis, "Unmatched “)”.", at: token.range)
        default:
            if let number = source.numberWithPoint(comma: token.range.lowerBound) {
                throw FilterError(.decimalComma, "The decimal separator is a point: write \(number.text).", at: number.range)
            }
            guard part.isCondition else {
                throw isFilter ? comparisonError : FilterError(.expectedOperator, "Expected an operator.", at: token.range)
            }
            if let bareText, bareText.upperBound == end, case .word = token.kind {
                throw FilterError(
                    .severalWords,
                    "Put text of several words in quotes, as in 'two words'.", at: bareText.lowerBound..<token.range.upperBound)
            }
            if let bareText, bareText.upperBound == end, isSymbol("*"), token.range.lowerBound == end {
                let text = source.text(bareText)
                throw FilterError(.wildcard, "* is not a wildcard. Use “starts with '\(text)'” or “like '\(text)%'”.", at: token.range)
            }
            throw FilterError(.expectedAndOr, "Expected “and” or “or”.", at: token.range)
        }
    }

    /// The filter that consists only of words and quoted strings: a column of flags, or strings to search for in all fields. Returns `nil`
    /// for a condition with operators.
    private func unquotedFilter(_ texts: [(text: String, range: Range<Int>)]) throws(FilterError) -> LocatedFormula? {
        let range = source.trimmedRange
        if let first = try? source.token(after: 0), first.range == texts[0].range {
            switch first.kind {
            // A column name alone is parsed as a column, so that a column of flags is a condition.
            case .word(let name):
                guard let field = try self.field(named: name, at: first.range) else { break }
                return texts.count == 1 ? LocatedFormula(.field(field.id), at: range) : nil
            case .name(let name): if texts.count > 1, schema.field(named: name) != nil { return nil }
            default: break
            }
        }
        if texts.count > 1, texts.contains(where: { !isQuoted($0.range) && isOperator($0.text) }) { return nil }
        let parts = texts.map { text, range in
            LocatedFormula(.anyFieldContains, [LocatedFormula(.constant(.text(text)), at: range)], at: range, operatorRange: range)
        }
        return parts.count == 1 ? parts[0] : LocatedFormula(.and, parts, at: range, operatorRange: range)
    }

    /// True if the string at a range of the filter is in quotes.
    private func isQuoted(_ range: Range<Int>) -> Bool { ["'", "\""].contains(source.scalars[range.lowerBound]) }

    private func isOperator(_ word: String) -> Bool {
        let folded = word.lowercased()
        return Formula.operatorWords.contains(folded) || ["+", "-", "*", "/", "&", "|"].contains(word)
            || folded.hasSuffix("*") && Formula.operatorWords.contains(String(folded.dropLast()))
    }

    /// The error for a filter that starts with a value without a comparison. If the filter consists only of words, the error suggests a
    /// search for these words.
    private var comparisonError: FilterError {
        guard let texts = source.bareTexts, texts.count > 1, !texts.contains(where: { isQuoted($0.range) || isOperator($0.text) }) else {
            return .comparisonExpectedError(at: token.range)
        }
        let text = source.trimmedText
        let example = text.unicodeScalars.count <= 40 ? "'\(text)'" : "'text'"
        return FilterError(.expectedComparison, "Expected a comparison, or text in quotes: \(example).", at: token.range)
    }

    // MARK: Tokens

    mutating func advance() throws(FilterError) {
        end = token.range.upperBound
        do {
            token = try source.token(after: end)
        } catch {
            if [.unexpectedCharacter, .numberUnit].contains(error.kind), hasSizeColumn, let size = source.size(after: end) {
                uncheckedSizes.append((size.range, error))
                token = size
                return
            }
            guard [.unexpectedCharacter, .unquotedName, .unknownOperator, .numberUnit].contains(error.kind) else { throw error }
            throw source.currencyError(at: error.range.lowerBound) ?? error
        }
    }

    /// The kinds of errors that a column name without its quotes can cause.
    private static let unquotedNameErrors: Set<FilterError.Kind> = [
        .unexpectedCharacter, .currencySign, .numberUnit, .unknownOperator, .unquotedName, .unknownColumn, .unknownFunction,
        .expectedOperand, .expectedOperator, .expectedComparison, .expectedAndOr, .expectedListEnd, .expectedParenthesis,
        .expectedColumnOnOneSide,
    ]

    /// Returns an error that asks for quotes, if a column name without its quotes is at the position of `error`. Otherwise, returns
    /// `error`.
    func suggestingQuotes(_ error: FilterError) -> FilterError {
        guard let kind = error.kind, Self.unquotedNameErrors.contains(kind), let name = unquotedName(at: error.range.lowerBound) else {
            return error
        }
        return .missingQuotesError(name.text, at: name.range)
    }

    /// A column name that needs quotes, was written without them and contains the scalar at `position`; `nil` if there is no such name. A
    /// name needs quotes if it has spaces or symbols, or if it begins with a digit. The case of ASCII letters is ignored.
    private func unquotedName(at position: Int) -> (text: String, range: Range<Int>)? {
        // Most errors in a text that is being typed are at its end.
        guard position < source.scalars.count else { return nil }
        func isPartOfWord(_ index: Int) -> Bool {
            source.scalars.indices.contains(index) && FormulaSource.isPartOfWord(source.scalars[index])
        }
        func folded(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value &- 0x41 < 26 ? scalar.value | 0x20 : scalar.value }
        // Examine at most 10,000 fields, because the prompt calls this for each typed character.
        for field in schema.fields.prefix(10_000) {
            let name = Array(field.name.unicodeScalars)
            guard name.count > 1, name.contains(where: { !FormulaSource.isPartOfWord($0) }) || FormulaSource.isDigit(name[0]) else {
                continue
            }
            for start in max(0, position - name.count + 1)..<position + 1 where start + name.count <= source.scalars.count {
                let range = start..<start + name.count
                guard source.scalars[range].elementsEqual(name, by: { folded($0) == folded($1) }) else { continue }
                // A part of a longer word or number is not the name.
                let startsInWord = isPartOfWord(start) && isPartOfWord(start - 1)
                let endsInWord = isPartOfWord(range.upperBound - 1) && isPartOfWord(range.upperBound)
                if !startsInWord, !endsInWord { return (field.name, range) }
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
            throw FilterError(.nestedTooDeeply, "Nested too deeply: the limit is \(Self.nestingLimit) levels.", at: token.range)
        }
        defer { nesting -= 1 }
        return try body(&self)
    }

    /// Creates a function call that ends at the previous token. The method is mutating, although it changes nothing: arguments in the same
    /// expression advance the parser, and Swift evaluates them before the method reads ``end``.
    mutating func call(_ function: Function, _ arguments: [LocatedFormula], from start: Int, operatorRange: Range<Int>) -> LocatedFormula {
        LocatedFormula(function, arguments, at: start..<end, operatorRange: operatorRange)
    }

    /// Creates a comparison that ends at the previous token.
    /// - Throws: an error if one argument is a number such as `1.000`, and another argument uses a column with decimal commas. In such a
    ///   column, `1.000` means 1000.
    mutating func comparison(
        _ function: Function, _ arguments: [LocatedFormula], from start: Int, operatorRange: Range<Int>
    ) throws(FilterError) -> LocatedFormula {
        for argument in arguments {
            guard case .constant(.number) = argument.formula else { continue }
            let text = source.text(argument.range).filter { !"( )".contains($0) }
            guard let whole = NumberGroups.withoutSeparators(text, separator: "."),
                arguments.contains(where: { $0.formula.hasDecimalCommas(in: schema) })
            else { continue }
            throw ambiguityError(of: text, whole: whole, at: argument.range)
        }
        return call(function, arguments, from: start, operatorRange: operatorRange)
    }

    /// The error for a number such as `1.500` or `1,500`, which can have a group of thousands or a fraction.
    /// - Parameter whole: the number that is meant if the text has a group of thousands.
    func ambiguityError(of written: String, whole: String, at range: Range<Int>) -> FilterError {
        let point = written.replacing(",", with: ".")
        // Change the number of fraction digits, so that the fraction cannot be read as a group of thousands: `1.500` becomes `1.5`, and
        // `1.125` becomes `1.1250`.
        var fraction = point
        while fraction.hasSuffix("0"), !fraction.hasSuffix(".0") { fraction.removeLast() }
        if fraction == point { fraction += "0" }
        return FilterError(
            .ambiguousNumber, "“\(written)” is ambiguous. Write \(whole) or \(fraction), without thousands separators.", at: range)
    }

    // MARK: Conditions

    mutating func parseDisjunction() throws(FilterError) -> LocatedFormula {
        try parseChain("or", "||", .or) { parser throws(FilterError) in try parser.parseConjunction() }
    }

    private mutating func parseConjunction() throws(FilterError) -> LocatedFormula {
        try parseChain("and", "&&", .and) { parser throws(FilterError) in try parser.parseNegation() }
    }

    private mutating func parseChain(
        _ word: String, _ symbol: String, _ function: Function, _ next: (inout Self) throws(FilterError) -> LocatedFormula
    ) throws(FilterError) -> LocatedFormula {
        let first = try next(&self)
        guard isWord(word) || isSymbol(symbol) else { return first }
        let operatorRange = token.range
        let joinsText = isSymbol("||")
        var parts = [first]
        while try skip(word: word, or: symbol) { parts.append(try next(&self)) }
        if joinsText, parts.contains(where: isNeverFlag) { throw FilterError(.joinedText, FilterError.joinAdvice, at: operatorRange) }
        return call(function, parts, from: first.range.lowerBound, operatorRange: operatorRange)
    }

    /// True for text that cannot be a condition. In a definition, a column of text can contain flags.
    private func isNeverFlag(_ part: LocatedFormula) -> Bool {
        if !isFilter, case .field = part.formula { return false }
        return isText(part)
    }

    private mutating func parseNegation() throws(FilterError) -> LocatedFormula {
        guard isWord("not") || isSymbol("!") else { return try parseComparison() }
        let operatorRange = token.range
        try advance()
        let part = try nested { parser throws(FilterError) in try parser.parseNegation() }
        return call(.not, [part], from: operatorRange.lowerBound, operatorRange: operatorRange)
    }

    /// The function of each comparison operator. `!~` has the function of `~`, and ``parseComparison()`` negates it.
    private static let comparisons: [String: Function] = [
        "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "~": .matches, "!~": .matches,
    ]

    /// Parses a word or a quoted string as a search in all fields, if no comparison follows. Returns `nil` for other conditions.
    private mutating func parseSearchString() throws(FilterError) -> LocatedFormula? {
        guard isFilter, !isInList else { return nil }
        let text: String
        switch token.kind {
        case .text(let content) where !content.isEmpty: text = content
        case .word(let word) where isUnquotedText(word): text = word
        default: return nil
        }
        switch (try? source.token(after: token.range.upperBound))?.kind {
        case .end, .symbol(")"), .symbol("&&"), .symbol("||"): break
        case .word(let next) where ["and", "or"].contains(next.lowercased()): break
        default: return nil
        }
        let range = token.range
        try advance()
        return call(
            .anyFieldContains, [LocatedFormula(.constant(.text(text)), at: range)], from: range.lowerBound, operatorRange: range)
    }

    /// Parses a comparison, and checks that its sizes such as `1G` are compared with a column of sizes.
    private mutating func parseComparison() throws(FilterError) -> LocatedFormula {
        let part = try parseAnyComparison()
        guard !uncheckedSizes.isEmpty else { return part }
        if part.formula.hasSizes(in: schema) {
            uncheckedSizes.removeAll { part.range.contains($0.range.lowerBound) }
        } else if part.isCondition, let size = uncheckedSizes.first(where: { part.range.contains($0.range.lowerBound) }) {
            throw size.error
        }
        return part
    }

    private mutating func parseAnyComparison() throws(FilterError) -> LocatedFormula {
        if let search = try parseSearchString() { return search }
        let left = try parseSum()
        let (start, operatorRange) = (left.range.lowerBound, token.range)
        guard case .symbol(let symbol) = token.kind, let function = Self.comparisons[symbol] else { return try parseTest(of: left) }
        if function != .matches, let period = period(comparedWith: left) {
            return try parseComparison(of: left, function, with: period, operatorRange: operatorRange)
        }
        try advance(toValueOf: left)
        if function == .matches {
            let test = call(try parseCaseVariant(of: function), [left, try parseText()], from: start, operatorRange: operatorRange)
            return symbol == "~" ? test : call(.not, [test], from: start, operatorRange: operatorRange)
        }
        if function == .equal || function == .notEqual, try skip("*") {
            let test = call(.equalIgnoringCase, [left, try parseText()], from: start, operatorRange: operatorRange)
            return function == .equal ? test : call(.not, [test], from: start, operatorRange: operatorRange)
        }
        if function == .equal || function == .notEqual, let text = try parseUnquotedText(for: left) {
            return call(function, [left, text], from: start, operatorRange: operatorRange)
        }
        return try comparison(function, [left, try parseSum()], from: start, operatorRange: operatorRange)
    }

    /// Parses a test that follows `left`, such as `contains`, `in`, `between`, `like`, `is empty`, `is null` or a negation of them. Returns
    /// `left` if no test follows.
    private mutating func parseTest(of left: LocatedFormula) throws(FilterError) -> LocatedFormula {
        let (start, operatorRange) = (left.range.lowerBound, token.range)
        let isNegated = isWord("not")
        if isNegated { try advance() }
        let test: LocatedFormula
        if isWord("is"), !isNegated {
            try advance()
            let isNot = try skip(word: "not")
            let isNull = isWord("missing") || isWord("null") && left.formula.hasNulls(in: schema)
            guard isNull || isWord("empty") || isWord("null") else {
                throw FilterError(
                    .expectedState,
                    isNot ? "Expected “empty”, “null” or “missing”." : "Expected “empty”, “null”, “missing” or “not”.", at: token.range)
            }
            try advance()
            test = call(isNull ? .isNull : .isEmpty, [left], from: start, operatorRange: operatorRange)
            return isNot ? call(.not, [test], from: start, operatorRange: operatorRange) : test
        } else if try skip(word: "in") {
            guard isSymbol("(") else { throw FilterError(.expectedList, "Expected a list of values in parentheses.", at: token.range) }
            try advance(toValueOf: left)
            guard !isSymbol(")") else {
                throw FilterError(.expectedListValue, "Expected a number, a date or text in quotes.", at: token.range)
            }
            test = try comparison(.isIn, [left] + (try parseList(valuesOf: left)), from: start, operatorRange: operatorRange)
        } else if isWord("between") {
            test = try parseBetween(left, operatorRange: operatorRange)
        } else if isWord("like") || isWord("ilike") {
            test = try parseLike(left, ignoresCase: isWord("ilike"), operatorRange: operatorRange)
        } else if try skip(word: "contains") {
            test = call(try parseCaseVariant(of: .contains), [left, try parseText()], from: start, operatorRange: operatorRange)
        } else if isWord("starts") || isWord("ends") {
            let (function, word): (Function, String) = isWord("starts") ? (.startsWith, "starts") : (.endsWith, "ends")
            try advance()
            guard try skip(word: "with") else { throw FilterError(.expectedWith, "Write “\(word) with”.", at: token.range) }
            test = call(try parseCaseVariant(of: function), [left, try parseText()], from: start, operatorRange: operatorRange)
        } else if isNegated {
            throw FilterError(
                .expectedTest, "Write “in”, “between”, “like”, “contains”, “starts with” or “ends with” here.", at: token.range)
        } else {
            return left
        }
        return isNegated ? call(.not, [test], from: start, operatorRange: operatorRange) : test
    }

    /// If the current token is `*`, skips it and returns the variant of the function that ignores case. Otherwise, returns the function
    /// itself.
    private mutating func parseCaseVariant(of function: Function) throws(FilterError) -> Function {
        try skip("*") ? function.ignoringCase ?? function : function
    }

    /// Parses a `between` test. The current token is `between`. The result is two comparisons of `left`, with the lower and the upper
    /// limit.
    private mutating func parseBetween(_ left: LocatedFormula, operatorRange: Range<Int>) throws(FilterError) -> LocatedFormula {
        operatorCount += left.formula.size - 1
        try checkOperatorCount()
        let atLeast = try parseLimit(of: left, .greaterOrEqual, operatorRange: operatorRange)
        guard isWord("and") || isSymbol("&&") else {
            throw FilterError(.expectedUpperLimit, "Expected “and” and the upper limit, as in “between 1 and 5”.", at: token.range)
        }
        let atMost = try parseLimit(of: left, .lessOrEqual, operatorRange: operatorRange)
        return call(.and, [atLeast, atMost], from: left.range.lowerBound, operatorRange: operatorRange)
    }

    /// Parses one limit of a `between` test as a comparison with `left`. The current token is the token before the limit.
    private mutating func parseLimit(
        of left: LocatedFormula, _ function: Function, operatorRange: Range<Int>
    ) throws(FilterError) -> LocatedFormula {
        if let period = period(comparedWith: left) {
            return try parseComparison(of: left, function, with: period, operatorRange: operatorRange)
        }
        try advance(toValueOf: left)
        return try comparison(function, [left, try parseSum()], from: left.range.lowerBound, operatorRange: operatorRange)
    }

    /// Parses a `like` or `ilike` test. The current token is that word.
    private mutating func parseLike(
        _ left: LocatedFormula, ignoresCase: Bool, operatorRange: Range<Int>
    ) throws(FilterError) -> LocatedFormula {
        try advance()
        let pattern = try parseText()
        guard let written = pattern.text else { throw .textExpectedError(at: pattern.range) }
        var escape: Unicode.Scalar?
        if try skip(word: "escape") {
            guard case .text(let mark) = token.kind, mark.unicodeScalars.count == 1 else {
                throw FilterError(.invalidEscape, "Expected one character in single quotes, as in escape '!'.", at: token.range)
            }
            escape = mark.unicodeScalars.first
            try advance()
        }
        guard let like = LikePattern(written, escape: escape) else {
            throw FilterError(
                .unfinishedEscape, "The pattern ends with the escape character. Write a character after it.", at: pattern.range)
        }
        let (function, text) = like.equivalentTest(comparesStrings: isText(left), ignoresCase: ignoresCase)
        return call(
            function, [left, LocatedFormula(.constant(.text(text)), at: pattern.range)], from: left.range.lowerBound,
            operatorRange: operatorRange)
    }

    // MARK: Values without quotes

    /// Advances to the value that is compared with `left`. If `left` is a date column, the value may be a date without quotes in the date
    /// format of the column. If it is a column of sizes, the value may be a size such as `1.5G`.
    mutating func advance(toValueOf left: LocatedFormula) throws(FilterError) {
        let start = token.range.upperBound
        if case .field(let id) = left.formula, let field = schema[id], field.kind.isNumber, field.notation.unit.isSize,
            let size = source.size(after: start)
        {
            (end, token) = (start, size)
            return
        }
        guard isFilter, case .field(let id) = left.formula, let type = schema[id].flatMap({ ComparisonType($0) }), type.isTemporal,
            let written = source.unquotedText(after: start, where: { type.withTime.value(of: $0) != nil })
        else { return try advance() }
        if let next = try? source.token(after: start), case .temporal = next.kind, next.range.upperBound >= written.range.upperBound {
            return try advance()
        }
        (end, token) = (start, written)
    }

    /// The year or month after the current token, if `left` is a column of dates whose notation does not read this text as a single date.
    private func period(comparedWith left: LocatedFormula) -> WrittenPeriod? {
        guard isFilter, case .field(let id) = left.formula, let type = schema[id].flatMap({ ComparisonType($0) }), type.isTemporal,
            type != .time, let period = source.period(after: token.range.upperBound), type.withTime.value(of: period.text) == nil
        else { return nil }
        return period
    }

    /// Parses the comparison of a date column with a year or month, which stands for all of its days. For example, `>` is true for days
    /// after the last day of the year or month.
    private mutating func parseComparison(
        of left: LocatedFormula, _ function: Function, with period: WrittenPeriod, operatorRange: Range<Int>
    ) throws(FilterError) -> LocatedFormula {
        (end, token) = (period.range.upperBound, FormulaToken(kind: .text(period.text), range: period.range))
        try advance()
        let start = left.range.lowerBound
        func compare(_ function: Function, _ moment: Int64) -> LocatedFormula {
            call(
                function, [left, LocatedFormula(.constant(.temporal(moment, .date)), at: period.range)], from: start,
                operatorRange: operatorRange)
        }
        switch function {
        case .greater: return compare(.greaterOrEqual, period.end)
        case .lessOrEqual: return compare(.less, period.end)
        case .less, .greaterOrEqual: return compare(function, period.start)
        case .equal, .notEqual:
            var parts = call(
                .and, [compare(.greaterOrEqual, period.start), compare(.less, period.end)], from: start, operatorRange: operatorRange)
            if period.isQuoted {
                // Quoted text also matches cells that consist of exactly this text, although they are not dates.
                let text = LocatedFormula(.constant(.text(period.text)), at: period.range)
                let same = call(.equal, [left, text], from: start, operatorRange: operatorRange)
                parts = call(.or, [parts, same], from: start, operatorRange: operatorRange)
            }
            return function == .equal ? parts : call(.not, [parts], from: start, operatorRange: operatorRange)
        default: throw .comparisonExpectedError(at: operatorRange)
        }
    }

    /// Parses a flag after `left`, if `left` is a column of flags. The words are the same as in cells, such as `yes`; 1 is true and 0 is
    /// false. After a column of integers, `true` and `false` become 1 and 0, because SQLite stores flags as these integers.
    private mutating func parseFlag(for left: LocatedFormula) throws(FilterError) -> LocatedFormula? {
        guard isFilter, case .field(let id) = left.formula, let kind = schema[id]?.kind else { return nil }
        let (range, text) = (token.range, source.text(token.range))
        if kind == .integer, case .word(let word) = token.kind, let digit = ["true": Int128(1), "false": 0][word.lowercased()] {
            try advance()
            return LocatedFormula(.constant(.exact(ExactDecimal(digit, digits: 0))), at: range)
        }
        guard kind == .flag else { return nil }
        let flag: Bool?
        switch token.kind {
        case .word(let word) where isUnquotedText(word): flag = FieldBytes.withBytes(of: word) { $0.flag() }
        case .number: flag = ["0": false, "1": true][text]
        default: flag = nil
        }
        guard let flag else { return nil }
        try advance()
        return LocatedFormula(.constant(.flag(flag)), at: range)
    }

    /// Parses a word without quotes as a string, if it is not the name of a column, a function or an operator, and if `left` can be
    /// compared with text.
    ///
    /// If `left` is a column of flags, a word or number that means a flag becomes a flag. Returns `nil` for other tokens.
    mutating func parseUnquotedText(for left: LocatedFormula) throws(FilterError) -> LocatedFormula? {
        if let flag = try parseFlag(for: left) { return flag }
        guard case .word(let word) = token.kind, isUnquotedText(word) else { return nil }
        if case .field(let id) = left.formula {
            guard let kind = schema[id]?.kind, kind == .text || kind == .flag else { return nil }
        } else if !isText(left) {
            return nil
        }
        return try parseUnquotedText(word)
    }

    private mutating func parseUnquotedText(_ word: String) throws(FilterError) -> LocatedFormula {
        let range = token.range
        bareText = range
        try advance()
        return LocatedFormula(.constant(.text(word)), at: range)
    }

    /// True if the word of the current token is not the name of a column, a function or an operator.
    private func isUnquotedText(_ word: String) -> Bool {
        let folded = word.lowercased()
        guard isFilter, folded != "null", !Formula.reservedWords.contains(folded), schema.field(named: word) == nil else { return false }
        return (try? source.token(after: token.range.upperBound))?.kind != .symbol("(")
    }

    private func isText(_ part: LocatedFormula) -> Bool { (try? part.type(in: schema)) == .text }

    /// Parses the string after `contains` and similar tests. A number or a date is taken as a string.
    private mutating func parseText() throws(FilterError) -> LocatedFormula {
        let (text, range): (String, Range<Int>) = (source.text(token.range), token.range)
        switch token.kind {
        case .number, .temporal:
            try advance()
            return LocatedFormula(.constant(.text(text)), at: range)
        case .name(let name) where isFilter:
            try advance()
            return LocatedFormula(.constant(.text(name)), at: range)
        case .word(let word) where isUnquotedText(word): return try parseUnquotedText(word)
        case .symbol(let symbol) where symbol != "(" && symbol != "-": throw .textExpectedError(at: range)
        case .end: throw .textExpectedError(at: range)
        default: return try parseSum()
        }
    }
}
