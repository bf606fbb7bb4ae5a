public import DataGrid
public import TerminalSurface

/// The effect of a key while a cell is edited.
public enum EditorKey: Hashable, Sendable {
    /// Changes the text.
    case edit(LineEditor.Edit)
    /// Commits the text, then moves the cursor.
    case commit(GridMotion)
    /// Cancels editing; the cell does not change.
    case cancel
}

extension GridInput {
    /// The effect of a key while a cell is edited, according to ``GridCommand/table``; `nil` for keys of the application. An application
    /// that moves the focus on such a key calls ``GridController/commitEditing()`` first.
    public static func editorKey(for press: KeyPress, keys: KeyMap<GridCommand> = .standard) -> EditorKey? {
        guard LineEditor.Edit(typing: press) == nil, case .command(let id) = keys.resolve([press], in: [.editor]) else {
            return LineEditor.Edit(press, keys: keys).map { .edit($0) }
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
