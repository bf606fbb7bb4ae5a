import EngineProtocol
public import FieldValues
import SQLTables
public import Tables

/// The rows of a table on a server, in its own order and in the orders of queries.
///
/// The numbers of the rows of the table start at 0. The row numbers of another order have the number of the order in their high bits, see
/// ``firstRow(ofOrder:)``. The server may change the rows at any time: each page is as new as its statement.
public struct ServerSnapshot: Table {
    let source: ServerTableSource
    /// The number of rows that were known when the snapshot was created.
    public let recordCount: Int
    /// True if ``recordCount`` is the number of all rows.
    public let isComplete: Bool
    /// Receives the fields that scans pass cut; `nil` to ignore them.
    private var cuts: CutFields?

    init(_ source: ServerTableSource) {
        self.source = source
        (recordCount, isComplete) = source.base.knownRowCount
    }

    /// The number of columns of the table.
    public var columnCount: Int { source.columnCount }
    /// The mean size of the first rows in bytes.
    public var meanRecordBytes: Int { source.meanRecordBytes }
    /// Always `true`: output reads one result from its start to its end.
    public var isSequential: Bool { true }

    /// True if the table has columns of JSON or, in DuckDB, of lists, structures or maps.
    public var hasNestedValues: Bool { source.table.columns.contains { source.dialect.sendsJSON($0) } }

    /// The number storage of the declared type.
    public func numberStorage(ofColumn column: Int) -> NumberStorage? {
        guard source.table.columns.indices.contains(column) else { return nil }
        let type = source.table.columns[column].type
        if source.dialect.family == .sqlite { return SQLiteColumnType(type.name).numberStorage }
        switch type.storage {
        case .double: return .double
        case .real: return .float
        default: return nil
        }
    }

    /// True for a declared type with a time zone, false for a date and time without one; `nil` for other types.
    public func timesHaveZone(inColumn column: Int) -> Bool? {
        guard source.table.columns.indices.contains(column) else { return nil }
        switch source.table.columns[column].type.storage {
        case .zonedDateTime: return true
        case .dateTime: return false
        default: return nil
        }
    }

    /// True for the columns of SQLite that can contain numbers, as for files of SQLite that gridview reads itself.
    public func hasTypedValues(inColumn column: Int) -> Bool {
        source.dialect.family == .sqlite && numberStorage(ofColumn: column) != nil
    }

    /// True if a column has an additional column, see `hasNestedValues` and `hasTypedValues`.
    private func hasAdditionalColumn(_ column: Int) -> Bool {
        source.table.columns.indices.contains(column)
            && (source.dialect.sendsJSON(source.table.columns[column]) || hasTypedValues(inColumn: column))
    }

    /// True if one statement fetches the records, because they are in one section of a grouped order. O(log sections).
    public func areInOneSection(_ records: Range<Int>) -> Bool {
        guard let (order, positions) = try? locate(records) else { return true }
        return order.segments.areInOneSection(positions)
    }

    /// The number of low bits in a row number. These bits hold the position of the row in its order.
    static let positionBits = 40

    /// The number of the first row of an order.
    static func firstRow(ofOrder number: Int) -> Int { number << positionBits }

    func order(ofRow row: Int) -> ServerOrder? { source.order(row >> Self.positionBits) }

    /// The part of a range of row numbers whose rows are known to exist, or are shown by ``SampledRows``. The first number determines the
    /// order.
    public func availableRecords(in records: Range<Int>) -> Range<Int> {
        guard records.lowerBound >= 0, let order = order(ofRow: records.lowerBound) else { return 0..<0 }
        let first = Self.firstRow(ofOrder: order.number)
        let count = order.number == 0 ? recordCount : order.knownRowCount.count
        return records.clamped(to: first..<first + max(count, source.sampledRows.approximateEnd(of: order)))
    }

    /// The order of a range of rows, and their positions in that order.
    private func locate(_ records: Range<Int>) throws -> (order: ServerOrder, positions: Range<Int>) {
        guard records.lowerBound >= 0, let order = order(ofRow: records.lowerBound) else {
            throw ServerError("These rows belong to an earlier query of the table. Reload the table.")
        }
        let first = Self.firstRow(ofOrder: order.number)
        return (order, records.lowerBound - first..<records.upperBound - first)
    }

