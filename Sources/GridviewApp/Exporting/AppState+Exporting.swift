import DataGrid

extension AppState {
    /// Opens the prompt that asks for the path of the file to export to.
    /// - Parameter valuesPanel: the panel whose values are exported; `nil` to export a part of the sheet.
    mutating func openExport(of valuesPanel: StatisticsPanel? = nil) -> [AppEffect] {
        // Open the prompt even while rows are still being read or sorted, because they may be ready when the user has typed the name.
        if let obstacle = exportObstacle, obstacle != .cannotExportYet { return show(obstacle) }
        let path = exportName(ending: valuesPanel == nil ? "-view" : "-values", isEndingRequired: valuesPanel != nil)
        return open(ExportPrompt(path: path, formats: fileFormats, valuesPanel: valuesPanel))
    }

    /// Exports, or saves the view, to the path typed in the prompt. If an export has no known format, checks the path, then asks for one.
    mutating func export(_ prompt: ExportPrompt) -> [AppEffect] {
        if prompt.savesView {
            var prompt = prompt
            let request = AppEffect.saveView(savedView(), path: prompt.field.string, replacesFile: prompt.replacesFile)
            (prompt.refusal, prompt.isChecking) = (nil, true)
            overlay = prompt
            return [request]
        }
        var prompt = prompt
        if let obstacle = exportObstacle {
            prompt.refusal = .mustWait
            overlay = obstacle == .cannotExportYet ? prompt : nil
            return obstacle == .cannotExportYet ? [] : show(obstacle)
        }
        guard let format = prompt.format else {
            (prompt.refusal, prompt.isChecking) = (nil, true)
            overlay = prompt
            return [.checkExportPath(prompt.field.string)]
        }
        let request = ExportRequest(
            path: prompt.field.string, format: format, content: content(of: prompt), escapesFormulas: prompt.escapesFormulas,
            replacesFile: prompt.replacesFile)
        (prompt.refusal, prompt.isChecking) = (nil, true)
        overlay = prompt
        return [.export(request)]
    }

    /// Asks for the format of an export whose path has no known suffix.
    mutating func chooseExportFormat() -> [AppEffect] {
        guard var prompt = overlay as? ExportPrompt else { return [] }
        prompt.isChecking = false
        let rows = prompt.choices.enumerated().map { index, format in
            ListPanel.Row(text: format.title, detail: format.detail, tag: index)
        }
        sheet.exportPrompt = prompt
        return open(ListPanel(purpose: .exportFormat, title: "Format of \(ExportTarget.name(of: prompt.field.string))", rows: rows))
    }

    /// Shows in the open prompt why the export has not started.
    mutating func refuseExport(_ refusal: ExportRefusal) {
        guard var prompt = overlay as? ExportPrompt else { return }
        (prompt.refusal, prompt.isChecking) = (refusal, false)
        overlay = prompt
    }

    /// Shows that a file was written. The notes often do not fit on the line of the message, so the file details list them.
    mutating func showExported(_ message: Message, _ notes: OutputNotes) {
        sheet.exportNotes = notes.lines
        // Do not count the notes that the first sentence of the message already contains.
        let named = [notes.replacesCharacters, notes.renamesColumns].count { $0 }
        show(notes.lines.count > named ? message.withNotes(notes.lines.count, listKey: key(.about)) : message)
    }

    /// Closes the prompt of an export that has started. If a statistics panel opened the prompt, shows this panel again.
    mutating func closeExportPrompt() { if let prompt = overlay as? ExportPrompt { overlay = prompt.valuesPanel } }

    /// The content that a prompt exports: the values of its statistics panel or, without a panel, ``exportContent``.
    func content(of prompt: ExportPrompt) -> ExportContent { prompt.valuesPanel?.values(in: self).map { .values($0) } ?? exportContent }

    /// The content of an export: the selected cells if there is a selection, the groups if all are collapsed, otherwise all rows of the
    /// view.
    var exportContent: ExportContent {
        if !grid.selection.isEmpty, let cells = grid.cellsToCopy() { return .selection(cells) }
        guard let tree = grid.outline.tree, tree.count > 0, !grid.outline.showsRows else { return .view }
        return .groups
    }

    /// The row count of the view as text, such as `3 rows`, or `≈ 3 rows` for an estimate. Only `rows` if the count is unknown.
    var rowCountText: String {
        if isRowCountExact, query.isSettled { return Message.rows(grid.rows.count) }
        return estimatedRowCount.map { "≈ \(Message.rows($0))" } ?? "rows"
    }

    /// The reason why an export cannot start now; `nil` if it can.
    var exportObstacle: Message? {
        if jobs.contains(where: { $0.kind == .export }) { return .exportRunning(cancelKey: key(.escape)) }
        if grid.columns.count == 0 { return .nothingToExport }
        switch document.reading {
        case .awaited, .failed: return .nothingToExport
        case .running where !document.canBeQueriedWhileIncomplete: return .cannotExportYet
        case .running, .stopped, .complete: break
        }
        let isSpliced = if case .spliced = grid.rows { true } else { false }
        if isOpenEnded {
            // A server can send all rows, but a selection that includes the last rows must wait, because their positions are still unknown.
            let selectsAllRows = grid.selection.isInverted || grid.selection.blocks.contains { $0.rows == nil }
            let canStream = grid.selection.isEmpty ? !grid.rows.isMoved : !isSpliced && !selectsAllRows
            return canStream && query.shown == query.requested ? nil : .cannotExportYet
        }
        return query.isSettled && !isSpliced ? nil : .cannotExportYet
    }

    /// The suggested file name: the name of the open file or of the table on a server, with `.csv`.
    ///
    /// `ending` comes before `.csv` if `isEndingRequired` is true, or if the name would otherwise be that of the open file.
    private func exportName(ending: String, isEndingRequired: Bool) -> String {
        // Use only the last component of a table name on a server, without its schema.
        let table = document.canBeQueriedWhileIncomplete ? document.name.split(separator: ".").last.map(String.init) : nil
        var name = document.isFile ? document.name : table ?? "table"
        if name.contains("/") {
            // The name of a pattern, such as `logs/*.csv`, begins with its folder. The name of a table may contain `/`.
            name =
                RowFormat.isPattern(name)
                ? name.split(separator: "/").first { !RowFormat.isPattern($0) && $0 != ".." }.map(String.init) ?? "table"
                : name.replacing("/", with: "_")
        }
        let stem = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? String(name[..<$0]) : nil } ?? name
        let suffix = OutputFormat.csv.suffix
        return isEndingRequired || "\(stem).\(suffix)" == name ? "\(stem)\(ending).\(suffix)" : "\(stem).\(suffix)"
    }
}

extension ListPanel.Purpose {
    /// The list of formats for an export whose file name has no known suffix.
    static let exportFormat = Self("exportFormat") { state, _, row in
        guard var prompt = state.sheet.exportPrompt else { return [] }
        prompt.chosenFormat = prompt.choices[row.tag]
        return state.export(prompt)
    }
}
