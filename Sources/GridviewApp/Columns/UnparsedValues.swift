import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

/// The number of values that cannot be read as the type of their column, such as `n/a` in a column of numbers.
public struct UnparsedValues: Equatable, Sendable {
    /// The number of values that cannot be read as the type.
    var count: Int
    /// The number of all values that are not empty.
    var valueCount: Int

    /// Both counts as a clause for a message, such as `2 of 50 values are invalid (underlined)`.
    var phrase: String {
        switch count {
        case 0: "all values are valid"
        case valueCount: "no value is valid"
        default:
            "\(ValueText.count(count)) of \(ValueText.count(valueCount)) values \(count == 1 ? "is" : "are") invalid (underlined)"
        }
    }
}

extension Session {
    /// Starts a job that counts the values that cannot be read as the new type of these columns. The message about the new type then shows
    /// their number.
    func startCountingUnparsedValues(_ ids: [ColumnID]) {
        guard state.document.canBeQueried else { return }
        let (schema, table, engine) = (state.schema, table, engine)
        let fields = ids.compactMap { schema[$0.field] }.filter { $0.kind != .text }
        guard !fields.isEmpty, fields.count == ids.count else { return }
        startJob(.lookUp, "checking values", .rows(table.recordCount)) { control, outbox in
            let statistics = try engine.statistics(
                of: fields, in: table, rows: nil, exactLimit: 1 << 10, topCount: 0, details: [], control: control)
            let count = statistics.reduce(0) { $0 + $1.unreadableCount }
            let values = statistics.reduce(0) { $0 + $1.valueCount }
            outbox.send(.unparsedValuesCounted(ids, UnparsedValues(count: count, valueCount: values + count)))
        }
    }
}
