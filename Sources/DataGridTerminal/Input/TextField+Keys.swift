public import DataGrid
public import TerminalSurface

extension TextField.Edit {
    /// What a key does to a line of text, by the map that shells have; `nil` for keys that are not for text.
    public init?(_ press: KeyPress) {
        switch (press.key, press.modifiers) {
        case (.character(let scalar), []) where scalar.value >= 32, (.character(let scalar), .shift) where scalar.value >= 32:
            self = .insert(scalar)
        case (.backspace, []), (.character("h"), .control): self = .deleteBackward
        case (.delete, []): self = .deleteForward
        case (.left, []), (.character("b"), .control): self = .left
        case (.right, []), (.character("f"), .control): self = .right
        case (.home, []), (.character("a"), .control): self = .start
        case (.end, []), (.character("e"), .control): self = .end
        case (.character("u"), .control): self = .deleteToStart
        case (.character("k"), .control): self = .deleteToEnd
        case (.character("w"), .control), (.backspace, .alt), (.backspace, .control): self = .deleteWord
        default: return nil
        }
    }
}

extension TextField {
    /// Takes a key that edits text.
    /// - Returns: whether the key was one.
    public mutating func take(_ press: KeyPress) -> Bool {
        guard let edit = Edit(press) else { return false }
        apply(edit)
        return true
    }
}
