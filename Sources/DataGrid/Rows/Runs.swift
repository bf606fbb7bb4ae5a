extension [Range<Int>] {
    /// Appends a range, or extends the last range if `range` follows it directly. An empty range is not appended.
    mutating func append(joining range: Range<Int>) {
        if range.isEmpty { return }
        if let last, last.upperBound == range.lowerBound {
            self[count - 1] = last.lowerBound..<range.upperBound
        } else {
            append(range)
        }
    }
}

extension Sequence<Range<Int>> {
    /// The same ranges, with each range merged into the previous one if it directly follows it: `0..<2, 2..<5` becomes `0..<5`.
    var joinedRuns: [Range<Int>] { reduce(into: []) { $0.append(joining: $1) } }
}

extension Sequence<Int> {
    /// The numbers, which must be ascending, as ranges of consecutive numbers.
    var runs: [Range<Int>] { reduce(into: []) { $0.append(joining: $1..<$1 + 1) } }
}

extension Range<Int> {
    /// Splits this range at the ascending `edges`, moves each part to its new position, and returns the new ranges in ascending order.
    /// - Parameter newPosition: returns the new position of the first element of a part; `nil` if the part is removed.
    func split(at edges: [Int], movingTo newPosition: (Int) -> Int?) -> [Range<Int>] {
        zip([.min] + edges, edges + [.max]).compactMap { low, high in
            let part = clamped(to: low..<high)
            guard !part.isEmpty, let start = newPosition(part.lowerBound) else { return nil }
            return start..<start + part.count
        }
        .sorted { $0.lowerBound < $1.lowerBound }.joinedRuns
    }
}
