import Tables
import FieldValues

/// A search in ranges of a table. Several threads can use it at once.
struct SearchScan: Sendable {
    let table: any Table
    let columns: [Int]
    let control: JobControl
    private let matcher: TextMatcher
    private let selection: RecordSelection
    /// The search as a condition on typed values; `nil` if the table has only text.
    private let typedSearch: (table: any ColumnarTable, condition: TypedCondition)?

    init(_ search: TextSearch, _ table: any Table, control: JobControl) {
        let (matcher, columns) = (TextMatcher(search), search.columns ?? table.allColumns)
        (self.table, self.control, self.matcher, self.columns) = (table, control, matcher, columns)
        selection = RecordSelection(recordCount: table.recordCount)
        typedSearch = table.columnar(storing: columns).map { (table: $0, condition: TypedCondition(matcher, columns: columns)) }
    }

    /// The maximum number of records that one thread searches at once.
    var maximumRangeSize: Int { typedSearch == nil ? rangeSize : TypedFilter.rangeSize }

    /// True if records without certain bytes are skipped without being parsed. If so, scanning more records than needed costs little.
    var isSelective: Bool { !matcher.required.isEmpty }

    /// The index in `fields` of the first field that matches; `nil` if no field matches.
    @inline(__always)
    func firstIndex(in fields: UnsafeBufferPointer<FieldBytes>) -> Int? { matcher.firstIndex(in: fields) }

    /// Calls `body` with each matching record of `range`, ascending, until it returns `false`.
    /// - Parameter shouldContinue: called from time to time; returns `false` to end the scan.
    func forEachMatch(in range: Range<Int>, while shouldContinue: () -> Bool = { true }, _ body: (_ record: Int) -> Bool) throws {
        if columns.isEmpty { return }
        if let typedSearch {
            return try typedSearch.condition.scan(
                typedSearch.table, range, control: control, rows: { shouldContinue() ? TypedCondition.Rows(list: nil, count: $2) : nil },
                found: body)
        }
        guard isSelective else {
            return try selection.scan(table, range, columns: columns, control: control) { record, fields in
                (firstIndex(in: fields) == nil || body(record)) && (record & 63 != 0 || shouldContinue())
            }
        }
        // The table passes no fields if the bytes of a record already prove that it matches.
        try table.scan(range, columns: columns, holding: matcher.required, control: control, while: shouldContinue) { record, fields in
            !fields.isEmpty && firstIndex(in: fields) == nil || body(record)
        }
    }
}
