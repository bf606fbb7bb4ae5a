/// A line of editable text with a cursor.
public struct LineEditor: Hashable, Sendable {
    /// The text as grapheme clusters. It contains line ends and escape characters only if the initial text did.
    public private(set) var text: [Character]
    /// The index in ``text`` of the character after the cursor.
    public private(set) var cursor: Int

    /// Creates an editor with `text` unchanged and the cursor at its end.
    public init(_ text: String = "") {
        self.text = Array(text)
        cursor = self.text.count
    }

    /// The text as a string. O(characters).
    public var string: String { String(text) }

    /// An editing command for the text or the cursor.
    public enum Edit: Hashable, Sendable {
        /// Inserts a character at the cursor.
        case insert(Unicode.Scalar)
        /// Deletes the character before the cursor.
        case deleteBackward
        /// Deletes the character after the cursor.
        case deleteForward
        /// Moves the cursor left by one character.
        case left
        /// Moves the cursor right by one character.
        case right
        /// Moves the cursor to the start of the text.
        case start
        /// Moves the cursor to the end of the text.
        case end
        /// Deletes all text before the cursor.
        case deleteToStart
        /// Deletes all text after the cursor.
        case deleteToEnd
        /// Deletes the word before the cursor, and the spaces between the word and the cursor.
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

    /// Inserts `string` at the cursor, without its line ends and escape characters.
    public mutating func insert(_ string: String) {
        let characters = string.filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" && $0 != "\u{1b}" }
        text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }

    /// Inserts pasted text at the cursor. Line ends and tabs become spaces; a final line end and other control characters are omitted.
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
