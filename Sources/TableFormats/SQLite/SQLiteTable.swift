import FieldValues
import Tables

/// The known rows of a table, in the order of its key.
///
/// Other programs may change the rows while they are read. Reads return the current values. An inserted row shifts the rows after it, up to
/// the next key. If rows before a key are missing, reading throws an error.
struct SQLiteTable: ColumnarTable {
    let database: SQLiteDatabase
    let info: SQLiteTableInfo
    let columns: [SQLiteColumn]
    let order: SQLiteOrder
    /// The keys of the rows 0, ``stride``, 2 × ``stride`` and so on. Unless all rows are known, the last key is that of the next row.
    var keys: [SQLiteKey]
    /// The number of rows between two keys.
    var stride: Int
    var recordCount: Int
    var isComplete: Bool
    var meanRecordBytes: Int
    var contentID: Int?
    /// The maximum number of bytes to read from a string.
    private var maximumBytes = Int.max

    init(
        _ database: SQLiteDatabase, _ info: SQLiteTableInfo, _ columns: [SQLiteColumn], _ order: SQLiteOrder, keys: [SQLiteKey],
        stride: Int, recordCount: Int, isComplete: Bool = true, meanRecordBytes: Int = 64, contentID: Int? = nil
    ) {
        (self.database, self.info, self.columns, self.order, self.keys) = (database, info, columns, order, keys)
        (self.stride, self.recordCount, self.isComplete) = (stride, recordCount, isComplete)
        (self.meanRecordBytes, self.contentID) = (meanRecordBytes, contentID)
    }

    var columnCount: Int { columns.count }
    /// A whole row is parsed to read any of its columns.
    var isSlowToScan: Bool { true }
    /// SQLite stores any value in any column. Blobs are expected in columns that are declared as such.
    func textForm(ofColumn column: Int) -> TextForm { columns[column].type.uppercased().contains("BLOB") ? .binary : .plain }

    /// The column number that stands for the rowid.
    private static let rowIDColumn = -1
    /// True if scans also read the rowid. A statement has at most 2,000 columns.
    private var readsRowID: Bool { order.isRowID && columns.count < 2_000 }

