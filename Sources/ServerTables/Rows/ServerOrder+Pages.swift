import SQLTables
import Tables

/// Pages of rows, found from the nearest row whose key is known.
extension ServerOrder {
    /// The identities of the rows of a range; fewer of them if the table has become shorter.
    /// - Throws: the errors of ``rows(_:selectsIdentities:replacesSlowIndexScans:isCancelled:)``.
    func identities(_ range: Range<Int>, isCancelled: () -> Bool) throws -> [RowKey] {
        try rows(range, selectsIdentities: true, isCancelled: isCancelled).map { RowKey($0.cells) }
    }

    /// The rows of a range, with the beginnings of long cells; fewer rows if the table has become shorter.
    /// - Parameters:
    ///   - selectsIdentities: true for the identities of the rows instead of their cells.
    ///   - replacesSlowIndexScans: false to throw ``ServerError/timedOut`` if an index scan takes too long, see ``IndexScanHistory``.
    ///     ``filtersFirst`` is then true.
    /// - Throws: ``ServerError/fewerRows`` if the table has become shorter, and the rows are found from the end or from a later row.
    func rows(
        _ range: Range<Int>, selectsIdentities: Bool = false, replacesSlowIndexScans: Bool = true, isCancelled: () -> Bool
    ) throws -> [PageRow] {
        var rows: [PageRow] = []
        while rows.count < range.count {
            let rest = range.dropFirst(rows.count)
            let part = rest.prefix(statementRowLimit)
            do {
                let found = try rowsOfOneResult(part, selectsIdentities, replacesSlowIndexScans, isCancelled)
                rows += found
                if found.count < part.count { break }
            } catch let error as ServerError where error == .tooLarge && part.count > 1 {
                lowerStatementRowLimit(below: part.count)
            }
        }
        return rows
    }

    private func rowsOfOneResult(
        _ range: Range<Int>, _ selectsIdentities: Bool, _ replacesSlowIndexScans: Bool, _ isCancelled: () -> Bool
    ) throws -> [PageRow] {
        var rows: [PageRow] = []
        for part in parts(range) {
            let found =
                query.usesBlocks
                ? try blockRows(of: part, isCancelled)
                : try self.rows(of: part, selectsIdentities, replacesSlowIndexScans, isCancelled)
            addKnownKeys(of: found, from: part.rows.lowerBound)
            rows += found
            if found.count < part.rows.count { break }
        }
        return rows
    }

    /// True if the server can find the last rows before all rows are counted: from the end of the order, or from the last blocks of the
    /// table. With a filter, the last blocks are not sufficient, because they may have no matching row.
    var hasDefiniteEnd: Bool { query.usesBlocks ? query.query.filters.isEmpty : query.hasTotalOrder }

    /// The last rows, whose positions may be unknown. Only if ``hasDefiniteEnd`` is true.
    func lastRows(_ count: Int, isCancelled: () -> Bool) throws -> [PageRow] {
        func page(_ query: SQLQuery) throws -> PageStatement {
            try compiling { () throws(SQLLimitations) in try query.page(.last(count), of: fields) }
        }
        return try filteredRows(
            forMatchCount: knownRowCount.isComplete ? knownRowCount.count : nil, in: [], isFromStart: false, page, isCancelled
        ).suffix(
            count)
    }

    /// The rows of a request, whose positions may be unknown.
    /// - Parameters:
    ///   - frequentKeyCount: the number of leading sort keys whose values are frequent in these rows.
    ///   - milliseconds: the time limit of the statement; 0 for no limit.
    func rows(
        _ request: PageRequest, frequentKeyCount: Int = 0, timeLimit milliseconds: UInt32 = 0, isCancelled: () -> Bool
    ) throws -> [PageRow] {
        let query = query(frequentKeyCount: frequentKeyCount)
        let page = try compiling { () throws(SQLLimitations) in try query.page(request, of: fields) }
        return try run(page, timeLimit: milliseconds, isCancelled)
    }

    /// The number of rows before a row. The time limit is one minute, plus a second for each million rows.
    func rank(of key: RowKey, isCancelled: () -> Bool) throws -> Int {
        let statement = try compiling { () throws(SQLLimitations) in try query.rank(of: key) }
        let rows = try database.rows(statement, timeLimit: scanTimeLimit, isCancelled: isCancelled)
        guard let number = rows.first?.first?.number else { throw ServerError("The server did not count the rows.") }
        return Int(number)
    }

    /// Runs the statement of a page and returns its rows.
    func run(_ page: PageStatement, timeLimit milliseconds: UInt32 = 0, _ isCancelled: () -> Bool) throws -> [PageRow] {
        page.rows(
            try database.rows(page.statement, keepsOrder: !query.hasUniqueOrder, timeLimit: milliseconds, isCancelled: isCancelled))
    }

