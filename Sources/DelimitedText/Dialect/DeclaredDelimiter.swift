/// The first line of a file that declares the delimiter of the file, such as `sep=;`. Spreadsheets read and write such lines.
struct DeclaredDelimiter {
    let delimiter: UInt8
    /// The size of this line in bytes, including its line ending.
    let lineBytes: Int

    /// Reads the first line.
    /// - Parameter bytes: the start of the content.
    /// - Returns: `nil` if the line does not declare a delimiter, or if the request is to read each line as one field.
    init?(_ bytes: ArraySlice<UInt8>, _ request: DialectRequest) {
        guard !request.readsLines, request.delimiter != 0x1F else { return nil }
        let line = bytes.prefix(16).prefix { $0 != 0x0A && $0 != 0x0D }
        let isQuoted = line.first == UInt8(ascii: "\"") && line.last == UInt8(ascii: "\"") && line.count == 7
        let text = isQuoted ? line.dropFirst().dropLast() : line
        guard text.count == 5, line.endIndex < bytes.endIndex, let last = text.last, last < 0x80,
            String(decoding: text.dropLast(), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        let isWord = last | 0x20 >= UInt8(ascii: "a") && last | 0x20 <= UInt8(ascii: "z") || last &- 0x30 < 10
        guard !isWord, last >= 0x20 || last == 0x09, last != 0x7F, last != request.quote ?? UInt8(ascii: "\""),
            last != request.commentPrefix.first
        else { return nil }
        delimiter = last
        let end = line.endIndex
        let isPair = bytes[end] == 0x0D && end + 1 < bytes.endIndex && bytes[end + 1] == 0x0A
        lineBytes = end + (isPair ? 2 : 1) - bytes.startIndex
    }
}
