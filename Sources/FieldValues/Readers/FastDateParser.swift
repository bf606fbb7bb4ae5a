import CByteScan

/// A fast parser for the most common forms of dates: `yyyy-mm-dd`, and `yyyy-mm-ddThh:mm:ss` with an optional fraction, without a zone.
package enum FastDateParser {
    /// A date as microseconds since 1970; `nil` for other forms, which ``ParsedDateTime`` parses.
    @inline(__always)
    static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        seconds(text.baseAddress, text.count, hasTime: false).map { $0 &* 1_000_000 }
    }

    /// A date with a time as microseconds since 1970; `nil` for other forms, which ``ParsedDateTime`` parses.
    @inline(__always)
    static func microseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count >= 19, let start = text.baseAddress, let seconds = seconds(start, 19, hasTime: true) else { return nil }
        var microseconds = seconds &* 1_000_000
        guard text.count > 19 else { return microseconds }
        guard text.count > 20, start[19] == UInt8(ascii: ".") || start[19] == UInt8(ascii: ",") else { return nil }
        var unit: Int64 = 100_000
        for index in 20..<text.count {
            let digit = start[index] &- 0x30
            guard digit < 10 else { return nil }
            microseconds &+= Int64(digit) &* unit
            unit /= 10
        }
        return microseconds
    }

    /// Parses the fields of a column from record `first` on. Stops at the first field that has another form or a fraction of a second.
    /// - Parameters:
    ///   - kind: ``ValueKind/dateTime``, or ``ValueKind/date`` for dates without times.
    ///   - seconds: the buffer for the results, in seconds since 1970.
    /// - Returns: the number of parsed fields.
    package static func read(
        _ batch: FieldBatch, from first: Int, column: Int, _ kind: ValueKind, seconds: UnsafeMutablePointer<Int64>
    ) -> Int {
        guard kind == .date || kind == .dateTime else { return 0 }
        let fields = UnsafeRawPointer(batch.fields + first * batch.width + column).assumingMemoryBound(to: gv_field.self)
        return gv_read_dates(fields, batch.width, batch.count - first, kind == .dateTime ? 1 : 0, seconds)
    }

    @inline(__always)
    private static func seconds(_ start: UnsafePointer<UInt8>?, _ count: Int, hasTime: Bool) -> Int64? {
        var field = gv_field(start: start, count: count)
        var seconds: Int64 = 0
        return gv_read_dates(&field, 1, 1, hasTime ? 1 : 0, &seconds) == 1 ? seconds : nil
    }
}
