import CByteScan

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
                if let start = field.start { end += gv_quote(start, field.count, delimiter, isEmptyField ? 1 : 0, end) }
                end.initialize(to: delimiter)
                end += 1
            }
            // The line feed replaces the last delimiter.
            if !fields.isEmpty { end -= 1 }
            end.initialize(to: 10)
            body(UnsafeBufferPointer(start: record.baseAddress!, count: end + 1 - record.baseAddress!))
        }
    }
}
