/// A decoder of terminal input: the sequences of xterm, rxvt and the Linux console, and the sequences of a terminal description.
///
/// It does not need a terminal: a host that owns its terminal passes the bytes. Bytes can come in chunks of any size. The start of a
/// sequence is kept until the rest arrives or ``flush(into:)`` is called.
public struct AnsiInput: Sendable {
    /// The maximum size of a paste in bytes; the excess is discarded.
    public static let pasteLimit = 4 << 20
    /// The maximum length of a sequence in bytes.
    private static let sequenceLimit = 256
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Received bytes that are not decoded yet: the start of a sequence.
    private var buffer: [UInt8] = []
    /// The bytes received for the current paste; `nil` outside of a paste.
    private var paste: [UInt8]?
    /// The keys of the terminal description by their sequence. Standard sequences are not included, because the decoder knows them.
    private var describedKeys: [ArraySlice<UInt8>: KeyPress] = [:]
    private let eraseBytes: [UInt8]

    /// Creates a decoder that knows only the common sequences. Both DEL and Ctrl-h are Backspace.
    public init() { self.init(eraseBytes: [0x08]) }

    /// Creates a decoder for a terminal description.
    /// - Parameters:
    ///   - eraseBytes: the bytes that mean Backspace, in addition to DEL.
    ///   - keys: the sequences of keys; common sequences keep their meaning.
    package init(eraseBytes: [UInt8], keys: [(sequence: [UInt8], press: KeyPress)] = []) {
        self.eraseBytes = eraseBytes
        for (sequence, press) in keys where sequence.first == 0x1B && sequence.count > 2 {
            var (common, events) = (AnsiInput(), [TerminalEvent]())
            common.decode(sequence, into: &events)
            if events.isEmpty { describedKeys[sequence[...]] = press }
        }
    }

    /// True if an incomplete key sequence is pending. If its rest does not arrive within about 25 ms, call ``flush(into:)``.
    public var hasIncompleteKey: Bool { !buffer.isEmpty && paste == nil && !isReport }

    /// True if a mouse or color report is incomplete. On a slow line, the rest may arrive late and must not be decoded as keys.
    private var isReport: Bool { buffer.count > 2 && (buffer.starts(with: [0x1B, 0x5B, 0x3C]) || buffer.starts(with: [0x1B, 0x5D])) }

    /// Decodes bytes and appends their events to `events`. O(bytes).
    public mutating func decode(_ bytes: some Sequence<UInt8>, into events: inout [TerminalEvent]) {
        buffer += bytes
        var start = 0
        while start < buffer.count {
            guard let end = paste != nil ? decodePaste(from: start, &events) : decodeInput(from: start, &events) else { break }
            start = end
        }
        buffer.removeFirst(start)
    }

    /// Ends a pending key sequence after a timeout.
    ///
    /// A pending escape is the Escape key, two escapes are two Escape keys, and an escape with another character is that character with
    /// Alt. Longer sequences are discarded.
    public mutating func flush(into events: inout [TerminalEvent]) {
        guard hasIncompleteKey else { return }
        switch buffer {
        case [0x1B]: events.append(.key(KeyPress(.escape)))
        case [0x1B, 0x1B]: events += [.key(KeyPress(.escape)), .key(KeyPress(.escape))]
        default:
            if buffer.count == 2, buffer[0] == 0x1B, buffer[1] < 0x80 {
                events.append(.key(KeyPress(.character(Unicode.Scalar(buffer[1])), .alt)))
            }
        }
        buffer = []
    }

    /// Discards an incomplete sequence or report, and ends an incomplete paste. The host calls it after seconds without input.
    package mutating func reset(into events: inout [TerminalEvent]) {
        if let paste { events.append(.paste(String(decoding: paste, as: UTF8.self))) }
        (buffer, paste) = ([], nil)
    }

