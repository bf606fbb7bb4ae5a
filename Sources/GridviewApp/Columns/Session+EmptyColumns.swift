import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// Finds the columns that have no value in any known row. A sample rules out most columns; the others are read to the end.
    func startFindingEmptyColumns(_ ids: [ColumnID]) {
        let (table, engine, wanted) = (table, engine, Set(ids))
        let columns = state.grid.columns.all.filter { wanted.contains($0.id) }
        startJob(.emptyColumns, "finding empty columns", .rows(table.recordCount)) { control, outbox in
            let numbers = Set(columns.map(\.field.rawValue)).sorted()
            let sample = table.profiles(of: numbers)
            let fields = zip(numbers, sample).filter { $1.sampledCount == $1.emptyCount }
                .map { Field(FieldID(rawValue: $0.0), name: "", kind: .text) }
            // As strings, all fields that are not blank are values.
            let statistics =
                fields.isEmpty
                ? []
                : try engine.statistics(
                    of: fields, in: table, rows: nil, exactLimit: 1 << 10, topCount: 0, details: [], control: control)
            let empty = Set(zip(fields, statistics).filter { $1.valueCount == 0 }.map(\.0.id))
            outbox.send(
                .emptyColumns(
                    columns.filter { empty.contains($0.field) }.map(\.id), rows: table.recordCount, isComplete: table.isComplete))
        }
    }
}
