/// A list of numbers that computes count, sum, minimum and maximum of the numbers in any range of the list. Single numbers can be
/// changed.
///
/// A segment tree (J. L. Bentley, 1977) over blocks of numbers. A change recomputes the sums of one branch. The old number is not
/// subtracted, so that rounding errors and infinities do not remain. Sums are pairwise: N. J. Higham, "The Accuracy of Floating Point
/// Summation", 1993. The tree takes 12 to 16 bytes for each number.
struct AggregateTree {
    /// The aggregates of the numbers in a range.
    struct Summary {
        var count = 0
        var sum = 0.0
        var minimum = Double.infinity
        var maximum = -Double.infinity

        static func + (a: Summary, b: Summary) -> Summary {
            Summary(count: a.count + b.count, sum: a.sum + b.sum, minimum: min(a.minimum, b.minimum), maximum: max(a.maximum, b.maximum))
        }
    }

    private static let blockSize = 16

    /// The number at each index; NaN if there is no number.
    private var values: [Double]
    /// The summaries of the tree. The children of node n are 2n and 2n + 1. The second half of the nodes are blocks of 16 numbers.
    private var nodes: [Summary] = []

    /// Creates a tree of these numbers. NaN stands for a missing number. O(numbers).
    init(_ values: [Double]) {
        self.values = values
        build()
    }

    /// Returns a tree in another order: the number at each index is the one that this tree has at `indices[index]`. O(numbers).
    func reordered(by indices: [Int]) -> AggregateTree { AggregateTree(indices.map { values[$0] }) }

    private mutating func build() {
        let blocks = (values.count + Self.blockSize - 1) / Self.blockSize
        var width = 1
        while width < blocks { width *= 2 }
        nodes = [Summary](repeating: Summary(), count: 2 * width)
        for block in 0..<blocks { nodes[width + block] = summary(ofBlock: block) }
        for node in (1..<width).reversed() { nodes[node] = nodes[2 * node] + nodes[2 * node + 1] }
    }

    /// Sets the number at an index. The index after the last number appends a number. NaN removes the number. O(log
    /// numbers) on average.
    mutating func set(_ value: Double, at index: Int) {
        while values.count <= index { values.append(.nan) }
        let old = values[index]
        values[index] = value
        let block = index / Self.blockSize
        guard block < nodes.count / 2 else { return build() }
        guard value.bitPattern != old.bitPattern else { return }
        var node = nodes.count / 2 + block
        nodes[node] = summary(ofBlock: block)
        while node > 1 {
            node /= 2
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1]
        }
    }

    var totalSummary: Summary { nodes[1] }

    func summary(of indices: Range<Int>) -> Summary {
        let indices = indices.clamped(to: 0..<values.count)
        let first = (indices.lowerBound + Self.blockSize - 1) / Self.blockSize
        let last = indices.upperBound / Self.blockSize
        guard first < last else { return computeSummary(of: indices) }
        var (start, end) = (
            computeSummary(of: indices.lowerBound..<first * Self.blockSize), computeSummary(of: last * Self.blockSize..<indices.upperBound)
        )
        var (low, high) = (nodes.count / 2 + first, nodes.count / 2 + last)
        while low < high {
            if low % 2 == 1 {
                start = start + nodes[low]
                low += 1
            }
            if high % 2 == 1 {
                high -= 1
                end = nodes[high] + end
            }
            low /= 2
            high /= 2
        }
        return start + end
    }

    /// The numbers at the indices of a range, in order. Missing numbers are skipped. O(indices).
    func numbers(in indices: Range<Int>) -> [Double] { values[indices.clamped(to: 0..<values.count)].filter { !$0.isNaN } }

    private func summary(ofBlock block: Int) -> Summary {
        computeSummary(of: block * Self.blockSize..<min((block + 1) * Self.blockSize, values.count))
    }

    private func computeSummary(of indices: Range<Int>) -> Summary {
        var summary = Summary()
        for value in values[indices] where !value.isNaN {
            summary.count += 1
            summary.sum += value
            summary.minimum = min(summary.minimum, value)
            summary.maximum = max(summary.maximum, value)
        }
        return summary
    }
}
