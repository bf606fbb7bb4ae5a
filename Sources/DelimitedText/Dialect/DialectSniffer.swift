import CByteScan

/// Detects delimiter, quote, header and line ending from the first bytes of a file.
///
/// For each candidate delimiter, the sample is split into records. The sniffer chooses the delimiter for which most records have the same
/// number of fields. If several are equally good, it prefers more fields per record, and fields that contain fewer other candidates.
struct DialectSniffer {
    let request: DialectRequest
    let encoding: TextEncoding
    /// The name of the file. A name that ends with `.tsv` or `.tab` suggests tabs, if the content does not show the delimiter.
    let name: String

    /// The maximum size of the sample in bytes. ``sampleRecords`` limits the number of its records.
    static let sampleBytes = 64 << 10
    static let sampleRecords = 100

    /// The candidate delimiters, each with the weight that its score is multiplied by. Colons and spaces have low weights because they are
    /// common in text.
    private static let candidates: [(byte: UInt8, weight: Double)] = [
        (UInt8(ascii: ","), 1), (UInt8(ascii: "\t"), 1), (UInt8(ascii: ";"), 0.98), (UInt8(ascii: "|"), 0.97), (UInt8(ascii: ":"), 0.5),
        (UInt8(ascii: " "), 0.4),
    ]

    /// - Parameter isWhole: true if the sample is the whole content of the file, so that its last record is complete.
    func sniff(_ sample: [UInt8], isWhole: Bool) -> Dialect {
        let isWhole = isWhole && sample.count <= Self.sampleBytes
        return sample.withUnsafeBufferPointer { sniff(UnsafeBufferPointer(rebasing: $0.prefix(Self.sampleBytes)), isWhole: isWhole) }
    }

