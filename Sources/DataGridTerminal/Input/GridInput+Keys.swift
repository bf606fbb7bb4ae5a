public import DataGrid
public import TerminalSurface

extension GridInput {
    /// The action of a key; `nil` for keys of the application, and for the first key of a binding of several keys.
    ///
    /// ``GridCommand/table`` defines the commands and keys. Alt with a character acts like the character alone, unless Alt with the
    /// character has its own binding. Therefore, commands can be run even if typing edits cells. While a cell is edited, use
    /// ``editorKey(for:keys:)``.
    public static func action(for press: KeyPress, in state: GridState, keys: KeyMap<GridCommand> = .standard) -> GridAction? {
        if case .command(let action) = resolve([press], in: state, keys: keys) { action } else { nil }
    }

    /// Looks up several keys, such as the keys of a ``KeySequence``, like ``action(for:in:keys:)``. Finds nothing while a cell is edited.
    public static func resolve(_ sequence: [KeyPress], in state: GridState, keys: KeyMap<GridCommand> = .standard)
        -> KeyResolution<GridAction>
    {
        guard state.editing == nil else { return .none }
        let contexts = contexts(of: state)
        let plain = sequence.map(withoutAlt)
        if sequence.count == 1, let typed = typedText(sequence[0], state) { return .command(.requestEdit(typed: typed)) }
        if keys.resolve(plain, in: contexts) == .prefix { return .prefix }
        for context in contexts {
            for keyList in [sequence, plain] {
                if case .command(let id) = keys.resolve(keyList, in: [context]), let action = action(of: id, in: state) {
                    return .command(action)
                }
            }
        }
        return .none
    }

    private static func contexts(of state: GridState) -> [GridCommand.Context] {
        if case .header = state.cursor.item { [.section, .grid] } else { [.grid] }
    }

    /// The key without Alt and Shift. Shift is not needed, because the character already includes its effect.
    private static func withoutAlt(_ press: KeyPress) -> KeyPress {
        guard case .character(let scalar) = press.key, scalar != " ", press.modifiers.isSubset(of: [.shift, .alt]) else { return press }
        return KeyPress(press.key)
    }

    /// The text with which a key starts to edit the cell under the cursor; `nil` if the key or a policy does not allow it.
    static func typedText(_ press: KeyPress, _ state: GridState) -> String? {
        guard state.interaction.editsByTyping, state.currentRow != nil, state.currentColumn?.isEditable == true,
            case .character(let scalar) = press.key, case .insert = LineEditor.Edit(typing: press)
        else { return nil }
        if scalar == " ", press.modifiers == .shift || !state.interaction.space.isEmpty { return nil }
        return String(scalar)
    }
}
