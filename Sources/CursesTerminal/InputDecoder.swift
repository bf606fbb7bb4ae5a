internal import TerminalSurface

/// Makes events of what ncurses reports: bytes, and codes of keys (``KeyCode``).
///
/// A value without a terminal, so that all of it is tested by itself. Whatever comes, nothing is waited for longer than
/// ``forget(_:)`` says, and nothing grows beyond a bound.
struct InputDecoder {
    /// What VERASE is: Ctrl-h is then Backspace.
    var eraseCharacter: UInt8 = 0x7F

    private enum State {
        case ground
        /// After ESC: the next key has Alt, if it comes at once.
        case escape
        /// After ESC [ that begins no known key.
        case sequence
        case mouse
        case background
        case paste
    }

    private var state = State.ground
    private var bytes: [UInt8] = []
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Whether bytes are to come undecoded.
    var isPasting: Bool { state == .paste }

    /// Takes one byte (0…255) or code of a key.
    mutating func take(_ code: Int32, into events: inout [TerminalEvent]) {
        switch state {
        case .ground: takeKey(code, [], &events)
        case .escape: takeAfterEscape(code, &events)
        case .sequence: takeSequence(code, &events)
        case .mouse: takeMouse(code, &events)
        case .background: takeBackground(code, &events)
        case .paste: takePaste(code, &events)
        }
    }

    /// Nothing more has come for the time that a sequence takes at most: an ESC was the key.
    mutating func pause(into events: inout [TerminalEvent]) {
        switch state {
        case .escape:
            events.append(.key(KeyPress(.escape)))
            reset()
        case .sequence:
            if bytes.isEmpty { events.append(.key(KeyPress(.character("["), .alt))) }
            reset()
        default:
            break
        }
    }

    /// Nothing has come for seconds: what began will not end.
    mutating func forget(into events: inout [TerminalEvent]) {
        if state == .paste { finishPaste(&events) }
        reset()
    }

    private mutating func reset() {
        state = .ground
        bytes.removeAll()
    }

    private mutating func takeKey(_ code: Int32, _ modifiers: KeyModifiers, _ events: inout [TerminalEvent]) {
        switch code {
        case KeyCode.mouse: state = .mouse
        case KeyCode.pasteStart: state = .paste
        case KeyCode.background: state = .background
        case KeyCode.pasteEnd: break
        case 256...:
            guard var press = KeyCode.press(code) else { return }
            press.modifiers.formUnion(modifiers)
            events.append(.key(press))
        case 0x80...: takeByteOfCharacter(UInt8(code), modifiers, &events)
        case 0x1B: state = .escape
        default:
            guard code >= 0 else { return }
            let byte = UInt8(code)
            let press = byte == eraseCharacter ? KeyPress(.backspace) : KeyPress(byte: byte)
            events.append(.key(KeyPress(press.key, press.modifiers.union(modifiers))))
        }
        if code != 0x1B, !(0x80...0xFF ~= code) { bytes.removeAll() }
    }

    /// Collects UTF-8; what is invalid is left out.
    private mutating func takeByteOfCharacter(_ byte: UInt8, _ modifiers: KeyModifiers, _ events: inout [TerminalEvent]) {
        if byte >= 0xC0 { bytes.removeAll() } else if bytes.isEmpty { return }
        bytes.append(byte)
        let count = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2
        guard bytes.count >= count else {
            heldModifiers = modifiers.union(bytes.count > 1 ? heldModifiers : [])
            return
        }
        let text = String(validating: bytes, as: UTF8.self)
        bytes.removeAll()
        if let scalar = text?.unicodeScalars.first, scalar.value >= 0xA0 {
            events.append(.key(KeyPress(.character(scalar), modifiers.union(heldModifiers))))
        }
        heldModifiers = []
    }

    /// Alt, while the rest of a character of several bytes is awaited.
    private var heldModifiers: KeyModifiers = []

    private mutating func takeAfterEscape(_ code: Int32, _ events: inout [TerminalEvent]) {
        state = .ground
        switch code {
        case 0x1B, KeyCode.mouse, KeyCode.pasteStart, KeyCode.background:
            events.append(.key(KeyPress(.escape)))
            takeKey(code, [], &events)
        case 0x5B:
            state = .sequence
            bytes.removeAll()
        default:
            takeKey(code, .alt, &events)
        }
    }

    /// Passes over a control sequence that is no key (an answer to something): its letters must not act as keys.
    private mutating func takeSequence(_ code: Int32, _ events: inout [TerminalEvent]) {
        switch code {
        case 0x20...0x3F where bytes.count < 64:
            bytes.append(UInt8(code))
        case 0x40...0x7E where bytes.isEmpty && code != 0x5B:
            // Alt-[ and a key in one go look the same as a sequence without parameters, of which there are no other answers.
            reset()
        case 0x1B:
            pause(into: &events)
            state = .escape
        default:
            reset()
            if code > 0xFF { takeKey(code, [], &events) }
        }
    }

    private mutating func takeMouse(_ code: Int32, _ events: inout [TerminalEvent]) {
        switch code {
        case 0x30...0x39, 0x3B:
            if bytes.count < 24 { bytes.append(UInt8(code)) } else { reset() }
        case 0x4D, 0x6D:
            if let event = MouseReport.event(bytes, isRelease: code == 0x6D) { events.append(.mouse(event)) }
            reset()
        default:
            reset()
            takeKey(code, [], &events)
        }
    }

    private mutating func takeBackground(_ code: Int32, _ events: inout [TerminalEvent]) {
        switch code {
        case 0x07, 0x5C, 0x9C:
            if let color = ColorReport.color(bytes) { events.append(.background(color)) }
            reset()
        case 0x20...0x7E where bytes.count < 64:
            bytes.append(UInt8(code))
        case 0x1B:
            break  // ESC \ ends it.
        default:
            reset()
        }
    }

    private mutating func takePaste(_ code: Int32, _ events: inout [TerminalEvent]) {
        guard 0...0xFF ~= code else { return }
        let byte = UInt8(code)
        if bytes.count >= AnsiInput.pasteLimit + Self.pasteEnd.count {
            // What is too much is passed over, but its end has to be seen: the last bytes kept are a window on it.
            bytes.removeFirst(bytes.count - AnsiInput.pasteLimit - Self.pasteEnd.count + 1, from: AnsiInput.pasteLimit)
        }
        bytes.append(byte)
        if byte == 0x7E, bytes.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
            bytes.removeLast(Self.pasteEnd.count)
            finishPaste(&events)
            reset()
        }
    }

    private func finishPaste(_ events: inout [TerminalEvent]) {
        events.append(.paste(String(decoding: bytes.prefix(AnsiInput.pasteLimit), as: UTF8.self)))
    }
}

extension [UInt8] {
    /// Removes `count` elements from `index` on.
    fileprivate mutating func removeFirst(_ count: Int, from index: Int) {
        removeSubrange(index..<index + count)
    }
}
