import CByteScan
import FieldValues
import Tables

/// Converts the raw bytes of fields to text.
struct FieldReader: ~Copyable {
    private let quote: UInt8?
    private let maximumBytes: Int
    private var arena: FieldArena

    /// Creates a reader of strings with at most `maximumBytes` bytes of UTF-8.
    init(_ grammar: Grammar, maximumBytes: Int) {
        quote = grammar.dialect.quote
        self.maximumBytes = max(maximumBytes, 0)
        arena = FieldArena(grammar)
    }

    /// - Parameter mayBeQuoted: true if a leading quote opens a quoted field; false for a part from the middle of a field.
    mutating func field(_ raw: UnsafeBufferPointer<UInt8>, isTruncated: Bool, mayBeQuoted: Bool = true) -> RecordField {
        guard let start = raw.baseAddress, raw.count > 0 else { return RecordField(text: "", isTruncated: isTruncated) }
        let isQuoted = mayBeQuoted && start[0] == quote
        // Apart from the quotes around a field, two raw bytes become at least one byte of its value. Convert no more raw bytes than needed.
        let enough = maximumBytes > (Int.max - 8) / 2 ? Int.max : 2 * maximumBytes + 8
        let isTruncated = isTruncated || raw.count > enough
        arena.reset()
        var value = arena.converted(start, min(raw.count, enough), isQuoted: isQuoted)
        if isTruncated, let start = value.start { value = FieldBytes(start: start, count: gv_utf8_cut(start, value.count)) }
        var field = RecordField(value, maximumBytes: maximumBytes)
        field.isTruncated = field.isTruncated || isTruncated
        field.wasQuoted = isQuoted
        return field
    }
}