    private func sniff(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Dialect {
        var dialect = Dialect(
            encoding: encoding, lineEnd: request.lineEnd ?? Self.lineEnd(bytes), skipLines: request.skipLines,
            commentPrefix: request.commentPrefix, skipsBlankLines: request.skipsBlankLines)
        (dialect.headerRows, dialect.keepsLinesWhole) = (request.headerRows, request.keepsLinesWhole)
        dialect.quote = request.quote ?? UInt8(ascii: "\"")
        dialect.delimiter = request.delimiter ?? delimiter(bytes, isWhole: isWhole, dialect)
        // If the requested delimiter equals the default quote, no quote is used.
        if request.quote == nil && dialect.delimiter == dialect.quote { dialect.quote = nil }
        if request.quote == nil, !bytes.contains(UInt8(ascii: "\"")), hasApostropheQuotes(bytes, isWhole: isWhole, dialect) {
            dialect.quote = UInt8(ascii: "'")
            dialect.delimiter = request.delimiter ?? delimiter(bytes, isWhole: isWhole, dialect)
        }
        if let hasHeader = request.hasHeader {
            dialect.hasHeader = hasHeader
        } else {
            var records: [[ArraySlice<UInt8>]] = []
            Self.forEachRecord(bytes, isWhole: isWhole, dialect, atMost: 50) { fields in
                records.append(fields.prefix(1000).map { ArraySlice(bytes[Int($0.begin)..<Int($0.end)]) })
            }
            dialect.hasHeader = HeaderSniffer.hasHeader(records)
        }
        return dialect
    }

    private func delimiter(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ dialect: Dialect) -> UInt8 {
        let bytes = withoutComments(bytes)
        var best: (byte: UInt8, score: Double)?
        var linesAreValues: Bool?
        let hasDecimalCommas = SingleValues.linesAreTitledAmounts(in: bytes, isWhole: isWhole)
        for (byte, weight) in Self.candidates
        where byte != dialect.quote && byte != dialect.commentPrefix.first && !(byte == UInt8(ascii: ",") && hasDecimalCommas) {
            // The score of a candidate cannot exceed its weight, so a candidate with a lower weight than the best score cannot win.
            if weight <= best?.score ?? 0 || gv_find(bytes.baseAddress, bytes.count, byte) == bytes.count { continue }
            if SingleValues.mayContain(byte) {
                let lines = linesAreValues ?? SingleValues.linesAreValues(in: bytes, isWhole: isWhole)
                linesAreValues = lines
                if lines { continue }
            }
            var candidate = dialect
            candidate.delimiter = byte
            let score = weight * Self.score(bytes, isWhole: isWhole, candidate)
            if score > (best?.score ?? 0) { best = (byte, score) }
        }
        if let best { return best.byte }
        let hasTabSuffix = name.hasSuffix(".tsv") || name.hasSuffix(".tab") || name.hasSuffix(".TSV")
        if hasTabSuffix, dialect.quote != UInt8(ascii: "\t") { return UInt8(ascii: "\t") }
        return dialect.quote == UInt8(ascii: ",") || hasDecimalCommas ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    /// The sample without the first lines that begin with `#`, because comments can contain any delimiter. The last of them is kept,
    /// because it may have the column names. Returns the whole sample if fewer than two lines of text follow the comments.
    private func withoutComments(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard request.commentPrefix.isEmpty, bytes.first == UInt8(ascii: "#"),
            let comments = LeadingComments(Array(bytes)[...], prefix: [UInt8(ascii: "#")]),
            bytes[comments.end...].split(maxSplits: 2, whereSeparator: { $0 == 0x0a || $0 == 0x0d }).count > 1
        else { return bytes }
        return UnsafeBufferPointer(rebasing: bytes[comments.lastRange.lowerBound...])
    }

    private static func score(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ dialect: Dialect) -> Double {
        var counts = FieldCounts()
        var records = 0
        var fields = 0
        var malformedCount = 0
        var dividedCount = 0
        var cutWordCount = 0
        var title = SingleColumnText()
        forEachRecord(bytes, isWhole: isWhole, dialect, atMost: sampleRecords) { ranges in
            if ranges.isEmpty { return }
            if SingleValues.mayContain(dialect.delimiter) { title.add(ranges, bytes) }
            counts.add(ranges.count)
            records += 1
            if ranges.count > 1 {
                dividedCount += 1
                if isDelimiterInWord(bytes, at: Int(ranges[0].end)) { cutWordCount += 1 }
            }
            // A field that contains another candidate delimiter is evidence against this candidate. A decimal comma is not counted.
            for range in ranges.prefix(1000) {
                fields += 1
                if isMalformed(UnsafeBufferPointer(rebasing: bytes[Int(range.begin)..<Int(range.end)]), dialect) { malformedCount += 1 }
            }
        }
        guard let (fieldCount, recordsWithIt) = counts.mostCommon, fieldCount > 1, cutWordCount * 5 < dividedCount * 4,
            !title.hasSingleColumn
        else { return 0 }
        let share = Double(recordsWithIt) / Double(records)
        let wellFormedShare = 1 - 0.7 * Double(malformedCount) / Double(max(fields, 1))
        // More columns are better evidence. The difference between many and very many columns is small.
        let width = 1 - 1 / Double(fieldCount + 1)
        return share * share * wellFormedShare * width
    }

    /// True if the delimiter candidate at an index is part of a word or number. Examples are the comma in the time `10:00:00,250`, the
    /// first colon of the time `10:00`, of an address such as `00:1b:44:11:3a:b7`, and of `https://`.
    private static func isDelimiterInWord(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        func isDigit(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
        }
        if index > 0, bytes.indices.contains(index), bytes[index] == UInt8(ascii: ":") {
            if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"), bytes[index + 2] == UInt8(ascii: "/") { return true }
            if isInHardwareAddress(bytes, at: index) { return true }
            let hours = isDigit(index - 1) ? (isDigit(index - 2) ? 2 : 1) : 0
            guard hours > 0, isDigit(index + 1), isDigit(index + 2), !isDigit(index + 3) else { return false }
            // The digits are a time only at the start of the text or a line, or after a space, `T` or `[`.
            let before = index - hours - 1
            return before < 0 || [10, 13, 32, UInt8(ascii: "T"), UInt8(ascii: "[")].contains(bytes[before])
        }
        guard index >= 8, index + 4 < bytes.count, bytes[index] == UInt8(ascii: ",") else { return false }
        let isTime =
            (1...8).allSatisfy { $0 % 3 == 0 ? bytes[index - $0] == UInt8(ascii: ":") : isDigit(index - $0) }
            && (1...3).allSatisfy { isDigit(index + $0) }
        return isTime && (bytes[index + 4] == UInt8(ascii: " ") || bytes[index + 4] == UInt8(ascii: "]"))
    }

    /// True if a colon is the first one of six pairs of hexadecimal digits, of which at least one has a letter.
    private static func isInHardwareAddress(_ bytes: UnsafeBufferPointer<UInt8>, at mark: Int) -> Bool {
        guard mark >= 2, mark + 15 <= bytes.count else { return false }
        let address = bytes[(mark - 2)..<(mark + 15)]
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20 }
        return address.contains(where: isLetter)
            && address.allSatisfy { isLetter($0) || $0 == UInt8(ascii: ":") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            && address.indices.allSatisfy { (bytes[$0] == UInt8(ascii: ":")) == (($0 - address.startIndex) % 3 == 2) }
    }

    private static func isMalformed(_ field: UnsafeBufferPointer<UInt8>, _ dialect: Dialect) -> Bool {
        let delimiter = dialect.delimiter
        // With spaces as delimiter, an empty field comes from two successive spaces, which indicates plain text.
        guard let first = field.first else { return delimiter == UInt8(ascii: " ") }
        if let quote = dialect.quote, field.contains(quote) { return !isWellQuoted(field, quote) }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return false }
        var hasComma = false
        var hasOther = false
        for byte in field {
            switch byte {
            case UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"): return true
            case UInt8(ascii: ","): hasComma = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): break
            default: hasOther = true
            }
        }
        return hasComma && hasOther
    }

