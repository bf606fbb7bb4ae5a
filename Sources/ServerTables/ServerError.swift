public import EngineClient
import SQLTables
public import Tables

/// An error of a table on a server.
public struct ServerError: TableError, Hashable {
    /// One or two sentences: what failed, why, and what to do. Control characters of the server are removed.
    public let message: String

    /// Creates an error.
    public init(_ message: String) {
        var text = ""
        for scalar in message.unicodeScalars { text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        self.message = text
    }

    /// The error of a connection or a statement.
    public init(_ error: EngineError) {
        var text = error.message
        switch error {
        case .timedOut: text = "The server did not answer in time. Try again."
        case .serverClosed, .helperEnded, .notOpen: text = text.replacing("Connect again.", with: "Reload to connect again.")
        default: break
        }
        self.init(text)
    }

    /// The parts of a query that the server cannot run.
    init(_ limitations: SQLLimitations) {
        var reasons: [String] = []
        for limitation in limitations.reasons where !reasons.contains(limitation.reason) { reasons.append(limitation.reason) }
        self.init(reasons.joined(separator: " "))
    }
}

/// Makes a statement.
/// - Throws: ``ServerError`` if the server cannot run it.
func compiling<T>(_ make: () throws(SQLLimitations) -> T) throws(ServerError) -> T {
    do throws(SQLLimitations) { return try make() } catch { throw ServerError(error) }
}
