/// The unit in the fields of a number column: a percent sign, a currency, the units of sizes, or no unit. A column without a unit may have
/// negative numbers as in accounting.
///
/// Fields are shown, copied and written with the unit that they have in the file. Computed numbers are shown with the same unit.
public struct NumberUnit: Sendable, Hashable, BitwiseCopyable {
    /// 0 for no unit, 1 for a percent sign, ``accountingCode``, or ``firstSizeCode`` plus the number of a ``SizeForm``. Any other code is
    /// the index of a currency in ``symbols`` plus 2.
    private let code: UInt8
    /// True if the unit precedes the number.
    let precedesNumber: Bool
    /// True if a space separates the unit from the number.
    package let isSpaced: Bool

    private init(code: UInt8, precedesNumber: Bool, isSpaced: Bool) {
        (self.code, self.precedesNumber, self.isSpaced) = (code, precedesNumber, isSpaced)
    }

    private static let accountingCode = UInt8.max
    private static let firstSizeCode: UInt8 = 250

    /// No unit: the fields are plain numbers.
    public static let none = NumberUnit(code: 0, precedesNumber: false, isSpaced: false)

    /// A percent sign: the field `12%` is the number 0.12. If `isSpaced`, the field is written as `12 %`.
    public static func percent(isSpaced: Bool = false) -> NumberUnit { NumberUnit(code: 1, precedesNumber: false, isSpaced: isSpaced) }

    /// No unit, but negative numbers may be written as in accounting: `(1,234.50)` or `12-`.
    public static let accounting = NumberUnit(code: accountingCode, precedesNumber: false, isSpaced: false)

    /// Sizes such as `1.5G`, `12K` and `512`: a letter is a power of 1024, so the field `12K` is the number 12288. If `isSpaced`, sizes are
    /// written as `12 K`.
    public static func size(_ form: SizeForm, isSpaced: Bool = false) -> NumberUnit {
        NumberUnit(code: firstSizeCode + form.rawValue, precedesNumber: false, isSpaced: isSpaced)
    }

    /// The notation of sizes; `nil` for other units.
    public var sizeForm: SizeForm? {
        code >= Self.firstSizeCode && code != Self.accountingCode ? SizeForm(rawValue: code - Self.firstSizeCode) : nil
    }

    /// A currency, such as `€`, `US$` or `CHF`; `nil` if `symbol` is not a known currency.
    public static func currency(_ symbol: String, precedesNumber: Bool, isSpaced: Bool) -> NumberUnit? {
        symbols.firstIndex { $0.description == symbol }
            .map { NumberUnit(code: UInt8($0 + 2), precedesNumber: precedesNumber, isSpaced: isSpaced) }
    }

    /// True for a percent sign: the field `12%` is the number 0.12.
    public var isPercent: Bool { code == 1 }

    /// True for a currency.
    public var isCurrency: Bool { code > 1 && code < Self.firstSizeCode }

    /// True for sizes.
    public var isSize: Bool { sizeForm != nil }

    /// True if fields may be amounts: sizes, or numbers with a currency or with the signs of accounting.
    package var acceptsAmounts: Bool { code > 1 }

    private var hasSymbol: Bool { code == 1 || isCurrency }

    /// True if the two units are the same percent sign, currency or notation of sizes, even with another position or spacing.
    package func hasSameSymbol(as other: NumberUnit) -> Bool { code == other.code }

    /// The unit as text; empty if there is no unit, or if the unit of a size depends on the number.
    public var symbol: String { !hasSymbol ? "" : isPercent ? "%" : Self.symbols[Int(code) - 2].description }

    /// The number of characters that ``applied(to:)`` adds.
    public var width: Int { !hasSymbol ? 0 : symbol.count + (isSpaced ? 1 : 0) }

    /// Adds the unit to the text of a number: `-3.50` becomes `-€3.50`. Percentages must already be multiplied by 100. Sizes are returned
    /// unchanged; see ``NumberText/size(of:_:maximumFractionDigits:)``.
    public func applied(to number: String) -> String {
        guard hasSymbol else { return number }
        let blank = isSpaced ? " " : ""
        guard precedesNumber else { return "\(number)\(blank)\(symbol)" }
        let sign = number.hasPrefix("-") ? "-" : ""
        return "\(sign)\(symbol)\(blank)\(number.dropFirst(sign.count))"
    }

    /// The unit with `#` for the number: `€#`, `# %`, `(#)` for ``accounting``, or `#K` for sizes.
    package var pattern: String {
        if let sizeForm { return "#" + (isSpaced ? " " : "") + Self.sizePatterns[Int(sizeForm.rawValue)] }
        return self == .accounting ? Self.accountingPattern : applied(to: "#")
    }

