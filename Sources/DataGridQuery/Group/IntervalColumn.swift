import FieldValues
import Tables

/// Replaces the values of a column by their intervals, such as months, so that they can be grouped like distinct fields.
///
/// Intervals are computed from numbers, not from strings. Memory: 4 bytes per slot. If the intervals are far apart, 32 more bytes per value
/// while the values are sorted.
struct IntervalColumn {
    private let values: ValueVector
    private let interval: GroupInterval
    private let isTimeOfDay: Bool
    private let threads: Int
    private let control: JobControl

    /// - Parameter ordering: the sort ordering with which `values` were read.
    init(_ values: ValueVector, _ interval: GroupInterval, _ ordering: SortOrdering, threads: Int, control: JobControl) {
        (self.values, self.interval, self.threads, self.control) = (values, interval, max(1, threads), control)
        isTimeOfDay = ordering == .temporal(.time)
    }

    /// The column of intervals. The field numbers are in the order of the intervals. The field of an interval is its start as text.
    func numberedColumn() throws -> NumberedColumn {
        let numbers = try UnsafeArray<UInt32>(count: values.count)
        let fields = IntervalFields()
        let intervalIndex = try intervalFinder()
        var isDone = false
        if values.representation != .double, values.minimum <= values.maximum, let first = intervalIndex(0, values.minimum),
            let last = intervalIndex(0, values.maximum), case let (span, overflows) = last.subtractingReportingOverflow(first), !overflows,
            span < max(1 << 16, min(1 << 22, 4 * values.count))
        {
            try numberIntervals(numbers, fields, from: first, count: span + 1, intervalIndex)
            isDone = true
        }
        if !isDone { try numberIntervalsBySorting(numbers, fields, intervalIndex) }
        return NumberedColumn(slotCount: values.count, numbers: numbers, fields: fields)
    }

    // MARK: Interval indices

    /// A function that returns the index of the interval of a value; `nil` if the index does not fit in 64 bits. A greater value never has
    /// a smaller index.
    private func intervalFinder() throws -> (_ slot: Int, _ key: UInt64) -> Int? {
        switch interval {
        case .period(let period): return try periodFinder(period)
        case .bins(let width): return binFinder(width)
        }
    }

    private func periodFinder(_ period: GroupInterval.Period) throws -> (_ slot: Int, _ key: UInt64) -> Int? {
        guard case .fixed(let digits) = values.representation else { return { _, _ in nil } }
        let second = Int(FixedScale.power(digits))
        let (hour, day) = (3_600 * second, 86_400 * second)
        func dayNumber(of key: UInt64) -> Int { Self.quotient(Int(ValueVector.integer(of: key)), day) }
        switch period {
        // The leap second of a time of day, 23:59:60, belongs to the last hour.
        case .hour where isTimeOfDay: return { _, key in min(Self.quotient(Int(ValueVector.integer(of: key)), hour), 23) }
        case .hour: return { _, key in Self.quotient(Int(ValueVector.integer(of: key)), hour) }
        case .day: return { _, key in dayNumber(of: key) }
        // Day 0, 1970-01-01, was a Thursday, so three days are added for weeks that start on Monday.
        case .week: return { _, key in Self.quotient(dayNumber(of: key) + 3, 7) }
        case .month, .quarter, .year: break
        }
        func index(_ day: Int) -> Int {
            let day = CalendarDay(daysSinceEpoch: day)
            switch period {
            case .month: return day.year * 12 + day.month - 1
            case .quarter: return day.year * 4 + (day.month - 1) / 3
            default: return day.year
            }
        }
        guard values.minimum <= values.maximum else { return { _, _ in nil } }
        let (first, last) = (dayNumber(of: values.minimum), dayNumber(of: values.maximum))
        guard last - first < 1 << 20 else { return { _, key in index(dayNumber(of: key)) } }
        let indexOfDay = try UnsafeArray<Int>(count: last - first + 1)
        for day in first...last {
            try control.checkCancellation(at: day - first)
            indexOfDay[day - first] = index(day)
        }
        return { _, key in indexOfDay[dayNumber(of: key) - first] }
    }

