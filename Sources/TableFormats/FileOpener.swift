public import DelimitedText
public import Tables

/// Opens files in any supported format. The format is detected from the content, or set by the user.
public struct FileOpener: TableOpener {
    /// The known properties of the dialect of delimited text; the others are detected.
    public var dialect: DialectRequest
    /// The cache of indexes of large files; `nil` disables caching.
    public var indexCache: IndexCache?
    /// The name of the format; `nil` to detect it.
    public var format: String?

    /// The name of the delimited text format.
    public static let delimited = "delimited"
    /// The names of all formats.
    public static var formatNames: [String] { [delimited] + allFormats.map(\.name) + binaryFormats.map(\.name) }

    /// The table of a file with several tables; `nil` for the only table, or for a list of the tables.
    public var table: String?

    /// Creates an opener.
    public init(dialect: DialectRequest = DialectRequest(), indexCache: IndexCache? = nil, format: String? = nil, table: String? = nil) {
        (self.dialect, self.indexCache, self.format, self.table) = (dialect, indexCache, format, table)
    }

    /// Opens the file at a path, or a table of a file, such as `data.db:trades`.
    /// - Throws: `DelimitedTextError` if the file cannot be opened or the dialect is invalid; ``FormatError`` if the file does not have the
    ///   requested format or table, or if it is not text.
    public func open(path: String) throws -> any TableSource {
        if let divided = TablePath(path) {
            var opener = self
            opener.table = divided.table
            return try opener.open(path: divided.file)
        }
        if let file = BinaryFile(path: path), let source = try binarySource(of: file) { return source }
        let file = try DelimitedFile(path: path, request: dialect, cache: indexCache)
        if let table, !isBinary(file) { throw TableChoice.onlyTable(table, file: file.name) }
        return try source(of: file)
    }

    /// Reads an open descriptor, takes ownership of it, and closes it. Waits for the first line of a pipe.
    /// - Throws: as ``open(path:)``.
    public func open(descriptor: Int32, name: String) throws -> any TableSource {
        let file = try DelimitedFile(spooling: descriptor, name: name, request: dialect)
        if let table, !isBinary(file) { throw TableChoice.onlyTable(table, file: file.name) }
        return try source(of: file)
    }

    /// True if the input is not text, by its first bytes.
    private func isBinary(_ file: DelimitedFile) -> Bool {
        guard format != Self.delimited, let head = try? file.firstBytes(512) else { return false }
        return binaryFormats.contains { $0.matches(head) } || (try? FileSignature(file)) != nil
    }

    /// A source for a file that is not text; `nil` if it may be text.
    func binarySource(of file: BinaryFile) throws -> (any TableSource)? {
        guard format != Self.delimited else { return nil }
        let head = try file.bytes(at: 0, count: 512)
        for known in binaryFormats where format == known.name || known.matches(head) {
            if let source = try known.open(file, by: self) { return source }
        }
        return nil
    }

    /// A source for text, or for a pipe that may not be text.
    func source(of file: DelimitedFile) throws -> any TableSource {
        if format == Self.delimited { return file }
        if file.path == nil, let head = try? file.firstBytes(512), binaryFormats.contains(where: { $0.matches(head) }),
            let source = try binarySource(of: BinaryFile(waitingFor: file))
        {
            return source
        }
        if let signature = try FileSignature(file) { throw FormatError(signature.message(name: file.name, path: file.path)) }
        if let format {
            guard Self.formatNames.contains(format) else {
                throw FormatError("Unknown format “\(format)”. Use \(Self.formatNames.joined(separator: ", ")).")
            }
            let known = allFormats.first { $0.name == format }
            guard let source = try known?.open(file, isRequested: true) else {
                throw FormatError("\(file.name) is not a \(format) table. Remove --format to detect the format.")
            }
            return source
        }
        // A requested delimiter implies delimited text.
        guard dialect.delimiter == nil else { return file }
        if let json = try FileSignature(jsonIn: file) { throw FormatError(json.message(name: file.name, path: file.path)) }
        for format in allFormats { if let source = try format.open(file, isRequested: false) { return source } }
        return file
    }

    /// The settings of ``dialect``.
    public var settings: ReadingSettings { dialect.settings }

    /// Returns an opener with other settings. A new delimiter replaces the format.
    /// - Throws: `ReadingSettingsError`.
    public func with(_ settings: ReadingSettings) throws -> (any TableOpener)? {
        FileOpener(
            dialect: try DialectRequest(settings), indexCache: indexCache,
            format: settings.delimiter == self.settings.delimiter ? format : nil, table: table)
    }

    /// Opens an open file again. Transcodes it if the encoding changes from or to UTF-16.
    /// - Throws: as ``open(path:)``.
    public func reopen(_ input: any TableSource) throws -> (any TableSource)? {
        guard let file = (input as? any FileSource)?.file else { return nil }
        return try source(of: file.reread(as: dialect))
    }

    /// Opens a copy of the first 256 KiB of an open file.
    /// - Throws: as ``open(path:)``.
    public func sample(of input: any TableSource) throws -> (any TableSource)? {
        guard let file = (input as? any FileSource)?.file else { return nil }
        return try source(of: file.sample(as: dialect))
    }

    /// Creates an unnamed temporary file.
    /// - Throws: `DelimitedTextError` if the file cannot be created.
    public func makeScratchFile() throws -> any ScratchFile { try TemporaryFile() }
}

/// A table that is read from a file or a pipe.
protocol FileSource: TableSource {
    /// The bytes of the table.
    var file: DelimitedFile { get }
}

extension DelimitedFile: FileSource {
    var file: DelimitedFile { self }
}

/// An error for an input that does not have the requested format.
public struct FormatError: TableError, Hashable {
    /// A sentence that says what failed and what to do.
    public let message: String

    init(_ message: String) { self.message = message }
}
