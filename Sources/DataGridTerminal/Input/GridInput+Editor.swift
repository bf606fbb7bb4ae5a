public import DataGrid
public import TerminalSurface

/// What a key does while a cell is being edited.
public enum EditorKey: Hashable, Sendable {
    /// Changes the text.
    case edit(TextField.Edit)
    /// Has the text taken, and then moves on.
    case commit(GridMotion)
    /// Leaves the cell as it was.
    case cancel
}

extension GridInput {
    /// What a key does while a cell is being edited; `nil` for keys that are the host's: one that leaves by such a key has what was typed
    /// taken first (``GridController/commitEditing()``).
    ///
    /// Enter takes the text and goes down, with Shift up; Tab goes to the next cell; up, down and the page keys take it and move; Escape leaves
    /// the cell as it was; what remains edits the text as in a shell.
    public static func editorKey(for press: KeyPress) -> EditorKey? {
        let isShifted = press.modifiers == .shift
        guard isShifted || press.modifiers.isEmpty else { return TextField.Edit(press).map { .edit($0) } }
        switch press.key {
        case .enter: return .commit(isShifted ? .up(1) : .down(1))
        case .tab: return .commit(isShifted ? .previousColumn : .nextColumn)
        case .up: return .commit(.up(1))
        case .down: return .commit(.down(1))
        case .pageUp: return .commit(.pageUp)
        case .pageDown: return .commit(.pageDown)
        case .escape: return .cancel
        default: return TextField.Edit(press).map { .edit($0) }
        }
    }
}
