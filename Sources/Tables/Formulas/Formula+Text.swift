public import FieldValues

extension Formula {
    /// Words with a meaning in formulas. A field with such a name must be written in double quotes.
    public static let reservedWords: Set<String> = operatorWords.union(["true", "false"])

    /// Words of operators, such as `and` and `contains`.
    package static let operatorWords: Set<String> = [
        "and", "or", "not", "in", "is", "contains", "starts", "ends", "like", "ilike", "between",
    ]

    /// Writes the formula as text with the field names of a schema and as few parentheses as possible. The parser reads the text back as an
    /// equal formula.
    public func text(in schema: Schema) -> String {
        switch self {
        case .field(let id): return Self.name(of: id, in: schema)
        case .constant(let constant): return constant.text
        case .call(let function, let arguments): return Self.text(of: function, arguments, schema)
        }
    }

    private static func text(of function: Function, _ arguments: [Formula], _ schema: Schema) -> String {
        // In a comparison with a column of decimal commas, the parser rejects 1.125, because that could mean 1125. A zero is appended,
        // because the parser accepts 1.1250.
        func argument(_ index: Int) -> String {
            let text = arguments[index].text(in: schema)
            guard function.comparesValues, case .constant(.number) = arguments[index],
                NumberGroups.withoutSeparators(text, separator: ".") != nil,
                arguments.contains(where: { $0.hasDecimalCommas(in: schema) })
            else { return text }
            return text + "0"
        }
        func operand(_ index: Int, precedence: Int) -> String {
            let text = argument(index)
            // Without parentheses, the parser would read the argument as a string.
            let isMisread = index == 1 && function.readsText && text.first.map { $0 == "\"" || ("0"..."9").contains($0) } ?? false
            return arguments[index].precedence < precedence || isMisread ? "(\(text))" : text
        }
        func list(_ arguments: some Sequence<Formula>) -> String { arguments.map { $0.text(in: schema) }.joined(separator: ", ") }
        if let name = function.name { return "\(name)(\(list(arguments)))" }
        let precedence = function.precedence
        switch function {
        case .negate:
            // The parser would read a sign directly before a number as part of the number.
            switch arguments[0] {
            case .constant(.number), .constant(.approximate): return "-(\(arguments[0].text(in: schema)))"
            default: break
            }
            return "-\(operand(0, precedence: precedence + 1))"
        case .not: return "not \(operand(0, precedence: precedence))"
        case .isEmpty: return "\(operand(0, precedence: precedence + 1)) is empty"
        case .isNull: return "\(operand(0, precedence: precedence + 1)) is \(arguments[0].hasNulls(in: schema) ? "null" : "missing")"
        case .isIn:
            let values = arguments.indices.dropFirst().map(argument).joined(separator: ", ")
            return "\(operand(0, precedence: precedence + 1)) in (\(values))"
        case .add, .subtract, .multiply, .divide:
            return "\(operand(0, precedence: precedence)) \(function.infix ?? "") \(operand(1, precedence: precedence + 1))"
        default:
            let infix = " \(function.infix ?? "") "
            return arguments.indices.map { operand($0, precedence: precedence + 1) }.joined(separator: infix)
        }
    }

    /// True if the result of the formula can be null, as opposed to an empty text.
    package func hasNulls(in schema: Schema) -> Bool {
        switch self {
        case .field(let id): schema[id]?.hasNulls ?? false
        case .call(.json, _): true
        default: false
        }
    }

    /// True if the formula uses a column of numbers with decimal commas.
    package func hasDecimalCommas(in schema: Schema) -> Bool {
        fields.contains { id in schema[id].map { $0.kind.isNumber && $0.notation.isComma } ?? false }
    }

    /// True if the formula uses a column of sizes, such as `1.5G`.
    package func hasSizes(in schema: Schema) -> Bool {
        fields.contains { id in schema[id].map { $0.kind.isNumber && $0.notation.unit.isSize } ?? false }
    }

    private var precedence: Int {
        switch self {
        case .field: 8
        case .constant(.number(let number)): number.mantissa < 0 ? 7 : 8
        case .constant(.approximate(let text)): text.hasPrefix("-") ? 7 : 8
        case .constant: 8
        case .call(let function, _): function.precedence
        }
    }

    /// The shortest form of a field in a formula: its name, its name in double quotes, or, if its name is empty or not unique, its number.
    private static func name(of id: FieldID, in schema: Schema) -> String {
        guard let field = schema[id], !field.name.isEmpty, schema.nameIdentifies(field) else { return "#\(id.rawValue + 1)" }
        return quoted(field.name)
    }

    /// A field name as written in a formula, in double quotes only if it needs them.
    public static func quoted(_ name: String) -> String {
        let isWord =
            name.unicodeScalars.enumerated().allSatisfy { index, scalar in
                scalar.value >= 0x80 || scalar == "_" || (scalar.value | 0x20) &- 0x61 < 26
                    || index > 0 && (scalar == "." || scalar.value &- 0x30 < 10)
            } && !reservedWords.contains(name.lowercased())
        return isWord ? name : name.quoted(by: "\"")
    }
}

extension Formula.Function {
    /// True for the comparisons of two values and for `in`.
    package var comparesValues: Bool {
        [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn].contains(self)
    }
}

/// The digit groups of numbers, such as `1.234.567`.
package enum NumberGroups {
    /// A whole number without its group separators, such as `1234567` for `1.234.567`. `nil` for a number without groups. The first group
    /// has one to three digits, and does not start with 0.
    package static func withoutSeparators(_ text: String, separator: Character) -> String? {
        let sign = text.prefix { $0 == "-" || $0 == "+" }
        let groups = text.dropFirst(sign.count).split(separator: separator, omittingEmptySubsequences: false)
        guard groups.count > 1, sign.count < 2, let first = groups.first, 1...3 ~= first.count, first.first != "0",
            groups.dropFirst().allSatisfy({ $0.count == 3 }), groups.allSatisfy({ $0.allSatisfy { "0"..."9" ~= $0 } })
        else { return nil }
        return sign + groups.joined()
    }
}

extension Formula.Constant {
    /// The constant as written in a formula.
    public var text: String {
        switch self {
        case .number(let number): number.text
        case .approximate(let text): text
        case .text(let text): text.quoted(by: "'")
        case .flag(let flag): flag ? "true" : "false"
        case .temporal(let microseconds, let kind): DateText.text(ofMicroseconds: microseconds, kind: kind)
        }
    }

    /// Creates a number constant. Zeros at the end of its fraction are removed, so that 1.50 and 1.5 are equal constants.
    public static func exact(_ number: ExactDecimal) -> Formula.Constant {
        var (mantissa, digits) = (number.mantissa, number.digits)
        while digits > 0, mantissa % 10 == 0 { (mantissa, digits) = (mantissa / 10, digits - 1) }
        return .number(ExactDecimal(mantissa, digits: digits))
    }
}
