import CByteScan
import FieldValues
import Tables

/// Converts the bytes of a field in the file to its text: removes quotes and converts the encoding.
struct FieldReader: ~Copyable {
    private let quote: UInt8?
    private let maximumBytes: Int
    private var arena: FieldArena

    /// Creates a reader that returns at most `maximumBytes` bytes of the text of a field, in UTF-8.
    init(_ grammar: Grammar, maximumBytes: Int) {
        quote = grammar.dialect.quote
        self.maximumBytes = max(maximumBytes, 0)
        arena = FieldArena(grammar)
    }

    /// Converts a field.
    /// - Parameters:
    ///   - raw: the bytes of the field in the file, which may be cut off.
    ///   - mayBeQuoted: true if a quote at the start encloses the field; false if the bytes are from the middle of a field.
    mutating func field(_ raw: UnsafeBufferPointer<UInt8>, isTruncated: Bool, mayBeQuoted: Bool = true) -> RecordField {
        guard let start = raw.baseAddress, raw.count > 0 else { return RecordField(text: "", isTruncated: isTruncated) }
        let isQuoted = mayBeQuoted && start[0] == quote
        // Two bytes of the file become at least one byte of text, except for the quotes around the field. Therefore the bytes after the
        // first `enough` bytes need not be converted.
        let enough = maximumBytes > (Int.max - 8) / 2 ? Int.max : 2 * maximumBytes + 8
        let isTruncated = isTruncated || raw.count > enough
        arena.reset()
        var value = arena.converted(start, min(raw.count, enough), isQuoted: isQuoted)
        if isTruncated, let start = value.start { value = FieldBytes(start: start, count: gv_utf8_cut_length(start, value.count)) }
        var field = RecordField(value, maximumBytes: maximumBytes)
        field.isTruncated = field.isTruncated || isTruncated
        field.wasQuoted = isQuoted
        return field
    }
}
