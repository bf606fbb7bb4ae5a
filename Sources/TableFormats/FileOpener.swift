public import DelimitedText
public import Tables

/// Opens files in any supported format. The format is detected from the content, or set by the user.
public struct FileOpener: TableOpener {
    /// The requested dialect of delimited text. Properties that are not requested are detected.
    public var dialect: DialectRequest
    /// The cache of indexes of large files; `nil` to use no cache.
    public var indexCache: IndexCache?
    /// The name of the requested format; `nil` to detect the format.
    public var format: String?

    /// The name of the delimited text format.
    public static let delimited = "delimited"
    /// The names of all formats.
    public static var formatNames: [String] { [delimited] + allFormats.map(\.name) + binaryFormats.map(\.name) }

    /// The name of the table to open in a file with several tables; `nil` to open the only table or a list of the tables.
    public var table: String?
    /// The keys that lead to the records of a JSON document, such as `data.items`; `nil` to detect the records. With the suffix `.*`, the
    /// keys lead to an object whose members are the records.
    public var jsonPath: String?

    /// The maximum size in bytes of the temporary file of a compressed file or a pipe. If `nil`, only the disk space limits it.
    public var spoolLimit: Int?

    /// The maximum size of the first line in bytes, unless the user requested a format or a delimiter.
    var maximumHeaderBytes = 16 << 20
    /// The maximum size in bytes of the first line of delimited text if the user requests this format or a delimiter.
    var maximumRequestedHeaderBytes = 64 << 20

    /// The number of threads that decode a compressed file.
    public var threads = 2

    /// True to open a folder or a pattern as a list of its files. If false, a pattern, or a folder of similar files, is one table.
    public var listsFiles = false

    /// Creates an opener.
    public init(
        dialect: DialectRequest = DialectRequest(), indexCache: IndexCache? = nil, format: String? = nil, table: String? = nil,
        jsonPath: String? = nil
    ) {
        (self.dialect, self.indexCache, self.format, self.table, self.jsonPath) = (dialect, indexCache, format, table, jsonPath)
    }

    /// Opens the file at a path, or a table of a file, such as `data.db:trades`. A folder opens as a table of many files. So does a pattern
    /// such as `logs/*.csv`, unless it is the name of a file.
    /// - Throws: `DelimitedTextError` if the file cannot be opened or the dialect is invalid; ``FormatError`` if the file does not have the
    ///   requested format or table, or if it is not text.
    public func open(path: String) throws -> any TableSource {
        if let tablePath = TablePath(path) {
            var opener = self
            opener.table = tablePath.table
            return try opener.open(path: tablePath.file)
        }
        return try openManyFiles(path: path) ?? openFile(path: path)
    }

    /// Opens a single file. Throws the errors of ``open(path:)``.
    func openFile(path: String) throws -> any TableSource {
        if let file = BinaryFile(path: path), let source = try binarySource(of: file) { return source }
        let file = try DelimitedFile(
            path: path, request: dialect, cache: indexCache, decoding: Decompression(threads: threads), spoolLimit: spoolLimit)
        if let table, !isBinary(file) { throw TableChoice.onlyTableError(table, file: file.name) }
        return try source(of: file)
    }

    /// Reads an open descriptor, takes ownership of it, and closes it. Waits for the first line of a pipe.
    /// - Throws: as ``open(path:)``.
    public func open(descriptor: Int32, name: String) throws -> any TableSource {
        let file = try DelimitedFile(
            spooling: descriptor, name: name, request: dialect, decoding: Decompression(threads: threads), spoolLimit: spoolLimit)
        if let table, !isBinary(file) { throw TableChoice.onlyTableError(table, file: file.name) }
        return try source(of: file)
    }

    /// True if the first bytes of the input show that it is not text.
    private func isBinary(_ file: DelimitedFile) -> Bool {
        guard format != Self.delimited, let head = try? file.firstBytes(512) else { return false }
        return binaryFormats.contains { $0.matches(head) } || (try? FileSignature(file)) != nil
    }

