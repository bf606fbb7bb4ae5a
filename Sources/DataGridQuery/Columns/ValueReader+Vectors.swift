import FieldValues
import Tables

/// Typed values of columnar tables, which are stored without printing and parsing them.
extension ValueReader {
    /// The days of the years 1 to 9999. Strings of other years are not dates.
    private static let readableDays: Range<Int64> = -719_162..<2_932_897

    func read(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) throws -> Bool {
        switch (ordering, vector.values) {
        case (.number(.point), .integers(let values, let scale)):
            // Decimal numbers with more digits than a double can hold are read as text.
            if scale > 0, contains(vector, records, where: { values[$0].magnitude > FixedScale.limit }) { return false }
            put(vector, records, slot, thread) { (values[$0], UInt8(scale)) }
        case (.number(.point), .doubles(let values)): return put(vector, values, records, slot, thread)
        case (.temporal(.date, .iso), .dates(let days)):
            if contains(vector, records, where: { !Self.readableDays.contains(days[$0]) }) { return false }
            put(vector, records, slot, thread) { (days[$0] &* 86_400, 0) }
        case (.temporal(.dateTime, .iso), .dateTimes(let times, let digits, _)), (.temporal(.time, .iso), .times(let times, let digits)):
            guard digits <= 6 else { return false }
            let unit = FixedScale.power(digits)
            let toMicroseconds = FixedScale.power(6 - digits)
            let days = Self.readableDays
            let seconds = days.lowerBound * 86_400..<days.upperBound * 86_400
            if contains(vector, records, where: { !seconds.contains(times[$0] / unit) }) { return false }
            put(vector, records, slot, thread) { record in
                let (seconds, fraction) = times[record].quotientAndRemainder(dividingBy: unit)
                return fraction == 0 ? (seconds, 0) : (times[record] &* toMicroseconds, 6)
            }
        case (.flag, .flags(let flags)): put(vector, records, slot, thread) { (flags[$0] == 0 ? 0 : 1, 0) }
        default: return false
        }
        return true
    }

    private func contains(_ vector: ColumnVector, _ records: Range<Int>, where isFound: (Int) -> Bool) -> Bool {
        for record in records where vector.presence.map({ $0[record] != 0 }) ?? true { if isFound(record) { return true } }
        return false
    }

    @inline(__always)
    private func put(
        _ vector: ColumnVector, _ records: Range<Int>, _ slot: Int, _ thread: Int, _ value: (Int) -> (number: Int64, digits: UInt8)
    ) {
        let state = states[thread]
        var place = slot & (rangeSize - 1)
        for record in records {
            if let presence = vector.presence, presence[record] == 0 {
                putNonValue(.missing, at: place, state)
            } else {
                let (number, digits) = value(record)
                put(number, digits: digits, at: place, state)
            }
            place += 1
        }
    }

    /// Stores doubles as the decimal numbers that print them, if all of them have at most six fraction digits.
    ///
    /// The number m / 10^d prints as a double that is nearest to it, because m and 10^d are exact and the division is correctly rounded.
    private func put(
        _ vector: ColumnVector, _ values: UnsafePointer<Double>, _ records: Range<Int>, _ slot: Int, _ thread: Int
    ) -> Bool {
        let maximumDigits = 6
        func scaled(_ value: Double, _ digits: Int) -> Int64? {
            let power = Double(FixedScale.power(digits))
            let number = (value * power).rounded()
            guard number.magnitude <= Double(FixedScale.limit), number / power == value else { return nil }
            return Int64(number)
        }
        var digits = 0
        for record in records where vector.presence.map({ $0[record] != 0 }) ?? true {
            // The text of -0.0 differs from that of 0.0.
            if values[record] == 0, values[record].sign == .minus { return false }
            while scaled(values[record], digits) == nil {
                digits += 1
                if digits > maximumDigits { return false }
            }
        }
        let power = Double(FixedScale.power(digits))
        // Numbers with fewer digits may exceed the limit when they are scaled to the common digits.
        if contains(vector, records, where: { (values[$0] * power).magnitude > Double(FixedScale.limit) }) { return false }
        put(vector, records, slot, thread) { (Int64((values[$0] * power).rounded()), UInt8(digits)) }
        return true
    }
}
