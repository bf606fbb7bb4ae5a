import Locks
public import Tables

/// A table source with one row for each element of the JSON arrays in a column of another table.
public final class ElementSource: TableSource {
    /// The name of the sheet that shows the elements.
    public let name: String
    /// The size in bytes of the input that contains the arrays.
    public let byteCount: Int
    private let titles: [String]
    private let state: Mutex<ElementTable>

    /// Creates the source and reads enough elements for a screen.
    /// - Parameters:
    ///   - base: the table with the arrays. All of its records must be known.
    ///   - columns: the columns of `base` to show, with their titles.
    ///   - arrayIndex: the index in `columns` of the column with the arrays.
    ///   - byteCount: the size in bytes of the input of `base`.
    ///   - hasNulls: true if the input of `base` has null values.
    /// - Throws: an error if the records cannot be read.
    public init(name: String, _ base: any Table, columns: [(number: Int, title: String)], arrayIndex: Int, byteCount: Int, hasNulls: Bool)
        throws
    {
        (self.name, self.byteCount, self.hasNulls, titles) = (name, byteCount, hasNulls, columns.map(\.title))
        var table = ElementTable(base: base, columns: columns.map(\.number), arrayIndex: arrayIndex, index: ElementIndex())
        // Read enough records to fill a screen, even if some arrays are empty.
        try table.extend(records: 256, bytes: 1 << 20)
        state = Mutex(table)
    }

    private var table: ElementTable { state.withLock { $0 } }

    /// Always `nil`, because the elements are not a file.
    public var path: String? { nil }
    /// An estimate of how much of ``byteCount`` has been read to find the known elements, in bytes.
    public var indexedByteCount: Int { Self.estimatedBytesRead(table, outOf: byteCount) }
    /// Always `false`, because all records of the table with the arrays are known.
    public var isGrowing: Bool { false }
    /// The number of columns.
    public var columnCount: Int { titles.count }
    /// Always `true`: each column has the title of a column of the table with the arrays.
    public var hasColumnNames: Bool { true }
    /// True if the table with the arrays has null values.
    public let hasNulls: Bool
    /// The title of a column.
    public func title(ofColumn column: Int) -> String { titles.indices.contains(column) ? titles[column] : "" }
    /// The profiles of all columns, from a sample.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    /// The profiles of the columns from index `first` to the last one, from a sample.
    public func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        table.profiles(of: Array(first..<max(first, columnCount))) { title(ofColumn: $0) }
    }
    /// The rows known so far.
    public func snapshot() -> some Table { table }

    /// The last `count` rows, found in the last records of the table with the arrays.
    public func tail(atLeast count: Int) throws -> TailRecords {
        var table = table
        // The last `count` records have at least `count` rows, because each record has at least one.
        table.index = ElementIndex(firstRecord: max(0, table.base.recordCount - max(0, count)))
        while !table.isComplete { try table.extend(records: .max / 2, bytes: .max) }
        let rows = max(0, table.recordCount - max(0, count))..<table.recordCount
        return TailRecords(records: try table.records(rows, maximumFieldBytes: .max), firstByteOffset: 0, isSettled: true)
    }

    /// Counts the elements of all records.
    public func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        var table = table
        while !table.isComplete {
            try table.extend(records: 16_384, bytes: 16 << 20)
            state.withLock { [table] in $0 = table }
            let bytes = Self.estimatedBytesRead(table, outOf: byteCount)
            let done = ReadProgress(bytesDone: bytes, bytesTotal: byteCount, records: table.recordCount)
            guard progress(done) else { return }
        }
    }

    private static func estimatedBytesRead(_ table: ElementTable, outOf count: Int) -> Int {
        table.isComplete ? count : Int(Double(count) * Double(table.index.endRecord) / Double(max(1, table.base.recordCount)))
    }

    /// Lines for the file details: the format, and the title of the array column.
    public var details: [(name: String, value: String)] {
        [("format", "elements of arrays"), ("arrays", titles[table.arrayIndex])]
    }
    /// Always `true`: fields have the bytes of the table with the arrays.
    public var mayContainInvalidText: Bool { true }
}
