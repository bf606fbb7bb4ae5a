/// A value that a server sends or receives.
///
/// PostgreSQL sends all values as text, so keys go back with the same digits. SQLite has values of five types.
public enum SQLValue: Hashable, Codable, Sendable {
    /// SQL NULL.
    case null
    /// A text, or the text form of any value.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// A binary floating-point number.
    case double(Double)
    /// Bytes.
    case bytes([UInt8])
}

extension SQLValue {
    /// Compares texts by their bytes. `String` takes canonically equivalent texts for equal, such as the Kelvin sign and K; servers do not.
    public static func == (a: SQLValue, b: SQLValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.bytes(let a), .bytes(let b)): a == b
        default: false
        }
    }

    /// Hashes the bytes of texts.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .text(let text):
            hasher.combine(1)
            for byte in text.utf8 { hasher.combine(byte) }
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number.bitPattern)
        case .bytes(let bytes): hasher.combine(bytes)
        }
    }
}

/// A parameter of a statement.
public struct SQLParameter: Hashable, Sendable {
    /// The value to bind.
    public var value: SQLValue
    /// The type that the statement casts the parameter to, in the server's words.
    public var type: String

    /// Creates a parameter.
    public init(_ value: SQLValue, type: String) { (self.value, self.type) = (value, type) }
}

/// One statement for a server: its text and its parameters.
///
/// Values are always parameters. The text contains only keywords, quoted names and counts.
public struct SQLStatement: Hashable, Sendable {
    /// The text with placeholders.
    public var text: String
    /// The parameters, in the order of their placeholders.
    public var parameters: [SQLParameter]

    /// Creates a statement.
    public init(text: String, parameters: [SQLParameter] = []) { (self.text, self.parameters) = (text, parameters) }
}
