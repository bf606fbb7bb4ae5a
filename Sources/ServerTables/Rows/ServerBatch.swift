import EngineProtocol
import FieldValues

/// Rows of a stream, with complete cells.
struct ServerBatch {
    let batch: RowBatch
    /// The rows of the batch that belong to the request.
    let rows: Range<Int>

    /// Passes the first `columns` fields of each row. They are valid until `body` returns. NULL is a missing field.
    /// - Returns: `false` if `body` has ended the scan.
    func forEachRow(columns: Int, _ body: (_ index: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool) -> Bool {
        withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: max(1, columns)) { fields in
            batch.withValues { values in
                let base = values.baseAddress ?? UnsafeRawPointer(fields.baseAddress!)
                let start = base.assumingMemoryBound(to: UInt8.self)
                for (index, row) in rows.enumerated() {
                    for column in 0..<columns {
                        let range = batch.valueRange(row, column)
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
