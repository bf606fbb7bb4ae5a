/// Finds line numbers in JSON text, for error messages.
enum JSONLineFinder {
    /// The line, from 1, of the last key of a path; `nil` if the text does not have that path. Each key is in the object of the previous
    /// key. The text must be valid JSON. O(bytes).
    static func line(of keys: [String], in text: [UInt8]) -> Int? {
        var (line, depth, found, offset) = (1, 0, 0, 0)
        while offset < text.count, found < keys.count {
            let byte = text[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = offset
                while offset < text.count, text[offset] != UInt8(ascii: "\"") { offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1 }
                let end = min(offset, text.count)
                offset = end + 1
                // A key precedes a colon.
                let next = text[min(offset, text.count)...].first { ![9, 10, 13, 32].contains($0) }
                if depth == found + 1, next == UInt8(ascii: ":"), text[start..<end].elementsEqual(keys[found].utf8) { found += 1 }
            default: break
            }
        }
        return found == keys.count && found > 0 ? line : nil
    }

    /// The line, from 1, of the first invalid byte, or of the end if the text is incomplete. Numbers and words are not validated. A comma
    /// may precede a closing bracket, as in the decoder. O(bytes).
    static func lineOfError(in text: [UInt8]) -> Int {
        var line = 1
        var open: [UInt8] = []
        var expected = Expected.value
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            offset += 1
            switch (byte, expected) {
            case (UInt8(ascii: "\n"), _): line += 1
            case (9, _), (13, _), (32, _): break
            case (UInt8(ascii: "{"), .value), (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd),
                (UInt8(ascii: "{"), .valueOrEnd):
                open.append(byte)
                expected = byte == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
            case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "]"), .valueOrEnd), (UInt8(ascii: "}"), .comma), (UInt8(ascii: "]"), .comma):
                // In ASCII, the code of a closing bracket is 2 greater than the code of its opening bracket.
                guard open.popLast() == byte - 2 else { return line }
                expected = .comma
            case (UInt8(ascii: ","), .comma):
                guard let last = open.last else { return line }
                expected = last == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
            case (UInt8(ascii: ":"), .colon): expected = .value
            case (UInt8(ascii: "\""), .value), (UInt8(ascii: "\""), .valueOrEnd), (UInt8(ascii: "\""), .keyOrEnd):
                while offset < text.count, text[offset] != UInt8(ascii: "\"") {
                    if text[offset] < 32 { return line }
                    offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
                offset += 1
                expected = expected == .keyOrEnd ? .colon : .comma
            case (UInt8(ascii: "a")...UInt8(ascii: "z"), .value), (UInt8(ascii: "a")...UInt8(ascii: "z"), .valueOrEnd),
                (UInt8(ascii: "-")...UInt8(ascii: "9"), .value), (UInt8(ascii: "-")...UInt8(ascii: "9"), .valueOrEnd):
                while offset < text.count, text[offset] > 32, !",:]}".utf8.contains(text[offset]) { offset += 1 }
                expected = .comma
            default: return line
            }
        }
        return line
    }

    /// The next expected token.
    private enum Expected {
        case value, valueOrEnd, keyOrEnd, colon, comma
    }
}
