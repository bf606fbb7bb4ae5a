import Tables
import CByteScan

/// Opens the input of a ``DelimitedFile`` and detects its dialect.
struct FileOpening: Sendable {
    let name: String
    let path: String?
    let source: ByteSource
    /// The writer of the temporary file; `nil` if the file itself is read.
    let spool: (any BackgroundWriter)?
    let status: Platform.FileStatus?
    private(set) var request: DialectRequest
    private let settings: ScanSettings
    /// The encoding of the spool's input if it is UTF-16.
    private let spooledEncoding: TextEncoding?
    /// The bytes of the input, with the spool that copies them if it is a pipe. `nil` for a pipe of UTF-16, which is transcoded at once.
    private var original: (source: ByteSource, spool: Spool?)?
    /// Recognizes compressed inputs.
    let decoding: (any InputDecoding)?
    /// The decoder of the input; `nil` if it is not compressed.
    private(set) var decoder: (any ByteDecoder)?
    /// The number of compressed bytes; `nil` if it is not known.
    private(set) var compressedSize: Int?
    /// The compressed file, if its checkpoints can be cached; otherwise `nil`.
    private(set) var checkpointedFile: ByteSource?
    /// Pieces of the input for detecting the encoding; `nil` if they must be read first.
    private var pieces: [[UInt8]]?
    /// The part of the first records that is read for the header.
    private var headerPart = HeaderPart.atMost(.max)

    /// The part of the first records that is read for the header.
    enum HeaderPart: Sendable {
        /// Only bytes of the first block. Reading does not wait for the end of a line that may be a JSON array.
        case firstBlock
        /// At most this number of bytes.
        case atMost(Int)
    }

    /// The same input with another part of the first records for the header.
    func reading(_ part: HeaderPart) -> FileOpening {
        var opening = self
        opening.headerPart = part
        return opening
    }

    /// The same input with another dialect request. Transcodes the input again if that changes the encoding from or to UTF-16.
    func requesting(_ request: DialectRequest) throws(DelimitedTextError) -> FileOpening {
        try request.validate()
        var opening = self
        opening.request = request
        guard let original else {
            guard let encoding = request.encoding, encoding != spooledEncoding else { return opening }
            if let again = try decodingAgain(request) { return again }
            throw DelimitedTextError(
                .invalidDialect,
                "The encoding of this pipe cannot be changed, because it was converted from UTF-16. Use --encoding \(encoding.optionName).")
        }
        let newEncoding = try Self.utf16Encoding(of: original.source, request)
        if newEncoding == spooledEncoding { return opening }
        guard let newEncoding else { return FileOpening(self, reading: original, request, spooledEncoding: nil) }
        // If a file has sections, its temporary file is incomplete.
        let known = original.source.current
        if known.sections != nil, let again = try decodingAgain(request) { return again }
        guard known.isFinished else {
            if let again = try decodingAgain(request) { return again }
            throw DelimitedTextError(.invalidDialect, "The pipe has not ended yet. Change the encoding when all rows have arrived.")
        }
        try original.source.fill(0..<original.source.count)
        guard let input = Platform.duplicate(original.source.descriptor) else { throw Self.cannotOpen(name, Platform.lastError) }
        let spool = try Spool(input: input, name: name, settings: settings, range: 0..<Int.max)
        spool.start(try spool.readFirst(maximum: settings.firstBytes), encoding: newEncoding) { _, _ in }
        return FileOpening(self, reading: (spool.source, spool), request, spooledEncoding: newEncoding)
    }

    /// The same compressed file, decoded from its start; `nil` if the input is not a compressed file.
    private func decodingAgain(_ request: DialectRequest) throws(DelimitedTextError) -> FileOpening? {
        guard decoder != nil, let decoding, let path, status != nil else { return nil }
        return try FileOpening(path: path, request: request, settings: settings, decoding: decoding)
    }

