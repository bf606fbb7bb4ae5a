package import Tables

/// The last part of an incomplete condition, if it can be completed: the start of a column name or of a value.
package struct FilterCompletion: Equatable, Sendable {
    package enum Subject: Equatable, Sendable {
        case columns
        case values(FieldID)
    }

    package let subject: Subject
    /// The text typed for this name or value, without quotes.
    package let typedText: String
    /// The start of the text that the completion replaces, in Unicode scalars from the start of the condition.
    package let start: Int
    /// True if ``typedText`` is a complete number or date. Only column names that begin with this text are then offered.
    package private(set) var needsPrefix = false

    /// Finds the part to complete at the end of `text`; `nil` if neither a column name nor a value of a column fits there.
    /// - Complexity: O(length).
    package init?(_ text: String, in schema: Schema) {
        let source = FormulaSource(text)
        var tokens: [FormulaToken] = []
        var (typed, start, quote): (String, Int, Unicode.Scalar?) = ("", source.scalars.count, nil)
        var position = 0
        while true {
            if let token = (try? source.token(after: position)) ?? source.size(after: position) {
                if token.kind == .end { break }
                tokens.append(token)
                position = token.range.upperBound
                continue
            }
            // A missing end quote means that the name or value is being typed. After any other error, nothing can be completed.
            start = source.scalars[position...].firstIndex { !FormulaSource.isBlank($0) } ?? position
            guard start < source.scalars.count, ["'", "\""].contains(source.scalars[start]) else { return nil }
            quote = source.scalars[start]
            typed = source.text(start + 1..<source.scalars.count)
            break
        }
        if quote == nil, let last = tokens.last, last.range.upperBound == source.scalars.count {
            switch last.kind {
            case .word, .number, .temporal:
                tokens.removeLast()
                (typed, start) = (source.text(last.range), last.range.lowerBound)
                if case .word = last.kind {} else { needsPrefix = true }
            case .symbol: break
            default: return nil
            }
        }
        guard let subject = Self.subject(after: tokens[...], in: schema), quote != "'" || subject != .columns else { return nil }
        if needsPrefix, subject == .columns, !Self.startsCondition(after: tokens[...]) { return nil }
        (self.subject, self.typedText, self.start) = (subject, typed, start)
    }

    private static func subject(after tokens: ArraySlice<FormulaToken>, in schema: Schema) -> Subject? {
        guard let last = tokens.last else { return .columns }
        let before = tokens.dropLast()
        switch last.kind {
        case .symbol("="), .symbol("!="): return field(at: before.last, in: schema).map { .values($0) } ?? .columns
        case .symbol("*") where [.symbol("="), .symbol("!=")].contains(before.last?.kind):
            return field(at: before.dropLast().last, in: schema).map { .values($0) }
        case .symbol("("), .symbol(","):
            guard let open = last.kind == .symbol("(") ? tokens.indices.last : before.lastIndex(where: { $0.kind == .symbol("(") }) else {
                return nil
            }
            var left = tokens[..<open]
            guard case .word(let word) = left.popLast()?.kind, word.lowercased() == "in" else { return .columns }
            if case .word(let word) = left.last?.kind, word.lowercased() == "not" { left.removeLast() }
            return field(at: left.last, in: schema).map { .values($0) }
        case .symbol(")"), .symbol("~"), .symbol("!~"): return nil
        case .symbol: return .columns
        case .word(let word): return ["and", "or", "not"].contains(word.lowercased()) ? .columns : nil
        default: return nil
        }
    }

    /// True if a condition starts after the tokens. At the start of a condition, a number can be the start of a column name. After an
    /// operator and in the arguments of a function, it is a value.
    private static func startsCondition(after tokens: ArraySlice<FormulaToken>) -> Bool {
        guard let last = tokens.last else { return true }
        let before = tokens.dropLast()
        switch last.kind {
        case .word, .symbol("&&"), .symbol("||"), .symbol("!"):
            guard let word = connective(last), word != "between" else { return false }
            // The upper limit of `between 1 and 5` is a value.
            return word != "and" || before.compactMap { connective($0) }.last != "between"
        case .symbol("("):
            if case .word = before.last?.kind { return startsCondition(after: before) }
            return true
        default: return false
        }
    }

    /// The operator `and`, `or`, `not` or `between` that a token stands for; `nil` for other tokens.
    private static func connective(_ token: FormulaToken) -> String? {
        switch token.kind {
        case .word(let word): ["and", "or", "not", "between"].contains(word.lowercased()) ? word.lowercased() : nil
        case .symbol("&&"): "and"
        case .symbol("||"): "or"
        case .symbol("!"): "not"
        default: nil
        }
    }

    private static func field(at token: FormulaToken?, in schema: Schema) -> FieldID? {
        switch token?.kind {
        case .word(let name), .name(let name):
            let fields = schema.fields(named: name)
            return fields.count == 1 ? fields[0].id : nil
        case .columnNumber(let number): return schema.field(numbered: number)?.id
        default: return nil
        }
    }
}
