/// A common format of files that are not text, recognized by its first bytes.
struct BinaryFormat {
    /// The format with its article: `a gzip file`.
    let name: String
    /// A command that prints the content of such a file as text; `nil` if there is no such command.
    let command: String?
    private let magic: [UInt8]

    private init(_ name: String, command: String? = nil, magic: [UInt8]) {
        (self.name, self.command, self.magic) = (name, command, magic)
    }

    private static let all = [
        BinaryFormat("a gzip file", command: "gzip -dc", magic: [0x1f, 0x8b]),
        BinaryFormat("a zip or xlsx file", magic: [0x50, 0x4b, 3, 4]),
        BinaryFormat("an xz file", command: "xz -dc", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
        BinaryFormat("a zstd file", command: "zstd -dc", magic: [0x28, 0xb5, 0x2f, 0xfd]),
        BinaryFormat("a bzip2 file", command: "bzip2 -dc", magic: Array("BZh".utf8)),
        BinaryFormat("a Parquet file", magic: Array("PAR1".utf8)),
        BinaryFormat("an SQLite database", magic: Array("SQLite format 3\0".utf8)),
    ]

    /// The number of bytes to read for ``init(_:)``.
    static let byteCount = 16

    /// The format of a file that starts with these bytes; `nil` if unknown. A text file may also start with `BZh` or `PAR1`, but has no
    /// control characters soon after it.
    init?(_ start: [UInt8]) {
        guard let found = Self.all.first(where: { start.starts(with: $0.magic) }), start.contains(where: { $0 < 9 || $0 > 0x7f }) else {
            return nil
        }
        self = found
    }

    /// A sentence about a file of this format, with the command that shows its content.
    func advice(path: String?) -> String {
        guard let command else { return "This is \(name), not text." }
        guard let path else { return "This is \(name). Run \(command) on it before gridview." }
        let isPlain = path.utf8.allSatisfy { $0 > 0x2a && $0 < 0x7f && !";<>?[\\]^`{|}~".utf8.contains($0) }
        let word = isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
        return "This is \(name). Run: \(command) \(word) | gridview"
    }
}
