public import DelimitedText
public import Tables

/// A file format. To add one, write a folder with a type that conforms, and add it to ``allFormats``.
public protocol TableFormat: Sendable {
    /// The name that `--format` takes.
    var name: String { get }

    /// Opens an input in this format.
    /// - Parameters:
    ///   - input: the open input, read as delimited text so far.
    ///   - isRequested: whether a person asked for this format. Otherwise the content decides.
    /// - Returns: `nil` when the content is not in this format.
    /// - Throws: a `TableError` when the input cannot be read.
    func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)?
}

/// The formats beside delimited text, in the order in which they are tried.
public let allFormats: [any TableFormat] = [MarkdownFormat(), FixedWidthFormat()]
