import SQLTables

/// Pages of tables that are ordered by row number. The server can skip to a row number without reading rows.
extension ServerOrder {
    /// The maximum number of rows that a page skips. To skip more, or to read backward, the server would read and sort all rows.
    private static let rowIDSkipLimit = 256
    /// The maximum number of statements that search for the start of a page. Each of them halves the distance to it, or better, unless most
    /// rows of the table are deleted.
    private static let maximumRowIDAttempts = 16

    /// The key of the row with a row number.
    static func rowID(_ number: Int) -> RowKey { RowKey([.text("\(number)")]) }

    /// The last rows, which the server finds by counting row numbers. Only if the query has `SQLQuery/countsRowIDs`.
    func lastCountedRows(_ count: Int, isCancelled: () -> Bool) throws -> [PageRow] {
        let statement = try compiling { () throws(SQLLimitations) in try query.rank(of: Self.rowID(.max)) }
        let end = try database.fetchNumber(statement, isCancelled: isCancelled)
        return try rows(max(0, end - count)..<end, isCancelled: isCancelled)
    }

    /// True if the server finds the page by counting row numbers. This is faster than skipping many rows.
    func countsRowIDs(insteadOf request: PageRequest, _ skipped: Int) -> Bool {
        query.countsRowIDs && (request.isBackward || skipped > Self.rowIDSkipLimit)
    }

    /// A request for a page that starts near the page, and the number of rows to skip. `nil` to keep the given request.
    func rowIDStart(
        insteadOf request: PageRequest, _ skipped: Int, for rows: Range<Int>, _ isCancelled: () -> Bool
    ) throws -> (request: PageRequest, skipped: Int)? {
        guard countsRowIDs(insteadOf: request, skipped) else { return nil }
        // A row number is at least the position of its row. It is greater if earlier rows were deleted.
        var next = rows.lowerBound
        for _ in 0..<Self.maximumRowIDAttempts {
            let statement = try compiling { () throws(SQLLimitations) in try query.rank(of: Self.rowID(next)) }
            let position = try database.fetchNumber(statement, isCancelled: isCancelled)
            guard (0...rows.lowerBound).contains(position) else { break }
            let missing = rows.lowerBound - position
            // Without deleted rows before it, the previous row has the previous number.
            if position == next, next > 0 { addKnownKey(Self.rowID(next - 1), at: next - 1) }
            if missing <= Self.rowIDSkipLimit { return (.after(Self.rowID(next - 1), rows.count), missing) }
            next += missing
        }
        return nil
    }
}
