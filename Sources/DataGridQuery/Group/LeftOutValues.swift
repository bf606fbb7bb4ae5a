import FieldValues
public import Tables

/// Fields of a column that its aggregates leave out, although they may be meant as values, such as `$4` in a column of plain numbers.
///
/// These are fields that begin like a number but cannot be read as the type of the column. Words such as `n/a`, the errors of spreadsheets
/// and dates of zeros do not count. For a computed column, they are the fields that its formula cannot read. On a server, they are dates
/// and times that gridview cannot read, such as `infinity`.
public struct LeftOutValues: Sendable, Hashable {
    /// The aggregated field.
    public let field: FieldID
    /// The number of these values.
    public let count: Int
    /// The number of the first record with such a value; `nil` on a server.
    public let firstRecord: Int?
    /// The first of these values, of which only the first characters are kept; `nil` on a server.
    public let firstText: String?
}

extension LeftOutValues {
    /// Creates the result of an engine that only counts these values.
    public init(field: FieldID, count: Int) { self.init(field: field, count: count, firstRecord: nil, firstText: nil) }
}

extension SortOrdering {
    /// True if aggregates leave out a field that cannot be read with this ordering although it may be meant as a value.
    func leavesOut(_ field: FieldBytes) -> Bool {
        if field.isUnreadableResult { return true }
        return switch self {
        case .number: field.resemblesValue
        case .temporal(.time, _): field.resemblesValue
        case .temporal: field.resemblesValue && !field.isZeroDate
        case .natural, .text, .flag: false
        }
    }
}

extension AggregateJob {
    /// The values that the aggregates leave out, in the order of the columns in `requests`. Empty for aggregates such as counts, which
    /// leave out no value. Reads one record for each column with such values.
    /// - Parameters:
    ///   - selection: the aggregated records.
    ///   - vector: the values of a column; `nil` if the column was not read as values.
    static func leftOutValues(
        _ requests: [AggregateRequest], of table: any Table, _ selection: RecordSelection, vector: (LoadedColumns.Request) -> ValueVector?
    ) throws -> [LeftOutValues] {
        var sources: [LoadedColumns.Request] = []
        for request in requests where request.function.needsValues && request.function != .count {
            let source = valueRequest(request)
            if !sources.contains(source) { sources.append(source) }
        }
        return try sources.reduce(into: []) { all, source in
            guard let fields = vector(source)?.leftOutFields, let found = selection.leftOutRecords(fields) else { return }
            let column = try LeftOutValues.column(readFor: source.column, inRecord: found.record, of: table)
            let text = try LeftOutValues.text(ofRecord: found.record, column: column, of: table)
            let values = LeftOutValues(
                field: FieldID(rawValue: column), count: found.count, firstRecord: found.record, firstText: text)
            guard let index = all.firstIndex(where: { $0.field == values.field }) else { return all.append(values) }
            // The column and formulas that read it can leave out different numbers of its values.
            if values.count > all[index].count { all[index] = values }
        }
    }
}

extension LeftOutValues {
    private static let maximumTextBytes = 64

    /// The column itself or, for a computed column, the column that its formula cannot read in a record.
    fileprivate static func column(readFor column: Int, inRecord record: Int, of table: any Table) throws -> Int {
        guard let table = table as? DerivedTable else { return column }
        var column = column
        while let argument = try table.unreadableArgument(ofColumn: column, inRecord: record) { column = argument }
        return column
    }

    fileprivate static func text(ofRecord record: Int, column: Int, of table: any Table) throws -> String {
        var text = ""
        try table.scan(record..<record + 1, columns: [column]) { _, fields in
            text = String(decoding: fields[0].bytes.prefix(maximumTextBytes), as: UTF8.self)
            return false
        }
        return text
    }
}

extension RecordSelection {
    /// The number of selected records whose field is one of `fields`, and the least of these records; `nil` without such records.
    fileprivate func leftOutRecords(_ fields: ValueVector.LeftOutFields) -> (count: Int, record: Int)? {
        guard fields.count > 0 else { return nil }
        guard let slots, let marks = fields.slots else { return (fields.count, record(at: fields.firstSlot)) }
        var (count, first) = (0, Int.max)
        for slot in slots where marks[Int(slot)] {
            count += 1
            first = min(first, Int(slot))
        }
        return count == 0 ? nil : (count, record(at: first))
    }
}
