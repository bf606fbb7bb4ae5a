public import DataGrid
public import TerminalSurface

extension GridInput {
    /// The action of a key; `nil` for keys that are the host's.
    ///
    /// The commands and keys are those of ``GridCommand/table``. A letter or sign with Alt is the key without it, unless that has a binding of its
    /// own: where letters are typed into cells at once, commands are run so. While a cell is edited, see ``editorKey(for:keys:)``.
    /// - Parameter begun: the keys of a binding that were pressed before (``isPrefix(_:after:in:keys:)``).
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

    /// Whether a key begins a binding of several keys, or continues one, and so does nothing by itself.
    public static func isPrefix(
        _ press: KeyPress, after begun: [KeyPress] = [], in state: GridState, keys: KeyMap<GridCommand> = .standard
    ) -> Bool {
        guard state.editing == nil, !begun.isEmpty || typedText(press, state) == nil else { return false }
        return keys.resolve((begun + [press]).map(withoutAlt), in: contexts(of: state)) == .prefix
    }

    private static func contexts(of state: GridState) -> [GridCommand.Context] {
        if case .header = state.cursor.item { [.section, .grid] } else { [.grid] }
    }

    /// The key without Alt, and without Shift, which letters and signs have in them.
    private static func withoutAlt(_ press: KeyPress) -> KeyPress {
        guard case .character(let scalar) = press.key, scalar != " ", press.modifiers.isSubset(of: [.shift, .alt]) else { return press }
        return KeyPress(press.key)
    }

    /// The text that a key begins to edit the cell under the cursor with, where typing does that.
    private static func typedText(_ press: KeyPress, _ state: GridState) -> String? {
        guard state.interaction.editsByTyping, state.currentRow != nil, state.currentColumn?.isEditable == true,
            case .character(let scalar) = press.key, case .insert = TextField.Edit(typing: press)
        else { return nil }
        if scalar == " ", press.modifiers == .shift || !state.interaction.space.isEmpty { return nil }
        return String(scalar)
    }
}
