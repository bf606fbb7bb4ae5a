import EngineProtocol
import SQLTables
import Tables

/// Fetches the rows of many sections with few statements.
extension ServerOrder {
    /// The maximum number of consecutive sections for which each section has its own statement. Such a statement may use an index for its
    /// sort.
    static let maximumSeparateSections = 8
    /// The maximum number of sections that one statement lists, because the server may compare each row with every listed section.
    static let maximumListedSections = 250
    /// The approximate maximum number of bytes of the group values in one statement. Once they have this many bytes, no section is added.
    private static let maximumListedBytes = 1 << 18
    /// The maximum size of the SQL text in bytes. A longer statement is split into statements with half the sections.
    private static let maximumTextBytes = 1 << 20

    /// Passes all rows of `parts`, which are consecutive whole sections, to `body`.
    /// - Returns: `false` if `body` has ended the scan.
    func scanSections(
        _ parts: ArraySlice<OrderSegments.Part>, fields: [FieldID], isCancelled: () -> Bool,
        _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool
    ) throws -> Bool {
        if areSectionsSortedByValue, parts.count == segments.count || parts.count > Self.maximumListedSections,
            let statement = try compiling({ () throws(SQLLimitations) in try completeQuery.rowsBySection(of: fields) })
        {
            let places = Dictionary(zip(parts.lazy.map(\.segment.section), parts.indices)) { first, _ in first }
            return try passRows(of: statement, inSections: parts, cellCount: fields.count, isCancelled, body) {
                SQLQuery.section($0).flatMap { places[$0] }
            }
        }
        var rest = parts
        while let start = rest.indices.first {
            var bytes = 0
            var some = rest.prefix(Self.maximumListedSections).prefix { part in
                defer { bytes += part.segment.section.reduce(0) { $0 + $1.textBytes } }
                return bytes < Self.maximumListedBytes
            }
            var statement = try self.statement(forRowsOf: some, fields)
            // The statement repeats the SQL of a computed group for each section. Even a few sections can make it too long.
            while some.count > 1, statement.text.utf8.count > Self.maximumTextBytes {
                some = some.prefix(some.count / 2)
                statement = try self.statement(forRowsOf: some, fields)
            }
            rest = rest[some.endIndex...]
            let continues = try passRows(of: statement, inSections: some, cellCount: fields.count, isCancelled, body) { values in
                values.first?.number.flatMap { Int(exactly: $0) }.map { start + $0 }
            }
            guard continues else { return false }
        }
        return true
    }

    private func statement(forRowsOf parts: ArraySlice<OrderSegments.Part>, _ fields: [FieldID]) throws -> SQLStatement {
        try compiling { () throws(SQLLimitations) in try completeQuery.rows(inSections: parts.map(\.segment.section), of: fields) }
    }

    /// Runs a statement that returns the rows of sections, one section after the other, and passes the rows to `body`. Leaves out rows of
    /// sections that were added after the groups were fetched.
    /// - Parameters:
    ///   - cellCount: the number of cells of a row. In the result, the values of the row's section follow its cells.
    ///   - partIndex: returns the index in `parts` of the section with these values; `nil` if no part has them.
    /// - Returns: `false` if `body` has ended the scan.
    /// - Throws: ``ServerError/movedRows`` if a section has more rows than counted.
    private func passRows(
        of statement: SQLStatement, inSections parts: ArraySlice<OrderSegments.Part>, cellCount: Int, _ isCancelled: () -> Bool,
        _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool, partIndex: ([SQLValue]) -> Int?
    ) throws -> Bool {
        var continues = true
        var current: [SQLValue]?
        /// The positions in the current section whose rows have not been passed; empty for a section that is not in `parts`.
        var rest = 0..<0
        var isKnownSection = false
        var lastPlace = parts.startIndex - 1
        try database.stream(statement, keepsOrder: !query.hasUniqueOrder, isCancelled: isCancelled) { batch in
            var row = 0
            while row < batch.rowCount, continues {
                let values = database.values(batch, row: row, columns: cellCount..<batch.columnCount)
                var end = row + 1
                while end < batch.rowCount, database.values(batch, row: end, columns: cellCount..<batch.columnCount) == values { end += 1 }
                if values != current {
                    if rest.isEmpty, lastPlace == parts.endIndex - 1 { return false }
                    let found = partIndex(values).flatMap { parts.indices.contains($0) ? $0 : nil }
                    guard found.map({ $0 > lastPlace }) ?? true else {
                        throw ServerError("The server sent the groups in another order than before. Reload the table.")
                    }
                    (current, lastPlace, rest) = (values, found ?? lastPlace, found.map { parts[$0].rows } ?? 0..<0)
                    isKnownSection = found != nil
                }
                let count = min(end - row, rest.count)
                if count > 0 {
                    continues = try body(rest.lowerBound, ServerBatch(batch: batch, rows: row..<row + count))
                    rest = rest.dropFirst(count)
                }
                if continues, isKnownSection, end - row > count { throw ServerError.movedRows }
                row = end
            }
            return continues
        }
        return continues
    }
}

extension GroupValue {
    fileprivate var textBytes: Int {
        if case .value(let text) = self { text.utf8.count } else { 0 }
    }
}
