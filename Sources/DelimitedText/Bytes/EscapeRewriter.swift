/// Rewrites delimited text with escaped quotes, as in `"say \"hi\""`, as text with doubled quotes, as in `"say ""hi"""`.
///
/// The escape character is removed before a quote, before itself and before a line ending, and outside of quotes also before a delimiter.
/// Such a field outside of quotes is written in quotes. Before any other character, and at the end of the input, the escape character is
/// text. Nothing else is changed, so each line ending stays on its line.
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
    }

    private let delimiter: UInt8
    private let quote: UInt8
    private let escape: UInt8
    private let commentPrefix: [UInt8]
    private var state = State.recordStart
    /// True if the previous byte was an escape character whose meaning the next byte decides.
    private var isEscaping = false
    /// True if the previous byte was an escaped carriage return. A line feed after it belongs to the same line ending.
    private var hasEscapedReturn = false
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
    ///   - dialect: the dialect of the input, with a quote.
    ///   - prefixCount: the number of bytes before the first record, such as lines to skip. They are copied unchanged.
    init(_ dialect: Dialect, quote: UInt8, escape: UInt8, prefixCount: Int = 0, maximumHeldBytes: Int = 1 << 20) {
        (delimiter, commentPrefix) = (dialect.delimiter, dialect.commentPrefix)
        (self.quote, self.escape) = (quote, escape)
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
        while at < bytes.count {
            let end = at + plainCount(bytes, from: at)
            if end > at {
                output.append(contentsOf: bytes[at..<end])
                at = end
            } else {
                put(bytes[at], into: &output)
                at += 1
            }
        }
        if isEnd {
            endComment(into: &output)
            if isEscaping { putText(escape, into: &output) }
            isEscaping = false
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
        if isEscaping || hasEscapedReturn { return 0 }
        var at = start
        switch state {
        case .quoted:
            while at < bytes.count, bytes[at] != quote, bytes[at] != escape { at += 1 }
        case .unquoted:
            while at < bytes.count, !endsField(bytes[at]), bytes[at] != escape { at += 1 }
        case .wrapped:
            while at < bytes.count, !endsField(bytes[at]), bytes[at] != escape, bytes[at] != quote { at += 1 }
        case .stray:
            while at < bytes.count, !endsField(bytes[at]) { at += 1 }
        case .comment:
            while at < bytes.count, !isLineEnding(bytes[at]) { at += 1 }
        case .recordStart, .fieldStart, .quoteInQuoted: break
        }
        return at - start
    }

    private func isLineEnding(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }
    private func endsField(_ byte: UInt8) -> Bool { byte == delimiter || isLineEnding(byte) }

    private mutating func put(_ byte: UInt8, into output: inout [UInt8]) {
        if hasEscapedReturn {
            hasEscapedReturn = false
            if byte == 0x0a { return putText(byte, into: &output) }
        }
        if isEscaping {
            isEscaping = false
            return putEscaped(byte, into: &output)
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
            if byte == quote {
                state = .quoted
                output.append(byte)
            } else {
                if !endsField(byte) { state = .unquoted }
                if byte == escape { isEscaping = true } else { putEndOrText(byte, into: &output) }
            }
        case .unquoted, .wrapped:
            if byte == escape {
                isEscaping = true
            } else if endsField(byte) {
                if state == .wrapped { output.append(quote) }
                putEndOrText(byte, into: &output)
            } else {
                putText(byte, into: &output)
            }
        case .quoted:
            if byte == escape {
                isEscaping = true
            } else {
                if byte == quote { state = .quoteInQuoted }
                output.append(byte)
            }
        case .quoteInQuoted:
            state = byte == quote ? .quoted : .stray
            putEndOrText(byte, into: &output)
        }
    }

    /// Writes a byte that is not escaped. A delimiter or a line ending ends the field, unless the field is quoted.
    private mutating func putEndOrText(_ byte: UInt8, into output: inout [UInt8]) {
        output.append(byte)
        if isLineEnding(byte), state != .quoted {
            state = .recordStart
        } else if byte == delimiter, state != .quoted, state != .comment {
            state = .fieldStart
        }
    }

    /// Writes the byte after an escape character.
    private mutating func putEscaped(_ byte: UInt8, into output: inout [UInt8]) {
        let isRemoved = byte == quote || byte == escape || isLineEnding(byte) || byte == delimiter && state != .quoted
        guard isRemoved else {
            putText(escape, into: &output)
            return put(byte, into: &output)
        }
        if state == .unquoted { wrapField(in: &output) }
        putText(byte, into: &output)
        hasEscapedReturn = byte == 0x0d
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
    /// - Parameter headerBytes: the maximum number of bytes of the header to read.
    /// - Throws: ``DelimitedTextError`` if the file cannot be read, if the temporary file cannot be created, or if the escape character is
    ///   the delimiter.
    package func withoutEscapes(headerBytes: Int) throws(DelimitedTextError) -> DelimitedFile? {
        guard let escape = opening.request.escape, let quote = dialect.quote else { return nil }
        var request = opening.request
        (request.delimiter, request.quote) = (dialect.delimiter, .some(quote))
        // The first line can declare the escape character as the delimiter.
        try request.validate()
        request.escape = nil
        // The lines before the table stay in the text, so that line numbers and suggestions are those of the file.
        let rewriter = EscapeRewriter(dialect, quote: quote, escape: escape, prefixCount: contentStart)
        var rewritten = try opening.rewritten(from: 0, by: rewriter, as: request)
        rewritten.removedEscape = escape
        return try DelimitedFile(rewritten.withHeader(limitedTo: .atMost(headerBytes)))
    }
}

/// A sample of delimited text in which escaped characters cannot be taken for syntax.
enum EscapedSample {
    /// Replaces each escape character, and the character after it, with letters. The sample keeps its size.
    static func masked(_ sample: [UInt8], escape: UInt8) -> [UInt8] {
        var sample = sample
        var at = 0
        while let found = sample[at...].firstIndex(of: escape) {
            sample[found] = UInt8(ascii: "x")
            if found + 1 < sample.count { sample[found + 1] = UInt8(ascii: "x") }
            at = min(found + 2, sample.count)
        }
        return sample
    }
}
