import FieldValues
import Tables

/// The known rows of a table, in the order of its key.
///
/// Other programs may change the rows while they are read. Reads return the current values. Between two stored keys without gaps, rows are
/// found by rowid, and reading a deleted row throws an error. Between other keys, an inserted row shifts the rows after it, up to the row
/// of the next key. If rows before a key are missing, reading throws an error.
struct SQLiteTable: ColumnarTable {
    let database: SQLiteDatabase
    let definition: SQLiteTableDefinition
    let columns: [SQLiteColumn]
    let order: SQLiteOrder
    /// The keys of the rows 0, ``stride``, 2 × ``stride`` and so on. Unless all rows are known, the last key belongs to the first unknown
    /// row.
    var keys: [SQLiteKey]
    /// The number of rows from one stored key to the next.
    var stride: Int
    var recordCount: Int
    var isComplete: Bool
    var meanRecordBytes: Int
    var contentID: Int?
    /// The maximum number of bytes to read from a string.
    private var maximumBytes = Int.max
    /// The maximum duration of a read transaction for rows that an index finds, excluding the time for its last row; shorter in tests.
    var transactionLimit = Duration.milliseconds(30)

    init(
        _ database: SQLiteDatabase, _ definition: SQLiteTableDefinition, _ columns: [SQLiteColumn], _ order: SQLiteOrder, keys: [SQLiteKey],
        stride: Int, recordCount: Int, isComplete: Bool = true, meanRecordBytes: Int = 64, contentID: Int? = nil
    ) {
        (self.database, self.definition, self.columns, self.order, self.keys) = (database, definition, columns, order, keys)
        (self.stride, self.recordCount, self.isComplete) = (stride, recordCount, isComplete)
        (self.meanRecordBytes, self.contentID) = (meanRecordBytes, contentID)
    }

    var columnCount: Int { columns.count }
    /// Always `true`, because SQLite parses a whole row to read any of its columns.
    var isSlowToScan: Bool { true }
    /// Columns declared as BLOB are expected to contain blobs. This is not certain, because SQLite stores any value in any column.
    func textForm(ofColumn column: Int) -> TextForm { columns[column].type.uppercased().contains("BLOB") ? .binary : .plain }
    func numberStorage(ofColumn column: Int) -> NumberStorage? { columns[column].numberStorage }

    func hasTypedValues(inColumn column: Int) -> Bool { numberStorage(ofColumn: column) != nil }

    /// The column number that stands for the rowid.
    private static let rowIDColumn = -1
    /// True if scans also read the rowid. A statement has at most 2,000 columns.
    private var readsRowID: Bool { order.isRowID && columns.count < 2_000 }

