public import Tables

extension SQLQuery {
    /// Creates a statement that fetches a page of rows.
    /// - Parameters:
    ///   - fields: the fields of the cells; `nil` for all fields.
    ///   - section: the values of the outer group levels, to fetch the rows of a section; empty for all rows.
    ///   - search: a condition that the rows must also match, such as the text of a search.
    ///   - skipped: the number of rows to leave out at the start of the page. It should be small, because the server reads them. It has no
    ///     effect on pages of blocks.
    ///   - blockLimit: the maximum number of rows of a page of blocks, which otherwise has all rows of its blocks. `nil` for no limit.
    /// - Throws: ``SQLLimitations`` if the order of the rows does not allow such a page.
    public func page(
        _ request: PageRequest, of fields: [FieldID]? = nil, in section: [GroupValue] = [], matching search: Formula? = nil,
        skipping skipped: Int = 0, blockLimit: Int? = nil
    ) throws(SQLLimitations) -> PageStatement {
        let cells = try cells(of: fields ?? columns.keys.sorted())
        return try page(
            request, cells, cellLimit: options.cellLimit, in: section, matching: search, skipping: skipped, blockLimit: blockLimit)
    }

    /// The SQL of the cells of fields, see ``cell(_:)``.
    func cells(of fields: [FieldID]) throws(SQLLimitations) -> [SQLFragment] {
        var cells: [SQLFragment] = []
        for field in fields {
            guard let column = columns[field] else { throw requestError("The table has no column #\(field.rawValue + 1).") }
            cells.append(cell(column))
        }
        return cells
    }

    /// Creates a statement that fetches a page whose cells are given as SQL.
    func page(
        _ request: PageRequest, _ cells: [SQLFragment], cellLimit: Int, in section: [GroupValue], matching search: Formula? = nil,
        skipping skipped: Int, blockLimit: Int? = nil
    ) throws(SQLLimitations) -> PageStatement {
        let conditions = try allConditions(section, search)
        var page = PageStatement(
            statement: SQLStatement(text: ""), cellCount: cells.count, keyCount: selectedKeys.count, isReversed: request.isBackward,
            cellLimit: cellLimit, countsBytes: dialect.encoding == .bytes)
        if usesBlocks {
            let blocks = try self.blocks(of: request)
            page.blocks = blocks.range
            page.isReversed = false
            page.statement = blockStatement(
                cells, conditions, blocks.range, after: blocks.key, isBefore: request.isBackward, limit: blockLimit)
            return page
        }
        let scan = self.scan(isBackward: request.isBackward)
        let ranges: [RowScan.KeyRange]
        switch request {
        case .first: ranges = scan.allRanges()
        case .last:
            guard hasTotalOrder else { throw missingKeyError }
            ranges = scan.allRanges()
        case .after(let key, _), .before(let key, _):
            guard hasUniqueOrder else { throw missingKeyError }
            guard key.values.count == order.count else { throw mismatchedKeyError }
            ranges = scan.ranges(after: key)
        case .from(let values, _):
            guard isIndexedByFirstKeyOnly || canBeSampled() else { throw missingKeyError }
            guard (1...order.count).contains(values.count) else { throw mismatchedKeyError }
            ranges = scan.ranges(from: values)
        case .blocks: throw requestError("The rows have a key, so pages are fetched by key, not by block.")
        }
        page.statement = statement(cells, conditions, ranges, limit: request.count ?? 0, skipped: max(0, skipped)).statement(in: dialect)
        return page
    }

    var mismatchedKeyError: SQLLimitations { requestError("The row key does not match the sort order. Reload the table.") }

    private var missingKeyError: SQLLimitations {
        requestError("The table has no unique key, so only its first rows can be fetched. Choose a table or view with a key.")
    }

