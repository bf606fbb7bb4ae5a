/// A day of the Gregorian calendar, which is also used for years before its introduction.
package struct CalendarDay: Equatable {
    package var year: Int
    /// The month, 1...12.
    package var month: Int
    /// The day of the month, 1...31.
    package var day: Int

    /// Creates a day. The month and the day are not checked.
    package init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

    package var isValid: Bool {
        guard month >= 1, month <= 12, day >= 1 else { return false }
        if month == 2 { return day <= (isLeapYear ? 29 : 28) }
        return day <= (month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31)
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Days since 1970-01-01. H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.
    package var daysSinceEpoch: Int {
        // A year is counted from March here, so that the leap day is its last day.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension CalendarDay {
    /// Creates the day that the digits `yyyymmdd` of a number stand for. The month and the day are not checked.
    package init(compact number: Int) { (year, month, day) = (number / 10_000, number / 100 % 100, number % 100) }

    /// Creates the day that is `days` days after 1970-01-01. H. Hinnant's algorithm, the inverse of ``daysSinceEpoch``.
    package init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}
