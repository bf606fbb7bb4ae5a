/// The characters that a database can store. It refuses all others, also in the parameters of a statement.
public enum StoredEncoding: Hashable, Sendable {
    /// All characters.
    case unicode
    /// The first 256 characters of Unicode.
    case latin1
    /// The characters of another encoding. The letters in `lacking` are missing in it, even if it has their lowercase form.
    case other(lacking: Set<Unicode.Scalar>)
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
        default: self = .other(lacking: Set((Self.lackingLetters[name] ?? "\u{191}").unicodeScalars))
        }
    }

    /// By encoding, the letters that it lacks although it has their lowercase form. The Windows encodings have ƒ, but no encoding has Ƒ.
    private static let lackingLetters = [
        "LATIN5": "ŸƑ", "WIN1256": "ÀÂÇÈÉÊËÎÏÔÙÛÜƑ",
        "EUC_CN": "ÀÁÈÉÊÌÍÒÓÙÚÜĀĒĚĪŌŪǍǏǑǓǕǗǙǛƑ", "EUC_JP": "ÐǴƑ",
        "EUC_KR": "ĐⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏƑ",
    ]

    /// False for a case variant that the database cannot store, or that its encoding probably lacks.
    ///
    /// The encodings of a script have the lowercase and the uppercase form of its letters, and the final sigma. They lack most other
    /// variants, such as the Kelvin sign of k, the capital sharp s, and the old forms of Cyrillic letters.
    func hasVariant(_ variant: Unicode.Scalar, of folded: Unicode.Scalar) -> Bool {
        switch self {
        case .unicode, .bytes: true
        case .latin1: variant.value <= 0xFF
        case .other(let lacking) where lacking.contains(variant): false
        case .other: variant == folded || variant == "\u{3C2}" || folded.properties.uppercaseMapping.unicodeScalars.elementsEqual([variant])
        }
    }

    /// The length of a text as the functions of the database count it.
    func length(of text: String) -> Int { self == .bytes ? text.utf8.count : text.unicodeScalars.count }
}
