import CByteScan

/// The sizes that the scanner works with, in bytes. Tests make them tiny, so that small files cross many borders.
struct ScanSettings: Sendable {
    /// What one thread indexes at a time.
    var chunkBytes = 1 << 20
    /// For each span the index knows the first record that starts in it. Less than 65,536.
    var spanBytes = 8192
    /// What is read at a time: larger is no faster, and leaves the processor's cache.
    var blockBytes = 256 << 10
    /// What is read first: the first screen is made of it.
    var firstBytes = 256 << 10
    /// What is read first of the end.
    var tailBytes = 64 << 10
    /// The most of a single record that is read for the screen, unless more is asked for.
    var recordBytes = 16 << 20
    /// The longest record that jobs process; each thread holds it in memory as a whole. At most 1 GiB, as the scanner's offsets are 32 bits wide.
    var wholeRecordBytes = 1 << 30
    /// A stream without a line end in so many bytes is stopped: it is not a table.
    var firstLineBytes = 1 << 30
    /// The same of a character device, such as `/dev/zero`.
    var deviceFirstLineBytes = 64 << 20
    /// After how many bytes of a stream the room on the disk is asked for.
    var roomCheckBytes = 16 << 20
    /// The room on the disk of temporary files that streams leave free.
    var reservedBytes = 512 << 20
    /// The part of that disk which they leave free at most, as its divisor.
    var reservedPart = 20
    /// Which of the scanner's implementations; the last is the fastest.
    var implementation = gv_scan_implementations() - 1

    /// Whether a chunk's state is guessed even when it is known: so that tests see wrong guesses set right.
    var guessesAlways = false

    init() {}
}
