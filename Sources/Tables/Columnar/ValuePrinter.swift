package import FieldValues

/// Prints typed values of columns as text fields. Each batch reuses the same memory.
package struct ValuePrinter: ~Copyable {
    /// The maximum number of records that are printed at once. Wide tables have a lower limit.
    package static let maximumRecords = 512
    /// The maximum number of values that are printed at once, unless a single record has more.
    private static let maximumValues = 1 << 16
    /// The maximum number of bytes of a printed number, date or time. Strings are not printed, but passed as they are.
    private static let maximumBytes = 40

    /// The maximum number of records in one call of ``fields(of:in:)``: ``maximumRecords``, or fewer for a wide table.
    package let capacity: Int
    /// The indices of columns from which only valid JSON is passed. In these columns, any other text becomes a missing field.
    package var jsonColumns: [Int] = []
    private let width: Int
    private let fields: UnsafeMutablePointer<FieldBytes>
    private let bytes: UnsafeMutablePointer<UInt8>

    /// Creates a printer.
    /// - Parameter width: the number of columns.
    package init(width: Int) {
        self.width = width
        capacity = max(1, min(Self.maximumRecords, Self.maximumValues / max(1, width)))
        fields = .allocate(capacity: max(1, width * capacity))
        fields.initialize(repeating: .missing, count: max(1, width * capacity))
        bytes = .allocate(capacity: max(1, width * capacity * Self.maximumBytes))
    }

    deinit {
        fields.deallocate()
        bytes.deallocate()
    }

    /// Prints records of a batch. The result is valid until the next call.
    /// - Parameter records: at most ``capacity`` records, counted from the first record of the batch.
    package mutating func fields(of records: Range<Int>, in batch: ColumnBatch) -> FieldBatch {
        for (column, vector) in batch.columns.enumerated() { print(vector, records, column) }
        for column in jsonColumns {
            for fieldIndex in stride(from: column, to: column + records.count * width, by: width) where !fields[fieldIndex].isJSON {
                fields[fieldIndex] = .missing
            }
        }
        return FieldBatch(firstRecord: batch.firstRecord + records.lowerBound, count: records.count, width: width, fields: fields)
    }

    private func print(_ vector: ColumnVector, _ records: Range<Int>, _ column: Int) {
        switch vector.values {
        case .integers(let values, let scale): put(vector, records, column) { $0.put(values[$1], scale: scale) }
        case .doubles(let values): put(vector, records, column) { $0.put(values[$1].description) }
        case .floats(let values): put(vector, records, column) { $0.put(values[$1].description) }
        case .flags(let values): put(vector, records, column) { $0.put(values[$1] == 0 ? "false" : "true") }
        case .dates(let values): put(vector, records, column) { $0.putDate(values[$1]) }
        case .dateTimes(let values, let digits, let isUTC):
            put(vector, records, column) { $0.putDateTime(values[$1], digits: digits, isUTC: isUTC) }
        case .times(let values, let digits): put(vector, records, column) { $0.putTime(values[$1], digits: digits) }
        case .texts(let texts): putTexts(vector, records, column) { texts[$0] }
        case .codes(let codes, let dictionary):
            putTexts(vector, records, column) { record in
                let code = Int(codes[record])
                return code < dictionary.count ? dictionary[code] : .missing
            }
        }
    }

    @inline(__always)
    private func putTexts(_ vector: ColumnVector, _ records: Range<Int>, _ column: Int, _ text: (Int) -> FieldBytes) {
        var fieldIndex = column
        for record in records {
            fields[fieldIndex] = vector.presence.map { $0[record] == 0 } ?? false ? .missing : text(record)
            fieldIndex += width
        }
    }

    @inline(__always)
    private func put(_ vector: ColumnVector, _ records: Range<Int>, _ column: Int, _ print: (inout ValueTextWriter, Int) -> Void) {
        var fieldIndex = column
        var output = ValueTextWriter(bytes + column * capacity * Self.maximumBytes)
        for record in records {
            if let presence = vector.presence, presence[record] == 0 {
                fields[fieldIndex] = .missing
            } else {
                output.begin()
                print(&output, record)
                fields[fieldIndex] = output.field
            }
            fieldIndex += width
        }
    }
}

