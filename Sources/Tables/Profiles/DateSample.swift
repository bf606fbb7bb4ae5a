import FieldValues

/// Counts the fields of a sample that are dates and times, for each kind and notation.
struct DateSample: Sendable {
    /// Counts of fields that do not match: the first for times, the next three for dates (ISO, day first, month first), and three more for
    /// date-times. They are stored inline to save memory, because there may be a million samples.
    private var misfits = SIMD8<Int32>()
    /// The number of dates that are valid only with the day first, and the number of dates that are valid only with the month first.
    private var unambiguousDates = (day: 0, month: 0)

    /// True if some dates have a two-digit year. Such strings may be something else, so all fields must be dates.
    private var hasShortYears = false
    /// For dates such as `1.2.24`, which may be versions: the first number, and true if the dates are certainly not versions. This is
    /// certain if the first numbers differ, if a year does not have two digits, or if the day and the month both have two digits.
    private var versionLikeDates: (firstNumber: UInt8?, areDates: Bool) = (nil, false)

    /// The kinds that contain dates, and the index of their first count in ``misfits``.
    private static let kinds: [(kind: ValueKind, firstIndex: Int)] = [(.date, 1), (.dateTime, 4)]

    /// Adds a field to the counts.
    /// - Parameter allowed: the maximum number of fields that do not match. A kind or notation with more such fields is no longer counted.
    mutating func add(_ field: FieldBytes, allowed: Int) {
        func isPossible(_ index: Int) -> Bool { Int(misfits[index]) <= allowed }
        if isPossible(0), field.temporal(.time) == nil { misfits[0] += 1 }
        for (kind, first) in Self.kinds where isPossible(first) || isPossible(first + 1) || isPossible(first + 2) {
            if field.temporal(kind) != nil {
                addShortYear(field)
                // The order of day and month is irrelevant if all fields are ISO dates.
                if kind == .dateTime, misfits[first] == 0 { return }
                continue
            }
            misfits[first] += 1
            let isDayFirst = isPossible(first + 1) && field.temporal(kind, .dayFirst) != nil
            let isMonthFirst = isPossible(first + 2) && field.temporal(kind, .monthFirst) != nil
            if !hasShortYears, isDayFirst || isMonthFirst { hasShortYears = Self.hasShortYear(field) }
            if isPossible(first + 1), !isDayFirst { misfits[first + 1] += 1 }
            if isPossible(first + 2), !isMonthFirst { misfits[first + 2] += 1 }
        }
        addOrder(of: field, allowed: allowed)
    }

    /// Counts only the order of day and month in a field. The field may be outside of the sample.
    mutating func addOrder(of field: FieldBytes, allowed: Int) {
        guard Int(min(misfits[5], misfits[6])) <= allowed, misfits[4] > 0 || field.temporal(.dateTime) == nil else { return }
        let (day, month) = (field.temporal(.dateTime, .dayFirst) != nil, field.temporal(.dateTime, .monthFirst) != nil)
        if day, !month { unambiguousDates.day += 1 }
        if month, !day { unambiguousDates.month += 1 }
    }

    /// Records whether the year of a date has two digits. For dates such as `1.2.24`, it also records the first number.
    private mutating func addShortYear(_ field: FieldBytes) {
        if hasShortYears, versionLikeDates.areDates { return }
        guard Self.hasShortYear(field) else { return versionLikeDates.areDates = true }
        hasShortYears = true
        let text = field.trimmed
        guard let point = text.firstIndex(of: UInt8(ascii: ".")), point <= 2, text.count - point >= 5, text[point + 1] &- 0x30 < 10 else {
            return
        }
        let isLong = point == 2 && text[point + 3] == UInt8(ascii: ".")
        let first = text[..<point].reduce(0) { $0 &* 10 &+ ($1 &- 0x30) }
        versionLikeDates.areDates = versionLikeDates.areDates || isLong || versionLikeDates.firstNumber.map { $0 != first } ?? false
        versionLikeDates.firstNumber = first
    }

    /// True if the year of a date has two digits: the date ends with two digits, and no group of its digits is longer.
    private static func hasShortYear(_ field: FieldBytes) -> Bool {
        let date = field.trimmed.prefix { $0 != 0x20 && $0 != UInt8(ascii: ",") }
        guard date.count >= 6, date.first.map({ $0 &- 0x30 < 10 }) == true else { return false }
        var run = 0
        var longest = 0
        for byte in date {
            run = byte &- 0x30 < 10 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest == 2 && run == 2
    }

    /// The narrowest kind that all fields match, except at most `allowed` fields.
    func kind(allowing allowed: Int) -> ValueKind? {
        if Int(misfits[0]) <= allowed { return .time }
        if versionLikeDates.firstNumber != nil, !versionLikeDates.areDates { return nil }
        let allowed = hasShortYears ? min(0, allowed) : allowed
        return Self.kinds.first { _, first in Int(min(misfits[first], misfits[first + 1], misfits[first + 2])) <= allowed }?.kind
    }

    /// The order of day and month; `nil` if both orders fit all dates, and `DateNotation.iso` if the values have no such order.
    func notation(_ kind: ValueKind, allowing allowed: Int) -> DateNotation? {
        guard let first = Self.kinds.first(where: { $0.kind == kind })?.firstIndex else { return .iso }
        let (iso, day, month) = (misfits[first], misfits[first + 1], misfits[first + 2])
        if iso <= day, iso <= month { return .iso }
        if Int(day) <= allowed, Int(month) <= allowed {
            return unambiguousDates.day > unambiguousDates.month
                ? .dayFirst : unambiguousDates.month > unambiguousDates.day ? .monthFirst : nil
        }
        return day <= month ? .dayFirst : .monthFirst
    }
}
