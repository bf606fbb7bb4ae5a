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
    /// What a key does while a cell is being edited, by ``GridCommand/table``; `nil` for keys that are the host's: one that leaves by such a key
    /// has what was typed taken first (``GridController/commitEditing()``).
    public static func editorKey(for press: KeyPress, keys: KeyMap<GridCommand> = .standard) -> EditorKey? {
        guard TextField.Edit(typing: press) == nil, case .command(let id) = keys.resolve([press], in: [.editor]) else {
            return TextField.Edit(press, keys: keys).map { .edit($0) }
        }
        switch id {
        case .commitDown: return .commit(.down(1))
        case .commitUp: return .commit(.up(1))
        case .commitNext: return .commit(.nextColumn)
        case .commitPrevious: return .commit(.previousColumn)
        case .commitPageUp: return .commit(.pageUp)
        case .commitPageDown: return .commit(.pageDown)
        case .cancelEditing: return .cancel
        default: return nil
        }
    }
}
