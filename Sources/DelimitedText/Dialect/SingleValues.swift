import CByteScan
import FieldValues

/// Detects files in which each line is a single value that contains a blank or a colon, such as a time or an address.
enum SingleValues {
    /// True if single values can contain this delimiter without quotes.
    static func mayContain(_ delimiter: UInt8) -> Bool { delimiter == UInt8(ascii: " ") || delimiter == UInt8(ascii: ":") }

    /// The number of lines at the start of the file that are inspected.
    private static let lineLimit = 100

    /// True if nearly all lines are dates, times or addresses. The first line may be a title.
    static func linesAreValues(in bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool {
        var (lines, values, addresses) = (0, 0, 0)
        var hasLetters = false
        forEachLine(of: bytes, isWhole: isWhole) { field in
            lines += 1
            // Longer lines are not dates, times or addresses.
            guard field.count <= 64 else { return }
            let text = field.trimmed
            if isDateTime(field) {
                values += 1
            } else if isAddress(text) {
                addresses += 1
                hasLetters = hasLetters || text.contains { $0 > UInt8(ascii: ":") } || hasDoubleColon(text)
            }
        }
        // If no address has a letter or an empty group, the groups may be decimal numbers. The lines then do not count as addresses.
        if hasLetters { values += addresses }
        return lines > 1 ? values > 0 && values >= lines - 1 - lines / 20 : values == 1
    }

    /// True if nearly all lines below a title without a comma are amounts of money, such as `1,50 €`. Their commas are not delimiters.
    static func linesAreTitledAmounts(in bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool {
        var (lines, amounts) = (0, 0)
        var hasTitle = false
        forEachLine(of: bytes, isWhole: isWhole) { field in
            if lines == 0 { hasTitle = !field.bytes.contains(UInt8(ascii: ",")) } else if isAmount(field) { amounts += 1 }
            lines += 1
        }
        return hasTitle && amounts > 0 && amounts >= lines - 1 - lines / 20
    }

    /// Calls `body` with the first lines that are not blank.
    private static func forEachLine(of bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ body: (FieldBytes) -> Void) {
        var (start, lines) = (0, 0)
        while start < bytes.count, lines < lineLimit {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            // The last line of a sample may be cut off.
            if end == bytes.count, !isWhole, lines > 0 { return }
            let field = FieldBytes(start: bytes.baseAddress! + start, count: end - start)
            start = end + 1
            if field.isBlank { continue }
            body(field)
            lines += 1
        }
    }

    /// True for a number with a currency, such as `€1.50` or `12,50 CHF`.
    static func isAmount(_ field: FieldBytes) -> Bool {
        guard field.count <= 64, field.bytes.contains(where: { $0 &- 0x30 < 10 }), let unit = NumberUnit(of: field), unit.isCurrency else {
            return false
        }
        return DecimalStyle.allCases.contains { field.decimal($0.with(unit)) != nil }
    }

    /// True for a time, and for a date with or without a time, in any notation.
    static func isDateTime(_ field: FieldBytes) -> Bool {
        field.temporal(.time) != nil || field.temporal(.dateTime) != nil || field.temporal(.dateTime, .dayFirst) != nil
            || field.temporal(.dateTime, .monthFirst) != nil
    }

    /// True for a MAC address (six groups of two hexadecimal digits) and for an IPv6 address, with or without a prefix length.
    private static func isAddress(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var (groups, digits, pairs) = (1, 0, 0)
        let address = text.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "%") }
        for byte in address {
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: digits += 1
            case UInt8(ascii: ":"):
                if digits == 2 { pairs += 1 }
                (groups, digits) = (groups + 1, 0)
            // An IPv6 address may end with an IPv4 address, which has dots.
            case UInt8(ascii: ".") where groups > 2: digits = 0
            default: return false
            }
            if digits > 4 { return false }
        }
        if groups == 6, pairs == 5, digits == 2 { return true }
        return groups == 8 || groups > 2 && groups <= 9 && hasDoubleColon(text)
    }

    private static func hasDoubleColon(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: ":") }
    }
}

/// Recognizes a file with one column of text that contains the delimiter, such as a title above sentences. Inspects the first records of a
/// sample.
struct SingleColumnText {
    private var records = 0
    private var hasOneField = false
    /// The number of records after the first one that have several fields.
    private var dividedRecordCount = 0
    /// True if the second record has no number or date. It may be the header of a table below a line of text.
    private var mayHaveHeaderSecond = false
    /// The number of records after the second one that have a number or date.
    private var numericRecordCount = 0

    /// Adds a record that is not empty.
    mutating func add(_ fields: UnsafeMutableBufferPointer<gv_range>, _ bytes: UnsafeBufferPointer<UInt8>) {
        func isValue(_ range: gv_range) -> Bool {
            let field = UnsafeBufferPointer(rebasing: bytes[Int(range.begin)..<Int(range.end)])
            return field.contains { $0 &- 0x30 < 10 } && field.allSatisfy { $0 &- 0x2B < 0x10 }
        }
        records += 1
        if records == 1 {
            hasOneField = fields.count == 1
            return
        }
        guard hasOneField else { return }
        if fields.count > 1 { dividedRecordCount += 1 }
        let hasValue = fields.prefix(100).contains(where: isValue)
        if records == 2 { mayHaveHeaderSecond = !hasValue } else if hasValue { numericRecordCount += 1 }
    }

    /// True if the first record has one field and nearly all others have several. False if a header and rows with numbers follow the first
    /// record, because the first record is then a line above a table.
    var hasSingleColumn: Bool {
        guard hasOneField, records > 1, dividedRecordCount * 10 >= (records - 1) * 9 else { return false }
        return !(mayHaveHeaderSecond && records > 2 && numericRecordCount * 10 >= (records - 2) * 9)
    }
}