    /// A source for a file that is not text; `nil` if it may be text.
    func binarySource(of file: BinaryFile) throws -> (any TableSource)? {
        guard format != Self.delimited else { return nil }
        let head = try file.bytes(at: 0, count: 512)
        for candidate in binaryFormats where format == candidate.name || candidate.matches(head) {
            if let source = try candidate.open(file, by: self) { return source }
        }
        return nil
    }

    /// Opens a file as text. If a pipe or a compressed file contains a binary format, opens it in that format.
    func source(of file: DelimitedFile) throws -> any TableSource {
        if format == Self.delimited { return try requestedText(file) }
        if file.path == nil || file.compression != nil, let head = try? file.firstBytes(512),
            binaryFormats.contains(where: { $0.matches(head) }),
            let source = try binarySource(of: BinaryFile(waitingFor: file))
        {
            return source
        }
        if let signature = try FileSignature(file) { throw FormatError(signature.message(name: file.name, path: file.path)) }
        // Binary content is an error, unless the user requested a way to read the file as text.
        if format == nil, jsonPath == nil, dialect.delimiter == nil, !dialect.readsLines, dialect.encoding == nil,
            !file.dialect.encoding.isUTF16,
            BinaryContent.isBinary(try file.firstBytes(BinaryContent.sampleBytes), delimiter: file.dialect.delimiter)
        {
            throw FormatError(BinaryContent.message(name: file.name, isPipe: file.path == nil))
        }
        if let jsonPath, format == nil || format == JSONFormat().name {
            guard let source = try JSONFormat(path: jsonPath).open(file, isRequested: true) else {
                throw FormatError("\(file.name) is not a JSON document. Remove --path to detect the format.")
            }
            return source
        }
        if let format {
            guard Self.formatNames.contains(format) else {
                throw FormatError("Unknown format “\(format)”. Use \(Self.formatNames.joined(separator: ", ")).")
            }
            let requested = allFormats.first { $0.name == format }
            guard let source = try requested?.open(file, isRequested: true) else {
                throw FormatError("\(file.name) is not a table in the format \(format). Remove --format to detect the format.")
            }
            return source
        }
        // If the user requested a delimiter or an escape character, the file is delimited text.
        guard dialect.delimiter == nil, dialect.escape == nil, !file.declaresDelimiter else { return try requestedText(file) }
        if dialect.readsLines, let lines = try PlainLinesFormat().open(file, isRequested: true) { return lines }
        for format in documentFormats { if let source = try format.open(file, isRequested: false) { return source } }
        let text = try file.withHeader(ofAtMost: maximumHeaderBytes)
        guard !text.isHeaderTruncated else { throw FormatError(endlessLineMessage(for: text, isRequested: false)) }
        for format in lineFormats { if let source = try format.open(text, isRequested: false) { return source } }
        return text
    }

    /// Opens delimited text that the user has requested, and waits for its complete header.
    private func requestedText(_ file: DelimitedFile) throws -> any TableSource {
        let notes = EscapeNotes()
        let rewritten = try file.withoutEscapes(headerBytes: maximumRequestedHeaderBytes, notes: notes)
        let text = try rewritten ?? file.withHeader(ofAtMost: maximumRequestedHeaderBytes)
        guard !text.isHeaderTruncated else { throw FormatError(endlessLineMessage(for: text, isRequested: true)) }
        guard rewritten != nil, let escape = dialect.escape, let name = settings.escape else { return text }
        return EscapedSource(file, text, escape: escape, named: name, notes)
    }

