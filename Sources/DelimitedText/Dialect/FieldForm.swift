import FieldValues

/// The form of a field, such as a size, a path or a code with a number. Column names rarely have such a form. If the first field of a
/// column and later fields have the same form, the first field is not a name.
enum FieldForm: Equatable {
    /// A number with a short unit: `4.0K`, `512MiB` or `12 ms`.
    case quantity
    /// A path from a folder: `/usr/bin`, `./a` or `~/b`.
    case path
    /// A URL or an e-mail address: `https://a.org` or `ann@a.org`.
    case address
    /// A hash, a UUID, a hardware address or another long number in hexadecimal digits.
    case hexadecimal
    /// A date or time with words, such as `7 Sep 2022`.
    case date
    /// `true`, `false`, `yes` or `no`.
    case flag
    /// A name with a colon after it: `Name:`.
    case label
    /// Text with a number, such as `web01`. In the value, `0` replaces each sequence of digits, and `A` each single capital letter.
    case code([UInt8])

    /// True for forms that no column name has. A record with such a field is not a header, even if no other record follows.
    var cannotBeName: Bool { self == .quantity || self == .path || self == .address }

    /// The maximum number of bytes of a field that has a form.
    private static let maximumBytes = 256

    /// - Parameter field: a field without blanks and quotes at its ends that is neither a number nor a date in digits.
    init?(_ field: ArraySlice<UInt8>) {
        guard let first = field.first, field.count <= Self.maximumBytes else { return nil }
        if first == UInt8(ascii: "/") || [".", "..", "~"].contains(where: { Self.hasPrefix(field, $0) }) {
            self = .path
        } else if Self.isAddress(field) {
            self = .address
        } else if Self.isQuantity(field) {
            self = .quantity
        } else if Self.isHexadecimal(field) {
            self = .hexadecimal
        } else if Self.matches(field, SingleValues.isDateTime) {
            self = .date
        } else if field.count > 1, Self.matches(field, { $0.flag() != nil }) {
            self = .flag
        } else if field.count > 1, field.last == UInt8(ascii: ":") {
            self = .label
        } else if field.contains(where: Self.isDigit) {
            self = .code(Self.characterPattern(of: field))
        } else {
            return nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    private static func matches(_ field: ArraySlice<UInt8>, _ isForm: (FieldBytes) -> Bool) -> Bool {
        field.withUnsafeBufferPointer { isForm(FieldBytes(start: $0.baseAddress, count: $0.count)) }
    }

    /// True if the field begins with the name of a folder and a slash.
    private static func hasPrefix(_ field: ArraySlice<UInt8>, _ folder: String) -> Bool {
        field.starts(with: folder.utf8) && field.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
    }

    private static func isAddress(_ field: ArraySlice<UInt8>) -> Bool {
        guard !field.contains(32) else { return false }
        let scheme = field.prefix(while: isLetter)
        if !scheme.isEmpty, field[scheme.endIndex...].starts(with: "://".utf8) { return true }
        guard let at = field.firstIndex(of: UInt8(ascii: "@")), at > field.startIndex else { return false }
        return field[at...].dropFirst().contains(UInt8(ascii: "."))
    }

    /// True for a number, at most one blank, and a unit of one to three letters.
    private static func isQuantity(_ field: ArraySlice<UInt8>) -> Bool {
        let number = field.prefix { isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        var unit = field[number.endIndex...]
        if unit.first == 32 { unit = unit.dropFirst() }
        return number.first.map(isDigit) == true && 1...3 ~= unit.count && unit.allSatisfy(isLetter)
    }

    private static func isHexadecimal(_ field: ArraySlice<UInt8>) -> Bool {
        let isPrefixed = field.starts(with: "0x".utf8) && field.count > 2
        let digits = isPrefixed ? field.dropFirst(2) : field
        return (isPrefixed || field.count >= 8) && digits.count(where: isDigit) * 5 >= digits.count
            && digits.allSatisfy { byte in
                isDigit(byte) || (byte | 0x20) &- 0x61 < 6 || !isPrefixed && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":"))
            }
    }

    private static func characterPattern(of field: ArraySlice<UInt8>) -> [UInt8] {
        var code: [UInt8] = []
        for (index, byte) in zip(field.indices, field) {
            if isDigit(byte) {
                if code.last != 0x30 { code.append(0x30) }
                continue
            }
            func isLetterAt(_ index: Int) -> Bool { field.indices.contains(index) && isLetter(field[index]) }
            let isSingleCapital = byte &- 0x41 < 26 && !isLetterAt(index - 1) && !isLetterAt(index + 1)
            code.append(isSingleCapital ? 0x41 : byte)
        }
        return code
    }
}
