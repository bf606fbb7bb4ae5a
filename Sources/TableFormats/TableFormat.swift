public import DelimitedText
public import Tables

/// A file format. To add one, create a folder with a conforming type and add the type to `lineFormats` or `documentFormats`.
public protocol TableFormat: Sendable {
    /// The name used with `--format`.
    var name: String { get }

    /// Opens an input in this format.
    /// - Parameters:
    ///   - input: the open input, which is read as delimited text until a format claims it.
    ///   - isRequested: true if the user requested this format. Otherwise the content decides.
    /// - Returns: a source, or `nil` if the content is not in this format.
    /// - Throws: a `TableError` if the input cannot be read.
    func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)?
}

/// The formats other than delimited text, in the order in which they are tried.
public let allFormats: [any TableFormat] = documentFormats + lineFormats

/// The formats whose content may be a single line of any length.
let documentFormats: [any TableFormat] = [JSONLinesFormat(), JSONFormat()]

/// The formats whose lines are records, or parts of records.
let lineFormats: [any TableFormat] = [
    JournalFormat(), MarkdownFormat(), BoxFormat(), AccessLogFormat(), SyslogFormat(), LogfmtFormat(),
    LogFormat(), FixedWidthFormat(), PlainLinesFormat(),
]
