import FieldValues

extension Pattern {
    /// Bytes that every match contains: the longest run of literal characters outside groups and repetitions. Empty without such a run.
    /// Also empty if the expression has alternatives or flags, because they are not analyzed.
    var requiredBytes: RequiredBytes {
        var reader = LiteralReader(text: Array(text.utf8)[...], ignoresCase: ignoresCase)
        return reader.read() ? reader.bestLiteral : RequiredBytes()
    }
}

/// Finds the runs of literal characters in a well-formed expression.
private struct LiteralReader {
    var text: ArraySlice<UInt8>
    let ignoresCase: Bool
    var bestLiteral = RequiredBytes()
    /// The literal characters since the end of the previous run, each as its UTF-8 bytes.
    private var run: [[UInt8]] = []

    init(text: ArraySlice<UInt8>, ignoresCase: Bool) {
        self.text = text
        self.ignoresCase = ignoresCase
    }

    /// - Returns: true if the whole expression was analyzed; false if its runs must not be used.
    mutating func read() -> Bool {
        while let byte = text.popFirst() {
            switch byte {
            case UInt8(ascii: "|"): return false
            case UInt8(ascii: "("):
                endRun()
                guard skipGroup() else { return false }
            case UInt8(ascii: "["):
                endRun()
                skipClass()
            case UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "+"): endRun()
            case UInt8(ascii: "*"), UInt8(ascii: "?"):
                // The quantifier makes the character before it optional, so that character is not part of the run.
                _ = run.popLast()
                endRun()
            case UInt8(ascii: "{"):
                _ = run.popLast()
                endRun()
                text = text.drop { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ",") }
                guard text.popFirst() == UInt8(ascii: "}") else { return false }
            case UInt8(ascii: "\\"):
                guard let escaped = text.popFirst() else { return false }
                if "dDwWsSbBAztnrfv".utf8.contains(escaped) {
                    endRun()
                } else if escaped < 0x80, Unicode.Scalar(escaped).properties.generalCategory != .control, !isLetterOrDigit(escaped) {
                    append([escaped])
                } else {
                    return false
                }
            default:
                let count = byte < 0xC0 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
                append([byte] + text.prefix(count))
                text = text.dropFirst(count)
            }
        }
        endRun()
        return true
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }

    private mutating func append(_ character: [UInt8]) {
        // If case is ignored, k and s also match the Kelvin sign and the long s. Non-ASCII letters may also have additional forms.
        if ignoresCase, character.count > 1 || "kKsS".utf8.contains(character[0]) { endRun() } else { run.append(character) }
    }

    private mutating func endRun() {
        let bytes = run.joined()
        run = []
        if bytes.count > bestLiteral.count { bestLiteral = RequiredBytes(bytes, ignoresCase: ignoresCase) }
    }

    /// Skips the rest of a group. Returns false if the group sets flags, because flags may change the meaning of the rest of the
    /// expression.
    private mutating func skipGroup() -> Bool {
        if text.first == UInt8(ascii: "?"), text.dropFirst().first != UInt8(ascii: ":") { return false }
        while let byte = text.popFirst() {
            switch byte {
            case UInt8(ascii: ")"): return true
            case UInt8(ascii: "("): guard skipGroup() else { return false }
            case UInt8(ascii: "["): skipClass()
            case UInt8(ascii: "\\"): if text.popFirst() == UInt8(ascii: "Q") { return false }
            default: break
            }
        }
        return false
    }

    /// Skips the rest of a character class such as `[a-z]`.
    private mutating func skipClass() {
        if text.first == UInt8(ascii: "^") { text.removeFirst() }
        // A `]` in the first position does not end the class.
        if text.first == UInt8(ascii: "]") { text.removeFirst() }
        while let byte = text.popFirst() {
            switch byte {
            case UInt8(ascii: "]"): return
            case UInt8(ascii: "\\"): _ = text.popFirst()
            case UInt8(ascii: "[") where text.first == UInt8(ascii: ":"):
                // A `[` that starts a named class such as `[:alpha:]`.
                let rest = text.drop { $0 != UInt8(ascii: "]") }
                if text.startIndex < rest.startIndex, text[rest.startIndex - 1] == UInt8(ascii: ":") { text = rest.dropFirst() }
            default: break
            }
        }
    }
}
