/// Writes rows as comma-separated text.
enum RowText {
    /// Appends a row.
    static func append(_ fields: [[UInt8]], to output: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            field.withUnsafeBufferPointer { append($0[...], isOnly: fields.count == 1, to: &output) }
        }
        output.append(10)
    }

    /// Appends a field, quoted if necessary. An empty field is quoted if it is the only one of its row, because an empty line is not a row.
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
