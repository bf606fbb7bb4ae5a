import FieldValues

/// The problems found in a file, with the number of each and the location of the first. No problem prevents reading.
///
/// Only the scanned part of the file counts, so the numbers grow while the index is built.
public struct Diagnostics: Sendable, Equatable {
    /// A kind of problem.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A record with fewer fields than columns. Empty lines are not counted.
        case shortRecord
        /// A record with more fields than columns.
        case longRecord
        /// An empty line in a table of two or more columns. It is a record of missing fields. Empty lines before the header are not
        /// records.
        case blankLine
        /// A quote within text, or text after a closing quote.
        case strayQuote
        /// An opening quote without a closing quote. Its field extends to the end of the file.
        case unclosedQuote
        /// A byte sequence that is not UTF-8, or an unpaired UTF-16 surrogate. It is shown as U+FFFD.
        case invalidText
        /// A well-formed UTF-8 character in a file whose encoding was guessed to be Windows-1252. The guess may be wrong.
        case likelyUTF8
        /// A NUL byte.
        case nul
        /// Different line endings in one file. Counted once, at the first line ending that differs from the first one in the file.
        case mixedLineEnds
        /// A byte order mark at the start of the file. It is not part of the first field.
        case byteOrderMark

        var index: Int { Kind.allCases.firstIndex(of: self)! }
    }

    /// The location of a problem in the file.
    public struct Location: Sendable, Hashable {
        /// The line number from 1. LF, CRLF and CR each end a line, even within quotes.
        public var line: Int
        /// The record number from 0, without the header; `nil` in and before the header.
        public var record: Int?
        /// The offset in bytes from the start of the file.
        public var byteOffset: Int
    }

    /// The occurrences of a kind of problem.
    public struct Finding: Sendable, Hashable {
        /// The number of occurrences; at least 1.
        public var count: Int
        /// The location of the first occurrence.
        public var first: Location
    }

    /// The findings by kind. Kinds without occurrences are absent.
    public var findings: [Kind: Finding] = [:]
    /// True if the phrases name rows, because the lines of the text are not those of the file.
    package var namesRows = false

    /// The findings, except findings about fields and quotes, which have no meaning if each record is a whole line.
    package var withoutFields: Diagnostics {
        let fieldKinds: Set<Kind> = [.shortRecord, .longRecord, .blankLine, .strayQuote, .unclosedQuote]
        return only { !fieldKinds.contains($0) }
    }

    /// The findings of some kinds.
    func only(_ isIncluded: (Kind) -> Bool) -> Diagnostics {
        var result = self
        result.findings = findings.filter { isIncluded($0.key) }
        return result
    }

    /// The location of a problem in a phrase, such as `line 4`.
    func place(of location: Location) -> String {
        if namesRows, let record = location.record { return "row \(NumberText.count(record + 1))" }
        return "line \(NumberText.count(location.line))"
    }

    /// The finding of a kind; `nil` if there is no occurrence.
    public subscript(kind: Kind) -> Finding? { findings[kind] }
}
