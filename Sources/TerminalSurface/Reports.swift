/// A parser for the mouse reports of xterm's mode 1006: `ESC [ < b ; x ; y M`, or `m` for a release.
package enum MouseReport {
    /// Enables reports of buttons and drags (1002), in the extended form (1006).
    package static let enableSequence = Array("\u{1B}[?1002h\u{1B}[?1006h".utf8)
    /// Disables mouse reports.
    package static let disableSequence = Array("\u{1B}[?1006l\u{1B}[?1002l".utf8)

    /// The event of a mouse report; `parameters` is the text between `<` and the final letter. `nil` for unsupported reports: motion
    /// without a button, buttons beyond the third, malformed parameters.
    package static func event(_ parameters: [UInt8], isRelease: Bool) -> MouseEvent? {
        let numbers = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, let bits = numbers[0], let x = numbers[1], let y = numbers[2], x > 0, y > 0, bits < 128 else {
            return nil
        }
        var modifiers: KeyModifiers = []
        if bits & 4 != 0 { modifiers.insert(.shift) }
        if bits & 8 != 0 { modifiers.insert(.alt) }
        if bits & 16 != 0 { modifiers.insert(.control) }
        guard let kind = kind(bits, isRelease: isRelease) else { return nil }
        return MouseEvent(kind, x: x - 1, y: y - 1, modifiers: modifiers)
    }

    private static func kind(_ bits: Int, isRelease: Bool) -> MouseEvent.Kind? {
        if bits & 64 != 0 {
            if isRelease { return nil }
            return [.wheel(x: 0, y: -1), .wheel(x: 0, y: 1), .wheel(x: -1, y: 0), .wheel(x: 1, y: 0)][bits & 3]
        }
        guard bits & 3 < 3 else { return nil }
        let button: MouseEvent.Button = [.left, .middle, .right][bits & 3]
        if isRelease { return .release(button) }
        return bits & 32 != 0 ? .drag(button) : .press(button)
    }
}

/// A parser for the color in the reply to OSC 11: `rgb:1e1e/1e1e/2e2e`, with 1 to 4 hexadecimal digits each.
package enum ColorReport {
    package static func color(_ bytes: [UInt8]) -> TerminalColor? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.firstIndex(of: ":"), text[..<start] == "rgb" || text[..<start] == "rgba" else { return nil }
        let parts = text[text.index(after: start)...].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let levels = parts.prefix(3).compactMap { part -> UInt8? in
            guard 1...4 ~= part.utf8.count, let value = Int(part, radix: 16), value >= 0 else { return nil }
            return UInt8(value * 255 / (1 << (4 * part.utf8.count) - 1))
        }
        return levels.count == 3 ? TerminalColor(red: levels[0], green: levels[1], blue: levels[2]) : nil
    }
}
