/// A character encoding.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    /// UTF-8. Ill-formed sequences are shown as U+FFFD and reported.
    case utf8
    /// UTF-16, little-endian. Converted to UTF-8 in a temporary file, which is then read.
    case utf16LittleEndian
    /// UTF-16, big-endian. Converted to UTF-8 in a temporary file, which is then read.
    case utf16BigEndian
    /// ISO 8859-1.
    case latin1
    /// Windows code page 1252, a superset of the printable characters of ISO 8859-1. The five unassigned bytes are read as C1 control
    /// characters.
    case windows1252

    /// True if each byte is one character. Such a file is scanned as it is, and its fields are converted when they are read.
    var isSingleByte: Bool { self == .latin1 || self == .windows1252 }
    /// True for UTF-16, which is converted to UTF-8 in a temporary file.
    public var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }
}

/// The kind of line endings in a file. For information only, because the parser accepts any line ending.
public enum LineEnd: String, Sendable, Hashable {
    /// LF, as on Unix.
    case lf
    /// CR LF, as on Windows and in RFC 4180.
    case crlf
    /// CR alone, as on old Macs.
    case cr
    /// Several kinds of line endings in one file.
    case mixed
}
