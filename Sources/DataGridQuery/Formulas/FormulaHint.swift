import FieldValues
package import Tables

/// Advice about a valid filter or formula that probably means something else, such as a comparison of numbers with a word.
package struct FormulaHint: Hashable, Sendable {
    /// The kind of advice, independent of the words of the message.
    package enum Kind: String, CaseIterable, Sendable {
        /// A column of numbers, dates or times is compared with other text.
        case otherText
        /// Arithmetic uses a column of text.
        case numbersInText
    }

    package let kind: Kind
    /// A sentence that is true for every content of the columns.
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
            case .equal, .notEqual, .isIn: examineTexts(part.arguments)
            case .add, .subtract, .multiply, .divide, .negate, .abs, .round, .floor, .ceil: examineNumbers(part.arguments)
            default: break
            }
            for argument in part.arguments { examine(argument) }
        }

        private mutating func add(_ kind: Kind, _ message: String) {
            let hint = FormulaHint(kind: kind, message: message)
            if !hints.contains(hint) { hints.append(hint) }
        }

        /// Finds columns of text among the operands of arithmetic. Some of their cells can be numbers.
        private mutating func examineNumbers(_ parts: [LocatedFormula]) {
            for part in parts {
                guard case .field(let id) = part.formula, let field = schema[id], field.kind == .text else { continue }
                add(.numbersInText, "Column “\(field.name)” contains text: only its cells that are numbers have a result.")
            }
        }

        /// Finds text that is compared with a column and is not a value of its type. Text without characters finds empty fields.
        private mutating func examineTexts(_ parts: [LocatedFormula]) {
            for part in parts {
                guard case .field(let id) = part.formula, let field = schema[id], let reading = FilterReading(field), reading != .flag,
                    let text = parts.lazy.compactMap(\.text).first(where: { text in
                        !text.allSatisfy { $0 == " " } && reading.withTime.value(of: text) == nil
                    })
                else { continue }
                let values = reading.isNumber ? "numbers" : reading == .time ? "times" : "dates"
                add(.otherText, "Column “\(field.name)” contains \(values): only cells with the text '\(text)' equal it.")
            }
        }
    }
}