    func scanColumns(_ records: Range<Int>, columns wanted: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("\(info.name) has only \(NumberText.count(recordCount)) rows.")
        }
        if records.isEmpty { return }
        let (names, places) = selection(of: wanted)
        let list = Self.list(names)
        try database.use { connection in
            var batch = SQLiteBatch(width: names.count, capacity: min(records.count, 1_024), maximumBytes: maximumBytes)
            var row = records.lowerBound
            while row < records.upperBound {
                guard try scanBlock(from: row, to: records.upperBound, list, connection, &batch, places, body) else { return }
                row = min(records.upperBound, (row / stride + 1) * stride)
            }
        }
    }

    /// The columns to read in SQL, each once, and the place of each of `wanted` among them; `nil` for missing columns.
    private func selection(of wanted: [Int]) -> (names: [String], places: [Int?]) {
        var names: [String] = []
        var known: [Int: Int] = [:]
        let places = wanted.map { column -> Int? in
            if let place = known[column] { return place }
            guard columns.indices.contains(column) || column == Self.rowIDColumn && order.isRowID else { return nil }
            names.append(column == Self.rowIDColumn ? order.selected : "t.\(SQLiteName.quoted(columns[column].name))")
            known[column] = names.count - 1
            return names.count - 1
        }
        return (names, places)
    }

    /// The result columns of a query.
    private static func list(_ names: [String]) -> String { names.isEmpty ? "null" : names.joined(separator: ", ") }

    /// Reads the rows up to the next key in a separate read transaction. Returns `false` if `body` returned `false`.
    private func scanBlock(
        from row: Int, to end: Int, _ list: String, _ connection: SQLiteConnection, _ batch: inout SQLiteBatch, _ places: [Int?],
        _ body: (_ batch: ColumnBatch) throws -> Bool
    ) throws -> Bool {
        let block = row / stride
        let count = min(end, (block + 1) * stride) - row
        let upper = block + 1 < keys.count ? keys[block + 1] : nil
        let limit = 2 * order.keyCount + 1
        let condition =
            order.condition(">=", first: 1) + (upper == nil ? "" : " and " + order.condition("<", first: order.keyCount + 1))
        let sql = "select \(list) from \(order.table) where \(condition) order by \(order.list()) limit ?\(limit) offset ?\(limit + 1)"
        var (read, shouldContinue) = (0, true)
        try connection.query(
            sql,
            bind: { statement in
                keys[block].bind(statement, first: 1)
                upper?.bind(statement, first: order.keyCount + 1)
                statement.bind(Int64(count), at: limit)
                statement.bind(Int64(row - block * stride), at: limit + 1)
            }
        ) { values in
            batch.append(values)
            read += 1
            guard batch.isFull, read < count else { return true }
            shouldContinue = try body(batch.columns(first: row + read - batch.count, places: places))
            batch.removeAll()
            return shouldContinue
        }
        guard shouldContinue else { return false }
        guard read == count else {
            throw FormatError("\(info.name) has changed: rows were deleted since they were counted. Reload \(database.name).")
        }
        // The lock has been released, so `body` may take any time.
        shouldContinue = try body(batch.columns(first: row + read - batch.count, places: places))
        batch.removeAll()
        return shouldContinue
    }

    // MARK: Indexes

    func indexedRecords(
        within ranges: [ColumnRanges], limit: Int, columns: [Int], isCancelled: @escaping () -> Bool,
        matching test: (_ batch: ColumnBatch) throws -> [Int]
    ) -> [Int]? {
        guard order.isRowID, limit > 0 else { return nil }
        // A scan reports the errors.
        return try? database.use { connection -> [Int]? in
            connection.isInterrupted = isCancelled
            guard let rowIDs = try rowIDs(within: ranges, limit: limit, connection) else { return nil }
            return try records(withRowIDs: rowIDs, columns, connection, matching: test)
        }
    }

    /// The rowids that an index finds, ascending; `nil` if each index finds more than `limit`.
    private func rowIDs(within ranges: [ColumnRanges], limit: Int, _ connection: SQLiteConnection) throws -> [Int64]? {
        var fewest: [Int64]?
        for range in ranges where columns.indices.contains(range.column) {
            let index = try SQLiteIndex(of: columns[range.column], in: info, order, connection)
            fewest = try index?.rowIDs(within: range.bounds, order, limit: fewest?.count ?? limit, connection) ?? fewest
        }
        return fewest
    }

    /// The numbers of the matching rows among those with some ascending rowids. Rows that are not known are left out.
    ///
    /// Reads each batch and the places of its rows in one transaction, which is twice as fast as a transaction for each row.
    private func records(
        withRowIDs rowIDs: [Int64], _ wanted: [Int], _ connection: SQLiteConnection, matching test: (ColumnBatch) throws -> [Int]
    ) throws -> [Int] {
        let (names, places) = selection(of: wanted)
        let sql = "select \(Self.list(names)) from \(order.table) where \(order.condition("=", first: 1))"
        var batch = SQLiteBatch(width: names.count, capacity: min(max(1, rowIDs.count), 1_024), maximumBytes: maximumBytes)
        let starts = keys.compactMap { key -> Int64? in if case .number(let rowID) = key { rowID } else { nil } }
        var records: [Int] = []
        var rest = rowIDs[...]
        while !rest.isEmpty {
            // If a statement fails, the connection is closed, which ends the transaction.
            try connection.run("begin")
            var read: [Int64] = []
            while !batch.isFull, let rowID = rest.popFirst() {
                try connection.query(sql, bind: { $0.bind(rowID, at: 1) }) { row in
                    batch.append(row)
                    read.append(rowID)
                    return true
                }
            }
            if batch.count > 0 {
                let matches = try test(batch.columns(first: 0, places: places))
                batch.removeAll()
                try count(before: matches.map { read[$0] }, from: starts, connection) { records.append($0) }
            }
            try connection.run("end")
        }
        return records
    }

    /// Passes the record numbers of ascending rowids: the rows between the key of their block and each of them are counted.
    private func count(
        before rowIDs: [Int64], from starts: [Int64], _ connection: SQLiteConnection, _ body: (_ record: Int) -> Void
    ) throws {
        let condition = "\(order.condition(">=", first: 1)) and \(order.condition("<", first: 2))"
        let sql = "select count(*) from \(order.table) where \(condition)"
        var (block, place) = (-1, 0)
        var counted = Int64.min
        for rowID in rowIDs {
            while block + 1 < starts.count, starts[block + 1] <= rowID {
                block += 1
                (counted, place) = (starts[block], 0)
            }
            guard block >= 0 else { continue }
            try connection.query(
                sql,
                bind: { statement in
                    statement.bind(counted, at: 1)
                    statement.bind(rowID, at: 2)
                }
            ) { row in
                place += Int(clamping: row.integer(0))
                return true
            }
            counted = rowID
            let first = block * stride
            if place < min(recordCount - first, stride) { body(first + place) }
        }
    }

    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var table = self
        table.maximumBytes = max(0, maximumFieldBytes)
        let all = Array(0..<columns.count)
        var records: [Record] = []
        try table.scan(range, columns: readsRowID ? all + [Self.rowIDColumn] : all) { _, fields in
            let values = fields.prefix(all.count)
            let count = values.count - values.reversed().prefix { $0.isMissing }.count
            // The rowid identifies the record in later reads.
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
        let single = SQLiteTable(database, info, self.columns, order, keys: keys.map(SQLiteKey.number), stride: 1, recordCount: 1)
        try single.scan(0..<1, columns: columns) { _, fields in
            body(fields)
            return true
        }
    }
}