extension ColumnVector.Values {
    /// All ASCII characters that printed values can contain; `nil` for strings, which can contain any characters. Searches skip columns
    /// that cannot contain the searched text.
    package var printedCharacters: String? {
        switch self {
        case .integers(_, let scale): scale > 0 ? "-.0123456789" : "-0123456789"
        // Characters of numbers such as 0.1, 1e-05, -inf and nan.
        case .doubles, .floats: "+-.0123456789aefin"
        case .flags: "aeflrstu"
        case .dates: "-0123456789"
        case .dateTimes(_, _, let isUTC): isUTC ? " -.0123456789:Z" : " -.0123456789:"
        case .times: ".0123456789:"
        case .texts, .codes: nil
        }
    }
}

/// Writes values as text to a buffer.
package struct ValueTextWriter {
    private var start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    package init(_ start: UnsafeMutablePointer<UInt8>) { (self.start, end) = (start, start) }

    /// Starts a value after the end of the previous one.
    package mutating func begin() { start = end }

    /// The text written since ``begin()``.
    package var field: FieldBytes { FieldBytes(start: UnsafePointer(start), count: end - start) }

    package static func power(_ digits: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<digits { power *= 10 }
        return power
    }

    /// Divides and rounds the quotient down, so that the remainder is never negative. `divisor` is positive.
    package static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    package mutating func put(_ byte: UInt8) {
        end.initialize(to: byte)
        end += 1
    }

    package mutating func put(_ text: String) { for byte in text.utf8 { put(byte) } }

    /// Writes a number with at least `width` digits, padded with zeros.
    package mutating func put(_ number: UInt64, width: Int = 1) {
        var digits = 1
        var limit: UInt64 = 10
        while digits < 20, number >= limit {
            digits += 1
            let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
            if overflow { break }
            limit = next
        }
        let count = max(width, digits)
        var rest = number
        for index in (0..<count).reversed() {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            end[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        end += count
    }

    /// Writes `value / 10^scale` with exactly `scale` digits after the decimal point.
    package mutating func put(_ value: Int64, scale: Int) {
        if value < 0 { put(UInt8(ascii: "-")) }
        guard scale > 0 else { return put(value.magnitude) }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(Self.power(scale)))
        put(whole)
        put(UInt8(ascii: "."))
        put(fraction, width: scale)
    }

    /// Writes a date as `yyyy-mm-dd`. Years outside 0000 to 9999 have a sign or more digits.
    package mutating func putDate(_ days: Int64) {
        // The algorithm of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days since 0000-03-01, in eras of 400 years.
        let (era, dayOfEra) = Self.floorDivide(days &+ 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        if year < 0 { put(UInt8(ascii: "-")) }
        put(year.magnitude, width: 4)
        put(UInt8(ascii: "-"))
        put(month.magnitude, width: 2)
        put(UInt8(ascii: "-"))
        put((dayOfYear - (153 * shifted + 2) / 5 + 1).magnitude, width: 2)
    }

    /// Writes a time since 1970, in units of `10^-digits` seconds.
    package mutating func putDateTime(_ time: Int64, digits: Int, isUTC: Bool) {
        let (day, rest) = Self.floorDivide(time, 86_400 * Self.power(digits))
        putDate(day)
        put(UInt8(ascii: " "))
        putTime(rest, digits: digits)
        if isUTC { put(UInt8(ascii: "Z")) }
    }

    /// Writes a time of day as `hh:mm:ss`, with a fraction of 3, 6 or 9 digits if it is not zero.
    package mutating func putTime(_ time: Int64, digits: Int) {
        let (seconds, fraction) = Self.floorDivide(time, Self.power(digits))
        put((seconds / 3_600).magnitude, width: 2)
        put(UInt8(ascii: ":"))
        put((seconds / 60 % 60).magnitude, width: 2)
        put(UInt8(ascii: ":"))
        put((seconds % 60).magnitude, width: 2)
        guard fraction != 0 else { return }
        put(UInt8(ascii: "."))
        var (shown, width) = (fraction, digits)
        while width > 3 && width % 3 == 0 && shown % 1_000 == 0 { (shown, width) = (shown / 1_000, width - 3) }
        put(shown.magnitude, width: width)
    }
}
