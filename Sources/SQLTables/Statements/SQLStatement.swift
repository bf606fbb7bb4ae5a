/// A value sent to or received from a server.
///
/// PostgreSQL sends every value as text, so a key is sent back with the same digits. SQLite uses all cases.
public enum SQLValue: Hashable, Codable, Sendable {
    /// SQL NULL.
    case null
    /// Text, or any other value in text form.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// A 64-bit floating-point number.
    case double(Double)
    /// Bytes.
    case bytes([UInt8])
    /// Text whose bytes are not valid UTF-8. A key with such text is sent back with the same bytes.
    case invalidText([UInt8])
}

extension SQLValue {
    /// Compares strings by their bytes, as servers do. For `String`, canonically equivalent strings, such as the Kelvin sign and K, are
    /// equal.
    public static func == (a: SQLValue, b: SQLValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.bytes(let a), .bytes(let b)), (.invalidText(let a), .invalidText(let b)): a == b
        default: false
        }
    }

    /// Hashes strings by their bytes, to match `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .text(let text):
            hasher.combine(1)
            for byte in text.utf8 { hasher.combine(byte) }
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number.bitPattern)
        case .bytes(let bytes), .invalidText(let bytes): hasher.combine(bytes)
        }
    }
}

/// A parameter of a statement.
public struct SQLParameter: Hashable, Sendable {
    /// The value to bind.
    public var value: SQLValue
    /// The server's name of the type to which the statement casts the parameter.
    public var type: String

    /// Creates a parameter.
    public init(_ value: SQLValue, type: String) { (self.value, self.type) = (value, type) }
}

/// One SQL statement with its parameters.
///
/// Values are parameters or, for engines without parameters, literals of digits. The rest of the text contains only keywords, quoted names,
/// counts, and a statement that the user wrote.
public struct SQLStatement: Hashable, Sendable {
    /// The SQL text, with placeholders.
    public var text: String
    /// The parameters, in the order of their placeholders.
    public var parameters: [SQLParameter]
    /// The fragment from which the statement was created; `nil` if it was created from text.
    private(set) var fragment: SQLFragment?

    /// Creates a statement.
    public init(text: String, parameters: [SQLParameter] = []) { (self.text, self.parameters) = (text, parameters) }

    /// Creates a statement whose text and parameters the caller adds from its fragment.
    init(of fragment: SQLFragment) { (text, parameters, self.fragment) = ("", [], fragment) }
}
