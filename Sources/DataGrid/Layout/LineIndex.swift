/// Rows of one height but for some that have their own: where a row begins, counted in lines, and which row is at a line.
///
/// A binary indexed tree (Fenwick: "A new data structure for cumulative frequency tables", 1994) with nodes only where rows have a height
/// of their own: it is empty for ten million rows of one height. The common height is no part of it, so that changing that costs nothing.
struct LineIndex: Equatable, Sendable {
    /// The heights of those rows that have their own, by position.
    private var heights: [Int: Int] = [:]
    /// Node n sums up the rows of own height among the positions `n - (n & -n) ..< n`.
    private var nodes: [Int: Sum] = [:]
    /// A power of two; all positions with a height of their own are below it.
    private var capacity = 1

    private struct Sum: Equatable {
        var rows = 0
        var lines = 0

        /// What `width` rows take of which these are the ones with a height of their own.
        func lines(in width: Int, _ common: Common) -> Int { lines + (width - rows) * common.height + width * common.gap }
    }

    /// What rows have in common.
    struct Common {
        /// Lines of a row without a height of its own, at least 1.
        var height: Int
        /// Lines below every row.
        var gap: Int
    }

    /// Whether all rows have the common height.
    var isEmpty: Bool { heights.isEmpty }

    /// Gives the row at `position` a height of its own, or takes it away. O(log position).
    mutating func set(_ height: Int?, at position: Int) {
        let old = heights[position]
        guard old != height else { return }
        heights[position] = height
        while capacity <= position {
            // A node further up covers all there is so far.
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
            // One without rows of its own would only make equal indices differ.
            if nodes[node]?.rows == 0 { nodes[node] = nil }
            node += node & -node
        }
    }

    /// The index of the rows after a move of some of them. O(own heights × log position).
    func moved(_ move: RowMove) -> LineIndex {
        var moved = LineIndex()
        for (position, height) in heights { moved.set(height, at: move.position(after: position)) }
        return moved
    }

    /// The lines of all rows above `position`, their gaps included. O(log position).
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

    /// The position of the row that line `line` is a part of, as if rows went on without end. O(log position).
    func position(atLine line: Int, _ common: Common) -> Int {
        var position = 0
        var rest = max(0, line)
        var width = capacity
        while width > 0 {
            let lines = (nodes[position + width] ?? Sum()).lines(in: width, common)
            if lines <= rest {
                position += width
                rest -= lines
                // Behind all own heights.
                if position == capacity { return position + rest / (common.height + common.gap) }
            }
            width /= 2
        }
        return position
    }
}
