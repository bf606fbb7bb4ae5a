extension Selection {
    /// The number of rows with a selected cell, and the number of selected cells. Only cells in `columns` are counted.
    ///
    /// O(blocks) for more than 8 blocks with ascending rows, such as scattered rows. Otherwise O(blocks log blocks + blocks · overlapping
    /// sets of columns), plus O(columns) where different sets of columns overlap.
    package func counts(rowCount: Int, columns: [ColumnID]) -> (rows: Int, cells: Int) {
        let all = Set(columns)
        var widths: [Set<ColumnID>?: Int] = [:]
        func width(of key: Set<ColumnID>?) -> Int {
            guard let key else { return all.count }
            if let cached = widths[key] { return cached }
            let width = key.intersection(all).count
            widths[key] = width
            return width
        }
        var counts = (rows: 0, cells: 0)
        func add(_ rows: Int, _ width: Int) {
            let selected = isInverted ? all.count - width : width
            if selected > 0 { counts = (counts.rows + rows, counts.cells + rows * selected) }
        }
        func span(_ block: SelectionBlock) -> Range<Int> { (block.rows ?? 0..<rowCount).clamped(to: 0..<rowCount) }
        if hasOrderedBlocks {
            var end = 0
            for block in blocks {
                let rows = span(block)
                if rows.isEmpty { continue }
                add(rows.lowerBound - end, 0)
                add(rows.count, width(of: block.columns))
                end = rows.upperBound
            }
            add(rowCount - end, 0)
            return counts
        }
        // Visit the first and last rows of all blocks in ascending order, and keep the sets of columns that are selected at the current
        // row.
        var edges: [(row: Int, block: Int, isStart: Bool)] = []
        for (index, block) in blocks.enumerated() {
            let rows = span(block)
            if !rows.isEmpty { edges += [(rows.lowerBound, index, true), (rows.upperBound, index, false)] }
        }
        edges.sort { $0.row < $1.row }
        var open: [Set<ColumnID>?: Int] = [:]
        var row = 0
        func advance(to next: Int) {
            guard next > row else { return }
            let sets = open.keys
            if sets.count <= 1 {
                add(next - row, sets.first.map(width) ?? 0)
            } else if open[nil] != nil {
                add(next - row, all.count)
            } else {
                add(next - row, sets.reduce(into: Set()) { $0.formUnion($1 ?? []) }.intersection(all).count)
            }
            row = next
        }
        for edge in edges {
            advance(to: edge.row)
            let key = blocks[edge.block].columns
            let count = open[key, default: 0] + (edge.isStart ? 1 : -1)
            open[key] = count == 0 ? nil : count
        }
        advance(to: rowCount)
        return counts
    }
}
