import DataGrid
import DataGridQuery
import Tables

extension Session {
    /// Samples a derived field, and then shows it as a column.
    func startDeriving(_ field: DerivedField) {
        let table = document.table(deriving: field, from: state.grid.columns.all)
        startReading(.derive, "deriving “\(Message.name(field.field.name))”") {
            .derived(field, table.profiles(of: [field.field.id.rawValue])[0])
        }
    }
}
