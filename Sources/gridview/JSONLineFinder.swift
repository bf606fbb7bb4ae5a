/// Finds line numbers in JSON text, because the decoder's errors do not have them.
enum JSONLineFinder {
    /// The line number, from 1, of the last of `keys`. Each key is in the object that is the value of the key before it.
    ///
    /// Returns `nil` if the text does not have these keys. The text must be valid JSON. O(bytes).
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
                // A string before a colon is a key.
                let next = text[min(offset, text.count)...].first { ![9, 10, 13, 32].contains($0) }
                if depth == found + 1, next == UInt8(ascii: ":"), text[start..<end].elementsEqual(keys[found].utf8) { found += 1 }
            default: break
            }
        }
        return found == keys.count && found > 0 ? line : nil
    }

    /// The line number, from 1, of the first invalid byte or, if the text is incomplete, of its end.
    ///
    /// Does not check numbers and words. Accepts a comma before a closing bracket, as the decoder does. O(bytes).
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
                // In ASCII, a closing bracket has the code of its opening bracket plus 2.
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

    /// The kind of token that must come next in valid JSON.
    private enum Expected {
        case value, valueOrEnd, keyOrEnd, colon, comma
    }
}
