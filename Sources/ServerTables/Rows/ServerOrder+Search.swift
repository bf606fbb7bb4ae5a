import SQLTables
import Tables

/// Searches for rows that match a condition.
extension ServerOrder {
    /// The nearest row that matches a condition, with its position.
    /// - Parameter start: the position where the search starts, inclusive.
    func firstMatch(_ condition: Formula, from start: Int, isBackward: Bool, isCancelled: () -> Bool) throws -> (
        position: Int, row: PageRow
    )? {
        let count = knownRowCount.count
        let range = isBackward ? 0..<min(count, start + 1) : max(0, start)..<max(start, count)
        let parts = parts(range)
        for part in isBackward ? parts.reversed() : parts {
            let isFirst =
                isBackward ? part.rows.upperBound == part.end || part.rows.upperBound == count : part.rows.lowerBound == part.segment.start
            // The position just before the rows to search, in the direction of the search.
            let neighbor = isBackward ? part.rows.upperBound : part.rows.lowerBound - 1
            do {
                let section = part.segment.section
                var key: RowKey?
                if !isFirst {
                    key = try self.key(of: neighbor, isCancelled)
                } else if query.usesBlocks {
                    key = Self.address(isBackward ? Self.lastBlock : 0)
                }
                func page(_ query: SQLQuery) throws(SQLLimitations) -> PageStatement {
                    if let key { return try query.nextMatch(condition, after: key, isBackward: isBackward, of: fields, in: section) }
                    return try query.page(isBackward ? .last(1) : .first(1), of: fields, in: section, matching: condition)
                }
                let found = try filteredRows(forMatchCount: part.segmentCount, in: section, matching: condition, page, isCancelled)
                guard let row = found.first else { continue }
                let rank = try database.fetchNumber(query.rank(of: row.key, in: section), isCancelled: isCancelled)
                return (part.segment.start + rank, row)
            } catch let error as SQLLimitations {
                throw ServerError(error)
            }
        }
        return nil
    }
}
