import CByteScan
import Tables

/// Searches the first bytes of a file for comments and other lines before the table, for a row of units, and for a first row that may have
/// column names. These become suggestions to read the file in another way.
struct SuggestionSniffer {
    let grammar: Grammar
    let request: DialectRequest

    /// The maximum number of records that can precede the table.
    private static let maximumPreambleRecords = 50

    /// The number of records that decide whether the first one may have column names.
    private static let headerRecords = 50

    /// A record of the sample. Its fields are set only for the first records, because the fields of others are not inspected.
    private struct SampledRecord {
        var start: Int
        var count: Int
        /// The number of fields with text.
        var filledCount: Int
        var fields: [ArraySlice<UInt8>]
    }

    /// The maximum number of fields of a record that are inspected.
    private static let fieldLimit = 256

    /// - Parameter sample: the first bytes of the content.
    func suggestions(_ sample: [UInt8]) -> [ReadingSuggestion] {
        if let comments = comments(sample) { return [comments] }
        let records = records(sample, atMost: 2 * Self.maximumPreambleRecords, withFields: 6)
        if request.skipLines == 0 {
            let counts = records.map(\.count)
            if let first = firstRecordOfTable(counts),
                records[..<first].allSatisfy({ $0.count * 2 <= records[first].count })
                    || first < 5 && hasNames(records[first...].map(\.fields), count: records[first].count)
            {
                return [.linesBeforeTable(Self.lineCount(sample[..<records[first].start]))]
            }
            if let first = firstRecordOfPaddedTable(records, sample) {
                return [.linesBeforeTable(Self.lineCount(sample[..<records[first].start]))]
            }
        }
        if request.hasHeader == nil, !grammar.dialect.hasHeader {
            let first = self.records(sample, atMost: Self.headerRecords, withFields: Self.headerRecords)
            return HeaderSniffer.mayHaveHeader(first.map(\.fields)) ? [.header] : []
        }
        let isSure = request.hasHeader != false && request.headerRows == 1 && grammar.dialect.hasHeader
        return isSure && UnitsRow.isSecondRecord(of: records.filter { $0.count > 0 }.map(\.fields)) ? [.unitsRow] : []
    }

    private static let commentSign = UInt8(ascii: "#")

    /// The suggestion for lines at the start that begin with `#`, or with the requested prefix of comments. `nil` without such lines, and
    /// if they seem to be part of the table.
    ///
    /// The last of these lines may have the column names, such as `#id,name`. If so, only the lines before it are comments.
    private func comments(_ sample: [UInt8]) -> ReadingSuggestion? {
        let prefix = request.commentPrefix.isEmpty ? [Self.commentSign] : request.commentPrefix
        guard ![UInt8(ascii: " "), UInt8(ascii: ":"), prefix[0]].contains(grammar.dialect.delimiter),
            let comments = LeadingComments(sample[...], prefix: prefix), comments.end < sample.count
        else { return nil }
        let names = records(Array(sample[comments.lastRange]), atMost: 1, withFields: 1, readsComments: true)
        let rest = records(
            sample, from: comments.end, atMost: 2 * Self.maximumPreambleRecords, withFields: Self.headerRecords, readsComments: true
        ).filter { $0.count > 0 }
        let rows = rest.filter { !sample[$0.start...].starts(with: prefix) }
        var counts = FieldCounts()
        for row in rows { counts.add(row.count) }
        guard let last = names.first, let usual = counts.mostCommon, usual.fields > 1, usual.records > 1 else { return nil }
        // In files such as /etc/services, rows differ in length because their last fields are optional.
        let isRegular = usual.records * 10 >= rows.count * 9 && rows[0].count == usual.fields
        guard isRegular || rows.count(where: { $0.count > 1 }) * 10 >= rows.count * 9 else { return nil }
        let rowsHaveNames = HeaderSniffer.hasTextAboveNumbers(rows.map(\.fields))
        if last.count == (isRegular ? usual.fields : counts.maximum), !rowsHaveNames,
            Self.hasNames(last.fields, after: prefix, above: rows.map(\.fields))
        {
            return commentedHeader(below: comments, prefix, rest, sample)
        }
        guard request.commentPrefix.isEmpty else { return nil }
        // `#id,name` may be a header with too few names. A line is certainly a comment if it has a blank after the sign, or a single field.
        let next = sample[comments.lastRange].dropFirst(prefix.count).first
        guard rowsHaveNames || last.count == 1 || next == 32 || next == Self.commentSign else { return nil }
        let hasSignedRow = rest.contains { $0.count == usual.fields && sample[$0.start...].starts(with: prefix) }
        if hasSignedRow { return request.skipLines == 0 ? .linesBeforeTable(comments.count) : nil }
        return .commentLines(prefix: "#", count: comments.count)
    }

    /// The suggestion for comments of which the last one has the column names: skip only the lines before it. If all of those lines begin
    /// with `##`, as in VCF files, the suggestion is `##` as the comment prefix, so that such lines between the rows are skipped, too.
    /// - Parameters:
    ///   - prefix: the prefix of the last comment.
    ///   - rest: the records after the comments.
    private func commentedHeader(
        below comments: LeadingComments, _ prefix: [UInt8], _ rest: [SampledRecord], _ sample: [UInt8]
    ) -> ReadingSuggestion? {
        let longPrefix = prefix + [prefix[0]]
        let before = LeadingComments(sample[..<comments.lastRange.lowerBound], prefix: longPrefix)
        let isMarked =
            before?.end == comments.lastRange.lowerBound && !sample[comments.lastRange].starts(with: longPrefix)
            && !rest.contains { $0.count > 1 && sample[$0.start...].starts(with: longPrefix) }
        let newPrefix = isMarked ? String(decoding: longPrefix, as: UTF8.self) : ""
        if !request.commentPrefix.isEmpty {
            let isWanted = request.hasHeader != false
            return isWanted ? .commentedHeader(prefix: newPrefix, linesBefore: isMarked ? 0 : comments.count - 1) : nil
        }
        if isMarked { return .commentLines(prefix: newPrefix, count: comments.count - 1) }
        return comments.count > 1 && request.skipLines == 0 ? .linesBeforeTable(comments.count - 1) : nil
    }

