import DataGrid
import DataGridSources
import Tables

extension Schema {
    /// The fields of columns, by their titles and by their original names. O(columns).
    init(_ columns: [Column]) {
        var columns = columns
        // Usually every field has one column, and the columns are in order. Then nothing is removed or sorted.
        if columns.contains(where: { $0.id.copy != 0 }) { columns.removeAll { $0.id.copy != 0 } }
        if columns.indices.dropFirst().contains(where: { columns[$0].id < columns[$0 - 1].id }) { columns.sort { $0.id < $1.id } }
        func field(_ column: Column, _ name: String) -> Field {
            Field(
                column.field, name: name, kind: column.kind, notation: column.notation, dateNotation: column.dateNotation,
                hasNulls: column.hasNulls)
        }
        let renamed = columns.filter { $0.valueKey != $0.title }
        self.init(columns.map { field($0, $0.title) } + renamed.map { field($0, $0.valueKey) })
    }
}

extension DerivedField {
    /// The ID of the next derived field after the existing `fields`.
    static func nextID(after fields: [DerivedField]) -> FieldID {
        FieldID(rawValue: fields.last.map { $0.field.id.rawValue + 1 } ?? FieldID.firstDerived.rawValue)
    }
}
