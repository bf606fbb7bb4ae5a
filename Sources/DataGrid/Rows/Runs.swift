extension [Range<Int>] {
    /// Appends a range: one that follows the last makes that longer, and an empty one changes nothing.
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
    /// The ranges, with neighbours that follow each other made one.
    var joinedRuns: [Range<Int>] { reduce(into: []) { $0.append(joining: $1) } }
}

extension Sequence<Int> {
    /// Ascending numbers as runs of those that follow each other.
    var runs: [Range<Int>] { reduce(into: []) { $0.append(joining: $1..<$1 + 1) } }
}

extension Range<Int> {
    /// Where parts of the range stand when positions move, ascending; positions between two of `edges`, which ascend, move alike.
    func parts(between edges: [Int], at place: (Int) -> Int?) -> [Range<Int>] {
        zip([.min] + edges, edges + [.max]).compactMap { low, high in
            let part = clamped(to: low..<high)
            guard !part.isEmpty, let start = place(part.lowerBound) else { return nil }
            return start..<start + part.count
        }
        .sorted { $0.lowerBound < $1.lowerBound }.joinedRuns
    }
}
