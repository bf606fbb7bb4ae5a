package import FieldValues

/// A part of JSON text. The text may contain `NaN` and `Infinity`, which some programs write and accept, although JSON has no such numbers.
package enum JSONPart {
    /// A string with its quotes.
    case string
    /// `NaN`, `Infinity` or `-Infinity`.
    case nonFinite
    /// Everything else: finite numbers, words, brackets, separators and blanks.
    case other

    /// Splits valid JSON text into consecutive parts that cover all of it, and calls `body` for each part until `body` returns `false`.
    /// O(bytes).
    package static func forEach(in text: FieldBytes, _ body: (_ part: JSONPart, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool) {
        let bytes = text.bytes
        var (start, place) = (0, 0)
        func pass(_ part: JSONPart, to end: Int) -> Bool {
            guard start < end else { return true }
            defer { start = end }
            return body(part, UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                guard pass(.other, to: place) else { return }
                place += 1
                while place < bytes.count, bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
                place = min(place + 1, bytes.count)
                guard pass(.string, to: place) else { return }
            case UInt8(ascii: "N"), UInt8(ascii: "I"):
                guard pass(.other, to: place > start && bytes[place - 1] == UInt8(ascii: "-") ? place - 1 : place) else { return }
                while place < bytes.count, (bytes[place] | 0x20) &- UInt8(ascii: "a") < 26 { place += 1 }
                guard pass(.nonFinite, to: place) else { return }
            default: place += 1
            }
        }
        _ = pass(.other, to: bytes.count)
    }

    /// True if the text is valid in strict JSON: it has no `NaN` or `Infinity`, and no raw control characters in strings.
    package static func areStrict(_ text: FieldBytes) -> Bool {
        var areStrict = true
        forEach(in: text) { part, bytes in
            areStrict = part == .other || part == .string && bytes.allSatisfy { $0 >= 0x20 }
            return areStrict
        }
        return areStrict
    }
}
