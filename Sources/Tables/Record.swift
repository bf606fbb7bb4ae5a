/// One field as text.
public struct RecordField: Sendable, Hashable {
    /// The value of the field, without quotes. Each ill-formed sequence is replaced by U+FFFD.
    public var text: String
    /// True if the field is longer than `text`.
    public var isTruncated: Bool
    /// True if `text` has replacements for ill-formed bytes.
    public var isInvalid: Bool
    /// True if the field starts with a quote in the file.
    public var wasQuoted: Bool
    /// True if the field is null, or if the record has later fields but not this one.
    public var isMissing = false
    /// True if the field is null, in formats that tell null from missing fields.
    public var isNull = false

    /// A missing field of a record that has later fields.
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

/// One record as text, for display.
public struct Record: Sendable, Hashable {
    /// The requested fields, up to the last one that the record has. The list is empty for an empty line.
    public var fields: [RecordField]
    /// The derived fields, in order from `FieldID.firstDerived`; `nil` for a field without a value.
    public var derivedFields: [RecordField?] = []
    /// The byte range of the record in its file, without the line end. For UTF-16 files and pipes, it is a range of the temporary UTF-8
    /// file. The range is empty for tables that are not text files.
    public var byteRange: Range<Int>
    /// The number of fields of the record, including those not requested.
    public var fieldCount: Int
    /// True if the record is so long that its end was not read. The last field is truncated in that case.
    public var isTruncated: Bool

    /// Creates a record.
    public init(fields: [RecordField], byteRange: Range<Int>, fieldCount: Int, isTruncated: Bool = false) {
        self.fields = fields
        self.byteRange = byteRange
        self.fieldCount = fieldCount
        self.isTruncated = isTruncated
    }

    /// The field of a column; `nil` if the record does not have it, or if the record was truncated before it. O(1).
    public subscript(column: Int) -> RecordField? {
        if column < fields.count { return column < 0 || fields[column].isMissing ? nil : fields[column] }
        let derived = column - FieldID.firstDerived.rawValue
        return derivedFields.indices.contains(derived) ? derivedFields[derived] : nil
    }

    /// True if the field of a column is null, in formats that tell null from missing fields. O(1).
    public func isNull(_ column: Int) -> Bool { fields.indices.contains(column) && fields[column].isNull }
}
