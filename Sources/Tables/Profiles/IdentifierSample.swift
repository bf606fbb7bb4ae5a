import FieldValues

/// Collects the properties of integers that distinguish identifiers from amounts.
struct IdentifierSample: Sendable {
    /// The number of integers written with digits only, or with a plus sign and digits.
    private var plainCount = 0
    /// True if a field has a minus sign or thousands separators, as only amounts have.
    private var hasAmounts = false
    /// The number of integers that have at least two digits and start with 0.
    private var paddedCount = 0
    /// True if all integers are dates `yyyymmdd`.
    private var areDates = true
    /// True if all integers are months `yyyymm` of the years 1900 to 2100.
    private var areMonths = true
    /// The first and the last month of the dates, as the numbers `yyyymm`.
    private var months: (first: UInt64, last: UInt64) = (.max, 0)
    /// True if all integers are plausible times since 1970, in seconds or in milliseconds. Plausible years are 1990 to 2099.
    private var epochs = (seconds: true, milliseconds: true)
    /// The number of plausible times in seconds since 1970 that have a fraction.
    private var fractionalEpochCount = 0
    /// True if all integers have a valid check digit.
    private var haveCheckDigits = true
    /// True if all integers are years from 1800 to 2100.
    private var areYears = true
    /// The number of integers that are multiples of 10, as many amounts are.
    private var roundedCount = 0
    /// The usual number of digits, found by majority vote (Boyer and Moore, 1981): an integer of another length removes one vote.
    private var lengthMajority: (length: Int, votes: Int) = (0, 0)
    /// The number of integers whose hash values are in ``hashBits``.
    private var hashedCount = 0
    /// 256 bits. Bit `h` is set if an integer has the hash value `h`.
    private var hashBits = SIMD4<UInt64>()

    /// Adds a field that is an integer.
    mutating func add(_ field: FieldBytes) {
        var digits = field.trimmed
        if digits.first == UInt8(ascii: "+") { digits = UnsafeBufferPointer(rebasing: digits.dropFirst()) }
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return hasAmounts = true }
        var value: UInt64 = 0
        for digit in digits { value = value &* 10 &+ UInt64(digit &- 0x30) }
        plainCount += 1
        if digits.count > 1, digits[0] == 0x30 { paddedCount += 1 }
        if digits.last == 0x30 { roundedCount += 1 }
        if lengthMajority.votes == 0 {
            lengthMajority = (digits.count, 1)
        } else {
            lengthMajority.votes += lengthMajority.length == digits.count ? 1 : -1
        }
        areDates = areDates && digits.count == 8 && Self.isDate(value)
        areMonths = areMonths && digits.count == 6 && (1900...2100).contains(value / 100) && (1...12).contains(value % 100)
        months = (min(months.first, value / 100), max(months.last, value / 100))
        epochs.seconds = epochs.seconds && (631_152_000..<4_102_444_800).contains(value)
        epochs.milliseconds = epochs.milliseconds && (631_152_000_000..<4_102_444_800_000).contains(value)
        haveCheckDigits = haveCheckDigits && Self.hasCheckDigit(digits)
        areYears = areYears && (1800...2100).contains(value)
        if hashedCount < 64 {
            hashedCount += 1
            let hash = Int((value &* 0x9E37_79B9_7F4A_7C15) >> 56)
            hashBits[hash >> 6] |= 1 << UInt64(hash & 63)
        }
    }

    /// Adds a field that is a number with a fraction.
    mutating func add(decimal field: FieldBytes) {
        guard field.count >= 11, !field.bytes.contains(UInt8(ascii: "-")), let time = field.temporal(.dateTime, .epochSeconds) else {
            return
        }
        if (631_152_000_000_000..<4_102_444_800_000_000).contains(time) { fractionalEpochCount += 1 }
    }

    /// True if all fields are plausible times in seconds since 1970, and some of them have a fraction.
    /// - Parameter count: the number of nonempty fields.
    func areEpochs(of count: Int) -> Bool {
        fractionalEpochCount > 0 && plainCount + fractionalEpochCount == count && epochs.seconds && !hasAmounts && paddedCount == 0
    }

    /// True if the integers look like identifiers, for example phone numbers or article numbers.
    var areIdentifiers: Bool {
        guard plainCount > 0, !hasAmounts else { return false }
        if paddedCount > 0 || areDates { return true }
        if plainCount > 2, areMonths { return true }
        if plainCount > 2, haveCheckDigits { return true }
        if plainCount >= 10, areYears { return true }
        guard plainCount > 1, haveUsualLength, isNearlyUnique else { return false }
        // Phone numbers, ISBN, EAN and epoch times have ten digits or more. Fewer digits need more evidence.
        return lengthMajority.length >= 10 || (lengthMajority.length >= 6 && plainCount >= 20 && roundedCount * 4 <= plainCount)
    }

    /// The notation in which all fields are dates of a plausible year; `nil` if no notation fits.
    /// - Parameter count: the number of nonempty fields.
    func dateNotation(of count: Int) -> DateNotation? {
        guard plainCount > 0, plainCount == count, !hasAmounts, paddedCount == 0 else { return nil }
        return areDates ? .digits : epochs.seconds ? .epochSeconds : epochs.milliseconds ? .epochMilliseconds : nil
    }

    /// True if there are at least twenty integers, and all are dates `yyyymmdd` of more than one month.
    var areProbablyDates: Bool { areDates && plainCount >= 20 && months.first < months.last }

    /// True if at least 49 of 50 integers have the usual length. With one exception among 50 integers, 48 votes (96 %) remain: 49 votes are
    /// added, and the exception removes one.
    private var haveUsualLength: Bool { lengthMajority.votes * 100 >= plainCount * 96 }

    /// True if the integers in ``hashBits`` are almost all distinct.
    private var isNearlyUnique: Bool {
        let bits = (0..<4).reduce(0) { $0 + hashBits[$1].nonzeroBitCount }
        // The expected number of set bits if all integers are distinct, as the first terms of a series. The sampling error is below 3 bits.
        let share = Double(hashedCount) / 256
        let expected = Double(hashedCount) * (1 - share / 2 + share * share / 6)
        return Double(bits) >= expected * 0.88
    }

    /// True for a date `yyyymmdd` of the years 1800 to 2100.
    private static func isDate(_ value: UInt64) -> Bool {
        let day = CalendarDay(compact: Int(value))
        return (1800...2100).contains(day.year) && day.isValid
    }

    /// True if the last digit is the check digit of an EAN, UPC or ISBN.
    private static func hasCheckDigit(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
        var sum = 0
        switch digits.count {
        case 8, 12, 13:
            for (index, digit) in digits.reversed().enumerated() { sum += Int(digit - 0x30) * (index % 2 == 0 ? 1 : 3) }
            return sum % 10 == 0
        case 10:
            for (index, digit) in digits.enumerated() { sum += Int(digit - 0x30) * (10 - index) }
            return sum % 11 == 0
        default: return false
        }
    }
}