    /// A copy of the first bytes of the input, at most `count`, as a separate input.
    func copy(first count: Int) throws(DelimitedTextError) -> FileOpening {
        let from = original?.source ?? source
        let end = from.count
        var bytes = try from.bytes(at: 0, count: min(count, end))
        // The sample ends after a line ending, because the next record may be incomplete.
        let isUTF16 = original != nil && EncodingSniffer.utf16(bytes, requested: nil) != nil
        if bytes.count < end, !isUTF16, let last = bytes.lastIndex(where: { $0 == 0x0a || $0 == 0x0d }) {
            bytes.removeSubrange((last + 1)...)
        }
        guard let descriptor = Platform.makeUnnamedFile() else { throw Self.cannotOpen(name, Platform.lastError) }
        let copy = ByteSource(descriptor: descriptor, path: nil, count: bytes.count, isFinished: true)
        let isWritten = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { Platform.writeFully(descriptor, from: $0, count: buffer.count, at: 0) } ?? true
        }
        guard isWritten else { throw Self.cannotOpen(name, Platform.lastError) }
        var opening = FileOpening(
            name: name, path: nil, source: copy, spool: nil, status: nil, request: request, settings: settings,
            spooledEncoding: original == nil ? spooledEncoding : nil, decoding: nil)
        if original != nil { opening.original = (copy, nil) }
        opening.pieces = try samples(from, end)
        return opening
    }

    /// The input with its bytes from `start` converted to other text.
    func rewriting(
        from start: Int, by rewriter: some TextRewriter, as request: DialectRequest
    ) throws(DelimitedTextError) -> FileOpening {
        try request.validate()
        let rewriting = try RewriterSpool(source, writtenBy: spool, from: start, by: rewriter, name: name, settings: settings)
        return FileOpening(
            name: name, path: path, source: rewriting.source, spool: rewriting, status: status, request: request, settings: settings,
            spooledEncoding: spooledEncoding, decoding: nil, decoder: decoder, compressedSize: compressedSize)
    }

    /// The first bytes after the skipped lines, at most `count`.
    func sample(from start: Int, count: Int) throws(DelimitedTextError) -> [UInt8] {
        try source.bytes(at: start, count: min(count, source.count - start))
    }

    private static func cannotOpen(_ path: String, _ number: Int32) -> DelimitedTextError {
        DelimitedTextError(.cannotOpen, "Cannot open \(path): \(Platform.reason(number)).", path: path, errno: number)
    }

    /// The properties found in the first block.
    struct FirstBlock: Sendable {
        var grammar: Grammar
        var contentStart = 0
        var skippedLines = 0
        var headerStarts = 0
        var header: [String] = []
        var suggestions: [ReadingSuggestion] = []
        var columnCount = 0
        var expectedFields = 0
        /// The end of the first record; the start of the content if there is no record.
        var firstEnd = 0
        var hasByteOrderMark = false
        /// True if the first line names the delimiter.
        var declaresDelimiter = false
        /// True if the first records extend beyond the part that was read.
        var isHeaderCut = false
    }

    func inspectFirstBlock() throws(DelimitedTextError) -> FirstBlock {
        var bytes = source.current
        let sampleBytes = DialectSniffer.sampleBytes
        let start = try source.bytes(at: 0, count: min(sampleBytes, bytes.count))
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let hasMark = start.starts(with: mark) && (request.encoding ?? .utf8) != .latin1 && (request.encoding ?? .utf8) != .windows1252
        var (contentStart, skipped) = try skipLines(from: hasMark ? mark.count : 0, end: bytes.count)
        var request = request
        let declared = request.skipLines > 0 ? nil : DeclaredDelimiter(start[contentStart...], request)
        if let declared {
            request.delimiter = request.delimiter ?? declared.delimiter
            contentStart += declared.lineBytes
            skipped += 1
            // A pipe may have delivered only the lines before the content so far.
            while bytes.count <= contentStart, !bytes.isFinished {
                bytes = source.wait(moreThan: contentStart, interruptions: bytes.interruptions)
            }
        }
        let sample =
            contentStart == 0
            ? start : try source.bytes(at: contentStart, count: min(sampleBytes, bytes.count - contentStart))
        var encoding = spooledEncoding ?? request.encoding
        let isGuessed = encoding == nil && !hasMark
        if encoding == nil {
            var all = [sample]
            if !hasMark, let pieces { all += pieces } else if !hasMark { all += try samples(source, bytes.count) }
            encoding = hasMark ? .utf8 : EncodingSniffer.guess(all)
        }
        let isWhole = bytes.isFinished && contentStart + sample.count >= bytes.count
        // UTF-16 has been transcoded to UTF-8, but the dialect reports the original encoding.
        let dialect = DialectSniffer(request: request, encoding: encoding ?? .utf8, name: name).sniff(sample, isWhole: isWhole)
        let grammar = Grammar(dialect, settings: settings, isEncodingGuessed: isGuessed)
        var firstBlock = FirstBlock(grammar: grammar, contentStart: contentStart, skippedLines: skipped, hasByteOrderMark: hasMark)
        firstBlock.declaresDelimiter = declared != nil
        try readHeader(&firstBlock, sample: sample)
        firstBlock.suggestions = SuggestionSniffer(grammar: grammar, request: request).suggestions(sample).map { suggestion in
            // The line that names the delimiter is skipped as well, because skipping starts at the first line.
            guard case .linesBeforeTable(let count) = suggestion, declared != nil else { return suggestion }
            return .linesBeforeTable(count + 1)
        }
        return firstBlock
    }

    /// The offset after `request.skipLines` lines, and the number of lines skipped.
    private func skipLines(from begin: Int, end: Int) throws(DelimitedTextError) -> (start: Int, lines: Int) {
        // Without quotes, each line is a record.
        let lines = Grammar(Dialect(quote: nil), settings: settings)
        var (at, remaining, state) = (begin, request.skipLines, UInt8(GV_RECORD_START))
        while request.skipLines > 0, at < end {
            let block = try source.bytes(at: at, count: min(64 << 10, end - at))
            if block.isEmpty { break }
            let span = lines.scan(block, block.count, state: state)
            if span.starts > remaining {
                let start = gv_nth_start(settings.implementation, lines.raw, block, block.count, block.count, state, remaining)
                return (at + start, request.skipLines)
            }
            remaining -= span.starts
            state = span.state
            at += block.count
        }
        return (at, request.skipLines - remaining)
    }

    /// Pieces of the file beyond the first block, to detect the encoding.
    private func samples(_ source: ByteSource, _ end: Int) throws(DelimitedTextError) -> [[UInt8]] {
        guard let original, original.spool == nil, end > settings.firstBytes else { return [] }
        var pieces: [[UInt8]] = []
        for part in 1...4 {
            let offset = settings.firstBytes + (end - settings.firstBytes) / 4 * part - (part == 4 ? 16 << 10 : 0)
            pieces.append(try source.bytes(at: max(offset, 0), count: min(16 << 10, max(end - offset, 0))))
        }
        return pieces
    }

    /// Reads the complete first record: the column names, or the number of columns if there are no names.
    private func readHeader(_ firstBlock: inout FirstBlock, sample: [UInt8]) throws(DelimitedTextError) {
        let dialect = firstBlock.grammar.dialect
        let (records, starts, isCut) = try firstRecords(firstBlock, dialect.hasHeader ? dialect.headerRows : 1)
        firstBlock.isHeaderCut = isCut
        let first = records.first
        firstBlock.firstEnd = records.last?.byteRange.upperBound ?? firstBlock.contentStart
        if dialect.hasHeader, let first {
            firstBlock.headerStarts = starts
            firstBlock.header = first.fields.map(\.text)
            for record in records.dropFirst() { Self.complete(&firstBlock.header, with: record.fields.map(\.text)) }
        }
        // The most common number of fields in the sample.
        var counts = FieldCounts()
        let isWhole = firstBlock.contentStart + sample.count >= source.count
        sample.withUnsafeBufferPointer { bytes in
            var recordCount = 0
            firstBlock.grammar.forEachRecord(in: bytes, isLast: isWhole) { record, _ in
                if record.field_count > 0 { counts.add(record.field_count) }
                recordCount += 1
                return recordCount < 1000
            }
        }
        let firstCount = first?.fieldCount ?? 0
        firstBlock.columnCount = max(counts.maximum, firstCount)
        firstBlock.expectedFields = firstBlock.header.isEmpty ? counts.mostCommon?.fields ?? firstCount : firstCount
        if !firstBlock.grammar.dialect.hasHeader {
            firstBlock.header = (0..<min(firstBlock.columnCount, DelimitedFile.columnLimit)).map(Self.columnLetters)
        }
    }

    /// Appends the strings of the second row of column names to the first one: `price` and `USD` make `price USD`.
    private static func complete(_ header: inout [String], with row: [String]) {
        for (index, text) in row.enumerated() {
            if index == header.count { header.append("") }
            header[index] = header[index].isEmpty || text.isEmpty ? header[index] + text : "\(header[index]) \(text)"
        }
    }

    /// The first `limit` records that are not empty lines, and the number of record starts up to the last of these records, including empty
    /// lines. There are fewer records if the first block does not contain as many.
    ///
    /// Waits for the rest of an incomplete record of a pipe. `isCut` is true if the records extend beyond ``headerPart``. The last record
    /// is then incomplete.
    private func firstRecords(
        _ firstBlock: FirstBlock, _ limit: Int
    ) throws(DelimitedTextError) -> (records: [Record], starts: Int, isCut: Bool) {
        let start = firstBlock.contentStart
        var maximumBytes = if case .atMost(let count) = headerPart { count } else { settings.firstBytes }
        var bytes = source.current
        while true {
            let isPart = bytes.count - start > maximumBytes
            let end = isPart ? start + maximumBytes : bytes.count
            var isCut = isPart
            if case .firstBlock = headerPart, !isCut, !bytes.isFinished {
                isCut = ArrayStart.hasElement(try source.bytes(at: start, count: end - start))
            }
            // The names of an incomplete header are not used. They could take far more memory than their bytes.
            var hasNames = firstBlock.grammar.dialect.hasHeader
            if hasNames, isPart { hasNames = try hasLineEnd(in: start..<end) }
            var reader = RecordReader(
                source, firstBlock.grammar, begin: start, end: end, columns: 0..<(hasNames ? DelimitedFile.columnLimit : 0),
                maximumFieldBytes: .max,
                block: min(16 << 10, settings.blockBytes))
            var (records, starts, blanks) = ([Record](), 0, 0)
            // The start of the incomplete record at the end, if there is one.
            var cutStart = end
            while let record = try reader.next() {
                if record.isTruncated || record.fieldCount > 0 {
                    let isComplete = record.isTruncated || record.byteRange.upperBound < end || (bytes.isFinished && !isPart)
                    guard isComplete || isCut else { break }
                    records.append(record)
                    (starts, blanks) = (starts + blanks + 1, 0)
                    if records.count == limit && isComplete || record.isTruncated { return (records, starts, false) }
                    guard isComplete else {
                        cutStart = record.byteRange.lowerBound
                        break
                    }
                    continue
                }
                blanks += 1
                if record.byteRange.lowerBound - start > settings.firstBytes { return (records, starts, false) }
            }
            // The limit is for the record itself. Comments before it do not count.
            if isPart, case .atMost(let count) = headerPart, cutStart + count > end {
                maximumBytes = cutStart + count - start
                continue
            }
            if bytes.isFinished || isCut { return (records, starts, isCut) }
            // The record cannot end before the next line ending.
            var mayEnd = false
            while !mayEnd, !bytes.isFinished, bytes.count - start <= maximumBytes {
                let known = bytes.count
                bytes = source.wait(moreThan: known, interruptions: bytes.interruptions)
                mayEnd = try hasLineEnd(in: known..<bytes.count)
            }
        }
    }

    private func hasLineEnd(in range: Range<Int>) throws(DelimitedTextError) -> Bool {
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 64 << 10) {
            let block = try source.bytes(at: offset, count: min(64 << 10, range.upperBound - offset))
            if block.contains(0x0a) || block.contains(0x0d) { return true }
        }
        return false
    }

    /// The name of a column as in spreadsheets: A, B, …, Z, AA, AB, ….
    static func columnLetters(_ column: Int) -> String {
        var text = ""
        var rest = column + 1
        while rest > 0 {
            rest -= 1
            text = String(UnicodeScalar(UInt8(65 + rest % 26))) + text
            rest /= 26
        }
        return text
    }
}

