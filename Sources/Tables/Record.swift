/// One field as text.
public struct RecordField: Sendable, Hashable {
    /// The value of the field, without quotes. U+FFFD replaces each invalid byte sequence.
    public var text: String
    /// True if the field is longer than `text`.
    public var isTruncated: Bool
    /// True if U+FFFD replaces invalid bytes in `text`.
    public var isInvalid: Bool
    /// True if the field starts with a quote in the file.
    public var wasQuoted: Bool
    /// True if the field is null, or if the record has later fields but not this one.
    public var isMissing = false
    /// True if the field is null, in formats in which a null differs from a missing field.
    public var isNull = false

    /// A field that the record does not have, although it has later fields.
    public static var missing: RecordField {
        var field = RecordField(text: "")
        field.isMissing = true
        return field
    }

    /// Creates a field.
    public init(text: String, isTruncated: Bool = false, isInvalid: Bool = false, wasQuoted: Bool = false) {
        self.text = text
        self.isTruncated = isTruncated
        self.isInvalid = isInvalid
        self.wasQuoted = wasQuoted
    }
}

/// One record as text, for the screen.
public struct Record: Sendable, Hashable {
    /// The requested fields, up to the last field that the record has. The list is empty for an empty line.
    public var fields: [RecordField]
    /// The derived fields, in order from `FieldID.firstDerived`; `nil` for a field without a value.
    public var derivedFields: [RecordField?] = []
    /// The byte range of the record in its file, without the line end. For UTF-16 files and pipes, it is a range in the temporary UTF-8
    /// copy. The range is empty for tables that are not text files.
    public var byteRange: Range<Int>
    /// The number of fields of the record, including fields that were not requested.
    public var fieldCount: Int
    /// True if the record is so long that only its beginning was read. Its last field is then cut.
    public var isTruncated: Bool

    /// Creates a record.
    public init(fields: [RecordField], byteRange: Range<Int>, fieldCount: Int, isTruncated: Bool = false) {
        self.fields = fields
        self.byteRange = byteRange
        self.fieldCount = fieldCount
        self.isTruncated = isTruncated
    }

    /// The field of a column; `nil` if the record does not have the field, or was cut before it. O(1).
    public subscript(column: Int) -> RecordField? {
        if column < fields.count { return column < 0 || fields[column].isMissing ? nil : fields[column] }
        let derived = column - FieldID.firstDerived.rawValue
        return derivedFields.indices.contains(derived) ? derivedFields[derived] : nil
    }

    /// True if the field of a column is null, in formats in which a null differs from a missing field. O(1).
    public func isNull(_ column: Int) -> Bool { fields.indices.contains(column) && fields[column].isNull }
}
