import FieldValues
import Tables

extension FilterExpression {
    /// The number of records of a table for each record that an index may find. Beyond that, a scan on two threads takes less time than
    /// finding each record and counting the records before it.
    private static let recordsPerFoundRecord = 256

    /// The matching records from `first` on, found by an index of a table.
    /// - Returns: `nil` if no index finds few records.
    func indexedRecords(of table: any ColumnarTable, from first: Int, control: JobControl) throws -> RowNumbers? {
        let ranges = conjuncts.compactMap(\.columnRanges)
        let limit = table.recordCount / Self.recordsPerFoundRecord
        guard !ranges.isEmpty, limit > 0 else { return nil }
        let condition = TypedCondition(self, allColumns: table.allColumns)
        let found = table.indexedRecords(within: ranges, limit: limit, columns: condition.columns) {
            control.isCancelled
        } matching: {
            try condition.places(in: $0, control: control)
        }
        try control.checkCancellation()
        guard let found else { return nil }
        var records = FoundRecords(is32Bit: table.recordCount <= control.shortLimit)
        for record in found where record >= first { records.append(record) }
        return records.numbers
    }

    /// A column, and the bounds of its values in all matching records; `nil` if they are unknown.
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

    /// The bounds of the numbers for which a comparison holds; `nil` if they are unknown, or if it never holds.
    private static func bounds(_ comparison: FilterComparison, _ number: FilterNumber) -> ColumnBounds? {
        guard !number.isNaN else { return nil }
        // The conversion of an integer rounds, and the text of a large double may be a different integer.
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
