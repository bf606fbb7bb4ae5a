import FieldValues

extension Filter {
    /// A condition that the records with the same value in a column fulfil, or all others.
    /// - Parameters:
    ///   - column: the column of the field.
    ///   - text: the field as it is.
    ///   - isNegated: whether all others are meant.
    ///   - columns: as for ``init(_:columns:)``, which reads what this writes.
    public static func text(column: FilterColumn, hasValue text: String, isNegated: Bool, columns: [FilterColumn]) -> String {
        let name = reference(to: column, in: columns)
        if FieldBytes.withBytes(of: text, { $0.isBlank }) { return "\(name) is \(isNegated ? "not " : "")empty" }
        return "\(name) \(isNegated ? "!=" : "=") \(literal(text, for: column))"
    }

    /// Numbers and dates as they are where they can stand without quotes.
    private static func literal(_ text: String, for column: FilterColumn) -> String {
        let trimmed = FilterSource(text).trimmedText
        let isWritable: Bool
        if let reading = FilterReading(column), reading != .flag, let token = try? FilterSource(trimmed).token(after: 0),
            token.place == 0..<trimmed.unicodeScalars.count
        {
            switch token.kind {
            // A bare number has a point, which would stand between thousands in a column with commas.
            case .number: isWritable = reading == .number || reading == .commaNumber && !trimmed.contains(".")
            case .moment(_, let kind): isWritable = reading.isTemporal && (kind == .time) == (reading == .time)
            default: isWritable = false
            }
        } else {
            isWritable = false
        }
        return isWritable ? trimmed : quoted(text, "'")
    }

    /// The shortest way to name a column.
    private static func reference(to column: FilterColumn, in columns: [FilterColumn]) -> String {
        let known = FilterColumns(columns)
        guard known.named(column.name)?.index == column.index else { return "#\(column.index + 1)" }
        let source = FilterSource(column.name)
        if let token = try? source.token(after: 0), token.kind == .word(column.name), column.name.lowercased() != "not" {
            return column.name
        }
        return quoted(column.name, "\"")
    }

    private static func quoted(_ text: String, _ quote: Character) -> String {
        var quoted = String(quote)
        for scalar in text.unicodeScalars {
            quoted.unicodeScalars.append(scalar)
            if Character(scalar) == quote { quoted.append(quote) }
        }
        return quoted + String(quote)
    }
}