    /// True if the whole field is in quotes. A field that was divided at a wrong delimiter is not.
    private static func isWellQuoted(_ field: UnsafeBufferPointer<UInt8>, _ quote: UInt8) -> Bool {
        guard field.count > 1, field.first == quote, field.last == quote else { return false }
        var isOpen = false
        for byte in field.dropFirst().dropLast() where byte == quote || isOpen {
            if byte != quote { return false }
            isOpen.toggle()
        }
        return !isOpen
    }

    /// True if apostrophes serve as quotes in the sample: fields that start with an apostrophe also end with one.
    private func hasApostropheQuotes(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ dialect: Dialect) -> Bool {
        let quote = UInt8(ascii: "'")
        guard dialect.delimiter != quote, dialect.commentPrefix.first != quote, bytes.contains(quote) else { return false }
        var candidate = dialect
        candidate.quote = quote
        candidate.delimiter = request.delimiter ?? delimiter(bytes, isWhole: isWhole, candidate)
        var quotedCount = 0
        var startedCount = 0
        Self.forEachRecord(bytes, isWhole: isWhole, candidate, atMost: Self.sampleRecords) { ranges in
            for range in ranges where range.end > range.begin && bytes[Int(range.begin)] == quote {
                startedCount += 1
                if range.end > range.begin + 1 && bytes[Int(range.end) - 1] == quote { quotedCount += 1 }
            }
        }
        return quotedCount >= 2 && quotedCount == startedCount
    }

    /// Calls `body` with the field ranges of each complete record of the sample. A record has at most 16,384 ranges, and an empty line has
    /// no ranges.
    private static func forEachRecord(
        _ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ dialect: Dialect, atMost limit: Int,
        _ body: (UnsafeMutableBufferPointer<gv_range>) -> Void
    ) {
        let ranges = UnsafeMutableBufferPointer<gv_range>.allocate(capacity: 16384)
        defer { ranges.deallocate() }
        var recordCount = 0
        Grammar(dialect, settings: ScanSettings()).forEachRecord(in: bytes, isLast: true, ranges: ranges) { record, at in
            // The last record of the sample may be cut off, so it is skipped unless it is the only one.
            if at + record.next >= bytes.count && !isWhole && recordCount > 0 { return false }
            let found = UnsafeMutableBufferPointer(rebasing: ranges.prefix(record.field_count))
            for index in found.indices {
                found[index].begin += UInt32(at)
                found[index].end += UInt32(at)
            }
            body(found)
            recordCount += 1
            return recordCount < limit
        }
    }

    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> LineEnd {
        var kinds: [LineEnd] = []
        func include(_ kind: LineEnd) { if !kinds.contains(kind) { kinds.append(kind) } }
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x0a { include(previous == 0x0d ? .crlf : .lf) } else if previous == 0x0d { include(.cr) }
            previous = byte
        }
        if previous == 0x0d { include(.cr) }
        return kinds.count > 1 ? .mixed : kinds.first ?? .lf
    }
}
