package import FieldValues

/// Records in a temporary file, for rows that can be read only once and in order. One thread appends; any thread reads.
///
/// Records are collected in blocks. A record is stored as its fields, one after another: a number in 1 to 10 bytes, then the bytes of the
/// field. The number is 0 for a missing field, otherwise the length plus 1. Memory: 16 bytes for each block, and one block for each reader.
package struct RecordSpool: Sendable {
    package let columnCount: Int
    /// The columns whose values are JSON, see ``Table/hasNestedValues``.
    package let jsonColumns: Set<Int>
    private let file: any ScratchFile
    /// For each block in the file, the number of its first record. The last element is the total number of records in the file.
    private var firstRecords = [0]
    /// For each block in the file, its byte offset. The last element is the end of the last block.
    private var offsets = [0]
    /// The bytes of the newest block, which is written to the file when it is full.
    private var newestBlock: [UInt8] = []
    /// The number of records in the unfinished block.
    private var newestBlockCount = 0
    private var nextSpaceCheck = 64 << 20
    /// The fields that were cut before they were appended.
    package private(set) var cuts: [CutFields.Cut] = []

    private static let blockBytes = 64 << 10
    private static let blockRecords = 1_024
    /// The number of bytes to leave free on the disk: 1 GiB, or a tenth of a small disk.
    private static func reservedBytes(ofDisk totalBytes: Int) -> Int { min(1 << 30, totalBytes / 10) }

    /// Creates an empty spool.
    /// - Parameter file: an empty file, to which only this spool writes.
    package init(columnCount: Int, jsonColumns: Set<Int> = [], in file: any ScratchFile) {
        (self.columnCount, self.jsonColumns, self.file) = (columnCount, jsonColumns, file)
    }

    /// The number of records that can be read. Records of the newest block are not included.
    package var recordCount: Int { firstRecords[firstRecords.count - 1] }
    /// The number of bytes of the records that can be read.
    package var byteCount: Int { offsets[offsets.count - 1] }
    /// The number of all records, including records that cannot be read yet.
    package var appendedCount: Int { recordCount + newestBlockCount }

    /// Appends a record. It can be read after its block is closed.
    /// - Parameter cuts: the fields of the record that were cut.
    /// - Throws: an error if the disk is full.
    package mutating func append(_ fields: UnsafeBufferPointer<FieldBytes>, cuts: [CutFields.Cut] = []) throws {
        if !cuts.isEmpty { self.cuts += cuts }
        for field in fields {
            var rest = field.isMissing ? 0 : UInt64(field.count) + 1
            while rest > 127 {
                newestBlock.append(UInt8(truncatingIfNeeded: rest) | 128)
                rest >>= 7
            }
            newestBlock.append(UInt8(rest))
            if field.count > 0 { newestBlock.append(contentsOf: field.bytes) }
        }
        newestBlockCount += 1
        if newestBlock.count >= Self.blockBytes || newestBlockCount >= Self.blockRecords { try closeBlock() }
    }

    /// Writes the newest block to the file, so that all appended records can be read.
    package mutating func closeBlock() throws {
        guard newestBlockCount > 0 else { return }
        if byteCount >= nextSpaceCheck {
            nextSpaceCheck = byteCount + 64 << 20
            if let space = file.diskSpace, space.free < Self.reservedBytes(ofDisk: space.total) {
                let reserve = Self.reservedBytes(ofDisk: space.total) >> 20
                throw SpoolError(
                    message: "Reading stopped after \(byteCount >> 20) MiB: less than \(reserve) MiB of the disk would remain free. Set "
                        + "TMPDIR to a folder with more space.")
            }
        }
        try newestBlock.withUnsafeBytes { try file.write($0, at: byteCount) }
        firstRecords.append(recordCount + newestBlockCount)
        offsets.append(byteCount + newestBlock.count)
        newestBlock.removeAll(keepingCapacity: true)
        newestBlockCount = 0
    }

    /// Passes records in ascending order to `body`, in batches, until `body` returns `false`.
    /// - Throws: an error if the file cannot be read.
    package func scan(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        guard !records.isEmpty else { return }
        var (low, high) = (0, firstRecords.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if firstRecords[middle] <= records.lowerBound { low = middle } else { high = middle }
        }
        var requestedIndices = [[Int]](repeating: [], count: columnCount)
        var nestedIndices = [[Int]](repeating: [], count: columnCount)
        for (index, column) in columns.enumerated() {
            if requestedIndices.indices.contains(column) { requestedIndices[column].append(index) }
            let base = column - FieldID.firstNestedColumn
            if jsonColumns.contains(base), nestedIndices.indices.contains(base) { nestedIndices[base].append(index) }
        }
        var bytes: [UInt8] = []
        for block in low..<firstRecords.count - 1 where firstRecords[block] < records.upperBound {
            let size = offsets[block + 1] - offsets[block]
            if bytes.count < size { bytes = [UInt8](repeating: 0, count: size) }
            try bytes.withUnsafeMutableBytes { buffer in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]), at: offsets[block])
            }
            let count = firstRecords[block + 1] - firstRecords[block]
            let requested =
                (max(records.lowerBound, firstRecords[block]) - firstRecords[block])..<min(count, records.upperBound - firstRecords[block])
            var fields = [FieldBytes](repeating: .missing, count: max(1, requested.count * columns.count))
            let shouldContinue = bytes.withUnsafeBufferPointer { bytes in
                var position = 0
                for record in 0..<requested.upperBound {
                    let target = (record - requested.lowerBound) * columns.count
                    for column in 0..<columnCount {
                        let field = Self.field(bytes, &position)
                        guard record >= requested.lowerBound else { continue }
                        for index in requestedIndices[column] { fields[target + index] = field }
                        for index in nestedIndices[column] where field.isJSON { fields[target + index] = field }
                    }
                }
                return fields.withUnsafeBufferPointer {
                    body(
                        FieldBatch(
                            firstRecord: firstRecords[block] + requested.lowerBound, count: requested.count, width: columns.count,
                            fields: $0.baseAddress!))
                }
            }
            guard shouldContinue else { return }
        }
    }

    private static func field(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> FieldBytes {
        var (length, shift) = (0, 0)
        while bytes[position] > 127 {
            length |= Int(bytes[position] & 127) << shift
            shift += 7
            position += 1
        }
        length |= Int(bytes[position]) << shift
        position += 1
        guard length > 0 else { return .missing }
        let start = position
        position += length - 1
        return FieldBytes(start: bytes.baseAddress! + start, count: length - 1)
    }
}

