/// Computes count, sum, minimum and maximum of the numbers in any range. Single numbers can be changed.
///
/// A segment tree (J. L. Bentley, 1977) over blocks of numbers. A change recomputes one branch from the numbers. Nothing is subtracted, so
/// rounding errors and infinities do not persist. Sums are pairwise: N. J. Higham, "The Accuracy of Floating Point Summation", 1993. Takes
/// 12 to 16 bytes per place.
struct AggregateTree {
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

    /// The number at each place; NaN if the place has no number.
    private var values: [Double]
    /// The children of node n are 2n and 2n + 1; the nodes of the second half are blocks.
    private var nodes: [Summary] = []

    /// Creates a tree of these numbers. O(numbers).
    init(_ values: [Double]) {
        self.values = values
        build()
    }

    /// Returns a tree in which each place has the number from `places[place]`. O(numbers).
    func moved(from places: [Int]) -> AggregateTree { AggregateTree(places.map { values[$0] }) }

    private mutating func build() {
        let blocks = (values.count + Self.blockSize - 1) / Self.blockSize
        var width = 1
        while width < blocks { width *= 2 }
        nodes = [Summary](repeating: Summary(), count: 2 * width)
        for block in 0..<blocks { nodes[width + block] = summary(ofBlock: block) }
        for node in (1..<width).reversed() { nodes[node] = nodes[2 * node] + nodes[2 * node + 1] }
    }

    /// Sets the number at a place, which may be the place after the last one. NaN removes the number. O(log numbers) on average.
    mutating func set(_ value: Double, at place: Int) {
        while values.count <= place { values.append(.nan) }
        let old = values[place]
        values[place] = value
        let block = place / Self.blockSize
        guard block < nodes.count / 2 else { return build() }
        guard value.bitPattern != old.bitPattern else { return }
        var node = nodes.count / 2 + block
        nodes[node] = summary(ofBlock: block)
        while node > 1 {
            node /= 2
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1]
        }
    }

    var all: Summary { nodes[1] }

    func summary(of places: Range<Int>) -> Summary {
        let places = places.clamped(to: 0..<values.count)
        let first = (places.lowerBound + Self.blockSize - 1) / Self.blockSize
        let last = places.upperBound / Self.blockSize
        guard first < last else { return summary(ofSome: places) }
        var (start, end) = (
            summary(ofSome: places.lowerBound..<first * Self.blockSize), summary(ofSome: last * Self.blockSize..<places.upperBound)
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

    /// The numbers at these places, in the order of the places, without NaN. O(places).
    func numbers(in places: Range<Int>) -> [Double] { values[places.clamped(to: 0..<values.count)].filter { !$0.isNaN } }

    private func summary(ofBlock block: Int) -> Summary {
        summary(ofSome: block * Self.blockSize..<min((block + 1) * Self.blockSize, values.count))
    }

    private func summary(ofSome places: Range<Int>) -> Summary {
        var summary = Summary()
        for value in values[places] where !value.isNaN {
            summary.count += 1
            summary.sum += value
            summary.minimum = min(summary.minimum, value)
            summary.maximum = max(summary.maximum, value)
        }
        return summary
    }
}
