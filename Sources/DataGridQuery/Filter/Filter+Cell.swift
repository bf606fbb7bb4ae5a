import FieldValues
public import Tables

extension Filter {
    /// The text of a condition that matches the records with the value `text` in a field, or all other records.
    /// - Parameters:
    ///   - text: the value of the field, as written.
    ///   - isNegated: true to match all other records.
    ///   - schema: the fields of the table, which the condition refers to.
    public static func text(_ id: FieldID, hasValue text: String, isNegated: Bool, in schema: Schema) -> String {
        let name = Formula.field(id).text(in: schema)
        if FieldBytes.withBytes(of: text, { $0.isBlank }) { return "\(name) is \(isNegated ? "not " : "")empty" }
        return "\(name) \(isNegated ? "!=" : "=") \(literal(text, for: schema[id]))"
    }

    /// The text of a condition that matches the records with one of several values in a field, or all other records.
    /// - Parameters:
    ///   - values: the values of the field, as written; at least one.
    ///   - isNegated: true to match all other records.
    ///   - schema: the fields of the table, which the condition refers to.
    public static func text(_ id: FieldID, hasOneOf values: [String], isNegated: Bool, in schema: Schema) -> String {
        let written = values.filter { !FieldBytes.withBytes(of: $0, { $0.isBlank }) }
        func text(_ value: String) -> String { Self.text(id, hasValue: value, isNegated: isNegated, in: schema) }
        guard written.count > 1 else {
            let blank = values.first { value in !written.contains(value) }
            return (written + (blank.map { [$0] } ?? [])).map(text).joined(separator: isNegated ? " and " : " or ")
        }
        let literals = written.map { literal($0, for: schema[id]) }.joined(separator: ", ")
        let list = "\(Formula.field(id).text(in: schema)) \(isNegated ? "not " : "")in (\(literals))"
        return written.count == values.count ? list : "\(list) \(isNegated ? "and" : "or") \(text(""))"
    }

    /// A value as it is written in a comparison with a field. Numbers and dates are without quotes if possible.
    package static func literal(_ text: String, for field: Field?) -> String {
        let trimmed = FormulaSource(text).trimmedText
        let isWritable: Bool
        if let type = field.flatMap({ ComparisonType($0) }), type != .flag, let token = try? FormulaSource(trimmed).token(after: 0),
            token.range == 0..<trimmed.unicodeScalars.count
        {
            switch token.kind {
            // A number without quotes has a decimal point. In a column with decimal commas, the point would be a group separator, so the
            // text is quoted there.
            case .number:
                let isComma = if case .number(let notation) = type { notation.isComma } else { false }
                isWritable = type.isNumber && (!isComma || !trimmed.contains("."))
            case .temporal(_, let kind): isWritable = type.isTemporal && (kind == .time) == (type == .time)
            default: isWritable = false
            }
        } else {
            isWritable = false
        }
        return isWritable ? trimmed : Formula.Constant.text(text).text
    }
}
