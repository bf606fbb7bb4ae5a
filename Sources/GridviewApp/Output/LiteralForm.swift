import DataGrid
import FieldValues

/// The way in which a column's values are written in JSON and SQL.
enum LiteralForm {
    /// Strings.
    case text
    /// Strings; null for fields that are empty or consist of blanks.
    case nonblankText
    /// Numbers in a notation without a currency, a percent sign or the units of sizes.
    case number(DecimalStyle)
    /// `true` and `false`.
    case flag
    /// Dates. A date that the input writes as a number stays a number; any other date is a string.
    case numericDate

    /// True if every value is a string or null.
    var isText: Bool {
        switch self {
        case .text, .nonblankText: true
        case .number, .flag, .numericDate: false
        }
    }

    init(_ column: Column) {
        self =
            switch column.kind {
            // A unit is part of a value. All values of such a column stay strings, so that the column has a single type.
            case .integer, .decimal:
                [.none, .accounting].contains(column.notation.unit) ? .number(column.notation) : .nonblankText
            case .flag: .flag
            case .date, .dateTime: column.dateNotation.isNumber ? .numericDate : .nonblankText
            case .time: .nonblankText
            case .text: .text
            }
    }

    /// How one field is written.
    enum Literal {
        case null
        /// A number or a flag, without quotes.
        case plain(FieldBytes)
        /// A string with the bytes of the field.
        case text
    }

    /// Calls `body` with the literal for a field. O(bytes).
    ///
    /// Numbers are written as JSON numbers with all of their digits. Numbers that JSON does not allow, such as those with leading zeros,
    /// and numbers with a plus sign are strings. Flags are plain if they are the words `true` and `false`, in any case. Missing fields are
    /// null. In columns of numbers, dates, times and flags, fields that are empty or consist of blanks are null, too.
    func withLiteral(of field: FieldBytes, _ body: (Literal) -> Void) {
        guard !field.isMissing else { return body(.null) }
        switch self {
        case .text: return body(.text)
        case .nonblankText: break
        case .number(let notation):
            // Most fields are JSON numbers already. In a column with decimal commas, `1.234` is a whole number. A field such as `1.5` is
            // not in this notation, so it is a computed number.
            if !notation.isComma, field.isJSONNumber { return body(.plain(field)) }
            if field.isBlank { return body(.null) }
            return field.withJSONNumber(notation) { number in
                body(number.map { .plain($0) } ?? (field.isJSONNumber ? .plain(field) : .text))
            }
        case .flag:
            if let word = Self.literal(ofFlag: field) {
                return body(.plain(FieldBytes(start: word.utf8Start, count: word.utf8CodeUnitCount)))
            }
        case .numericDate:
            if field.isJSONNumber { return body(.plain(field)) }
        }
        body(field.isBlank ? .null : .text)
    }

    /// The literal of a flag such as `TRUE`; `nil` for other flags, such as `yes`.
    private static func literal(ofFlag field: FieldBytes) -> StaticString? {
        func equals(_ word: StaticString) -> Bool {
            field.count == word.utf8CodeUnitCount && field.bytes.indices.allSatisfy { field.bytes[$0] | 0x20 == word.utf8Start[$0] }
        }
        return equals("true") ? "true" : equals("false") ? "false" : nil
    }
}
