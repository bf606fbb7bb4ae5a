internal import CNcursesw
internal import TerminalSurface

/// The numbers under which ncurses reports keys to us: those we give it for xterm-like sequences, and its own.
enum KeyCode {
    /// `ESC [ <`: the rest of a mouse report follows.
    static let mouse: Int32 = 0x3001
    static let pasteStart: Int32 = 0x3002
    static let pasteEnd: Int32 = 0x3003
    /// `ESC ] 11 ;`: the rest of the background colour follows.
    static let background: Int32 = 0x3004

    private static let firstKey: Int32 = 0x2000
    private static let firstCharacter: Int32 = 0x4000
    private static let named: [Key] = [
        .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .insert, .delete, .enter, .tab, .backspace, .escape,
    ]

    private static func code(_ key: Key, _ modifiers: Int32) -> Int32 {
        if case .character(let scalar) = key { return firstCharacter + Int32(scalar.value) }
        if case .function(let number) = key { return firstKey + (15 + Int32(number)) << 4 + modifiers }
        return firstKey + Int32(named.firstIndex(of: key) ?? 0) << 4 + modifiers
    }

    /// The key that `code` stands for; `nil` for a byte or a key that is none of ours.
    static func press(_ code: Int32) -> KeyPress? {
        if code >= firstCharacter { return Unicode.Scalar(UInt32(code - firstCharacter)).map { KeyPress(.character($0)) } }
        guard code >= firstKey, code < mouse else { return fromTerminfo(code) }
        let (index, bits) = (Int(code - firstKey) >> 4, UInt8((code - firstKey) & 15))
        // xterm's fourth modifier, Meta, is Alt to everybody.
        let modifiers = KeyModifiers(rawValue: bits & 7).union(bits & 8 != 0 ? .alt : [])
        return index < named.count ? KeyPress(named[index], modifiers) : KeyPress(.function(index - 15), modifiers)
    }

    /// Keys that only the terminal's own description knows.
    private static func fromTerminfo(_ code: Int32) -> KeyPress? {
        switch code {
        case KEY_UP: KeyPress(.up)
        case KEY_DOWN: KeyPress(.down)
        case KEY_LEFT: KeyPress(.left)
        case KEY_RIGHT: KeyPress(.right)
        case KEY_HOME, KEY_A1: KeyPress(.home)
        case KEY_END, KEY_LL, KEY_C1: KeyPress(.end)
        case KEY_PPAGE, KEY_A3: KeyPress(.pageUp)
        case KEY_NPAGE, KEY_C3: KeyPress(.pageDown)
        case KEY_IC: KeyPress(.insert)
        case KEY_DC: KeyPress(.delete)
        case KEY_ENTER: KeyPress(.enter)
        case KEY_BACKSPACE: KeyPress(.backspace)
        case KEY_BTAB: KeyPress(.tab, .shift)
        case KEY_SLEFT: KeyPress(.left, .shift)
        case KEY_SRIGHT: KeyPress(.right, .shift)
        case KEY_SR: KeyPress(.up, .shift)
        case KEY_SF: KeyPress(.down, .shift)
        case KEY_SHOME: KeyPress(.home, .shift)
        case KEY_SEND: KeyPress(.end, .shift)
        case KEY_SPREVIOUS: KeyPress(.pageUp, .shift)
        case KEY_SNEXT: KeyPress(.pageDown, .shift)
        case KEY_SIC: KeyPress(.insert, .shift)
        case KEY_SDC: KeyPress(.delete, .shift)
        case KEY_F0 + 1...KEY_F0 + 12: KeyPress(.function(Int(code - KEY_F0)))
        case KEY_F0 + 13...KEY_F0 + 24: KeyPress(.function(Int(code - KEY_F0) - 12), .shift)
        default: nil
        }
    }
}

extension KeyCode {
    /// The sequences of xterm and its likes, and their codes. Descriptions of terminals leave most of them out, and are often not those of
    /// the
    /// terminal that is really there.
    static func sequences() -> [(sequence: String, code: Int32)] {
        var all: [(String, Int32)] = [
            ("\u{1B}[<", mouse), ("\u{1B}[200~", pasteStart), ("\u{1B}[201~", pasteEnd), ("\u{1B}]11;", background),
            ("\u{1B}[Z", code(.tab, 1)), ("\u{1B}OM", code(.enter, 0)), ("\u{1B}[E", code(.character("5"), 0)),
        ]
        let letters: [(Character, Key)] = [
            ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end),
            ("P", .function(1)), ("Q", .function(2)), ("R", .function(3)), ("S", .function(4)),
        ]
        let numbers: [(Int, Key)] = [
            (1, .home), (2, .insert), (3, .delete), (4, .end), (5, .pageUp), (6, .pageDown), (7, .home), (8, .end),
            (11, .function(1)), (12, .function(2)), (13, .function(3)), (14, .function(4)), (15, .function(5)), (17, .function(6)),
            (18, .function(7)), (19, .function(8)), (20, .function(9)), (21, .function(10)), (23, .function(11)), (24, .function(12)),
        ]
        for (letter, key) in letters {
            all.append(("\u{1B}O\(letter)", code(key, 0)))
            if case .function = key {} else { all.append(("\u{1B}[\(letter)", code(key, 0))) }
            for modifiers in Int32(1)...15 { all.append(("\u{1B}[1;\(modifiers + 1)\(letter)", code(key, modifiers))) }
        }
        for (number, key) in numbers {
            all.append(("\u{1B}[\(number)~", code(key, 0)))
            for modifiers in Int32(1)...15 { all.append(("\u{1B}[\(number);\(modifiers + 1)~", code(key, modifiers))) }
            // rxvt
            for (final, modifiers) in [("$", Int32(1)), ("^", 4), ("@", 5)] {
                all.append(("\u{1B}[\(number)\(final)", code(key, modifiers)))
            }
        }
        for (letter, key) in [("a", Key.up), ("b", .down), ("c", .right), ("d", .left)] {
            all.append(("\u{1B}[\(letter)", code(key, 1)))
            all.append(("\u{1B}O\(letter)", code(key, 4)))
        }
        // The numeric keypad in application mode.
        for (letter, character) in zip("jklmnopqrstuvwxy", "*+,-./0123456789".unicodeScalars) {
            all.append(("\u{1B}O\(letter)", code(.character(character), 0)))
        }
        return all
    }
}
