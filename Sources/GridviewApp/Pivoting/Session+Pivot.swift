import DataGrid
import DataGridQuery
import DataGridSources
import Tables

extension Session {
    /// Starts a job that computes a pivot table, and shows it as a new sheet.
    func startPivoting(_ text: PivotText) {
        guard state.document.canBeQueried else { return send(.show(.pivotsWhenRead)) }
        let job: PivotJob
        do {
            job = try pivotJob(text)
        } catch {
            return send(.show(.formulaInvalid(error.message)))
        }
        let (name, origin) = ("\(document.input.name): \(text.title)", sheet.id)
        startJob(.pivot, "computing the pivot table", .rows(table.recordCount)) { control, outbox in
            let source = try job.run(name: name, control)
            outbox.post { session in
                do {
                    let sheet = SheetInput(name: name, takesOptions: false) { source }
                    session.sheetToShow = try session.add([sheet], from: origin).last
                } catch {
                    session.send(.show(.openingFailed(JobFailure.sentence(about: error, "opening"))))
                }
            }
        }
    }

    /// The job that computes a pivot table of the rows that match the filters.
    /// - Throws: `QueryTextError` if a column does not exist, or its type does not fit.
    func pivotJob(_ text: PivotText) throws(QueryTextError) -> PivotJob {
        let schema = state.schema
        let untyped = state.grid.columns.all.lazy.filter { self.document.isUntyped($0.id) }.map(\.field)
        var job = PivotJob(
            engine: engine, table: document.source.inputSnapshot, schema: schema, base: state.query(for: state.query.requested),
            pivot: try text.pivot(in: schema, untyped: Set(untyped)), known: sheet.filtered?.result)
        let columns = state.grid.columns.all
        job.describeLeftOutValues = { Message.leftOutValues($0, in: columns) }
        return job
    }
}
