import FieldValues
public import TerminalSurface

/// The text form of keys: `Down`, `C-d`, `M-Left`, `S-Tab`, `F1`, `Space`, `z`.
///
/// `C-` or `Ctrl-` is Ctrl, `M-` or `Alt-` is Alt, `S-` or `Shift-` is Shift, as in tmux. A binding of two plain characters is one word,
/// `zg`; other bindings of several keys are separated by spaces, `C-x C-s`.
public enum KeyNotation {
    private static let keyNames: [(String, Key)] = [
        ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end), ("PageUp", .pageUp),
        ("PageDown", .pageDown), ("Insert", .insert), ("Delete", .delete), ("Enter", .enter), ("Tab", .tab), ("Backspace", .backspace),
        ("Escape", .escape), ("Space", .character(" ")),
        // Names that are displayed in labels, for keys without a symbol.
        ("PgUp", .pageUp), ("PgDn", .pageDown), ("Ins", .insert), ("Del", .delete), ("Esc", .escape),
    ]
    private static let modifierMarks: [(String, KeyModifiers)] = [
        ("C-", .control), ("M-", .alt), ("S-", .shift), ("Ctrl-", .control), ("Alt-", .alt), ("Shift-", .shift),
    ]

    /// The key with this name; `nil` if there is no such key.
    public static func key(_ text: String) -> KeyPress? {
        if let byte = onlyByte(of: text[...]) { return KeyPress(.character(Unicode.Scalar(byte))) }
        let (modifiers, rest) = splitModifiers(text)
        if let byte = onlyByte(of: rest) { return KeyPress(.character(Unicode.Scalar(byte)), modifiers) }
        if let found = keyNames.first(where: { $0.0 == rest }) { return KeyPress(found.1, modifiers) }
        if rest.first == "F", let number = Int(rest.dropFirst()), (1...24).contains(number) {
            return KeyPress(.function(number), modifiers)
        }
        let scalars = rest.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first else { return nil }
        return KeyPress(.character(scalar), modifiers)
    }

    /// The byte of `text` if it is one ASCII character; otherwise `nil`. This check makes parsing faster, because all keys are parsed at
    /// each launch.
    private static func onlyByte(of text: Substring) -> UInt8? { text.utf8.count == 1 ? text.utf8.first : nil }

    /// Splits the name of a key into its modifiers and the name without them.
    private static func splitModifiers(_ text: String) -> (modifiers: KeyModifiers, rest: Substring) {
        var rest = text[...]
        var modifiers: KeyModifiers = []
        guard text.utf8.contains(UInt8(ascii: "-")) else { return (modifiers, rest) }
        while let (mark, modifier) = modifierMarks.first(where: { rest.hasPrefix($0.0) && rest.count > $0.0.count }) {
            modifiers.insert(modifier)
            rest = rest.dropFirst(mark.count)
        }
        return (modifiers, rest)
    }

    /// The key name most similar to an unknown word.
    public static func nearestKey(_ word: String) -> String? {
        let rest = splitModifiers(word).rest
        return Suggestions.closest(String(rest), keyNames.map(\.0)).map { word.dropLast(rest.count) + $0 }
    }

    /// The keys of a binding such as `zg`, `C-Home` or `C-x C-s`; `nil` if a word is not a key.
    public static func sequence(_ text: String) -> [KeyPress]? {
        if !text.utf8.contains(UInt8(ascii: " ")), let key = key(text) { return [key] }
        let words = text.split(separator: " ")
        if words.count == 1, text.unicodeScalars.count == 2, key(text) == nil, !modifierMarks.contains(where: { $0.0 == text }) {
            return text.unicodeScalars.map { KeyPress(.character($0)) }
        }
        let keys = words.compactMap { key(String($0)) }
        return keys.isEmpty || keys.count < words.count ? nil : keys
    }

    /// The label of a key: `Ctrl-d`, `Alt-←`, `PgDn`.
    public static func label(_ press: KeyPress) -> String {
        if press.modifiers.isEmpty, case .character(let scalar) = press.key, scalar != " " { return String(scalar) }
        var text = ""
        if press.modifiers.contains(.control) { text += "Ctrl-" }
        if press.modifiers.contains(.alt) { text += "Alt-" }
        if press.modifiers.contains(.shift) { text += "Shift-" }
        switch press.key {
        case .up: return text + "↑"
        case .down: return text + "↓"
        case .left: return text + "←"
        case .right: return text + "→"
        case .pageUp: return text + "PgUp"
        case .pageDown: return text + "PgDn"
        case .escape: return text + "Esc"
        case .delete: return text + "Del"
        case .insert: return text + "Ins"
        case .function(let number): return text + "F\(number)"
        case .character(" "): return text + "Space"
        case .character(let scalar): return text + String(scalar)
        case .home, .end, .enter, .tab, .backspace: return text + (keyNames.first { $0.1 == press.key }?.0 ?? "")
        }
    }

    /// The label of a key sequence: `zg`, `Ctrl-x Ctrl-s`.
    public static func label(_ keys: [KeyPress]) -> String {
        if keys.count == 1 { return label(keys[0]) }
        let isPlain = keys.allSatisfy { if case .character = $0.key { $0.modifiers.isEmpty } else { false } }
        return keys.map(label).joined(separator: isPlain ? "" : " ")
    }
}
