import FieldValues

/// Detects whether the first record contains column names.
///
/// Each column votes for or against column names. Text above numbers is evidence for a name. A number above numbers, text that occurs in
/// later records, and text of the same form, such as a size above sizes, are evidence against a name.
package enum HeaderSniffer {
    package static func hasHeader(_ records: [[ArraySlice<UInt8>]]) -> Bool {
        let nonEmpty = records.filter { !$0.isEmpty }
        guard let first = nonEmpty.first else { return records.isEmpty }
        let titles = first.map(trimmingBlanksAndQuotes)
        let rest = nonEmpty.dropFirst()
        let named = titles.filter { !$0.isEmpty }
        if named.isEmpty { return false }
        if rest.isEmpty { return !titles.contains { isValue($0) || FieldForm($0)?.cannotBeName == true } }
        return Evidence(titles, rest).votes > 0
    }

    /// True if the first record contains column names, and a column has text above numbers.
    static func hasTextAboveNumbers(_ records: [[ArraySlice<UInt8>]]) -> Bool {
        guard let first = records.first else { return false }
        let evidence = Evidence(first.map(trimmingBlanksAndQuotes), records.dropFirst())
        return evidence.votes > 0 && evidence.hasTextAboveNumbers
    }

    /// True if the first record is read as data, but may contain column names. This is so if a column has text above numbers, or if no
    /// field of the record looks like data.
    /// - Parameter records: records for which ``hasHeader(_:)`` is false.
    static func mayHaveHeader(_ records: [[ArraySlice<UInt8>]]) -> Bool {
        let nonEmpty = records.filter { !$0.isEmpty }
        guard nonEmpty.count > 1 else { return false }
        let titles = nonEmpty[0].map(trimmingBlanksAndQuotes)
        guard titles.contains(where: { !$0.isEmpty }) else { return false }
        let evidence = Evidence(titles, nonEmpty.dropFirst())
        return evidence.votes <= 0 && (evidence.hasTextAboveNumbers || !evidence.hasValue)
    }

    /// The evidence for column names in the first record.
    private struct Evidence {
        /// The sum of the votes of all columns; positive if the first record contains column names.
        private(set) var votes = 0.0
        /// True if a column has text without digits above numbers. Signs for missing values do not count, because data has them, too.
        private(set) var hasTextAboveNumbers = false
        /// True if the first record has data in a column: a number above numbers, text that occurs in later records, or text of the same
        /// form as later text.
        private(set) var hasValue = false
        /// True if each record has a single field.
        private let isList: Bool
        /// True if all of several titles end with a colon, as in `Item:,Price:`.
        private let areLabels: Bool

        /// - Parameters:
        ///   - titles: the fields of the first record.
        ///   - rest: the other records.
        init(_ titles: [ArraySlice<UInt8>], _ rest: ArraySlice<[ArraySlice<UInt8>]>) {
            isList = titles.count == 1
            let named = titles.filter { !$0.isEmpty }
            areLabels = named.count > 1 && named.allSatisfy { FieldForm($0) == .label }
            if Set(named).count < named.count { votes -= 0.5 }
            for (column, title) in titles.enumerated() where !title.isEmpty { add(title, column, rest) }
        }

        private mutating func add(_ title: ArraySlice<UInt8>, _ column: Int, _ rest: ArraySlice<[ArraySlice<UInt8>]>) {
            let values = rest.compactMap { $0.count > column ? trimmingBlanksAndQuotes($0[column]) : nil }.filter { !$0.isEmpty }
            if values.isEmpty {
                votes += isValue(title) ? -0.5 : 0.25
                return
            }
            let others = values.filter { !isValue($0) }
            let share = Double(values.count - others.count) / Double(values.count)
            if isValue(title) {
                // A year or a date above numbers does not count against names, because periods are common names of numeric columns.
                if isPeriod(title), share > 0.9, !values.contains(where: isPeriod) { return }
                votes -= 1
                hasValue = true
            } else if !areLabels, isLikeValues(title, others, of: values.count) {
                votes -= 1
                hasValue = true
            } else if share > 0.8 {
                // A sign for a missing value is not a name, nor is a size such as `4K` at the top of a list of plain numbers.
                if isMissingMarker(title) || isList && FieldForm(title) == .quantity {
                    hasValue = true
                    return
                }
                votes += 1
                // Text with a digit does not count, because a code such as `A12` may be data.
                if !title.contains(where: { $0 &- 0x30 < 10 }) { hasTextAboveNumbers = true }
            } else if values.contains(title) {
                votes -= 1
                hasValue = true
            } else {
                votes += 0.25
            }
        }
    }

    /// True if at least a fifth of the fields of a column have the form of the title.
    /// - Parameters:
    ///   - others: the fields that are not numbers or dates in digits, which have no form.
    ///   - count: the number of all fields.
    private static func isLikeValues(_ title: ArraySlice<UInt8>, _ others: [ArraySlice<UInt8>], of count: Int) -> Bool {
        guard others.count * 5 >= count, let form = FieldForm(title) else { return false }
        return others.count { FieldForm($0) == form } * 5 >= count
    }

    /// The field without the spaces, tabs and quotes at its start and end.
    package static func trimmingBlanksAndQuotes(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var field = field
        while let byte = field.first, byte == 0x20 || byte == 0x09 || byte == 0x22 || byte == 0x27 { field.removeFirst() }
        while let byte = field.last, byte == 0x20 || byte == 0x09 || byte == 0x22 || byte == 0x27 { field.removeLast() }
        return field
    }

    /// True if the field consists of digits, signs and separators, such as a number, a date or a time, or is an amount of money.
    package static func isValue(_ field: ArraySlice<UInt8>) -> Bool {
        isMostlyDigits(field)
            || field.withUnsafeBufferPointer { SingleValues.isAmount(FieldBytes(start: $0.baseAddress, count: $0.count)) }
    }

    /// True if a field mainly consists of digits, with the letters and marks of numbers and times.
    private static func isMostlyDigits(_ field: ArraySlice<UInt8>) -> Bool {
        var digits = 0
        var letters = 0
        for byte in field {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            // Names such as `T1` and `E2` begin with one of these letters.
            case UInt8(ascii: "T"), UInt8(ascii: "Z"), UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard digits > 0 else { return false }
                letters += 1
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "/"),
                UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "'"):
                break
            // The bytes of other apostrophes and spaces between thousands: U+2019, U+00A0, U+202F and U+2009.
            case 0xC2, 0xE2, 0x80, 0x89, 0x99, 0xA0, 0xAF: break
            default: return false
            }
        }
        return digits > 0 && letters <= 2
    }

    /// True for a year, a month such as `2024-01` or `1/2024`, and a date in digits, such as `2024-01-31` or `1/31/24`.
    private static func isPeriod(_ field: ArraySlice<UInt8>) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
        func number(_ digits: ArraySlice<UInt8>) -> Int? { digits.allSatisfy(isDigit) ? Int(String(decoding: digits, as: UTF8.self)) : nil }
        func isYear(_ part: ArraySlice<UInt8>) -> Bool { part.count == 4 && (number(part).map { (1800...2200).contains($0) } ?? false) }
        /// True for the number of a day or a month.
        func isDay(_ part: ArraySlice<UInt8>) -> Bool { part.count <= 2 && (number(part).map { (1...31).contains($0) } ?? false) }
        guard let separator = field.first(where: { !isDigit($0) }) else { return isYear(field) }
        guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") || separator == UInt8(ascii: ".") else { return false }
        let parts = field.split(separator: separator, maxSplits: 3, omittingEmptySubsequences: false)
        switch parts.count {
        // Two parts with a point between them, such as `1.2024`, are more often a number.
        case 2: return separator != UInt8(ascii: ".") && (isYear(parts[0]) && isDay(parts[1]) || isDay(parts[0]) && isYear(parts[1]))
        case 3:
            let isYearLast = isYear(parts[2]) || parts[2].count == 2 && number(parts[2]) != nil
            return isDay(parts[1]) && (isYear(parts[0]) && isDay(parts[2]) || isDay(parts[0]) && isYearLast)
        default: return false
        }
    }

    /// True for a sign for a missing value, such as `n/a`, `NULL`, `\N` or `-`, and for `inf`.
    private static func isMissingMarker(_ title: ArraySlice<UInt8>) -> Bool {
        if title.elementsEqual("\\N".utf8) { return true }
        let letters = title.map { $0 | 0x20 }.filter { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || $0 >= 0x80 }
        return letters.isEmpty || ["inf", "na", "nan", "nil", "none", "null", "tbd"].contains(String(decoding: letters, as: UTF8.self))
    }
}