    private func binFinder(_ width: ExactDecimal) -> (_ slot: Int, _ key: UInt64) -> Int? {
        func bin(of number: Int128, digits: Int) -> Int? {
            guard let scaled = ExactDecimal.scaled(number, by: max(0, width.digits - digits)),
                let divisor = ExactDecimal.scaled(width.mantissa, by: max(0, digits - width.digits))
            else { return nil }
            let (quotient, rest) = scaled.quotientAndRemainder(dividingBy: divisor)
            return Int(exactly: rest < 0 ? quotient - 1 : quotient)
        }
        switch values.representation {
        case .fixed(let digits):
            // Most numbers fit in 64 bits. Such numbers are divided faster than numbers of 128 bits.
            if digits >= width.digits,
                let divisor = ExactDecimal.scaled(width.mantissa, by: digits - width.digits).flatMap({ Int(exactly: $0) })
            {
                return { _, key in Self.quotient(Int(ValueVector.integer(of: key)), divisor) }
            }
            return { _, key in bin(of: Int128(ValueVector.integer(of: key)), digits: digits) }
        case .double:
            if let digits = values.exactDigits { return { slot, _ in bin(of: values.exactNumber(at: slot), digits: digits) } }
            let divisor = width.double
            return { _, key in
                let number = ValueVector.decimal(of: key)
                let quotient = number / divisor
                guard quotient.magnitude < 0x1p62 else { return nil }
                // The quotient of a number such as −5e-324 is −0.
                if quotient == 0 { return number < 0 ? -1 : 0 }
                // Near the start of an interval, rounding may move the quotient to the next or previous interval. There, the decimal digits
                // of the number decide, so that 0.3 belongs to the interval from 0.3, although 3 × 0.1 is greater as a double.
                if (quotient - quotient.rounded()).magnitude <= quotient.magnitude * 0x1p-50,
                    let exact = ExactDecimal(shortestTextOf: number)
                {
                    return bin(of: exact.mantissa, digits: exact.digits)
                }
                return Int(quotient.rounded(.down))
            }
        }
    }

    /// The quotient, rounded down even if it is negative. The divisor must be positive.
    @inline(__always)
    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    // MARK: Numbers

    /// Gives numbers to the intervals that have values. All intervals have indices from `first` to `first` + `count`, exclusive.
    private func numberIntervals(
        _ numbers: UnsafeArray<UInt32>, _ fields: IntervalFields, from first: Int, count: Int, _ intervalIndex: (Int, UInt64) -> Int?
    ) throws {
        // Two more indices stand for unreadable fields and for empty or missing fields.
        let width = count + 2
        let used = try UnsafeArray<UInt8>(count: threads * width, repeating: 0)
        try forEachRange(of: values.count, threads: threads, control: control) { thread, range in
            let used = used.base + thread * width
            try values.forEachField(in: range) { slot, key, kind in
                let index =
                    kind == FieldClass.value.rawValue
                    ? (intervalIndex(slot, key) ?? first) - first : kind < FieldClass.blank.rawValue ? count : count + 1
                numbers[slot] = UInt32(truncatingIfNeeded: index)
                used[index] = 1
            }
        }
        let numberOfIndex = try UnsafeArray<UInt32>(count: width, repeating: 0)
        for index in 0..<width {
            try control.checkCancellation(at: index)
            guard (0..<threads).contains(where: { used[$0 * width + index] == 1 }) else { continue }
            numberOfIndex[index] = UInt32(fields.count)
            if index < count { try fields.append(key(ofInterval: first + index)) } else { try fields.append(isBlank: index > count) }
        }
        // If every interval has values, the index of an interval is already its number.
        if (0..<fields.count).allSatisfy({ numberOfIndex[$0] == $0 }) { return }
        try forEachRange(of: values.count, threads: threads, control: control) { _, range in
            for slot in range { numbers[slot] = numberOfIndex[Int(numbers[slot])] }
        }
    }

