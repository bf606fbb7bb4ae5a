import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// The number of rows in which a job searches for members of JSON objects and arrays.
    static let expandingRowCount = 10_000

    /// Starts a job that finds the members of the JSON text in a column, and derives a field from each member.
    func startExpanding(_ column: Column) {
        guard !jobs.isRunning(.derive) else { return send(.show(.addingColumn)) }
        let (table, source, schema) = (table, document.input.snapshot(), state.schema)
        guard !table.isSequential else { return send(.show(.cannotExpandOnServer)) }
        let rows = min(table.recordCount, Self.expandingRowCount)
        let existing = state.sheet.derivedFields
        let base = existing.first { $0.field.id == column.field }?.formula ?? .field(column.field)
        let (groupsThousands, columns) = (options.groupsThousands, state.grid.columns.all)
        startJob(.derive, "expanding \(Message.quoted(column.title))", .rows(rows)) { control, outbox in
            var members = JSONMembers()
            try table.scan(0..<rows, columns: [column.field.rawValue]) { _, fields in
                members.add(fields[0])
                return !control.isCancelled
            }
            try control.checkCancellation()
            let (text, path) = base.jsonTextAndPath
            var (fields, names) = (existing, Set(schema.fields.map(\.name)))
            for key in members.keys {
                let plainName = "\(column.title).\(String(decoding: key, as: UTF8.self))"
                let name = names.contains(plainName) ? (2...).lazy.map { "\(plainName) \($0)" }.first { !names.contains($0) }! : plainName
                names.insert(name)
                let formula = Formula.call(.json, [text, .constant(.text(JSONPath.text(path + [key])))])
                fields.append(DerivedField(Field(DerivedField.nextID(after: fields), name: name, kind: .text), formula))
            }
            let new = Array(fields.dropFirst(existing.count))
            let derived = DerivedTable(source, CompiledDerivedFields(fields, schema: Schema(columns)))
            let profiles = derived.profiles(of: new.map(\.field))
            let (hasMore, isComplete) = (members.hasMore, table.isComplete && rows == table.recordCount)
            outbox.post {
                let added = zip(new, profiles).map { Document.column(of: $0, $1, from: columns, groupsThousands: groupsThousands) }
                $0.send(.columnExpanded(column.id, new, added, hasMore: hasMore, rows: isComplete ? nil : rows))
            }
        }
    }

    /// Opens a new sheet with one row for each element of the JSON arrays in a column. Shows a message if the first rows have no arrays.
    func startExpandingRows(_ column: Column) {
        guard !jobs.isRunning(.derive) else { return send(.show(.addingColumn)) }
        let (table, origin) = (table, sheet.id)
        guard !table.isSequential else { return send(.show(.cannotExpandOnServer)) }
        guard table.isComplete else { return send(.show(.cannotExpandYet)) }
        let rows = min(table.recordCount, Self.expandingRowCount)
        let shown = state.grid.columns.visible.filter { $0.id.copy == 0 || $0.id == column.id }
        guard let arrayIndex = shown.firstIndex(where: { $0.id == column.id }) else { return }
        let columns = shown.map { (number: $0.field.rawValue, title: $0.title) }
        let (input, name) = (document.input, "\(document.input.name): \(column.title)")
        startJob(.derive, "expanding \(Message.quoted(column.title))", .rows(rows)) { control, outbox in
            var hasArray = false
            try table.scan(0..<rows, columns: [column.field.rawValue]) { _, fields in
                hasArray = ArrayElements.isArray(fields[0])
                return !hasArray && !control.isCancelled
            }
            try control.checkCancellation()
            guard hasArray else {
                let scanned = rows == table.recordCount ? nil : rows
                return outbox.send(.show(.nothingToExpand(Message.name(column.title), rows: scanned, isArray: true)))
            }
            let sheet = SheetInput(name: name, activity: "expanding") {
                try ElementSource(
                    name: name, table, columns: columns, arrayIndex: arrayIndex, byteCount: input.byteCount, hasNulls: input.hasNulls)
            }
            outbox.post { session in
                do {
                    session.sheetToShow = try session.add([sheet], from: origin).last
                } catch {
                    session.send(.show(.openingFailed(JobFailure.sentence(about: error, "opening"))))
                }
            }
        }
    }
}
