import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import Tables

/// Values of a column with their counts and percentages, as a table to copy or export.
public struct FrequentValues: Equatable, Sendable {
    let table: FrequencyTable
    /// The values to write, in the order of the output, as value numbers of ``table``.
    let valueNumbers: [Int]
    let column: Column

    /// The columns of the output: the value, its count, and its percentage of all rows.
    var columns: [Column] {
        [column, Column(id: 0, title: "count", kind: .integer), Column(id: 0, title: "share %", kind: .decimal)]
    }

    /// Writes a record for each value.
    /// - Parameters:
    ///   - records: the table with the column, whose header has the bytes of the column name.
    ///   - notes: receives notes about values and names that the format cannot represent.
    /// - Throws: `JobCancelled`, and errors of the table.
    func write(
        as format: RowFormat, from records: any Table, _ notes: inout OutputNotes, to sink: inout OutputSink, _ control: JobControl
    ) throws {
        var format = format
        control.begin(total: valueNumbers.count)
        if format.format == .text {
            for number in valueNumbers.prefix(RowFormat.fittedRowCount) { format.fit(cells(table.entry(number: number))) }
        }
        format.begin(&sink)
        if format.writesNames { try notes.checkTitles(of: [column], in: records) }
        try forEachRecord(&notes, control) {
            format.writeRow($0, &sink)
            return sink.isOpen
        }
        format.end(&sink)
    }

    /// Calls `body` with a record for each value, until `body` returns `false`.
    func forEachRecord(
        _ notes: inout OutputNotes, _ control: JobControl, _ body: (UnsafeBufferPointer<FieldBytes>) throws -> Bool
    ) throws {
        var buffer = FieldBuffer()
        for number in valueNumbers {
            try control.checkCancellation()
            control.advance(by: 1)
            let entry = table.entry(number: number)
            let bytes = entry.invalidText.map { [0: $0] } ?? [:]
            let continues = try buffer.withFields(of: cells(entry), keeping: bytes) { fields in
                notes.check(fields)
                return try body(fields)
            }
            guard continues else { return }
        }
    }

    private func cells(_ entry: ColumnStatistics.Frequency) -> [String] {
        // The percentage in units of 0.0001 %, because it is written with four fraction digits.
        let share = Double(entry.count) / Double(max(1, table.recordCount)) * 1_000_000
        return [entry.value, String(entry.count), ExactDecimal(Int128(share.rounded()), digits: 4).text]
    }
}
