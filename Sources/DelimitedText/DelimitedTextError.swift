public import Tables

/// The error type of this module.
///
/// Malformed data is never an error. Every sequence of bytes can be parsed; ``Diagnostics`` reports the problems.
public struct DelimitedTextError: TableError, Hashable, CustomStringConvertible {
    /// The kind of failure. Future versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The unique name of the code.
        public let rawValue: String
        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file cannot be opened: it does not exist, has no read permission, or is a directory.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// Reading bytes of the file failed with an error of the system.
        public static let cannotRead = Code(rawValue: "cannotRead")
        /// The file is shorter than when it was opened.
        public static let truncated = Code(rawValue: "truncated")
        /// A compressed file ends early or cannot be decoded.
        public static let cannotDecode = Code(rawValue: "cannotDecode")
        /// The compressed input is damaged. Bytes that were decoded before the damage was found may also be wrong.
        public static let damaged = Code(rawValue: "damaged")
        /// The file was changed after it was indexed.
        public static let changed = Code(rawValue: "changed")
        /// The first line of a pipe exceeds the size limit, so it is probably not a table.
        public static let endless = Code(rawValue: "endless")
        /// A temporary file cannot be created or written. Temporary files store the bytes of pipes, and job data that does not fit in
        /// memory.
        public static let cannotSpool = Code(rawValue: "cannotSpool")
        /// The requested dialect is invalid; for example, the delimiter equals the quote.
        public static let invalidDialect = Code(rawValue: "invalidDialect")
        /// A requested record is not among the records of the snapshot.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// A record is too long to be read at once.
        public static let recordTooLong = Code(rawValue: "recordTooLong")
    }

    /// The kind of failure.
    public var code: Code
    /// One or two sentences: what failed, why, and what to do.
    public var message: String
    /// The path of the file, if there is one.
    public var path: String?
    /// The error number of the system, `errno`; 0 if unknown.
    public var errno: Int32
    /// The offset in bytes from the start of the file at which the failure occurred; `nil` if unknown.
    public var byteOffset: Int?
    /// The number of the record at which the failure occurred, from 0 without the header; `nil` if unknown.
    public var record: Int?
    /// The number of the line at which the failure occurred, from 1; `nil` if unknown.
    public var line: Int?
    /// For an input that ended early: how it ended, and whether its last record is complete. `nil` for other errors.
    public var inputEnd: InputEnd?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, path: String? = nil, errno: Int32 = 0, byteOffset: Int? = nil, record: Int? = nil, line: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.errno = errno
        self.byteOffset = byteOffset
        self.record = record
        self.line = line
    }

    /// The same as ``message``.
    public var description: String { message }
}
