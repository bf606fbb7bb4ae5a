/// The `%XX` escapes of URLs.
package enum PercentEncoding {
    /// Decodes the escapes; `nil` if an escape lacks its two hexadecimal digits, or stands for NUL.
    package static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(0x25) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, rest.prefix(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
            else { return nil }
            rest.removeFirst(2)
            bytes.append(value)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
