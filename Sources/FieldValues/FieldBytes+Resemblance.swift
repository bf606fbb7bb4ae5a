extension FieldBytes {
    /// True if a field that cannot be read as the type of its column may be meant as a value. Such a field begins with a digit, possibly
    /// after blanks, signs and currencies: `$4`, `< 0.5`, `CHF 12`, `7 apples`. Words and errors of spreadsheets such as `#DIV/0!` do not.
    package var resemblesValue: Bool {
        var rest = trimmed[...]
        while let byte = rest.first {
            if isDigit(byte) { return true }
            if WrittenAmount.skipBlanks(&rest, atEnd: false) || NumberUnit.skipCurrency(&rest) { continue }
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "<"), UInt8(ascii: "="),
                UInt8(ascii: ">"), UInt8(ascii: "~"), UInt8(ascii: "("), UInt8(ascii: "'"):
                rest = rest.dropFirst()
            case 0x80...:
                var decoder = UTF8()
                var bytes = rest.prefix(4).makeIterator()
                guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return false }
                switch scalar.properties.generalCategory {
                case .decimalNumber: return true
                case .currencySymbol, .mathSymbol, .dashPunctuation: rest = rest.dropFirst(UTF8.width(scalar))
                default: return false
                }
            default: return false
            }
        }
        return false
    }

    /// True for dates such as `0000-00-00 00:00:00`, which stand for a missing date in MySQL: the field has only zeros and separators.
    package var isZeroDate: Bool {
        let text = trimmed
        return text.contains(UInt8(ascii: "0"))
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: " "),
                    UInt8(ascii: "+"), UInt8(ascii: "T"), UInt8(ascii: "Z"):
                    true
                default: false
                }
            }
    }
}
