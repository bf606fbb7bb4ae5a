import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal

extension Session {
    /// Checks the file of a request, and writes it. The prompt stays open until the file is found to be writable.
    func startExport(_ request: ExportRequest) {
        let grid = state.grid
        let titles = Dictionary(document.columns.map { ($0.id, $0.title) }) { first, _ in first }
        var columns = grid.columns.visible
        var tree = grid.outline.tree
        if case .selection(let cells) = request.content { (columns, tree) = (cells.columns, nil) }
        let output = ViewOutput(
            input: document.input, table: table, columns: Array(columns), allColumns: grid.columns.all,
            renamed: Set(columns.filter { titles[$0.id] != $0.title }.map(\.id)), rows: grid.rows, tree: tree,
            intervals: state.query.shown.groupIntervals, format: request.format,
            formulas: request.isSafe && request.format.mayHaveFormulas ? FormulaGuard() : nil, threads: options.affordableThreads,
            memory: textMemory)
        let work = ExportWork(output: output, content: request.content)
        let (folder, unfinished) = (options.exportFolder, sheet.unfinishedFiles)
        let amount = Message.amount(work.count, areGroups: request.content == .groups)
        startJob(.export, "exporting \(amount)", .rows(work.count)) { control, outbox in
            try control.checkCancellation()
            let file: ExportFile
            do throws(RequestError) {
                let target = try ExportTarget(request.path, in: folder)
                guard !target.exists || request.replaces else {
                    return outbox.send(.exportRefused(.fileExists(target.name)))
                }
                file = try ExportFile(for: target)
            } catch {
                return outbox.send(.exportRefused(.failed(error.message)))
            }
            outbox.send(.exportStarted)
            let message = try unfinished.with(file) { try work.run(to: $0, control) }
            outbox.send(.say(message))
        }
    }
}
