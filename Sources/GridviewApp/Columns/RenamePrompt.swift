import DataGrid
import TerminalSurface

/// The prompt in which the user types a new title for a column.
struct RenamePrompt: Overlay {
    let column: ColumnID
    /// The text field with the typed title.
    var field: PrefilledText

    init(column: ColumnID, title: String) { (self.column, field) = (column, PrefilledText(title)) }

    var contexts: [KeyContext] { [.prompt] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        guard id == .accept || id == .close else { return [] }
        state.overlay = nil
        guard id == .accept else { return [] }
        let effects = state.rename(column, to: field.string)
        // Keep a refused title in the prompt, so that the user can correct it.
        if state.message?.isError == true { state.overlay = self }
        return effects
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        prompt.field.edit(change)
        state.overlay = prompt
        return []
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        guard let y = painter.layout.hintY else { return nil }
        // Shorten the old title in the prompt, so that half of the line is left for the typed text.
        let width = max(4, min(18, painter.state.size.columns / 2 - 12))
        let name = Message.quoted(painter.state.grid.columns[column]?.title ?? "", width: width)
        var hints = [
            painter.promptHints("rename").joined(separator: " · "), painter.shortPromptHints, painter.label(of: .close),
        ]
        let errors = painter.state.message.flatMap { $0.isError ? [$0.text, $0.short ?? ""] : nil }
        // A refused title must be changed first.
        if errors != nil { hints = [painter.promptHints("rename")[1], painter.label(of: .close)] }
        return painter.paintPrompt(
            "Rename \(name): ", field.editor, isSelected: field.isSelected, errors: errors ?? [""], hints: hints, y, on: &buffer)
    }
}
