import CByteScan

/// A dialect in the form that the C scanner uses, in memory that does not move.
///
/// Sendable because it is immutable.
final class Grammar: @unchecked Sendable {
    let raw: UnsafePointer<gv_dialect>
    let dialect: Dialect
    let settings: ScanSettings
    /// True if the encoding was guessed from samples, so that other parts of the file may contradict it.
    let isEncodingGuessed: Bool

    init(_ dialect: Dialect, settings: ScanSettings, isEncodingGuessed: Bool = false) {
        let pointer = UnsafeMutablePointer<gv_dialect>.allocate(capacity: 1)
        let prefix = dialect.commentPrefix
        pointer.initialize(to: gv_dialect_make(dialect.delimiter, dialect.quote.map(Int32.init) ?? -1, prefix, prefix.count))
        pointer.pointee.skips_blanks = dialect.skipsBlankLines ? 1 : 0
        raw = UnsafePointer(pointer)
        self.dialect = dialect
        self.settings = settings
        self.isEncodingGuessed = isEncodingGuessed
    }

    deinit { raw.deallocate() }

    /// Scans `count` bytes.
    /// - Parameters:
    ///   - readable: the number of bytes that may be read, at least `count`; see ``marginBytes``.
    ///   - previous: the byte before the scanned ones.
    func scan(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, readable: Int? = nil, previous: UInt8 = 0, state: UInt8 = UInt8(GV_RECORD_START),
        expectedFields: Int = 0
    ) -> gv_span {
        var span = gv_span()
        gv_scan_span(settings.implementation, raw, bytes, count, readable ?? count, previous, state, expectedFields, &span)
        return span
    }

    /// Calls `body` with each complete record and its offset, until `body` returns `false`. `bytes` must start with a record. `ranges`
    /// receives the byte ranges of the first fields of the record, relative to its offset.
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

    /// The number of bytes after a block that the scanner must be able to read, to see the rest of a comment prefix or a UTF-8 sequence.
    static let marginBytes = 16
}