    /// The units of sizes in ``pattern``, by ``SizeForm``.
    private static let sizePatterns = ["K", "K|B", "KB", "Ki", "KiB"]

    private static let accountingPattern = "(#)"

    /// Creates the unit with this ``pattern``, such as `€#`; `nil` for other strings.
    package init?(pattern: String) {
        if pattern == Self.accountingPattern {
            self = .accounting
            return
        }
        guard let index = pattern.firstIndex(of: "#") else { return nil }
        let (before, after) = (pattern[..<index], pattern[pattern.index(after: index)...])
        let (text, precedesNumber) = before.isEmpty ? (after, false) : (before, true)
        guard before.isEmpty || after.isEmpty, !text.isEmpty else { return nil }
        let isSpaced = precedesNumber ? text.last == " " : text.first == " "
        let symbol = String(text.filter { $0 != " " })
        if symbol == "%" {
            self = .percent(isSpaced: isSpaced)
        } else if !precedesNumber, let index = Self.sizePatterns.firstIndex(of: symbol), let form = SizeForm(rawValue: UInt8(index)) {
            self = .size(form, isSpaced: isSpaced)
        } else {
            guard let unit = Self.currency(symbol, precedesNumber: precedesNumber, isSpaced: isSpaced) else { return nil }
            self = unit
        }
        guard self.pattern == pattern else { return nil }
    }

    /// The known currencies. A symbol matches only as a whole word, even a short one such as `kr`.
    private static let symbols: [StaticString] = [
        "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪", "₫", "₴", "₦", "₱", "฿", "₡", "₲", "₸", "₿", "¢", "US$", "A$", "C$", "R$", "S$", "HK$",
        "NZ$", "NT$", "kr", "zł", "Kč", "Ft", "lei", "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK",
        "ISK", "PLN", "CZK", "HUF", "RON", "BGN", "INR", "BRL", "MXN", "ARS", "CLP", "COP", "ZAR", "KRW", "SGD", "HKD", "TWD", "THB", "IDR",
        "MYR", "PHP", "VND", "TRY", "RUB", "UAH", "ILS", "AED", "SAR", "EGP", "NGN", "KES", "BTC", "ETH",
    ]

    /// The unit of a field that is a number with a unit; `nil` for other fields, including numbers without a unit.
    package init?(of field: FieldBytes) {
        let text = field.trimmed
        if text.last == UInt8(ascii: "%") {
            guard text.count > 1 else { return nil }
            self = .percent(isSpaced: isBlankByte(text[text.count - 2]))
            return
        }
        guard let amount = WrittenAmount(text), !amount.symbol.isEmpty,
            let index = Self.symbols.firstIndex(where: { amount.hasSymbol($0) })
        else { return nil }
        self.init(code: UInt8(index + 2), precedesNumber: amount.precedesNumber, isSpaced: amount.isSpaced)
    }

    /// Removes a known currency from the start of a text.
    /// - Returns: false if the text does not start with a currency.
    static func skipCurrency(_ text: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        func isPrefix(_ symbol: StaticString) -> Bool {
            text.starts(with: UnsafeBufferPointer(start: symbol.utf8Start, count: symbol.utf8CodeUnitCount))
        }
        guard let symbol = symbols.first(where: isPrefix) else { return false }
        text = text.dropFirst(symbol.utf8CodeUnitCount)
        return true
    }

    /// True if a field is a negative number as in accounting, in any notation: `(1,234.50)` or `12-`.
    package static func isAccounting(_ field: FieldBytes) -> Bool {
        let text = field.trimmed
        // Most fields are text. This test rejects them without parsing.
        guard text.first == UInt8(ascii: "(") || text.last == UInt8(ascii: "-"), let amount = WrittenAmount(text),
            amount.symbol.isEmpty, amount.isNegative
        else { return false }
        return DecimalStyle.allCases.contains { readDecimal(amount.number, $0) != nil }
    }

    /// True if the amount has the currency of this unit, or no currency.
    fileprivate func fits(_ amount: WrittenAmount) -> Bool {
        amount.symbol.isEmpty ? acceptsAmounts : isCurrency && amount.hasSymbol(Self.symbols[Int(code) - 2])
    }
}

/// An amount of money, divided into its parts. Examples: `-€3.50`, `€-3.50`, `12,50 €` and `CHF 12.50`. The amounts `($5.00)`, `$(5.00)`
/// and `$5.00-` are negative.
struct WrittenAmount {
    /// The bytes of the number without its sign.
    private(set) var number: UnsafeBufferPointer<UInt8>
    private(set) var isNegative = false
    /// The bytes of the currency; empty for a negative number without a currency, such as `(5.00)` or `5.00-`.
    private(set) var symbol = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// True if the symbol precedes the number, as in `$5`.
    private(set) var precedesNumber = false
    /// True if a space separates the symbol from the number.
    private(set) var isSpaced = false

