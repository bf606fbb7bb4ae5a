import CByteScan

extension FieldBytes {
    /// The bytes, if they are not valid UTF-8; otherwise `nil`. Callers keep them in addition to the string of the field, in which U+FFFD
    /// replaces invalid bytes.
    package var invalidText: [UInt8]? { isUTF8 ? nil : Array(bytes) }

    /// True if the bytes are valid UTF-8.
    package var isUTF8: Bool {
        let bytes = bytes
        // Most fields are ASCII, and therefore valid UTF-8. This is the fastest test.
        guard let start = bytes.baseAddress, gv_has_non_ascii(start, bytes.count) != 0 else { return true }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte < 0x80 { continue }
            let more: Int
            switch byte {
            case 0xC2...0xDF: more = 1
            case 0xE0...0xEF: more = 2
            case 0xF0...0xF4: more = 3
            default: return false
            }
            guard more <= bytes.count - index else { return false }
            let second = bytes[index]
            guard second & 0xC0 == 0x80, byte != 0xE0 || second >= 0xA0, byte != 0xED || second < 0xA0, byte != 0xF0 || second >= 0x90,
                byte != 0xF4 || second < 0x90
            else { return false }
            for offset in index..<index + more where bytes[offset] & 0xC0 != 0x80 { return false }
            index += more
        }
        return true
    }
}
