import FieldValues
import Tables

/// Widths of ranges to offer for numbers between a minimum and a maximum: 1, 2 or 5 times a power of ten, and powers of two for sizes.
struct RangeWidths {
    /// The offered widths, from the narrowest.
    let widths: [GroupInterval]
    /// The index of the recommended width: the narrowest one that divides the numbers into at most about 20 ranges.
    let recommendedIndex: Int
    private let minimum, maximum: Double

    /// The recommended width fits at most this many times between the minimum and the maximum.
    private static let maximumSpan = 20.0
    /// The maximum number of narrower widths, and of wider widths, that are offered next to the recommended one.
    private static let neighborCount = 4

    /// Returns `nil` if the minimum equals the maximum, or if no width fits their difference.
    /// - Parameters:
    ///   - areIntegers: true if the widths must be integers.
    ///   - areByteSizes: true for numbers of bytes, whose widths are powers of two.
    init?(minimum: Double, maximum: Double, areIntegers: Bool, areByteSizes: Bool = false) {
        let span = maximum - minimum
        guard span.isFinite, span > 0 else { return nil }
        // Offer only widths that can be written with at most 15 digits.
        let all =
            areByteSizes
            ? Self.powersOfTwo
            : (-9...13).flatMap { power in
                ["1", "2", "5"].compactMap { digit -> (value: Double, interval: GroupInterval)? in
                    let zeros = String(repeating: "0", count: power < 0 ? -power - 1 : power)
                    let text = power < 0 ? "0.\(zeros)\(digit)" : digit + zeros
                    guard power >= 0 || !areIntegers, let value = Double(text) else { return nil }
                    return GroupInterval(text: text).map { (value, $0) }
                }
            }
        guard let bestIndex = all.firstIndex(where: { span / $0.value <= Self.maximumSpan }) else { return nil }
        let first = max(0, bestIndex - Self.neighborCount)
        widths = all[first..<min(all.count, bestIndex + Self.neighborCount + 1)].map(\.interval)
        recommendedIndex = bestIndex - first
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    private static var powersOfTwo: [(value: Double, interval: GroupInterval)] {
        (0..<50).compactMap { power in GroupInterval(text: "\(1 << power)").map { (Double(1 << power), $0) } }
    }

    /// The number of ranges of this width from the minimum to the maximum.
    func count(of interval: GroupInterval) -> Int {
        guard case .bins(let width) = interval else { return 0 }
        return Int(exactly: (maximum / width.double).rounded(.down) - (minimum / width.double).rounded(.down) + 1) ?? 0
    }
}
