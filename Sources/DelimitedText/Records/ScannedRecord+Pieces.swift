import Tables
import CByteScan

extension ScannedRecord {
    /// The approximate size in bytes of a piece, in which the text of a long field is read. A piece ends after a line ending or a space
    /// near this size.
    var pieceBytes: Int { 2 * grammar.settings.spanBytes }

    /// The field `number`, counted from 0, with its byte range in the file including quotes. For UTF-16 and pipes, the range is in the
    /// temporary UTF-8 file. `nil` if the record does not have the field, or if the field is not scanned yet.
    /// - Complexity: reads 32 KiB of the file, regardless of the size of the record.
    func field(_ number: Int) throws(DelimitedTextError) -> LazyField? {
        guard number >= 0, number < fieldCount else { return nil }
        let range = try range(ofField: number)
        return LazyField(
            number: number, byteRange: range, pieceCount: max(1, range.count / pieceBytes),
            isPartial: !isComplete && number == fieldCount - 1)
    }

    /// The text of a piece of a field: without quotes, as UTF-8, each ill-formed sequence replaced by U+FFFD. All pieces in order are the
    /// text of the field.
    /// - Parameter number: the number of the piece, in `0 ..< field.pieceCount`.
    /// - Complexity: reads about 64 KiB of the file, regardless of the size of the field.
    func text(of field: LazyField, piece number: Int) throws(DelimitedTextError) -> String {
        let from = try startOffset(ofPiece: number, of: field)
        let to = try startOffset(ofPiece: number + 1, of: field)
        let state = number == 0 ? UInt8(GV_FIELD_START) : try state(at: from)
        // One byte before the piece is for the opening quote, which the field reader needs to recognize a quoted field.
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: to - from + 1)
        defer { buffer.deallocate() }
        try source.read(into: buffer + 1, count: to - from, at: from)
        var bytes = UnsafeBufferPointer(start: UnsafePointer(buffer + 1), count: to - from)
        if Int32(state) == GV_QUOTED, let quote = grammar.dialect.quote {
            buffer[0] = quote
            bytes = UnsafeBufferPointer(start: buffer, count: to - from + 1)
        }
        var reader = FieldReader(grammar, maximumBytes: .max)
        let isLast = number + 1 == field.pieceCount
        return reader.field(bytes, isTruncated: isLast && field.isPartial, mayBeQuoted: Int32(state) != GV_UNQUOTED).text
    }

    /// The offset in the file where a piece of a field starts. Every call returns the same offset for a piece. It is never within a
    /// character, a doubled quote or a CRLF.
    private func startOffset(ofPiece number: Int, of field: LazyField) throws(DelimitedTextError) -> Int {
        if number == 0 { return field.byteRange.lowerBound }
        if number == field.pieceCount { return field.byteRange.upperBound }
        let target = field.byteRange.lowerBound + number * pieceBytes
        let back = max(4, pieceBytes / 8)
        let isUTF8 = !grammar.dialect.encoding.isSingleByte
        let (cut, isSettled) = try withBytes(target - back..<target + 1) { bytes -> (Int, Bool) in
            func isLineEnd(_ index: Int) -> Bool { bytes[index] == 10 || bytes[index] == 13 && bytes[index + 1] != 10 }
            if let index = (0..<back).last(where: isLineEnd) ?? (0..<back).last(where: { bytes[$0] == 32 }) {
                return (target - back + index + 1, true)
            }
            var index = back
            // If the cut is within a character, move it to the first byte of the character, `lead`.
            let lead = (back - 3..<back).last { bytes[$0] & 0xC0 != 0x80 }
            if isUTF8, bytes[back] & 0xC0 == 0x80, let lead, lead + Self.length(bytes[lead]) > back { index = lead }
            if bytes[index] == 10, bytes[index - 1] == 13 { index -= 1 }
            return (target - back + index, false)
        }
        // The quote before the cut may be the first of a doubled quote. Then the cut is moved.
        if isSettled { return cut }
        return Int32(try state(at: cut)) == GV_QUOTE_SEEN ? cut - 1 : cut
    }

    /// The length in bytes of a UTF-8 sequence that starts with this byte.
    private static func length(_ lead: UInt8) -> Int { lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1 }
}
