/// A number as its sign and digits: a simple reference for comparisons of numbers of any length.
struct WrittenNumber: Comparable {
    private var sign = 0
    /// The number is 0.d₁d₂… × 10^`exponent`.
    private var exponent = 0
    /// The digits without zeros at the start and the end.
    private var digits: [UInt8] = []

    /// Reads a number of decimal digits, with an optional sign, exponent, percent sign and commas, or `inf`.
    init(_ text: String) {
        var rest = text.lowercased().filter { !" \t,+".contains($0) }
        let isNegative = rest.hasPrefix("-")
        if isNegative { rest.removeFirst() }
        if rest.hasPrefix("inf") {
            (sign, exponent, digits) = (isNegative ? -1 : 1, .max, [1])
            return
        }
        if rest.hasSuffix("%") {
            rest.removeLast()
            exponent -= 2
        }
        let parts = rest.split(separator: "e", omittingEmptySubsequences: false)
        if parts.count == 2 { exponent += Int(parts[1]) ?? 0 }
        let numerals = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        exponent += numerals[0].count
        digits = numerals.joined().utf8.map { $0 - UInt8(ascii: "0") }
        while digits.first == 0 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { exponent = 0 } else { sign = isNegative ? -1 : 1 }
    }

    static func < (a: WrittenNumber, b: WrittenNumber) -> Bool {
        if a.sign != b.sign { return a.sign < b.sign }
        let (low, high) = a.sign < 0 ? (b, a) : (a, b)
        return low.exponent == high.exponent ? low.digits.lexicographicallyPrecedes(high.digits) : low.exponent < high.exponent
    }
}
