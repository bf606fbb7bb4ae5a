import DataGrid
import FieldValues

/// The way in which a column's values are written in JSON and SQL.
enum LiteralForm {
    /// Strings.
    case text
    /// Strings; null for fields that are empty or consist of blanks.
    case nonblankText
    /// Numbers with a decimal point.
    case number
    /// Numbers with a decimal comma, which becomes a point.
    case commaNumber
    /// `true` and `false`.
    case flag
    /// Dates. Those that the input writes as numbers stay numbers; others are strings.
    case numericDate

    /// True if every value is a string or null.
    var isText: Bool {
        switch self {
        case .text, .nonblankText: true
        case .number, .commaNumber, .flag, .numericDate: false
        }
    }

    init(_ column: Column) {
        self =
            switch column.kind {
            case .integer, .decimal: column.notation.isComma ? .commaNumber : .number
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
    /// Numbers and flags are plain if their text is valid JSON, apart from a plus sign and a decimal comma; otherwise they are strings.
    /// Missing fields are null. In columns of numbers, dates, times and flags, fields that are empty or consist of blanks are null, too.
    func withLiteral(of field: FieldBytes, _ body: (Literal) -> Void) {
        guard !field.isMissing else { return body(.null) }
        switch self {
        case .text: return body(.text)
        case .nonblankText: break
        case .number:
            if let number = Self.number(field) { return body(.plain(number)) }
        case .commaNumber:
            if field.reads(as: .decimal, .comma) {
                return Self.withPoint(field) { number in body(Self.number(number).map { .plain($0) } ?? .text) }
            }
            if let number = Self.number(field) { return body(.plain(number)) }
        case .flag:
            if Self.isFlag(field) { return body(.plain(field)) }
        case .numericDate:
            if field.isJSONNumber { return body(.plain(field)) }
        }
        body(field.isBlank ? .null : .text)
    }

    /// The field as a JSON number, without a plus sign; `nil` if it is not such a number.
    private static func number(_ field: FieldBytes) -> FieldBytes? {
        guard let start = field.start, field.count > 0 else { return nil }
        let number = start.pointee == UInt8(ascii: "+") ? FieldBytes(start: start + 1, count: field.count - 1) : field
        return number.isJSONNumber ? number : nil
    }

    /// Calls `body` with a number whose decimal comma was replaced by a point and whose group separators were removed.
    private static func withPoint(_ field: FieldBytes, _ body: (FieldBytes) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, field.count)) { memory in
            var count = 0
            for byte in field.bytes where byte != UInt8(ascii: ".") {
                memory.initializeElement(at: count, to: byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte)
                count += 1
            }
            body(FieldBytes(start: memory.baseAddress, count: count))
        }
    }

    private static func isFlag(_ field: FieldBytes) -> Bool {
        func equals(_ word: StaticString) -> Bool { word.withUTF8Buffer { field.bytes.elementsEqual($0) } }
        return field.count == 4 && equals("true") || field.count == 5 && equals("false")
    }
}
