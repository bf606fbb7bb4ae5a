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
        var (start, offset) = (0, 0)
        func pass(_ part: JSONPart, to end: Int) -> Bool {
            guard start < end else { return true }
            defer { start = end }
            return body(part, UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                guard pass(.other, to: offset) else { return }
                offset += 1
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
                offset = min(offset + 1, bytes.count)
                guard pass(.string, to: offset) else { return }
            case UInt8(ascii: "N"), UInt8(ascii: "I"):
                guard pass(.other, to: offset > start && bytes[offset - 1] == UInt8(ascii: "-") ? offset - 1 : offset) else { return }
                while offset < bytes.count, (bytes[offset] | 0x20) &- UInt8(ascii: "a") < 26 { offset += 1 }
                guard pass(.nonFinite, to: offset) else { return }
            default: offset += 1
            }
        }
        _ = pass(.other, to: bytes.count)
    }

    /// True if valid JSON text is also valid in strict JSON: it has no `NaN` or `Infinity`, and no raw control characters in strings.
    package static func isStrictJSON(_ text: FieldBytes) -> Bool {
        var isStrict = true
        forEach(in: text) { part, bytes in
            isStrict = part == .other || part == .string && bytes.allSatisfy { $0 >= 0x20 }
            return isStrict
        }
        return isStrict
    }
}
