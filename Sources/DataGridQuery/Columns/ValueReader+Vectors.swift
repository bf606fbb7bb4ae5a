import CByteScan
import FieldValues
import Tables

/// Reads typed values of columnar tables directly, without converting them to text and parsing it.
extension ValueReader {
    /// The dates that have a text form, as days since 1970: those of the years 1 to 9999. A date in another year counts as unreadable.
    private static let readableDays: Range<Int64> = -719_162..<2_932_897

    /// Reads typed values as ``read(_:_:slot:thread:)-(ColumnVector,_,_,_)`` does, but only into the buffers of the thread.
    func readTyped(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) -> Bool {
        switch (ordering, vector.values) {
        case (.number(.point), .integers(let values, let scale)):
            // If a scaled number might not be exact as a double, read the text of the field instead.
            if scale > 0, mayExceedLimit(values, records), contains(vector, records, where: { values[$0].magnitude > FixedScale.limit }) {
                return false
            }
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
            // The range of readable times. A time of day must be less than a day. A date with a time must be in the years 1 to 9999 after
            // its seconds are rounded towards zero.
            let (first, last) =
                ordering == .temporal(.time)
                ? (0, 86_400 * unit - 1) : ((days.lowerBound * 86_400 - 1) * unit + 1, days.upperBound * 86_400 * unit - 1)
            if contains(vector, records, where: { !(times[$0] >= first && times[$0] <= last) }) { return false }
            // True if no time has a fraction of a second. The times are then stored in seconds.
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

    /// False if all numbers are within `FixedScale.limit`. This test reads each number once, with vector instructions.
    private func mayExceedLimit(_ numbers: UnsafePointer<Int64>, _ records: Range<Int>) -> Bool {
        // The bits that are set in the magnitude of any number. A negative number has the magnitude of its complement, plus 1.
        var bits: Int64 = 0
        for record in records { bits |= numbers[record] ^ (numbers[record] &>> 63) }
        return bits.magnitude >= FixedScale.limit
    }

    @inline(__always)
    private func contains(_ vector: ColumnVector, _ records: Range<Int>, where isMatch: (Int) -> Bool) -> Bool {
        // Test all records without a branch and without an early exit. This is faster, because nearly always no record matches.
        var found = 0
        if let presence = vector.presence {
            for record in records { found |= isMatch(record) && presence[record] != 0 ? 1 : 0 }
        } else {
            for record in records { found |= isMatch(record) ? 1 : 0 }
        }
        return found != 0
    }

    /// Stores values that all have the same number of fraction digits.
    /// - Parameter write: writes `count` numbers to `numbers`. It may write anything for missing fields.
    @inline(__always)
    private func put(
        _ vector: ColumnVector, _ records: Range<Int>, _ slot: Int, _ thread: Int, digits: UInt8,
        _ write: (_ numbers: UnsafeMutablePointer<Int64>, _ count: Int) -> Void
    ) {
        let offset = offset(slot)
        write(threadStates[thread].numbers.base + offset, records.count)
        finish(vector, records, at: offset, threadStates[thread], digits: digits)
    }

    /// Completes a range whose numbers have been written: stores their number of fraction digits, and marks missing fields in the classes.
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
        if hasValues { state.add(digits: digits) }
    }

    /// Stores doubles as decimal numbers if all of them have at most six fraction digits as text.
    ///
    /// A double is stored as an integer m with d fraction digits if m / 10^d is exactly that double. m and 10^d are exact and the division
    /// is correctly rounded. Therefore, the text of m with d decimals reads back as the same double.
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
        // Try the number of digits of the previous doubles first, because it usually fits. Even if fewer digits would suffice for this
        // batch, the stored column is the same, because other values of the column need this many digits.
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
