import DataGrid
import DataGridQuery
import Tables

extension Session {
    /// Samples a derived field, and then shows it as a column.
    func startDeriving(_ field: DerivedField) {
        guard !jobs.isRunning(.derive) else {
            return send(.say(.addingColumn))
        }
        let table = document.table(deriving: field, from: state.grid.columns.all)
        startJob(.derive, "adding column \(Message.name(field.field.name))", .rows(1)) { _, letters in
            letters.post(.derived(field, table.profiles(of: [field.field.id.rawValue])[0]))
        }
    }
}
