import DataGridQuery
import FieldValues
import Tables

/// An engine of tests that answers queries for rows. Searches find nothing, and there are no statistics.
protocol RowsOnlyEngine: QueryEngine {
    /// Counts the values of a column.
    var base: LocalQueryEngine { get }
}

extension RowsOnlyEngine {
    func firstMatch(
        of search: TextSearch, in table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> SearchMatch? { nil }

    func positions(
        matching search: TextSearch, in table: any Table, order: RowSequence, control: JobControl, report: @Sendable (Int) -> Void
    ) throws -> RowNumbers { RowNumbers([]) }

    func firstDifference(
        in field: FieldID, of table: any Table, order: RowSequence, from start: Int, direction: SearchDirection, control: JobControl
    ) throws -> Int? { nil }

    func statistics(
        of fields: [Field], in table: any Table, rows: RowNumbers?, exactLimit: Int, topCount: Int, details: ColumnStatistics.Details,
        control: JobControl
    ) throws -> [ColumnStatistics] { [] }

    func frequencies(of field: Field, in table: any Table, rows: RowNumbers?, control: JobControl) throws -> FrequencyTable {
        try base.frequencies(of: field, in: table, rows: rows, control: control)
    }
}
