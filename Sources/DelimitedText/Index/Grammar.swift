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

    /// How many bytes after a block have to be at hand: the rest of a comment prefix, or of a UTF-8 sequence.
    static let margin = 16
}
