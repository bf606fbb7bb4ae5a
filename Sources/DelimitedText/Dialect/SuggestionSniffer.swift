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

    /// A record of the sample. Its fields are only set for the first records, where they are inspected.
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
            if let first = firstOfTable(counts),
                records[..<first].allSatisfy({ $0.count * 2 <= records[first].count })
                    || first < 5 && hasNames(records[first...].map(\.fields), count: records[first].count)
            {
                return [.linesBeforeTable(Self.lineCount(sample[..<records[first].start]))]
            }
            if let first = firstOfPaddedTable(records, sample) {
                return [.linesBeforeTable(Self.lineCount(sample[..<records[first].start]))]
            }
        }
        if request.hasHeader == nil, !grammar.dialect.hasHeader {
            let first = self.records(sample, atMost: Self.headerRecords, withFields: Self.headerRecords)
            return HeaderSniffer.mayHaveHeader(first.map(\.fields)) ? [.header] : []
        }
        let isSure = request.hasHeader != false && request.headerRows == 1 && grammar.dialect.hasHeader
        return isSure && UnitsRow.isSecond(in: records.filter { $0.count > 0 }.map(\.fields)) ? [.unitsRow] : []
    }

    private static let commentSign = UInt8(ascii: "#")

    /// The suggestion for lines at the start that begin with `#`, if the lines after them all have another number of fields. `nil`
    /// without such lines, or if the last of them has the column names, as `#id,name` may.
    ///
    /// If rows of the table also begin with `#`, only the lines at the start are skipped.
    private func comments(_ sample: [UInt8]) -> ReadingSuggestion? {
        guard sample.first == Self.commentSign, request.commentPrefix.isEmpty,
            ![UInt8(ascii: " "), UInt8(ascii: ":"), Self.commentSign].contains(grammar.dialect.delimiter)
        else { return nil }
        var (lines, last, start) = (0, 0, 0)
        while start < sample.count, sample[start] == Self.commentSign, lines < Self.maximumPreambleRecords {
            (lines, last) = (lines + 1, start)
            let end = sample[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? sample.count
            start = end + (sample[end...].starts(with: [0x0d, 0x0a]) ? 2 : 1)
        }
        guard start < sample.count, sample[start] != Self.commentSign,
            let comment = records(sample, from: last, atMost: 1, withFields: 0).first
        else { return nil }
        let rest = records(sample, from: start, atMost: 2 * Self.maximumPreambleRecords, withFields: 0).filter { $0.count > 0 }
        let rows = rest.filter { sample[$0.start] != Self.commentSign }
        var counts = FieldCounts()
        for row in rows { counts.add(row.count) }
        guard let usual = counts.mostCommon, usual.fields > 1, usual.records > 1, usual.records * 10 >= rows.count * 9,
            rows[0].count == usual.fields, comment.count != usual.fields
        else { return nil }
        // `#id,name` may be a header without the names of some columns. Words after a blank, and a single field, are a comment.
        guard comment.count == 1 || sample[last + 1] == 32 || sample[last + 1] == Self.commentSign else { return nil }
        let hasSignedRow = rest.contains { $0.count == usual.fields && sample[$0.start] == Self.commentSign }
        if hasSignedRow { return request.skipLines == 0 ? .linesBeforeTable(lines) : nil }
        return .commentLines(prefix: "#", count: lines)
    }

    /// The first records of the sample from the offset `begin` on.
    /// - Parameters:
    ///   - limit: the maximum number of records.
    ///   - full: the number of records at the start whose fields are set.
    private func records(_ sample: [UInt8], from begin: Int = 0, atMost limit: Int, withFields full: Int) -> [SampledRecord] {
        sample.withUnsafeBufferPointer { bytes in
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
                        records.count < full ? found.map { sample[start + Int($0.begin)..<start + Int($0.end)] } : []
                    records.append(SampledRecord(start: start, count: record.field_count, filledCount: filledCount, fields: fields))
                    return records.count < limit
                }
            }
            return records
        }
    }

    /// The number of the first record of the table, if a spreadsheet has padded the records before it with delimiters; `nil` otherwise.
    private func firstOfPaddedTable(_ records: [SampledRecord], _ sample: [UInt8]) -> Int? {
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
    private func firstOfTable(_ counts: [Int]) -> Int? {
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
