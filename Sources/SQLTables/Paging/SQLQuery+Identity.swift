import FieldValues

/// A row that a statement has found by its identity, the values of the shortest key of its table.
public struct IdentifiedRow: Hashable, Sendable {
    /// The values of the columns of the table's shortest key.
    public var identity: RowKey
    /// The values of the group levels; empty without groups.
    public var section: [GroupValue]
    /// For ``SQLQuery/keys(ofRows:)``, the values of the row's ``RowKey``. For ``SQLQuery/numbers(ofRows:)``, the position of the row in
    /// its section.
    public var values: [SQLValue]
}

/// A statement that finds rows by their identities, and the layout of its result.
public struct IdentityStatement: Hashable, Sendable {
    /// The statement to run.
    public var statement: SQLStatement
    /// The number of values of an identity.
    var identityCount: Int
    /// The number of group levels. A result row has two values for each level: its text and its class, see ``GroupTerm/groupClass``.
    var groupCount: Int

    /// Converts a result. It can include rows that were not requested. Malformed result rows are skipped.
    public func rows(_ result: [[SQLValue]]) -> [IdentifiedRow] {
        result.compactMap { values in
            let keyStart = identityCount + 2 * groupCount
            guard values.count > keyStart else { return nil }
            let section = (0..<groupCount).map { level in
                GroupValue(values[identityCount + 2 * level], values[identityCount + 2 * level + 1].number ?? 2)
            }
            return IdentifiedRow(identity: RowKey(Array(values[..<identityCount])), section: section, values: Array(values[keyStart...]))
        }
    }
}

extension SQLQuery {
    /// True if the table has a key, so that a row can be recognized in other orders.
    public var identifiesRows: Bool { !identity.isEmpty && hasUniqueOrder }

    /// The maximum number of identities in one statement. SQLite allows 32,766 parameters.
    public var identityLimit: Int { max(1, 30_000 / max(1, identity.count)) }

    /// The identity of a row with this key; `nil` if the key does not contain it.
    public func identity(of key: RowKey) -> RowKey? {
        guard let identityIndexes, key.values.count == order.count else { return nil }
        return RowKey(identityIndexes.map { key.values[$0] })
    }

    /// Creates a statement that fetches the identities of the rows of a page as their cells.
    public func identities(
        _ request: PageRequest, in section: [GroupValue] = [], skipping skipped: Int = 0
    ) throws(SQLLimitations) -> PageStatement {
        guard identifiesRows else { throw requestError("The table has no key, so its rows cannot be identified.") }
        return try page(request, identity.map(\.selectedValue), cellLimit: .max, in: section, skipping: skipped)
    }

    /// Creates a statement for the row keys of rows with the given identities. The server finds the rows with the index of the table's key.
    /// - Parameter identities: at most ``identityLimit`` identities.
    public func keys(ofRows identities: [RowKey]) throws(SQLLimitations) -> IdentityStatement {
        let keys = order.enumerated().map { "\($0.element.selectedValue) AS o\($0.offset)" as SQLFragment }
        let inner: SQLFragment =
            "SELECT \(identityColumns + groupColumns + keys)\(from)\(filter(conditions + (try matches(identities, identity.map(\.value)))))"
        return statement(inner, last: order.indices.map { "s.o\($0)" }, conditions: [])
    }

    /// Creates a statement for the positions, from 0, of rows in their sections. It makes the server sort all rows of the query.
    /// - Parameter identities: at most ``identityLimit`` identities.
    public func numbers(ofRows identities: [RowKey]) throws(SQLLimitations) -> IdentityStatement {
        let values = identity.enumerated().map { "\($0.element.value) AS v\($0.offset)" as SQLFragment }
        let sections = groups.flatMap { [$0.value] + ($0.groupClass.map { [$0] } ?? []) }
        let partition: SQLFragment = sections.isEmpty ? "" : "PARTITION BY \(sections) "
        let rows = order.flatMap { $0.order(isBackward: false, dialect) }
        let number: SQLFragment = "\(function: "row_number")() OVER (\(partition)ORDER BY \(rows)) - 1 AS n"
        let inner: SQLFragment = "SELECT \(identityColumns + groupColumns + values + [number])\(from)\(filter(conditions))"
        return statement(inner, last: ["s.n"], conditions: try matches(identities, identity.indices.map { "s.v\($0)" }))
    }

    private var identityColumns: [SQLFragment] { identity.enumerated().map { "\($0.element.selectedValue) AS i\($0.offset)" } }

    private var groupColumns: [SQLFragment] {
        groups.enumerated().flatMap { level, group -> [SQLFragment] in
            ["\(group.value) AS g\(level)"] + (group.groupClass.map { ["\($0) AS k\(level)"] } ?? [])
        }
    }

    /// Conditions that rows with these identities match. Each compares one column, so that the server can use a hash table. Rows that
    /// combine values of several identities also match.
    private func matches(_ identities: [RowKey], _ values: [SQLFragment]) throws(SQLLimitations) -> [SQLFragment] {
        guard identifiesRows, identities.allSatisfy({ $0.values.count == identity.count }) else { throw mismatchedKeyError }
        return identity.indices.map { index in
            var seen: Set<SQLValue> = []
            let all = identities.map { $0.values[index] }.filter { seen.insert($0).inserted }
            return "\(values[index]) IN (\(all.map { identity[index].parameter($0, dialect) }))"
        }
    }

    private func statement(_ inner: SQLFragment, last: [SQLFragment], conditions: [SQLFragment]) -> IdentityStatement {
        let identities = identity.indices.map { "s.i\($0)" as SQLFragment }
        let sections = groups.enumerated().flatMap { level, group -> [SQLFragment] in
            let value: SQLFragment = "s.g\(level)"
            let groupClass: SQLFragment = group.groupClass == nil ? "CASE WHEN \(value) IS NULL THEN 2 ELSE 0 END" : "s.k\(level)"
            return [group.text(value, dialect), groupClass]
        }
        let statement: SQLFragment = "SELECT \(identities + sections + last) FROM (\(inner)) AS s\(filter(conditions))"
        return IdentityStatement(statement: statement.statement(in: dialect), identityCount: identity.count, groupCount: groups.count)
    }
}
