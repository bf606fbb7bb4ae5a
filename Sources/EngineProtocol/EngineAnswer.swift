/// A message from the helper to the program.
public enum EngineAnswer: Sendable {
    /// The first message, with the helper's protocol version.
    case hello(version: UInt32)
    /// The connection is open.
    case connected(ServerInfo)
    /// The columns of the result, sent before its rows. The answer to ``EngineRequest/describe(_:)`` also contains the types of the
    /// parameters.
    case columns([ResultColumn], parameters: [ResultColumn.ColumnType])
    /// A batch of rows.
    case rows(RowBatch)
    /// The successful end of a request.
    case done(Completion)
    /// A notice of the server.
    case notice(ServerMessage)
    /// The failure of a request, which ends it.
    case failed(ServerMessage)
    /// A report of the progress of a running request, sent several times per second.
    case progress(Progress)
}

/// The product and the properties that a server reports.
public struct ServerInfo: Equatable, Sendable {
    /// The name of the product, such as `PostgreSQL`.
    public var product: String
    /// The version of the product, such as `15.18`.
    public var version: String
    /// Other properties of the server, by the keys in ``Property``.
    public var properties: [String: String]

    /// The keys of the properties.
    public enum Property {
        /// The encryption of the connection, such as `TLSv1.3`; empty without encryption, missing without a network.
        public static let encryption = "encryption"
        /// The value of libpq's `sslmode`, which determines whether the server's certificate is verified; missing without encryption.
        public static let encryptionMode = "sslmode"
        /// The time zone in which the server prints times.
        public static let timeZone = "time zone"
        /// The encoding in which PostgreSQL stores the text of the database, such as `UTF8`.
        public static let storedEncoding = "stored encoding"
        /// The name of the user of the connection.
        public static let user = "user"
        /// The name of the database.
        public static let database = "database"
        /// The host, or the folder of the socket.
        public static let host = "host"
        /// A warning for the user, such as that a file is read without its write-ahead log.
        public static let warning = "warning"
        /// The ID of the server process for this connection.
        public static let process = "process"
        /// The path of the library of an ADBC driver.
        public static let driver = "driver"
    }

    /// Creates a description.
    public init(product: String, version: String, properties: [String: String] = [:]) {
        (self.product, self.version, self.properties) = (product, version, properties)
    }
}

/// A column of a result.
public struct ResultColumn: Equatable, Sendable {
    /// The name. Names may be empty and may repeat.
    public var name: String
    /// The type of the values.
    public var type: ColumnType
    /// The table column that this column shows, if the server reports it.
    public var origin: Origin?

    /// The type of a column or a parameter.
    public struct ColumnType: Equatable, Sendable {
        /// The name of the type; empty if it is unknown.
        public var name: String
        /// The type OID (PostgreSQL), otherwise 0.
        public var oid: UInt32
        /// The type modifier, such as the length of `varchar(10)`, otherwise -1.
        public var modifier: Int32

        /// Creates a type.
        public init(name: String, oid: UInt32 = 0, modifier: Int32 = -1) {
            (self.name, self.oid, self.modifier) = (name, oid, modifier)
        }
    }

    /// The table column from which a result column comes.
    public enum Origin: Equatable, Sendable {
        /// The table and column by their numbers in PostgreSQL: `pg_class.oid` and `pg_attribute.attnum`.
        case numbers(table: UInt32, column: Int32)
        /// The table and column by their names.
        case names(schema: String, table: String, column: String)
    }

    /// Creates a column.
    public init(name: String, type: ColumnType, origin: Origin? = nil) { (self.name, self.type, self.origin) = (name, type, origin) }
}

/// The end of a successful request: the number of its rows, whether a limit stopped it, and its duration.
public struct Completion: Equatable, Sendable {
    /// The number of rows sent.
    public var rowCount: UInt64
    /// True if a limit stopped the statement, so that more rows exist.
    public var isTruncated: Bool
    /// Microseconds since the request arrived in the helper.
    public var microseconds: UInt64

    /// Creates a completion.
    public init(rowCount: UInt64 = 0, isTruncated: Bool = false, microseconds: UInt64 = 0) {
        (self.rowCount, self.isTruncated, self.microseconds) = (rowCount, isTruncated, microseconds)
    }
}

/// The progress of a running request.
public struct Progress: Equatable, Sendable {
    /// The number of rows read so far.
    public var rows: UInt64
    /// Microseconds since the request arrived in the helper.
    public var microseconds: UInt64

    /// Creates a progress report.
    public init(rows: UInt64, microseconds: UInt64) { (self.rows, self.microseconds) = (rows, microseconds) }
}

/// An error or a notice. Its strings come from a server or a file, so they can contain control characters.
public struct ServerMessage: Equatable, Sendable {
    /// The kind of the failure.
    public var kind: Kind
    /// The SQLSTATE, or the result code of a library; may be empty.
    public var code: String
    /// The description, usually one line.
    public var summary: String
    /// More details; may be empty.
    public var detail: String
    /// A suggestion; may be empty.
    public var hint: String
    /// The position in the statement, in characters from 1; 0 if unknown.
    public var position: UInt32

    /// The kind of a failure, independent of the driver.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// All other failures, and all notices.
        case other
        /// No server accepts connections at this address.
        case connectionRefused
        /// The name of the host has no address.
        case unknownHost
        /// The host did not answer, or the network is down.
        case unreachable
        /// The server refused the name of the user or the password.
        case wrongPassword
        /// The server requires a password that was not given.
        case passwordNeeded
        /// The server does not support encryption, but the connection requires it.
        case encryptionFailed
        /// The server has no database of this name.
        case unknownDatabase
        /// The server closed the connection or ended.
        case connectionLost
        /// The statement was cancelled: by the program, the server or an administrator.
        case cancelled
        /// The time limit of the request or of the server was reached.
        case timedOut
        /// The user lacks a right that the statement needs.
        case permissionDenied
        /// The statement would write, but every session is read-only.
        case readOnly
        /// A syntax error, at ``ServerMessage/position``.
        case syntax
        /// A table, column, function or type does not exist.
        case missingObject
        /// The library of the database, or an ADBC driver, is not installed or cannot be loaded.
        case libraryMissing
        /// The driver or the server does not support the request.
        case unsupported
        /// A value or a result is longer than a limit, or exceeds the memory.
        case tooLarge
        /// A file cannot be opened.
        case cannotOpen
        /// A file is damaged, or is not a database.
        case damaged
        /// Another program has locked the file or the object.
        case locked
        /// A message did not follow the protocol, or came at the wrong time.
        case malformed
        /// No connection is open.
        case notConnected
        /// The server's certificate was not accepted, or the certificate file for checking it cannot be used.
        case certificateRefused
    }

    /// Creates a message.
    public init(
        _ kind: Kind, _ summary: String, code: String = "", detail: String = "", hint: String = "", position: UInt32 = 0
    ) {
        (self.kind, self.summary, self.code) = (kind, summary, code)
        (self.detail, self.hint, self.position) = (detail, hint, position)
    }

    /// The length of all strings in bytes of UTF-8.
    public var byteCount: Int { code.utf8.count + summary.utf8.count + detail.utf8.count + hint.utf8.count }
}
