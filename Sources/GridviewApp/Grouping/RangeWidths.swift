import FieldValues
import Tables

/// Round widths of ranges for values between two numbers: 1, 2 or 5 times a power of ten.
struct RangeWidths {
    /// The widths, the narrowest first.
    let widths: [GroupInterval]
    /// The index of the narrowest width that is at least one twentieth of the difference between the two numbers.
    let best: Int
    private let minimum, maximum: Double

    /// The maximum of the difference between the two numbers, in units of the best width.
    private static let maximumSpan = 20.0
    /// The maximum number of narrower widths that are offered in addition to the best one, and of wider widths.
    private static let neighborCount = 4

    /// Returns `nil` if the numbers are equal, or if their difference is too large for the widths.
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
        guard let bestIndex = all.firstIndex(where: { span / $0.value <= Self.maximumSpan }) else { return nil }
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
