import CByteScan

/// The sizes used by the scanner, in bytes. Tests use tiny sizes, so that small files cross many boundaries.
struct ScanSettings: Sendable {
    /// The size of a chunk, which one thread scans at a time.
    var chunkBytes = 1 << 20
    /// The longest pause of the index for an urgent read in nanoseconds.
    var maximumPauseNanoseconds: UInt64 = 20_000_000
    /// The size of a span. The index stores the first record start of each span. Less than 65,536.
    var spanBytes = 8192
    /// The size of a read. Larger reads are not faster and do not fit in the processor cache.
    var blockBytes = 256 << 10
    /// The size of the first read, from which the first screen is drawn.
    var firstBytes = 256 << 10
    /// The size of the first read at the end of the file.
    var tailBytes = 64 << 10
    /// The maximum size of a record read for display, unless the caller requests more.
    var recordBytes = 16 << 20
    /// The maximum size of a record that jobs process. Each thread holds it in memory completely. At most 1 GiB, because the offsets of the
    /// scanner have 32 bits.
    var wholeRecordBytes = 1 << 30
    /// The maximum size of the first line of a stream, unless the stream begins with a JSON array. Other streams without a line ending are
    /// not tables.
    var firstLineBytes = 1 << 30
    /// The maximum size of the first line of a character device, such as `/dev/zero`.
    var deviceFirstLineBytes = 64 << 20
    /// The number of bytes of a stream between checks of the disk space.
    var roomCheckBytes = 16 << 20
    /// The disk space that streams leave free in the temporary folder.
    var reservedBytes = 512 << 20
    /// On small disks, streams leave only 1/`reservedPart` of the disk free.
    var reservedPart = 20
    /// The maximum size of a temporary file with the bytes of an input; `nil` if only the disk space limits it.
    var spoolLimit: Int?
    /// The implementation of the scanner; the last one is the fastest.
    var implementation = gv_scan_implementations() - 1

    /// If true, the state of a chunk is guessed even if it is known, to test the correction of wrong guesses.
    var guessesAlways = false

    init() {}
}