// These initializers are in an extension, so that the structure keeps its memberwise initializer.
extension FileOpening {
    /// - Parameters:
    ///   - decoding: recognizes compressed files; `nil` to read them as they are.
    ///   - cache: the cache for the checkpoints of compressed files; `nil` to collect none.
    init(
        path: String, request: DialectRequest, settings: ScanSettings, decoding: (any InputDecoding)? = nil, cache: IndexCache? = nil
    ) throws(DelimitedTextError) {
        try request.validate()
        guard let descriptor = Platform.openForReading(path), let status = Platform.status(of: descriptor) else {
            throw Self.cannotOpen(path, Platform.lastError)
        }
        if status.isDirectory {
            Platform.closeDescriptor(descriptor)
            throw Self.cannotOpen(path, Platform.isDirectory)
        }
        let name = String(path.split(separator: "/").last ?? "")
        // Files in /proc are regular files, and their reported size is 0.
        var probe: UInt8 = 0
        let isStream = !status.isRegular || (status.size == 0 && Platform.readFully(descriptor, into: &probe, count: 1, at: 0) == 1)
        if isStream {
            try self.init(Spool(input: descriptor, name: name, settings: settings), name, path: path, nil, request, settings, decoding)
            return
        }
        let file = ByteSource(descriptor: descriptor, path: path, count: status.size, isFinished: true)
        if try Self.isCompressed(file, decoding) {
            guard let copy = Platform.duplicate(descriptor) else { throw Self.cannotOpen(path, Platform.lastError) }
            let spool = try Spool(input: copy, name: name, settings: settings, range: 0..<status.size)
            let recorder = cache.flatMap { cache in
                status.size >= cache.minimumCompressedBytes
                    ? CheckpointRecorder(spacing: cache.checkpointSpacing, maximumBytes: cache.maximumCheckpointBytes) : nil
            }
            try self.init(spool, name, path: path, status, request, settings, decoding, recorder: recorder)
            compressedSize = status.size
            if recorder != nil, spooledEncoding == nil, decoder?.supportsCheckpoints == true { checkpointedFile = file }
            return
        }
        if try Self.utf16Encoding(of: file, request) != nil {
            guard let reopened = Platform.openForReading(path) else { throw Self.cannotOpen(path, Platform.lastError) }
            try self.init(Spool(input: reopened, name: name, settings: settings), name, path: path, status, request, settings, nil)
            original = (file, nil)
            return
        }
        self.init(
            name: name, path: path, source: file, spool: nil, status: status, request: request, settings: settings, spooledEncoding: nil,
            decoding: nil)
        original = (file, nil)
    }

