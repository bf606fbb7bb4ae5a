/// Paths of keys, such as `data.items`. A key with a dot is quoted: `"a.b".c`. In an array, a key is a position from 0: `items.0`.
package enum JSONPath {
    /// The keys of a path; `nil` if a quote is not closed.
    package static func keys(_ path: String) -> [[UInt8]]? {
        var keys: [[UInt8]] = []
        var key: [UInt8] = []
        var (isQuoted, isStart) = (false, true)
        for byte in path.utf8 {
            if byte == UInt8(ascii: "\""), isStart || isQuoted {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "."), !isQuoted {
                keys.append(key)
                key = []
                isStart = true
                continue
            } else {
                key.append(byte)
            }
            isStart = false
        }
        guard !isQuoted else { return nil }
        return path.isEmpty ? [] : keys + [key]
    }

    /// A path as text.
    package static func text(_ keys: [[UInt8]]) -> String {
        keys.map { key in
            let text = String(decoding: key, as: UTF8.self)
            return key.isEmpty || key.contains(UInt8(ascii: ".")) ? "\"\(text)\"" : text
        }.joined(separator: ".")
    }
}