    /// Fetches complete fields, with one statement if possible. O(rows).
    /// - Throws: ``ServerError``.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scan(records, columns: columns, holding: RequiredBytes(), while: { true }, body)
    }

    /// Fetches complete fields, with one statement if possible. Also passes records that do not contain the required bytes. Polls
    /// `shouldContinue` also while no row arrives, and cancels the statement when it returns `false`. O(rows).
    /// - Throws: ``ServerError``.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard !records.isEmpty else { return }
        let (order, positions) = try locate(records)
        // A number from `firstNestedColumn` on refers to the JSON values or the numbers of a column.
        let bases = columns.map { column -> Int? in
            let base = column - FieldID.firstNestedColumn
            return hasAdditionalColumn(base) ? base : nil
        }
        let isTyped = source.dialect.family == .sqlite
        var existing = columns.filter { (0..<columnCount).contains($0) }
        for case let base? in bases where !existing.contains(base) { existing.append(base) }
        let shift = records.lowerBound - positions.lowerBound
        // -1 stands for a column that the table does not have. Its fields are missing.
        let places = columns.map { column in existing.firstIndex(of: column) ?? -1 }
        let nestedPlaces = bases.map { base in base.flatMap { existing.firstIndex(of: $0) } }
        let hasAllColumns = existing == columns
        var isEnded = false
        try ServerError.advisingReload {
            let fields = existing.map { FieldID(rawValue: $0) }
            try order.scan(positions, fields: fields, isCancelled: { isEnded || !shouldContinue() }) { position, batch in
                if let cuts { for cut in batch.cuts(ofColumns: existing, from: position + shift) { cuts.add(cut) } }
                return batch.forEachRow(columns: existing.count) { index, fields in
                    let record = position + index + shift
                    if hasAllColumns {
                        isEnded = !body(record, fields)
                    } else {
                        let all = zip(places, nestedPlaces).map { place, nested in
                            if let nested {
                                let isShown =
                                    isTyped
                                    ? batch.isNumber(index, column: nested) && fields[nested].isJSONNumber : fields[nested].isJSON
                                return isShown ? fields[nested] : .missing
                            }
                            return place < 0 ? FieldBytes.missing : fields[place]
                        }
                        isEnded = !all.withUnsafeBufferPointer { body(record, $0) }
                    }
                    return !isEnded
                }
            }
        }
    }

    /// The same rows. Scans add the fields that were cut at a limit of the protocol to `cuts`.
    public func recordingCuts(in cuts: CutFields) -> any Table {
        var table = self
        table.cuts = cuts
        return table
    }

    /// Fetches rows and waits for the server. Only jobs call it, because the main thread must not wait.
    /// - Throws: ``ServerError``.
    public func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        guard !range.isEmpty else { return [] }
        let (order, positions) = try locate(range)
        return try ServerError.advisingReload { try order.rows(positions) { false }.map { Record($0) } }
    }

    /// The rows that have arrived. An element is `nil` if its row has not arrived, and the row is then fetched. Returns approximate rows
    /// while ``SampledRows`` shows them.
    /// - Throws: ``ServerError`` if a page failed.
    public func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
        guard !range.isEmpty else { return [] }
        let (order, positions) = try locate(range)
        return try source.sampledRows.records(positions, of: order) ?? source.pages.records(positions, of: order)
    }

    /// Passes the titles of the columns to `body`.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) {
        FieldBytes.withFields(of: columns.map { $0 < 0 ? nil : source.title(ofColumn: $0) }, body)
    }

    /// The record with complete cells. The row is fetched again if only the beginning of a cell was fetched.
    /// - Throws: ``ServerError``.
    public func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord {
        var texts: [Int: String] = [:]
        let cuts = CutFields()
        if let number, record.fields.contains(where: \.isTruncated) {
            try recordingCuts(in: cuts).scan(number..<number + 1, columns: Array(0..<columnCount)) { _, fields in
                for (column, field) in fields.enumerated() where !field.isMissing {
                    texts[column] = String(decoding: field.bytes, as: UTF8.self)
                }
                return true
            }
        } else {
            for (column, field) in record.fields.enumerated() where !field.isMissing { texts[column] = field.text }
        }
        return WholeRecord(texts, cut: Set(cuts.all.map(\.column)))
    }
}