    /// The SQL of a cell: its text, cut to one character more than the limit, so that longer text is detected.
    func cell(_ column: ColumnTerm) -> SQLFragment {
        // Stored values of SQLite are not cast to text: the text of a number has only 15 digits, and the text of a blob ends at a zero
        // byte.
        if options.sendsStoredValues, dialect.family == .sqlite, column.index != nil {
            let value = column.presence
            let limit = min(options.cellLimit, 1 << 24)
            return """
                CASE WHEN typeof(\(value)) IN ('text', 'blob') AND length(CAST(\(value) AS BLOB)) > \(limit) \
                THEN \(dialect.substring(of: value, from: "1", count: "\(limit + 1)")) ELSE \(value) END
                """
        }
        switch column.storage {
        case .integer, .numeric, .real, .double, .flag, .date, .dateTime, .zonedDateTime, .time: return column.text
        // Cut the bytes before they become hexadecimal digits, because PostgreSQL has no text of more than 1 GiB.
        case .ordered("bytea") where dialect.family == .postgreSQL:
            let bytes = dialect.substring(of: column.value, from: "1", count: "\(min(options.cellLimit, 1 << 24) / 2 + 1)")
            return dialect.cast(bytes, .text)
        case .ordered(let name) where name != "bytea": return column.text
        case .text, .paddedText, .dynamic, .opaque, .ordered:
            return dialect.substring(of: column.text, from: "1", count: "\(min(options.cellLimit, 1 << 24) + 1)")
        }
    }

    private func statement(
        _ cells: [SQLFragment], _ conditions: [SQLFragment], _ ranges: [RowScan.KeyRange], limit: Int, skipped: Int
    ) -> SQLFragment {
        let keys = selectedKeys
        let (most, _) = limit.addingReportingOverflow(skipped)
        func select(_ range: RowScan.KeyRange, namesColumns: Bool) -> SQLFragment {
            let list = (cells + keys).enumerated().map { namesColumns ? "\($0.element) AS c\($0.offset)" as SQLFragment : $0.element }
            let order: SQLFragment = range.order.isEmpty ? "" : " ORDER BY \(range.order)"
            let all: SQLFragment = list.isEmpty ? "NULL" : "\(list)"
            let limit = namesColumns ? dialect.limit(most) : dialect.limit(limit, skipping: skipped)
            return "SELECT \(all)\(from)\(filter(conditions + range.conditions))\(order)\(limit)"
        }
        guard ranges.count > 1 else {
            let range = ranges.first ?? RowScan.KeyRange(conditions: [dialect.falseLiteral], order: [])
            // Skipped rows do not count in Sail: it sorts the rows of a page in parallel, even if many rows are skipped before the page.
            let isShort = (dialect.family == .spark ? limit : most) <= Self.maximumSortedPage
            let computesCellsFirst = dialect.family == .postgreSQL || dialect.family == .spark
            guard computesCellsFirst, filtersFirst || sortsRows && isShort, !table.columns.isEmpty, !range.order.isEmpty
            else { return select(range, namesColumns: false) }
            var values = table.columns.map { "t.\(dialect.name($0.name))" as SQLFragment }
            if let last = order.last, last.isRowID { values.append(last.value) }
            let limit = dialect.limit(limit, skipping: skipped)
            var rows: SQLFragment = "\(from)\(filter(conditions + range.conditions))"
            if filtersFirst { rows = " FROM (SELECT \(values)\(rows) OFFSET 0) AS t" }
            guard isShort else { return "SELECT \(cells + keys)\(rows) ORDER BY \(range.order)\(limit)" }
            // PostgreSQL and Sail would compute the cells of all rows before they sort them. So a subquery sorts the values, and the cells
            // are computed for the rows of the page.
            return "SELECT \(cells + keys) FROM (SELECT \(values)\(rows) ORDER BY \(range.order)\(limit)) AS t ORDER BY \(range.order)"
        }
        let all = ranges.enumerated().map { "SELECT * FROM (\(select($0.element, namesColumns: true))) AS p\($0.offset)" as SQLFragment }
        return "\(all, by: " UNION ALL ")\(dialect.limit(limit, skipping: skipped))"
    }

    /// The SQL of the sort keys of a row. Empty without a unique order, because no page is then fetched by its keys.
    private var selectedKeys: [SQLFragment] { hasUniqueOrder ? order.map(\.selectedValue) : [] }

    /// True if the server sorts all rows for each page, because no index provides the order.
    package var sortsRows: Bool { !(order.first?.fitsIndex ?? true) }

