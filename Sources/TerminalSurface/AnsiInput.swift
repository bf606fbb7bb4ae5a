/// Makes events of the bytes that a terminal sends, by the sequences that xterm and its many likes share.
///
/// A value without a terminal: a host that owns its terminal gives it whatever it has read. Bytes may come in pieces of any size; what
/// begins a sequence is kept until the rest comes, or ``flush(into:)`` says that it will not.
public struct AnsiInput: Sendable {
    /// The most bytes of a paste that are kept; what is beyond them is passed over.
    public static let pasteLimit = 4 << 20
    /// A sequence longer than this is none.
    private static let sequenceLimit = 256
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// What has come and is not understood yet.
    private var rest: [UInt8] = []
    /// What has been pasted so far; `nil` when nothing is.
    private var paste: [UInt8]?

    /// A decoder to which nothing has been given.
    public init() {}

    /// Whether something waits for more bytes: after about 25 ms without any, call ``flush(into:)``.
    public var isWaiting: Bool { !rest.isEmpty && paste == nil }

    /// Takes bytes, and appends what they mean to `events`. O(bytes).
    public mutating func decode(_ bytes: some Sequence<UInt8>, into events: inout [TerminalEvent]) {
        rest += bytes
        var place = 0
        while place < rest.count {
            guard let end = paste != nil ? takePaste(from: place, &events) : take(from: place, &events) else { break }
            place = end
        }
        rest.removeFirst(place)
    }

    /// Nothing more has come: an escape that waits was the key, and what else has begun is left out.
    public mutating func flush(into events: inout [TerminalEvent]) {
        guard isWaiting else { return }
        if rest == [0x1B] { events.append(.key(KeyPress(.escape))) }
        rest = []
    }

    /// Takes what begins at `start`.
    /// - Returns: where it ends; `nil` when its end has not come.
    private mutating func take(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        if rest[start] != 0x1B { return takeKey(from: start, [], &events) }
        guard start + 1 < rest.count else { return nil }
        switch rest[start + 1] {
        case 0x1B:
            events.append(.key(KeyPress(.escape)))
            return start + 1
        case 0x5B: return takeControlSequence(from: start + 2, &events)
        case 0x4F:
            guard start + 2 < rest.count else { return nil }
            if let key = Self.key(final: rest[start + 2]) { events.append(.key(KeyPress(key))) }
            return start + 3
        case 0x5D: return takeReport(from: start + 2, &events)
        default: return takeKey(from: start + 1, .alt, &events)
        }
    }

    private func takeKey(from start: Int, _ modifiers: KeyModifiers, _ events: inout [TerminalEvent]) -> Int? {
        let byte = rest[start]
        if byte < 0x80 {
            // Some terminals send Ctrl-h for Backspace; which, nobody can be asked here.
            let press = byte == 0x08 ? KeyPress(.backspace) : KeyPress(byte: byte)
            events.append(.key(KeyPress(press.key, press.modifiers.union(modifiers))))
            return start + 1
        }
        let count = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard byte >= 0xC2 else { return start + 1 }
        let end = rest[start...].dropFirst().prefix(count - 1).firstIndex { $0 & 0xC0 != 0x80 } ?? min(start + count, rest.count)
        if end == rest.count, end < start + count { return nil }
        if let scalar = String(validating: rest[start..<end], as: UTF8.self)?.unicodeScalars.first, scalar.value >= 0xA0 {
            events.append(.key(KeyPress(.character(scalar), modifiers)))
        }
        return end
    }

    /// What stands after `ESC [`: parameters, and a byte that ends them (ECMA-48, 5.4).
    private mutating func takeControlSequence(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        guard let end = rest[start...].firstIndex(where: { 0x40...0x7E ~= $0 || $0 < 0x20 }) else {
            return rest.count - start > Self.sequenceLimit ? rest.count : nil
        }
        // A control ends what was no sequence, and is taken for itself.
        if rest[end] < 0x20 { return end }
        let parameters = Array(rest[start..<end])
        let final = rest[end]
        if parameters.first == 0x3C, final == 0x4D || final == 0x6D {
            if let mouse = MouseReport.event(Array(parameters.dropFirst()), isRelease: final == 0x6D) { events.append(.mouse(mouse)) }
            return end + 1
        }
        let numbers = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map {
            Int(String(decoding: $0, as: UTF8.self)) ?? 0
        }
        let first = numbers.first ?? 0
        if final == 0x7E, first == 200 {
            paste = []
            return end + 1
        }
        let key = final == 0x7E ? Self.key(number: first) : final == 0x5A ? .tab : Self.key(final: final)
        if let key {
            var modifiers = Self.modifiers(numbers.count > 1 ? numbers[1] : 1)
            if final == 0x5A { modifiers.insert(.shift) }
            events.append(.key(KeyPress(key, modifiers)))
        }
        return end + 1
    }

    /// What stands after `ESC ]`, up to BEL or `ESC \`: the answer to a question for the ground's colour, or nothing of ours.
    private func takeReport(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        guard let end = rest[start...].firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else {
            return rest.count - start > Self.sequenceLimit ? rest.count : nil
        }
        if rest[end] == 0x1B, end + 1 == rest.count { return nil }
        if rest[start..<end].starts(with: [0x31, 0x31, 0x3B]), let color = ColorReport.color(Array(rest[(start + 3)..<end])) {
            events.append(.background(color))
        }
        return rest[end] == 0x07 ? end + 1 : rest[end + 1] == 0x5C ? end + 2 : end
    }

    /// Takes pasted bytes from `start` on: all but those that may belong to the end of the paste.
    private mutating func takePaste(from start: Int, _ events: inout [TerminalEvent]) -> Int? {
        var end = start
        while end < rest.count, !Self.pasteEnd.starts(with: rest[end..<min(rest.count, end + Self.pasteEnd.count)]) {
            end = rest[(end + 1)...].firstIndex(of: 0x1B) ?? rest.count
        }
        var pasted = paste ?? []
        pasted += rest[start..<end].prefix(Self.pasteLimit - pasted.count)
        guard end + Self.pasteEnd.count <= rest.count else {
            paste = pasted
            return end > start ? end : nil
        }
        events.append(.paste(String(decoding: pasted, as: UTF8.self)))
        paste = nil
        return end + Self.pasteEnd.count
    }

    // MARK: Keys

    private static func key(final: UInt8) -> Key? {
        switch final {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        case 0x4D: .enter
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

    /// xterm's number for modifiers: 1 more than the sum of 1 for Shift, 2 for Alt, 4 for Ctrl.
    private static func modifiers(_ number: Int) -> KeyModifiers {
        1...8 ~= number ? KeyModifiers(rawValue: UInt8(number - 1)) : []
    }
}
