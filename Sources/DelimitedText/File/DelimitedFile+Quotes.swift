import CByteScan
import FieldValues

extension DelimitedFile {
    /// A problem of the quotes of a file, with its correction.
    struct QuoteProblem {
        var phrase: String
        var advice: String
        /// True if the values of fields differ from what the writer of the file meant.
        var isLoss: Bool
    }

    /// The reason for a stray quote.
    private enum StrayQuote {
        /// A quote with a backslash before it, as in `"say \"hi\""`.
        case escaped
        /// Any other text after a quote that closes a field, as in `"a"b"`.
        case undoubled
        /// Blanks between a quoted field and the next delimiter or line ending, as in `"x" ,1`. They only become part of the value.
        case blankAfterField
        /// A quote between blanks and text, as in `1, "x"`.
        case afterBlank
        /// Any other quote within text, as in `5" pipe`. Programs do not have to escape it, so a file that escapes its quotes can have it.
        case withinText
    }

    /// The limits of the search for stray quotes: the number of records that have one, and the number of bytes.
    private static let strayQuoteLimits = (records: 32, bytes: 65_536)

    /// The problem of quotes that are escaped as in `"say \"hi\""`, follow blanks as in `1, "x"`, or are not doubled as in `"a"b"`. `nil`
    /// if the first stray quotes are only within text. Reads up to 64 KiB.
    func quoteProblem(_ diagnostics: Diagnostics) -> QuoteProblem? {
        guard dialect.quote == UInt8(ascii: "\""), let first = diagnostics[.strayQuote]?.first else { return nil }
        let found = strayQuotes(from: first.byteOffset)
        func count(_ reason: StrayQuote) -> Int { found.count(where: { $0.reason == reason }) }
        func place(_ reason: StrayQuote) -> String {
            let offset = found.first { $0.reason == reason }?.offset ?? first.byteOffset
            return "(first: line \(NumberText.count(offset == first.byteOffset ? first.line : location(offset, in: snapshot()).line)))"
        }
        if count(.escaped) > 0, count(.escaped) >= max(count(.undoubled), count(.afterBlank)) {
            return QuoteProblem(
                phrase: "quotes are escaped with backslashes, so fields are wrong \(place(.escaped))",
                advice: #"Use --escape '\' to read them."#, isLoss: true)
        }
        if count(.afterBlank) > 0, count(.afterBlank) >= count(.undoubled) + count(.withinText) {
            return QuoteProblem(
                phrase: "quotes after blanks are text, so fields may be wrong \(place(.afterBlank))",
                advice: "Remove the blanks first: \(command(Self.blankRemoval(after: dialect.delimiter)))", isLoss: false)
        }
        guard count(.undoubled) > 0 else { return nil }
        return QuoteProblem(
            phrase: "quotes within quotes are not doubled, so fields may be wrong \(place(.undoubled))",
            advice: "Use --quote none to read quotes as text.", isLoss: false)
    }

    /// The first stray quote of each record, because later ones in the same record are often its consequences.
    /// - Parameter offset: the first stray quote of the file: a quote within text, or the text after a quote that closes a field.
    private func strayQuotes(from offset: Int) -> [(reason: StrayQuote, offset: Int)] {
        // Blanks before the quote are also needed.
        let begin = max(contentStart, offset - 64)
        guard let bytes = try? source.bytes(at: begin, count: Self.strayQuoteLimits.bytes) else { return [] }
        var found: [(reason: StrayQuote, offset: Int)] = []
        bytes.withUnsafeBufferPointer { bytes in
            var at = offset - begin
            while at < bytes.count, found.count < Self.strayQuoteLimits.records {
                found.append((reason(of: at, in: bytes), begin + at))
                guard let next = recordStart(after: at, in: bytes) else { return }
                let rest = UnsafeBufferPointer(rebasing: bytes[next...])
                let span = grammar.scan(rest.baseAddress!, rest.count)
                guard span.strays > 0 else { return }
                at = next + span.first_stray
            }
        }
        return found
    }

    /// The start of the record after a stray quote; `nil` if the bytes end before it.
    private func recordStart(after stray: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let rest = UnsafeBufferPointer(rebasing: bytes[(stray + 1)...])
        guard let start = rest.baseAddress, !rest.isEmpty else { return nil }
        // A stray quote is always followed by text without quotes.
        let next = gv_nth_start(grammar.settings.implementation, grammar.raw, start, rest.count, rest.count, UInt8(GV_UNQUOTED), 0)
        return next < rest.count ? stray + 1 + next : nil
    }

    private func reason(of stray: Int, in bytes: UnsafeBufferPointer<UInt8>) -> StrayQuote {
        let (blank, backslash) = (UInt8(ascii: " "), UInt8(ascii: "\\"))
        if bytes[stray] != dialect.quote {
            let isEscaped = stray >= 2 && bytes[stray - 2] == backslash && dialect.delimiter != backslash
            if isEscaped, opening.removedEscape != backslash { return .escaped }
            guard let end = bytes[stray...].first(where: { $0 != blank && $0 != UInt8(ascii: "\t") }) else { return .blankAfterField }
            return [dialect.delimiter, 0x0a, 0x0d].contains(end) ? .blankAfterField : .undoubled
        }
        guard dialect.delimiter != blank, let last = bytes[..<stray].lastIndex(where: { $0 != blank }), last < stray - 1 else {
            return .withinText
        }
        return bytes[last] == dialect.delimiter ? .afterBlank : .withinText
    }

    /// The shell command that passes the file through a command to gridview.
    private func command(_ filter: String) -> String {
        switch dialect.encoding {
        case .utf16LittleEndian: "iconv -f UTF-16LE -t UTF-8 FILE | \(filter) | gridview"
        case .utf16BigEndian: "iconv -f UTF-16BE -t UTF-8 FILE | \(filter) | gridview"
        // In a locale with UTF-8, some versions of sed refuse bytes of other encodings.
        case .latin1, .windows1252: "LC_ALL=C \(filter) FILE | gridview"
        case .utf8: "\(filter) FILE | gridview"
        }
    }

    /// The shell command that removes the blanks between a delimiter and a quote.
    private static func blankRemoval(after delimiter: UInt8) -> String {
        guard 0x20..<0x7f ~= delimiter else {
            // Only some versions of sed know codes such as \t, but every shell does.
            let text = "$(printf '\\\(String(delimiter, radix: 8))')"
            return "sed \"s/\(text) *\\\"/\(text)\\\"/g\""
        }
        let character = Character(UnicodeScalar(delimiter))
        let pattern = "\\/.*[^$".contains(character) ? "\\\(character)" : "\(character)"
        let replacement = "\\/&".contains(character) ? "\\\(character)" : "\(character)"
        return "sed " + ShellWord.quoted("s/\(pattern) *\"/\(replacement)\"/g")
    }
}
