/// A cache of the indexes of large files. Reopening a file reads about 1/2,000 of it.
///
/// The entry of a compressed file also has checkpoints, at which decoding can start. Reopening the file decodes only the parts that are
/// read.
///
/// An entry is used only if it is complete and was created from the same file, unchanged, in the same dialect. The folder must belong to
/// the user, and no other user may write to it. After any failure, the file is indexed without a cache. Several processes can share one
/// folder. It may be deleted at any time.
public struct IndexCache: Sendable {
    /// The folder that contains ``folders``. It is created if it does not exist, but only if its parent exists.
    let base: String
    /// The minimum size of a cached file, in bytes.
    public var minimumBytes = 1_000_000_000
    /// The minimum size of a cached compressed file, in compressed bytes.
    public var minimumCompressedBytes = 64 << 20
    /// The maximum size of all entries, in bytes. The least recently used entries are removed first.
    public var maximumBytes = 256 << 20
    /// The maximum number of entries.
    public var maximumFiles = 200
    /// The minimum age of a file's last change when the file is opened, in seconds. Soon after a change, a file can change again without
    /// a new timestamp.
    public var settleSeconds = 3
    /// The minimum distance of checkpoints in compressed files, in decoded bytes.
    package var checkpointSpacing = 4 << 20
    /// The maximum distance of checkpoints in decoded bytes. A file with a larger distance is not cached, because a read of a row waits
    /// until the bytes between two checkpoints are decoded.
    package var maximumSectionBytes = 64 << 20
    /// The memory for the checkpoints of a file, in bytes. If it is exceeded, every second checkpoint is dropped.
    package var maximumCheckpointBytes = 64 << 20

    /// The path of the entries below ``base``.
    static let folders = ["gridview", "index"]
    /// The version of the entries. Increment it when their format or the findings of the scanner change.
    static let version: UInt64 = 3
    /// The first word of an entry. It differs on machines with a different byte order.
    static let magic = UInt64(0x6772_6964_6978_0a1a)
    /// The first word of an entry with checkpoints.
    static let checkpointMagic = UInt64(0x6772_6964_637a_0a1a)

    /// Creates a cache in the folder `gridview/index` of `base`, an absolute path.
    public init(base: String) { self.base = base }

    /// The cache in `$XDG_CACHE_HOME` or `~/.cache` (on macOS `~/Library/Caches`); `nil` if neither exists.
    public static let user = base(cacheHome: Platform.environment("XDG_CACHE_HOME"), home: Platform.environment("HOME"))
        .map { IndexCache(base: $0) }

    /// Relative paths are ignored, as the XDG Base Directory Specification requires.
    static func base(cacheHome: String?, home: String?) -> String? {
        if let cacheHome, cacheHome.hasPrefix("/") { return cacheHome }
        guard let home, home.hasPrefix("/") else { return nil }
        return "\(home)/\(Platform.userCache)"
    }
}

/// The identity of a cache entry.
struct IndexCacheKey: Equatable {
    /// The file name, derived from the path of the indexed file.
    var name: String
    /// The other properties that determine the index.
    var words: [UInt64]
}

/// A checksum of words. Each step is invertible, so every change of a single word is detected.
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
