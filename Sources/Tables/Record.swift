/// One field as text.
public struct RecordField: Sendable, Hashable {
    /// The field's value: without quotes, each ill-formed sequence replaced by U+FFFD.
    public var text: String
    /// Whether the field is longer than `text`.
    public var isTruncated: Bool
    /// Whether `text` holds replacements for bytes that are no characters.
    public var isInvalid: Bool
    /// Whether the field begins with a quote in the file.
    public var wasQuoted: Bool

    /// A field with this text.
    public init(text: String, isTruncated: Bool = false, isInvalid: Bool = false, wasQuoted: Bool = false) {
        self.text = text
        self.isTruncated = isTruncated
        self.isInvalid = isInvalid
        self.wasQuoted = wasQuoted
    }
}

/// One record as text, for the screen.
public struct Record: Sendable, Hashable {
    /// The fields asked for, as far as the record has them; none for a blank line.
    public var fields: [RecordField]
    /// The derived fields, by number from `FieldID.firstDerived`; `nil` where a field has no value.
    public var derivedFields: [RecordField?] = []
    /// Where the record stands in its file, in bytes, without its line end. (For UTF-16 and pipes: in the temporary UTF-8 file.)
    /// Empty where the table is not a file of text.
    public var byteRange: Range<Int>
    /// The number of fields of the record, asked for or not.
    public var fieldCount: Int
    /// Whether the record is so long that its end was not read. The last field that was reached is truncated then.
    public var isCut: Bool

    /// A record of these fields.
    public init(fields: [RecordField], byteRange: Range<Int>, fieldCount: Int, isCut: Bool = false) {
        self.fields = fields
        self.byteRange = byteRange
        self.fieldCount = fieldCount
        self.isCut = isCut
    }

    /// The field of a column; `nil` where the record has none, or was cut before it. O(1).
    public subscript(column: Int) -> RecordField? {
        if column < fields.count { return column < 0 ? nil : fields[column] }
        let derived = column - FieldID.firstDerived.rawValue
        return derivedFields.indices.contains(derived) ? derivedFields[derived] : nil
    }
}
