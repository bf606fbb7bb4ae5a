import EngineClient
import EngineProtocol

/// A snapshot of a PostgreSQL database: other connections show the same rows while the snapshot is open.
///
/// The server keeps old rows while a snapshot is open, so snapshots are taken only on request of the user.
final class DatabaseSnapshot: Sendable {
    private let connection: EngineConnection
    private let name: String
    /// The time of the snapshot, in the time zone of the session.
    let time: String

    private static let beginStatement = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Takes a snapshot.
    /// - Parameter connection: an open connection, which is used for nothing else.
    init(_ connection: EngineConnection) throws(EngineError) {
        self.connection = connection
        _ = try connection.query(ExecuteRequest(Self.beginStatement))
        let result = try connection.query(
            ExecuteRequest("SELECT pg_catalog.pg_export_snapshot(), pg_catalog.to_char(pg_catalog.now(), 'YYYY-MM-DD HH24:MI:SS')"))
        guard result.rows.rowCount == 1, let name = result.rows.text(row: 0, column: 0), let time = result.rows.text(row: 0, column: 1),
            Self.isName(name)
        else {
            throw EngineError.failed(
                ServerMessage(.other, "The server gave no valid name for its snapshot. Open the table without --snapshot."))
        }
        (self.name, self.time) = (name, time)
    }

    /// True if a text has the form of a snapshot name: digits, capital letters from A to F and hyphens. Any other name is refused, because
    /// the name is inserted into the text of a statement.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
    }

    /// Makes a new connection use the snapshot.
    /// - Throws: ``ServerError`` if the snapshot has ended.
    func apply(to other: EngineConnection) throws {
        do throws(EngineError) {
            _ = try other.query(ExecuteRequest(Self.beginStatement))
            _ = try other.query(ExecuteRequest("SET TRANSACTION SNAPSHOT '\(name)'"))
        } catch {
            other.close()
            guard !error.isDisconnection else { throw error }
            throw ServerError("The snapshot has ended: its connection was lost. Reload to take a new one.")
        }
    }

    deinit { connection.close() }
}
