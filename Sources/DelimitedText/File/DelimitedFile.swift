public import FieldValues
public import Tables
import CByteScan
import Locks

/// A delimited text file, read by offset in blocks. Memory grows with the file only for a sparse index of its records.
///
/// Opening reads only the first block. ``buildIndex(threads:priority:cache:progress:)`` indexes the other records on the caller's thread.
/// Meanwhile, ``snapshot()`` returns the records that are already indexed, and ``tail(atLeast:columns:maximumFieldBytes:)`` returns the
/// last records. All members can be used from any thread.
///
/// ```swift
/// let file = try DelimitedFile(path: "trades.csv")
/// for record in try file.snapshot().records(0..<40) { print(record.fields.map(\.text)) }
/// ```
public final class DelimitedFile: TableSource {
    /// The last component of the path, or the name passed to the initializer.
    public var name: String { opening.name }
    /// The path of the file; `nil` for a pipe.
    public var path: String? { opening.path }
    /// The dialect of the file: as requested, otherwise as detected from the first bytes.
    public var dialect: Dialect { grammar.dialect }
    /// True if the encoding was guessed from samples. ``Diagnostics/Kind/likelyUTF8`` reports evidence against the guess.
    public var isEncodingGuessed: Bool { grammar.isEncodingGuessed }
    /// The column names as in the file, including duplicate and empty ones; "A", "B", … if there is no header.
    ///
    /// Later records may have more fields. ``title(ofColumn:)`` also returns names for the columns of these fields.
    public var header: [String] { firstBlock.header }
    /// The maximum number of columns that are read. Further fields of a record are ignored, but ``maximumFieldCount`` counts them.
    public static let columnLimit = 1 << 22
    /// The number of fields of the header, or of the longest indexed record if that has more.
    public var maximumFieldCount: Int { max(firstColumnCount, index.maximumFieldCount) }
    /// The number of columns: ``maximumFieldCount``, but at most ``columnLimit``. It grows when the index finds a longer record.
    public var columnCount: Int { min(maximumFieldCount, Self.columnLimit) }
    /// The number of columns found when the file was opened. Unlike ``columnCount``, it never changes.
    var firstColumnCount: Int { firstBlock.columnCount }

    let opening: FileOpening
    private let firstBlock: FileOpening.FirstBlock
    let index: RecordIndex
    var source: ByteSource { opening.source }
    var spool: (any BackgroundWriter)? { opening.spool }
    var grammar: Grammar { firstBlock.grammar }
    var contentStart: Int { firstBlock.contentStart }
    /// The number of lines at the start of the file that are not read as records.
    var skippedLines: Int { firstBlock.skippedLines }
    /// The number of records before record 0: the header, and empty lines before it.
    var headerStartCount: Int { firstBlock.headerStartCount }
    var hasByteOrderMark: Bool { firstBlock.hasByteOrderMark }
    /// The status of the file when it was opened, or when the last appended bytes were accepted; `nil` for a pipe.
    let fileStatus: Mutex<Platform.FileStatus?>
    /// The number of indexed bytes and their checksum. `nil` for a pipe, and until all bytes are indexed.
    let indexedChecksum = Mutex<(count: Int, checksum: UInt64)?>(nil)

    /// The cache of indexes of large files; `nil` disables caching. Used by ``readAll(threads:priority:progress:)``.
    public let indexCache: IndexCache?

    /// Opens a file and reads its first block.
    ///
    /// Pipes and devices are copied to a temporary file. UTF-16 is converted to UTF-8 in such a file. ``isGrowing`` is true until all bytes
    /// are copied. An empty file has no columns and no records.
    /// - Throws: ``DelimitedTextError/Code/cannotOpen`` and ``DelimitedTextError/Code/invalidDialect``.
    public convenience init(path: String, request: DialectRequest = .init(), cache: IndexCache? = nil) throws(DelimitedTextError) {
        try self.init(FileOpening(path: path, request: request, settings: ScanSettings()), cache: cache)
    }

    /// Reads an open descriptor. Owns the descriptor and closes it.
    ///
    /// A pipe is copied to an unnamed temporary file in the background. This initializer returns after the first line, or at the end. A
    /// regular file (standard input from `< file`) is read directly.
    /// - Parameter isGrowing: called on the reader thread when bytes have arrived, with the number of known bytes, and true if more may
    ///   arrive.
    /// - Throws: ``DelimitedTextError/Code/cannotSpool``, ``DelimitedTextError/Code/cannotRead`` or
    ///   ``DelimitedTextError/Code/invalidDialect``.
    public convenience init(
        spooling descriptor: Int32, name: String, request: DialectRequest = .init(),
        isGrowing: @escaping @Sendable (_ byteCount: Int, _ isGrowing: Bool) -> Void = { _, _ in }
    ) throws(DelimitedTextError) {
        try self.init(
            FileOpening(spooling: descriptor, name: name, request: request, settings: ScanSettings(), isGrowing: isGrowing))
    }

