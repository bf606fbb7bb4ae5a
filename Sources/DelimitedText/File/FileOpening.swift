import Tables
import CByteScan
import FieldValues

/// Opens the input of a ``DelimitedFile`` and detects its dialect.
struct FileOpening: Sendable {
    let name: String
    let path: String?
    let source: ByteSource
    /// Writes the temporary file with the bytes of the input. `nil` if the user's file is read directly.
    let spool: (any BackgroundWriter)?
    let status: Platform.FileStatus?
    private(set) var request: DialectRequest
    private let settings: ScanSettings
    /// The encoding of an input in UTF-16, whose temporary file is in UTF-8; `nil` for other inputs.
    private let spooledEncoding: TextEncoding?
    /// The bytes of the input before any conversion, with the spool that copies them if the input is a pipe. `nil` for a pipe in UTF-16,
    /// which is converted while it is read.
    private var originalInput: (source: ByteSource, spool: Spool?)?
    /// Recognizes compressed inputs; `nil` to read them as they are.
    let decoding: (any InputDecoding)?
    /// The decoder of the input; `nil` if it is not compressed.
    private(set) var decoder: (any ByteDecoder)?
    /// The size of the compressed input in bytes; `nil` if it is unknown or the input is not compressed.
    private(set) var compressedSize: Int?
    /// The compressed file, if its checkpoints can be cached; otherwise `nil`.
    private(set) var checkpointedFile: ByteSource?
    /// Samples of the input for detecting the encoding; `nil` if they have not been read yet.
    private var encodingSamples: [[UInt8]]?
    /// The escape character that was removed when the text was rewritten; `nil` for none.
    var removedEscape: UInt8?
    /// True if the text was rewritten with other line endings than the file has. Problems are then located by row, not by line.
    var hasDecodedLineEnds = false
    private var headerLimit = HeaderLimit.atMost(.max)

    /// The part of the input that is read to find the header, which is in the first records.
    enum HeaderLimit: Sendable {
        /// Only the bytes of the first block. If the first line may be a JSON array, the header is read before that line has ended.
        case firstBlock
        /// The bytes of the first records, up to this number.
        case atMost(Int)
    }

    /// The same input, with another limit for the bytes of the header.
    func withHeader(limitedTo limit: HeaderLimit) -> FileOpening {
        var opening = self
        opening.headerLimit = limit
        return opening
    }

    /// The same input with another dialect request. If that changes the encoding from or to UTF-16, the input is converted again.
    func reopened(as request: DialectRequest) throws(DelimitedTextError) -> FileOpening {
        try request.validate()
        var opening = self
        opening.request = request
        guard let originalInput else {
            guard let encoding = request.encoding, encoding != spooledEncoding else { return opening }
            if let again = try decodedAgain(request) { return again }
            throw DelimitedTextError(
                .invalidDialect,
                "The encoding of this pipe cannot be changed, because it was converted from UTF-16. Use --encoding \(encoding.optionName).")
        }
        let newEncoding = try Self.utf16Encoding(of: originalInput.source, request)
        if newEncoding == spooledEncoding { return opening }
        guard let newEncoding else { return FileOpening(self, reading: originalInput, request, spooledEncoding: nil) }
        // If a compressed file is decoded by section, its temporary file is incomplete and cannot be converted.
        let known = originalInput.source.current
        if known.sections != nil, let again = try decodedAgain(request) { return again }
        guard known.isFinished else {
            if let again = try decodedAgain(request) { return again }
            throw DelimitedTextError(.invalidDialect, "The pipe has not ended yet. Change the encoding when all rows have arrived.")
        }
        try originalInput.source.fill(0..<originalInput.source.count)
        guard let input = Platform.duplicate(originalInput.source.descriptor) else { throw Self.cannotOpenError(name, Platform.lastError) }
        let spool = try Spool(input: input, name: name, settings: settings, range: 0..<Int.max)
        spool.start(try spool.readHead(maximum: settings.firstBytes), encoding: newEncoding) { _, _ in }
        return FileOpening(self, reading: (spool.source, spool), request, spooledEncoding: newEncoding)
    }

    /// The same compressed file, decoded again from its start; `nil` if the input is not a compressed file.
    private func decodedAgain(_ request: DialectRequest) throws(DelimitedTextError) -> FileOpening? {
        guard decoder != nil, let decoding, let path, status != nil else { return nil }
        return try FileOpening(path: path, request: request, settings: settings, decoding: decoding)
    }

