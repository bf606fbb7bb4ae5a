public import DataGridQuery
import SQLTables
public import Tables

/// Finding the rows of one order in another order, by the key of the table.
extension ServerQueryEngine {
    /// Finds rows of `order` by the keys of the records, and returns their positions. The server counts the positions of a few rows one by
    /// one. For more rows, one scan numbers all rows of the order.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func positions(
        ofRecords records: [Int], of table: any Table, order: RowSequence, control: JobControl
    ) throws -> [Int: Int]? {
        guard let server = server(table) else {
            return try local.positions(ofRecords: records, of: table, order: order, control: control)
        }
        return try Self.interruptible {
            let (source, order) = (server.source, try self.order(of: order, in: server).order)
            guard order.query.identifiesRows else { return nil }
            var identities = try source.identities(ofRows: records) { control.isCancelled }
            let found = try positions(of: Set(identities.values), in: order, of: source, control)
            let positions = identities.compactMapValues { found[$0] }
            let first = ServerSnapshot.firstRow(ofOrder: order.number)
            for (record, position) in positions { identities[first + position] = identities[record] }
            if let last = positions.values.max() { order.addKnownRows(upTo: last + 1) }
            source.storeIdentities(identities)
            return positions
        }
    }

    private func positions(
        of identities: Set<RowKey>, in order: ServerOrder, of source: ServerTableSource, _ control: JobControl
    ) throws -> [RowKey: Int] {
        let (query, starts, list) = (order.query, order.segments.starts, Array(identities))
        /// Runs a statement that finds rows by their identities. Passes each row in a shown section to `body`, with the position of the
        /// first row of the section.
        func find(
            _ statement: ([RowKey]) throws(SQLLimitations) -> IdentityStatement, _ body: (_ row: IdentifiedRow, _ start: Int) -> Void
        ) throws {
            for first in stride(from: 0, to: list.count, by: query.identityLimit) {
                let part = Array(list[first...].prefix(query.identityLimit))
                let statement = try compiling { () throws(SQLLimitations) in try statement(part) }
                try source.database.stream(statement.statement, isCancelled: { control.isCancelled }) { batch in
                    for row in statement.rows(source.database.values(batch)) where identities.contains(row.identity) {
                        if let start = starts[row.section] { body(row, start) }
                    }
                    return true
                }
            }
        }
        var present: [(row: IdentifiedRow, start: Int)] = []
        try find(query.keys) { present.append(($0, $1)) }
        var positions: [RowKey: Int] = [:]
        if present.count <= rankLimit {
            for (row, start) in present {
                let rank = try compiling { () throws(SQLLimitations) in try query.rank(of: RowKey(row.values), in: row.section) }
                positions[row.identity] = start + (try source.database.fetchNumber(rank) { control.isCancelled })
            }
        } else {
            try find(query.numbers) { row, start in
                if let number = row.values.first?.number { positions[row.identity] = start + Int(number) }
            }
        }
        return positions
    }

    /// Counts the rows of `order` before the key of the record.
    /// - Throws: ``ServerError``, in addition to the errors of every query engine.
    public func insertionPosition(ofRecord record: Int, of table: any Table, order: RowSequence, control: JobControl) throws -> Int? {
        guard let server = server(table) else {
            return try local.insertionPosition(ofRecord: record, of: table, order: order, control: control)
        }
        return try Self.interruptible {
            let order = try self.order(of: order, in: server).order
            guard let old = server.order(ofRow: record), !old.segments.isGrouped, !order.segments.isGrouped, old.query.hasUniqueOrder,
                order.query.hasUniqueOrder, old.query.query.sort == order.query.query.sort, old.query.keyCount == order.query.keyCount
            else { return nil }
            let key = try old.key(of: record - ServerSnapshot.firstRow(ofOrder: old.number)) { control.isCancelled }
            let rank = try compiling { () throws(SQLLimitations) in try order.query.rank(of: key) }
            let position = try server.source.database.fetchNumber(rank) { control.isCancelled }
            order.addKnownRows(upTo: position)
            return position
        }
    }
}
