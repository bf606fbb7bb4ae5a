public import Tables

/// What failed, and what to do about it. The one error type of the module.
///
/// Bad data is never an error: every byte string has a parse, and what is odd about it is told by ``Diagnostics``.
public struct DelimitedTextError: TableError, Hashable, CustomStringConvertible {
    /// The kind of failure. Open: more may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// What tells it from the others.
        public let rawValue: String
        /// A code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file could not be opened: missing, no permission, a directory.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// The system could not read bytes that are there.
        public static let cannotRead = Code(rawValue: "cannotRead")
        /// The file has become shorter than it was when it was opened.
        public static let truncated = Code(rawValue: "truncated")
        /// The file's bytes are no longer those that were indexed.
        public static let changed = Code(rawValue: "changed")
        /// A stream has no line end where one should be by now.
        public static let endless = Code(rawValue: "endless")
        /// A temporary file could not be made or written: a pipe is copied to one, and what does not fit in memory.
        public static let cannotSpool = Code(rawValue: "cannotSpool")
        /// The dialect asked for makes no sense: for instance, a delimiter that is the quote too.
        public static let invalidDialect = Code(rawValue: "invalidDialect")
        /// A record was asked for that the snapshot does not have.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// A record is too long to be processed as a whole.
        public static let recordTooLong = Code(rawValue: "recordTooLong")
    }

    /// What kind of failure it is.
    public var code: Code
    /// A sentence or two: what failed, why, and what to do.
    public var message: String
    /// The file, where there is one.
    public var path: String?
    /// The system's number for the reason; 0 when it gave none.
    public var errno: Int32
    /// Where it happened, in bytes from the start of the file.
    public var byteOffset: Int?
    /// The record, from 0, the header not counted.
    public var record: Int?
    /// The line, from 1.
    public var line: Int?

    /// A failure with what is known of its place.
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

    /// The message.
    public var description: String { message }
}
