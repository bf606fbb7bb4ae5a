import DataGrid
import DataGridQuery
import DataGridTerminal
import Tables

extension AppState {
    /// Opens the prompt with a pivot table of the current groups and aggregates, whose columns are the values of `column`.
    mutating func openPivotPrompt(by column: Column) -> [AppEffect] {
        var arrangement = query.requested
        arrangement.groups.removeAll { $0 == column.id }
        arrangement.groups.append(column.id)
        let query = query(for: arrangement)
        // Default aggregates could add many columns, so only aggregates that the user has chosen become values of the pivot table.
        let chosen = (arrangement.aggregates ?? []).indices.map { Pivot.Value.aggregate($0) }
        let pivot = Pivot(
            rows: query.groups.dropLast(), column: query.groups[query.groups.count - 1], aggregates: query.aggregates,
            values: chosen.isEmpty ? [.rowCount] : chosen)
        var prompt = FormulaPrompt(purpose: .pivot)
        let text = (try? PivotText(pivot, in: schema))?.text ?? ""
        // Without groups, the user types the row fields before a space.
        prompt.field = LineEditor(pivot.rows.isEmpty ? " " + text : text)
        if pivot.rows.isEmpty { prompt.field.apply(.start) }
        return open(prompt)
    }

    /// The pivot table of a text.
    /// - Throws: `QueryTextError` if a column does not exist, or its type does not fit.
    func pivotTable(_ text: PivotText) throws(QueryTextError) -> Pivot { try text.pivot(in: schema, untypedFields: document.untypedFields) }

    /// Parses a pivot table, and starts the job that computes it. The result is a new sheet.
    mutating func pivot(_ text: String) -> [AppEffect] {
        do {
            return [.pivot(try PivotText(text: text))]
        } catch {
            return show(.formulaInvalid(error.message))
        }
    }
}
