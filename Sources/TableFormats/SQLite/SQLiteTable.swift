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

    /// The column number that stands for the rowid.
    private static let rowIDColumn = -1
    /// True if scans also read the rowid. A statement has at most 2,000 columns.
    private var readsRowID: Bool { order.isRowID && columns.count < 2_000 }

    func scanColumns(_ records: Range<Int>, columns wanted: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("\(info.name) has only \(NumberText.count(recordCount)) rows.")
        }
        if records.isEmpty { return }
        // Each column is read once.
        var names: [String] = []
        var known: [Int: Int] = [:]
        let places = wanted.map { column -> Int? in
            if let place = known[column] { return place }
            guard columns.indices.contains(column) || column == Self.rowIDColumn && order.isRowID else { return nil }
            names.append(column == Self.rowIDColumn ? order.selected : "t.\(SQLiteName.quoted(columns[column].name))")
            known[column] = names.count - 1
            return names.count - 1
        }
        let list = names.isEmpty ? "null" : names.joined(separator: ", ")
        try database.use { connection in
            var batch = SQLiteBatch(width: names.count, capacity: min(records.count, 1_024), maximumBytes: maximumBytes)
            var row = records.lowerBound
            while row < records.upperBound {
                guard try scanBlock(from: row, to: records.upperBound, list, connection, &batch, places, body) else { return }
                row = min(records.upperBound, (row / stride + 1) * stride)
            }
        }
    }

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
        ofColumn column: Int, within bounds: [ColumnBounds], limit: Int, isCancelled: @escaping () -> Bool
    ) -> [Int]? {
        guard order.isRowID, columns.indices.contains(column), limit > 0 else { return nil }
        // A scan reports the errors.
        return try? database.use { connection -> [Int]? in
            connection.isInterrupted = isCancelled
            guard let index = try SQLiteIndex(of: columns[column], in: info, order, connection),
                let rowIDs = try index.rowIDs(within: bounds, order, limit: limit, connection)
            else { return nil }
            return try records(withRowIDs: rowIDs, connection)
        }
    }

    /// The numbers of rows with ascending rowids. Rows that are not known are left out.
    private func records(withRowIDs rowIDs: [Int64], _ connection: SQLiteConnection) throws -> [Int] {
        let starts = keys.compactMap { key -> Int64? in if case .number(let rowID) = key { rowID } else { nil } }
        var records: [Int] = []
        var (next, block) = (0, 0)
        while next < rowIDs.count {
            while block + 1 < starts.count, starts[block + 1] <= rowIDs[next] { block += 1 }
            let first = block * stride
            let count = min(recordCount, first + stride) - first
            guard block < starts.count, count > 0 else { break }
            var end = rowIDs.count
            if block + 1 < starts.count { end = rowIDs[next...].firstIndex { $0 >= starts[block + 1] } ?? end }
            try find(rowIDs[next..<end], from: starts[block], count: count, connection) { records.append(first + $0) }
            next = end
        }
        return records
    }

    /// Passes the places of some rowids among the first rows from a rowid on.
    private func find(
        _ rowIDs: ArraySlice<Int64>, from start: Int64, count: Int, _ connection: SQLiteConnection, _ body: (_ place: Int) -> Void
    ) throws {
        guard let last = rowIDs.last else { return }
        let condition = "\(order.condition(">=", first: 1)) and \(order.condition("<=", first: 2))"
        var (left, place) = (rowIDs, 0)
        try connection.query(
            "select \(order.selected) from \(order.table) where \(condition) order by \(order.list()) limit ?3",
            bind: { statement in
                statement.bind(start, at: 1)
                statement.bind(last, at: 2)
                statement.bind(Int64(count), at: 3)
            }
        ) { row in
            let rowID = row.integer(0)
            left = left.drop { $0 < rowID }
            if left.first == rowID { body(place) }
            place += 1
            return true
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