    /// Opens a file as ``init(path:request:cache:)`` does, and decodes it if it is compressed. Reads only the first block for the header,
    /// so ``header`` may be incomplete.
    /// - Parameters:
    ///   - decoding: recognizes compressed files.
    ///   - spoolLimit: the maximum size of the temporary file for a compressed file or a pipe; `nil` for no limit.
    package convenience init(
        path: String, request: DialectRequest, cache: IndexCache?, decoding: any InputDecoding, spoolLimit: Int?
    ) throws(DelimitedTextError) {
        var settings = ScanSettings()
        settings.spoolLimit = spoolLimit
        let opening = try FileOpening(path: path, request: request, settings: settings, decoding: decoding, cache: cache)
        try self.init(opening.withHeader(limitedTo: .firstBlock), cache: cache)
    }

    /// Reads a descriptor as ``init(spooling:name:request:isGrowing:)`` does, and decodes it if it is compressed. Reads only the first
    /// block for the header, so ``header`` may be incomplete.
    package convenience init(
        spooling descriptor: Int32, name: String, request: DialectRequest, decoding: any InputDecoding, spoolLimit: Int?
    ) throws(DelimitedTextError) {
        var settings = ScanSettings()
        settings.spoolLimit = spoolLimit
        let opening = try FileOpening(
            spooling: descriptor, name: name, request: request, settings: settings, decoding: decoding
        ) { _, _ in }
        try self.init(opening.withHeader(limitedTo: .firstBlock))
    }

    /// Reads a range of a file, such as a member of an archive, through a temporary file. Reads only the first block for the header, so
    /// ``header`` may be incomplete.
    /// - Parameters:
    ///   - part: the range of the file, with the decoder for its bytes if they are compressed.
    ///   - name: the name of the input in messages.
    package convenience init(
        _ part: Range<Int>, of file: BinaryFile, decoder: (any ByteDecoder)?, name: String, request: DialectRequest, spoolLimit: Int?
    ) throws(DelimitedTextError) {
        var settings = ScanSettings()
        settings.spoolLimit = spoolLimit
        let opening = try file.opening(ofPart: part, decoder: decoder, name: name, request: request, settings: settings)
        try self.init(opening.withHeader(limitedTo: .firstBlock))
    }

    /// The compression of the input; `nil` if it is not compressed.
    package var compression: Compression? {
        opening.decoder.map { Compression(name: $0.name, byteCount: opening.compressedSize ?? source.current.compressedCount) }
    }

    init(_ opening: FileOpening, cache: IndexCache? = nil) throws(DelimitedTextError) {
        self.opening = opening
        indexCache = cache
        firstBlock = try opening.inspectFirstBlock()
        fileStatus = Mutex(opening.status)
        index = RecordIndex(
            source: opening.source, grammar: firstBlock.grammar, contentStart: firstBlock.contentStart,
            expectedFields: firstBlock.expectedFields, headerOffset: firstBlock.headerOffset)
        try indexFirstBlock(firstEnd: firstBlock.firstEnd)
        if snapshot().isComplete { storeChecksum() }
    }

    /// Opens the same input in another dialect. Properties that are not in `request` are detected again. UTF-16 is converted again if the
    /// request has another encoding.
    /// - Throws: the errors of ``init(path:request:cache:)``. The encoding of a pipe cannot be changed from UTF-16. It can be changed to
    ///   UTF-16 only after the pipe has ended.
    public func reread(as request: DialectRequest) throws(DelimitedTextError) -> DelimitedFile {
        try DelimitedFile(opening.reopened(as: request), cache: indexCache)
    }

    /// True if ``header`` is incomplete: the first records are longer than the first block or, after ``withHeader(ofAtMost:)``, than its
    /// maximum.
    package var isHeaderTruncated: Bool { firstBlock.isHeaderTruncated }

    /// Opens the same file with a complete header. Waits for the first records of a pipe.
    /// - Parameter maximumBytes: the maximum number of bytes of the header to read.
    /// - Throws: ``DelimitedTextError`` if the file cannot be read.
    package func withHeader(ofAtMost maximumBytes: Int) throws(DelimitedTextError) -> DelimitedFile {
        guard isHeaderTruncated else { return self }
        return try DelimitedFile(opening.withHeader(limitedTo: .atMost(maximumBytes)), cache: indexCache)
    }

    /// Opens the same input with its content converted to other text, through an unnamed temporary file. The first bytes are converted
    /// before this function returns, and the rest in the background.
    /// - Throws: ``DelimitedTextError`` if the file cannot be read, or the temporary file cannot be created.
    package func rewritten(by rewriter: some TextRewriter, as request: DialectRequest) throws(DelimitedTextError) -> DelimitedFile {
        try DelimitedFile(opening.rewritten(from: contentStart, by: rewriter, as: request))
    }

    /// Waits until a growing input has more than `count` bytes of content. Returns `false` if it ends without more.
    package func waitForContent(moreThan count: Int) -> Bool {
        var bytes = source.current
        while bytes.count - contentStart <= count, !bytes.isFinished {
            bytes = source.waitForBytes(moreThan: contentStart + count, interruptions: bytes.interruptions)
        }
        return bytes.count - contentStart > count
    }

