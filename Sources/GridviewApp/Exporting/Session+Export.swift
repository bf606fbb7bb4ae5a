import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables

extension Session {
    /// Starts a job that checks the file of a request, then writes it. The prompt closes when the check succeeds.
    func startExport(_ request: ExportRequest) {
        let grid = state.grid
        let titles = Dictionary(document.columns.map { ($0.id, $0.title) }) { first, _ in first }
        var columns = grid.columns.visible
        var tree = grid.outline.tree
        if case .selection(let cells) = request.content { (columns, tree) = (cells.columns, nil) }
        let isOpenEnded = request.content == .view && state.isOpenEnded
        let estimate = isOpenEnded ? state.estimatedRowCount ?? 0 : 0
        let output = ViewOutput(
            input: document.input, table: table, columns: Array(columns), allColumns: grid.columns.all,
            renamedColumns: Set(columns.filter { titles[$0.id] != $0.title }.map(\.id)),
            columnsWithChosenType: state.columnsWithChosenType, rows: isOpenEnded ? state.allRows : grid.rows,
            isOpenEnded: isOpenEnded, estimatedRowCount: estimate, tree: tree,
            intervals: state.query.shown.groupIntervals, format: request.format,
            formulaGuard: request.escapesFormulas && request.format.mayHaveFormulas ? FormulaGuard() : nil,
            threads: options.affordableThreads,
            memory: textMemory)
        let query = state.query(for: state.query.shown)
        let compared = QueriedFields(
            filterFields: query.filters.flatMap(\.fields), sortFields: query.groups.map(\.field) + query.sort.map(\.field),
            textFields: state.fieldsChosenAsText)
        let job = ExportJob(output: output, content: request.content, earlyEndReason: sheet.earlyEndReason, comparedFields: compared)
        let (folder, unfinished) = (options.exportFolder, sheet.unfinishedFiles)
        let amount = isOpenEnded ? state.rowCountText : Message.amount(job.count, areGroups: request.content == .groups)
        let openPaths = openPaths
        startJob(.export, "exporting \(amount)", .rows(isOpenEnded ? estimate : job.count)) { control, outbox in
            try control.checkCancellation()
            guard let file = Self.exportFile(request.path, in: folder, replacesFile: request.replacesFile, openPaths: openPaths, outbox)
            else { return }
            let (message, notes) = try unfinished.with(file) { try job.run(to: $0, control) }
            outbox.send(.exported(message, notes: notes))
        }
    }

    /// Starts a job that checks the path of an export before the user chooses a format.
    func checkExportPath(_ path: String) {
        let folder = options.exportFolder
        startJob(.export, "checking the path", .rows(1)) { control, outbox in
            try control.checkCancellation()
            do throws(RequestError) {
                _ = try ExportTarget(path, in: folder)
                outbox.send(.exportPathChecked)
            } catch {
                outbox.send(.exportRefused(.failed(error.message)))
            }
        }
    }

    /// The paths of all open files, because exporting to one of them needs a confirmation.
    var openPaths: [String] { sheets.values.compactMap { $0.document.input.path } }

    /// Creates the temporary file for a request, and closes the prompt. On failure, shows the reason in the prompt and returns `nil`.
    nonisolated static func exportFile(
        _ path: String, in folder: String?, replacesFile: Bool, openPaths: [String], _ outbox: JobOutbox
    ) -> ExportFile? {
        do throws(RequestError) {
            let target = try ExportTarget(path, in: folder)
            guard !target.exists || replacesFile else {
                let isOpen = openPaths.contains(where: target.isFile)
                outbox.send(.exportRefused(isOpen ? .fileIsOpen(target.name) : .fileExists(target.name)))
                return nil
            }
            let file = try ExportFile(for: target)
            outbox.send(.exportStarted)
            return file
        } catch {
            outbox.send(.exportRefused(.failed(error.message)))
            return nil
        }
    }
}
