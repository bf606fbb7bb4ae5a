import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// Starts a job that finds columns without any value in the rows read so far. The job first reads a sample of the rows. Then it reads
    /// all rows, but only the columns that had no value in the sample.
    func startFindingEmptyColumns(_ ids: [ColumnID]) {
        let (table, engine, requested, isComplete) = (table, engine, Set(ids), state.document.canBeQueried)
        let columns = state.grid.columns.all.filter { requested.contains($0.id) }
        startJob(.emptyColumns, "finding empty columns", .rows(table.recordCount)) { control, outbox in
            let numbers = Set(columns.map(\.field.rawValue)).sorted()
            let sample = table.profiles(of: numbers)
            let fields = zip(numbers, sample).filter { $1.sampledCount == $1.emptyCount }
                .map { Field(FieldID(rawValue: $0.0), name: "", kind: .text) }
            // Read all fields as text, so that a field counts as a value even if it is not valid for the type of its column.
            let statistics =
                fields.isEmpty
                ? []
                : try engine.statistics(
                    of: fields, in: table, rows: nil, exactLimit: 1 << 10, topCount: 0, details: [], control: control)
            let empty = Set(zip(fields, statistics).filter { $1.valueCount == 0 }.map(\.0.id))
            outbox.send(
                .emptyColumnsFound(
                    columns.filter { empty.contains($0.field) }.map(\.id), rows: table.recordCount, isComplete: isComplete))
        }
    }
}
