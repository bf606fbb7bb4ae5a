import CByteScan
import Tables

/// Finds the value at a path in JSON text. The rest of the text is skipped without a check.
struct JSONExtractor: Sendable {
    private let keys: [[UInt8]]

    /// - Parameter path: a path of `JSONPath`. Nothing is found for an invalid path.
    init(_ path: String) { keys = JSONPath.keys(path) ?? [] }

    /// The range of the bytes of the value, without the quotes of a string; `nil` if there is no value, or if the value is `null`.
    /// O(bytes).
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> (range: Range<Int>, isString: Bool, hasEscapes: Bool)? {
        guard !keys.isEmpty else { return nil }
        var text = JSONCursor(bytes)
        text.skipBlanks()
        for key in keys {
            var found: Int?
            switch text.byte {
            case UInt8(ascii: "{"):
                // If a key occurs several times, its last value is used, as in JSON files.
                text.forEachKey { name, start in if name.elementsEqual(key) { found = start } }
            case UInt8(ascii: "["):
                let index = Int(String(decoding: key, as: UTF8.self))
                text.forEachElement { number, start in
                    if number == index { found = start }
                    return number != index
                }
            default: return nil
            }
            guard let found else { return nil }
            text.position = found
        }
        guard let value = text.value(), text.byte != UInt8(ascii: "n") else { return nil }
        guard text.byte == UInt8(ascii: "\"") else { return (value, false, false) }
        let inner = value.lowerBound + 1..<value.upperBound - 1
        return (inner, true, bytes[inner].contains(UInt8(ascii: "\\")))
    }
}

/// A position in JSON text.
package struct JSONCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The byte at the cursor; 0 at the end of the text.
    package var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

    package mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    /// The range of the value that starts at the cursor; `nil` if it is invalid.
    func value() -> Range<Int>? {
        guard position < bytes.count else { return nil }
        var isCut: Int32 = 0
        let length = gv_json_value_end(bytes.baseAddress! + position, bytes.count - position, &isCut)
        return length > 0 ? position..<position + length : nil
    }

    /// Calls `body` with each key of the object that starts at the cursor, with escapes replaced, and the position of its value. Ends at
    /// invalid text.
    package mutating func forEachKey(_ body: (_ key: ArraySlice<UInt8>, _ start: Int) -> Void) {
        forEach { text in
            guard text.byte == UInt8(ascii: "\""), let name = text.value() else { return false }
            let inner = name.lowerBound + 1..<name.upperBound - 1
            text.position = name.upperBound
            text.skipBlanks()
            guard text.byte == UInt8(ascii: ":") else { return false }
            text.position += 1
            text.skipBlanks()
            // An empty array must not be written to, because all threads share its memory.
            let key =
                inner.isEmpty
                ? []
                : [UInt8](unsafeUninitializedCapacity: inner.count) { buffer, count in
                    count = gv_json_unescape(text.bytes.baseAddress! + inner.lowerBound, inner.count, buffer.baseAddress!)
                }
            body(key[...], text.position)
            return true
        }
    }

    /// Calls `body` with the index and the position of each element of the array that starts at the cursor, until it returns false.
    package mutating func forEachElement(_ body: (_ number: Int, _ start: Int) -> Bool) {
        var number = 0
        forEach { text in
            guard body(number, text.position) else { return false }
            number += 1
            return true
        }
    }

    /// Calls `body` at each member of the array or object that starts at the cursor. `body` moves the cursor to the start of the member's
    /// value, and returns false to stop.
    private mutating func forEach(_ body: (inout JSONCursor) -> Bool) {
        position += 1
        skipBlanks()
        while byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}"), body(&self), let value = value() {
            position = value.upperBound
            skipBlanks()
            guard byte == UInt8(ascii: ",") else { return }
            position += 1
            skipBlanks()
        }
    }
}
