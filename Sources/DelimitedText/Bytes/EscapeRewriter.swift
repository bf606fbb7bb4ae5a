/// Rewrites delimited text with escapes as text with doubled quotes, as in `"say ""hi"""`.
///
/// In text with quotes, as in `"say \"hi\""`, the escape character is removed before a quote, before itself and before a line ending, and
/// outside of quotes also before a delimiter. Such a field outside of quotes is written in quotes. Before any other character, and at the
/// end of the input, the escape character is text. Nothing else is changed, so each line ending stays on its line.
///
/// Text without quotes is read as the text format of COPY in PostgreSQL and as the files of MySQL. Each escape that one of them writes is
/// decoded: `\b`, `\f`, `\n`, `\r`, `\t`, `\v`, `\0` and an escaped delimiter or line ending. Escapes that the two programs read
/// differently stay as they are, and ``EscapeNotes`` counts them. Before any other character, the escape character is removed. A field
/// with a delimiter, a quote or a line ending is written in quotes. A null is written as `\N`. ``UnescapedNulls`` distinguishes it from
/// other fields.
struct EscapeRewriter: TextRewriter {
    private enum State {
        /// At the start of a record, where a comment may begin.
        case recordStart
        case comment
        case fieldStart
        /// In a field without quotes. Its text is held back, because a later escape may require quotes around it.
        case unquoted
        /// In a field without quotes that is written in quotes.
        case wrapped
        case quoted
        /// After a quote in a quoted field: the end of the field, or the first of two quotes.
        case quoteInQuoted
        /// In text after the quote that closes a field. It is copied unchanged, and reading the output reports it.
        case stray
        /// After the line `\.`, with which PostgreSQL ends the rows.
        case ended
    }

    /// The previous bytes, if the next byte decides their meaning.
    private enum Pending {
        case nothing
        case escape
        /// An escaped carriage return. A line feed after it belongs to the same line ending.
        case escapedReturn
        /// A carriage return in text without quotes that is not escaped: a line ending together with the next line feed, or text.
        case lineReturn
        /// `\0`: a NUL byte, unless another digit follows.
        case zero
        /// `\N` at the start of a field: a null if the field ends here.
        case null
        /// `\.` at the start of a record: the end of the rows if the line ends here.
        case end
    }

    private let delimiter: UInt8
    /// The quote of the output, and of the input if that has quotes.
    private let quote: UInt8
    private let escape: UInt8
    private let readsQuotes: Bool
    /// True if a carriage return alone ends a line in text without quotes. In text with line feeds it does not, because MySQL writes the
    /// carriage returns of values without an escape.
    private let returnEndsLine: Bool
    private let commentPrefix: [UInt8]
    private let notes: EscapeNotes
    private var state = State.recordStart
    private var pending = Pending.nothing
    private var isInFirstField = true
    /// True if a record with text was found.
    private var hasText = false
    /// True if a delimiter was found.
    private var hasDelimiter = false
    /// True if the last row of text without quotes ended with a carriage return and a line feed, false for a line feed alone.
    private var lastRowHasReturn: Bool?
    /// The number of bytes to copy unchanged before the first record.
    private var prefixCount: Int
    /// The number of bytes of the comment prefix that the current line begins with.
    private var matchedCount = 0
    /// The start of a field without quotes that continues in the next block.
    private var heldBytes: [UInt8] = []
    /// The number of bytes of a field without quotes that are held back. A longer field is written in quotes.
    private let maximumHeldBytes: Int
    /// The offset in the output of the start of a field without quotes.
    private var fieldStart = 0