    /// Gives numbers to intervals that are far apart. An array with an element for each index would be too large, so the values are sorted
    /// by interval instead.
    private func numberIntervalsBySorting(_ numbers: UnsafeArray<UInt32>, _ fields: IntervalFields, _ intervalIndex: (Int, UInt64) -> Int?)
        throws
    {
        func forEachInterval(_ body: (_ slot: Int, _ intervalIndex: Int?, _ isBlank: Bool) -> Void) throws {
            for block in 0..<values.blockCount {
                try control.checkCancellation()
                try values.forEachField(in: values.slots(ofBlock: block)) { slot, key, kind in
                    let isValue = kind == FieldClass.value.rawValue
                    body(slot, isValue ? intervalIndex(slot, key) : nil, kind >= FieldClass.blank.rawValue)
                }
            }
        }
        var (count, others, blanks) = (0, 0, 0)
        try forEachInterval { _, intervalIndex, isBlank in
            if intervalIndex != nil { count += 1 } else if isBlank { blanks += 1 } else { others += 1 }
        }
        let items = try UnsafeArray<KeyedIndex>(count: count)
        var filled = 0
        try forEachInterval { slot, intervalIndex, _ in
            guard let intervalIndex else { return }
            items[filled] = KeyedIndex(radixKey: ValueVector.key(of: Int64(intervalIndex)), index: UInt32(slot))
            filled += 1
        }
        let sorted = try RadixSort<KeyedIndex>(threads: threads, control: control).sorted(items)
        for index in 0..<count {
            try control.checkCancellation(at: index)
            let item = sorted[index]
            if index == 0 || item.radixKey != sorted[index - 1].radixKey {
                try fields.append(key(ofInterval: Int(ValueVector.integer(of: item.radixKey))))
            }
            numbers[Int(item.index)] = UInt32(fields.count - 1)
        }
        let (other, blank) = (UInt32(fields.count), UInt32(fields.count + (others > 0 ? 1 : 0)))
        if others > 0 { try fields.append(isBlank: false) }
        if blanks > 0 { try fields.append(isBlank: true) }
        try forEachInterval { slot, intervalIndex, isBlank in if intervalIndex == nil { numbers[slot] = isBlank ? blank : other } }
    }

    // MARK: Keys

    /// The start of an interval as text: `2024-03-01`, `2024-03-01 13:00:00`, `13:00:00` or `0.5`.
    private func key(ofInterval intervalIndex: Int) -> String {
        switch interval {
        case .bins(let width): return ExactDecimal(Int128(intervalIndex) * width.mantissa, digits: width.digits).text
        case .period(.year): return Self.text(CalendarDay(year: intervalIndex, month: 1, day: 1))
        case .period(.quarter):
            let year = Self.quotient(intervalIndex, 4)
            return Self.text(CalendarDay(year: year, month: (intervalIndex - year * 4) * 3 + 1, day: 1))
        case .period(.month):
            let year = Self.quotient(intervalIndex, 12)
            return Self.text(CalendarDay(year: year, month: intervalIndex - year * 12 + 1, day: 1))
        case .period(.week): return Self.text(CalendarDay(daysSinceEpoch: intervalIndex * 7 - 3))
        case .period(.day): return Self.text(CalendarDay(daysSinceEpoch: intervalIndex))
        case .period(.hour):
            let day = Self.quotient(intervalIndex, 24)
            let hour = DateText.padded(intervalIndex - day * 24, 2) + ":00:00"
            return isTimeOfDay ? hour : Self.text(CalendarDay(daysSinceEpoch: day)) + " " + hour
        }
    }

    private static func text(_ day: CalendarDay) -> String {
        "\(DateText.padded(day.year, 4))-\(DateText.padded(day.month, 2))-\(DateText.padded(day.day, 2))"
    }
}

/// The starts of the intervals as text, ascending. If the column has unreadable fields, one field for them follows. If it has empty or
/// missing fields, an empty field is the last.
private final class IntervalFields: FieldList, @unchecked Sendable {
    private var arena = ByteArena()
    private var starts = [0]
    private var intervalCount = 0

    deinit { arena.deallocate() }

    func append(_ key: String) throws {
        intervalCount += 1
        try appendField(key)
    }

    func append(isBlank: Bool) throws { try appendField(isBlank ? "" : GroupInterval.otherKey) }

    private func appendField(_ text: String) throws {
        var text = text
        try text.withUTF8 { try arena.append($0) }
        try starts.makeRoom()
        starts.append(arena.count)
    }

    var count: Int { starts.count - 1 }

    var byteCount: Int { arena.count + starts.count * MemoryLayout<Int>.stride }

    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: arena.base + starts[number], count: starts[number + 1] - starts[number])
    }

    func groupRanks(_ ordering: SortOrdering, isDescending: Bool, threads: Int, control: JobControl) throws -> [UInt32] {
        let intervals = intervalCount
        return try [UInt32](count: count, threads: threads, control: control) { number in
            UInt32(isDescending && number < intervals ? intervals - 1 - number : number)
        }
    }
}
