/// The keys of consecutive rows at the start or the end of a table. All keys of the table are numbers.
package struct KeyRun: Sendable {
    /// The number of rows.
    package var count: Int
    /// The lowest and the highest key.
    package var low, high: Double

    /// Creates a run.
    package init(count: Int, low: Double, high: Double) { (self.count, self.low, self.high) = (count, low, high) }

    /// The share of the integers in ``low``..<``high`` that are keys of rows, 0.5 to 1; `nil` if it is lower or unknown.
    private var share: Double? {
        guard low < high else { return nil }
        let share = Double(count - 1) / (high - low)
        return (0.5...1).contains(share) ? share : nil
    }

    /// The minimum number of bytes of a row in an SQLite file.
    private static let rowBytes = 4.0

    /// The estimated number of rows of a table: from the runs at its ends if its keys are dense, otherwise from statistics. `nil` if it is
    /// unknown.
    ///
    /// The share of used keys at both ends probably holds for all rows. If it is below a half, an estimate would be too inexact. The keys
    /// between the two runs can have gaps, so an estimate is not used if the file size or the statistics contradict it.
    /// - Parameters:
    ///   - byteCount: the size of the SQLite file that contains the table; `nil` if it is unknown.
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
