import DataGrid
import DataGridQuery
import Tables

extension Session {
    func startDeriving(_ field: DerivedField) {
        guard !jobs.isRunning(.derive) else {
            return send(.show(.addingColumn))
        }
        let columns = state.grid.columns.all
        let table = DerivedTable(document.input.snapshot(), document.compiledFields(adding: [field], from: columns))
        let groupsThousands = options.groupsThousands
        startJob(.derive, "adding column \(Message.quoted(field.field.name))", .rows(1)) { _, outbox in
            let profile = table.profiles(of: [field.field])[0]
            outbox.post { session in
                session.send(.columnDerived(field, Document.column(of: field, profile, from: columns, groupsThousands: groupsThousands)))
                guard profile.sampledCount > 0, profile.sampledCount == profile.emptyCount else { return }
                let formula = field.formula.text(in: session.state.schema)
                session.send(.show(.columnAdded(Message.name(field.field.name), formula, isEmpty: true)))
            }
        }
    }
}