    /// The cheapest request for a range: from the start, after a known row, before a known row, or from the end.
    func request(
        for rows: Range<Int>, of segment: OrderSegments.Segment, end: Int?, forwardOnly: Bool
    ) -> (request: PageRequest, skipped: Int) {
        guard query.hasTotalOrder else { return (.first(rows.count), rows.lowerBound - segment.start) }
        // Without unique keys, no row has a known key.
        return withKnownKeys { $0.request(for: rows, from: segment.start, end: end, forwardOnly: forwardOnly) }
    }

    private func rows(
        of part: OrderSegments.Part, _ selectsIdentities: Bool, _ replacesSlowIndexScans: Bool, _ isCancelled: () -> Bool
    ) throws -> [PageRow] {
        let (rows, segment, end) = (part.rows, part.segment, part.end)
        var (request, skipped) = request(for: rows, of: segment, end: end, forwardOnly: false)
        if let start = try rowIDStart(insteadOf: request, skipped, for: rows, isCancelled) { (request, skipped) = start }
        let isFiltered = filtersFirst(part)
        if !isFiltered, needsSkippedKey(skipped), query.isIndexedByFirstKeyOnly {
            let statement = try compiling { () throws(SQLLimitations) in
                try query.firstKey(ofRow: rows.lowerBound)
            }
            let found = try anchors(statement, isFirstKey: true, isCancelled)
            withKnownKeys { $0.merge(found) }
            (request, skipped) = self.request(for: rows, of: segment, end: end, forwardOnly: false)
        }
        if !isFiltered, needsSkippedKey(skipped) {
            let statement = try compiling { () throws(SQLLimitations) in try lastSkippedKeyStatement(request, of: segment, skipped) }
            // The last skipped row does not exist if the table has become shorter.
            guard let key = try run(statement, isCancelled).first?.key else { return [] }
            let isFromEnd = request.isBackward
            addKnownKey(key, at: isFromEnd ? rows.upperBound : rows.lowerBound - 1)
            request = isFromEnd ? .before(key, rows.count) : .after(key, rows.count)
            skipped = 0
        }
        if !selectsIdentities, !request.isBackward, part.isAtSectionEnd { request = request.withRowCount(rows.count + 1) }
        func page(_ query: SQLQuery) throws -> PageStatement {
            try compiling { () throws(SQLLimitations) in
                selectsIdentities
                    ? try query.identities(request, in: segment.section, skipping: skipped)
                    : try query.page(request, of: fields, in: segment.section, skipping: skipped)
            }
        }
        /// Rows before a known row are fewer than requested if the table has become shorter. Their positions are then not known.
        func checked(_ found: [PageRow]) throws -> [PageRow] {
            guard request.isBackward else {
                if found.count > rows.count { recordLongerSection() }
                return Array(found.prefix(rows.count))
            }
            if found.count < rows.count { throw ServerError.fewerRows }
            recordRowsFromEnd()
            return found
        }
        let frequentKeyCount = frequentKeyCount(of: request)
        if frequentKeyCount > 0, !isFiltered {
            do {
                let page = try page(query(frequentKeyCount: frequentKeyCount))
                return try checked(run(page, timeLimit: Self.frequentValueTimeLimit, isCancelled))
            } catch let error as ServerError where error == .timedOut {
                // Reading all rows with the frequent value takes less time, also for the next pages.
                forgetFrequentValue(of: request)
            }
        }
        // Without a key, the server reads all rows before a far page.
        if !isFiltered, skipped > Self.skipLimit { return try checked(run(page(query), isCancelled)) }
        return try checked(
            filteredRows(
                forMatchCount: part.segmentCount, in: segment.section, replacesSlowScan: replacesSlowIndexScans, page, isCancelled))
    }

    /// True if a separate statement must first find the key of the row next to the page. If an index contains all sort keys, the server
    /// then does not read the skipped rows.
    func needsSkippedKey(_ skipped: Int) -> Bool { skipped > Self.skipLimit && query.hasUniqueOrder }

    /// The statement for the key of the last skipped row.
    func lastSkippedKeyStatement(
        _ request: PageRequest, of segment: OrderSegments.Segment, _ skipped: Int
    ) throws(SQLLimitations) -> PageStatement {
        try query.page(request.withRowCount(1), of: [], in: segment.section, skipping: skipped - 1)
    }

    func key(of position: Int, _ isCancelled: () -> Bool) throws -> RowKey {
        if let key = withKnownKeys({ $0.key(at: position) }) { return key }
        guard let row = try rows(position..<position + 1, isCancelled: isCancelled).first else {
            throw ServerError("The table has become shorter. Reload it.")
        }
        return row.key
    }
}

extension PageRequest {
    /// The same request with another maximum number of rows.
    func withRowCount(_ count: Int) -> PageRequest {
        switch self {
        case .first: .first(count)
        case .last: .last(count)
        case .after(let key, _): .after(key, count)
        case .before(let key, _): .before(key, count)
        case .from(let values, _): .from(firstKeyValues: values, count: count)
        case .blocks: self
        }
    }
}
