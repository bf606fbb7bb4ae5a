import SQLTables

/// Rows in the order of their disk blocks, for tables without a key.
extension ServerOrder {
    /// The last block that a table can have.
    static let lastBlock: Int64 = 4_294_967_294

    /// The address before the first row of a block.
    static func address(_ block: Int64) -> RowKey { RowKey([.text("(\(block),0)")]) }

    /// Finds the row address after which blocks are read to reach a position. Returns it with the position of the row after the address.
    func blockStart(
        for position: Int, of segment: OrderSegments.Segment, _ isCancelled: () -> Bool
    ) throws -> (key: RowKey, position: Int) {
        let nearest = withKnownKeys { $0.nearest(before: position, from: segment.start) }
        let start = nearest.map { (key: $0.key, position: $0.position + 1) } ?? (key: Self.address(0), position: segment.start)
        let (count, isComplete) = known
        let rows = isComplete ? Double(count) : query.table.estimatedRows ?? 0
        guard position - start.position > Self.skipLimit, let blocks = query.table.blockCount, blocks > 0, rows >= 1 else {
            return start
        }
        // Estimate the block of the position, as if all blocks had the same number of rows. If the block is too late, try earlier blocks.
        var block = Int64(min(1, Double(position) / rows) * Double(blocks)) - 100
        for _ in 0..<8 {
            guard block > 0 else { break }
            let key = Self.address(block)
            let statement = try compiling { () throws(SQLLimitations) in try query.rank(of: key, in: segment.section) }
            let rank = segment.start + (try database.number(statement, isCancelled: isCancelled))
            if rank <= position {
                return rank > start.position ? (key, rank) : start
            }
            block = min(block * 9 / 10 - 1_000, Int64(Double(block) * Double(position) / Double(rank)) - 100)
        }
        return start
    }

    /// The rows of a range of positions. Reads the blocks from a known row before them.
    func blockRows(_ positions: Range<Int>, of segment: OrderSegments.Segment, _ isCancelled: () -> Bool) throws -> [PageRow] {
        var (key, position) = try blockStart(for: positions.lowerBound, of: segment, isCancelled)
        var rows: [PageRow] = []
        var request = PageRequest.after(key, min(20_000, positions.upperBound - position))
        while position < positions.upperBound {
            let page = try compiling { () throws(SQLLimitations) in try query.page(request, of: fields, in: segment.section) }
            let found = try run(page, isCancelled)
            let skipped = min(found.count, max(0, positions.lowerBound - position))
            rows += found[skipped...].prefix(positions.count - rows.count)
            position += found.count
            if let last = found.last { addKnownKeys(of: [last], from: position - 1) }
            guard let next = page.blocks?.upperBound, next < query.table.blockCount ?? .max else { break }
            // Read twice as many blocks next, because a page of blocks may be empty.
            let count = max(1, Int64((page.blocks?.count ?? 1)))
            request = .blocks(next..<next + min(10_000, count * 2))
        }
        return rows
    }
}
