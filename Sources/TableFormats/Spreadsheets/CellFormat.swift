/// The kind or unit of an Excel cell's value, according to its number format.
enum CellFormat: UInt8, Sendable {
    /// A number.
    case number
    /// A percentage: the number 0.25 is shown as `25%`.
    case percentage
    /// A date, perhaps with a time.
    case date
    /// A date with a time.
    case dateTime
    /// A time of day.
    case time
    /// A duration, which may exceed 24 hours.
    case duration

    /// The format that is built into Excel with this number (ECMA-376 part 1, section 18.8.30).
    init(builtIn number: Int) {
        switch number {
        case 9, 10: self = .percentage
        case 14...17, 27...31, 36, 50...54, 57, 58: self = .date
        case 18...21, 32...35, 45, 47, 55, 56: self = .time
        case 22: self = .dateTime
        case 46: self = .duration
        default: self = .number
        }
    }

    /// The format for a code such as `yyyy\-mm\-dd` or `[h]:mm`. Only the part of the code for positive numbers is used.
    init(code: String) {
        self = .number
        let code = Array(code.utf8)
        if String(decoding: code, as: UTF8.self).lowercased().hasPrefix("general") { return }
        var (hasDay, hasHour, hasMonthOrMinute, hasPercentSign) = (false, false, false, false)
        var index = 0
        while index < code.count {
            switch code[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < code.count, code[index] != UInt8(ascii: "\"") { index += 1 }
            case UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "*"): index += 1
            case UInt8(ascii: "["):
                let start = index + 1
                while index < code.count, code[index] != UInt8(ascii: "]") { index += 1 }
                let content = code[start..<max(start, index)].map { $0 | 0x20 }
                if let first = content.first, "hms".utf8.contains(first), content.allSatisfy({ $0 == first }) {
                    self = .duration
                    return
                }
            case UInt8(ascii: ";"): index = code.count
            case UInt8(ascii: "%"): hasPercentSign = true
            case UInt8(ascii: "y"), UInt8(ascii: "Y"), UInt8(ascii: "d"), UInt8(ascii: "D"): hasDay = true
            case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "s"), UInt8(ascii: "S"): hasHour = true
            case UInt8(ascii: "m"), UInt8(ascii: "M"): hasMonthOrMinute = true
            case UInt8(ascii: "a"), UInt8(ascii: "A"):
                // Skip AM/PM, whose M is neither a month nor a minute.
                if String(decoding: code[index...].prefix(5), as: UTF8.self).lowercased() == "am/pm" { index += 4 }
            default: break
            }
            index += 1
        }
        if hasDay || hasMonthOrMinute && !hasHour {
            self = hasHour ? .dateTime : .date
        } else if hasHour {
            self = .time
        } else if hasPercentSign {
            self = .percentage
        }
    }
}

/// The calendar of a workbook: dates are days since 1900 or since 1904. Days since 1900 count 29 February 1900, which did not exist.
struct SerialDates: Sendable {
    let startsIn1904: Bool

    /// Appends the text of a serial number, such as `2024-01-31 12:30:00`. Returns `false` if it is not a date or time.
    func append(_ serial: Double, _ format: CellFormat, to output: inout [UInt8]) -> Bool {
        guard serial.isFinite, format != .number, format != .percentage, abs(serial) < 10_000_000 else { return false }
        if format == .duration {
            if serial < 0 { output.append(UInt8(ascii: "-")) }
            appendTime(Int((abs(serial) * 86_400_000).rounded()), to: &output)
            return true
        }
        guard serial >= 0 else { return false }
        var day = Int(serial.rounded(.down))
        var milliseconds = Int(((serial - Double(day)) * 86_400_000).rounded())
        if milliseconds == 86_400_000 { (day, milliseconds) = (day + 1, 0) }
        guard day <= (startsIn1904 ? 2_957_003 : 2_958_465) else { return false }
        // Day 0 since 1900 is not a date, so the value is only a time. Day 0 since 1904 is a date, unless the cell's format is a time.
        let isTime = day == 0 && (format == .time || !startsIn1904)
        if !isTime {
            appendDate(day, to: &output)
            guard milliseconds > 0 || format != .date else { return true }
            output.append(UInt8(ascii: " "))
        }
        appendTime(milliseconds, to: &output)
        return true
    }

    private func appendDate(_ day: Int, to output: inout [UInt8]) {
        if !startsIn1904, day == 60 { return output.append(contentsOf: "1900-02-29".utf8) }
        let since1970 = startsIn1904 ? day - 24_107 : day < 60 ? day - 25_568 : day - 25_569
        // The algorithm of Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”: days since 0000-03-01, all of them positive here.
        let (era, dayOfEra) = (since1970 + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        append(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), width: 4, to: &output)
        output.append(UInt8(ascii: "-"))
        append(month, width: 2, to: &output)
        output.append(UInt8(ascii: "-"))
        append(dayOfYear - (153 * shifted + 2) / 5 + 1, width: 2, to: &output)
    }

    /// Appends `hh:mm:ss`, with milliseconds if they are not zero.
    private func appendTime(_ milliseconds: Int, to output: inout [UInt8]) {
        append(milliseconds / 3_600_000, width: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        append(milliseconds / 60_000 % 60, width: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        append(milliseconds / 1_000 % 60, width: 2, to: &output)
        guard milliseconds % 1_000 != 0 else { return }
        output.append(UInt8(ascii: "."))
        append(milliseconds % 1_000, width: 3, to: &output)
    }

    private func append(_ number: Int, width: Int, to output: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            output.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
