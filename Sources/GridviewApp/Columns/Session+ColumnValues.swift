import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

extension Session {
    /// The maximum number of columns for which the list of columns shows values.
    private static let maximumColumns = 10_000
    /// The maximum length of a value in the list of columns, in bytes. Longer values are cut.
    private static let maximumValueBytes = 80

    /// Reads the values of these columns in the current row, to show them in the list of columns.
    func startReadingColumnValues(_ ids: [ColumnID]) {
        guard let row = state.grid.currentRow, !row.isCountedFromEnd else { return }
        let (schema, table, length) = (state.schema, table, Self.maximumValueBytes)
        let ids = ids.prefix(Self.maximumColumns).filter { schema[$0.field] != nil }
        let fields = Set(ids.map(\.field.rawValue)).sorted()
        guard !fields.isEmpty else { return }
        startJob(.columnValues, "reading the row", .rows(1)) { _, outbox in
            var texts: [Int: String] = [:]
            try table.read(row.rawValue, columns: fields) { values in
                for (field, value) in zip(fields, values) where !value.isBlank {
                    var text = String(decoding: value.bytes.prefix(length), as: UTF8.self)
                    // The byte limit may cut the last character in the middle, which leaves U+FFFD. Remove it.
                    while text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
                    texts[field] = text
                }
            }
            let values = Dictionary(ids.map { ($0, texts[$0.field.rawValue] ?? "") }) { first, _ in first }
            outbox.send(.columnValuesRead(values, row: row.number + 1))
        }
    }
}