    /// - Parameters:
    ///   - dialect: the dialect of the input. If it has no quote, the escapes of MySQL and PostgreSQL are read.
    ///   - quote: the quote of the output; the quote of the input if it has one.
    ///   - prefixCount: the number of bytes before the first record, such as lines to skip. They are copied unchanged.
    ///   - notes: counts the escapes that stay as they are in text without quotes.
    init(
        _ dialect: Dialect, quote: UInt8, escape: UInt8, prefixCount: Int = 0, maximumHeldBytes: Int = 1 << 20,
        notes: EscapeNotes = EscapeNotes()
    ) {
        (delimiter, commentPrefix, returnEndsLine) = (dialect.delimiter, dialect.commentPrefix, dialect.lineEnd == .cr)
        (self.quote, self.escape, readsQuotes, self.notes) = (quote, escape, dialect.quote != nil, notes)
        (self.prefixCount, self.maximumHeldBytes) = (prefixCount, maximumHeldBytes)
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        fieldStart = output.count
        output.append(contentsOf: heldBytes)
        heldBytes.removeAll(keepingCapacity: true)
        let copied = min(prefixCount, bytes.count)
        output.append(contentsOf: bytes[..<copied])
        prefixCount -= copied
        var at = copied
        while at < bytes.count, state != .ended {
            let end = at + plainCount(bytes, from: at)
            if end > at {
                output.append(contentsOf: bytes[at..<end])
                at = end
            } else {
                put(bytes[at], into: &output)
                at += 1
            }
        }
        if bytes[at...].contains(where: { !isLineEnding($0) }) { notes.addTextAfterEnd() }
        if isEnd {
            endComment(into: &output)
            _ = finishPending(before: nil, into: &output)
            if state == .wrapped { output.append(quote) }
        } else if state == .unquoted {
            if output.count - fieldStart > maximumHeldBytes {
                wrapField(in: &output)
            } else {
                heldBytes.append(contentsOf: output[fieldStart...])
                output.removeSubrange(fieldStart...)
            }
        }
    }

    /// The number of bytes from an offset that can be copied unchanged in the current state.
    private func plainCount(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard pending == .nothing else { return 0 }
        var at = start
        switch state {
        case .quoted:
            while at < bytes.count, bytes[at] != quote, bytes[at] != escape { at += 1 }
        case .unquoted:
            // In text without quotes, a field with the quote of the output is written in quotes.
            let stop = readsQuotes ? escape : quote
            while at < bytes.count, !endsField(bytes[at]), bytes[at] != escape, bytes[at] != stop { at += 1 }
        case .wrapped:
            while at < bytes.count, !endsField(bytes[at]), bytes[at] != escape, bytes[at] != quote { at += 1 }
        case .stray:
            while at < bytes.count, !endsField(bytes[at]) { at += 1 }
        case .comment:
            while at < bytes.count, !isLineEnding(bytes[at]) { at += 1 }
        case .recordStart, .fieldStart, .quoteInQuoted, .ended: break
        }
        return at - start
    }

    private func isLineEnding(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }
    private func endsField(_ byte: UInt8) -> Bool { byte == delimiter || isLineEnding(byte) }

    private mutating func put(_ byte: UInt8, into output: inout [UInt8]) {
        if pending != .nothing, finishPending(before: byte, into: &output) { return }
        // At the start of a record, the bytes that begin like a comment are written first.
        if byte == 0x0d, !readsQuotes, state != .recordStart {
            pending = .lineReturn
            return
        }
        switch state {
        case .recordStart:
            if !commentPrefix.isEmpty, byte == commentPrefix[matchedCount] {
                matchedCount += 1
                if matchedCount == commentPrefix.count {
                    output.append(contentsOf: commentPrefix)
                    (matchedCount, state) = (0, .comment)
                }
                return
            }
            endComment(into: &output)
            if state == .recordStart { state = .fieldStart }
            put(byte, into: &output)
        case .comment, .stray: putEndOrText(byte, into: &output)
        case .fieldStart:
            fieldStart = output.count
            if byte == quote, readsQuotes {
                state = .quoted
                output.append(byte)
            } else if endsField(byte) {
                endField(with: byte, into: &output)
            } else {
                (state, hasText) = (.unquoted, true)
                put(byte, into: &output)
            }
        case .unquoted, .wrapped:
            if byte == escape {
                pending = .escape
            } else if endsField(byte) {
                endField(with: byte, into: &output)
            } else {
                if byte == quote, !readsQuotes, state == .unquoted { wrapField(in: &output) }
                putText(byte, into: &output)
            }
        case .quoted:
            if byte == escape {
                pending = .escape
            } else {
                if byte == quote { state = .quoteInQuoted }
                output.append(byte)
            }
        case .quoteInQuoted:
            state = byte == quote ? .quoted : .stray
            putEndOrText(byte, into: &output)
        case .ended: break
        }
    }

    /// Ends a field without quotes, and writes the delimiter or line ending after it.
    private mutating func endField(with end: UInt8, into output: inout [UInt8]) {
        if state == .fieldStart, isSingleEmptyValue(before: end) { output += [quote, quote] }
        if state == .wrapped { output.append(quote) }
        putEndOrText(end, into: &output)
        if end == 0x0a { checkLineEnd(hasReturn: false) }
    }

    /// Adds a note if two rows of text without quotes have different line endings.
    private mutating func checkLineEnd(hasReturn: Bool) {
        guard !readsQuotes else { return }
        if let lastRowHasReturn, lastRowHasReturn != hasReturn { notes.addMixedLineEnds() }
        lastRowHasReturn = hasReturn
    }