/// The error if the disk has too little free space for the spool.
struct SpoolError: TableError {
    let message: String
}

/// The records that were in a spool when the table was created.
package struct SpoolTable: Table {
    let spool: RecordSpool
    package let isComplete: Bool
    package let contentID: Int?
    /// How the input stores the numbers of each column; empty if this is unknown.
    package var numberStorage: [NumberStorage?] = []
    /// Collects the cut fields that scans pass; `nil` to collect none.
    private(set) var cuts: CutFields?

    package func numberStorage(ofColumn column: Int) -> NumberStorage? {
        numberStorage.indices.contains(column) ? numberStorage[column] : nil
    }
    package var recordCount: Int { spool.recordCount }
    package var columnCount: Int { spool.columnCount }
    package var hasNestedValues: Bool { !spool.jsonColumns.isEmpty }
    package var meanRecordBytes: Int { recordCount == 0 ? 64 : max(1, spool.byteCount / recordCount) }

    package func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    package func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw MissingRecordsError(count: recordCount)
        }
        if let cuts { for cut in spool.cuts where records.contains(cut.record) && columns.contains(cut.column) { cuts.add(cut) } }
        try spool.scan(records, columns: columns, body)
    }

    package func recordingCuts(in cuts: CutFields) -> any Table {
        var table = self
        table.cuts = cuts
        return table
    }
}
