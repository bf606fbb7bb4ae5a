import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

extension AppState {
    /// The fields of the file and all derived fields, whose names filters and formulas can use.
    var schema: Schema { Schema(grid.columns.all) }

    /// The derived fields that a column shows, in the order in which they were defined.
    var derivedFields: [DerivedField] {
        let fields = sheet.derivedFields
        if fields.isEmpty { return [] }
        let shown = Set(grid.columns.all.map(\.field))
        return fields.filter { shown.contains($0.field.id) }
    }

    /// The definitions of derived fields, written with the original column names of the file. Therefore the definitions stay valid when
    /// columns are renamed, and when the file is opened again.
    func definitions(of fields: [DerivedField]) -> [String] {
        if fields.isEmpty { return [] }
        let schema = Schema(fileSchema.fields + fields.map(\.field))
        return fields.map { $0.text(in: schema) }
    }

    func derivedField(_ definition: String) throws(FilterError) -> DerivedField {
        try DerivedField(definition, id: DerivedField.nextID(after: sheet.derivedFields), in: schema)
    }

    /// Parses a definition, and starts a job that samples the new field. ``AppAction/derived(_:_:)`` then adds the column.
    mutating func derive(_ definition: String) -> [AppEffect] {
        do {
            return [.derive(try derivedField(definition))]
        } catch {
            return show(.formulaInvalid(error.message))
        }
    }

    /// Inserts a derived column to the right of the current one.
    mutating func show(_ field: DerivedField, as column: Column) -> [AppEffect] {
        sheet.derivedFields.append(field)
        let all = grid.columns.all
        let current = grid.currentColumn.flatMap { current in all.firstIndex { $0.id == current.id } }
        controller.perform(.insertColumns([column], atPlace: current.map { $0 + 1 } ?? all.count))
        sheet.openedView.columns.append(column)
        if let index = grid.columns.index(of: column.id) { controller.perform(.move(.column(index))) }
        show(.columnAdded(Message.name(column.title), field.formula.text(in: schema)))
        return [.columnsAdded([column], deriving: field)]
    }
}