    /// Writes a byte that is not escaped. A delimiter or a line ending ends the field, unless the field is quoted.
    private mutating func putEndOrText(_ byte: UInt8, into output: inout [UInt8]) {
        output.append(byte)
        if isLineEnding(byte), state != .quoted {
            (state, isInFirstField) = (.recordStart, true)
        } else if byte == delimiter, state != .quoted, state != .comment {
            (state, isInFirstField, hasDelimiter) = (.fieldStart, false, true)
        }
    }

    /// True if an empty line of text without quotes is an empty value of the only column. Without quotes, it would be read as missing.
    private func isSingleEmptyValue(before end: UInt8) -> Bool {
        !readsQuotes && isInFirstField && isLineEnding(end) && hasText && !hasDelimiter
    }

    /// Writes the pending bytes. Returns true if `next` belongs to them.
    /// - Parameter next: the byte after the pending bytes; `nil` at the end of the input.
    private mutating func finishPending(before next: UInt8?, into output: inout [UInt8]) -> Bool {
        let finished = pending
        pending = .nothing
        switch finished {
        case .nothing: return false
        case .escape:
            guard let next else {
                if readsQuotes { putText(escape, into: &output) } else { putDecoded(escape, into: &output) }
                return false
            }
            if readsQuotes { putEscaped(next, into: &output) } else { decode(next, into: &output) }
            return true
        case .escapedReturn:
            guard next == 0x0a else { return false }
            putText(0x0a, into: &output)
            return true
        case .lineReturn:
            let isComment = state == .comment
            if next == nil || next == 0x0a || returnEndsLine || isComment {
                endField(with: 0x0d, into: &output)
                guard next == 0x0a else { return false }
                output.append(0x0a)
                if !isComment { checkLineEnd(hasReturn: true) }
                return true
            }
            if state == .fieldStart { (state, hasText, fieldStart) = (.unquoted, true, output.count) }
            putDecoded(0x0d, into: &output)
            return false
        case .zero:
            if let next, UInt8(ascii: "0")...UInt8(ascii: "7") ~= next {
                putUnclear([UInt8(ascii: "0")], into: &output)
            } else {
                putDecoded(0, into: &output)
            }
            return false
        case .null:
            if next.map(endsField) ?? true {
                output.append(escape)
                output.append(UnescapedNulls.letter)
            } else {
                putDecoded(UnescapedNulls.letter, into: &output)
            }
            return false
        case .end:
            if next.map(isLineEnding) ?? true {
                state = .ended
                return true
            }
            putDecoded(UInt8(ascii: "."), into: &output)
            return false
        }
    }

    /// Writes the byte after an escape character in text with quotes.
    private mutating func putEscaped(_ byte: UInt8, into output: inout [UInt8]) {
        let isRemoved = byte == quote || byte == escape || isLineEnding(byte) || byte == delimiter && state != .quoted
        guard isRemoved else {
            putText(escape, into: &output)
            return put(byte, into: &output)
        }
        if state == .unquoted { wrapField(in: &output) }
        putText(byte, into: &output)
        if byte == 0x0d { pending = .escapedReturn }
    }

    /// Writes the character that an escape stands for in text without quotes.
    /// - Parameter byte: the byte after the escape character.
    private mutating func decode(_ byte: UInt8, into output: inout [UInt8]) {
        if byte == delimiter { return putDecoded(byte, into: &output) }
        let isAtStart = state == .unquoted && output.count == fieldStart
        switch byte {
        case UnescapedNulls.letter where isAtStart: pending = .null
        case UInt8(ascii: ".") where isAtStart && isInFirstField: pending = .end
        case UInt8(ascii: "0"): pending = .zero
        case UInt8(ascii: "b"): putDecoded(0x08, into: &output)
        case UInt8(ascii: "t"): putDecoded(0x09, into: &output)
        case UInt8(ascii: "n"): putDecoded(0x0a, into: &output)
        case UInt8(ascii: "v"): putDecoded(0x0b, into: &output)
        case UInt8(ascii: "f"): putDecoded(0x0c, into: &output)
        case UInt8(ascii: "r"): putDecoded(0x0d, into: &output)
        // PostgreSQL reads a number. MySQL reads 0x1A for `\Z`, and otherwise the character itself.
        case UInt8(ascii: "1")...UInt8(ascii: "7"), UInt8(ascii: "x"), UInt8(ascii: "Z"): putUnclear([byte], into: &output)
        default:
            putDecoded(byte, into: &output)
            if byte == 0x0d { pending = .escapedReturn }
        }
    }

