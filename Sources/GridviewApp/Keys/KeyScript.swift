public import DataGridTerminal
public import TerminalSurface

/// A sequence of keys as text: `Down 5j zg / "new york" Enter`.
///
/// Words are key names (`KeyNotation.key(_:)`) or bindings of several keys, optionally after a number. Text in double quotes is typed
/// literally; a double quote inside this text is doubled. A double quote that is a word by itself is the key `"`.
public enum KeyScript {
    /// The key presses that `text` describes.
    /// - Parameter keyMap: the key bindings of the session; `nil` for the default ones.
    /// - Throws: ``RequestError`` for an unknown word. Typing its letters instead would run other commands.
    public static func keys(_ text: String, in keyMap: KeyMap<Command>? = nil) throws(RequestError) -> [KeyPress] {
        var keys: [KeyPress] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "\"", rest.dropFirst().first.map({ !$0.isWhitespace }) ?? false {
                keys += try quotedText(&rest).unicodeScalars.map { KeyPress(.character($0)) }
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                rest = rest[word.endIndex...]
                keys += try keyPresses(String(word), keyMap)
            }
        }
        return keys
    }

    private static func keyPresses(_ word: String, _ keyMap: KeyMap<Command>?) throws(RequestError) -> [KeyPress] {
        if let key = KeyNotation.key(word) { return [key] }
        let count = word.prefix { ("0"..."9").contains($0) }
        let digits = count.unicodeScalars.map { KeyPress(.character($0)) }
        if count.endIndex == word.endIndex { return digits }
        if let keys = KeyNotation.sequence(String(word[count.endIndex...])) {
            let keyMap = keyMap ?? .standard
            if keyMap.resolve(keys, in: [.grid]) != .none { return digits + keys }
        }
        let suggestion = KeyNotation.nearestKey(word).map { " Did you mean “\($0)”?" } ?? ""
        throw RequestError("Unknown key “\(word)”.\(suggestion) Put text to type in double quotes: \"\(word)\".", isUsageError: true)
    }

    private static func quotedText(_ rest: inout Substring) throws(RequestError) -> String {
        var text = ""
        let start = rest
        rest.removeFirst()
        while let character = rest.popFirst() {
            if character != "\"" {
                text.append(character)
            } else if rest.first == "\"" {
                rest.removeFirst()
                text.append(character)
            } else {
                return text
            }
        }
        throw RequestError("Missing closing quote after \(start).", isUsageError: true)
    }
}
