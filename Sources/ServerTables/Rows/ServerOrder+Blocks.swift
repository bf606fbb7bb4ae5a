import SQLTables

/// Rows in the order of their disk blocks, for tables without a key.
extension ServerOrder {
    /// The last block that a table can have.
    static let lastBlock: Int64 = 4_294_967_294
    /// The maximum number of rows that are read to reach a page.
    private static let blockSkipLimit = 256
    /// The maximum number of statements that search for the start of a page.
    private static let maximumBlockAttempts = 32
    /// The assumed number of rows of a block without statistics.
    private static let unknownBlockRows = 20.0

    /// The address before the first row of a block.
    static func address(_ block: Int64) -> RowKey { RowKey([.text("(\(block),0)")]) }

    /// An address and the position of the first row after it.
    private struct BlockPosition {
        var key: RowKey
        var block: Int64
        var position: Int
    }

    /// Finds the row address after which blocks are read to reach a part of the rows. Returns it with the position of the row after the
    /// address.
    ///
    /// The server counts the rows between a known address and a guessed one, so that blocks are read at most about once.
    func blockStart(of part: OrderSegments.Part, _ isCancelled: () -> Bool) throws -> (key: RowKey, position: Int) {
        let (position, segment) = (part.rows.lowerBound, part.segment)
        let (before, after) = withKnownKeys { ($0.nearest(before: position, from: segment.start), $0.nearest(notBefore: position)) }
        var low = BlockPosition(key: Self.address(0), block: 0, position: segment.start)
        if let before, let block = before.key.block { low = BlockPosition(key: before.key, block: block, position: before.position + 1) }
        let blocks = max(0, min(Self.lastBlock, query.table.blockCount ?? 0))
        // If no row after the page is known, the number of rows is an estimate, which only determines the guesses.
        var high: BlockPosition?
        if let after, after.position < part.end ?? .max, let block = after.key.block {
            high = BlockPosition(key: after.key, block: block, position: after.position)
        }
        let start = low
        for attempt in 0..<Self.maximumBlockAttempts where position - low.position > Self.blockSkipLimit {
            let width = (high?.block ?? blocks) - low.block
            guard width > 1 else { break }
            var rows = Double((high?.position ?? part.end ?? 0) - low.position)
            if high == nil, part.end == nil {
                // Assume as many rows in each block as in the blocks so far.
                let perBlock =
                    low.block > start.block
                    ? Double(low.position - start.position) / Double(low.block - start.block)
                    : query.table.estimatedRows.map { $0 / Double(blocks) } ?? Self.unknownBlockRows
                rows = perBlock * Double(width)
            }
            var distance = Int64(Double(width) * min(1, Double(position - low.position) / max(1, rows)))
            // The guess is a bit too early, because the rows after it are read until the page is reached.
            distance -= min(distance, width - distance) / 64 + 1
            if attempt % 3 == 2 { distance = width / 2 }
            let block = low.block + max(1, min(width - 1, distance))
            var guess = BlockPosition(key: Self.address(block), block: block, position: 0)
            if let known = high, known.block - block < block - low.block {
                let count = try rowCount(after: guess.key, before: known.key, in: segment.section, isCancelled)
                guess.position = max(low.position, known.position - count)
            } else {
                guess.position = low.position + (try rowCount(after: low.key, before: guess.key, in: segment.section, isCancelled))
            }
            if guess.position <= position { low = guess } else { high = guess }
        }
        return (low.key, low.position)
    }

    private func rowCount(after start: RowKey, before end: RowKey, in section: [GroupValue], _ isCancelled: () -> Bool) throws -> Int {
        let statement = try compiling { () throws(SQLLimitations) in try query.count(after: start, before: end, in: section) }
        return max(0, min(1 << ServerSnapshot.positionBits, try database.fetchNumber(statement, isCancelled: isCancelled)))
    }

    /// The rows of a part of the order. Reads the blocks from a known row before them.
    func blockRows(of part: OrderSegments.Part, _ isCancelled: () -> Bool) throws -> [PageRow] {
        let positions = part.rows
        var (key, position) = try blockStart(of: part, isCancelled)
        var rows: [PageRow] = []
        var request = PageRequest.after(key, min(20_000, positions.upperBound - position))
        while position < positions.upperBound {
            // Many blocks are read if few rows match, so the next blocks could have too many matching rows for one result.
            let limit = positions.upperBound - position
            let page = try compiling { () throws(SQLLimitations) in
                try query.page(request, of: fields, in: part.segment.section, blockLimit: part.isAtSectionEnd ? limit + 1 : limit)
            }
            var found = try run(page, isCancelled)
            if found.count > limit {
                recordLongerSection()
                found = Array(found.prefix(limit))
            }
            let skipped = min(found.count, max(0, positions.lowerBound - position))
            rows += found[skipped...].prefix(positions.count - rows.count)
            position += found.count
            if let last = found.last { addKnownKeys(of: [last], from: position - 1) }
            guard let blocks = page.blocks, blocks.upperBound < query.table.blockCount ?? .max else { break }
            // Read as many blocks next as the other rows probably need. If few rows match a filter, the number doubles.
            let missing = Double(max(1, positions.upperBound - position)) / Double(max(1, found.count))
            let count = max(1, min(10_000, Int64(Double(blocks.count) * min(2, missing)) + 1))
            request = .blocks(blocks.upperBound..<blocks.upperBound + count)
        }
        return rows
    }
}
