/// A date, a time of day, or both, with up to nine digits in the fraction of a second.
package struct ExactDateTime {
    /// Microseconds, as ``FieldBytes/temporal(_:_:)`` returns them.
    package var microseconds: Int64
    /// The nanoseconds in addition to ``microseconds``, 0 to 999.
    package var nanoseconds: Int
    /// True if the field has a time zone, or is a time since 1970, which is always in UTC.
    package var hasZone: Bool
}

extension FieldBytes {
    /// The field as a date, a time or both, without any loss of digits.
    ///
    /// `nil` if the field does not parse, is a leap second, or has a nonzero digit after the ninth digit of the fraction. For a date, also
    /// `nil` if the field is a time since 1970 other than midnight.
    package func exactDateTime(_ kind: ValueKind, _ notation: DateNotation) -> ExactDateTime? {
        if kind == .date || kind == .dateTime, let microseconds = FastDateParser.day(bytes) {
            return ExactDateTime(microseconds: microseconds, nanoseconds: 0, hasZone: false)
        }
        let isPlain = kind == .dateTime
        if isPlain, let microseconds = FastDateParser.microseconds(bytes) {
            return Self.nanoseconds(of: bytes).map { ExactDateTime(microseconds: microseconds, nanoseconds: $0, hasZone: false) }
        }
        let text = trimmed
        guard kind.isTemporal, let moment = ParsedDateTime(text, kind, notation) else { return nil }
        let isNumber = notation.isEpoch && FixedPoint.read(FieldBytes(start: text.baseAddress, count: text.count)) != nil
        if kind == .date, isNumber, ParsedDateTime(text, .dateTime, notation)?.timeOfDay != 0 { return nil }
        return Self.nanoseconds(of: text).map {
            ExactDateTime(microseconds: moment.microseconds, nanoseconds: $0, hasZone: isNumber || moment.zoneMinutes != nil)
        }
    }

    /// The nanoseconds after the last whole microsecond of a parsed time, 0 to 999. `nil` for a leap second, and for a nonzero digit after
    /// the ninth.
    private static func nanoseconds(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        // Without a second colon after the two digits of the minute, the time has no seconds.
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon + 5 < text.count, text[colon + 3] == UInt8(ascii: ":") else {
            return 0
        }
        if text[colon + 4] == UInt8(ascii: "6") { return nil }
        var unit = 100
        var nanoseconds = 0
        // The offset of the seventh digit of the fraction, the first one after the microseconds.
        var offset = colon + 13
        guard offset < text.count, text[colon + 7..<offset].allSatisfy(isDigit) else { return 0 }
        while offset < text.count, isDigit(text[offset]) {
            let digit = Int(text[offset] &- 0x30)
            if unit == 0, digit != 0 { return nil }
            nanoseconds += digit * unit
            unit /= 10
            offset += 1
        }
        return nanoseconds
    }
}
