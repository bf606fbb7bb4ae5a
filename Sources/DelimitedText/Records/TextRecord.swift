/// One field as text.
public struct TextField: Sendable, Hashable {
    /// What the field says: without quotes, doubled quotes halved, each ill-formed sequence replaced by U+FFFD.
    public var text: String
    /// Whether the field is longer than `text`.
    public var isTruncated: Bool
    /// Whether `text` holds replacements for bytes that are no characters.
    public var isInvalid: Bool
    /// Whether the field begins with a quote in the file.
    public var wasQuoted: Bool

    /// A field that says `text`.
    public init(text: String, isTruncated: Bool = false, isInvalid: Bool = false, wasQuoted: Bool = false) {
        self.text = text
        self.isTruncated = isTruncated
        self.isInvalid = isInvalid
        self.wasQuoted = wasQuoted
    }
}

/// One record as text.
public struct TextRecord: Sendable, Hashable {
    /// The fields asked for, as far as the record has them; none for a blank line.
    public var fields: [TextField]
    /// Where it stands in the file, in bytes, its line end not included. (For UTF-16 and pipes: in the temporary UTF-8 file.)
    public var byteRange: Range<Int>
    /// How many fields the record has, asked for or not.
    public var fieldCount: Int
    /// Whether the record is so long that its end was not read; the last field that was reached is truncated then.
    public var isCut: Bool

    /// A record of these fields.
    public init(fields: [TextField], byteRange: Range<Int>, fieldCount: Int, isCut: Bool = false) {
        self.fields = fields
        self.byteRange = byteRange
        self.fieldCount = fieldCount
        self.isCut = isCut
    }
}
