/// Modifier keys held.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: UInt8
    /// A set by its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift, where the terminal tells it apart.
    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt, Option, or ESC before the key.
    public static let alt = KeyModifiers(rawValue: 2)
    /// Ctrl.
    public static let control = KeyModifiers(rawValue: 4)
}

/// A key of the keyboard, without modifiers.
public enum Key: Hashable, Sendable {
    /// A printing character; shifted letters come as capitals without the shift modifier; Ctrl-a as `character("a")` with control.
    case character(Unicode.Scalar)
    /// ↑.
    case up
    /// ↓.
    case down
    /// ←.
    case left
    /// →.
    case right
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// Insert.
    case insert
    /// Delete, which takes what is behind the cursor.
    case delete
    /// Enter; terminals send the same for Ctrl-m.
    case enter
    /// Tab; terminals send the same for Ctrl-i.
    case tab
    /// Backspace, which takes what is before the cursor.
    case backspace
    /// Escape by itself: nothing came with it.
    case escape
    /// F1 is 1.
    case function(Int)
}

/// One press of a key.
public struct KeyPress: Hashable, Sendable {
    /// Which key.
    public var key: Key
    /// What was held.
    public var modifiers: KeyModifiers

    /// A press of `key` while `modifiers` were held.
    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// What a terminal means by a byte below 0x80 that is no escape.
    package init(byte: UInt8) {
        switch byte {
        case 0x00: self.init(.character(" "), .control)
        case 0x09: self.init(.tab)
        case 0x0D: self.init(.enter)
        case 0x01...0x1A: self.init(.character(Unicode.Scalar(byte + 0x60)), .control)
        case 0x1C...0x1F: self.init(.character(Unicode.Scalar(byte + 0x40)), .control)
        case 0x7F: self.init(.backspace)
        default: self.init(.character(Unicode.Scalar(byte)))
        }
    }
}

/// A mouse report; `x` and `y` are terminal cells from 0.
public struct MouseEvent: Hashable, Sendable {
    /// The buttons that are told apart.
    public enum Button: Hashable, Sendable {
        /// The left one.
        case left
        /// The middle one, or the wheel when it is pressed.
        case middle
        /// The right one.
        case right
    }
    /// What the mouse did.
    public enum Kind: Hashable, Sendable {
        /// A button went down.
        case press(Button)
        /// The mouse moved to another terminal cell while a button was down.
        case drag(Button)
        /// A button came up.
        case release(Button)
        /// Wheel notches: `y` down, `x` to the right; negative the other way.
        case wheel(x: Int, y: Int)
    }

    /// What it did.
    public var kind: Kind
    /// The column.
    public var x: Int
    /// The row.
    public var y: Int
    /// The keys held meanwhile.
    public var modifiers: KeyModifiers

    /// A report from column `x` and row `y`.
    public init(_ kind: Kind, x: Int, y: Int, modifiers: KeyModifiers = []) {
        self.kind = kind
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}

/// What comes from a terminal.
public enum TerminalEvent: Hashable, Sendable {
    /// A key was pressed (or repeats).
    case key(KeyPress)
    /// The mouse did something.
    case mouse(MouseEvent)
    /// Text that was pasted (bracketed paste), as it came.
    case paste(String)
    /// The terminal has this size now.
    case resize(TerminalSize)
    /// The terminal told its background colour (answer to OSC 11).
    case background(TerminalColor)
    /// Back after a suspension: the screen has to be drawn anew.
    case resumed
}
