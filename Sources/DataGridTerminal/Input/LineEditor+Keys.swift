public import DataGrid
public import TerminalSurface

extension LineEditor.Edit {
    /// The insertion of the character that a key types; `nil` for keys that type no character.
    public init?(typing press: KeyPress) {
        guard case .character(let scalar) = press.key, scalar.value >= 32, press.modifiers.isSubset(of: .shift) else { return nil }
        self = .insert(scalar)
    }

    /// The edit that a key makes in a line of text; `nil` for keys that make none.
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
