public import DataGrid
public import TerminalSurface

extension GridInput {
    /// The action of a key; `nil` for keys of the application.
    ///
    /// Commands and keys are those of ``GridCommand/table``. Alt with a character acts like the character alone, unless it has its own
    /// binding. Commands can thus be run even if typing edits cells. While a cell is edited, use ``editorKey(for:keys:)``.
    /// - Parameter begun: the earlier keys of a binding of several keys (``isPrefix(_:after:in:keys:)``).
    public static func action(
        for press: KeyPress, after begun: [KeyPress] = [], in state: GridState, keys: KeyMap<GridCommand> = .standard
    ) -> GridAction? {
        if begun.isEmpty, let typed = typedText(press, state) { return .requestEdit(typed: typed) }
        for place in contexts(of: state) {
            for keyList in [begun + [press], (begun + [press]).map(withoutAlt)] {
                if case .command(let id) = keys.resolve(keyList, in: [place]), let action = action(of: id, in: state) { return action }
            }
        }
        return nil
    }

    /// True if a key starts or continues a binding of several keys, and has no effect by itself.
    public static func isPrefix(
        _ press: KeyPress, after begun: [KeyPress] = [], in state: GridState, keys: KeyMap<GridCommand> = .standard
    ) -> Bool {
        guard state.editing == nil, !begun.isEmpty || typedText(press, state) == nil else { return false }
        return keys.resolve((begun + [press]).map(withoutAlt), in: contexts(of: state)) == .prefix
    }

    private static func contexts(of state: GridState) -> [GridCommand.Context] {
        if case .header = state.cursor.item { [.section, .grid] } else { [.grid] }
    }

    /// The key without Alt and Shift; a character includes the effect of Shift.
    private static func withoutAlt(_ press: KeyPress) -> KeyPress {
        guard case .character(let scalar) = press.key, scalar != " ", press.modifiers.isSubset(of: [.shift, .alt]) else { return press }
        return KeyPress(press.key)
    }

    /// The text with which a key starts to edit the cell under the cursor, if typing edits cells.
    static func typedText(_ press: KeyPress, _ state: GridState) -> String? {
        guard state.interaction.editsByTyping, state.currentRow != nil, state.currentColumn?.isEditable == true,
            case .character(let scalar) = press.key, case .insert = LineEditor.Edit(typing: press)
        else { return nil }
        if scalar == " ", press.modifiers == .shift || !state.interaction.space.isEmpty { return nil }
        return String(scalar)
    }
}
