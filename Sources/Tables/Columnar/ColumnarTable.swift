public import FieldValues

/// A table that stores its values by column and type, such as a Parquet file.
///
/// A conforming type implements ``scanColumns(_:columns:_:)``, ``Table/recordCount`` and ``Table/columnCount``. The scans of fields print
/// the values as text: numbers with a point, dates as `2024-01-31`, times as `2024-01-31 12:30:00.250`.
public protocol ColumnarTable: Table {
    /// Calls `body` with all of `records` in ascending order, in batches of 1 to 65,536 records, until it returns `false`.
    ///
    /// Several threads may scan at once, each with its own range.
    /// - Parameters:
    ///   - records: a range within `0 ..< recordCount`.
    ///   - columns: the columns whose values are passed, in this order. A column may occur twice. May be empty.
    ///   - body: receives the batches; their values are valid only until it returns.
    /// - Throws: an error if the records cannot be read.
    func scanColumns(_ records: Range<Int>, columns: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws
}

extension ColumnarTable {
    /// Prints the values of each record.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    /// Prints the values in batches of at most 512 records.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        var printer = ValuePrinter(width: columns.count)
        try scanColumns(records, columns: columns) { batch in
            var first = 0
            while first < batch.count {
                let piece = first..<min(batch.count, first + ValuePrinter.maximumRecords)
                guard body(printer.fields(of: piece, in: batch)) else { return false }
                first = piece.upperBound
            }
            return true
        }
    }
}
