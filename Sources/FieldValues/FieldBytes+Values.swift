// Reading a field as a typed value, without a String or an allocation. The readers themselves are in `Readers`.

extension FieldBytes {
    /// Whether the field is missing, empty, or nothing but spaces and tabs.
    /// - Complexity: O(leading blanks).
    public var isBlank: Bool {
        guard let start else { return true }
        for index in 0..<count where !isBlankByte(start[index]) { return false }
        return true
    }

    /// The field as a whole number of 64 bits; blanks around it, a sign and well-placed thousands separators (`1,234,567`; by
    /// ``NumberNotation/comma``, `1.234.567`) are allowed.
    ///
    /// Leading zeros are read over; −0 is 0. `nil` when the number is beyond 64 bits — it is still a
    /// ``decimal(_:)`` — and for anything with a fraction, an exponent or a percent sign.
    /// - Complexity: O(`count`).
    public func integer(_ notation: NumberNotation = .point) -> Int64? { readInteger(trimmed, notation) }

    /// The field as a decimal number: what ``integer(_:)`` takes, and fractions, exponents, a percent sign (`12%` is 0.12), inf and nan.
    ///
    /// The nearest `Double`, ties to even: integers beyond 2^53 are rounded, 1e400 is infinity, 1e-400 is 0. −0 keeps its sign. `5.` and
    /// `.5` are numbers, a lone point is not; a comma only ever separates thousands, so `1,5` is no number. By ``NumberNotation/comma``
    /// point and comma change places. `inf`, `infinity` and `nan` are read in any case and with a sign.
    /// - Complexity: O(`count`).
    public func decimal(_ notation: NumberNotation = .point) -> Double? { readDecimal(trimmed, notation) }

    /// The field as a decimal number without rounding. For fields that ``decimal(_:)`` reads as finite numbers.
    ///
    /// `nil` when the number does not fit in 128 bits, or has more than 38 digits after the point: `1e-300`.
    /// - Complexity: O(`count`).
    public func exactDecimal(_ notation: NumberNotation = .point) -> ExactDecimal? { readExact(trimmed, notation) }

    /// The field as a point in time: microseconds since 1970-01-01T00:00 (UTC where a zone is given, else as written);
    /// for ``ValueKind/time``, microseconds since midnight. `nil` for other kinds and for text that is no such value.
    ///
    /// - Dates are `yyyy-mm-dd`, `yyyy/mm/dd` and `dd.mm.yyyy`, in the Gregorian calendar, years 0000 to 9999.
    /// - Times are `hh:mm`, `hh:mm:ss` and `hh:mm:ss.ffffff`; digits beyond microseconds are cut off. A leap second (`hh:59:60`) is the
    ///   second after it.
    /// - Date-times are a date, `T` or a blank, and a time, and perhaps `Z`, `±hh:mm`, `±hhmm` or `±hh`. A date alone is its midnight,
    ///   so a column of both is of date-times; whoever infers a kind asks for ``ValueKind/date`` first.
    ///
    /// Slashed dates with the year last are not read: which of day and month comes first is a property of a column, not of a field.
    public func temporal(_ kind: ValueKind) -> Int64? {
        if kind == .dateTime, let microseconds = PlainMoment.microseconds(bytes) { return microseconds }
        guard kind.isTemporal, let moment = Moment(trimmed, kind) else { return nil }
        return moment.microseconds
    }

    /// The field as a truth value: true/false, yes/no, y/n, t/f in any case. Not 0 and 1, which are numbers.
    public func flag() -> Bool? {
        let text = trimmed
        switch text.count {
        case 1:
            let letter = text[0] | 0x20
            return letter == UInt8(ascii: "y") || letter == UInt8(ascii: "t")
                ? true : letter == UInt8(ascii: "n") || letter == UInt8(ascii: "f") ? false : nil
        case 2: return text.equalsIgnoringCase("no") ? false : nil
        case 3: return text.equalsIgnoringCase("yes") ? true : nil
        case 4: return text.equalsIgnoringCase("true") ? true : nil
        case 5: return text.equalsIgnoringCase("false") ? false : nil
        default: return nil
        }
    }

    /// Whether the field can be read as `kind`, numbers by `notation`. Blank fields can be read as nothing but text; anything is text.
    public func reads(as kind: ValueKind, _ notation: NumberNotation = .point) -> Bool {
        switch kind {
        case .text: true
        case .integer: integer(notation) != nil
        case .decimal: decimal(notation) != nil
        case .date, .dateTime, .time: temporal(kind) != nil
        case .flag: flag() != nil
        }
    }

    /// Calls `body` with the UTF-8 bytes of `text` as a field; the empty text is an empty field, not a missing one.
    public static func withBytes<Result>(of text: String, _ body: (FieldBytes) throws -> Result) rethrows -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            if let start = bytes.baseAddress { return try body(FieldBytes(start: start, count: bytes.count)) }
            return try withUnsafePointer(to: UInt8(0)) { try body(FieldBytes(start: $0, count: 0)) }
        }
    }

    /// The bytes without the blanks around them.
    package var trimmed: UnsafeBufferPointer<UInt8> {
        guard let start else { return UnsafeBufferPointer(start: nil, count: 0) }
        var first = 0
        var end = count
        while first < end, isBlankByte(start[first]) { first += 1 }
        while end > first, isBlankByte(start[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(start: start + first, count: end - first)
    }
}

@inline(__always)
func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are `word`, which is in lower-case ASCII, in any case.
    func equalsIgnoringCase(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] | 0x20 != word.utf8Start[index] { return false }
        return true
    }
}

extension FieldBytes {
    /// Calls `body` with texts as fields; `nil` is a missing field. O(bytes).
    public static func withFields<Result>(
        of texts: [String?], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) throws -> Result
    ) rethrows -> Result {
        var bytes: [UInt8] = []
        let places = texts.map { text -> Range<Int>? in
            guard let text else { return nil }
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            return start..<bytes.count
        }
        // An empty field has a start too.
        bytes.append(0)
        return try bytes.withUnsafeBufferPointer { bytes in
            let fields = places.map { $0.map { FieldBytes(start: bytes.baseAddress! + $0.lowerBound, count: $0.count) } ?? .missing }
            return try fields.withUnsafeBufferPointer(body)
        }
    }
}
