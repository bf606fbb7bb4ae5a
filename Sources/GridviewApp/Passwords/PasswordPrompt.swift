import DataGrid
import DataGridTerminal
import TerminalSurface

/// The prompt for the password of a server. The typed text is neither shown nor stored.
struct PasswordPrompt: Overlay {
    /// The user and the server, such as `alice@db.example.com`.
    let account: String
    /// A sentence that says why a password is needed and how to avoid the question.
    let reason: String
    /// True if the server has refused the last password.
    let wasPasswordRefused: Bool
    /// The typed password.
    private(set) var field = LineEditor()

    init(account: String, reason: String, wasPasswordRefused: Bool) {
        (self.account, self.reason, self.wasPasswordRefused) = (account, reason, wasPasswordRefused)
    }

    var contexts: [KeyContext] { [.prompt] }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        switch id {
        case .accept:
            guard !field.text.isEmpty else { return [] }
            state.overlay = nil
            return [.supplyPassword(field.string)]
        case .close:
            state.overlay = nil
            return [.declinePassword]
        default: return []
        }
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var prompt = self
        change(&prompt.field)
        state.overlay = prompt
        return []
    }

    /// The text field with a dot instead of each typed character.
    private var maskedField: LineEditor {
        var editor = LineEditor(String(repeating: "•", count: field.text.count))
        for _ in field.cursor..<field.text.count { editor.apply(.left) }
        return editor
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        guard let y = painter.layout.hintY else { return nil }
        let width = painter.state.size.columns
        let hints = [painter.promptHints("connect").joined(separator: " · "), painter.shortPromptHints, painter.label(of: .close)]
        let label = "Password for \(Message.name(account, width: max(8, width / 2 - 16))): "
        let cursor = painter.paintPrompt(label, maskedField, hints: hints, y, on: &buffer)
        let text = wasPasswordRefused ? "The password was refused. Type it again." : reason
        if y > 0 {
            buffer.fill(TerminalRect(x: 0, y: y - 1, width: width, height: 1), style: painter.theme.row.textStyle)
            painter.write(
                Message.fitting(text, width: width - 2), x: 1, y: y - 1, width: width - 2,
                style: wasPasswordRefused ? painter.theme.error : painter.theme.hint, on: &buffer)
        }
        return cursor
    }
}
