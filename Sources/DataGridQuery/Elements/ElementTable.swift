import FieldValues
import Tables

/// A table with one row for each element of the JSON arrays in a column of another table.
///
/// The other columns repeat the values of the record that the element comes from. A record without elements has one row. Elements are found
/// as in ``ArrayElements``.
struct ElementTable: Table {
    /// The table with the arrays. Its columns may be derived.
    let base: any Table
    /// The columns of the base table, in the order of this table.
    let columns: [Int]
    /// The index in ``columns`` of the column with the arrays.
    let arrayIndex: Int
    /// The rows known so far.
    var index: ElementIndex

    var recordCount: Int { index.rowCount }
    var columnCount: Int { columns.count }
    var isComplete: Bool { index.endRecord == base.recordCount }
    var meanRecordBytes: Int { base.meanRecordBytes }

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
        // The arrays, then the other columns.
        var read = [columns[arrayIndex]]
        let sourceIndices = requested.map { column -> Int? in
            guard columns.indices.contains(column) else { return nil }
            if column == arrayIndex { return 0 }
            if let sourceIndex = read.dropFirst().firstIndex(of: columns[column]) { return sourceIndex }
            read.append(columns[column])
            return read.count - 1
        }
        let start = index.block(ofRow: records.lowerBound)
        let end = index.block(ofRow: records.upperBound - 1).records.upperBound
        var row = start.row
        var elements = ArrayElements()
        var values = [FieldBytes](repeating: .missing, count: requested.count)
        try base.scan(start.records.lowerBound..<end, columns: read) { _, fields in
            var (next, continues) = (row, true)
            // Rows before the range are only counted.
            if records.lowerBound > row {
                let count = elements.count(of: fields[0])
                if row + count <= records.lowerBound {
                    row += count
                    return true
                }
            }
            for (slot, sourceIndex) in sourceIndices.enumerated() where sourceIndex != 0 {
                values[slot] = sourceIndex.map { fields[$0] } ?? .missing
            }
            elements.forEach(of: fields[0], from: max(0, records.lowerBound - row)) { number, element in
                for (slot, sourceIndex) in sourceIndices.enumerated() where sourceIndex == 0 { values[slot] = element }
                continues = values.withUnsafeBufferPointer { body(row + number, $0) }
                next = row + number + 1
                continues = continues && next < records.upperBound
                return continues
            }
            row = next
            return continues
        }
    }

    /// Adds the rows of the next base records to the index.
    /// - Parameters:
    ///   - records: the maximum number of records.
    ///   - bytes: the number of bytes of arrays after which no more records are read.
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

/// The first row of each block of base records. A block has up to 256 records or about 256 KiB of arrays, and takes 16 bytes.
struct ElementIndex: Sendable {
    /// The limits of a block: a new block starts after this many base records, or after this many bytes of arrays.
    private static let blockLimits = (records: 256, bytes: 256 << 10)

    /// The end of the indexed base records (exclusive).
    private(set) var endRecord: Int
    /// The number of rows.
    private(set) var rowCount = 0
    /// The first base record and the first row of each block.
    private var starts: [(record: Int, row: Int)] = []
    /// The bytes of the arrays of the last block.
    private var bytes = 0

    /// Creates an index that starts at a base record. The first element of this record is row 0.
    init(firstRecord: Int = 0) { endRecord = firstRecord }

    /// Adds the rows of the next base record.
    mutating func add(rows: Int, bytes added: Int) {
        if starts.last.map({ endRecord - $0.record >= Self.blockLimits.records }) ?? true || bytes >= Self.blockLimits.bytes {
            starts.append((endRecord, rowCount))
            bytes = 0
        }
        bytes += added
        rowCount += rows
        endRecord += 1
    }

    /// The base records of the block that contains a row, and the first row of the block. O(log blocks).
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
