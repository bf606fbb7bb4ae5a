import EngineProtocol
import FieldValues
import Tables

/// Consecutive rows of a streamed result, with complete cells.
struct ServerBatch {
    let batch: RowBatch
    /// The indexes of the rows that belong to the request. A batch can start with rows that are skipped.
    let rows: Range<Int>

    /// A phrase for the user about the limits of the protocol.
    private static let limit = "cells are cut if they are larger than 16 MiB, or if their row is larger than 24 MiB"

    /// The fields that were cut at a limit of the protocol.
    /// - Parameters:
    ///   - columns: the column numbers of the first fields of each row.
    ///   - firstRecord: the record number of the first row.
    func cuts(ofColumns columns: [Int], from firstRecord: Int) -> [CutFields.Cut] {
        guard batch.hasTruncatedCells else { return [] }
        return rows.enumerated().flatMap { index, row in
            columns.indices.filter { batch.fullLength(row: row, column: $0) != nil }.map {
                CutFields.Cut(record: firstRecord + index, column: columns[$0], limit: Self.limit)
            }
        }
    }

    /// True if SQLite stores a field as a number. False for other databases, whose columns have types.
    func isNumber(_ index: Int, column: Int) -> Bool {
        let kind = batch.kind(row: rows.lowerBound + index, column: column)
        return (kind == .integer || kind == .real) && !batch.isNull(row: rows.lowerBound + index, column: column)
    }

    /// Passes the first `columns` fields of each row to `body`. The fields are valid until `body` returns. NULL becomes a missing field.
    /// - Returns: `false` if `body` has ended the scan.
    func forEachRow(columns: Int, _ body: (_ index: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool) -> Bool {
        // The texts of blobs in the current row. They must stay allocated until `body` returns.
        var blobs: [UnsafeMutablePointer<UInt8>] = []
        defer { for blob in blobs { blob.deallocate() } }
        return withUnsafeTemporaryAllocation(of: FieldBytes.self, capacity: max(1, columns)) { fields in
            batch.withValues { values in
                let base = values.baseAddress ?? UnsafeRawPointer(fields.baseAddress!)
                let start = base.assumingMemoryBound(to: UInt8.self)
                for (index, row) in rows.enumerated() {
                    for blob in blobs { blob.deallocate() }
                    blobs.removeAll(keepingCapacity: true)
                    for column in 0..<columns {
                        let range = batch.valueRange(row: row, column: column)
                        if batch.kind(row: row, column: column) == .blob, let range {
                            let text = UnsafeMutablePointer<UInt8>.allocate(capacity: BlobText.byteCount(ofBlob: range.count))
                            BlobText.write(UnsafeRawBufferPointer(rebasing: values[range]), to: text)
                            blobs.append(text)
                            let field = FieldBytes(start: text, count: BlobText.byteCount(ofBlob: range.count))
                            fields.initializeElement(at: column, to: field)
                            continue
                        }
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
