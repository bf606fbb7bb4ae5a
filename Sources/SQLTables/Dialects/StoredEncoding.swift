/// The characters that a database can store. It refuses all others, also in the parameters of a statement.
public enum StoredEncoding: Hashable, Sendable {
    /// All characters.
    case unicode
    /// The first 256 characters of Unicode.
    case latin1
    /// The characters of an encoding that gridview does not know.
    case other
    /// Bytes of any encoding, as in a database of PostgreSQL with `SQL_ASCII`. Its functions count bytes instead of characters.
    case bytes

    /// Creates the encoding that PostgreSQL calls by a name, such as `WIN1252`.
    /// - Parameter name: the value of `server_encoding`; empty if it is unknown.
    init(serverName name: String) {
        switch name {
        // Redshift has the name that PostgreSQL used before version 8.1.
        case "", "UTF8", "UNICODE": self = .unicode
        case "LATIN1": self = .latin1
        case "SQL_ASCII": self = .bytes
        default: self = .other
        }
    }

    /// False for a case variant that the database cannot store, or that its encoding probably lacks.
    ///
    /// The encodings of a script have the lowercase and the uppercase form of its letters, and the final sigma. They lack most other
    /// variants, such as the Kelvin sign of k, the capital sharp s, and the old forms of Cyrillic letters.
    func hasVariant(_ variant: Unicode.Scalar, of folded: Unicode.Scalar) -> Bool {
        switch self {
        case .unicode, .bytes: true
        case .latin1: variant.value <= 0xFF
        case .other: variant == folded || variant == "\u{3C2}" || folded.properties.uppercaseMapping.unicodeScalars.elementsEqual([variant])
        }
    }

    /// The length of a text as the functions of the database count it.
    func length(of text: String) -> Int { self == .bytes ? text.utf8.count : text.unicodeScalars.count }
}
