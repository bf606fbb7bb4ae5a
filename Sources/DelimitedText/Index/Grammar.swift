import CByteScan

/// A dialect as the scanner wants it, at an address that stays.
///
/// Sendable because it is never changed after it was made.
final class Grammar: @unchecked Sendable {
    let raw: UnsafePointer<gv_dialect>
    let dialect: Dialect
    let settings: ScanSettings
    /// Whether the encoding was guessed from a sample, which the rest of the file may contradict.
    let isEncodingGuessed: Bool

    init(_ dialect: Dialect, settings: ScanSettings, isEncodingGuessed: Bool = false) {
        let place = UnsafeMutablePointer<gv_dialect>.allocate(capacity: 1)
        let prefix = dialect.commentPrefix
        place.initialize(to: gv_dialect_make(dialect.delimiter, dialect.quote.map(Int32.init) ?? -1, prefix, prefix.count))
        raw = UnsafePointer(place)
        self.dialect = dialect
        self.settings = settings
        self.isEncodingGuessed = isEncodingGuessed
    }

    deinit { raw.deallocate() }

    /// What is in `count` bytes, of which `readable` and more may be looked at; `previous` is the byte before them.
    func scan(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, readable: Int? = nil, previous: UInt8 = 0, state: UInt8 = UInt8(GV_RECORD_START),
        expectedFields: Int = 0
    ) -> gv_span {
        var span = gv_span()
        gv_scan_span(settings.implementation, raw, bytes, count, readable ?? count, previous, state, expectedFields, &span)
        return span
    }

    /// Calls `body` with each complete record of bytes that begin with one, and its offset, until it returns `false`. The first fields of the record
    /// are in `ranges`, counted from that offset.
    func forEachRecord(
        in bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, ranges: UnsafeMutableBufferPointer<gv_range>? = nil,
        _ body: (_ record: gv_record, _ offset: Int) -> Bool
    ) {
        guard let start = bytes.baseAddress else { return }
        var at = 0
        while at < bytes.count {
            var record = gv_record()
            gv_read_record(
                settings.implementation, raw, start + at, bytes.count - at, isLast ? 1 : 0, 0, ranges?.baseAddress, ranges?.count ?? 0,
                &record)
            if record.complete == 0 || record.found == 0 || !body(record, at) { return }
            at += max(record.next, 1)
        }
    }

    /// How many bytes after a block have to be at hand: the rest of a comment prefix, or of a UTF-8 sequence.
    static let margin = 16
}
