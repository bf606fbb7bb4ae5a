import Tables
import CByteScan

/// Makes text of fields' raw bytes.
struct FieldReader: ~Copyable {
    private let grammar: Grammar
    private let maximumBytes: Int
    private var scratch: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    /// Texts have at most `maximumBytes` bytes of UTF-8.
    init(_ grammar: Grammar, maximumBytes: Int) {
        self.grammar = grammar
        self.maximumBytes = max(maximumBytes, 0)
        capacity = 1024
        scratch = .allocate(capacity: capacity)
    }

    deinit { scratch.deallocate() }

    /// - Parameter mayBeQuoted: whether a quote at the beginning opens a quoted field; in the middle of a field it does not.
    mutating func field(_ raw: UnsafeBufferPointer<UInt8>, isCut: Bool, mayBeQuoted: Bool = true) -> RecordField {
        guard let start = raw.baseAddress, raw.count > 0 else { return RecordField(text: "", isTruncated: isCut) }
        let wasQuoted = mayBeQuoted && grammar.dialect.quote == start[0]
        // Two raw bytes give at least one of the field, except for the quotes around it.
        let enough = maximumBytes > (Int.max - 8) / 2 ? Int.max : 2 * maximumBytes + 8
        var count = min(raw.count, enough)
        var isTruncated = isCut || count < raw.count
        var bytes = start
        let latin = grammar.dialect.encoding.isSingleByte && gv_has_high(start, count) != 0
        if wasQuoted || latin {
            reserve(latin ? 4 * count : count)
            if wasQuoted {
                count = gv_unquote(grammar.raw, bytes, count, scratch)
                bytes = UnsafePointer(scratch)
            }
            if latin {
                // Written behind the unquoted bytes.
                let target = scratch + (wasQuoted ? count : 0)
                count = gv_latin_to_utf8(bytes, count, grammar.dialect.encoding == .windows1252 ? 1 : 0, target)
                bytes = UnsafePointer(target)
            }
        }
        if count > maximumBytes {
            count = gv_utf8_cut(bytes, maximumBytes)
            isTruncated = true
        } else if isTruncated {
            count = gv_utf8_cut(bytes, count)
        }
        let view = UnsafeBufferPointer(start: bytes, count: count)
        var isInvalid = false
        if gv_has_high(bytes, count) != 0 {
            var skip = 0
            var first = 0
            isInvalid = gv_utf8_invalid(grammar.settings.implementation, bytes, count, count, &skip, &first) > 0
        }
        return RecordField(
            text: String(decoding: view, as: UTF8.self), isTruncated: isTruncated, isInvalid: isInvalid, wasQuoted: wasQuoted)
    }

    private mutating func reserve(_ count: Int) {
        guard count > capacity else { return }
        scratch.deallocate()
        capacity = count
        scratch = .allocate(capacity: capacity)
    }
}