    /// The same input, read from `bytes`.
    private init(
        _ other: FileOpening, reading bytes: (source: ByteSource, spool: Spool?), _ request: DialectRequest, spooledEncoding: TextEncoding?
    ) {
        (name, path, status, settings) = (other.name, other.path, other.status, other.settings)
        (source, spool, original, pieces) = (bytes.source, bytes.spool, other.original, other.pieces)
        (decoding, decoder, compressedSize) = (other.decoding, other.decoder, other.compressedSize)
        (self.request, self.spooledEncoding) = (request, spooledEncoding)
    }

    /// Takes ownership of the descriptor.
    init(
        spooling descriptor: Int32, name: String, request: DialectRequest, settings: ScanSettings, decoding: (any InputDecoding)? = nil,
        isGrowing: @escaping @Sendable (Int, Bool) -> Void
    ) throws(DelimitedTextError) {
        do throws(DelimitedTextError) { try request.validate() } catch {
            Platform.closeDescriptor(descriptor)
            throw error
        }
        var input = descriptor
        var file: ByteSource?
        var range: Range<Int>?
        // Standard input from a file can be read directly by offset.
        if let status = Platform.status(of: descriptor), status.isRegular, status.size > 0, Platform.position(of: descriptor) == 0 {
            let source = ByteSource(descriptor: descriptor, path: nil, count: status.size, isFinished: true)
            file = source
            if try Self.isCompressed(source, decoding) {
                (file, range) = (nil, 0..<status.size)
            } else if try Self.utf16Encoding(of: source, request) == nil {
                self.init(
                    name: name, path: nil, source: source, spool: nil, status: nil, request: request, settings: settings,
                    spooledEncoding: nil,
                    decoding: nil)
                original = (source, nil)
                isGrowing(status.size, false)
                return
            }
            guard let copy = Platform.duplicate(descriptor) else { throw Self.cannotOpen(name, Platform.lastError) }
            input = copy
        }
        let spool = try Spool(input: input, name: name, settings: settings, range: range)
        try self.init(spool, name, path: nil, nil, request, settings, file == nil ? decoding : nil, isGrowing: isGrowing)
        if let file { original = (file, nil) }
    }

