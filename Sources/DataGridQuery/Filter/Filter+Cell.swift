import FieldValues
public import Tables

extension Filter {
    /// The text of a condition that matches the records with the same value in a field, or all other records.
    /// - Parameters:
    ///   - text: the value of the field, as written.
    ///   - isNegated: true to match all other records.
    ///   - schema: the fields of the table, which the condition refers to.
    public static func text(_ id: FieldID, hasValue text: String, isNegated: Bool, in schema: Schema) -> String {
        let name = Formula.field(id).text(in: schema)
        if FieldBytes.withBytes(of: text, { $0.isBlank }) { return "\(name) is \(isNegated ? "not " : "")empty" }
        return "\(name) \(isNegated ? "!=" : "=") \(literal(text, for: schema[id]))"
    }

    /// A value as it is compared with a field. Numbers and dates are without quotes if possible.
    package static func literal(_ text: String, for field: Field?) -> String {
        let trimmed = FormulaSource(text).trimmedText
        let isWritable: Bool
        if let reading = field.flatMap({ FilterReading($0) }), reading != .flag, let token = try? FormulaSource(trimmed).token(after: 0),
            token.place == 0..<trimmed.unicodeScalars.count
        {
            switch token.kind {
            // A bare number has a decimal point, which would be a group separator in a column with decimal commas.
            case .number: isWritable = reading == .number || reading == .commaNumber && !trimmed.contains(".")
            case .temporal(_, let kind): isWritable = reading.isTemporal && (kind == .time) == (reading == .time)
            default: isWritable = false
            }
        } else {
            isWritable = false
        }
        return isWritable ? trimmed : Formula.Constant.text(text).text
    }
}