    /// The number of bytes at each end of the text in which digits are searched.
    private static let digitSearchBytes = 12

    /// Parses text without surrounding blanks. Returns `nil` unless it has a currency, parentheses, or a minus sign
    /// that follows the digits. O(n) in the number of bytes that are not digits.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var rest = text[...]
        var hasSign = false
        if rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")"), rest.count > 2 {
            (rest, hasSign, isNegative) = (rest.dropFirst().dropLast(), true, true)
        }
        func isNumeral(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") }
        guard let first = rest.prefix(Self.digitSearchBytes).firstIndex(where: isNumeral),
            let last = rest.suffix(Self.digitSearchBytes).lastIndex(where: isNumeral), first <= last
        else { return nil }
        number = UnsafeBufferPointer(rebasing: text[first...last])
        var (head, tail) = (rest[..<first], rest[(last + 1)...])
        func skipSign(_ part: Slice<UnsafeBufferPointer<UInt8>>, _ index: Int?) -> Bool {
            guard let index, part[index] == UInt8(ascii: "-") || part[index] == UInt8(ascii: "+"), !hasSign else { return false }
            (hasSign, isNegative) = (true, part[index] == UInt8(ascii: "-"))
            return true
        }
        if skipSign(head, head.indices.first) { head = head.dropFirst() }
        _ = Self.skipBlanks(&head, atEnd: false)
        if head.last == UInt8(ascii: "("), tail.first == UInt8(ascii: ")"), !hasSign {
            (head, tail, hasSign, isNegative) = (head.dropLast(), tail.dropFirst(), true, true)
        }
        if skipSign(head, head.indices.last) { head = head.dropLast() }
        if tail.first == UInt8(ascii: "-"), skipSign(tail, tail.indices.first) { tail = tail.dropFirst() }
        let isSpacedBefore = Self.skipBlanks(&head, atEnd: true)
        let isSpacedAfter = Self.skipBlanks(&tail, atEnd: false)
        _ = Self.skipBlanks(&tail, atEnd: true)
        guard head.isEmpty || tail.isEmpty else { return nil }
        precedesNumber = !head.isEmpty
        isSpaced = precedesNumber ? isSpacedBefore : isSpacedAfter && !tail.isEmpty
        symbol = UnsafeBufferPointer(rebasing: precedesNumber ? head : tail)
        // A number without a currency and without the signs of accounting is rejected, because other parsers read it faster.
        guard !symbol.isEmpty || text.first == UInt8(ascii: "(") || text.last == UInt8(ascii: "-") else { return nil }
    }

    /// Removes blanks from the start or the end of a part, including no-break spaces (U+00A0, U+202F).
    /// - Returns: true if blanks were removed.
    static func skipBlanks(_ part: inout Slice<UnsafeBufferPointer<UInt8>>, atEnd: Bool) -> Bool {
        let before = part.count
        while !part.isEmpty {
            let start = part.startIndex
            func byte(_ number: Int) -> UInt8 { part[atEnd ? part.endIndex - number : start + number - 1] }
            var length = 0
            if isBlankByte(byte(1)) {
                length = 1
            } else if part.count > 1, (atEnd ? byte(2) : byte(1)) == 0xC2, (atEnd ? byte(1) : byte(2)) == 0xA0 {
                length = 2
            } else if part.count > 2, (atEnd ? byte(3) : byte(1)) == 0xE2, byte(2) == 0x80, (atEnd ? byte(1) : byte(3)) == 0xAF {
                length = 3
            }
            guard length > 0 else { break }
            part = atEnd ? part.dropLast(length) : part.dropFirst(length)
        }
        return part.count < before
    }

    func hasSymbol(_ text: StaticString) -> Bool {
        symbol.count == text.utf8CodeUnitCount && symbol.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: symbol.count))
    }
}

extension FieldBytes {
    /// Calls `read` with the number in an amount of money or in a size; returns `nil` for other fields. The amount must have no currency,
    /// or the currency of `notation`. The size must be written in `notation`. Call it only in columns that may have amounts, for fields
    /// that are not plain numbers.
    @inline(never)
    func readAmount<Number>(_ notation: DecimalStyle, _ read: (_ amount: AmountNumber) -> Number?) -> Number? {
        if let form = notation.unit.sizeForm {
            guard let size = WrittenSize(trimmed), form.fits(size) else { return nil }
            return read(AmountNumber(text: size.number, isNegative: false, power: size.power))
        }
        guard let amount = WrittenAmount(trimmed), notation.unit.fits(amount) else { return nil }
        return read(AmountNumber(text: amount.number, isNegative: amount.isNegative, power: 0))
    }
}
