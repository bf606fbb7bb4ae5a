import DataGrid
import DataGridQuery
import DataGridSources
import Tables

extension Session {
    /// The job that computes a pivot table of the rows that match the filters.
    /// - Throws: `QueryTextError` if a column does not exist, or its type does not fit.
    func pivotJob(_ text: PivotText) throws(QueryTextError) -> PivotJob {
        let schema = state.schema
        let untyped = state.grid.columns.all.lazy.filter { self.document.isUntyped($0.id) }.map(\.field)
        return PivotJob(
            engine: engine, table: document.source.inputSnapshot, schema: schema, base: state.query(for: state.query.requested),
            pivot: try text.pivot(in: schema, untyped: Set(untyped)), known: sheet.filtered?.result)
    }
}
