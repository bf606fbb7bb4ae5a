import FieldValues
import Tables

/// Round widths of ranges for values between two numbers: 1, 2 or 5 times a power of ten.
struct RangeWidths {
    /// The widths, the narrowest first.
    let widths: [GroupInterval]
    /// The index of the width that divides the values into 10 to 20 ranges, or into fewer if the values are integers close together.
    let best: Int
    private let minimum, maximum: Double

    /// The maximum number of ranges of the best width between the least and the greatest value.
    private static let rangeCount = 20.0
    /// The number of widths that are offered below the best one, and above it.
    private static let neighborCount = 4

    /// Returns `nil` if the numbers are equal, or too small or too large for widths.
    /// - Parameter areWhole: true for widths that are integers.
    init?(_ minimum: Double, _ maximum: Double, areWhole: Bool) {
        let span = maximum - minimum
        guard span.isFinite, span > 0 else { return nil }
        // Widths have at most 15 digits.
        let all = (-9...13).flatMap { power in
            ["1", "2", "5"].compactMap { digit -> (value: Double, interval: GroupInterval)? in
                let zeros = String(repeating: "0", count: power < 0 ? -power - 1 : power)
                let text = power < 0 ? "0.\(zeros)\(digit)" : digit + zeros
                guard power >= 0 || !areWhole, let value = Double(text) else { return nil }
                return GroupInterval(text: text).map { (value, $0) }
            }
        }
        guard let bestIndex = all.firstIndex(where: { span / $0.value <= Self.rangeCount }) else { return nil }
        let first = max(0, bestIndex - Self.neighborCount)
        widths = all[first..<min(all.count, bestIndex + Self.neighborCount + 1)].map(\.interval)
        best = bestIndex - first
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// The number of ranges from the minimum to the maximum.
    func count(of interval: GroupInterval) -> Int {
        guard case .bins(let width) = interval else { return 0 }
        return Int(exactly: (maximum / width.double).rounded(.down) - (minimum / width.double).rounded(.down) + 1) ?? 0
    }
}
