import DataGrid
import DataGridTerminal
import TerminalSurface

/// The prompt that asks for the path of an exported file or a saved view. Lines above the prompt describe the content, or say why the
/// export has not started.
struct ExportPrompt: Overlay {
    /// The text field with the typed path.
    var field: PrefilledText
    /// The format that the user has chosen for a path without a known suffix; `nil` before the choice.
    var chosenFormat: FileFormat?
    /// True to make formulas in CSV and TSV harmless for spreadsheets.
    var escapesFormulas = false
    /// True to save the view as a file; false to export.
    var savesView = false
    /// The reason why Enter did not start the export; `nil` before Enter, and after a change of the path or an option.
    var refusal: ExportRefusal?
    /// True after Enter, while a job checks whether the file can be written.
    var isChecking = false

    /// The panel whose values are exported; `nil` to export a part of the sheet. When the prompt closes, the panel is shown again.
    let valuesPanel: StatisticsPanel?

    /// True if Enter replaces an existing file, because a message has already said that the file exists.
    var replacesFile: Bool {
        switch refusal {
        case .fileExists, .fileIsOpen: true
        case .failed, .mustWait, nil: false
        }
    }

    /// The format of the typed suffix or, if it is unknown, the format that the user has chosen.
    var format: FileFormat? { formats.format(fileName: field.string) ?? chosenFormat }

    /// The formats that the user can choose from if the typed path has no known suffix.
    var choices: [FileFormat] { formats.choices(fileName: field.string) }

    private let formats: FileFormats

    init(path: String, formats: FileFormats, valuesPanel: StatisticsPanel? = nil) {
        (field, self.formats, self.valuesPanel) = (PrefilledText(path), formats, valuesPanel)
    }

    var contexts: [KeyContext] { savesView ? [.prompt] : [.export, .prompt] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        switch id {
        case .close:
            state.overlay = valuesPanel
            return effectsToStopChecking
        case .accept: return isChecking ? [] : state.export(self)
        case .toggleFormulaEscaping:
            prompt.escapesFormulas.toggle()
            return change(to: prompt, in: &state)
        default: return []
        }
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        prompt.field.edit(change)
        if prompt.field.string != field.string { prompt.chosenFormat = nil }
        return self.change(to: prompt, in: &state)
    }

    /// Shows a changed prompt. Cancels the check of the earlier path, and asks again before an existing file is replaced.
    @MainActor private func change(to prompt: ExportPrompt, in state: inout AppState) -> [AppEffect] {
        var prompt = prompt
        (prompt.refusal, prompt.isChecking) = (nil, false)
        state.overlay = prompt
        return effectsToStopChecking
    }

    private var effectsToStopChecking: [AppEffect] { isChecking ? [.cancel(.export)] : [] }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        painter.layout.hintY.map { painter.paintExport(self, $0, on: &buffer) }
    }
}

extension AppPainter {
    /// Draws the prompt of an export.
    /// - Returns: The position of the text cursor.
    fileprivate func paintExport(_ prompt: ExportPrompt, _ y: Int, on buffer: inout CellBuffer) -> (x: Int, y: Int) {
        let mainHints = promptHints(prompt.replacesFile ? "replace" : prompt.savesView ? "save" : "export")
        let offersEscaping = !prompt.savesView && prompt.format.map(\.mayHaveFormulas) ?? true
        let escapingHint = "\(label(of: .toggleFormulaEscaping)) \(prompt.escapesFormulas ? "unchanged cells" : "safe for spreadsheets")"
        let hints =
            [(offersEscaping ? [escapingHint] : []) + mainHints, mainHints].map { $0.joined(separator: " · ") }
            + [shortPromptHints, label(of: .close)]
        let cursor = paintPrompt(
            prompt.savesView ? "Save view to: " : "Export to: ", prompt.field.editor, isSelected: prompt.field.isSelected, hints: hints, y,
            on: &buffer)
        let room = max(1, state.size.columns - 2)
        // When the rows are ready, hide the message that they are not ready.
        let refusal = prompt.refusal == .mustWait && state.exportObstacle != .cannotExportYet ? nil : prompt.refusal
        let text = refusal?.message(acceptKey: label(of: .accept)).text ?? explanation(prompt)
        let lines = TextWrap.lines(text, width: room).prefix(min(4, y))
        let top = y - lines.count
        buffer.fill(TerminalRect(x: 0, y: top, width: state.size.columns, height: lines.count), style: theme.row.textStyle)
        let style = refusal == nil ? theme.hint : theme.error
        for (n, line) in lines.enumerated() { write(line, x: 1, y: top + n, width: room, style: style, on: &buffer) }
        return cursor
    }

    /// A line that describes the content and the format of the export.
    private func explanation(_ prompt: ExportPrompt) -> String {
        if prompt.savesView { return "Filters, sorting, groups, columns and types of this view." }
        let content =
            switch state.content(of: prompt) {
            case .view: "All \(state.rowCountText)"
            case .selection(let cells): "Selection of \(Message.rows(cells.rowCount))"
            case .groups: "Collapsed groups"
            case .values(let values):
                "Values of \(Message.name(values.column.title)) with counts: \(ValueText.count(values.valueNumbers.count))"
            }
        guard let format = prompt.format else {
            return "\(content). The suffix (.csv, .csv.gz, .arrow …) sets the format. Without a suffix, you choose the format."
        }
        return "\(content) as \(format.title)\(prompt.escapesFormulas && format.mayHaveFormulas ? ", safe for spreadsheets" : "")."
    }
}