    /// An independent copy of the first bytes of the input, at most `count`.
    func copy(firstBytes count: Int) throws(DelimitedTextError) -> FileOpening {
        let from = originalInput?.source ?? source
        let end = from.count
        var bytes = try from.bytes(at: 0, count: min(count, end))
        // The copy ends after a line ending, because the record that follows may be cut off.
        let isUTF16 = originalInput != nil && EncodingSniffer.utf16(bytes, requested: nil) != nil
        if bytes.count < end, !isUTF16, let last = bytes.lastIndex(where: { $0 == 0x0a || $0 == 0x0d }) {
            bytes.removeSubrange((last + 1)...)
        }
        guard let descriptor = Platform.makeUnnamedFile() else { throw Self.cannotOpenError(name, Platform.lastError) }
        let copy = ByteSource(descriptor: descriptor, path: nil, count: bytes.count, isFinished: true)
        let isWritten = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { Platform.writeFully(descriptor, from: $0, count: buffer.count, at: 0) } ?? true
        }
        guard isWritten else { throw Self.cannotOpenError(name, Platform.lastError) }
        var opening = FileOpening(
            name: name, path: nil, source: copy, spool: nil, status: nil, request: request, settings: settings,
            spooledEncoding: originalInput == nil ? spooledEncoding : nil, decoding: nil)
        if originalInput != nil { opening.originalInput = (copy, nil) }
        opening.encodingSamples = try samples(from, end)
        return opening
    }

    /// The same input with its bytes from the offset `start` converted to other text.
    func rewritten(
        from start: Int, by rewriter: some TextRewriter, as request: DialectRequest
    ) throws(DelimitedTextError) -> FileOpening {
        try request.validate()
        let rewriting = try RewriterSpool(source, writtenBy: spool, from: start, by: rewriter, name: name, settings: settings)
        var opening = FileOpening(
            name: name, path: path, source: rewriting.source, spool: rewriting, status: status, request: request, settings: settings,
            spooledEncoding: spooledEncoding, decoding: nil, decoder: decoder, compressedSize: compressedSize)
        // Later bytes of the rewritten text may not be known yet, so the encoding is detected from those of the input.
        if request.encoding == nil { opening.encodingSamples = try samples(source, source.count) }
        return opening
    }

    /// At most `count` bytes from the offset `start`, which is after the skipped lines.
    func sample(from start: Int, count: Int) throws(DelimitedTextError) -> [UInt8] {
        try source.bytes(at: start, count: min(count, source.count - start))
    }

    private static func cannotOpenError(_ path: String, _ number: Int32) -> DelimitedTextError {
        DelimitedTextError(.cannotOpen, "Cannot open \(path): \(Platform.errorDescription(number)).", path: path, errno: number)
    }

    /// The properties of a file that are found when it is opened.
    struct FirstBlock: Sendable {
        var grammar: Grammar
        var contentStart = 0
        var skippedLines = 0
        var headerStartCount = 0
        /// The offset at which the last row of the header starts, after any empty lines before it; 0 without a header.
        var headerOffset = 0
        var header: [String] = []
        var suggestions: [ReadingSuggestion] = []
        var columnCount = 0
        var expectedFields = 0
        /// The offset of the end of the first record; the start of the content if there is no record.
        var firstEnd = 0
        var hasByteOrderMark = false
        /// True if the first line declares the delimiter, as in `sep=;`.
        var declaresDelimiter = false
        /// True if the first records are longer than the bytes read for the header, so that column names are missing.
        var isHeaderTruncated = false
    }

    func inspectFirstBlock() throws(DelimitedTextError) -> FirstBlock {
        var bytes = source.current
        let sampleBytes = DialectSniffer.sampleBytes
        let start = try source.bytes(at: 0, count: min(sampleBytes, bytes.count))
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let hasMark = start.starts(with: mark) && (request.encoding ?? .utf8) != .latin1 && (request.encoding ?? .utf8) != .windows1252
        var (contentStart, skipped) = try skipLines(from: hasMark ? mark.count : 0)
        bytes = source.current
        var request = request
        let declared = request.skipLines > 0 ? nil : DeclaredDelimiter(start[contentStart...], request)
        if let declared {
            request.delimiter = request.delimiter ?? declared.delimiter
            contentStart += declared.lineBytes
            skipped += 1
            // A pipe may have delivered only the lines to skip. The loop waits for a byte after them.
            while bytes.count <= contentStart, !bytes.isFinished {
                bytes = source.waitForBytes(moreThan: contentStart, interruptions: bytes.interruptions)
            }
        }
        let sample =
            contentStart == 0
            ? start : try source.bytes(at: contentStart, count: min(sampleBytes, bytes.count - contentStart))
        var encoding = spooledEncoding ?? request.encoding
        let isGuessed = encoding == nil && !hasMark
        if encoding == nil {
            var all = [sample]
            if !hasMark { all += try samples(source, bytes.count) }
            encoding = hasMark ? .utf8 : EncodingSniffer.guess(all)
        }
        let isWhole = bytes.isFinished && contentStart + sample.count >= bytes.count
        // The text is UTF-8 now, but the dialect has the encoding of the input.
        // Escaped quotes are masked below, but they also show which character is the quote.
        let quote = UInt8(ascii: "\"")
        if request.escape != nil, request.quote == nil, request.delimiter != quote, sample.contains(quote) { request.quote = .some(quote) }
        let syntax = request.escape.map { EscapedSample.masked(sample, escape: $0) } ?? sample
        let dialect = DialectSniffer(request: request, encoding: encoding ?? .utf8, name: name).sniff(syntax, isWhole: isWhole)
        let grammar = Grammar(dialect, settings: settings, isEncodingGuessed: isGuessed)
        var firstBlock = FirstBlock(grammar: grammar, contentStart: contentStart, skippedLines: skipped, hasByteOrderMark: hasMark)
        firstBlock.declaresDelimiter = declared != nil
        try readHeader(&firstBlock, sample: sample)
        firstBlock.suggestions = SuggestionSniffer(grammar: grammar, request: request).suggestions(sample).map { suggestion in
            // The suggestion counts lines after the one that declares the delimiter. That line is added, because skipping starts at the
            // first line.
            guard declared != nil else { return suggestion }
            return switch suggestion {
            case .linesBeforeTable(let count): .linesBeforeTable(count + 1)
            case .commentedHeader(let prefix, let count) where count > 0: .commentedHeader(prefix: prefix, linesBefore: count + 1)
            default: suggestion
            }
        }
        return firstBlock
    }

    /// Skips `request.skipLines` lines, and waits for those that are not there yet. Returns the offset after them and the number of lines,
    /// which is less if the file has fewer.
    private func skipLines(from begin: Int) throws(DelimitedTextError) -> (start: Int, lines: Int) {
        // In a dialect without quotes, each line is a record.
        let lines = Grammar(Dialect(quote: nil), settings: settings)
        var (at, remaining, state) = (begin, request.skipLines, UInt8(GV_RECORD_START))
        var known = source.current
        while request.skipLines > 0 {
            while known.count <= at, !known.isFinished {
                known = source.waitForBytes(moreThan: at, interruptions: known.interruptions)
            }
            let block = try source.bytes(at: at, count: min(64 << 10, max(0, known.count - at)))
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

    /// Samples of the file after the first block, to detect the encoding. They are read unless they are known.
    private func samples(_ source: ByteSource, _ end: Int) throws(DelimitedTextError) -> [[UInt8]] {
        if let encodingSamples { return encodingSamples }
        guard let originalInput, originalInput.spool == nil, end > settings.firstBytes else { return [] }
        var samples: [[UInt8]] = []
        for part in 1...4 {
            let offset = settings.firstBytes + (end - settings.firstBytes) / 4 * part - (part == 4 ? 16 << 10 : 0)
            samples.append(try source.bytes(at: max(offset, 0), count: min(16 << 10, max(end - offset, 0))))
        }
        return samples
    }

    /// Reads the complete first record. It has the column names, or it determines the number of columns.
    private func readHeader(_ firstBlock: inout FirstBlock, sample: [UInt8]) throws(DelimitedTextError) {
        let dialect = firstBlock.grammar.dialect
        let (records, starts, isCut) = try firstRecords(firstBlock, dialect.hasHeader ? dialect.headerRows : 1)
        firstBlock.isHeaderTruncated = isCut
        let first = records.first
        firstBlock.firstEnd = records.last?.byteRange.upperBound ?? firstBlock.contentStart
        if dialect.hasHeader, let first {
            firstBlock.headerStartCount = starts
            firstBlock.headerOffset = records[records.count - 1].byteRange.lowerBound
            firstBlock.header = names(in: first)
            for record in records.dropFirst() { Self.mergeHeaderRow(names(in: record), into: &firstBlock.header) }
        }
        // Without names, most records of the sample determine the number of columns.
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
            firstBlock.header = (0..<min(firstBlock.columnCount, DelimitedFile.columnLimit)).map(ColumnLetters.text)
        }
    }

    /// The names in a row of the header. Those that are null in a file with escapes instead of quotes are empty.
    private func names(in record: Record) -> [String] {
        let names = record.fields.map(\.text)
        guard hasDecodedLineEnds, let removedEscape else { return names }
        let nulls = UnescapedNulls(escape: removedEscape)
        return names.map { nulls.value(of: $0) ?? "" }
    }

    /// Adds the names of a second header row to the names of the first one: `price` and `USD` make `price USD`.
    private static func mergeHeaderRow(_ row: [String], into header: inout [String]) {
        for (index, text) in row.enumerated() {
            if index == header.count { header.append("") }
            header[index] = header[index].isEmpty || text.isEmpty ? header[index] + text : "\(header[index]) \(text)"
        }
    }

    /// The first `limit` records that are not empty lines, or fewer if the first block ends earlier. `starts` is the number of these
    /// records and of the empty lines before the last one.
    ///
    /// Waits for the rest of an incomplete record of a pipe. `isCut` is true if the records extend beyond ``headerLimit``. The last record
    /// is then incomplete.
    private func firstRecords(
        _ firstBlock: FirstBlock, _ limit: Int
    ) throws(DelimitedTextError) -> (records: [Record], starts: Int, isCut: Bool) {
        let start = firstBlock.contentStart
        var maximumBytes = if case .atMost(let count) = headerLimit { count } else { settings.firstBytes }
        var bytes = source.current
        while true {
            let isPart = bytes.count - start > maximumBytes
            let end = isPart ? start + maximumBytes : bytes.count
            var isCut = isPart
            if case .firstBlock = headerLimit, !isCut, !bytes.isFinished {
                // An escaped quote can leave the first record open. The header is then read from the rewritten text.
                if request.escape != nil { isCut = try hasLineEnd(in: start..<end) }
                if !isCut { isCut = JSONArrayStart.hasElement(try source.bytes(at: start, count: end - start)) }
            }
            // If the header is incomplete, its names are not used, because they could take much more memory than their bytes.
            var hasNames = firstBlock.grammar.dialect.hasHeader
            if hasNames, isPart { hasNames = try hasLineEnd(in: start..<end) }
            var reader = RecordReader(
                source, firstBlock.grammar, begin: start, end: end, columns: 0..<(hasNames ? DelimitedFile.columnLimit : 0),
                maximumFieldBytes: .max,
                block: min(16 << 10, settings.blockBytes))
            var (records, starts, blanks) = ([Record](), 0, 0)
            // The offset where an incomplete record at the end starts; `end` if the last record is complete.
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
            // The limit applies to the bytes of the record, without the comments before it.
            if isPart, case .atMost(let count) = headerLimit, cutStart + count > end {
                maximumBytes = cutStart + count - start
                continue
            }
            if bytes.isFinished || isCut { return (records, starts, isCut) }
            // Without another line ending, the record cannot have ended, so there is no need to parse it again.
            var mayEnd = false
            while !mayEnd, !bytes.isFinished, bytes.count - start <= maximumBytes {
                let known = bytes.count
                bytes = source.waitForBytes(moreThan: known, interruptions: bytes.interruptions)
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
}

// In an extension, so that the structure also has its memberwise initializer.
extension FileOpening {
    /// Opens a file.
    /// - Parameters:
    ///   - decoding: recognizes compressed files; `nil` to read them as they are.
    ///   - cache: the cache for the checkpoints of compressed files; `nil` to collect none.
    init(
        path: String, request: DialectRequest, settings: ScanSettings, decoding: (any InputDecoding)? = nil, cache: IndexCache? = nil
    ) throws(DelimitedTextError) {
        try request.validate()
        guard let descriptor = Platform.openForReading(path), let status = Platform.status(of: descriptor) else {
            throw Self.cannotOpenError(path, Platform.lastError)
        }
        if status.isDirectory {
            Platform.closeDescriptor(descriptor)
            throw Self.cannotOpenError(path, Platform.isDirectory)
        }
        let name = String(path.split(separator: "/").last ?? "")
        // The status of a file in /proc says that its size is 0, although the file has content. Reading one byte shows this.
        var probe: UInt8 = 0
        let isStream = !status.isRegular || (status.size == 0 && Platform.readFully(descriptor, into: &probe, count: 1, at: 0) == 1)
        if isStream {
            try self.init(Spool(input: descriptor, name: name, settings: settings), name, path: path, nil, request, settings, decoding)
            return
        }
        let file = ByteSource(descriptor: descriptor, path: path, count: status.size, isFinished: true)
        if try Self.isCompressed(file, decoding) {
            guard let copy = Platform.duplicate(descriptor) else { throw Self.cannotOpenError(path, Platform.lastError) }
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
            guard let reopened = Platform.openForReading(path) else { throw Self.cannotOpenError(path, Platform.lastError) }
            try self.init(Spool(input: reopened, name: name, settings: settings), name, path: path, status, request, settings, nil)
            originalInput = (file, nil)
            return
        }
        self.init(
            name: name, path: path, source: file, spool: nil, status: status, request: request, settings: settings, spooledEncoding: nil,
            decoding: nil)
        originalInput = (file, nil)
    }

    /// A copy of another opening that reads its bytes from `bytes`.
    private init(
        _ other: FileOpening, reading bytes: (source: ByteSource, spool: Spool?), _ request: DialectRequest, spooledEncoding: TextEncoding?
    ) {
        (name, path, status, settings) = (other.name, other.path, other.status, other.settings)
        (source, spool, originalInput, encodingSamples) = (bytes.source, bytes.spool, other.originalInput, other.encodingSamples)
        (decoding, decoder, compressedSize) = (other.decoding, other.decoder, other.compressedSize)
        (self.request, self.spooledEncoding) = (request, spooledEncoding)
    }

    /// Opens a descriptor, owns it, and closes it.
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
        // Standard input that is a regular file (`< file`) can be read by offset without a copy.
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
                originalInput = (source, nil)
                isGrowing(status.size, false)
                return
            }
            guard let copy = Platform.duplicate(descriptor) else { throw Self.cannotOpenError(name, Platform.lastError) }
            input = copy
        }
        let spool = try Spool(input: input, name: name, settings: settings, range: range)
        try self.init(spool, name, path: nil, nil, request, settings, file == nil ? decoding : nil, isGrowing: isGrowing)
        if let file { originalInput = (file, nil) }
    }

    /// Opens a range of a file, such as a member of an archive. The range may be compressed.
    init(
        part range: Range<Int>, of file: ByteSource, decoder: (any ByteDecoder)?, name: String, path: String?,
        status: Platform.FileStatus?, request: DialectRequest, settings: ScanSettings
    ) throws(DelimitedTextError) {
        try request.validate()
        try file.fill(range)
        guard let copy = Platform.duplicate(file.descriptor) else { throw Self.cannotOpenError(name, Platform.lastError) }
        let spool = try Spool(input: copy, name: name, settings: settings, range: range)
        try self.init(spool, name, path: path, status, request, settings, nil, decoder: decoder)
        compressedSize = range.count
    }

    /// True if the first bytes of a file belong to a compression that can be decoded.
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
        let first = try spool.readHead(maximum: settings.firstBytes, decoder: decoder, decoding: decoding, recorder: recorder)
        let spooledEncoding = EncodingSniffer.utf16(first.bytes, requested: request.encoding)
        // If checkpoints can be cached, the rest is decoded only on demand, because the cache may already have the checkpoints of this
        // file.
        let isOnDemand = recorder != nil && spooledEncoding == nil && first.rest.decoder?.supportsCheckpoints == true
        spool.start(first, encoding: spooledEncoding ?? .utf8, isOnDemand: isOnDemand) { isGrowing($0, !$1) }
        self.init(
            name: name, path: path, source: spool.source, spool: spool, status: status, request: request, settings: settings,
            spooledEncoding: spooledEncoding, decoding: decoding, decoder: first.rest.decoder)
        originalInput = spooledEncoding == nil ? (spool.source, spool) : nil
    }

    /// Opens the text that `producing` generates from a file.
    init(_ producing: ProducerSpool, of file: BinaryFile, name: String, request: DialectRequest, settings: ScanSettings) {
        self.init(
            name: name, path: file.path, source: producing.source, spool: producing, status: file.fileStatus, request: request,
            settings: settings, spooledEncoding: .utf8, decoding: nil)
    }

    /// The byte order if a file is UTF-16, as requested or detected; `nil` for other encodings.
    private static func utf16Encoding(of file: ByteSource, _ request: DialectRequest) throws(DelimitedTextError) -> TextEncoding? {
        EncodingSniffer.utf16(try file.bytes(at: 0, count: min(4096, file.count)), requested: request.encoding)
    }
}
