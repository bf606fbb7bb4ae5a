/// What is odd about a file: how often, and where first. None of it keeps the file from being read.
///
/// The counts cover the bytes scanned so far, so they grow while the index is built.
public struct Diagnostics: Sendable, Equatable {
    /// Something odd.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A record with fewer fields than there are columns; blank lines are not counted.
        case shortRecord
        /// A record with more fields than there are columns.
        case longRecord
        /// A quote that is text, or text after a closing quote.
        case strayQuote
        /// The last field begins with a quote that is never closed.
        case unclosedQuote
        /// A sequence of bytes that is not UTF-8 (or a UTF-16 surrogate without its partner); each is shown as U+FFFD.
        case invalidText
        /// A well-formed UTF-8 character in a file that is read as Windows-1252 because its first bytes looked like that.
        case likelyUTF8
        /// A NUL byte.
        case nul
        /// Records end in different ways. Counted once; the place is the line where this was noticed.
        case mixedLineEnds
        /// A byte order mark at the start, which is not part of the first field.
        case byteOrderMark

        var index: Int { Kind.allCases.firstIndex(of: self)! }
    }

    /// Somewhere in the file.
    public struct Place: Sendable, Hashable {
        /// The line of the file, from 1. LF, CRLF and CR each end one, also between quotes.
        public var line: Int
        /// The record, from 0, the header not counted; `nil` in the header and before it.
        public var record: Int?
        /// Bytes from the start of the file.
        public var byteOffset: Int
    }

    /// How often, and where first.
    public struct Finding: Sendable, Hashable {
        /// How many were found; at least 1.
        public var count: Int
        /// Where the first one is.
        public var first: Place
    }

    /// What was found; kinds that were not are absent.
    public var findings: [Kind: Finding] = [:]

    /// What was found of one kind; `nil` for nothing.
    public subscript(kind: Kind) -> Finding? { findings[kind] }
}
