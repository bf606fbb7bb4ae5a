public import DataGrid
public import TerminalSurface

extension LineEditor.Edit {
    /// The character that a key types; `nil` for other keys.
    public init?(typing press: KeyPress) {
        guard case .character(let scalar) = press.key, scalar.value >= 32, press.modifiers.isSubset(of: .shift) else { return nil }
        self = .insert(scalar)
    }

    /// The edit of a line of text by a key; `nil` for other keys.
    public init?(_ press: KeyPress, keys: KeyMap<GridCommand> = .standard) {
        if let typed = Self(typing: press) {
            self = typed
        } else if case .command(let id) = keys.resolve([press], in: [.text]), let edit = id.edit {
            self = edit
        } else {
            return nil
        }
    }
}
