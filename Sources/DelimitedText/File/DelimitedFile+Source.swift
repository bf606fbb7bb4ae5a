import FieldValues
public import Tables

// The members that `TableSource` requires of every file format.
extension DelimitedFile {
    /// True if the first record has the column names.
    public var hasColumnNames: Bool { dialect.hasHeader }

    /// The last records, with up to 4 KiB of each field. See ``tail(atLeast:columns:maximumFieldBytes:)``.
    public func tail(atLeast count: Int) throws -> TailRecords { try tail(atLeast: count, columns: nil) }

    /// Indexes all records, with the index cache if there is one. See ``buildIndex(threads:priority:cache:progress:)``.
    public func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try buildIndex(threads: threads, priority: priority, cache: indexCache, progress: progress)
    }

    /// Pauses one thread of ``buildIndex(threads:priority:cache:progress:)`` for a read that the user waits for, until ``endUrgentRead()``
    /// or for 20 ms.
    public func beginUrgentRead() { index.urgentReads.begin() }

    /// Ends the effect of ``beginUrgentRead()``.
    public func endUrgentRead() { index.urgentReads.end() }

    /// Waits until the user's reads have ended, at most 20 ms. Background jobs call it between short steps of work.
    package func waitForUrgentReads() { index.urgentReads.waitUntilDone() }

    /// Returns a closure that accepts the growth of the file, if bytes were appended and nothing else changed. Otherwise returns `nil`.
    /// Also returns `nil` if the file, opened again as `newer`, has another dialect or header, or more columns.
    public func growthUpdate(from newer: any TableSource) -> (@Sendable () -> Void)? {
        guard let newer = newer as? DelimitedFile, case .grown = checkForChange(), newer.dialect == dialect, newer.header == header,
            newer.columnCount <= columnCount, let growth = grownFileStatus()
        else { return nil }
        return { self.addGrowth(growth) }
    }

    /// The properties of the dialect as names and values, for the file details.
    public var details: [(name: String, value: String)] {
        let lineEndings =
            switch dialect.lineEnd {
            case .lf: "LF"
            case .crlf: "CRLF"
            case .cr: "CR"
            case .mixed: "mixed"
            }
        var details = [
            ("header", !dialect.hasHeader ? "none" : dialect.headerRows > 1 ? "first two rows" : "first row"),
            ("delimiter", DialectRequest.spelling(dialect.delimiter)),
            ("quote", dialect.quote.map(DialectRequest.spelling) ?? "none"), ("encoding", dialect.encoding.optionName),
            ("line endings", lineEndings),
        ]
        if dialect.skipLines > 0 { details.append(("skipped", dialect.skipLines == 1 ? "first line" : "first \(dialect.skipLines) lines")) }
        if !dialect.commentPrefix.isEmpty {
            details.append(("comments", "lines that start with \(String(decoding: dialect.commentPrefix, as: UTF8.self))"))
        }
        return details + compressionDetails
    }

    /// The compression and the size of a compressed input, for the file details; empty for other inputs.
    package var compressionDetails: [(name: String, value: String)] {
        guard let compression else { return [] }
        return [("compression", "\(compression.name), \(NumberText.count(compression.byteCount)) bytes")]
    }

    /// The problems found in the scanned part of the file, one phrase for each. Reads up to 1 MiB for each kind of problem.
    public var problems: [String] {
        let diagnostics = diagnostics
        let all = diagnostics.phrases + (quoteProblem(diagnostics).map { [$0.phrase] } ?? []) + ignoredBytes
        guard maximumFieldCount > Self.columnLimit else { return all }
        return all + ["a row has \(NumberText.count(maximumFieldCount)) fields; only \(NumberText.count(columnCount)) columns are shown"]
    }

    /// A phrase that reports ignored bytes after the end of the compressed data; empty without such bytes.
    package var ignoredBytes: [String] { source.current.problem.map { [$0] } ?? [] }

    /// True if ill-formed UTF-8 has been found.
    public var mayContainInvalidText: Bool { diagnostics[.invalidText] != nil }

    /// Sentences about bytes that are not shown as they are in the file: unpaired UTF-16 surrogates, a guessed encoding, ignored bytes,
    /// blank lines, and rows with too few or too many fields. Also about quotes: escaped ones, those after blanks or not doubled, and an
    /// unclosed one.
    public var conversions: [TextConversion] {
        let diagnostics = diagnostics
        func textConversions(for kinds: [Diagnostics.Kind], advice: String = "") -> [TextConversion] {
            diagnostics.only(kinds.contains).phrases.map { TextConversion("\(name): \($0).\(advice)", isLoss: false) }
        }
        var all = characterConversions + textConversions(for: [.blankLine])
        // If reading failed, a short last row or an unclosed quote may be a consequence of it. Neither is reported.
        guard source.current.failure == nil else { return all }
        // If a line before the table was read as the header, most rows have another number of fields. A suggestion reports such lines.
        let hasLinesBefore =
            switch suggestions.first {
            case .linesBeforeTable, .commentLines: true
            default: false
            }
        if !hasLinesBefore { all += textConversions(for: [.shortRecord, .longRecord], advice: " \(Self.raggedAdvice(diagnostics))") }
        if let problem = quoteProblem(diagnostics) {
            all.append(TextConversion("\(name): \(problem.phrase). \(problem.advice)", isLoss: problem.isLoss))
        }
        return all + textConversions(for: [.unclosedQuote], advice: " Use --quote none to read quotes as text.")
    }

    /// A sentence that says how output writes missing and additional fields. Additional fields have their own columns, so nothing is lost.
    private static func raggedAdvice(_ diagnostics: Diagnostics) -> String {
        let missing = diagnostics[.shortRecord].map { _ in "Missing fields are empty or null" }
        let additional = diagnostics[.longRecord].map { _ in "additional fields are in additional columns" }
        let sentence = [missing, additional].compactMap { $0 }.joined(separator: ", and ")
        return sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
    }

    /// The ``conversions`` that are about characters, which also apply if the file is not read as delimited text.
    package var characterConversions: [TextConversion] {
        func countPhrase(_ number: Int, _ singular: String, _ plural: String) -> String { "\(number) \(number == 1 ? singular : plural)" }
        let diagnostics = diagnostics
        var conversions = ignoredBytes.map { TextConversion("\(name): \($0).", isLoss: true) }
        if dialect.encoding.isUTF16, let invalid = diagnostics[.invalidText] {
            conversions.append(
                TextConversion(
                    "\(name): \(countPhrase(invalid.count, "UTF-16 character is", "UTF-16 characters are")) invalid "
                        + "(\(invalid.count == 1 ? "" : "first: ")line \(invalid.first.line)) and "
                        + "\(invalid.count == 1 ? "was" : "were") replaced with U+FFFD.", isLoss: true, replacesCharacters: true))
        }
        if isEncodingGuessed, dialect.encoding == .windows1252 {
            conversions.append(
                TextConversion(
                    "\(name) was read as Windows-1252 and written as UTF-8. Use --encoding utf-8 to keep its bytes.", isLoss: false))
            if let found = diagnostics[.likelyUTF8] {
                conversions.append(
                    TextConversion(
                        "\(name): \(countPhrase(found.count, "character looks", "characters look")) like UTF-8 (first: "
                            + "\(diagnostics.place(of: found.first))); the file may be UTF-8. Try --encoding utf-8.", isLoss: true))
            }
        }
        return conversions
    }

    /// A sentence about fields beyond ``columnLimit``, which are not shown; `nil` if no record has such fields.
    public var omission: String? {
        guard maximumFieldCount > Self.columnLimit else { return nil }
        let (count, limit) = (NumberText.count(maximumFieldCount), NumberText.count(Self.columnLimit))
        return "\(name) has a row with \(count) fields; the limit is \(limit) columns."
    }
}
