public import FieldValues
public import Tables

/// The rows of a pivot table. Memory: about 40 bytes for each cell that has rows, and the text of its value.
public struct PivotTable: Table {
    /// A value in a column.
    struct Cell {
        /// The number of the column, from the first one after the row fields.
        var column: Int32
        var text: String
    }

    /// The values of the row fields of each row; `nil` is a null.
    let keys: [[String?]]
    /// The cells of each row, ascending by column.
    let cells: [[Cell]]
    /// The text of a cell without rows, by column: zero for a count, nothing for all other values.
    let emptyCellTexts: [String?]
    /// How the numbers of each column are stored.
    let storage: [NumberStorage?]
    /// The number of columns: one for each row field, then those of the values.
    public let columnCount: Int

    /// The number of rows.
    public var recordCount: Int { keys.count }

    /// How the numbers of a column are stored: as in the source, or as results of computations.
    public func numberStorage(ofColumn column: Int) -> NumberStorage? { storage.indices.contains(column) ? storage[column] : nil }

    /// Passes copies of the fields, one record at a time. O(log cells of the record) for each field.
    /// - Throws: `MissingRecordsError` if the range is out of bounds.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard records.lowerBound >= 0, records.upperBound <= keys.count else { throw MissingRecordsError(count: keys.count) }
        var buffer = FieldBuffer()
        for record in records {
            for column in columns { buffer.append(text(ofRecord: record, column: column)) }
            guard buffer.withFields({ body(record, $0) }) else { return }
        }
    }

    private func text(ofRecord record: Int, column: Int) -> String? {
        let filled = cells[record]
        let number = column - (columnCount - emptyCellTexts.count)
        guard number >= 0 else { return keys[record][column] }
        guard number < emptyCellTexts.count else { return nil }
        var (low, high) = (0, filled.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(filled[middle].column) < number { low = middle + 1 } else { high = middle }
        }
        return low < filled.count && filled[low].column == number ? filled[low].text : emptyCellTexts[number]
    }
}

/// A source with a computed pivot table. It is always complete.
public final class PivotSource: TableSource {
    /// The name of the table.
    public let name: String
    private let table: PivotTable
    private let fields: [Field]
    private let description: String
    /// Phrases about rows and columns that are left out.
    let omissions: [String]
    /// The problems of the input.
    private let inputProblems: [String]
    /// The number of values in which U+FFFD replaces invalid bytes.
    private let replacedCount: Int

    /// - Parameters:
    ///   - fields: the names and kinds of the columns.
    ///   - description: the text form of the pivot table, for the file details.
    init(
        name: String, _ table: PivotTable, fields: [Field], description: String, omissions: [String], byteCount: Int,
        inputProblems: [String], replacedCount: Int
    ) {
        (self.name, self.table, self.fields, self.description) = (name, table, fields, description)
        (self.byteCount, self.omissions, self.inputProblems, self.replacedCount) = (byteCount, omissions, inputProblems, replacedCount)
    }

    /// Always `nil`, because the table is not in a file.
    public var path: String? { nil }
    /// The size of the input in bytes; 0 if the input is empty.
    public let byteCount: Int
    /// The same as ``byteCount``.
    public var indexedByteCount: Int { byteCount }
    /// Always `false`: no records are added.
    public var isGrowing: Bool { false }
    /// The number of columns.
    public var columnCount: Int { table.columnCount }
    /// Always `true`.
    public var hasColumnNames: Bool { true }
    /// Always `true`: cells without rows are null, and so are the nulls of a row field.
    public var hasNulls: Bool { true }
    /// The title of a column: the name of a row field, or a value of the column field.
    public func title(ofColumn column: Int) -> String { fields.indices.contains(column) ? fields[column].name : "" }
    /// The profiles of all columns, from a sample, with the kinds of the row fields.
    public func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
    /// The profiles of the columns with the index `first` or greater, from a sample.
    public func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let columns = Array(first..<max(first, columnCount))
        return zip(columns, table.profiles(of: columns)).map { column, sampled in
            var (profile, field) = (sampled, fields[column])
            let isResult = table.isResult(column)
            // A sum that looks like an identifier or a date is still a number. The sample tells integers from decimals.
            if isResult { profile.hasIdentifiers = false }
            if !isResult || !(field.kind.isNumber && profile.kind.isNumber) { profile.kind = field.kind }
            (profile.notation, profile.hasAmbiguousDates) = (field.notation, false)
            profile.dateNotation = field.kind.isTemporal ? field.dateNotation : .iso
            return profile
        }
    }
    /// Returns the table itself, which never changes.
    public func snapshot() -> PivotTable { table }
    /// The last `count` records.
    public func tail(atLeast count: Int) throws -> TailRecords {
        let first = max(0, table.recordCount - count)
        return TailRecords(
            records: try table.records(first..<table.recordCount, maximumFieldBytes: .max), firstByteOffset: 0, isSettled: true)
    }
    /// Does nothing, because all records are in memory.
    public func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) {}

    /// Lines for the file details: the format, and the text form of the pivot table.
    public var details: [(name: String, value: String)] { [("format", "pivot table"), ("pivot", description)] }
    /// Phrases about rows, columns and values that are left out, and the problems of the input.
    public var problems: [String] { omissions + inputProblems }
    /// Sentences about rows and columns that are left out, and about characters that are replaced. All are losses.
    public var conversions: [TextConversion] {
        var conversions = omissions.map { TextConversion("\(name): \($0).", isLoss: true) }
        if replacedCount > 0 {
            let values = "\(replacedCount) \(replacedCount == 1 ? "value is" : "values are")"
            conversions.append(
                TextConversion(
                    "\(name): \(values) not valid UTF-8. Invalid bytes were replaced with U+FFFD. Use --encoding to decode them.",
                    isLoss: true, replacesCharacters: true))
        }
        return conversions
    }
}

extension PivotTable {
    /// True if a column has results of aggregates; false for a row field.
    func isResult(_ column: Int) -> Bool { column >= columnCount - emptyCellTexts.count }
}
