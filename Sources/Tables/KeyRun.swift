/// Consecutive rows at one end of a table whose keys are numbers.
package struct KeyRun: Sendable {
    /// The number of rows.
    package var count: Int
    /// The lowest and the highest key.
    package var low, high: Double

    /// Creates a run.
    package init(count: Int, low: Double, high: Double) { (self.count, self.low, self.high) = (count, low, high) }

    /// The share of the keys in ``low``..<``high`` that rows use, 0.5 to 1; `nil` if it is lower or unknown.
    private var share: Double? {
        guard low < high else { return nil }
        let share = Double(count - 1) / (high - low)
        return (0.5...1).contains(share) ? share : nil
    }

    /// The minimum number of bytes of a row in a file of SQLite.
    private static let rowBytes = 4.0

    /// The estimated number of rows of a table: from the runs at its ends if its keys are dense, otherwise from statistics. `nil` if it is
    /// unknown.
    ///
    /// The share of used keys at both ends probably holds for all rows. If it is below a half, an estimate would be too inexact. There can
    /// be a gap between the ends, so an estimate that the file or the statistics contradict is not used.
    /// - Parameters:
    ///   - byteCount: the size of the file of SQLite that contains the table; `nil` if it is unknown.
    ///   - analyzedRowCount: the number of rows in the statistics of the table; `nil` without statistics.
    package static func estimatedRowCount(
        first: KeyRun, last: KeyRun, byteCount: Double? = nil, analyzedRowCount: Double? = nil
    ) -> Double? {
        guard let firstShare = first.share, let lastShare = last.share else { return analyzedRowCount }
        let estimate = 1 + (last.high - first.low) * (firstShare + lastShare) / 2
        if let byteCount, estimate > byteCount / rowBytes { return analyzedRowCount }
        if let analyzedRowCount, max(estimate, analyzedRowCount) > 2 * min(estimate, analyzedRowCount) { return analyzedRowCount }
        return estimate
    }
}
