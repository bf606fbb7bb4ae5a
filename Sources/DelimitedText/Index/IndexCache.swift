/// A cache of the indexes of large files. With it, opening a file again reads only about 1/2,000 of the file.
///
/// The entry of a compressed file also has checkpoints, from which decoding can start. Opening the file again decodes only the parts that
/// are read.
///
/// An entry is used only if it is complete and was created from the same file, unchanged, in the same dialect. The folder must belong to
/// the user, and no other user may write to it. After any failure, the file is indexed without a cache. Several processes can share one
/// folder. It may be deleted at any time.
public struct IndexCache: Sendable {
    /// The folder that contains the folders of the cache, ``folders``. If it does not exist, it is created in its parent, which must exist.
    let base: String
    /// The minimum size of a cached file, in bytes.
    public var minimumBytes = 1_000_000_000
    /// The minimum size of a cached compressed file, in compressed bytes.
    public var minimumCompressedBytes = 64 << 20
    /// The maximum size of all entries, in bytes. The least recently used entries are removed first.
    public var maximumBytes = 256 << 20
    /// The maximum number of entries.
    public var maximumFiles = 200
    /// The minimum time in seconds between the last change of a file and its opening. Soon after a change, a file can change again without
    /// a new timestamp.
    public var settleSeconds = 3
    /// The minimum distance between checkpoints of compressed files, in decoded bytes.
    package var checkpointSpacing = 4 << 20
    /// The maximum distance between checkpoints, in decoded bytes. A file with a greater distance is not cached, because reading a row
    /// would have to decode too many bytes.
    package var maximumSectionBytes = 64 << 20
    /// The maximum memory for the checkpoints of a file, in bytes. If it is exceeded, every second checkpoint is dropped.
    package var maximumCheckpointBytes = 64 << 20

    /// The names of the folders from ``base`` to the entries, each within the one before.
    static let folders = ["gridview", "index"]
    /// The version of the format of entries. Increase it when the format changes, or when the scanner finds other problems than before.
    static let version: UInt64 = 4
    /// The first word of an entry. On a machine with another byte order it differs, so that the entry is not used.
    static let magic = UInt64(0x6772_6964_6978_0a1a)
    /// The first word of an entry that has checkpoints.
    static let checkpointMagic = UInt64(0x6772_6964_637a_0a1a)

    /// Creates a cache in the folder `gridview/index` within `base`, an absolute path.
    public init(base: String) { self.base = base }

    /// The cache in `$XDG_CACHE_HOME` or `~/.cache` (on macOS `~/Library/Caches`); `nil` if neither `XDG_CACHE_HOME` nor `HOME` is an
    /// absolute path.
    public static let user = base(cacheHome: Platform.environment("XDG_CACHE_HOME"), home: Platform.environment("HOME"))
        .map { IndexCache(base: $0) }

    /// The folder for caches; `nil` if it is unknown. Relative paths are ignored, as the XDG Base Directory Specification requires.
    static func base(cacheHome: String?, home: String?) -> String? {
        if let cacheHome, cacheHome.hasPrefix("/") { return cacheHome }
        guard let home, home.hasPrefix("/") else { return nil }
        return "\(home)/\(Platform.userCache)"
    }
}

/// Identifies the cache entry of a file.
struct IndexCacheKey: Equatable {
    /// The file name of the entry, derived from the path of the indexed file.
    var name: String
    /// The words at the start of the entry: all properties of the file and its dialect on which the index depends.
    var words: [UInt64]
}

/// Computes a checksum of words. Each step is invertible, so every change of a single word changes the checksum.
struct WordChecksum {
    private(set) var value: UInt64 = 0x6772_6964_7669_6577

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
        value ^= value >> 32
    }

    static func mix(_ words: some Sequence<UInt64>) -> UInt64 {
        var mixer = WordChecksum()
        for word in words { mixer.add(word) }
        return mixer.value
    }
}
