public import Tables

/// The format of a file to write: text, which may be compressed, or a typed file such as Parquet.
public struct FileFormat: Equatable, Sendable {
    /// The format of the rows, without compression.
    enum Content: Sendable {
        case text(OutputFormat)
        case typed(any WritableFormat)
    }

    let content: Content
    /// The compression of a text file; `nil` for none. It is always `nil` for typed files, which compress their own content.
    public internal(set) var compression: (any WritableCompression)?

    /// Text in this format, without compression.
    public static func text(_ format: OutputFormat) -> FileFormat { FileFormat(content: .text(format)) }

    static func typed(_ format: any WritableFormat) -> FileFormat { FileFormat(content: .typed(format)) }

    /// The same format with this compression. For a typed file, `compression` must be `nil`.
    public func compressed(with compression: (any WritableCompression)?) -> FileFormat {
        FileFormat(content: content, compression: compression)
    }

    /// The text format; `nil` for a typed file.
    public var text: OutputFormat? { if case .text(let format) = content { format } else { nil } }

    /// The name of the format as an argument of `--output`.
    public var name: String {
        switch content {
        case .text(let format): format.rawValue
        case .typed(let format): format.name
        }
    }

    /// True if a terminal cannot show the bytes, because the format is binary or compressed.
    public var isBinary: Bool { text == nil || compression != nil }

    /// The name of the format in lists and messages.
    var title: String {
        switch content {
        case .text(let format): format.title + (compression.map { " with \($0.name)" } ?? "")
        case .typed(let format): format.title
        }
    }

    /// A short description of where the format is useful, for lists.
    var detail: String {
        switch content {
        case .text(let format): format.detail
        case .typed: "columns with types"
        }
    }

    /// The column names that the format writes for columns with these titles; `nil` for a text format that writes the titles unchanged.
    func columnNames(for titles: [String]) -> [String]? {
        switch content {
        case .text(let format): format.needsDistinctNames ? DistinctNames.numbered(titles) { $0 } : nil
        case .typed(let format): format.columnNames(for: titles)
        }
    }

    /// True if spreadsheets run formulas in files of this format.
    var mayHaveFormulas: Bool { text == .csv || text == .tsv }

    /// Compares the names of the format and of the compression.
    public static func == (a: FileFormat, b: FileFormat) -> Bool { a.name == b.name && a.compression?.name == b.compression?.name }
}

/// The formats and compressions that the program can write.
public struct FileFormats: Equatable, Sendable {
    /// All formats, without compression.
    public let all: [FileFormat]
    /// The compressions that can be applied to text formats.
    public let compressions: [any WritableCompression]

    /// Collects all text formats, and the typed formats and compressions that an opener can write.
    public init(_ opener: (any TableOpener)?) {
        all = OutputFormat.allCases.map(FileFormat.text) + (opener?.writableFormats ?? []).map(FileFormat.typed)
        compressions = opener?.writableCompressions ?? []
    }

    /// The format with this name or file name suffix, such as `markdown` or `md`; `nil` if there is no such format.
    public func format(named name: String) -> FileFormat? {
        let name = name.lowercased()
        return all.first { $0.name == name } ?? format(suffix: name)
    }

    /// The format that the suffixes of a file name stand for; `nil` if they are unknown.
    public func format(fileName path: String) -> FileFormat? {
        guard let (base, suffix) = Self.parts(path) else { return nil }
        guard let compression = compression(ofFile: path) else { return format(suffix: suffix) }
        guard let format = Self.parts(base).flatMap({ format(suffix: $0.suffix) }), format.text != nil else { return nil }
        return format.compressed(with: compression)
    }

    /// The formats that a user can choose from if the file name has no known suffix.
    func choices(fileName path: String) -> [FileFormat] {
        guard let compression = compression(ofFile: path) else { return all }
        return all.filter { $0.text != nil }.map { $0.compressed(with: compression) }
    }

    /// The compression that the last suffix of a file name stands for; `nil` for none.
    private func compression(ofFile path: String) -> (any WritableCompression)? {
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

    /// Splits the last component of a path at its last dot; `nil` if there is no suffix.
    private static func parts(_ path: String) -> (base: String, suffix: String)? {
        guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last, let dot = name.lastIndex(of: "."),
            dot > name.startIndex
        else { return nil }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }

    /// Compares the names of the formats.
    public static func == (a: FileFormats, b: FileFormats) -> Bool {
        a.all == b.all && a.compressions.map(\.name) == b.compressions.map(\.name)
    }
}
