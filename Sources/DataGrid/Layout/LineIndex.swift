/// An index of row heights, which converts between row positions and lines.
///
/// A binary indexed tree (Fenwick: "A new data structure for cumulative frequency tables", 1994). Only heights that were set for single
/// rows are stored, so ten million rows of one height need no memory. The default height of all other rows is a parameter of each call.
struct LineIndex: Equatable, Sendable {
    /// The heights that were set for single rows, by position.
    private var heights: [Int: Int] = [:]
    /// Node n sums the heights in ``heights`` at the positions `n - (n & -n) ..< n`.
    private var nodes: [Int: Sum] = [:]
    /// A power of two that is greater than all positions in ``heights``.
    private var capacity = 1

    /// The number of rows with a stored height in a range of rows, and the sum of these heights.
    private struct Sum: Equatable {
        var rows = 0
        var lines = 0

        /// The number of lines that `rowCount` consecutive rows take. Some of these rows have a stored height: `rows` is their number, and
        /// `lines` is the sum of their heights. The other rows have the default height.
        func lines(ofRows rowCount: Int, _ defaultHeight: DefaultHeight) -> Int {
            lines + (rowCount - rows) * defaultHeight.height + rowCount * defaultHeight.gap
        }
    }

    /// The height of all rows without a stored height, and the gap below every row.
    struct DefaultHeight {
        /// The height in lines of a row, at least 1.
        var height: Int
        /// The number of lines between a row and the next row, such as 1 for a rule.
        var gap: Int
    }

    /// True if all rows have the default height.
    var isEmpty: Bool { heights.isEmpty }

    /// Sets the height of the row at `position`; `nil` removes it, so that the row has the default height. O(log position).
    mutating func set(_ height: Int?, at position: Int) {
        let old = heights[position]
        guard old != height else { return }
        heights[position] = height
        while capacity <= position {
            // The new top node sums the same heights as the old one.
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
            // Remove nodes without heights, so that equal indices compare equal.
            if nodes[node]?.rows == 0 { nodes[node] = nil }
            node += node & -node
        }
    }

    /// The index after rows were moved by hand. O(stored heights × log position).
    func moved(_ move: RowMove) -> LineIndex {
        var moved = LineIndex()
        for (position, height) in heights { moved.set(height, at: move.newPosition(ofRowAt: position)) }
        return moved
    }

    /// The number of lines above the row at `position`, including the gaps between rows. O(log position).
    func lines(before position: Int, _ defaultHeight: DefaultHeight) -> Int {
        var sum = Sum()
        var node = min(position, capacity)
        while node > 0 {
            if let part = nodes[node] {
                sum.rows += part.rows
                sum.lines += part.lines
            }
            node -= node & -node
        }
        return sum.lines(ofRows: position, defaultHeight)
    }

    /// The position of the row that contains line `line`. After the last row, the count continues as if there were more rows. O(log
    /// position).
    func position(atLine line: Int, _ defaultHeight: DefaultHeight) -> Int {
        var position = 0
        var remaining = max(0, line)
        var width = capacity
        while width > 0 {
            let lines = (nodes[position + width] ?? Sum()).lines(ofRows: width, defaultHeight)
            if lines <= remaining {
                position += width
                remaining -= lines
                // The line is after all rows with a stored height.
                if position == capacity { return position + remaining / (defaultHeight.height + defaultHeight.gap) }
            }
            width /= 2
        }
        return position
    }
}
