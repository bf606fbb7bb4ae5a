/// A message of the program to the helper.
public enum Request: Equatable, Sendable {
    /// The first message.
    case hello(version: UInt32)
    /// Opens the connection to the server or the file.
    case connect(ConnectRequest)
    /// Runs a statement.
    case execute(ExecuteRequest)
    /// Prepares a statement and returns its columns, without running it.
    case describe(DescribeRequest)
    /// Cancels the request with this number. Its answer is an error of the kind `cancelled`, unless it has ended before.
    case cancel(UInt32)
    /// Closes the connection and ends the helper.
    case close
}

/// The address and options of a connection. It may hold secrets, so it is sent by the socket only.
public struct ConnectRequest: Equatable, Sendable {
    /// The name of the driver: `postgresql`, `sqlite` or `adbc`.
    public var driver: String
    /// Options of the driver, in order. For `postgresql` they are the parameters of libpq.
    public var options: [Option]
    /// Milliseconds until connecting fails; 0 means never.
    public var deadline: UInt32

    /// An option of a driver.
    public struct Option: Equatable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates an option.
        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Creates a request.
    public init(driver: String, options: [Option], deadline: UInt32 = 0) {
        (self.driver, self.options, self.deadline) = (driver, options, deadline)
    }
}

extension ConnectRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The driver without the options, because any of them may be a secret.
    public var description: String { "ConnectRequest(\(driver), \(options.count) options)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A statement to run, with its limits.
public struct ExecuteRequest: Equatable, Sendable {
    /// One statement in the language of the server.
    public var statement: String
    /// The values of its parameters.
    public var parameters: [Parameter]
    /// The maximum number of rows; 0 means no limit. The answer says whether more rows exist.
    public var rowLimit: UInt64
    /// The maximum number of bytes of the result; 0 means ``EngineLimits/defaultWholeBytes`` for ``Delivery/whole`` and no limit for
    /// ``Delivery/stream``. The row that crosses it is the last one.
    public var byteLimit: UInt64
    /// The maximum number of bytes of a cell; 0 means ``EngineLimits/cellValueBytes``. A longer cell is cut, and its length is sent.
    public var cellLimit: UInt32
    /// When rows are sent.
    public var delivery: Delivery
    /// Milliseconds until the statement fails; 0 means never.
    public var deadline: UInt32

    /// When rows are sent.
    public enum Delivery: UInt8, Sendable, CaseIterable {
        /// In one batch, after the last row. For pages.
        case whole
        /// In batches, the first one as early as possible. The server waits if the program is slow. For exports.
        case stream
    }

    /// Creates a request.
    public init(
        _ statement: String, _ parameters: [Parameter] = [], rowLimit: UInt64 = 0, byteLimit: UInt64 = 0, cellLimit: UInt32 = 0,
        delivery: Delivery = .whole, deadline: UInt32 = 0
    ) {
        (self.statement, self.parameters, self.rowLimit, self.byteLimit) = (statement, parameters, rowLimit, byteLimit)
        (self.cellLimit, self.delivery, self.deadline) = (cellLimit, delivery, deadline)
    }
}

/// A statement to describe.
public struct DescribeRequest: Equatable, Sendable {
    /// One statement in the language of the server.
    public var statement: String
    /// The types of its parameters, as far as they are known.
    public var types: [Parameter.ValueType]
    /// Milliseconds until the request fails; 0 means never.
    public var deadline: UInt32

    /// Creates a request.
    public init(_ statement: String, types: [Parameter.ValueType] = [], deadline: UInt32 = 0) {
        (self.statement, self.types, self.deadline) = (statement, types, deadline)
    }
}

/// The value of a parameter, as the text that the server gave or would give.
public struct Parameter: Hashable, Sendable {
    /// The text of the value, or the bytes of a `blob`; `nil` is NULL.
    public var value: [UInt8]?
    /// The type.
    public var type: ValueType

    /// The type of a parameter.
    public enum ValueType: Hashable, Sendable {
        /// The server infers the type from the statement. In SQLite, text.
        case inferred
        /// A type number of the server (PostgreSQL).
        case number(UInt32)
        /// A type name of the server, or a storage class of SQLite: `integer`, `real`, `text`, `blob`.
        case named(String)
    }

    /// Creates a parameter.
    public init(_ value: String?, _ type: ValueType = .inferred) { (self.value, self.type) = (value.map { Array($0.utf8) }, type) }

    /// Creates a parameter of bytes, such as those of a cell.
    public init(bytes value: [UInt8]?, _ type: ValueType = .inferred) { (self.value, self.type) = (value, type) }
}
