import EngineProtocol
import FieldValues

/// Consecutive rows of a streamed result, with complete cells.
struct ServerBatch {
    let batch: RowBatch
    /// The indexes of the rows that belong to the request. A batch can start with rows that are skipped.
    let rows: Range<Int>

    /// A note for the user: some cells were cut at the size limit of the protocol.
    static let truncationNote = "Cells are cut if they are larger than 16 MiB, or if their row is larger than 24 MiB."

    /// A blob as hexadecimal text, such as `0x00ff`. Tables of SQLite files show the same text.
    static func text(ofBlob bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: [0x30, 0x78] + bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Passes the first `columns` fields of each row to `body`. The fields are valid until `body` returns. NULL becomes a missing field.
    /// - Returns: `false` if `body` has ended the scan.
    func forEachRow(columns: Int, _ body: (_ index: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool) -> Bool {
        // The texts of blobs in the current row. They must stay allocated until `body` returns.
        var blobs: [UnsafeMutableBufferPointer<UInt8>] = []
        defer { for blob in blobs { blob.deallocate() } }
        return withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: max(1, columns)) { fields in
            batch.withValues { values in
                let base = values.baseAddress ?? UnsafeRawPointer(fields.baseAddress!)
                let start = base.assumingMemoryBound(to: UInt8.self)
                for (index, row) in rows.enumerated() {
                    for blob in blobs { blob.deallocate() }
                    blobs.removeAll(keepingCapacity: true)
                    for column in 0..<columns {
                        if batch.kind(row: row, column: column) == .blob, let bytes = batch.bytes(row: row, column: column) {
                            let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count * 2 + 2)
                            _ = text.initialize(from: Self.text(ofBlob: bytes).utf8)
                            blobs.append(text)
                            fields.initializeElement(at: column, to: FieldBytes(start: text.baseAddress, count: text.count))
                            continue
                        }
                        let range = batch.valueRange(row: row, column: column)
                        fields.initializeElement(
                            at: column, to: range.map { FieldBytes(start: start + $0.lowerBound, count: $0.count) } ?? .missing)
                    }
                    guard body(index, UnsafeBufferPointer(rebasing: fields[..<columns])) else { return false }
                }
                return true
            }
        }
    }
}
