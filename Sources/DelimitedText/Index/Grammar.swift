import CByteScan

/// A dialect as the scanner wants it, at an address that stays.
///
/// Sendable because it is never changed after it was made.
final class Grammar: @unchecked Sendable {
    let raw: UnsafePointer<gv_dialect>
    let dialect: Dialect
    let settings: ScanSettings

    init(_ dialect: Dialect, settings: ScanSettings) {
        let place = UnsafeMutablePointer<gv_dialect>.allocate(capacity: 1)
        let prefix = dialect.commentPrefix
        place.initialize(to: gv_dialect_make(dialect.delimiter, dialect.quote.map(Int32.init) ?? -1, prefix, prefix.count))
        raw = UnsafePointer(place)
        self.dialect = dialect
        self.settings = settings
    }

    deinit { raw.deallocate() }

    /// How many bytes after a block have to be at hand: the rest of a comment prefix, or of a UTF-8 sequence.
    static let margin = 16
}