    /// Decodes the key or sequence at `start`.
    /// - Returns: the index after the decoded bytes; `nil` if the sequence is incomplete.
    private mutating func decodeInput(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        if buffer[start] != 0x1B { return decodeKey(from: start, [], &events) }
        guard start + 1 < buffer.count else { return nil }
        if let key = describedKey(from: start) {
            events.append(.key(key.press))
            return key.end
        }
        switch buffer[start + 1] {
        case 0x1B: return decodeAfterEscapes(from: start, &events)
        case 0x5B: return decodeControlSequence(from: start + 2, &events)
        case 0x4F:
            guard start + 2 < buffer.count else { return nil }
            if let press = Self.keypadPress(final: buffer[start + 2]) { events.append(.key(press)) }
            return start + 3
        case 0x5D: return decodeReport(from: start + 2, &events)
        default: return decodeKey(from: start + 1, .alt, &events)
        }
    }

    /// The key of the terminal description whose sequence starts at index `start`, and the index after the sequence; `nil` if no sequence
    /// matches.
    private func describedKey(from start: Int) -> (press: KeyPress, end: Int)? {
        guard let longest = describedKeys.keys.map(\.count).max() else { return nil }
        for end in start...min(start + longest, buffer.count) { if let press = describedKeys[buffer[start..<end]] { return (press, end) } }
        return nil
    }

    /// Decodes input that starts with two escapes. If the second escape starts a key sequence, the input is that key with Alt. Otherwise,
    /// the first escape is the Escape key.
    private mutating func decodeAfterEscapes(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        guard start + 2 < buffer.count else { return nil }
        guard buffer[start + 2] == 0x5B || buffer[start + 2] == 0x4F else {
            events.append(.key(KeyPress(.escape)))
            return start + 1
        }
        var following: [TerminalEvent] = []
        guard let end = decodeInput(from: start + 1, &following) else { return nil }
        if case .key(let press)? = following.first {
            events.append(.key(KeyPress(press.key, press.modifiers.union(.alt))))
        } else {
            events += [.key(KeyPress(.escape))] + following
        }
        return end
    }

    private func decodeKey(from start: Int, _ modifiers: KeyModifiers, _ events: inout [TerminalEvent]) -> Int? {
        let byte = buffer[start]
        if byte < 0x80 {
            let press = eraseBytes.contains(byte) ? KeyPress(.backspace) : KeyPress(byte: byte)
            events.append(.key(KeyPress(press.key, press.modifiers.union(modifiers))))
            return start + 1
        }
        let count = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard byte >= 0xC2 else { return start + 1 }
        let end = buffer[start...].dropFirst().prefix(count - 1).firstIndex { $0 & 0xC0 != 0x80 } ?? min(start + count, buffer.count)
        if end == buffer.count, end < start + count { return nil }
        if let scalar = String(validating: buffer[start..<end], as: UTF8.self)?.unicodeScalars.first, scalar.value >= 0xA0 {
            events.append(.key(KeyPress(.character(scalar), modifiers)))
        }
        return end
    }

    /// Decodes a control sequence after `ESC [`: parameters and a final byte (ECMA-48, 5.4). For some keys with Shift, rxvt sends `$` as
    /// the final byte.
    private mutating func decodeControlSequence(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        let isPrivate = start < buffer.count && 0x3C...0x3F ~= buffer[start]
        guard let end = buffer[start...].firstIndex(where: { 0x40...0x7E ~= $0 || $0 < 0x20 || $0 == 0x24 && !isPrivate }) else {
            return buffer.count - start > Self.sequenceLimit ? buffer.count : nil
        }
        // A control character ends an invalid sequence and is decoded as a key.
        if buffer[end] < 0x20 { return end }
        let parameters = Array(buffer[start..<end])
        let final = buffer[end]
        if parameters.first == 0x3C, final == 0x4D || final == 0x6D {
            if let mouse = MouseReport.event(Array(parameters.dropFirst()), isRelease: final == 0x6D) { events.append(.mouse(mouse)) }
            return end + 1
        }
        if final == 0x5B, parameters.isEmpty {
            // The Linux console sends `ESC [ [ A` to `ESC [ [ E` for F1 to F5.
            guard end + 1 < buffer.count else { return nil }
            if 0x41...0x45 ~= buffer[end + 1] { events.append(.key(KeyPress(.function(Int(buffer[end + 1]) - 0x40)))) }
            return end + 2
        }
        if isPrivate { return end + 1 }
        let numbers = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map {
            Int(String(decoding: $0, as: UTF8.self)) ?? 0
        }
        if final == 0x7E, numbers.first == 200 { paste = [] }
        if let press = Self.press(final, numbers) { events.append(.key(press)) }
        return end + 1
    }