    /// A copy of the first bytes of this file in another dialect, to show how it would look. Does not wait for bytes. The copy is
    /// independent of this file.
    /// - Parameter count: the maximum number of bytes to copy.
    /// - Throws: as ``reread(as:)``, and ``DelimitedTextError/Code/cannotOpen`` if no temporary file can be created.
    public func sample(as request: DialectRequest, bytes count: Int = 256 << 10) throws(DelimitedTextError) -> DelimitedFile {
        try DelimitedFile(opening.copy(firstBytes: count).reopened(as: request))
    }

    /// The number of lines of the file before the start of a record; `nil` if the record starts after the first MiB.
    public func lineCount(beforeRecord record: Int) throws -> Int? {
        let snapshot = snapshot()
        guard record >= 0, record < snapshot.recordCount,
            let start = try snapshot.records(record..<record + 1, maximumFieldBytes: 0).first?.byteRange.lowerBound, start <= 1 << 20
        else { return nil }
        return SuggestionSniffer.lineCount(try source.bytes(at: 0, count: start)[...])
    }

    /// Suggestions to read the file in another way, from its first bytes. A row of totals is suggested only if all records are indexed.
    public var suggestions: [ReadingSuggestion] { firstBlock.suggestions + (totalsRow.map { [$0] } ?? []) }

    private var totalsRow: ReadingSuggestion? {
        let snapshot = snapshot()
        let last = snapshot.recordCount - 1
        let first = max(0, last + 1 - TotalsRow.searchedRecords)
        guard snapshot.isComplete, last > 1, let records = try? snapshot.records(first..<last + 1, maximumFieldBytes: 100) else {
            return nil
        }
        return TotalsRow.suggestion(records) { TotalsRow.addsUp(snapshot, lastRecord: first + $0) }
    }

    /// The requested notation of the numbers in all columns; `nil` to detect it for each column.
    public var notation: DecimalStyle? { opening.request.notation }

    /// True if the first line declares the delimiter, as in `sep=;`.
    package var declaresDelimiter: Bool { firstBlock.declaresDelimiter }

    /// True if the user requested a header, false if the user excluded one; `nil` to detect it.
    package var requestedHeader: Bool? { opening.request.hasHeader }

    /// The first bytes of the content as they are in the file, at most `count`. For a pipe, only bytes that have arrived.
    /// - Throws: ``DelimitedTextError`` if the file cannot be read.
    public func firstBytes(_ count: Int) throws(DelimitedTextError) -> [UInt8] { try opening.sample(from: contentStart, count: count) }

    /// The number of bytes that can be read, which grows for a pipe. For UTF-16, the number of bytes of the conversion to UTF-8.
    public var byteCount: Int { source.count }

    /// The size in bytes of the original file, if a copy that was converted to UTF-8 or to other text is read instead. `nil` for compressed
    /// files, for pipes, and for files that are read directly, whose size is ``byteCount``.
    public var fileByteCount: Int? { spool == nil || compression != nil ? nil : fileStatus.withLock { $0?.size } }

    /// True while bytes arrive from a pipe, or while UTF-16 is converted.
    public var isGrowing: Bool { !source.current.isFinished }

    /// The number of bytes, from the start of the file, that have been indexed.
    public var indexedByteCount: Int { index.state.withLock { $0.end } }

    /// The name of a column: from the header, or "A", "B", … if the file has no header. Empty if the header has no name for the column.
    public func title(ofColumn index: Int) -> String {
        if index < header.count { return header[index] }
        return dialect.hasHeader ? "" : ColumnLetters.text(index)
    }

    /// The records that are indexed now; after opening, the records of the first block. O(1).
    public func snapshot() -> RecordSnapshot {
        let bytes = source.current
        return index.state.withLock { state in
            let partialEntry = state.partialEntry
            let starts = state.startCount + (partialEntry?.chunk.startCount ?? 0)
            // The last record of a pipe is left out while it may be incomplete, until its line ending has arrived.
            let incompleteCount = bytes.isFinished || state.isComplete || state.isBetweenRecords ? 0 : 1
            let columnCount = min(max(firstColumnCount, state.maximumFieldCount), Self.columnLimit)
            return RecordSnapshot(
                recordCount: max(starts - headerStartCount - incompleteCount, 0), isComplete: state.isComplete, revision: state.revision,
                serial: index.serial, source: source, grammar: grammar, table: state.table, chunkCount: state.count,
                partialEntry: partialEntry, startCount: starts,
                headerStartCount: headerStartCount, contentStart: contentStart, skippedLines: skippedLines, indexedEnd: state.end,
                byteEnd: state.isComplete ? state.end : max(bytes.count, state.end), columnCount: columnCount)
        }
    }

    /// Indexes the first block. The first screen and the column profiles then need no other read.
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
        // The records of a screen may be larger than a block if they have many columns.
        let more = min(max(contentStart, firstEnd) + 16 * grammar.settings.firstBytes, bytes.count)
        if first.chunk.startCount < 100, end < more {
            _ = try index.extend(to: more, isFinal: bytes.isFinished && more == bytes.count, threads: 1) { _ in true }
        }
    }
}
