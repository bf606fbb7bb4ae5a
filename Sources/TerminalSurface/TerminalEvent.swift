/// Modifier keys held.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = KeyModifiers(rawValue: 1)
    public static let alt = KeyModifiers(rawValue: 2)
    public static let control = KeyModifiers(rawValue: 4)
}

/// A key of the keyboard, without modifiers.
public enum Key: Hashable, Sendable {
    /// A printing character; shifted letters come as capitals without the shift modifier; Ctrl-a as `character("a")` with control.
    case character(Unicode.Scalar)
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    case enter, tab, backspace, escape
    /// F1 is 1.
    case function(Int)
}

/// One press of a key.
public struct KeyPress: Hashable, Sendable {
    public var key: Key
    public var modifiers: KeyModifiers

    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A mouse report; `x` and `y` are terminal cells from 0.
public struct MouseEvent: Hashable, Sendable {
    public enum Button: Hashable, Sendable { case left, middle, right }
    public enum Kind: Hashable, Sendable {
        case press(Button)
        case drag(Button)
        case release(Button)
        /// Wheel notches: `y` down, `x` to the right; negative the other way.
        case wheel(x: Int, y: Int)
    }

    public var kind: Kind
    public var x: Int
    public var y: Int
    public var modifiers: KeyModifiers

    public init(_ kind: Kind, x: Int, y: Int, modifiers: KeyModifiers = []) {
        self.kind = kind
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}

/// What comes from a terminal.
public enum TerminalEvent: Hashable, Sendable {
    case key(KeyPress)
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
