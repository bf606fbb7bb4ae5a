extension FieldBytes {
    /// Calls `body` with the fields as one record of delimited text (RFC 4180), ended by a line feed. O(bytes).
    ///
    /// A field with a delimiter, quote or line ending is quoted, and its quotes are doubled. A single empty field is written as `""`,
    /// because an empty line would be a record without fields. A missing field is written as nothing, without quotes.
    public static func withRecord(
        of fields: UnsafeBufferPointer<FieldBytes>, delimiter: UInt8, _ body: (_ record: UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let isEmptyField = fields.count == 1 && fields[0].count == 0 && !fields[0].isMissing
        var room = 1
        for field in fields { room += 2 * field.count + 3 }
        // Assemble the record in one buffer, and pass it with one call.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { record in
            var end = record.baseAddress!
            for field in fields {
                write(field.bytes, delimiter, isQuoted: isEmptyField, to: &end)
                end.initialize(to: delimiter)
                end += 1
            }
            // The line feed replaces the last delimiter.
            if !fields.isEmpty { end -= 1 }
            end.initialize(to: 10)
            body(UnsafeBufferPointer(start: record.baseAddress!, count: end + 1 - record.baseAddress!))
        }
    }

    /// Writes a field, in quotes if necessary, and moves `end` to the end of the written bytes. The buffer must have room for two quotes
    /// and twice the bytes of the field.
    @inline(__always)
    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8, isQuoted: Bool, to end: inout UnsafeMutablePointer<UInt8>
    ) {
        guard let start = bytes.baseAddress else { return }
        var needsQuotes = isQuoted
        for index in 0..<bytes.count {
            let byte = start[index]
            end[index] = byte
            needsQuotes = needsQuotes || byte == delimiter || byte == 34 || byte == 10 || byte == 13
        }
        guard needsQuotes else { return end += bytes.count }
        end.initialize(to: 34)
        end += 1
        for byte in bytes {
            end.initialize(to: byte)
            end += 1
            if byte == 34 {
                end.initialize(to: 34)
                end += 1
            }
        }
        end.initialize(to: 34)
        end += 1
    }
}
