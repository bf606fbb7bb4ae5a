/// How characters are written as bytes.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    /// UTF-8; ill-formed sequences are shown as U+FFFD and reported.
    case utf8
    /// UTF-16, low byte first; read by way of a temporary file in UTF-8.
    case utf16LittleEndian
    /// UTF-16, high byte first.
    case utf16BigEndian
    /// ISO 8859-1.
    case latin1
    /// Windows code page 1252, a superset of Latin-1's printable part; the five unassigned bytes are read as C1 controls.
    case windows1252

    /// Whether one byte is one character, so that bytes can be scanned as they are and transcoded when fields are read.
    var isSingleByte: Bool { self == .latin1 || self == .windows1252 }
    /// Whether the file is UTF-16, which is read by way of a temporary file in UTF-8.
    public var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }
}

/// What ends the lines of a file. For information only: the parser takes any of them anywhere.
public enum LineEnd: String, Sendable, Hashable {
    /// LF, as on Unix.
    case lf
    /// CR LF, as on Windows and in RFC 4180.
    case crlf
    /// CR alone, as on old Macs.
    case cr
    /// Several of these in one file.
    case mixed
}
