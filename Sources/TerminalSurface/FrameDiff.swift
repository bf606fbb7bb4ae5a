enum FrameDiff {
    /// Neighbouring cells of one row that differ. Never begins or ends inside a wide character.
    struct Run: Equatable {
        var row: Int
        var columns: Range<Int>
    }

    /// Moves the content of `rows` up by `by` rows (down, if negative); what comes free is blank.
    struct Scroll: Equatable {
        var rows: Range<Int>
        var by: Int
    }

    /// The runs that differ, in reading order.
    ///
    /// - Parameter scroll: moves rows of `old` first; rows that come free are blank in the terminal's own colours.
    /// - Complexity: O(cells); rows that are equal are compared several cells at a time.
    static func runs(from old: ScreenPicture, after scroll: Scroll? = nil, to new: ScreenPicture) -> [Run] {
        var runs: [Run] = []
        let columns = new.columns
        let blanks = scroll == nil ? [] : [ScreenCell](repeating: .blank, count: columns)
        blanks.withUnsafeBufferPointer { blanks in
            old.cells.withUnsafeBufferPointer { old in
                new.cells.withUnsafeBufferPointer { new in
                    for row in 0..<(columns > 0 ? new.count / columns : 0) {
                        var before = UnsafeBufferPointer(rebasing: old[row * columns..<(row + 1) * columns])
                        if let scroll, scroll.rows.contains(row) {
                            let source = row + scroll.by
                            let isBlank = !scroll.rows.contains(source)
                            before = isBlank ? blanks : UnsafeBufferPointer(rebasing: old[source * columns..<(source + 1) * columns])
                        }
                        appendRuns(from: before, to: UnsafeBufferPointer(rebasing: new[row * columns..<(row + 1) * columns]), row, &runs)
                    }
                }
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

    /// Whether rows of the same length are equal. Most are, so that four cells are compared at a time, without a branch for each.
    private static func areEqual(_ old: UnsafeBufferPointer<ScreenCell>, _ new: UnsafeBufferPointer<ScreenCell>) -> Bool {
        let (before, after) = (UnsafeRawPointer(old.baseAddress!), UnsafeRawPointer(new.baseAddress!))
        var difference = SIMD8<UInt64>()
        let vectors = new.count / 4
        for place in 0..<vectors {
            let offset = place * 4 * MemoryLayout<ScreenCell>.stride
            difference |=
                before.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
                ^ after.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
        }
        return difference == SIMD8() && (4 * vectors..<new.count).allSatisfy { old[$0] == new[$0] }
    }

    /// The scroll that brings most rows of `old` to where `new` has them; `nil` if none brings at least two more than it spoils.
    ///
    /// Rows are compared by hash, without their last column. For each distance, the best stretch of rows is the one of the largest sum (Jon
    /// Bentley, "Programming Pearls", column 8), where a row that the scroll puts right counts 1 and one that it spoils −1; rows that are
    /// wrong either way (the cursor was there) do not matter. Whether it pays in bytes is for the encoder to see.
    /// - Complexity: O(cells + rows²).
    static func scroll(from old: ScreenPicture, to new: ScreenPicture) -> Scroll? {
        let before = hashes(of: old)
        let after = hashes(of: new)
        let rows = after.count
        var best: (score: Int, rows: Range<Int>, by: Int)?
        for distance in 1..<max(1, rows) where rows - distance > best?.score ?? 1 {
            for by in [distance, -distance] {
                let stretch = bestStretch(before, after, by: by)
                if stretch.score >= 2, stretch.score > best?.score ?? 0 { best = (stretch.score, stretch.rows, by) }
            }
        }
        guard let best else { return nil }
        let filled = extended(best.rows, by: best.by, from: old, to: new)
        return Scroll(
            rows: min(filled.lowerBound, filled.lowerBound + best.by)..<max(filled.upperBound, filled.upperBound + best.by), by: best.by)
    }

    /// `rows` and what of their neighbours the scroll brings nearer to what they are to be: a row on which the cursor was is nearly right.
    private static func extended(_ rows: Range<Int>, by: Int, from old: ScreenPicture, to new: ScreenPicture) -> Range<Int> {
        func equalCells(_ oldRow: Int, _ newRow: Int) -> Int {
            (0..<new.columns).count { old.cells[oldRow * new.columns + $0] == new.cells[newRow * new.columns + $0] }
        }
        func isNearer(_ row: Int) -> Bool {
            0..<new.rows ~= row && 0..<new.rows ~= row + by && equalCells(row + by, row) > equalCells(row, row)
        }
        var (start, end) = (rows.lowerBound, rows.upperBound)
        while isNearer(start - 1) { start -= 1 }
        while isNearer(end) { end += 1 }
        return start..<end
    }

    /// The rows of `after` that a scroll by `by` had best fill, and how many more of them are right then.
    private static func bestStretch(_ before: [UInt64], _ after: [UInt64], by: Int) -> (score: Int, rows: Range<Int>) {
        var best = (score: 0, rows: 0..<0)
        var score = 0
        var start = 0
        for row in max(0, -by)..<min(after.count, after.count - by) {
            if score <= 0 {
                score = 0
                start = row
            }
            let isRight = before[row] == after[row]
            let willBeRight = before[row + by] == after[row]
            if willBeRight && !isRight { score += 1 } else if isRight && !willBeRight { score -= 1 }
            if score > best.score { best = (score, start..<row + 1) }
        }
        return best
    }

    /// A hash of each row without its last column: a scroll bar there does not move with the rows, and must not hide that they do.
    private static func hashes(of picture: ScreenPicture) -> [UInt64] {
        picture.cells.withUnsafeBufferPointer { cells in
            (0..<picture.rows).map { row in
                // Two chains of multiplications run side by side in the processor.
                var text: UInt64 = 0x9E37_79B9_7F4A_7C15
                var style: UInt64 = 0x2545_F491_4F6C_DD1D
                for index in row * picture.columns..<row * picture.columns + max(1, picture.columns - 1) {
                    text = (text ^ cells[index].text) &* 0xFF51_AFD7_ED55_8CCD
                    style = (style ^ cells[index].style.bits) &* 0xC4CE_B9FE_1A85_EC53
                }
                return (text ^ text >> 29) &* 0x9E37_79B9_7F4A_7C15 ^ style
            }
        }
    }
}
