import FieldValues
import Tables

extension FilterExpression {
    /// The number of records of a table for each record that an index may find. Beyond that, a scan takes less time than finding each record.
    private static let recordsPerFoundRecord = 16_384

    /// The records from `first` on that an index of a table finds for one of the conjuncts. All matching records are among them.
    /// - Returns: `nil` if no index finds few records.
    func indexedRecords(of table: any ColumnarTable, from first: Int, control: JobControl) throws -> RowNumbers? {
        var fewest: [Int]?
        for part in conjuncts {
            guard let (column, bounds) = part.columnBounds else { continue }
            let limit = fewest?.count ?? table.recordCount / Self.recordsPerFoundRecord
            let found = table.indexedRecords(ofColumn: column, within: bounds, limit: limit) { control.isCancelled }
            try control.checkCancellation()
            fewest = found ?? fewest
        }
        guard let fewest else { return nil }
        var records = FoundRecords(is32Bit: table.recordCount <= control.shortLimit)
        for record in fewest where record >= first { records.append(record) }
        return records.numbers
    }

    /// A column, and the bounds of its values in all matching records; `nil` if they are unknown.
    var columnBounds: (column: Int, bounds: [ColumnBounds])? {
        switch self {
        case .compare(.column(let column, .number(.point)), let comparison, .literal(let number)):
            return Self.bounds(comparison, number).map { (column, [$0]) }
        case .isOneOf(.column(let column, .number(.point)), let numbers):
            return (column, numbers.compactMap { Self.bounds(.equal, $0) })
        case .compareTexts(.column(let column), .equal, .literal(let text)): return (column, [Self.bounds(text)])
        case .textIsOneOf(let column, let texts): return (column, texts.map(Self.bounds))
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
