import DataGrid
import DataGridQuery
import Tables

extension Session {
    /// Samples a derived field, and then shows it as a column.
    func startDeriving(_ field: DerivedField) {
        guard !jobs.isRunning(.derive) else {
            let text = "Another column is still being added. Add this one when that is done."
            return send(.say(Message(text, short: "Busy with another.", isError: true)))
        }
        let table = document.table(deriving: field, from: state.grid.columns.all)
        startJob(.derive, "deriving “\(Message.name(field.field.name))”", .rows(1)) { _, letters in
            letters.post(.derived(field, table.profiles(of: [field.field.id.rawValue])[0]))
        }
    }
}
