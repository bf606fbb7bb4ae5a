/// A line of text being typed.
public struct TextField: Hashable, Sendable {
    /// What was typed, a grapheme cluster each. Typing and pasting put no line end and no escape there.
    public private(set) var text: [Character]
    /// Where typing inserts: before which character.
    public private(set) var cursor: Int

    /// A field that holds `text` as it is, with the cursor behind it.
    public init(_ text: String = "") {
        self.text = Array(text)
        cursor = self.text.count
    }

    /// The text as a string. O(characters).
    public var string: String { String(text) }

    /// What a key does to the text, or to the place in it.
    public enum Edit: Hashable, Sendable {
        /// A character typed at the cursor.
        case insert(Unicode.Scalar)
        /// Deletes the character before the cursor.
        case deleteBackward
        /// Deletes the character behind the cursor.
        case deleteForward
        /// Moves the cursor left by a character.
        case left
        /// Moves the cursor right by a character.
        case right
        /// Moves the cursor before the text.
        case start
        /// Moves the cursor behind the text.
        case end
        /// Deletes everything before the cursor.
        case deleteToStart
        /// Deletes everything behind the cursor.
        case deleteToEnd
        /// Deletes the word before the cursor, with the blanks behind it.
        case deleteWord
    }

    /// Changes the text or the cursor. O(characters).
    public mutating func apply(_ edit: Edit) {
        switch edit {
        case .insert(let scalar): insert(String(scalar))
        case .deleteBackward:
            guard cursor > 0 else { return }
            cursor -= 1
            text.remove(at: cursor)
        case .deleteForward: if cursor < text.count { text.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .start: cursor = 0
        case .end: cursor = text.count
        case .deleteToStart:
            text.removeFirst(cursor)
            cursor = 0
        case .deleteToEnd: text.removeLast(text.count - cursor)
        case .deleteWord:
            var start = cursor
            while start > 0, text[start - 1] == " " { start -= 1 }
            while start > 0, text[start - 1] != " " { start -= 1 }
            text.removeSubrange(start..<cursor)
            cursor = start
        }
    }

    /// Inserts text; what would not fit a line is left out.
    public mutating func insert(_ string: String) {
        let characters = string.filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" && $0 != "\u{1b}" }
        text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }

    /// Inserts text from elsewhere as a person would type it: line ends and tabs between words are blanks, a line end behind the last is
    /// nothing, and no other control character is let in.
    public mutating func paste(_ string: String) {
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in string.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            switch scalar {
            case "\n" where isAfterReturn: break
            case "\n", "\r", "\t": scalars.append(" ")
            default: if scalar.properties.generalCategory != .control { scalars.append(scalar) }
            }
        }
        if let last = string.unicodeScalars.last, last == "\n" || last == "\r" { scalars.removeLast() }
        insert(String(scalars))
    }
}