    func scanColumns(_ records: Range<Int>, columns numbers: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("\(definition.name) has only \(NumberText.count(recordCount)) rows.")
        }
        if records.isEmpty { return }
        let (names, parts) = selection(of: numbers)
        let list = Self.selectList(names)
        try database.use { connection in
            // Longer transactions take less time for each row. Batches of many columns stay small enough for the processor's cache.
            let capacity = min(records.count, max(1_024, min(4_096, 8_192 / max(1, names.count))))
            var batch = SQLiteBatch(width: names.count, capacity: capacity, maximumBytes: maximumBytes)
            var row = records.lowerBound
            while row < records.upperBound {
                let section = section(from: row, to: records.upperBound, maximumCount: batch.capacity)
                guard try scan(section, list, connection, &batch, parts, body) else { return }
                row += section.count
            }
        }
    }

    /// Returns the columns to read, as SQL names without repetitions. For each element of `numbers`, also returns the part of these columns
    /// that it needs, or `nil` for a missing column.
    private func selection(of numbers: [Int]) -> (names: [String], parts: [SQLiteBatch.Part?]) {
        var names: [String] = []
        var known: [Int: Int] = [:]
        let parts = numbers.map { number -> SQLiteBatch.Part? in
            let typed = number - FieldID.firstNestedColumn
            let isTyped = columns.indices.contains(typed) && hasTypedValues(inColumn: typed)
            let column = isTyped ? typed : number
            guard columns.indices.contains(column) || column == Self.rowIDColumn && order.isRowID else { return nil }
            let index = known[column] ?? names.count
            if index == names.count {
                names.append(column == Self.rowIDColumn ? order.selectedKeys : "t.\(SQLiteName.quoted(columns[column].name))")
                known[column] = index
            }
            return isTyped ? .numbers(index) : .values(index)
        }
        return (names, parts)
    }

    /// The names as a list for `select`. An empty list needs a placeholder.
    private static func selectList(_ names: [String]) -> String { names.isEmpty ? "null" : names.joined(separator: ", ") }

    /// Rows that one query reads.
    private struct Section {
        /// The number of the first row.
        var row: Int
        var count: Int
        /// The query reads the rows from `start` up to, but excluding, `end`. `nil` stands for the end of the table.
        var start: SQLiteKey
        var end: SQLiteKey?
        /// The number of rows to skip after `start`; `nil` if the rows from `start` to `end` are exactly the rows of the section.
        var offset: Int?
    }

    /// The rows from `row` to `end`, or some of the first of them.
    /// - Parameter maximumCount: the maximum number of rows if their rowids have no gaps. Otherwise, the section ends at the next key.
    private func section(from row: Int, to end: Int, maximumCount: Int) -> Section {
        let block = row / stride
        if case .number(let first) = keys[block] {
            let maximum = min(end, row + maximumCount)
            var next = block
            // There are no gaps between two keys if their difference is the number of rows between them.
            while next * stride < maximum, next + 1 < keys.count, case .number(let key) = keys[next + 1],
                key &- first == Int64((next + 1 - block) * stride)
            {
                next += 1
            }
            let count = min(maximum, next * stride) - row
            if count > 0 {
                let start = first + Int64(row - block * stride)
                return Section(row: row, count: count, start: .number(start), end: .number(start + Int64(count)))
            }
        }
        return Section(
            row: row, count: min(end, (block + 1) * stride) - row, start: keys[block],
            end: block + 1 < keys.count ? keys[block + 1] : nil, offset: row - block * stride)
    }

    /// Reads the rows of a section in a separate read transaction. Returns `false` if `body` returned `false`.
    private func scan(
        _ section: Section, _ list: String, _ connection: SQLiteConnection, _ batch: inout SQLiteBatch, _ parts: [SQLiteBatch.Part?],
        _ body: (_ batch: ColumnBatch) throws -> Bool
    ) throws -> Bool {
        let (row, count) = (section.row, section.count)
        let limit = 2 * order.keyCount + 1
        let condition =
            order.condition(">=", first: 1) + (section.end == nil ? "" : " and " + order.condition("<", first: order.keyCount + 1))
        var sql = "select \(list) from \(order.table) where \(condition) order by \(order.keyList())"
        // Without a limit and an offset, SQLite takes less time for each row.
        if section.offset != nil { sql += " limit ?\(limit) offset ?\(limit + 1)" }
        var (read, shouldContinue) = (0, true)
        try connection.query(
            sql,
            bind: { statement in
                section.start.bind(statement, first: 1)
                section.end?.bind(statement, first: order.keyCount + 1)
                guard let offset = section.offset else { return }
                statement.bind(Int64(count), at: limit)
                statement.bind(Int64(offset), at: limit + 1)
            }
        ) { values in
            batch.append(values)
            read += 1
            // In a damaged file, a query can return more rows than rowids exist.
            guard read < count else { return false }
            guard batch.isFull else { return true }
            shouldContinue = try body(batch.columns(first: row + read - batch.count, parts: parts))
            batch.removeAll()
            return shouldContinue
        }
        guard shouldContinue else { return false }
        guard read == count else {
            throw FormatError("\(definition.name) has changed: rows were deleted since they were counted. Reload \(database.name).")
        }
        // No read transaction is open here, so `body` may take any time.
        shouldContinue = try body(batch.columns(first: row + read - batch.count, parts: parts))
        batch.removeAll()
        return shouldContinue
    }

    // MARK: Indexes

    func findIndexedRecords(
        within ranges: [ColumnRanges], limit: Int, columns: [Int], isCancelled: @escaping () -> Bool,
        matching test: (_ batch: ColumnBatch) throws -> [Int], report: (_ records: [Int], _ testedCount: Int, _ totalCount: Int) -> Void
    ) throws -> Bool {
        guard order.isRowID, limit > 0 else { return false }
        return try database.use { connection in
            connection.isInterrupted = isCancelled
            // Errors are ignored here: the caller then scans the table, for which the index is not needed.
            guard let rowIDs = try? rowIDs(within: ranges, limit: limit, connection) else { return false }
            try findRecords(withRowIDs: rowIDs, columns, connection, matching: test, report: report)
            return true
        }
    }

    /// The rowids from the index that finds the fewest rows, ascending; `nil` if each index finds more than `limit` rows.
    private func rowIDs(within ranges: [ColumnRanges], limit: Int, _ connection: SQLiteConnection) throws -> [Int64]? {
        var fewest: [Int64]?
        for range in ranges where columns.indices.contains(range.column) {
            let index = try SQLiteIndex(of: columns[range.column], in: definition, order, connection)
            fewest = try index?.rowIDs(within: range.bounds, order, limit: fewest?.count ?? limit, connection) ?? fewest
        }
        return fewest
    }

    /// Reads and tests rows in batches. After each batch, passes the record numbers of the matching rows to `report`. Rows that are not
    /// known yet are left out.
    /// - Parameter rowIDs: the rowids of the rows, ascending.
    private func findRecords(
        withRowIDs rowIDs: [Int64], _ numbers: [Int], _ connection: SQLiteConnection, matching test: (ColumnBatch) throws -> [Int],
        report: (_ records: [Int], _ testedCount: Int, _ totalCount: Int) -> Void
    ) throws {
        let (names, parts) = selection(of: numbers)
        let sql = "select \(Self.selectList(names)) from \(order.table) where \(order.condition("=", first: 1))"
        var batch = SQLiteBatch(width: names.count, capacity: min(max(1, rowIDs.count), 1_024), maximumBytes: maximumBytes)
        var counted = CountedRows(block: -1, rowID: .min)
        var rest = rowIDs[...]
        while !rest.isEmpty {
            var read: [Int64] = []
            rest = try inTransaction(rest, connection) { rowID in
                try connection.query(sql, bind: { $0.bind(rowID, at: 1) }) { row in
                    batch.append(row)
                    read.append(rowID)
                    return true
                }
                return !batch.isFull
            }
            var matching: ArraySlice<Int64> = []
            if batch.count > 0 { matching = try test(batch.columns(first: 0, parts: parts)).map { read[$0] }[...] }
            batch.removeAll()
            var records: [Int] = []
            while !matching.isEmpty {
                matching = try inTransaction(matching, connection) { rowID in
                    if let record = try recordNumber(of: rowID, &counted, connection) { records.append(record) }
                    return true
                }
            }
            report(records, rowIDs.count - rest.count, rowIDs.count)
        }
    }

    /// Calls `body` with rowids until it returns `false`, in one read transaction of limited duration. This is twice as fast as a
    /// transaction for each row.
    /// - Returns: the rowids that remain.
    private func inTransaction(
        _ rowIDs: ArraySlice<Int64>, _ connection: SQLiteConnection, _ body: (_ rowID: Int64) throws -> Bool
    ) throws -> ArraySlice<Int64> {
        // If `body` throws an error, the connection is closed, which ends the transaction.
        try connection.run("begin")
        let end = ContinuousClock.now + transactionLimit
        var rest = rowIDs
        while let rowID = rest.popFirst() {
            // SQLite itself polls the cancellation flag only in long statements, and these are short.
            if connection.isInterrupted?() == true { throw SQLiteFailure(code: SQLiteFailure.interrupted, message: "interrupted") }
            guard try body(rowID), ContinuousClock.now < end else { break }
        }
        try connection.run("end")
        return rest
    }

    /// The result of the previous count: the number of rows from the key of a block to a rowid. The next count continues from that rowid.
    private struct CountedRows {
        var block: Int
        /// The rowid at which counting stopped. Its row is not counted.
        var rowID: Int64
        var count = 0
        /// The last record number that was found in the block; -1 if none was found.
        var record = -1
    }

    /// The record number of the row with a rowid; `nil` if the row is not known. Each call needs a greater rowid than the previous call.
    private func recordNumber(of rowID: Int64, _ counted: inout CountedRows, _ connection: SQLiteConnection) throws -> Int? {
        let block = keys.indices.partitioningIndex { if case .number(let start) = keys[$0] { start > rowID } else { true } } - 1
        guard block >= 0, block * stride < recordCount, case .number(let start) = keys[block] else { return nil }
        if block != counted.block { counted = CountedRows(block: block, rowID: start) }
        var count = counted.count
        try connection.query(
            "select count(*) from \(order.table) where \(order.condition(">=", first: 1)) and \(order.condition("<", first: 2))",
            bind: { statement in
                statement.bind(counted.rowID, at: 1)
                statement.bind(rowID, at: 2)
            }
        ) { row in
            count += Int(clamping: row.integer(0))
            return true
        }
        (counted.rowID, counted.count) = (rowID, count)
        let record = block * stride + count
        // If another program has deleted rows since the previous transaction, this row could get the number of the previous row.
        guard count < stride, record < recordCount, record > counted.record else { return nil }
        counted.record = record
        return record
    }

    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var table = self
        table.maximumBytes = max(0, maximumFieldBytes)
        let all = Array(0..<columns.count)
        var records: [Record] = []
        try table.scan(range, columns: readsRowID ? all + [Self.rowIDColumn] : all) { _, fields in
            let values = fields.prefix(all.count)
            let count = values.count - values.reversed().prefix { $0.isMissing }.count
            // The record keeps its rowid, so that later reads find the row.
            let rowID = readsRowID ? Int(String(decoding: fields[all.count].bytes, as: UTF8.self)) ?? 0 : 0
            records.append(
                Record(
                    fields: values.prefix(count).map { $0.isMissing ? .missing : RecordField($0, maximumBytes: maximumFieldBytes) },
                    byteRange: rowID..<rowID, fieldCount: count))
            return true
        }
        return records
    }

    func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        guard readsRowID else { return FieldBytes.withFields(of: columns.map { record[$0]?.text }, body) }
        let rowID = Int64(record.byteRange.lowerBound)
        let keys = [rowID] + (rowID < .max ? [rowID + 1] : [])
        let single = SQLiteTable(database, definition, self.columns, order, keys: keys.map(SQLiteKey.number), stride: 1, recordCount: 1)
        try single.scan(0..<1, columns: columns) { _, fields in
            body(fields)
            return true
        }
    }
}
