import Tables
import FieldValues

/// A search in ranges of a table, safe to use from several threads at once.
struct SearchScan: Sendable {
    let table: any Table
    let columns: [Int]
    let control: JobControl
    private let matcher: TextMatcher
    private let all: RecordSelection

    init(_ search: TextSearch, _ table: any Table, control: JobControl) {
        self.table = table
        self.control = control
        columns = search.columns ?? table.allColumns
        matcher = TextMatcher(search)
        all = RecordSelection(recordCount: table.recordCount)
    }

    /// True if records can be ruled out by their bytes, so that reading unneeded records costs little.
    var isSelective: Bool { !matcher.required.isEmpty }

    /// The index of the first matching field.
    @inline(__always)
    func firstIndex(in fields: UnsafeBufferPointer<FieldBytes>) -> Int? { matcher.firstIndex(in: fields) }

    /// Calls `body` for each matching record of `range`, ascending, until it returns `false`.
    /// - Parameter shouldContinue: polled occasionally; return `false` to end the scan.
    func forEachMatch(in range: Range<Int>, while shouldContinue: () -> Bool = { true }, _ body: (_ record: Int) -> Bool) throws {
        guard isSelective else {
            return try all.scan(table, range, columns: columns, control: control) { record, fields in
                (firstIndex(in: fields) == nil || body(record)) && (record & 63 != 0 || shouldContinue())
            }
        }
        // Records without fields match, unless no column is searched.
        if columns.isEmpty { return }
        try table.scan(range, columns: columns, holding: matcher.required, control: control, while: shouldContinue) { record, fields in
            !fields.isEmpty && firstIndex(in: fields) == nil || body(record)
        }
    }
}
