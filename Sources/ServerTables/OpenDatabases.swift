import EngineClient
import EngineProtocol
import Locks

/// The identity of an open database, which every printed URL of the database contains.
struct DatabaseID: Hashable, Sendable {
    /// The printed URL without a table. It has no password and no other option that can be secret.
    let url: String
    /// The number of the database among those with the same ``url``, see `ConnectionTarget.databaseNumber`.
    var number: Int

    /// The identity that a printed URL contains. Another URL has the identity of the first database with the same printed URL.
    init(of target: ConnectionTarget) {
        var database = target
        (database.table, database.databaseNumber) = ([], 1)
        (url, number) = (database.description, target.databaseNumber)
    }

    /// The printed URL of the database, or of a table in it.
    func path(of target: ConnectionTarget) -> String {
        var target = target
        target.databaseNumber = number
        return target.description
    }
}

/// The databases that an opener has opened. Databases with the same printed URL have different options.
final class OpenDatabases: Sendable {
    private let databases = Mutex<[DatabaseID: ServerDatabase]>([:])

    /// The database of a URL, printed or not. Adds a database if no such database is open.
    func database(of target: ConnectionTarget, helperPath: String?) -> (id: DatabaseID, database: ServerDatabase) {
        let id = DatabaseID(of: target)
        let printed = try? ConnectionTarget(parsing: id.url)
        let isPrinted = printed.map { Self.options(of: $0) == Self.options(of: target) } ?? false
        if isPrinted, let database = databases.withLock({ $0[id] }) { return (id, database) }
        return database(withOptionsOf: target, helperPath: helperPath)
    }

    /// The database that was opened with the options of a URL, apart from the password. Adds a database if no such database is open.
    func database(withOptionsOf target: ConnectionTarget, helperPath: String?) -> (id: DatabaseID, database: ServerDatabase) {
        var target = target
        (target.table, target.databaseNumber) = ([], 1)
        let options = Self.options(of: target)
        return databases.withLock { databases in
            var id = DatabaseID(of: target)
            while let database = databases[id] {
                if Self.options(of: database.target) == options { return (id, database) }
                id.number += 1
            }
            let database = ServerDatabase(target, helperPath: helperPath)
            databases[id] = database
            return (id, database)
        }
    }

    /// The options that distinguish databases. The password is not one of them, because it can be typed later.
    private static func options(of target: ConnectionTarget) -> Set<[String]> {
        Set(target.options.filter { $0.name != "password" }.map { [$0.name, $0.value] })
    }
}
