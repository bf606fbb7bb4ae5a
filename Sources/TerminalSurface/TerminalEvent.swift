/// The modifier keys held during an event.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// The modifiers as bits.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift, if the terminal reports it.
    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt or Option. Terminals send ESC before the key.
    public static let alt = KeyModifiers(rawValue: 2)
    /// The Control key.
    public static let control = KeyModifiers(rawValue: 4)
}

/// A key of the keyboard, without modifiers.
public enum Key: Hashable, Sendable {
    /// A printable character. A letter with Shift is a capital without ``KeyModifiers/shift``. Ctrl-a is `character("a")` with
    /// ``KeyModifiers/control``.
    case character(Unicode.Scalar)
    /// Up arrow.
    case up
    /// Down arrow.
    case down
    /// Left arrow.
    case left
    /// Right arrow.
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
    /// Delete, which removes the character after the cursor.
    case delete
    /// Enter; terminals send the same for Ctrl-m.
    case enter
    /// Tab; terminals send the same for Ctrl-i.
    case tab
    /// Backspace, which removes the character before the cursor.
    case backspace
    /// Escape, if no sequence of another key follows.
    case escape
    /// A function key; F1 is 1.
    case function(Int)
}

/// A key press.
public struct KeyPress: Hashable, Sendable {
    /// The key that was pressed.
    public var key: Key
    /// The modifier keys held.
    public var modifiers: KeyModifiers

    /// Creates a press of `key` with `modifiers`.
    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// Creates the key press of a byte below 0x80. The byte must not be escape, which starts sequences.
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

/// An event of the mouse. `x` and `y` are terminal cells, counted from 0.
public struct MouseEvent: Hashable, Sendable {
    /// A mouse button.
    public enum Button: Hashable, Sendable {
        /// The left button.
        case left
        /// The middle button, or a press of the wheel.
        case middle
        /// The right button.
        case right
    }
    /// The kind of mouse event.
    public enum Kind: Hashable, Sendable {
        /// A button was pressed.
        case press(Button)
        /// The mouse moved to another terminal cell with a button pressed.
        case drag(Button)
        /// A button was released.
        case release(Button)
        /// The wheel was turned by this number of notches. Positive `y` is down, positive `x` is right.
        case wheel(x: Int, y: Int)
    }

    /// The kind of event.
    public var kind: Kind
    /// The column of the pointer, from 0.
    public var x: Int
    /// The row of the pointer, from 0.
    public var y: Int
    /// The modifier keys held.
    public var modifiers: KeyModifiers

    /// Creates an event at column `x` and row `y`, both counted from 0.
    public init(_ kind: Kind, x: Int, y: Int, modifiers: KeyModifiers = []) {
        self.kind = kind
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}

/// An event from a terminal.
public enum TerminalEvent: Hashable, Sendable {
    /// A key was pressed or repeats.
    case key(KeyPress)
    /// The mouse was pressed, moved or released, or its wheel turned.
    case mouse(MouseEvent)
    /// Text was pasted (bracketed paste). It is not modified and may contain control characters.
    case paste(String)
    /// The terminal was resized to this size.
    case resize(TerminalSize)
    /// The terminal reported its background color (reply to OSC 11).
    case background(TerminalColor)
    /// The process resumed after a suspension; the screen must be drawn again.
    case resumed
}