    private func endlessLineMessage(for file: DelimitedFile, isRequested: Bool) -> String {
        let limit = "\((isRequested ? maximumRequestedHeaderBytes : maximumHeaderBytes) >> 20) MiB"
        if file.dialect.quote != nil, let head = try? file.firstBytes(64 << 10), head.contains(0x0a) || head.contains(0x0d) {
            return "\(file.name) is not a table: its first record is longer than \(limit), so a quote is probably not closed. "
                + "Use --quote none to read quotes as text."
        }
        return "\(file.name) is not a table: its first line is longer than \(limit). Use --format lines to read it as text"
            + (isRequested ? "." : ", or --format \(Self.delimited) to read it as a table.")
    }

    /// The settings that correspond to ``dialect``.
    public var settings: ReadingSettings { dialect.settings }

    /// Returns an opener with the given settings. If the delimiter changes, or if an escape character is given, the file is opened as
    /// delimited text, so the requested format and keys are dropped.
    /// - Throws: `ReadingSettingsError`.
    public func with(_ settings: ReadingSettings) throws -> (any TableOpener)? {
        var opener = self
        opener.dialect = try DialectRequest(settings)
        let escape = opener.dialect.escape
        if settings.delimiter != self.settings.delimiter || escape != nil && escape != dialect.escape {
            (opener.format, opener.jsonPath) = (nil, nil)
        }
        return opener
    }

    /// Opens an open file again with the settings of this opener. Transcodes it if the encoding changes from or to UTF-16.
    /// - Throws: as ``open(path:)``.
    public func reopen(_ input: any TableSource) throws -> (any TableSource)? {
        try (input as? any RereadableSource)?.reread(by: self)
    }

    /// Opens a copy of the first 256 KiB of an open file.
    /// - Throws: as ``open(path:)``.
    public func sample(of input: any TableSource) throws -> (any TableSource)? {
        try (input as? any RereadableSource)?.sample(by: self)
    }

    /// The formats in which typed files can be written.
    public var writableFormats: [any WritableFormat] { TableFormats.writableFormats }
    /// The methods with which written text can be compressed.
    public var writableCompressions: [any WritableCompression] { TableFormats.writableCompressions }

    /// Creates an unnamed temporary file.
    /// - Throws: `DelimitedTextError` if the file cannot be created.
    public func makeScratchFile() throws -> any ScratchFile { try TemporaryFile() }
}

/// An open input that can be read again with other settings.
protocol RereadableSource: TableSource {
    /// Opens the input again with the settings of an opener.
    func reread(by opener: FileOpener) throws -> any TableSource
    /// A copy of the first rows, read with the settings of an opener; `nil` if the input has no rows.
    func sample(by opener: FileOpener) throws -> (any TableSource)?
}

/// A table read from the text of a file or a pipe.
protocol FileSource: RereadableSource {
    /// The file that contains the text of the table.
    var file: DelimitedFile { get }
}

extension FileSource {
    func reread(by opener: FileOpener) throws -> any TableSource { try opener.source(of: file.reread(as: opener.dialect)) }
    func sample(by opener: FileOpener) throws -> (any TableSource)? { try opener.source(of: file.sample(as: opener.dialect)) }
}

extension DelimitedFile: FileSource {
    var file: DelimitedFile { self }
}

/// An error for an input that is damaged, has an unsupported format, or does not have the requested format.
public struct FormatError: TableError, Hashable {
    /// A sentence that says what failed and what to do.
    public let message: String
    /// How complete the records are, if the error ended the input early; `nil` for other errors.
    public let inputEnd: InputEnd?

    init(_ message: String, inputEnd: InputEnd? = nil) { (self.message, self.inputEnd) = (message, inputEnd) }

    /// An error for a damaged file.
    /// - Parameter reason: a clause that describes the damage.
    static func damaged(_ name: String, _ reason: String) -> FormatError { FormatError(damageMessage(of: name, reason)) }

    /// A message that says how a file is damaged and what to do.
    static func damageMessage(of name: String, _ reason: String) -> String { "\(name) is damaged: \(reason). Copy or download it again." }
}
