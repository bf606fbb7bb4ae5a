import EngineClient
import EngineProtocol

/// A snapshot of a PostgreSQL database: other connections show the same rows while this one is open.
///
/// The server cannot remove old rows meanwhile, so a snapshot is a choice of the user.
final class ServerSnapshotHolder: Sendable {
    private let connection: EngineConnection
    private let name: String
    /// The time of the snapshot, in the time zone of the session.
    let time: String

    private static let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Takes a snapshot.
    /// - Parameter connection: an open connection, which is used for nothing else.
    init(_ connection: EngineConnection) throws(EngineError) {
        self.connection = connection
        _ = try connection.query(ExecuteRequest(Self.begin))
        let result = try connection.query(
            ExecuteRequest("SELECT pg_catalog.pg_export_snapshot(), pg_catalog.to_char(pg_catalog.now(), 'YYYY-MM-DD HH24:MI:SS')"))
        name = result.rows.rowCount == 1 ? result.rows.text(0, 0) ?? "" : ""
        time = result.rows.rowCount == 1 ? result.rows.text(0, 1) ?? "" : ""
    }

    /// Makes a new connection show the snapshot.
    /// - Throws: ``ServerError`` if the snapshot has ended.
    func show(in other: EngineConnection) throws {
        do {
            _ = try other.query(ExecuteRequest(Self.begin))
            // Names of snapshots have digits, letters and hyphens only.
            let isName = !name.isEmpty && name.utf8.allSatisfy { $0 == 45 || (48...57).contains($0) || (65...70).contains($0) }
            guard isName else { throw ServerError("The server gave no name for its snapshot. Open the table without --snapshot.") }
            _ = try other.query(ExecuteRequest("SET TRANSACTION SNAPSHOT '\(name)'"))
        } catch let error as EngineError {
            other.close()
            guard !error.isDisconnection else { throw error }
            throw ServerError("The snapshot of \(time) has ended, because its connection was lost. Reload the table for a new one.")
        }
    }

    deinit { connection.close() }
}
