import FieldValues
import Tables

extension FilterExpression {
    /// An index is used only if it finds at most one of this many records. Otherwise, scanning the table on two threads is faster than
    /// finding each record and counting the records before it.
    private static let recordsPerFoundRecord = 256
    /// The maximum number of records that are read from an index. It bounds the time and memory before the first result.
    private static let maximumFoundRecords = 65_536

    /// The matching records from `first` on, found with an index of a table.
    /// - Parameter batch: called with the matches of each batch, ascending.
    /// - Returns: `nil` if no index narrows the search to few records; `batch` is not called then.
    func indexedRecords(
        of table: any ColumnarTable, from first: Int, control: JobControl, batch: (_ records: RowNumbers) -> Void
    ) throws -> RowNumbers? {
        let ranges = conjuncts.compactMap(\.columnRanges)
        let limit = min(table.recordCount / Self.recordsPerFoundRecord, Self.maximumFoundRecords)
        guard !ranges.isEmpty, limit > 0 else { return nil }
        let condition = TypedCondition(self, allColumns: table.allColumns)
        let none = FoundRecords(is32Bit: table.recordCount <= control.shortLimit)
        var all = none
        var completed = 0
        do {
            let hasIndex = try table.findIndexedRecords(within: ranges, limit: limit, columns: condition.columns) {
                control.isCancelled
            } matching: {
                try condition.rows(matchedIn: $0, control: control)
            } report: { records, tested, total in
                if completed == 0 { control.begin(total: total) }
                control.advance(by: tested - completed)
                completed = tested
                var part = none
                for record in records where record >= first {
                    part.append(record)
                    all.append(record)
                }
                if !part.numbers.isEmpty { batch(part.numbers) }
            }
            try control.checkCancellation()
            return hasIndex ? all.numbers : nil
        } catch {
            // If the search was cancelled, throw ``JobCancelled`` instead of the error that the table reports.
            try control.checkCancellation()
            throw error
        }
    }

    /// The bounds of the values that a column has in all matching records, for a look-up in an index; `nil` if unknown.
    var columnRanges: ColumnRanges? {
        switch self {
        case .compare(.column(let column, .number(.point)), let comparison, .literal(let number)):
            return Self.bounds(comparison, number).map { ColumnRanges(column: column, bounds: [$0]) }
        case .isOneOf(.column(let column, .number(.point)), let numbers):
            return ColumnRanges(column: column, bounds: numbers.compactMap { Self.bounds(.equal, $0) })
        case .compareTexts(.column(let column), .equal, .literal(let text)):
            return ColumnRanges(column: column, bounds: [Self.bounds(text)])
        case .textIsOneOf(let column, let texts): return ColumnRanges(column: column, bounds: texts.map(Self.bounds))
        default: return nil
        }
    }

    /// The bounds of the numbers for which a comparison is true; `nil` if the bounds are unknown, or if the comparison is never true.
    private static func bounds(_ comparison: FilterComparison, _ number: FilterNumber) -> ColumnBounds? {
        guard !number.isNaN else { return nil }
        // The bounds are widened by two doubles: converting an integer to a double rounds it, and a large double may be printed as another
        // integer.
        let (low, high) = (number.double.nextDown.nextDown, number.double.nextUp.nextUp)
        switch comparison {
        case .equal: return ColumnBounds(.doubles(low...high))
        case .less, .lessOrEqual: return ColumnBounds(.doubles(-Double.infinity...high))
        case .greater, .greaterOrEqual: return ColumnBounds(.doubles(low...Double.infinity))
        case .notEqual: return nil
        }
    }

    private static func bounds(_ text: String) -> ColumnBounds {
        let bytes = Array(text.utf8)
        return ColumnBounds(.texts(low: bytes, high: bytes))
    }
}
