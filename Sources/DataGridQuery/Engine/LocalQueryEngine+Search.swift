public import FieldValues
public import Tables

extension LocalQueryEngine {
    /// Scans from `start` in growing chunks, or the whole table if `order` is not the order of the table.
    public func firstMatch(
        of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> SearchMatch? {
        try DataGridQuery.firstMatch(
            of: search, in: table, from: start, direction: direction, order: order, threads: threads, control: control)
    }

    /// Scans the whole table, because matches of all rows are requested.
    public func positions(
        matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
    ) throws -> RowNumbers {
        try findPositions(matching: search, in: table, order: order, threads: threads, control: control, report: report)
    }

    /// Scans from `start` in growing chunks and compares the bytes of fields. A missing field differs from an empty one.
    public func firstDifference(
        in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> Int? {
        try DataGridQuery.firstDifference(
            in: field.rawValue, of: table, from: start, direction: direction, order: order, control: control)
    }

    /// Computes the statistics of several fields in one scan, and scans again for fields that exceed ``memory``.
    public func statistics(
        of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
        control: JobControl
    ) throws -> [ColumnStatistics] {
        try columnStatistics(
            of: table, fields.map(request), within: rows, exactLimit: exactLimit, memory: memory, topCount: topCount, details: details,
            threads: threads, control: control)
    }

    /// Scans the column once.
    public func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable {
        try DataGridQuery.frequencies(of: table, request(field), within: rows, threads: threads, control: control)
    }

    private func request(_ field: Field) -> StatisticsRequest {
        StatisticsRequest(
            column: field.id.rawValue, kind: field.kind, notation: field.notation, dateNotation: field.dateNotation, alphabet: alphabet)
    }
}
