/// An index of row heights that converts between rows and lines.
///
/// A binary indexed tree (Fenwick: "A new data structure for cumulative frequency tables", 1994). Only rows with an explicit height have
/// nodes, so ten million rows of one height need no memory. The common height is not stored and can change at no cost.
struct LineIndex: Equatable, Sendable {
    /// The explicit heights, by position.
    private var heights: [Int: Int] = [:]
    /// Node n sums the explicit rows among the positions `n - (n & -n) ..< n`.
    private var nodes: [Int: Sum] = [:]
    /// A power of two above all positions with an explicit height.
    private var capacity = 1

    private struct Sum: Equatable {
        var rows = 0
        var lines = 0

        /// The number of lines of `width` rows: the counted `rows` have explicit heights, and all others have the common height.
        func lines(in width: Int, _ common: Common) -> Int { lines + (width - rows) * common.height + width * common.gap }
    }

    /// The values common to all rows.
    struct Common {
        /// The height in lines of a row without an explicit height, at least 1.
        var height: Int
        /// The number of lines below every row.
        var gap: Int
    }

    /// True if all rows have the common height.
    var isEmpty: Bool { heights.isEmpty }

    /// Sets or removes the explicit height of the row at `position`. O(log position).
    mutating func set(_ height: Int?, at position: Int) {
        let old = heights[position]
        guard old != height else { return }
        heights[position] = height
        while capacity <= position {
            // The new top node covers all nodes so far.
            let all = nodes[capacity]
            capacity *= 2
            nodes[capacity] = all
        }
        let rows = (height == nil ? 0 : 1) - (old == nil ? 0 : 1)
        let lines = (height ?? 0) - (old ?? 0)
        var node = position + 1
        while node <= capacity {
            nodes[node, default: Sum()].rows += rows
            nodes[node, default: Sum()].lines += lines
            // Empty nodes are removed, so that equal indices compare equal.
            if nodes[node]?.rows == 0 { nodes[node] = nil }
            node += node & -node
        }
    }

    /// The index after rows have moved. O(explicit heights × log position).
    func moved(_ move: RowMove) -> LineIndex {
        var moved = LineIndex()
        for (position, height) in heights { moved.set(height, at: move.position(after: position)) }
        return moved
    }

    /// The number of lines above `position`, including gaps. O(log position).
    func lines(before position: Int, _ common: Common) -> Int {
        var sum = Sum()
        var node = min(position, capacity)
        while node > 0 {
            if let part = nodes[node] {
                sum.rows += part.rows
                sum.lines += part.lines
            }
            node -= node & -node
        }
        return sum.lines(in: position, common)
    }

    /// The position of the row at line `line`, as if rows continued without end. O(log position).
    func position(atLine line: Int, _ common: Common) -> Int {
        var position = 0
        var remaining = max(0, line)
        var width = capacity
        while width > 0 {
            let lines = (nodes[position + width] ?? Sum()).lines(in: width, common)
            if lines <= remaining {
                position += width
                remaining -= lines
                // Past all explicit heights.
                if position == capacity { return position + remaining / (common.height + common.gap) }
            }
            width /= 2
        }
        return position
    }
}
