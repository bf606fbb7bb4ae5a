/// Where the indexes of large files are kept, so that opening one again costs reading a 2,000th of it.
///
/// An entry is believed only when it is whole and was made of this very file, unchanged, read in the same way; everything else is as if
/// it were not there. The folder has to be the user's, and nobody else may write to it. Whatever goes wrong, the file is indexed as
/// without a cache. Any number of processes can use one folder. It may be deleted at any time.
public struct IndexCache: Sendable {
    /// The folder that holds ``folders``. Made when it is missing, not its parents.
    let base: String
    /// Files from this size on, in bytes.
    public var minimumBytes = 1_000_000_000
    /// Entries take no more than this, in bytes; those that were not used for the longest time go first.
    public var maximumBytes = 256 << 20
    /// There are no more entries than this.
    public var maximumFiles = 200
    /// A file that was changed less than so many seconds before it was opened may be changed again without any of its times telling.
    public var settleSeconds = 3

    /// The entries are in this folder of ``base``.
    static let folders = ["gridview", "index"]
    /// Goes up when an entry of the same bytes would mean something else: with its format, and with what the scanner finds.
    static let version: UInt64 = 3
    /// What an entry begins with; reads otherwise where bytes are in the other order.
    static let magic = UInt64(0x6772_6964_6978_0a1a)

    /// A cache in the folder `gridview/index` of `base`, an absolute path.
    public init(base: String) { self.base = base }

    /// In `$XDG_CACHE_HOME` or `~/.cache` (on macOS in `~/Library/Caches`); `nil` when there is neither.
    public static let user = base(cacheHome: Platform.environment("XDG_CACHE_HOME"), home: Platform.environment("HOME"))
        .map { IndexCache(base: $0) }

    /// Relative paths do not count, as the XDG base directory specification has it.
    static func base(cacheHome: String?, home: String?) -> String? {
        if let cacheHome, cacheHome.hasPrefix("/") { return cacheHome }
        guard let home, home.hasPrefix("/") else { return nil }
        return "\(home)/\(Platform.userCache)"
    }
}

/// Names an entry of a cache, and says of what it has to be.
struct IndexCacheKey: Equatable {
    /// Follows from where the file is.
    var name: String
    /// Follow from all else that decides what its index is.
    var words: [UInt64]
}

/// A checksum of words. Each step can be undone, so that no change of a single word goes unnoticed.
struct WordMixer {
    private(set) var value: UInt64 = 0x6772_6964_7669_6577

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
        value ^= value >> 32
    }

    static func mix(_ words: some Sequence<UInt64>) -> UInt64 {
        var mixer = WordMixer()
        for word in words { mixer.add(word) }
        return mixer.value
    }
}