    /// Reads a part of a file, such as a member of an archive.
    init(
        part range: Range<Int>, of file: ByteSource, decoder: (any ByteDecoder)?, name: String, path: String?,
        status: Platform.FileStatus?, request: DialectRequest, settings: ScanSettings
    ) throws(DelimitedTextError) {
        try request.validate()
        try file.fill(range)
        guard let copy = Platform.duplicate(file.descriptor) else { throw Self.cannotOpen(name, Platform.lastError) }
        let spool = try Spool(input: copy, name: name, settings: settings, range: range)
        try self.init(spool, name, path: path, status, request, settings, nil, decoder: decoder)
        compressedSize = range.count
    }

    /// True if a file is compressed.
    private static func isCompressed(_ file: ByteSource, _ decoding: (any InputDecoding)?) throws(DelimitedTextError) -> Bool {
        guard let decoding else { return false }
        let head = try file.bytes(at: 0, count: min(file.count, 64))
        return decoding.recognize(head, isEnd: true) == .compressed
    }

    private init(
        _ spool: Spool, _ name: String, path: String?, _ status: Platform.FileStatus?, _ request: DialectRequest, _ settings: ScanSettings,
        _ decoding: (any InputDecoding)?, decoder: (any ByteDecoder)? = nil, recorder: CheckpointRecorder? = nil,
        isGrowing: @escaping @Sendable (Int, Bool) -> Void = { _, _ in }
    ) throws(DelimitedTextError) {
        let first = try spool.readFirst(maximum: settings.firstBytes, decoder: decoder, decoding: decoding, recorder: recorder)
        let spooledEncoding = EncodingSniffer.utf16(first.bytes, requested: request.encoding)
        // The rest is decoded only if the cache supplies no checkpoints.
        let isOnDemand = recorder != nil && spooledEncoding == nil && first.rest.decoder?.supportsCheckpoints == true
        spool.start(first, encoding: spooledEncoding ?? .utf8, isOnDemand: isOnDemand) { isGrowing($0, !$1) }
        self.init(
            name: name, path: path, source: spool.source, spool: spool, status: status, request: request, settings: settings,
            spooledEncoding: spooledEncoding, decoding: decoding, decoder: first.rest.decoder)
        original = spooledEncoding == nil ? (spool.source, spool) : nil
    }

    /// The text that `producing` generates from a file.
    init(_ producing: ProducerSpool, of file: BinaryFile, name: String, request: DialectRequest, settings: ScanSettings) {
        self.init(
            name: name, path: file.path, source: producing.source, spool: producing, status: file.fileStatus, request: request,
            settings: settings, spooledEncoding: .utf8, decoding: nil)
    }

    /// The encoding of UTF-16, as requested or detected; `nil` for other encodings.
    private static func utf16Encoding(of file: ByteSource, _ request: DialectRequest) throws(DelimitedTextError) -> TextEncoding? {
        EncodingSniffer.utf16(try file.bytes(at: 0, count: min(4096, file.count)), requested: request.encoding)
    }
}
