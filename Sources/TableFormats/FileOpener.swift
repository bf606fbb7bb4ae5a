public import DelimitedText
public import Tables

/// Opens files in any supported format: as the content says, or as a person does.
public struct FileOpener: TableOpener {
    /// What is known of the dialect of delimited text; the rest is found out.
    public var dialect: DialectRequest
    /// Where indexes of large files are kept; `nil`: nowhere.
    public var indexCache: IndexCache?
    /// The name of the format; `nil`: the content decides.
    public var format: String?

    /// The name of delimited text.
    public static let delimited = "delimited"
    /// The names of all formats.
    public static var formatNames: [String] { [delimited] + allFormats.map(\.name) }

    /// Opens files with this knowledge.
    public init(dialect: DialectRequest = DialectRequest(), indexCache: IndexCache? = nil, format: String? = nil) {
        (self.dialect, self.indexCache, self.format) = (dialect, indexCache, format)
    }

    /// Opens the file at a path.
    /// - Throws: `DelimitedTextError` when it cannot be opened, or the dialect makes no sense; ``FormatError``.
    public func open(path: String) throws -> any TableSource {
        try source(of: DelimitedFile(path: path, request: dialect, cache: indexCache))
    }

    /// Reads an open descriptor, which it takes over and closes. Waits for the first line of a pipe.
    /// - Throws: as ``open(path:)``.
    public func open(descriptor: Int32, name: String) throws -> any TableSource {
        try source(of: DelimitedFile(spooling: descriptor, name: name, request: dialect))
    }

    private func source(of file: DelimitedFile) throws -> any TableSource {
        if format == Self.delimited { return file }
        if let format {
            guard let known = allFormats.first(where: { $0.name == format }) else {
                throw FormatError("Unknown format “\(format)”. Use \(Self.formatNames.joined(separator: ", ")).")
            }
            guard let source = try known.open(file, isRequested: true) else {
                throw FormatError("\(file.name) is not a \(format) table. Remove --format to detect the format.")
            }
            return source
        }
        // A delimiter is that of delimited text.
        guard dialect.delimiter == nil else { return file }
        for format in allFormats { if let source = try format.open(file, isRequested: false) { return source } }
        return file
    }

    /// Makes an unnamed temporary file.
    /// - Throws: `DelimitedTextError` when there is no place for it.
    public func makeScratchFile() throws -> any ScratchFile { try TemporaryFile() }
}

/// An input that is not in the format asked for.
public struct FormatError: TableError, Hashable {
    /// What failed, and what to do.
    public let message: String

    init(_ message: String) { self.message = message }
}