    /// Decodes a report after `ESC ]`, which BEL or `ESC \` ends. Only the reply to a query of the background color becomes an event.
    private func decodeReport(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        guard let end = buffer[start...].firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else {
            return buffer.count - start > Self.sequenceLimit ? buffer.count : nil
        }
        if buffer[end] == 0x1B, end + 1 == buffer.count { return nil }
        if buffer[start..<end].starts(with: [0x31, 0x31, 0x3B]), let color = ColorReport.color(Array(buffer[(start + 3)..<end])) {
            events.append(.background(color))
        }
        return buffer[end] == 0x07 ? end + 1 : buffer[end + 1] == 0x5C ? end + 2 : end
    }

    /// Collects pasted bytes from index `start` onwards. The last bytes stay in the buffer, because they may start the sequence that ends
    /// the paste.
    private mutating func decodePaste(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        var end = start
        while end < buffer.count, !Self.pasteEnd.starts(with: buffer[end..<min(buffer.count, end + Self.pasteEnd.count)]) {
            end = buffer[(end + 1)...].firstIndex(of: 0x1B) ?? buffer.count
        }
        var pasted = paste ?? []
        paste = nil
        pasted += buffer[start..<end].prefix(Self.pasteLimit - pasted.count)
        guard end + Self.pasteEnd.count <= buffer.count else {
            paste = pasted
            return end > start ? end : nil
        }
        events.append(.paste(String(decoding: pasted, as: UTF8.self)))
        return end + Self.pasteEnd.count
    }

    // MARK: Keys

    /// The key of a control sequence with these parameters and final byte, such as `5~`, `1;5A`, `Z`, or `5^` and `a` of rxvt. `nil` for
    /// other sequences.
    private static func press(_ final: UInt8, _ numbers: [Int]) -> KeyPress? {
        let first = numbers.first ?? 0
        switch final {
        case 0x7E: return key(number: first).map { KeyPress($0, modifiers(numbers)) }
        case 0x24: return key(number: first).map { KeyPress($0, .shift) }
        case 0x5E: return key(number: first).map { KeyPress($0, .control) }
        case 0x40: return key(number: first).map { KeyPress($0, [.shift, .control]) }
        case 0x5A: return KeyPress(.tab, modifiers(numbers).union(.shift))
        case 0x61...0x64 where numbers == [0]: return key(final: final - 0x20).map { KeyPress($0, .shift) }
        // The first parameter of a key is missing, 0 or 1. If this parameter is greater, the sequence is a reply of the terminal.
        default: return first > 1 ? nil : key(final: final).map { KeyPress($0, modifiers(numbers)) }
        }
    }

    /// The key of the sequence `ESC O` and `final`: a keypad key in application mode, an arrow with Ctrl in rxvt, or a common key.
    private static func keypadPress(final: UInt8) -> KeyPress? {
        switch final {
        case 0x61...0x64: key(final: final - 0x20).map { KeyPress($0, .control) }
        case 0x6A...0x79: KeyPress(.character(Unicode.Scalar(final - 0x40)))
        case 0x4D: KeyPress(.enter)
        default: key(final: final).map { KeyPress($0) }
        }
    }

    private static func key(final: UInt8) -> Key? {
        switch final {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x45: .character("5")
        case 0x46: .end
        case 0x48: .home
        case 0x50...0x53: .function(Int(final) - 0x4F)
        default: nil
        }
    }

    private static func key(number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// Decodes the modifiers in the second parameter of a key. The parameter minus 1 is a sum: 1 for Shift, 2 for Alt, 4 for Ctrl, 8 for
    /// Meta. Meta is treated as Alt.
    private static func modifiers(_ numbers: [Int]) -> KeyModifiers {
        guard numbers.count > 1, 1...16 ~= numbers[1] else { return [] }
        let bits = UInt8(numbers[1] - 1)
        return KeyModifiers(rawValue: bits & 7).union(bits & 8 != 0 ? .alt : [])
    }
}
