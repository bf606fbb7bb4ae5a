public import Tables
import CByteScan
import Locks

/// A file of delimited text, read by offset in blocks: nothing grows with the file but a sparse index of its records.
///
/// Opening reads the first block only. ``buildIndex(threads:cache:progress:)``, on a thread of the caller's, finds the other records, while
/// ``snapshot()`` gives those that are known and ``tail(atLeast:columns:maximumFieldBytes:)`` the last ones. All members can be used from any thread.
///
/// ```swift
/// let file = try DelimitedFile(path: "trades.csv")
/// for record in try file.snapshot().records(0..<40) { print(record.fields.map(\.text)) }
/// ```
public final class DelimitedFile: TableSource {
    /// The last part of the path, or the name that was given.
    public var name: String { opening.name }
    /// `nil` for a pipe.
    public var path: String? { opening.path }
    /// How the file is written: as requested, and otherwise as found out from the first bytes.
    public var dialect: Dialect { grammar.dialect }
    /// Whether the encoding was guessed from samples. ``Diagnostics/Kind/likelyUTF8`` tells what contradicts the guess.
    public var isEncodingGuessed: Bool { grammar.isEncodingGuessed }
    /// The column names as they stand in the file, duplicates and empty ones included; "A", "B", … when there is no header.
    ///
    /// Longer records may come later: ``title(ofColumn:)`` has a name for their columns too.
    public var header: [String] { found.header }
    /// The most columns that are read. ``mostFields`` tells when a record has more fields.
    public static let columnLimit = 1 << 22
    /// The fields of the longest record found so far, or of the header.
    public var mostFields: Int { max(firstColumnCount, index.mostFields) }
    /// The number of columns: ``mostFields``, but at most ``columnLimit``. It grows when the index comes to a longer record.
    public var columnCount: Int { min(mostFields, Self.columnLimit) }
    /// The number of columns in the first records. Unlike ``columnCount`` it never changes.
    var firstColumnCount: Int { found.columnCount }

    private let opening: FileOpening
    private let found: FileOpening.Found
    let index: RecordIndex
    var source: ByteSource { opening.source }
    var spool: Spool? { opening.spool }
    var grammar: Grammar { found.grammar }
    var contentStart: Int { found.contentStart }
    /// Lines before ``contentStart``.
    var skippedLines: Int { found.skippedLines }
    /// Record starts before record 0: the header's, and those of blank lines before it.
    var headerStarts: Int { found.headerStarts }
    var hasByteOrderMark: Bool { found.hasByteOrderMark }
    /// What the system said of the file when it was opened; `nil` for a pipe.
    let opened: Mutex<Platform.FileStatus?>
    /// By what the bytes that are indexed are known again, once all of them are; `nil` for a pipe.
    let known = Mutex<(count: Int, checksum: UInt64)?>(nil)

    /// Where the index of a large file is looked for, and kept; `nil`: nowhere. Used by ``readAll(threads:progress:)``.
    public let indexCache: IndexCache?

    /// Opens a file and reads its first block.
    ///
    /// Pipes and devices are copied to a temporary file, and so is UTF-16, as UTF-8; ``isGrowing`` is `true` meanwhile. An empty file has no columns
    /// and no records.
    /// - Throws: ``DelimitedTextError/Code/cannotOpen`` and ``DelimitedTextError/Code/invalidDialect``.
    public convenience init(path: String, request: DialectRequest = .init(), cache: IndexCache? = nil) throws(DelimitedTextError) {
        try self.init(FileOpening(path: path, request: request, settings: ScanSettings()), cache: cache)
    }

    /// Reads an open descriptor, which it takes over and closes.
    ///
    /// A pipe is copied to an unnamed temporary file in the background; this returns after the first line, or at the end. A regular file
    /// (standard input from `< file`) is read as it is.
    /// - Parameter isGrowing: called on the reader's thread whenever bytes have come: the number of bytes known, and whether more may come.
    /// - Throws: ``DelimitedTextError/Code/cannotSpool``, ``DelimitedTextError/Code/cannotRead``, ``DelimitedTextError/Code/invalidDialect``.
    public convenience init(
        spooling descriptor: Int32, name: String, request: DialectRequest = .init(),
        isGrowing: @escaping @Sendable (_ byteCount: Int, _ isGrowing: Bool) -> Void = { _, _ in }
    ) throws(DelimitedTextError) {
        try self.init(
            FileOpening(spooling: descriptor, name: name, request: request, settings: ScanSettings(), isGrowing: isGrowing))
    }

