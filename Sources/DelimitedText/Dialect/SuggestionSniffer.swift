import CByteScan
import Tables

/// Finds lines before the table, and a row of units, in the first bytes of a file.
struct SuggestionSniffer {
    let grammar: Grammar
    let request: DialectRequest

    /// The maximum number of records before the table.
    private static let longestPreamble = 50
    /// The maximum length of a unit in bytes.
    private static let longestUnit = 12

    /// - Parameter sample: the first bytes of the content.
    func suggestions(_ sample: [UInt8]) -> [ReadingSuggestion] {
        sample.withUnsafeBufferPointer { bytes in
            var records: [(start: Int, fields: [ArraySlice<UInt8>], count: Int)] = []
            withUnsafeTemporaryAllocation(of: gv_range.self, capacity: 256) { ranges in
                grammar.forEachRecord(in: bytes, isLast: true, ranges: ranges) { record, start in
                    let fields =
                        records.count > 5
                        ? [] : ranges.prefix(record.field_count).map { sample[start + Int($0.begin)..<start + Int($0.end)] }
                    records.append((start, fields, record.field_count))
                    return records.count < 2 * Self.longestPreamble
                }
            }
            if request.skipLines == 0, let first = firstOfTable(records.map(\.count)),
                records[..<first].allSatisfy({ $0.count * 2 <= records[first].count })
                    || first < 5 && hasNames(records[first...].map(\.fields), count: records[first].count)
            {
                return [.linesBeforeTable(Self.lineCount(sample[..<records[first].start]))]
            }
            let isSure = request.hasHeader != false && request.headerRows == 1 && grammar.dialect.hasHeader
            return isSure && hasUnits(records.filter { $0.count > 0 }.map(\.fields)) ? [.unitsRow] : []
        }
    }

    /// The number of the first record of the table; `nil` if no other records precede it.
    private func firstOfTable(_ counts: [Int]) -> Int? {
        var all = FieldCounts()
        for count in counts where count > 0 { all.add(count) }
        guard let usual = all.mostCommon?.fields, usual > 1, let first = counts.firstIndex(of: usual), first > 0,
            first <= Self.longestPreamble, counts[..<first].allSatisfy({ $0 < usual }), counts[..<first].contains(where: { $0 > 0 })
        else { return nil }
        let table = counts[first...].filter { $0 > 0 }
        return table.count > 3 && table.count { $0 == usual } * 10 >= table.count * 9 ? first : nil
    }

    /// True if records begin with the names of columns. Lines with more than half of the fields of the table may precede them. The header
    /// may also have fewer fields than the rows, as some programs write for rows with names, but then it precedes a row with values.
    private func hasNames(_ records: [[ArraySlice<UInt8>]], count: Int) -> Bool {
        func isValue(_ field: ArraySlice<UInt8>) -> Bool { HeaderSniffer.isValue(HeaderSniffer.trimmed(field)) }
        return records[0].count == count && records[0].allSatisfy { !HeaderSniffer.trimmed($0).isEmpty && !isValue($0) }
            && records[1...].prefix(2).contains { $0.contains(where: isValue) }
    }

    /// True if the second record has units, and the third one numbers below them.
    private func hasUnits(_ records: [[ArraySlice<UInt8>]]) -> Bool {
        guard records.count > 3, records[0].count > 1, records[1].count == records[0].count else { return false }
        let values = records[2]
        var numbers = 0
        for (column, field) in records[1].enumerated() {
            let unit = HeaderSniffer.trimmed(field)
            if unit.isEmpty { continue }
            guard Self.isUnit(unit) else { return false }
            if column < values.count, HeaderSniffer.isValue(HeaderSniffer.trimmed(values[column])) { numbers += 1 }
        }
        return numbers > 0
    }

    private static func isUnit(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last, text.count <= longestUnit else { return false }
        let isBracketed =
            first == UInt8(ascii: "(") && last == UInt8(ascii: ")") || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
        if isBracketed { return text.count > 2 && !text.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } }
        return units.contains(String(decoding: text, as: UTF8.self))
    }

    private static let units: Set<String> = [
        "mg", "g", "kg", "t", "lb", "oz", "nm", "µm", "um", "mm", "cm", "m", "km", "in", "ft", "mi", "m2", "m²", "km²", "m3", "m³", "ml",
        "l",
        "L", "ns", "µs", "us", "ms", "s", "sec", "min", "h", "d", "Hz", "kHz", "MHz", "GHz", "V", "mV", "A", "mA", "W", "kW", "MW", "kWh",
        "MWh", "J", "kJ", "Pa", "hPa", "kPa", "bar", "mbar", "K", "°C", "°F", "C", "N", "m/s", "km/h", "%", "ppm", "ppb", "mol", "B", "kB",
        "MB", "GB", "TB", "KiB", "MiB", "GiB", "USD", "EUR", "GBP", "CHF", "JPY", "$", "€", "£", "-", "–",
    ]

    /// The suggestion for the last record if it has totals: its first value is a word such as `Total`, and a number follows.
    static func totalsRow(_ record: Record) -> ReadingSuggestion? {
        guard let column = record.fields.firstIndex(where: { !$0.text.isEmpty }) else { return nil }
        var name = record.fields[column].text.lowercased()
        while let last = name.last, last == ":" || last == " " { name.removeLast() }
        let hasNumber = record.fields[(column + 1)...].contains { HeaderSniffer.isValue(Array($0.text.utf8)[...]) }
        return totals.contains(name) && hasNumber ? .totalsRow(column: column, value: record.fields[column].text) : nil
    }

    private static let totals: Set<String> = [
        "total", "totals", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "total général", "total general",
    ]

    /// The number of line ends.
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
