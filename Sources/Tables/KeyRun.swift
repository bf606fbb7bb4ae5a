/// Consecutive rows at one end of a table whose keys are numbers.
package struct KeyRun: Sendable {
    /// The number of rows.
    package var count: Int
    /// The lowest and the highest key.
    package var low, high: Double

    /// Creates a run.
    package init(count: Int, low: Double, high: Double) { (self.count, self.low, self.high) = (count, low, high) }

    /// The number of rows for each key that is not below ``low`` and below ``high``, from 0.5 to 1. `nil` if it is less or unknown.
    private var share: Double? {
        guard low < high else { return nil }
        let share = Double(count - 1) / (high - low)
        return (0.5...1).contains(share) ? share : nil
    }

    /// The number of rows of a table with dense keys, estimated from the runs at its ends; `nil` if the keys are not dense.
    ///
    /// The share of used numbers at both ends probably holds for all rows. If it is below a half, an estimate would be too inexact.
    package static func estimatedRowCount(first: KeyRun, last: KeyRun) -> Double? {
        guard let firstShare = first.share, let lastShare = last.share else { return nil }
        return 1 + (last.high - first.low) * (firstShare + lastShare) / 2
    }
}
