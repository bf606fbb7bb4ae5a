import EngineProtocol
import SQLTables
import Tables

/// Scans that pass complete rows in order and in bounded memory.
extension ServerOrder {
    /// Passes all rows of a range to `body`, in order, with complete cells of the given fields, in bounded memory. One statement fetches
    /// the rows of many sections; of sections that are not sorted by their values, at most ``maximumListedSections``.
    /// - Parameter body: receives consecutive rows and the position of the first one; returns `false` to end.
    /// - Throws: ``ServerError/movedRows`` if a section has more rows than counted.
    func scan(
        _ range: Range<Int>, fields: [FieldID], isCancelled: () -> Bool, _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool
    ) throws {
        let parts = parts(range)
        // Only the first and the last section can be incomplete.
        let start = parts.first?.isWhole == true ? 0 : min(1, parts.count)
        let end = parts.last?.isWhole == true ? parts.count : max(start, parts.count - 1)
        let areJoined = segments.isGrouped && end - start > Self.maximumSeparateSections
        for (index, part) in parts.enumerated() {
            let continues: Bool
            if areJoined, (start..<end).contains(index) {
                continues = try index > start || scanSections(parts[start..<end], fields: fields, isCancelled: isCancelled, body)
            } else {
                continues = try scanSection(part, fields: fields, isCancelled: isCancelled, body)
            }
            guard continues else { return }
        }
    }

    /// Passes rows of one section. One statement fetches the rows, or one statement for each range of blocks.
    /// - Returns: `false` if `body` has ended the scan.
    private func scanSection(
        _ part: OrderSegments.Part, fields: [FieldID], isCancelled: () -> Bool,
        _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool
    ) throws -> Bool {
        var progress = ScanProgress(remainingRows: part.rows, findsMoreRows: part.isAtSectionEnd)
        func passRows(of statement: SQLStatement, firstRowWithin milliseconds: UInt32? = nil) throws {
            try self.passRows(of: statement, &progress, firstRowWithin: milliseconds, isCancelled, body)
        }
        do {
            guard query.usesBlocks else {
                try scanInOrder(part, fields, isCancelled, passRows)
                return try progress.end()
            }
            let start = try blockStart(of: part, isCancelled)
            progress.skippedCount = part.rows.lowerBound - start.position
            var page = try completeQuery.page(.after(start.key, 50_000), of: fields, in: part.segment.section)
            while true {
                try passRows(of: page.statement)
                guard progress.needsRows, let next = page.blocks?.upperBound, next < Self.lastBlock else { break }
                // Rows that are not counted may also be in blocks that were added after the table was opened.
                let isKnown = next < query.table.blockCount ?? .max
                guard isKnown || part.end == nil else { break }
                let blocks = next..<(isKnown ? next + 2_000 : Self.lastBlock)
                page = try completeQuery.page(.blocks(blocks), of: fields, in: part.segment.section)
            }
        } catch let error as SQLLimitations {
            throw ServerError(error)
        }
        return try progress.end()
    }

    /// Passes rows of one section in one statement. If a filter has few matches, the server sorts them, see ``filtersFirst``.
    /// - Parameter passRows: runs a statement and passes its rows.
    private func scanInOrder(
        _ part: OrderSegments.Part, _ fields: [FieldID], _ isCancelled: () -> Bool,
        _ passRows: (_ statement: SQLStatement, _ firstRowWithin: UInt32?) throws -> Void
    ) throws {
        var (request, offset) = request(for: part.rows, of: part.segment, end: part.end, forwardOnly: true)
        if let start = try rowIDStart(insteadOf: request, offset, for: part.rows, isCancelled) { (request, offset) = start }
        if part.isAtSectionEnd { request = request.withRowCount(part.rows.count + 1) }
        let section = part.segment.section
        func statement(_ query: SQLQuery) throws(SQLLimitations) -> SQLStatement {
            try query.page(request, of: fields, in: section, skipping: offset).statement
        }
        guard canFilterFirst(completeQuery, in: section) else { return try passRows(statement(completeQuery), nil) }
        var count = part.segmentCount
        if count == nil {
            do {
                return try passRows(statement(completeQuery), indexScanTimeLimit)
            } catch let error as ServerError where error == .timedOut {
                // Sort the rows only if they are few, because the server may write a large sort to its disk.
                let isShort = part.rows.count + offset <= Self.filterFirstLimitAfterSlowIndexScan
                count = isShort ? 0 : try database.fetchNumber(completeQuery.count(in: section), isCancelled: isCancelled)
            }
        }
        let isFew =
            filtersFirst(forMatchCount: count)
            || count.map { part.rows.count >= $0 && $0 <= Self.filterFirstLimitAfterSlowIndexScan } == true
        var filtering = completeQuery
        filtering.filtersFirst = isFew
        try passRows(statement(filtering), nil)
    }

    /// Runs a statement and passes its rows to `body`, as far as they are needed.
    /// - Parameter milliseconds: the maximum time until the first row; `nil` for no limit.
    private func passRows(
        of statement: SQLStatement, _ progress: inout ScanProgress, firstRowWithin milliseconds: UInt32?, _ isCancelled: () -> Bool,
        _ body: (_ position: Int, _ batch: ServerBatch) throws -> Bool
    ) throws {
        let start = ContinuousClock.now
        var hasRows = false
        func isTooSlow() -> Bool { milliseconds.map { !hasRows && start.duration(to: .now) > .milliseconds($0) } ?? false }
        do {
            try database.stream(
                statement, keepsOrder: !query.hasUniqueOrder, isCancelled: { isCancelled() || isTooSlow() },
                onRows: { batch in
                    hasRows = hasRows || batch.rowCount > 0
                    try progress.passRows(of: batch, to: body)
                    return progress.needsRows
                })
        } catch is ServerDatabase.Interrupted where isTooSlow() && !isCancelled() {
            throw ServerError.timedOut
        }
    }
}

/// The progress of a scan of consecutive rows, which one or more statements return.
private struct ScanProgress {
    /// The positions of the rows that have not been passed.
    var remainingRows: Range<Int>
    /// True to wait for a row after the remaining rows.
    let findsMoreRows: Bool
    /// True if a row came after the remaining rows. Always false if ``findsMoreRows`` is false.
    private(set) var hasMoreRows = false
    /// The number of rows to leave out before the next row to pass.
    var skippedCount = 0
    /// False after the receiver has ended the scan.
    private(set) var shouldContinue = true

    /// True if more rows are needed.
    var needsRows: Bool { shouldContinue && (!remainingRows.isEmpty || findsMoreRows && !hasMoreRows) }

    /// Returns `false` if the receiver has ended the scan.
    /// - Throws: ``ServerError/movedRows`` if a row came after the remaining rows, and the receiver needs all rows.
    func end() throws -> Bool {
        if shouldContinue, hasMoreRows { throw ServerError.movedRows }
        return shouldContinue
    }

    /// Passes the needed rows of a batch to `body`.
    mutating func passRows(of batch: RowBatch, to body: (_ position: Int, _ batch: ServerBatch) throws -> Bool) throws {
        let first = min(batch.rowCount, skippedCount)
        skippedCount -= first
        let count = min(batch.rowCount - first, remainingRows.count)
        hasMoreRows = findsMoreRows && batch.rowCount - first > count
        guard count > 0 else { return }
        shouldContinue = try body(remainingRows.lowerBound, ServerBatch(batch: batch, rows: first..<first + count))
        remainingRows = remainingRows.dropFirst(count)
    }
}
