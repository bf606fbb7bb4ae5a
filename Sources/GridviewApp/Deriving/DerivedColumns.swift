import DataGrid
import DataGridSources
import Tables

extension Schema {
    /// Collects the fields of columns, with their titles, their original names and the titles of copies, so that formulas can use all of
    /// them. If a name is the title of one column and another name of a second one, it means the column with this title. O(columns).
    init(_ columns: [Column]) {
        var columns = columns
        var copies: [Column] = []
        // Remove copies of columns, and sort the columns by field. Skip this in the usual case of one ordered column for each field.
        if columns.contains(where: { $0.id.copy != 0 }) {
            copies = columns.filter { $0.id.copy != 0 }
            columns.removeAll { $0.id.copy != 0 }
        }
        if columns.indices.dropFirst().contains(where: { columns[$0].id < columns[$0 - 1].id }) { columns.sort { $0.id < $1.id } }
        func field(_ column: Column, _ name: String) -> Field {
            Field(
                column.field, name: name, kind: column.kind, notation: column.notation, dateNotation: column.dateNotation,
                hasNulls: column.hasNulls)
        }
        var others = columns.filter { $0.valueKey != $0.title }.map { field($0, $0.valueKey) }
        for copy in copies {
            if let original = columns.first(where: { $0.field == copy.field }) { others.append(field(original, copy.title)) }
        }
        if !others.isEmpty {
            let titles = Set(columns.map(\.title))
            others.removeAll { titles.contains($0.name) }
        }
        self.init(columns.map { field($0, $0.title) } + others)
    }
}

extension DerivedField {
    /// The ID for a new derived field: the one after the highest ID in `fields`.
    static func nextID(after fields: [DerivedField]) -> FieldID {
        FieldID(rawValue: fields.last.map { $0.field.id.rawValue + 1 } ?? FieldID.firstDerived.rawValue)
    }
}
