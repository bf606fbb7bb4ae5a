import FieldValues
import Tables

/// A table with one row for each element of the JSON arrays in a column of another table, the base table.
///
/// The other columns repeat the values of the record that contains the array. A record without elements has one row. ``ArrayElements``
/// finds the elements.
struct ElementTable: Table {
    /// The table with the arrays. The array column may be a derived column.
    let base: any Table
    /// The columns of the base table that this table shows, in order.
    let columns: [Int]
    /// The index in ``columns`` of the column with the arrays.
    let arrayIndex: Int
    /// Maps rows to base records, for the part of the base table that has been read.
    var index: ElementIndex

    var recordCount: Int { index.rowCount }
    var columnCount: Int { columns.count }
    var isComplete: Bool { index.endRecord == base.recordCount }
    var meanRecordBytes: Int { base.meanRecordBytes }
    func numberStorage(ofColumn column: Int) -> NumberStorage? {
        repeatedColumn(column).flatMap { base.numberStorage(ofColumn: $0) }
    }
    func timesHaveZone(inColumn column: Int) -> Bool? { repeatedColumn(column).flatMap { base.timesHaveZone(inColumn: $0) } }
    /// Always `true`, because arrays have JSON values.
    var hasNestedValues: Bool { true }
    var isJSON: Bool { base.isJSON }
    func keyPath(ofColumn column: Int) -> [String]? {
        columns.indices.contains(column) ? base.keyPath(ofColumn: columns[column]) : nil
    }
    func hasTypedStrings(inColumn column: Int) -> Bool {
        guard columns.indices.contains(column) else { return false }
        return column == arrayIndex && !isJSON || base.hasTypedStrings(inColumn: columns[column])
    }

    /// The lists and maps that this table repeats. Structures are only columns, because their titles can differ from those in the file.
    var nestedColumns: [NestedColumn] { repeatedNestedColumns.map(\.column) }

    private var repeatedNestedColumns: [(numberInBase: Int, column: NestedColumn)] {
        base.nestedColumns.enumerated().compactMap { number, nested in
            if case .structure = nested.field.type { return nil }
            guard let index = columns.firstIndex(of: nested.columns.lowerBound), index != arrayIndex else { return nil }
            return (number, NestedColumn(columns: index..<index + 1, kinds: nested.kinds, field: nested.field))
        }
    }

    /// The column of the base table whose values a column repeats; `nil` for the column with the elements.
    private func repeatedColumn(_ column: Int) -> Int? {
        columns.indices.contains(column) && column != arrayIndex ? columns[column] : nil
    }

    var contentID: Int? {
        guard isComplete else { return nil }
        return base.contentID.map { id in
            var hasher = Hasher()
            hasher.combine(id)
            hasher.combine(columns)
            hasher.combine(arrayIndex)
            return hasher.finalize()
        }
    }

    func scan(
        _ records: Range<Int>, columns requested: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else { throw MissingRecordsError(count: recordCount) }
        if records.isEmpty { return }
        // The array column comes first, then the other columns to read.
        let arrayColumn = columns[arrayIndex]
        var read = [arrayColumn]
        func add(_ column: Int) -> Int {
            if let known = read.firstIndex(of: column) { return known }
            read.append(column)
            return read.count - 1
        }
        let sources = requested.map { column -> FieldSource in
            if column == arrayIndex { return .element }
            if let repeated = repeatedColumn(column) { return .base(add(repeated)) }
            if (FieldID.firstStoredColumn..<FieldID.firstNestedColumn).contains(column) {
                let (all, number) = (repeatedNestedColumns, column - FieldID.firstStoredColumn)
                return all.indices.contains(number) ? .base(add(FieldID.firstStoredColumn + all[number].numberInBase)) : .missing
            }
            let number = column - FieldID.firstNestedColumn
            if number == arrayIndex { return .elementJSON(base.hasNestedValues ? add(FieldID.firstNestedColumn + arrayColumn) : nil) }
            guard let repeated = repeatedColumn(number), base.hasNestedValues else { return .missing }
            if isJSON, FieldID(rawValue: repeated).isDerived, !base.hasTypedStrings(inColumn: repeated) {
                return .nullIfBlank(add(repeated))
            }
            return .base(add(FieldID.firstNestedColumn + repeated))
        }
        let start = index.block(ofRow: records.lowerBound)
        let end = index.block(ofRow: records.upperBound - 1).records.upperBound
        var row = start.row
        var elements = ArrayElements()
        var values = [FieldBytes](repeating: .missing, count: requested.count)
        try base.scan(start.records.lowerBound..<end, columns: read) { _, fields in
            var (next, continues) = (row, true)
            // Skip the rows before the requested rows: their elements are counted, but not passed.
            if records.lowerBound > row {
                let count = elements.count(of: fields[0])
                if row + count <= records.lowerBound {
                    row += count
                    return true
                }
            }
            for (slot, source) in sources.enumerated() {
                switch source {
                case .base(let index): values[slot] = fields[index]
                case .nullIfBlank(let index): values[slot] = fields[index].isBlank ? NestedNull.field(levels: 0) : .missing
                case .element, .elementJSON, .missing: break
                }
            }
            elements.forEach(of: fields[0], from: max(0, records.lowerBound - row)) { number, element, json in
                for (slot, source) in sources.enumerated() {
                    switch source {
                    case .element: values[slot] = element
                    case .elementJSON(let index): values[slot] = self.json(of: element, json ?? index.map { fields[$0] })
                    case .base, .nullIfBlank, .missing: break
                    }
                }
                continues = values.withUnsafeBufferPointer { body(row + number, $0) }
                next = row + number + 1
                continues = continues && next < records.upperBound
                return continues
            }
            row = next
            return continues
        }
    }

