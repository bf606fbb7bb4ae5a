/// A message from the program to the helper.
public enum EngineRequest: Equatable, Sendable {
    /// The first message, with the program's protocol version.
    case hello(version: UInt32)
    /// Opens the connection to the server or the file.
    case connect(ConnectRequest)
    /// Runs a statement.
    case execute(ExecuteRequest)
    /// Prepares a statement and returns its columns, without running it.
    case describe(DescribeRequest)
    /// Cancels the request with this number, which then fails with ``ServerMessage/Kind/cancelled`` unless it has already ended.
    case cancel(UInt32)
    /// Closes the connection and ends the helper.
    case close
}

/// The driver and options of a connection. Options can be secret, so they are sent only through the socket.
public struct ConnectRequest: Equatable, Sendable {
    /// The name of the driver: `postgresql`, `sqlite` or `adbc`.
    public var driver: String
    /// Options of the driver, in order. For `postgresql` they are the parameters of libpq.
    public var options: [Option]
    /// The time limit for connecting in milliseconds; 0 means no limit.
    public var timeLimitMilliseconds: UInt32

    /// An option of a driver.
    public struct Option: Equatable, Sendable {
        /// The name, such as `host`.
        public var name: String
        /// The value, which can be a secret.
        public var value: String

        /// Creates an option.
        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Creates a request.
    public init(driver: String, options: [Option], timeLimitMilliseconds: UInt32 = 0) {
        (self.driver, self.options, self.timeLimitMilliseconds) = (driver, options, timeLimitMilliseconds)
    }
}

extension ConnectRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The driver without the options, because any of them may be a secret.
    public var description: String { "ConnectRequest(\(driver), \(options.count) options)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only ``description``, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A statement to run, with its limits.
public struct ExecuteRequest: Equatable, Sendable {
    /// One statement in the server's query language.
    public var statement: String
    /// The values of its parameters, in order.
    public var parameters: [Parameter]
    /// The maximum number of rows; 0 means no limit. ``Completion/isTruncated`` reports whether more rows exist.
    public var rowLimit: UInt64
    /// The maximum number of bytes of the result. The row that exceeds the limit is still sent, as the last one. 0 means
    /// ``EngineLimits/defaultMaximumUnpagedResultBytes`` for ``Delivery/whole``, and no limit for ``Delivery/stream``.
    public var byteLimit: UInt64
    /// The maximum number of bytes of a cell; 0 means ``EngineLimits/maximumCellValueBytes``. A longer cell is cut, and its length is sent.
    public var cellLimit: UInt32
    /// The way in which rows are sent: as one batch, or in several.
    public var delivery: Delivery
    /// The time limit of the statement in milliseconds; 0 means no limit.
    public var timeLimitMilliseconds: UInt32

    /// The way in which rows are sent: as one batch, or in several.
    public enum Delivery: UInt8, Sendable, CaseIterable {
        /// In one batch, after the last row was read. Used for pages of a table.
        case whole
        /// In several batches, the first one as early as possible. If the program reads slowly, the server waits. Used for scans.
        case stream
    }

    /// Creates a request.
    public init(
        _ statement: String, _ parameters: [Parameter] = [], rowLimit: UInt64 = 0, byteLimit: UInt64 = 0, cellLimit: UInt32 = 0,
        delivery: Delivery = .whole, timeLimitMilliseconds: UInt32 = 0
    ) {
        (self.statement, self.parameters, self.rowLimit, self.byteLimit) = (statement, parameters, rowLimit, byteLimit)
        (self.cellLimit, self.delivery, self.timeLimitMilliseconds) = (cellLimit, delivery, timeLimitMilliseconds)
    }
}

/// A statement to describe.
public struct DescribeRequest: Equatable, Sendable {
    /// One statement in the server's query language.
    public var statement: String
    /// The known types of its parameters, in order.
    public var types: [Parameter.ValueType]
    /// The time limit of the request in milliseconds; 0 means no limit.
    public var timeLimitMilliseconds: UInt32

    /// Creates a request.
    public init(_ statement: String, types: [Parameter.ValueType] = [], timeLimitMilliseconds: UInt32 = 0) {
        (self.statement, self.types, self.timeLimitMilliseconds) = (statement, types, timeLimitMilliseconds)
    }
}

/// The value of a parameter in the server's text format.
public struct Parameter: Hashable, Sendable {
    /// The value as UTF-8 text, or the bytes of a `blob`; `nil` means NULL.
    public var value: [UInt8]?
    /// The type of the parameter.
    public var type: ValueType

    /// The type of a parameter.
    public enum ValueType: Hashable, Sendable {
        /// The server infers the type from the statement. In SQLite, text.
        case inferred
        /// A type OID (PostgreSQL).
        case oid(UInt32)
        /// The server's name of a type, or a storage class of SQLite: `integer`, `real`, `text`, `blob`.
        case named(String)
    }

    /// Creates a parameter.
    public init(_ value: String?, _ type: ValueType = .inferred) { (self.value, self.type) = (value.map { Array($0.utf8) }, type) }

    /// Creates a parameter of bytes, such as the bytes of a cell.
    public init(bytes value: [UInt8]?, _ type: ValueType = .inferred) { (self.value, self.type) = (value, type) }
}