    /// Writes an escape that MySQL and PostgreSQL read differently.
    /// - Parameter text: the bytes after the escape character.
    private mutating func putUnclear(_ text: [UInt8], into output: inout [UInt8]) {
        notes.addUnclear([escape] + text)
        putDecoded(escape, into: &output)
        for byte in text { putText(byte, into: &output) }
    }

    /// Writes a byte of the value of a field in text without quotes. The byte may not be in the input.
    private mutating func putDecoded(_ byte: UInt8, into output: inout [UInt8]) {
        let isAtStart = state == .unquoted && output.count == fieldStart
        // In quotes, the first field cannot begin a comment.
        let needsQuotes = byte == quote || endsField(byte) || isInFirstField && !commentPrefix.isEmpty
        if needsQuotes, state == .unquoted { wrapField(in: &output) }
        // A second escape character distinguishes the value from a null.
        if isAtStart, byte == escape { output.append(byte) }
        putText(byte, into: &output)
    }

    /// Writes a byte of the value of a field.
    private func putText(_ byte: UInt8, into output: inout [UInt8]) {
        output.append(byte)
        if byte == quote, state == .quoted || state == .wrapped { output.append(byte) }
    }

    /// Writes the current field in quotes.
    private mutating func wrapField(in output: inout [UInt8]) {
        let text = Array(output[fieldStart...])
        output.removeSubrange(fieldStart...)
        output.append(quote)
        state = .wrapped
        for byte in text { putText(byte, into: &output) }
    }

    /// Writes the bytes at the start of a record that begin like a comment, but are not one.
    private mutating func endComment(into output: inout [UInt8]) {
        guard matchedCount > 0 else { return }
        let text = commentPrefix.prefix(matchedCount)
        (matchedCount, state) = (0, .fieldStart)
        for byte in text { put(byte, into: &output) }
    }
}

extension DelimitedFile {
    /// Opens the same input with its escaped characters rewritten as ``EscapeRewriter`` does; `nil` if no escape character is requested.
    /// - Parameters:
    ///   - headerBytes: the maximum number of bytes of the header to read.
    ///   - notes: receives the problems that rewriting finds.
    /// - Throws: ``DelimitedTextError`` if the file cannot be read, if the temporary file cannot be created, or if the escape character is
    ///   the delimiter.
    package func withoutEscapes(
        headerBytes: Int, notes: EscapeNotes = EscapeNotes()
    ) throws(DelimitedTextError) -> DelimitedFile? {
        guard let escape = opening.request.escape else { return nil }
        var request = opening.request
        (request.delimiter, request.quote) = (dialect.delimiter, .some(dialect.quote))
        // The first line can declare the escape character as the delimiter.
        try request.validate()
        let quote = dialect.quote ?? Self.freeQuote(besides: [dialect.delimiter, escape, dialect.commentPrefix.first])
        (request.quote, request.escape) = (.some(quote), nil)
        // The lines before the table stay in the text, so that line numbers and suggestions are those of the file.
        let rewriter = EscapeRewriter(dialect, quote: quote, escape: escape, prefixCount: contentStart, notes: notes)
        var rewritten = try opening.rewritten(from: 0, by: rewriter, as: request)
        rewritten.removedEscape = escape
        rewritten.hasDecodedLineEnds = dialect.quote == nil
        return try DelimitedFile(rewritten.withHeader(limitedTo: .atMost(headerBytes)))
    }

    /// A quote for rewritten text that differs from the other characters of the dialect. CSV output is fastest with the double quote.
    private static func freeQuote(besides others: [UInt8?]) -> UInt8 {
        "\"'|".utf8.first { !others.contains($0) } ?? UInt8(ascii: "~")
    }
}

/// A sample of delimited text in which escaped characters cannot be taken for syntax.
enum EscapedSample {
    /// Replaces each escape character, and the character after it, with letters. The sample keeps its size. `\N` stays, because it shows
    /// that a value is missing.
    static func masked(_ sample: [UInt8], escape: UInt8) -> [UInt8] {
        var sample = sample
        var at = 0
        while let found = sample[at...].firstIndex(of: escape) {
            at = min(found + 2, sample.count)
            if found + 1 < sample.count, sample[found + 1] == UnescapedNulls.letter { continue }
            sample[found] = UInt8(ascii: "x")
            if found + 1 < sample.count { sample[found + 1] = UInt8(ascii: "x") }
        }
        return sample
    }
}
