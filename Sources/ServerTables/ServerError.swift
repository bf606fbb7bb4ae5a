public import EngineClient
import EngineProtocol
import FieldValues
import SQLTables
public import Tables

/// The error of a table on a server, with a message for the user.
public struct ServerError: TableError, Hashable {
    /// One or two sentences: what failed, why, and what to do. Control characters are replaced by spaces.
    public let message: String
    /// The message to show if the table is already open; `nil` if reloading the table cannot help.
    private var advice: String?
    /// True if a statement reached the time limit of its request, or the time limit of the server (`statement_timeout`).
    private(set) var isTimeLimit = false
    /// True if the role may not read the table, or not all of its columns.
    private(set) var isAccessDenied = false

    /// True if a number was too large or too small for its type on the server.
    private(set) var isOutOfRange = false

    /// Creates an error.
    public init(_ message: String) { self.message = Self.withoutControls(message) }

    private static func withoutControls(_ message: String) -> String {
        var text = ""
        for scalar in message.unicodeScalars { text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return text
    }

    /// Creates the error for a failed connection or statement.
    public init(_ error: EngineError) {
        if case .timedOut = error {
            self.init("The server did not answer in time. Try again.")
            isTimeLimit = true
        } else {
            self.init(error.message)
            if case .cancelledByServer = error { isTimeLimit = true }
            if case .permissionDenied = error { isAccessDenied = true }
            isOutOfRange = error.serverMessage?.code == "22003"
            advice = Self.advice(error).map(Self.withoutControls)
        }
    }

    private static func advice(_ error: EngineError) -> String? {
        let text = error.message
        let again = "Reload to connect again."
        switch error {
        case .serverClosed, .helperEnded, .notOpen: return text.replacing("Connect again.", with: again)
        case .connectionRefused: return text.replacing("Check the host and the port, and that the server is running.", with: again)
        case .unknownHost: return text.replacing("Check its name.", with: again)
        case .unreachable: return text.replacing("Check the host and the network.", with: again)
        case .permissionDenied: return text + " Reload to try again."
        case .missingObject(let message) where isChangedTable(message): return "The table has changed: \(message.summary). Reload it."
        default: return nil
        }
    }

    /// True if the message says that a table, a column or a schema does not exist. PostgreSQL reports it by a SQLSTATE, SQLite by the text
    /// of the message.
    private static func isChangedTable(_ message: ServerMessage) -> Bool {
        ["42P01", "42703", "3F000"].contains(message.code) || message.summary.hasPrefix("no such table")
            || message.summary.hasPrefix("no such column")
    }

    /// True if reloading an open table may help.
    var advisesReload: Bool { advice != nil }

    /// The same error for a table that is already open: the message advises to reload it, if that may help.
    var forOpenTable: ServerError { advice.map { ServerError($0) } ?? self }

    /// Runs a request for a table that is already open. Errors have the message of ``forOpenTable``.
    static func advisingReload<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as ServerError { throw error.forOpenTable }
    }

    /// The error of a result that is larger than the protocol allows.
    static let tooLarge = ServerError("The result is larger than 16 MiB. Hide wide columns, or filter the rows.")

    /// The error of a row that no longer exists, or that is no longer in the view.
    static let fewerRows = ServerError("The table has changed: it has fewer rows. Reload it.")

    /// The error of rows whose number has changed since they were counted, so that row numbers may be wrong.
    static func changedRowCount(to count: Int, from known: Int) -> ServerError {
        ServerError("The number of rows has changed: \(NumberText.count(count)) instead of \(NumberText.count(known)). Reload the table.")
    }

    /// The error of a group that no longer has the number of rows that was counted, although the table may have.
    static let movedRows = ServerError("The rows of the groups have changed, so some of them are left out. Reload the table.")

    /// Throws an error if a value of a group is text that is not valid UTF-8. As a string, it could equal the value of another group, and
    /// the rows of its group would not be found.
    static func refuseInvalidText(in groups: [[SQLValue]]) throws {
        guard groups.contains(where: { $0.contains(where: \.isInvalidText) }) else { return }
        throw ServerError("Cannot group: some texts are not valid UTF-8. Export the rows as CSV, and group them in the file.")
    }

    /// The error of a statement that reached its time limit.
    static let timedOut = ServerError(EngineError.timedOut)

    /// Creates the error for a query that the server cannot run, with all reasons.
    init(_ limitations: SQLLimitations) {
        var reasons: [String] = []
        for limitation in limitations.reasons where !reasons.contains(limitation.reason) { reasons.append(limitation.reason) }
        self.init(reasons.joined(separator: " "))
    }
}

/// Compiles a statement with `make`, and converts its limitations to a ``ServerError``.
/// - Throws: ``ServerError`` if the server cannot run it.
func compiling<T>(_ make: () throws(SQLLimitations) -> T) throws(ServerError) -> T {
    do throws(SQLLimitations) { return try make() } catch { throw ServerError(error) }
}
