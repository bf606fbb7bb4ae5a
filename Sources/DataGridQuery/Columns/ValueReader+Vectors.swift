import CByteScan
import FieldValues
import Tables

/// Reads typed values of columnar tables without converting them to text and back.
extension ValueReader {
    /// The days of the years 1 to 9999. Strings of other years are not dates.
    private static let readableDays: Range<Int64> = -719_162..<2_932_897

    /// Reads typed values as ``read(_:_:slot:thread:)-(ColumnVector,_,_,_)`` does, into the memory of the thread.
    func readTyped(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) -> Bool {
        switch (ordering, vector.values) {
        case (.number(.point), .integers(let values, let scale)):
            // Decimal numbers with more digits than a double can hold are read as text.
            if scale > 0, contains(vector, records, where: { values[$0].magnitude > FixedScale.limit }) { return false }
            put(vector, records, slot, thread, digits: UInt8(scale)) { $0.update(from: values + records.lowerBound, count: $1) }
        case (.number(.point), .doubles(let values)): return put(vector, values, records, slot, thread)
        case (.temporal(.date, .iso), .dates(let days)):
            if contains(vector, records, where: { !Self.readableDays.contains(days[$0]) }) { return false }
            put(vector, records, slot, thread, digits: 0) { numbers, count in
                for offset in 0..<count { numbers[offset] = days[records.lowerBound &+ offset] &* 86_400 }
            }
        case (.temporal(.dateTime, .iso), .dateTimes(let times, let digits, _)), (.temporal(.time, .iso), .times(let times, let digits)):
            guard digits <= 6 else { return false }
            let (unit, toMicroseconds) = (FixedScale.power(digits), FixedScale.power(6 - digits))
            let days = Self.readableDays
            // The range of readable times: within a day, or date-times whose seconds, rounded towards zero, are in the readable years.
            let (first, last) =
                ordering == .temporal(.time)
                ? (0, 86_400 * unit - 1) : ((days.lowerBound * 86_400 - 1) * unit + 1, days.upperBound * 86_400 * unit - 1)
            if contains(vector, records, where: { !(times[$0] >= first && times[$0] <= last) }) { return false }
            // Times are stored in seconds if none has a fraction of a second.
            let isWhole =
                switch digits {
                case 3: !contains(vector, records) { times[$0] % 1_000 != 0 }
                case 6: !contains(vector, records) { times[$0] % 1_000_000 != 0 }
                default: !contains(vector, records) { times[$0] % unit != 0 }
                }
            put(vector, records, slot, thread, digits: isWhole ? 0 : 6) { numbers, count in
                let times = times + records.lowerBound
                if !isWhole {
                    for offset in 0..<count { numbers[offset] = times[offset] &* toMicroseconds }
                } else if digits == 6 {
                    for offset in 0..<count { numbers[offset] = times[offset] / 1_000_000 }
                } else {
                    for offset in 0..<count { numbers[offset] = times[offset] / unit }
                }
            }
        case (.flag, .flags(let flags)):
            put(vector, records, slot, thread, digits: 0) { numbers, count in
                for offset in 0..<count { numbers[offset] = flags[records.lowerBound &+ offset] == 0 ? 0 : 1 }
            }
        default: return false
        }
        return true
    }

    @inline(__always)
    private func contains(_ vector: ColumnVector, _ records: Range<Int>, where isMatch: (Int) -> Bool) -> Bool {
        // The loops have no branch for each value, because nearly always all values are tested.
        var found = 0
        if let presence = vector.presence {
            for record in records { found |= isMatch(record) && presence[record] != 0 ? 1 : 0 }
        } else {
            for record in records { found |= isMatch(record) ? 1 : 0 }
        }
        return found != 0
    }

    /// Stores values with the same fraction digits.
    /// - Parameter write: writes `count` numbers to `numbers`. The numbers of missing fields are undefined.
    @inline(__always)
    private func put(
        _ vector: ColumnVector, _ records: Range<Int>, _ slot: Int, _ thread: Int, digits: UInt8,
        _ write: (_ numbers: UnsafeMutablePointer<Int64>, _ count: Int) -> Void
    ) {
        let offset = offset(slot)
        write(threadStates[thread].numbers.base + offset, records.count)
        finish(vector, records, at: offset, threadStates[thread], digits: digits)
    }

    /// Stores the digits of numbers that have been written, and the classes of missing fields.
    private func finish(_ vector: ColumnVector, _ records: Range<Int>, at offset: Int, _ state: ThreadState, digits: UInt8) {
        (state.digits.base + offset).update(repeating: digits, count: records.count)
        var hasValues = true
        if let presence = vector.presence {
            hasValues = false
            for record in records {
                if presence[record] == 0 {
                    putNonValue(.missing, at: offset + record - records.lowerBound, state)
                } else {
                    hasValues = true
                }
            }
        }
        if hasValues { if state.common == nil { state.common = digits } else if state.common != digits { state.isUniform = false } }
    }

    /// Stores doubles as the decimal numbers that their texts show, if all of them have at most six fraction digits.
    ///
    /// A double is stored as the integer m with d fraction digits if m / 10^d is exactly that double. m and 10^d are exact and the division
    /// is correctly rounded, so the text of m with d decimals reads back as the same double.
    private func put(
        _ vector: ColumnVector, _ values: UnsafePointer<Double>, _ records: Range<Int>, _ slot: Int, _ thread: Int
    ) -> Bool {
        let state = threadStates[thread]
        let offset = offset(slot)
        let presence = vector.presence.map { $0 + records.lowerBound }
        func scale(_ digits: Int) -> Bool {
            gv_scale_doubles(
                values + records.lowerBound, presence, records.count, Double(FixedScale.power(digits)), Double(FixedScale.limit),
                state.numbers.base + offset) != 0
        }
        // Tries the number of digits of earlier values first, because most values have as many. If these values have fewer, the result is
        // the same: the column has values with that many digits in any case.
        if let last = state.doubleDigits, scale(last) {
            finish(vector, records, at: offset, state, digits: UInt8(last))
            return true
        }
        for digits in 0...6 where scale(digits) {
            state.doubleDigits = digits
            finish(vector, records, at: offset, state, digits: UInt8(digits))
            return true
        }
        return false
    }
}
