/// Writes rows as comma-separated text.
enum RowText {
    static func append(_ fields: [[UInt8]], to output: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            field.withUnsafeBufferPointer { append($0[...], isOnly: fields.count == 1, to: &output) }
        }
        output.append(10)
    }

    /// The fields of a row. `text` is a row that ``append(_:to:)`` has written.
    static func fields(_ text: ArraySlice<UInt8>) -> [[UInt8]] {
        var fields: [[UInt8]] = [[]]
        var (isQuoted, isAfterQuote) = (false, false)
        for byte in text.dropLast() {
            if byte == UInt8(ascii: "\"") {
                // Two quotes within a quoted field stand for one quote.
                if !isQuoted, isAfterQuote { fields[fields.count - 1].append(byte) }
                isQuoted.toggle()
                isAfterQuote = !isQuoted
                continue
            }
            isAfterQuote = false
            if byte == UInt8(ascii: ","), !isQuoted { fields.append([]) } else { fields[fields.count - 1].append(byte) }
        }
        return fields
    }

    /// Appends a field, with quotes if it needs them. If `isOnly` is true, the row has no other field. An empty field is then quoted,
    /// because an empty line is not a row.
    static func append(_ field: Slice<UnsafeBufferPointer<UInt8>>, isOnly: Bool, to output: inout [UInt8]) {
        let isPlain = field.allSatisfy { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") && $0 != 10 && $0 != 13 }
        guard !isPlain || isOnly && field.isEmpty else { return output.append(contentsOf: field) }
        output.append(UInt8(ascii: "\""))
        for byte in field {
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        output.append(UInt8(ascii: "\""))
    }
}
