/// A number as its sign and digits: a simple reference for comparisons of numbers of any length.
public struct WrittenNumber: Comparable {
    private var sign = 0
    /// The number is 0.d₁d₂… × 10^`exponent`.
    private var exponent = 0
    /// The digits without zeros at the start and the end.
    private var digits: [UInt8] = []

    /// Reads a decimal number, with an optional sign, exponent, percent sign and commas, or `inf`.
    public init(_ text: String) {
        var rest = text.lowercased().utf8.filter { !" \t,+".utf8.contains($0) }[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        if rest.starts(with: "inf".utf8) {
            (sign, exponent, digits) = (isNegative ? -1 : 1, .max, [1])
            return
        }
        if rest.last == UInt8(ascii: "%") {
            rest.removeLast()
            exponent -= 2
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "e")) {
            exponent += Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)) ?? 0
            rest = rest[..<mark]
        }
        let numerals = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        exponent += numerals[0].count
        digits = numerals.joined().map { $0 - UInt8(ascii: "0") }
        while digits.first == 0 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { exponent = 0 } else { sign = isNegative ? -1 : 1 }
    }

    /// True if the first number is less.
    public static func < (a: WrittenNumber, b: WrittenNumber) -> Bool {
        if a.sign != b.sign { return a.sign < b.sign }
        let (low, high) = a.sign < 0 ? (b, a) : (a, b)
        return low.exponent == high.exponent ? low.digits.lexicographicallyPrecedes(high.digits) : low.exponent < high.exponent
    }
}