    init(_ opening: FileOpening, cache: IndexCache? = nil) throws(DelimitedTextError) {
        self.opening = opening
        indexCache = cache
        found = try opening.explore()
        opened = Mutex(opening.status)
        index = RecordIndex(
            source: opening.source, grammar: found.grammar, contentStart: found.contentStart, expectedFields: found.expectedFields)
        try indexFirstBlock(firstEnd: found.firstEnd)
        if snapshot().isComplete { rememberBytes() }
    }

    /// The same input in another dialect. What was found out about this one does not count.
    /// - Throws: as ``init(path:request:cache:)``.
    public func reread(as request: DialectRequest) throws(DelimitedTextError) -> DelimitedFile {
        try DelimitedFile(opening.requesting(request), cache: indexCache)
    }

    /// The first bytes of the content as they stand in the file, at most `count`; of a pipe, those that have come.
    /// - Throws: when the file cannot be read.
    public func firstBytes(_ count: Int) throws(DelimitedTextError) -> [UInt8] { try opening.sample(from: contentStart, count: count) }

    /// Bytes known now. For UTF-16, of the temporary UTF-8 file.
    public var byteCount: Int { source.count }

    /// Whether bytes are still coming (a pipe, or UTF-16 that is being transcoded).
    public var isGrowing: Bool { !source.current.isFinished }

    /// Bytes from the start of the file whose records are known.
    public var indexedByteCount: Int { index.state.withLock { $0.end } }

    /// The name of a column: from the header, or "A", "B", … when the file has none. Empty where the header has no name.
    public func title(ofColumn index: Int) -> String {
        if index < header.count { return header[index] }
        return dialect.hasHeader ? "" : FileOpening.letters(index)
    }

    /// The records known now. O(1); at once after opening, those of the first block.
    public func snapshot() -> RecordSnapshot {
        let bytes = source.current
        return index.state.withLock { state in
            let partial = state.partial
            let starts = state.starts + (partial?.chunk.starts ?? 0)
            // The last record of a pipe may still be on its way, unless its line end is there.
            let isBetweenRecords = (partial?.chunk.endState ?? state.parserState) == UInt8(GV_RECORD_START)
            let open = bytes.isFinished || state.isComplete || isBetweenRecords ? 0 : 1
            let columnCount = min(max(firstColumnCount, state.mostFields), Self.columnLimit)
            return RecordSnapshot(
                recordCount: max(starts - headerStarts - open, 0), isComplete: state.isComplete, revision: state.revision, source: source,
                grammar: grammar, table: state.table, chunkCount: state.count, partial: partial, starts: starts,
                headerStarts: headerStarts, contentStart: contentStart, skippedLines: skippedLines, indexedEnd: state.end,
                byteEnd: state.isComplete ? state.end : max(bytes.count, state.end), columnCount: columnCount)
        }
    }

    /// So that the first screen needs nothing more, and columns can be judged by some records.
    private func indexFirstBlock(firstEnd: Int) throws(DelimitedTextError) {
        let bytes = source.current
        let end = min(contentStart + min(grammar.settings.firstBytes, grammar.settings.chunkBytes), bytes.count)
        guard end > contentStart else {
            if bytes.isFinished { _ = try index.extend(to: bytes.count, isFinal: true, threads: 1) { _ in true } }
            return
        }
        let scanner = index.makeScanner()
        let first = try scanner.scan(begin: contentStart, end: end, fileEnd: bytes.count, state: 0)
        index.commit(first, isLast: bytes.isFinished && end == bytes.count, scanner: scanner)
        // Wide records: a screen of them takes more than a block.
        let more = min(max(contentStart, firstEnd) + 16 * grammar.settings.firstBytes, bytes.count)
        if first.chunk.starts < 100, end < more {
            _ = try index.extend(to: more, isFinal: bytes.isFinished && more == bytes.count, threads: 1) { _ in true }
        }
    }
}