    /// True if the rows have a condition, and the server may read them in the order of an index. If few rows match, ``filtersFirst`` then
    /// makes pages faster. True for all views, because only the server's plan names the indexes behind a view.
    package func canFilterFirst(in section: [GroupValue] = [], matching search: Formula? = nil) -> Bool {
        dialect.capabilities.contains(.filterFence) && !usesBlocks && !order.isEmpty && (!sortsRows || table.blockCount == nil)
            && !(conditions.isEmpty && section.isEmpty && search == nil)
    }

    /// The maximum number of rows of a page, including skipped rows, for which PostgreSQL sorts first, in a subquery, and then computes the
    /// cells. The server may then sort again. For more rows, it is faster to compute the cells of all rows and to sort once.
    private static let maximumSortedPage = 20_000

    // MARK: Blocks

    /// An estimate of the number of disk blocks that contain this many rows.
    private func blockCount(for rows: Int) -> Int64 {
        let perBlock = table.estimatedRows.flatMap { rows in table.blockCount.map { rows / Double(max(1, $0)) } } ?? 20
        let blocks = (Double(rows) / max(1, perBlock)).rounded(.up) + 1
        return Int64(min(max(1, blocks), 10_000))
    }

    private static let lastBlock: Int64 = 4_294_967_295

    private func blocks(of request: PageRequest) throws(SQLLimitations) -> (range: Range<Int64>, key: SQLValue?) {
        let end = min(Self.lastBlock, max(0, table.blockCount ?? Self.lastBlock))
        func clamped(_ low: Int64, _ high: Int64) -> Range<Int64> {
            let low = max(0, min(Self.lastBlock, low))
            return low..<max(low, min(Self.lastBlock, high))
        }
        func block(_ key: RowKey) throws(SQLLimitations) -> Int64 {
            guard let block = key.block else { throw mismatchedKeyError }
            return block
        }
        switch request {
        case .first(let count): return (clamped(0, blockCount(for: count)), nil)
        case .last(let count): return (clamped(end - blockCount(for: count), end), nil)
        case .after(let key, let count):
            let first = try block(key)
            return (clamped(first, first + 1 + blockCount(for: count)), key.values[0])
        case .before(let key, let count):
            let last = try block(key)
            return (clamped(last - blockCount(for: count), last + 1), key.values[0])
        case .from: throw mismatchedKeyError
        case .blocks(let range): return (clamped(range.lowerBound, range.upperBound), nil)
        }
    }

    private func blockStatement(
        _ cells: [SQLFragment], _ conditions: [SQLFragment], _ blocks: Range<Int64>, after key: SQLValue?, isBefore: Bool, limit: Int?
    ) -> SQLStatement {
        func address(_ block: Int64) -> SQLFragment { dialect.parameter(.text("(\(block),0)"), .address) }
        let value = order[0].value
        var all = conditions
        if let key, !isBefore {
            all.append("\(value) > \(dialect.parameter(key, .address))")
        } else {
            all.append("\(value) >= \(address(blocks.lowerBound))")
        }
        if let key, isBefore {
            all.append("\(value) < \(dialect.parameter(key, .address))")
        } else {
            all.append("\(value) < \(address(blocks.upperBound))")
        }
        // PostgreSQL scans only these few blocks and sorts their rows.
        let end = limit.map { dialect.limit($0) } ?? ""
        let statement: SQLFragment = "SELECT \(cells + [order[0].selectedValue])\(from)\(filter(all)) ORDER BY \(value)\(end)"
        return statement.statement(in: dialect)
    }

    // MARK: Cells

    /// Creates a statement for a part of the full text of a cell, and for the length of the full text in characters.
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - start: the index of the first character, from 0.
    public func cell(_ field: FieldID, of key: RowKey, from start: Int, count: Int) throws(SQLLimitations) -> SQLStatement {
        guard let column = columns[field] else { throw requestError("The table has no column #\(field.rawValue + 1).") }
        guard hasUniqueOrder, key.values.count == order.count else { throw missingKeyError }
        let scan = self.scan(isBackward: false)
        let same = order.indices.map { scan.equalityCondition(key, level: $0) }
        let first = max(0, min(1 << 30, start)) + 1
        let part = dialect.substring(of: column.text, from: "\(first)", count: "\(max(0, min(1 << 30, count)))")
        let statement: SQLFragment = "SELECT \(part), \(dialect.length(column.text))\(from)\(filter(same))\(dialect.limit(1))"
        return statement.statement(in: dialect)
    }
}
