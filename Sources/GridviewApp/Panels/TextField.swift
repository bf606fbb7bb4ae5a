public import TerminalSurface

/// A line of text being typed.
public struct TextField: Equatable, Sendable {
    /// What was typed, a grapheme cluster each; never a line end or an escape.
    public private(set) var text: [Character]
    /// Where typing inserts: before which character.
    public private(set) var cursor: Int

    /// A field that holds `text`, with the cursor behind it.
    public init(_ text: String = "") {
        self.text = Array(text)
        cursor = self.text.count
    }

    /// The text as a string. O(characters).
    public var string: String { String(text) }

    /// Takes a key that edits text.
    /// - Returns: whether the key was one.
    public mutating func take(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let scalar), []) where scalar.value >= 32, (.character(let scalar), .shift) where scalar.value >= 32:
            insert(String(scalar))
        case (.backspace, []), (.character("h"), .control):
            guard cursor > 0 else { return true }
            cursor -= 1
            text.remove(at: cursor)
        case (.delete, []):
            if cursor < text.count { text.remove(at: cursor) }
        case (.left, []), (.character("b"), .control): cursor = max(0, cursor - 1)
        case (.right, []), (.character("f"), .control): cursor = min(text.count, cursor + 1)
        case (.home, []), (.character("a"), .control): cursor = 0
        case (.end, []), (.character("e"), .control): cursor = text.count
        case (.character("u"), .control):
            text.removeFirst(cursor)
            cursor = 0
        case (.character("k"), .control): text.removeLast(text.count - cursor)
        case (.character("w"), .control), (.backspace, .alt), (.backspace, .control):
            var start = cursor
            while start > 0, text[start - 1] == " " { start -= 1 }
            while start > 0, text[start - 1] != " " { start -= 1 }
            text.removeSubrange(start..<cursor)
            cursor = start
        default: return false
        }
        return true
    }

    /// Inserts text; what would not fit a line is left out.
    public mutating func insert(_ string: String) {
        let characters = string.filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" && $0 != "\u{1b}" }
        text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }
}
