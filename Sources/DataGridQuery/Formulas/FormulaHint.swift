import FieldValues
package import Tables

/// Advice about a valid filter or formula that is probably a mistake, such as a comparison of numbers with a word.
package struct FormulaHint: Hashable, Sendable {
    /// The mistake, independent of the wording of the message.
    package enum Kind: String, CaseIterable, Sendable {
        /// A column of numbers, dates or times is compared with text of another kind.
        case comparisonWithText
        /// Text in capital letters is compared with text that has small letters, or the other way round.
        case letterCase
        /// Arithmetic uses a column of text.
        case arithmeticWithText
        /// A column of text is compared by size with a number, a date or a time.
        case textBelowValue
        /// A number is divided by the literal zero.
        case divisionByZero
        /// Columns of text are combined with `||`, which joins text in SQL.
        case orOfTexts
        /// The lower limit of a `between` test is greater than the upper limit.
        case swappedLimits
    }

    package let kind: Kind
    /// The text of the hint, which is true for any values in the table. It is at most 240 terminal columns wide, and its first sentence at
    /// most 78.
    package let message: String

    /// The hints about a filter, in the order of its text. Empty for an invalid filter.
    /// - Complexity: O(length).
    package static func hints(aboutFilter text: String, in schema: Schema) -> [FormulaHint] {
        hints(FormulaSource(text), schema, isFilter: true)
    }

    /// The hints about the definition of a derived field, such as `total = price * quantity`. Empty for an invalid definition.
    /// - Complexity: O(length).
    package static func hints(aboutDefinition text: String, in schema: Schema) -> [FormulaHint] {
        let source = FormulaSource(text)
        guard let name = try? source.token(after: 0), let sign = try? source.token(after: name.range.upperBound) else { return [] }
        return hints(FormulaSource(source.text(sign.range.upperBound..<source.scalars.count)), schema, isFilter: false)
    }

    private static func hints(_ source: FormulaSource, _ schema: Schema, isFilter: Bool) -> [FormulaHint] {
        var parser = FormulaParser(source, schema, isFilter: isFilter)
        guard let parsed = try? parser.parseAll() else { return [] }
        var finder = Finder(source: source, schema: schema)
        finder.examine(parsed)
        return finder.hints
    }

    /// Collects the hints about a formula and its arguments.
    private struct Finder {
        let source: FormulaSource
        let schema: Schema
        private(set) var hints: [FormulaHint] = []

        init(source: FormulaSource, schema: Schema) { (self.source, self.schema) = (source, schema) }

        mutating func examine(_ part: LocatedFormula) {
            guard case .call(let function, _) = part.formula else { return }
            switch function {
            case .equal, .notEqual, .isIn:
                examineTexts(part.arguments)
                examineCase(part.arguments)
            case .less, .lessOrEqual, .greater, .greaterOrEqual: examineOrder(part.arguments)
            case .divide:
                examineNumbers(part.arguments)
                examineDivisor(part.arguments[1])
            case .add, .subtract, .multiply, .negate, .abs, .round, .floor, .ceil: examineNumbers(part.arguments)
            case .or where source.text(part.operatorRange) == "||":
                if part.arguments.contains(where: { textField($0) != nil }) { add(.orOfTexts, FilterError.joinAdvice) }
            // The operator of `not between` begins with `not`. No other test with `not` consists of two comparisons.
            case .and where ["between", "not"].contains(source.text(part.operatorRange).lowercased()): examineLimits(part.arguments)
            default: break
            }
            for argument in part.arguments { examine(argument) }
        }

        /// The maximum number of hints. It is small, because each new hint is compared with all earlier hints.
        private static let maximumCount = 10

        private mutating func add(_ kind: Kind, _ message: String) {
            let hint = FormulaHint(kind: kind, message: message)
            if hints.count < Self.maximumCount, !hints.contains(hint) { hints.append(hint) }
        }

        private static let maximumSentenceWidth = 78

        /// The approximate width of text in terminal columns. Characters of East Asian scripts have two columns.
        private static func width(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }

        private static func width(of character: Character) -> Int { (character.unicodeScalars.first?.value ?? 0) < 0x1100 ? 1 : 2 }

        /// Text of at most 40 columns. The middle of longer text is left out, because names often differ only at the start or at the end.
        private static func shortened(_ text: String) -> String {
            let limit = 40
            // A character has at least one column, so this reads only the start of long text.
            guard text.index(text.startIndex, offsetBy: limit + 1, limitedBy: text.endIndex) != nil || width(of: text) > limit else {
                return text
            }
            func fittingPrefix(_ characters: some Sequence<Character>, width limit: Int) -> [Character] {
                var room = limit
                return characters.prefix { character in
                    room -= width(of: character)
                    return room >= 0
                }
            }
            let start = fittingPrefix(text, width: limit / 2)
            let end = fittingPrefix(text.reversed(), width: limit - limit / 2 - 1)
            return String(start) + "…" + String(end.reversed())
        }

        private func quoted(_ field: Field) -> String { "“\(Self.shortened(field.name))”" }

        /// A constant limit of `between`.
        private enum Limit {
            case number(FilterNumber)
            /// In microseconds.
            case moment(Int64)
            case text(String)
        }

        /// Finds limits of `between` that no value can satisfy, because they are in the wrong order.
        /// - Parameter parts: the comparisons with the lower and the upper limit.
        private mutating func examineLimits(_ parts: [LocatedFormula]) {
            guard parts.count == 2, parts.allSatisfy({ $0.arguments.count == 2 }), case .call(let function, _) = parts[1].formula,
                let low = limit(parts[0].arguments[1], of: parts[0].arguments[0]),
                let high = limit(parts[1].arguments[1], of: parts[1].arguments[0])
            else { return }
            let isSwapped =
                switch (low, high) {
                case (.number(let low), .number(let high)): low.satisfies(.greater, comparedTo: high)
                // The end of a period, such as 2024, is the start of the next period and does not belong to it.
                case (.moment(let low), .moment(let high)): low > high || low == high && function == .less
                case (.text(let low), .text(let high)): high.utf8.lexicographicallyPrecedes(low.utf8)
                default: false
                }
            guard isSwapped else { return }
            let (first, last) = (source.text(parts[0].arguments[1].range), source.text(parts[1].arguments[1].range))
            let hint = "Write the smaller limit first: between \(last) and \(first)."
            let fits = Self.width(of: hint) <= Self.maximumSentenceWidth
            add(.swappedLimits, fits ? hint : "Write the smaller limit first, as in “between 1 and 5”.")
        }

        /// The value of a limit of `between`; `nil` if the limit is not a constant. `left` is the value that the test compares with the
        /// limit.
        private func limit(_ limit: LocatedFormula, of left: LocatedFormula) -> Limit? {
            guard case .constant(let constant) = limit.formula else { return nil }
            switch constant {
            case .number, .approximate: return ComparisonType.number(.point).value(of: constant.text).map { .number($0) }
            case .temporal(let moment, _): return .moment(moment)
            case .flag: return nil
            case .text(let text):
                guard case .field(let id) = left.formula, let field = schema[id] else { return nil }
                guard let type = ComparisonType(field) else { return .text(text) }
                guard let value = type.withTime.value(of: text) else { return nil }
                if type.isNumber { return .number(value) }
                if case .integer(let moment) = value, type.isTemporal { return .moment(moment) }
                return nil
            }
        }

        /// The field of a formula that is only a column of text.
        private func textField(_ part: LocatedFormula) -> Field? {
            guard case .field(let id) = part.formula, let field = schema[id], field.kind == .text else { return nil }
            return field
        }

        /// Finds columns of text among the operands of arithmetic. Such arithmetic is valid, because some cells of the columns can be
        /// numbers.
        private mutating func examineNumbers(_ parts: [LocatedFormula]) {
            for part in parts {
                guard let field = textField(part) else { continue }
                add(.arithmeticWithText, "Column \(quoted(field)) contains text. Arithmetic works only on cells with numbers.")
            }
        }

        /// Finds a column of text that is compared by size with a number, a date or a time. Such a comparison is valid, because some cells
        /// of the column can be numbers, dates or times.
        private mutating func examineOrder(_ parts: [LocatedFormula]) {
            for (part, other) in [(parts[0], parts[1]), (parts[1], parts[0])] {
                guard let field = textField(part), case .constant(let constant) = other.formula else { continue }
                let values: String
                switch constant {
                case .number, .approximate: values = "numbers"
                case .temporal(_, let kind): values = kind == .time ? "times" : "dates"
                case .text, .flag: continue
                }
                add(.textBelowValue, "Column \(quoted(field)) contains text. This comparison works only on cells with \(values).")
            }
        }

        private mutating func examineDivisor(_ part: LocatedFormula) {
            guard case .constant(let constant) = part.formula, let value = ComparisonType.number(.point).value(of: constant.text),
                value.satisfies(.equal, comparedTo: .integer(0))
            else { return }
            add(.divisionByZero, "Division by zero has no value. Write another divisor.")
        }

        /// Finds text that a result of `upper` or `lower` never equals, because it has letters that these functions change.
        /// - Parameter parts: the value before the operator, and at least one value after it.
        private mutating func examineCase(_ parts: [LocatedFormula]) {
            for (part, others) in [(parts[0], parts.dropFirst()), (parts[1], parts.prefix(1))] {
                guard case .call(let function, _) = part.formula, function == .upper || function == .lower else { continue }
                let isUpper = function == .upper
                let changed = others.lazy.compactMap(\.text).first { text in
                    text.unicodeScalars.contains { scalar in
                        let mapping = isUpper ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
                        return mapping != String(scalar)
                    }
                }
                guard let changed else { continue }
                let letters = isUpper ? "capital" : "small"
                let shown = Self.shortened(changed)
                add(.letterCase, "\(function.rawValue)() never equals '\(shown)'. Write \(letters) letters.")
            }
        }

        /// Finds text that is compared with a column but is not a value of the column's type. Blank text gets no hint, because it finds
        /// empty fields.
        /// - Parameter parts: the value before the operator, and at least one value after it.
        private mutating func examineTexts(_ parts: [LocatedFormula]) {
            for (part, others) in [(parts[0], parts.dropFirst()), (parts[1], parts.prefix(1))] {
                guard case .field(let id) = part.formula, let field = schema[id], let type = ComparisonType(field), type != .flag,
                    let text = others.lazy.compactMap(\.text).first(where: { text in
                        !text.allSatisfy { $0 == " " } && type.withTime.value(of: text) == nil
                    })
                else { continue }
                let values = type.isNumber ? "numbers" : type == .time ? "times" : "dates"
                let shown = Self.shortened(text)
                add(.comparisonWithText, "Column \(quoted(field)) contains \(values). They never equal the text '\(shown)'.")
            }
        }
    }
}
