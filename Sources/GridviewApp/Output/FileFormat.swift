public import Tables

/// The format of a written file: text, which may be compressed, or a typed file such as Parquet.
public struct FileFormat: Equatable, Sendable {
    /// The format of the rows.
    enum Content: Sendable {
        case text(OutputFormat)
        case typed(any WritableFormat)
    }

    let content: Content
    /// The compression of text; `nil` for none. Typed files are compressed internally.
    var compression: (any WritableCompression)?

    /// The format of text without compression.
    public static func text(_ format: OutputFormat) -> FileFormat { FileFormat(content: .text(format)) }

    static func typed(_ format: any WritableFormat) -> FileFormat { FileFormat(content: .typed(format)) }

    /// The format with another compression, which must be `nil` for the format of a typed file.
    public func compressed(with compression: (any WritableCompression)?) -> FileFormat {
        FileFormat(content: content, compression: compression)
    }

    /// The format of text; `nil` for a typed file.
    public var text: OutputFormat? { if case .text(let format) = content { format } else { nil } }

    /// The name used with `--output`.
    public var name: String {
        switch content {
        case .text(let format): format.rawValue
        case .typed(let format): format.name
        }
    }

    /// True if a terminal cannot show the bytes.
    public var isBinary: Bool { text == nil || compression != nil }

    /// The name in lists and messages.
    var title: String {
        switch content {
        case .text(let format): format.title + (compression.map { " with \($0.name)" } ?? "")
        case .typed(let format): format.title
        }
    }

    /// The use of the format, for lists.
    var detail: String {
        switch content {
        case .text(let format): format.detail
        case .typed: "columns with types"
        }
    }

    /// True if spreadsheets run formulas in files of this format.
    var mayHaveFormulas: Bool { text == .csv || text == .tsv }

    /// Compares by name.
    public static func == (a: FileFormat, b: FileFormat) -> Bool { a.name == b.name && a.compression?.name == b.compression?.name }
}

/// The formats of files that the program can write.
public struct FileFormats: Equatable, Sendable {
    /// All formats, without compression.
    public let all: [FileFormat]
    /// The methods of compression for text.
    public let compressions: [any WritableCompression]

    /// Collects the formats of text, and the typed formats and compressions that an opener can write.
    public init(_ opener: (any TableOpener)?) {
        all = OutputFormat.allCases.map(FileFormat.text) + (opener?.writableFormats ?? []).map(FileFormat.typed)
        compressions = opener?.writableCompressions ?? []
    }

    /// The format of a file name, by its suffixes; `nil` if they do not name a format.
    func format(fileName path: String) -> FileFormat? {
        guard let (base, suffix) = Self.parts(path) else { return nil }
        guard let compression = compression(fileName: path) else { return format(suffix: suffix) }
        guard let format = Self.parts(base).flatMap({ format(suffix: $0.suffix) }), format.text != nil else { return nil }
        return format.compressed(with: compression)
    }

    /// The formats to choose from for a file name without the suffix of a format.
    func choices(fileName path: String) -> [FileFormat] {
        guard let compression = compression(fileName: path) else { return all }
        return all.filter { $0.text != nil }.map { $0.compressed(with: compression) }
    }

    /// The compression of a file name, by its last suffix.
    private func compression(fileName path: String) -> (any WritableCompression)? {
        Self.parts(path).flatMap { parts in compressions.first { $0.suffix == parts.suffix } }
    }

    private func format(suffix: String) -> FileFormat? {
        all.first { format in
            switch format.content {
            case .text(let text): text.suffix == suffix || text.rawValue == suffix
            case .typed(let typed): typed.suffixes.contains(suffix)
            }
        }
    }

    /// The last component of a path, split at its last dot; `nil` without a suffix.
    private static func parts(_ path: String) -> (base: String, suffix: String)? {
        guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last, let dot = name.lastIndex(of: "."),
            dot > name.startIndex
        else { return nil }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }

    /// Compares by name.
    public static func == (a: FileFormats, b: FileFormats) -> Bool {
        a.all == b.all && a.compressions.map(\.name) == b.compressions.map(\.name)
    }
}
