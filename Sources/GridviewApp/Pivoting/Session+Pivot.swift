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
        let (name, origin, command) = (text.name(of: document.input), sheet.id, state.pivotCommand(job.pivot))
        startJob(.pivot, PivotedInput.activity, .rows(table.recordCount)) { control, outbox in
            let source = try job.run(name: name, control)
            outbox.post { session in
                do {
                    var sheet = SheetInput(name: name, usesLaunchOptions: false) { source }
                    sheet.pivotCommand = command
                    session.sheetToShow = try session.add([sheet], from: origin).last
                } catch {
                    session.send(.show(.openingFailed(JobFailure.sentence(about: error, "opening"))))
                }
            }
        }
    }

    // MARK: The option --pivot

    /// Reads the input of the option `--pivot` to its end, computes the pivot table, and shows it instead of the input.
    func openPivot(of input: any TableSource) {
        let options = options
        startJob(.pivot, "reading", .bytes(input.byteCount)) { control, outbox in
            let read = try PivotedInput.ReadInput(input, options, control)
            try control.checkCancellation()
            outbox.post { session in
                do {
                    session.computePivot(try PivotedInput(read, options: options, isShown: true))
                } catch {
                    session.failOpening(error)
                }
            }
        }
    }

    private func computePivot(_ pivoted: PivotedInput) {
        let (job, name, notes) = (pivoted.job, pivoted.name, pivoted.notes)
        startJob(.pivot, PivotedInput.activity, .rows(job.table.recordCount)) { control, outbox in
            let source = try job.run(name: name, control)
            let opened = OpenedInput(source)
            let found = notes.find(hasRows: source.snapshot().recordCount > 0)
            outbox.post { session in
                session.closingNotes = found.lines
                session.sheet.pivotCommand = pivoted.command
                session.use(pivoted.options)
                session.show(opened)
            }
        }
    }

    // MARK: Jobs

    /// The job that computes a pivot table of the rows that match the filters.
    /// - Throws: `QueryTextError` if a column does not exist, or its type does not fit.
    func pivotJob(_ text: PivotText) throws(QueryTextError) -> PivotJob {
        var job = PivotJob(
            engine: engine, table: document.source.inputSnapshot, schema: state.schema, base: state.query(for: state.query.requested),
            pivot: try state.pivotTable(text), earlierFilterResult: sheet.filteredRows?.result)
        (job.inputByteCount, job.inputProblems) = (document.input.byteCount, sheet.problems)
        let columns = state.grid.columns.all
        job.describeLeftOutValues = { Message.leftOutValues($0, in: columns) }
        return job
    }
}