    /// The source of the fields of a requested column: the elements, a column that is read from the base table, or none.
    private enum FieldSource {
        case element
        /// The JSON text of elements. The number is the index of the read column with the JSON text of fields that are not arrays.
        case elementJSON(Int?)
        case base(Int)
        /// The JSON text of a computed column, which is null without a value.
        case nullIfBlank(Int)
        case missing
    }

    /// The JSON text of an element as in ``Table/isJSON``. In a base table that is not JSON, a row without a value is null.
    /// - Parameter json: the JSON text; `nil` for a field that is not an array in a base table without JSON values.
    private func json(of element: FieldBytes, _ json: FieldBytes?) -> FieldBytes {
        if let json { return json.isMissing && element.isMissing && !isJSON ? NestedNull.field(levels: 0) : json }
        if element.isBlank { return NestedNull.field(levels: 0) }
        return element.isJSON && element.trimmed.first != UInt8(ascii: "\"") ? element : .missing
    }

    /// Reads records with their JSON text, which tells null from missing fields.
    func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var records: [Record] = []
        let requested = allColumns + (isJSON ? allColumns.map { FieldID.firstNestedColumn + $0 } : [])
        try scan(range, columns: requested) { _, fields in
            var shown = (0..<columnCount).map { column -> RecordField in
                guard fields[column].isMissing else { return RecordField(fields[column], maximumBytes: maximumFieldBytes) }
                var field = RecordField.missing
                field.isNull = isJSON && !fields[columnCount + column].isMissing
                return field
            }
            while let last = shown.last, last.isMissing, !last.isNull { shown.removeLast() }
            records.append(Record(fields: shown, byteRange: 0..<0, fieldCount: shown.count))
            return true
        }
        return records
    }

    /// Reads more base records and adds their rows to the index.
    /// - Parameters:
    ///   - records: the maximum number of records.
    ///   - bytes: the size of arrays, in bytes, after which no more records are read.
    mutating func extend(records: Int, bytes: Int) throws {
        let end = min(base.recordCount, index.endRecord + records)
        var added = index
        var elements = ArrayElements()
        var read = 0
        try base.scan(index.endRecord..<end, columns: [columns[arrayIndex]]) { _, fields in
            added.add(rows: elements.count(of: fields[0]), bytes: fields[0].count)
            read += fields[0].count
            return read < bytes
        }
        index = added
    }
}

/// Finds the base record of a row. For this, it stores the first row of each block of base records. A block has up to 256 records or about
/// 256 KiB of arrays, and its entry in the index takes 16 bytes.
struct ElementIndex: Sendable {
    /// A block ends after this many base records, or after this many bytes of arrays.
    private static let blockLimits = (records: 256, bytes: 256 << 10)

    /// The number of the base record after the last indexed base record.
    private(set) var endRecord: Int
    private(set) var rowCount = 0
    /// The first base record of each block and its first row.
    private var starts: [(record: Int, row: Int)] = []
    /// The bytes of arrays in the last block, so far.
    private var bytes = 0

    /// Creates an empty index.
    /// - Parameter firstRecord: the first base record to be added. Its first element is row 0.
    init(firstRecord: Int = 0) { endRecord = firstRecord }

    /// Adds the next base record, which has `rows` rows and an array of `added` bytes.
    mutating func add(rows: Int, bytes added: Int) {
        if starts.last.map({ endRecord - $0.record >= Self.blockLimits.records }) ?? true || bytes >= Self.blockLimits.bytes {
            starts.append((endRecord, rowCount))
            bytes = 0
        }
        bytes += added
        rowCount += rows
        endRecord += 1
    }

    /// The block that contains a row: its base records, and the number of its first row. O(log blocks).
    func block(ofRow row: Int) -> (records: Range<Int>, row: Int) {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle].row <= row { low = middle } else { high = middle }
        }
        guard low < starts.count else { return (endRecord..<endRecord, rowCount) }
        let end = low + 1 < starts.count ? starts[low + 1].record : endRecord
        return (starts[low].record..<end, starts[low].row)
    }
}
