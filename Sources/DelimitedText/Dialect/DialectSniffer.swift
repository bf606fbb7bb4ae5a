import CByteScan

/// Finds out delimiter, quote, header and line end from the first bytes of a file.
///
/// For each delimiter that is in use in the world, the sample is split into records, and the delimiter by which most records have the
/// same number of fields wins; the number itself, and what would be left within fields, decides between equals.
struct DialectSniffer {
    let request: DialectRequest
    let encoding: TextEncoding
    /// The file's name: `.tsv` and `.tab` speak for tabs, when nothing else speaks.
    let name: String

    /// The most that is looked at, in bytes and in records.
    static let sampleBytes = 64 << 10
    static let sampleRecords = 200

    /// Delimiters that are tried, with how much each has to be believed beforehand: colons and spaces are common in text.
    private static let candidates: [(byte: UInt8, weight: Double)] = [
        (UInt8(ascii: ","), 1), (UInt8(ascii: "\t"), 1), (UInt8(ascii: ";"), 0.98), (UInt8(ascii: "|"), 0.97), (UInt8(ascii: ":"), 0.5),
        (UInt8(ascii: " "), 0.4),
    ]

    func sniff(_ sample: [UInt8], isWhole: Bool) -> Dialect {
        let bytes = Array(sample.prefix(Self.sampleBytes))
        let isWhole = isWhole && bytes.count == sample.count
        var dialect = Dialect(
            encoding: encoding, lineEnd: request.lineEnd ?? Self.lineEnd(bytes), skipLines: request.skipLines,
            commentPrefix: request.commentPrefix)
        dialect.quote = request.quote ?? UInt8(ascii: "\"")
        dialect.delimiter = request.delimiter ?? delimiter(bytes, isWhole, dialect)
        // Asked-for bytes may coincide with the usual ones.
        if request.quote == nil && dialect.delimiter == dialect.quote { dialect.quote = nil }
        if request.quote == nil, !bytes.contains(UInt8(ascii: "\"")), hasApostropheQuotes(bytes, isWhole, dialect) {
            dialect.quote = UInt8(ascii: "'")
            dialect.delimiter = request.delimiter ?? delimiter(bytes, isWhole, dialect)
        }
        dialect.hasHeader = request.hasHeader ?? HeaderSniffer.hasHeader(Self.records(bytes, isWhole, dialect))
        return dialect
    }

    private func delimiter(_ bytes: [UInt8], _ isWhole: Bool, _ dialect: Dialect) -> UInt8 {
        var best: (byte: UInt8, score: Double)?
        for (byte, weight) in Self.candidates where byte != dialect.quote {
            var tried = dialect
            tried.delimiter = byte
            let score = weight * Self.score(Self.records(bytes, isWhole, tried), tried)
            if score > (best?.score ?? 0) { best = (byte, score) }
        }
        if let best { return best.byte }
        let isTabbed = name.hasSuffix(".tsv") || name.hasSuffix(".tab") || name.hasSuffix(".TSV")
        return isTabbed ? UInt8(ascii: "\t") : UInt8(ascii: ",")
    }

    private static func score(_ records: [[ArraySlice<UInt8>]], _ dialect: Dialect) -> Double {
        let full = records.filter { !$0.isEmpty }
        guard !full.isEmpty else { return 0 }
        var counts: [Int: Int] = [:]
        for record in full { counts[record.count, default: 0] += 1 }
        guard let (usual, times) = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), usual > 1 else { return 0 }
        let share = Double(times) / Double(full.count)
        // Fields that hold another delimiter speak against this one; decimal commas do not.
        var fields = 0
        var unclean = 0
        for record in full {
            for field in record {
                fields += 1
                if isUnclean(field, dialect) { unclean += 1 }
            }
        }
        let cleanness = 1 - 0.7 * Double(unclean) / Double(max(fields, 1))
        // More columns are better evidence, but slowly so.
        let width = 1 - 1 / Double(usual + 1)
        return share * share * cleanness * width
    }

    private static func isUnclean(_ field: ArraySlice<UInt8>, _ dialect: Dialect) -> Bool {
        let delimiter = dialect.delimiter
        if let quote = dialect.quote, field.contains(quote) { return !isWellQuoted(field, quote) }
        for byte in [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")] where byte != delimiter && field.contains(byte) { return true }
        if delimiter != UInt8(ascii: ","), field.contains(UInt8(ascii: ",")) {
            return !field.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2c || $0 == 0x2e || $0 == 0x2d || $0 == 0x2b }
        }
        // An empty field at the start of a word is what runs of spaces leave.
        return delimiter == UInt8(ascii: " ") && field.isEmpty
    }

    /// Whether the field is quoted from end to end. Fields that were cut at the wrong places are not.
    private static func isWellQuoted(_ field: ArraySlice<UInt8>, _ quote: UInt8) -> Bool {
        guard field.count > 1, field.first == quote, field.last == quote else { return false }
        var isOpen = false
        for byte in field.dropFirst().dropLast() where byte == quote || isOpen {
            if byte != quote { return false }
            isOpen.toggle()
        }
        return !isOpen
    }

    /// Whether apostrophes are used as quotes: at both ends of the fields that begin with one.
    private func hasApostropheQuotes(_ bytes: [UInt8], _ isWhole: Bool, _ dialect: Dialect) -> Bool {
        let quote = UInt8(ascii: "'")
        guard dialect.delimiter != quote, bytes.contains(quote) else { return false }
        var tried = dialect
        tried.quote = quote
        tried.delimiter = request.delimiter ?? delimiter(bytes, isWhole, tried)
        var wrapped = 0
        var begun = 0
        for record in Self.records(bytes, isWhole, tried) {
            for field in record where field.first == quote {
                begun += 1
                if field.count > 1 && field.last == quote { wrapped += 1 }
            }
        }
        return wrapped >= 2 && wrapped == begun
    }

    /// The complete records of the sample; blank lines are empty ones.
    static func records(_ bytes: [UInt8], _ isWhole: Bool, _ dialect: Dialect) -> [[ArraySlice<UInt8>]] {
        let grammar = Grammar(dialect, settings: ScanSettings())
        var ranges = [gv_range](repeating: gv_range(), count: 1024)
        var result: [[ArraySlice<UInt8>]] = []
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            var at = 0
            while at < buffer.count, result.count < sampleRecords {
                var record = gv_record()
                gv_read_record(grammar.raw, start + at, buffer.count - at, 1, 0, &ranges, ranges.count, &record)
                if record.found == 0 { break }
                // The last one may be cut; it is all there is when it is the first.
                if at + record.next >= buffer.count && !isWhole && !result.isEmpty { break }
                result.append(
                    ranges.prefix(min(record.field_count, ranges.count)).map { bytes[at + Int($0.begin)..<at + Int($0.end)] })
                at += max(record.next, 1)
            }
        }
        return result
    }

    private static func lineEnd(_ bytes: [UInt8]) -> LineEnd {
        var kinds: Set<LineEnd> = []
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x0a { kinds.insert(previous == 0x0d ? .crlf : .lf) } else if previous == 0x0d { kinds.insert(.cr) }
            previous = byte
        }
        if previous == 0x0d { kinds.insert(.cr) }
        return kinds.count > 1 ? .mixed : kinds.first ?? .lf
    }
}
