public import FieldValues

/// The form in which a file stores a column whose values are shown as text.
public enum TextForm: Hashable, Sendable {
    /// Plain text, shown as it is stored.
    case plain
    /// Lists, maps and structures, printed as JSON.
    case json
    /// Text that the file declares as JSON. It may be invalid.
    case declaredJSON
    /// Bytes, printed as hexadecimal digits, or as text if they are UTF-8.
    case binary

    /// True if the values may be JSON.
    fileprivate var isNested: Bool { self == .json || self == .declaredJSON }
}

/// A table that stores its values by column and type, such as a Parquet file.
///
/// A conforming type implements ``scanColumns(_:columns:_:)``, ``Table/recordCount`` and ``Table/columnCount``. The methods that scan
/// fields print the values as text: numbers with a point, dates as `2024-01-31`, times as `2024-01-31 12:30:00.250`.
public protocol ColumnarTable: Table {
    /// Calls `body` with all of `records` in ascending order, in batches of 1 to 65,536 records, until it returns `false`.
    ///
    /// Several threads may scan at once, each with its own range.
    /// - Parameters:
    ///   - records: a range within `0 ..< recordCount`.
    ///   - columns: the columns whose values are passed, in this order. A column may occur twice. The list may be empty.
    ///   - body: receives the batches; their values are valid only until it returns.
    /// - Throws: an error if the records cannot be read.
    func scanColumns(_ records: Range<Int>, columns: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws

    /// True if reading a column takes long. Jobs then keep columns in memory after reading them.
    var isSlowToScan: Bool { get }
    /// Divides a range of records into the parts for which the file has separate bounds: row groups, or the smaller pages of columns.
    /// - Parameter byPage: true for pages instead of row groups. The table may have to read the statistics of the pages from the file.
    func parts(of records: Range<Int>, columns: [Int], byPage: Bool) -> [Range<Int>]
    /// The bounds of a column in a part from ``parts(of:columns:byPage:)``; `nil` if they are unknown. Uses statistics of the file, not the
    /// values.
    ///
    /// Bounds come from the file and may be wrong. Wrong bounds may hide records from filters, as in other programs.
    func bounds(ofColumn column: Int, in part: Range<Int>, byPage: Bool) -> ColumnBounds?
    /// The stored form of the text in a column, which is in `0 ..< columnCount`.
    func textForm(ofColumn column: Int) -> TextForm
    /// Uses an index of the file to search for records. The table reads the records that the index finds, and the caller tests these
    /// records.
    /// - Parameters:
    ///   - ranges: the searched columns. All matching records have values within the bounds, which are `doubles` or `texts`. `doubles` also
    ///     apply to numbers that are stored as text. The table uses the index that finds the fewest records.
    ///   - limit: the maximum number of records that the index may find.
    ///   - columns: the columns whose values are tested.
    ///   - isCancelled: polled while the table is read, on the thread of the caller.
    ///   - test: receives batches of the records that the index found. The records of a batch are not consecutive. Returns the indices of
    ///     the matching records in the batch.
    ///   - report: called after each batch with its matching records, in ascending order over all batches. The index has found
    ///     `totalCount` records, and `testedCount` of them have been tested so far.
    /// - Returns: `false` if no index finds at most `limit` records. `test` and `report` are not called then.
    /// - Throws: an error if the records cannot be read or the search is cancelled; errors of `test`.
    func findIndexedRecords(
        within ranges: [ColumnRanges], limit: Int, columns: [Int], isCancelled: @escaping () -> Bool,
        matching test: (_ batch: ColumnBatch) throws -> [Int], report: (_ records: [Int], _ testedCount: Int, _ totalCount: Int) -> Void
    ) throws -> Bool
}

extension ColumnarTable {
    /// Always `false`.
    public var isSlowToScan: Bool { false }
    /// Returns the whole range as one part, because there are no bounds.
    public func parts(of records: Range<Int>, columns: [Int], byPage: Bool) -> [Range<Int>] { [records] }
    /// Returns `nil`: the bounds are unknown.
    public func bounds(ofColumn column: Int, in part: Range<Int>, byPage: Bool) -> ColumnBounds? { nil }
    /// Always `plain`: the text is neither JSON nor bytes.
    public func textForm(ofColumn column: Int) -> TextForm { .plain }
    /// True if a column has lists, maps or structures, or text that is declared as JSON. O(columns).
    public var hasNestedValues: Bool { (0..<columnCount).contains { textForm(ofColumn: $0).isNested } }
    /// Returns `false`, because the table has no index.
    public func findIndexedRecords(
        within ranges: [ColumnRanges], limit: Int, columns: [Int], isCancelled: @escaping () -> Bool,
        matching test: (_ batch: ColumnBatch) throws -> [Int], report: (_ records: [Int], _ testedCount: Int, _ totalCount: Int) -> Void
    ) throws -> Bool { false }

    /// Passes the values of each record, printed as text.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    /// Passes the values, printed as text, in batches of at most 512 records. In a wide table, the batches are smaller.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        var printer = printer(of: columns)
        try scanColumns(records, columns: columns.map(storedColumn)) { batch in
            var first = 0
            while first < batch.count {
                let chunk = first..<min(batch.count, first + printer.capacity)
                guard body(printer.fields(of: chunk, in: batch)) else { return false }
                first = chunk.upperBound
            }
            return true
        }
    }

    /// Creates a printer for batches that contain, for each of `columns`, the values of its ``storedColumn(_:)``.
    package func printer(of columns: [Int]) -> ValuePrinter {
        var printer = ValuePrinter(width: columns.count)
        for (index, column) in columns.enumerated() where column >= FieldID.firstNestedColumn && storedColumn(column) != column {
            if textForm(ofColumn: storedColumn(column)) == .declaredJSON { printer.jsonColumns.append(index) }
        }
        return printer
    }

    /// The column of the file whose values a column number refers to. Numbers from `FieldID.firstNestedColumn` on refer to the JSON values
    /// of a column.
    package func storedColumn(_ column: Int) -> Int {
        let nested = column - FieldID.firstNestedColumn
        return (0..<columnCount).contains(nested) && textForm(ofColumn: nested).isNested ? nested : column
    }
}
