// Typed values of a field, parsed without a String or an allocation. The parsers are in `Readers`.

extension FieldBytes {
    /// True if the field is missing, empty, or contains only spaces and tabs.
    /// - Complexity: O(leading blanks).
    public var isBlank: Bool {
        guard let start else { return true }
        for index in 0..<count where !isBlankByte(start[index]) { return false }
        return true
    }

    /// The field as a 64-bit integer. Surrounding blanks, a sign and thousands separators are allowed (`1,234,567`; with
    /// ``DecimalStyle/comma``, `1.234.567`). In both notations, apostrophes, no-break spaces and thin spaces also separate thousands, as in
    /// `1'234'567`.
    ///
    /// Leading zeros are ignored; −0 is 0. `nil` if the number exceeds 64 bits, or has a fraction, an exponent or a percent sign;
    /// ``decimal(_:)`` accepts such numbers. A unit of the notation is allowed, as in ``decimal(_:)``. A size such as `1.5K` is an integer,
    /// because its value 1536 has no fraction.
    /// - Complexity: O(`count`).
    public func integer(_ notation: DecimalStyle = .point) -> Int64? {
        if let number = readInteger(trimmed, notation) { return number }
        guard notation.unit.acceptsAmounts else { return nil }
        return readAmount(notation) { $0.integer(notation) }
    }

    /// The field as a decimal number: any ``integer(_:)``, fractions, exponents, a percent sign (`12%` is 0.12), inf and nan.
    ///
    /// The nearest `Double`, ties to even: integers beyond 2^53 are rounded, 1e400 is infinity, 1e-400 is 0. −0 keeps its sign. `5.` and
    /// `.5` are numbers, a single point is not. A comma only separates thousands, so `1,5` is not a number. With ``DecimalStyle/comma``,
    /// point and comma are exchanged. `inf`, `infinity` and `nan` are accepted ignoring case, and with a sign. If the notation has a
    /// currency, it is accepted before or after the number: `-€5`, `5 €`, `(€5)`. With a currency or ``NumberUnit/accounting``, `(5)` and
    /// `5-` are negative numbers. With a ``NumberUnit/size(_:isSpaced:)``, `1.5K` is 1536.
    /// - Complexity: O(`count`).
    public func decimal(_ notation: DecimalStyle = .point) -> Double? {
        if let number = readDecimal(trimmed, notation) { return number }
        guard notation.unit.acceptsAmounts else { return nil }
        return readAmount(notation) { $0.decimal(notation) }
    }

    /// The field as an exact decimal number, for fields that ``decimal(_:)`` parses as finite numbers.
    ///
    /// `nil` if the number exceeds 128 bits, or has more than 38 digits after the decimal point: `1e-300`.
    /// - Complexity: O(`count`).
    public func exactDecimal(_ notation: DecimalStyle = .point) -> ExactDecimal? {
        if let number = readExact(trimmed, notation) { return number }
        guard notation.unit.acceptsAmounts else { return nil }
        return readAmount(notation) { $0.exact(notation) }
    }

    /// The field as a point in time: microseconds since 1970-01-01T00:00, in UTC if the field has a zone, otherwise as written. For
    /// ``ValueKind/time``, microseconds since midnight. `nil` for other kinds and for text that does not parse.
    ///
    /// - Dates are `yyyy-mm-dd`, `yyyy/mm/dd` and `dd.mm.yyyy`, in the Gregorian calendar, years 0000 to 9999. `2024-W05` is the Monday of
    ///   a week of ISO 8601, and `2024-W05-3` its Wednesday. A ``DateNotation`` adds other forms.
    /// - Two-digit years are 1969 to 2068, as in POSIX: `24.01.22`, `22-SEP-22` and, with a notation, `24/01/22`.
    /// - Dates with the name of a month are `22 Sep 2022`, `22-SEP-2022`, `22. September 2022`, `Sep 22, 2022` and
    ///   `22 de septiembre de 2022`. Names are English, German, French or Spanish, ignoring case.
    /// - Times are `hh:mm`, `hh:mm:ss` and `hh:mm:ss.ffffff`, also with AM or PM. Digits beyond microseconds are truncated. A leap second
    ///   (`hh:59:60`) counts as the first second of the next minute. As a time of day, 23:59:60 is 24 hours.
    /// - Date-times are a date, `T` or a blank, a time, and optionally `Z`, `UTC`, `GMT`, `±hh:mm`, `±hhmm` or `±hh`. A date without a time
    ///   counts as its midnight, so a column of dates and date-times has the kind ``ValueKind/dateTime``. Type inference therefore tries
    ///   ``ValueKind/date`` first. A number of seconds or milliseconds since 1970 that is parsed as
    ///   ``ValueKind/date`` becomes the midnight of its day.
    public func temporal(_ kind: ValueKind, _ notation: DateNotation = .iso) -> Int64? {
        if kind == .dateTime, let microseconds = FastDateParser.microseconds(bytes) { return microseconds }
        if kind != .time, kind.isTemporal, let microseconds = FastDateParser.day(bytes) { return microseconds }
        guard kind.isTemporal, let moment = ParsedDateTime(trimmed, kind, notation) else { return nil }
        return moment.microseconds
    }

    /// The field as a flag: true/false, yes/no, y/n, t/f, ignoring case. `nil` for other text. 0 and 1 are numbers, not flags.
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

    /// True if the field parses as a value of `kind`, with numbers in `notation` and dates in `dateNotation`. Every field parses as text.
    /// A field that is empty or has only blanks parses only as text. Integers can have any length.
    public func parses(as kind: ValueKind, _ notation: DecimalStyle = .point, _ dateNotation: DateNotation = .iso) -> Bool {
        switch kind {
        case .text: true
        case .integer: isInteger(notation)
        case .decimal: decimal(notation) != nil
        case .date, .dateTime, .time: temporal(kind, dateNotation) != nil
        case .flag: flag() != nil
        }
    }

    /// Calls `body` with a string as a field. An empty string becomes an empty field, not a missing one.
    public static func withBytes<Result>(of text: String, _ body: (FieldBytes) throws -> Result) rethrows -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            if let start = bytes.baseAddress { return try body(FieldBytes(start: start, count: bytes.count)) }
            return try withUnsafePointer(to: UInt8(0)) { try body(FieldBytes(start: $0, count: 0)) }
        }
    }

    /// The bytes without surrounding blanks.
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
    /// True if the bytes equal `word`, ignoring the case of letters. `word` must be in lower-case ASCII.
    func equalsIgnoringCase(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] | 0x20 != word.utf8Start[index] { return false }
        return true
    }
}

extension FieldBytes {
    /// Calls `body` with strings as fields; `nil` becomes a missing field. For many records, use a ``FieldBuffer``. O(bytes).
    public static func withFields<Result>(
        of texts: [String?], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) throws -> Result
    ) rethrows -> Result {
        var buffer = FieldBuffer()
        return try buffer.withFields(of: texts, body)
    }
}
