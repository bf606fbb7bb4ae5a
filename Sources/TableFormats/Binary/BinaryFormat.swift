import DelimitedText
import Tables

/// A format that is not text, recognized by its first bytes. To add one, create a folder with a conforming type and add the type to
/// ``binaryFormats``.
protocol BinaryFormat: Sendable {
    /// The name used with `--format`.
    var name: String { get }

    /// True if a file that begins with `head` may be in this format. `head` has at most 512 bytes.
    func matches(_ head: [UInt8]) -> Bool

    /// Opens a file.
    /// - Parameters:
    ///   - file: the bytes of the file.
    ///   - opener: the requested table and other options; it also opens text inside the file.
    /// - Returns: a source, or `nil` if the file is not in this format, such as an archive without a table.
    /// - Throws: a `TableError` if the file is damaged, encrypted or needs a missing library.
    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)?
}

/// The formats that are not text, in the order in which they are tried.
let binaryFormats: [any BinaryFormat] = [
    ParquetFormat(), ArrowFormat(), SQLiteFormat(), ExcelFormat(), OpenDocumentFormat(), ZipFormat(),
]