    /// True if the fields of a comment can be the column names of the rows after it.
    private static func hasNames(_ fields: [ArraySlice<UInt8>], after prefix: [UInt8], above rows: [[ArraySlice<UInt8>]]) -> Bool {
        var fields = fields
        fields[0] = fields[0].dropFirst(prefix.count)
        let names = fields.map(HeaderSniffer.trimmingBlanksAndQuotes)
        return !names.contains { $0.isEmpty || HeaderSniffer.isValue($0) } && HeaderSniffer.hasHeader([fields] + rows)
    }

    /// The first records of the sample from the offset `begin` on.
    /// - Parameters:
    ///   - limit: the maximum number of records.
    ///   - fullRecordCount: the number of records at the start whose fields are set.
    ///   - readsComments: true to return comments as records.
    private func records(
        _ sample: [UInt8], from begin: Int = 0, atMost limit: Int, withFields fullRecordCount: Int, readsComments: Bool = false
    ) -> [SampledRecord] {
        var dialect = grammar.dialect
        if readsComments { dialect.commentPrefix = [] }
        let grammar = Grammar(dialect, settings: ScanSettings())
        return sample.withUnsafeBufferPointer { bytes in
            var records: [SampledRecord] = []
            let part = UnsafeBufferPointer(rebasing: bytes[begin...])
            withUnsafeTemporaryAllocation(of: gv_range.self, capacity: Self.fieldLimit) { ranges in
                grammar.forEachRecord(in: part, isLast: true, ranges: ranges) { record, offset in
                    let start = begin + offset
                    let found = ranges.prefix(record.field_count)
                    let filledCount = found.count { range in
                        bytes[start + Int(range.begin)..<start + Int(range.end)].contains { $0 != 32 && $0 != UInt8(ascii: "\"") }
                    }
                    let fields =
                        records.count < fullRecordCount ? found.map { sample[start + Int($0.begin)..<start + Int($0.end)] } : []
                    records.append(SampledRecord(start: start, count: record.field_count, filledCount: filledCount, fields: fields))
                    return records.count < limit
                }
            }
            return records
        }
    }

    /// The number of the first record of the table, if a spreadsheet has padded the records before it with delimiters; `nil` otherwise.
    private func firstRecordOfPaddedTable(_ records: [SampledRecord], _ sample: [UInt8]) -> Int? {
        guard let width = records.first?.count, width > 1, width <= Self.fieldLimit,
            let first = records.firstIndex(where: { $0.filledCount == width && $0.count == width }), first > 0,
            first <= Self.maximumPreambleRecords,
            records.count > first + 3, records[..<first].contains(where: { $0.filledCount > 0 }),
            records[..<first].allSatisfy({ $0.filledCount * 2 <= width }),
            records[first...].count(where: { $0.count == width }) * 10 >= (records.count - first) * 9
        else { return nil }
        let table = self.records(sample, from: records[first].start, atMost: 3, withFields: 3).map(\.fields)
        if hasNames(table, count: width) { return first }
        // If the rows below the names contain only text, the names look like one more row. A blank record before them is then required.
        guard let names = table.first, !names.contains(where: { HeaderSniffer.isValue(HeaderSniffer.trimmingBlanksAndQuotes($0)) })
        else { return nil }
        return records[first - 1].filledCount == 0 && records[0].filledCount > 0 ? first : nil
    }

    /// The number of the first record of the table, from the number of fields of each record; `nil` if the table starts with the first
    /// record.
    private func firstRecordOfTable(_ counts: [Int]) -> Int? {
        var all = FieldCounts()
        for count in counts where count > 0 { all.add(count) }
        guard let usual = all.mostCommon?.fields, usual > 1, let first = counts.firstIndex(of: usual), first > 0,
            first <= Self.maximumPreambleRecords, counts[..<first].allSatisfy({ $0 < usual }), counts[..<first].contains(where: { $0 > 0 })
        else { return nil }
        let table = counts[first...].filter { $0 > 0 }
        return table.count > 3 && table.count { $0 == usual } * 10 >= table.count * 9 ? first : nil
    }

    /// True if the first of `records` consists of `count` column names, and one of the next two records has a value.
    ///
    /// If so, the table starts at this record, even if an earlier line has more than half as many fields. If not, the earlier line may be
    /// the header, without a title for the column of row names.
    private func hasNames(_ records: [[ArraySlice<UInt8>]], count: Int) -> Bool {
        func isValue(_ field: ArraySlice<UInt8>) -> Bool { HeaderSniffer.isValue(HeaderSniffer.trimmingBlanksAndQuotes(field)) }
        return records[0].count == count && records[0].allSatisfy { !HeaderSniffer.trimmingBlanksAndQuotes($0).isEmpty && !isValue($0) }
            && records[1...].prefix(2).contains { $0.contains(where: isValue) }
    }

    /// The number of line endings in the bytes.
    static func lineCount(_ bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x0d || byte == 0x0a && previous != 0x0d { count += 1 }
            previous = byte
        }
        return count
    }
}
