/// The kind of a file, inferred from its name, for lists of files.
struct FileKind: Hashable {
    enum Use: Hashable {
        /// A single table.
        case table
        /// Text that may be a table, or a note about other files.
        case text
        /// A file with several tables.
        case container
        /// Anything else.
        case other
    }

    /// A display name, such as `CSV`; the suffix of the file if the kind is unknown.
    let name: String
    let use: Use
    /// The name of the compression; `nil` if the file is not compressed.
    let compression: String?

    /// - Parameter path: a path, or the name of a file.
    init(_ path: some StringProtocol) {
        let fileName = path.split(separator: "/").last ?? ""
        var parts = fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map { $0.lowercased() }
        // Rotated logs end with a number or a date: access.log.1, access.log-20240131.
        while let last = parts.last, parts.count > 1, !last.isEmpty, last.utf8.allSatisfy({ (48...57).contains($0) }) { parts.removeLast() }
        compression = parts.last.flatMap { Self.compressions[$0] }
        if compression != nil { parts.removeLast() }
        while let last = parts.last, !last.isEmpty, last.utf8.allSatisfy({ (48...57).contains($0) }) { parts.removeLast() }
        let suffix = parts.last ?? ""
        (name, use) = Self.kinds[suffix] ?? (suffix.isEmpty ? "file" : suffix, .other)
        hasFormatSuffix = !suffix.isEmpty
    }

    /// True if the file name has a suffix. The suffix of a compression and the number of a rotated log do not count.
    let hasFormatSuffix: Bool

    /// The name and the compression, such as `CSV, gzip`.
    var text: String { compression.map { "\(name), \($0)" } ?? name }

    private static let compressions = [
        "gz": "gzip", "bgz": "gzip", "zst": "zstd", "xz": "xz", "bz2": "bzip2", "lz4": "lz4", "br": "brotli", "sz": "snappy",
    ]

    private static let kinds: [String: (name: String, use: Use)] = [
        "csv": ("CSV", .table), "tsv": ("TSV", .table), "tab": ("TSV", .table), "psv": ("PSV", .table), "json": ("JSON", .table),
        "jsonl": ("JSON Lines", .table), "ndjson": ("JSON Lines", .table), "parquet": ("Parquet", .table), "pq": ("Parquet", .table),
        "parq": ("Parquet", .table), "arrow": ("Arrow", .table), "arrows": ("Arrow", .table), "ipc": ("Arrow", .table),
        "feather": ("Arrow", .table), "log": ("log", .table), "xlsx": ("Excel", .table), "xlsm": ("Excel", .table),
        "ods": ("OpenDocument", .table), "dat": ("data", .table), "txt": ("text", .text), "md": ("Markdown", .text),
        "markdown": ("Markdown", .text), "sqlite": ("SQLite", .container), "sqlite3": ("SQLite", .container), "db": ("SQLite", .container),
        "db3": ("SQLite", .container), "zip": ("zip archive", .container), "tar": ("tar archive", .container),
        "tgz": ("tar archive", .container),
    ]
}
