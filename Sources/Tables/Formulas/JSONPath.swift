/// Paths to a value in JSON, such as `data.items`. A key that contains a dot is written in quotes: `"a.b".c`. In an array, a number from 0
/// selects an element: `items.0`.
package enum JSONPath {
    /// Splits a path into its keys as UTF-8; `nil` if a quote is not closed.
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

    /// Joins keys to a path, with quotes where they are needed.
    package static func text(_ keys: [[UInt8]]) -> String {
        keys.map { key in
            let text = String(decoding: key, as: UTF8.self)
            return key.isEmpty || key.contains(UInt8(ascii: ".")) ? "\"\(text)\"" : text
        }.joined(separator: ".")
    }
}
