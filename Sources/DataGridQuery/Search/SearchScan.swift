import Tables
import FieldValues

/// A search over ranges of a table, safe to use from several threads at once.
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

    /// Whether records can be ruled out by their bytes, so that reading over some that are not asked for costs little.
    var isSelective: Bool { !matcher.required.isEmpty }

    /// Which of the fields matches first.
    @inline(__always)
    func firstIndex(in fields: UnsafeBufferPointer<FieldBytes>) -> Int? { matcher.firstIndex(in: fields) }

    /// Calls `body` for the records of `range` that match, ascending, until it answers `false`.
    /// - Parameter isWanted: asked now and then; the scan ends early when it answers `false`.
    func forEachMatch(in range: Range<Int>, while isWanted: () -> Bool = { true }, _ body: (_ record: Int) -> Bool) throws {
        guard isSelective else {
            return try all.scan(table, range, columns: columns, control: control) { record, fields in
                (firstIndex(in: fields) == nil || body(record)) && (record & 63 != 0 || isWanted())
            }
        }
        // Records that come without fields match; where no field is asked for, none does.
        if columns.isEmpty { return }
        try table.scan(range, columns: columns, holding: matcher.required, control: control, while: isWanted) { record, fields in
            !fields.isEmpty && firstIndex(in: fields) == nil || body(record)
        }
    }
}
