/// The differences between two screens: changed cells, and rows that have scrolled.
enum FrameDiff {
    /// Consecutive changed cells of one row. They never start or end inside a wide character.
    struct Run: Equatable {
        var row: Int
        var columns: Range<Int>
    }

    /// A scroll that moves the content of `rows` up by `distance` rows, or down if `distance` is negative. Rows without new content become
    /// blank.
    struct Scroll: Equatable {
        var rows: Range<Int>
        var distance: Int
    }

    /// The changed cells, in reading order.
    /// - Complexity: O(cells); rows that are equal are compared several cells at a time.
    static func runs(from old: ScreenSnapshot, to new: ScreenSnapshot) -> [Run] {
        (0..<new.rows).flatMap { runs(ofRow: $0, from: old, row: $0, to: new) }
    }

    /// The cells of row `row` of `new` that differ from row `oldRow` of `old`. With `nil` for `oldRow`, the row is compared with blanks
    /// in the terminal's default colors.
    static func runs(ofRow row: Int, from old: ScreenSnapshot, row oldRow: Int?, to new: ScreenSnapshot) -> [Run] {
        let columns = new.columns
        guard columns > 0 else { return [] }
        var runs: [Run] = []
        new.cells.withUnsafeBufferPointer { new in
            let after = UnsafeBufferPointer(rebasing: new[row * columns..<(row + 1) * columns])
            if let oldRow {
                old.cells.withUnsafeBufferPointer {
                    appendRuns(from: UnsafeBufferPointer(rebasing: $0[oldRow * columns..<(oldRow + 1) * columns]), to: after, row, &runs)
                }
            } else {
                [ScreenCell](repeating: .blank, count: columns).withUnsafeBufferPointer { appendRuns(from: $0, to: after, row, &runs) }
            }
        }
        return runs
    }

    private static func appendRuns(
        from old: UnsafeBufferPointer<ScreenCell>, to new: UnsafeBufferPointer<ScreenCell>, _ row: Int, _ runs: inout [Run]
    ) {
        guard !areEqual(old, new) else { return }
        var index = 0
        while index < new.count {
            if old[index] == new[index] {
                index += 1
                continue
            }
            let first = index
            repeat { index += 1 } while index < new.count && old[index] != new[index]
            runs.append(Run(row: row, columns: first..<index))
        }
    }

    /// True if two rows of the same length are equal. Most rows are equal, so four cells are compared at a time with a single branch.
    private static func areEqual(_ old: UnsafeBufferPointer<ScreenCell>, _ new: UnsafeBufferPointer<ScreenCell>) -> Bool {
        let (before, after) = (UnsafeRawPointer(old.baseAddress!), UnsafeRawPointer(new.baseAddress!))
        var difference = SIMD8<UInt64>()
        let vectors = new.count / 4
        for vector in 0..<vectors {
            let offset = vector * 4 * MemoryLayout<ScreenCell>.stride
            difference |=
                before.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
                ^ after.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
        }
        return difference == SIMD8() && (4 * vectors..<new.count).allSatisfy { old[$0] == new[$0] }
    }

    /// The scroll with the greatest gain: the number of rows that it corrects, minus the number of rows that it breaks. `nil` if the
    /// greatest gain is less than 2.
    ///
    /// Rows are compared by hash, without their last column. A row that the scroll corrects counts 1, and a row that it breaks counts −1. A
    /// row that differs with and without the scroll, such as the row of the cursor, counts 0. For each distance, the best range of rows is
    /// the one with the largest sum (Jon Bentley, "Programming Pearls", column 8). The encoder decides if the scroll saves bytes.
    /// - Complexity: O(cells + rows²).
    static func scroll(from old: ScreenSnapshot, to new: ScreenSnapshot) -> Scroll? {
        let before = hashes(of: old)
        let after = hashes(of: new)
        let rows = after.count
        var best: (score: Int, rows: Range<Int>, distance: Int)?
        for distance in 1..<max(1, rows) where rows - distance > best?.score ?? 1 {
            for signedDistance in [distance, -distance] {
                let stretch = bestRange(before, after, distance: signedDistance)
                if stretch.score >= 2, stretch.score > best?.score ?? 0 { best = (stretch.score, stretch.rows, signedDistance) }
            }
        }
        guard let best else { return nil }
        let filled = extended(best.rows, distance: best.distance, from: old, to: new)
        return Scroll(
            rows: min(filled.lowerBound, filled.lowerBound + best.distance)..<max(filled.upperBound, filled.upperBound + best.distance),
            distance: best.distance)
    }

    /// Extends `rows` by adjacent rows that have fewer changed cells with the scroll than without it. An example is the row that the
    /// cursor left, in which a few cells differ.
    private static func extended(_ rows: Range<Int>, distance: Int, from old: ScreenSnapshot, to new: ScreenSnapshot) -> Range<Int> {
        func equalCells(_ oldRow: Int, _ newRow: Int) -> Int {
            (0..<new.columns).count { old.cells[oldRow * new.columns + $0] == new.cells[newRow * new.columns + $0] }
        }
        func isNearer(_ row: Int) -> Bool {
            0..<new.rows ~= row && 0..<new.rows ~= row + distance && equalCells(row + distance, row) > equalCells(row, row)
        }
        var (start, end) = (rows.lowerBound, rows.upperBound)
        while isNearer(start - 1) { start -= 1 }
        while isNearer(end) { end += 1 }
        return start..<end
    }

    /// The range of rows for which a scroll by `distance` rows has the greatest gain, and this gain. `before` and `after` are the hashes of
    /// the rows.
    private static func bestRange(_ before: [UInt64], _ after: [UInt64], distance: Int) -> (score: Int, rows: Range<Int>) {
        var best = (score: 0, rows: 0..<0)
        var score = 0
        var start = 0
        for row in max(0, -distance)..<min(after.count, after.count - distance) {
            if score <= 0 {
                score = 0
                start = row
            }
            let isRight = before[row] == after[row]
            let willBeRight = before[row + distance] == after[row]
            if willBeRight && !isRight { score += 1 } else if isRight && !willBeRight { score -= 1 }
            if score > best.score { best = (score, start..<row + 1) }
        }
        return best
    }

    /// The hash of each row without its last column, because a scroll bar there does not scroll with the rows.
    private static func hashes(of snapshot: ScreenSnapshot) -> [UInt64] {
        snapshot.cells.withUnsafeBufferPointer { cells in
            (0..<snapshot.rows).map { row in
                // The text and the style have separate hashes, so that the processor computes both at the same time.
                var text: UInt64 = 0x9E37_79B9_7F4A_7C15
                var style: UInt64 = 0x2545_F491_4F6C_DD1D
                for index in row * snapshot.columns..<row * snapshot.columns + max(1, snapshot.columns - 1) {
                    text = (text ^ cells[index].text) &* 0xFF51_AFD7_ED55_8CCD
                    style = (style ^ cells[index].style.bits) &* 0xC4CE_B9FE_1A85_EC53
                }
                return (text ^ text >> 29) &* 0x9E37_79B9_7F4A_7C15 ^ style
            }
        }
    }
}
