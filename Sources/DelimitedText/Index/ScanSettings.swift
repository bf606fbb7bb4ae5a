import CByteScan

/// Sizes that the scanner uses, in bytes. Tests use tiny sizes, so that small files cross many boundaries.
struct ScanSettings: Sendable {
    /// The size of a chunk, which one thread scans at a time.
    var chunkBytes = 1 << 20
    /// The maximum time in nanoseconds for which an indexing thread pauses during an urgent read.
    var maximumPauseNanoseconds: UInt64 = 20_000_000
    /// The size of a span. The index stores the first record start of each span. Must be less than 65,536.
    var spanBytes = 8192
    /// The size of a read. Larger reads are not faster and do not fit in the processor cache.
    var blockBytes = 256 << 10
    /// The size of the first read, from which the first screen is drawn.
    var firstBytes = 256 << 10
    /// The size of the first read at the end of the file.
    var tailBytes = 64 << 10
    /// The maximum number of bytes of a record that are read for display, unless the caller requests more.
    var maximumShownRecordBytes = 16 << 20
    /// The maximum size of a record that jobs process. Each thread holds a whole record in memory. At most 1 GiB, because the offsets of
    /// the scanner have 32 bits.
    var maximumRecordBytes = 1 << 30
    /// The maximum size of the first line of a pipe, unless it begins with a JSON array. A pipe with a longer line is not a table.
    var maximumFirstLineBytes = 1 << 30
    /// The maximum size of the first line of a character device, such as the endless `/dev/zero`.
    var maximumDeviceFirstLineBytes = 64 << 20
    /// The number of bytes copied to a temporary file between checks of the free disk space.
    var spaceCheckBytes = 16 << 20
    /// The space that a temporary file must leave free on its disk.
    var reservedBytes = 512 << 20
    /// The lower limit for small disks, which replaces ``reservedBytes``: a temporary file must leave 1/`reservedDivisor` of the disk free.
    var reservedDivisor = 20
    /// The maximum size of a temporary file with the bytes of an input; `nil` for no limit except the disk space.
    var spoolLimit: Int?
    /// The implementation of the scanner, as a number. The last one is the fastest on this processor.
    var implementation = gv_scan_implementations() - 1

    /// If true, the state before each chunk is guessed even if it is known. Tests use it to check that wrong guesses are corrected.
    var alwaysGuessesState = false

    init() {}
}
