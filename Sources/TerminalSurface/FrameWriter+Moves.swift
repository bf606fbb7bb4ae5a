extension FrameWriter {
    mutating func move(x column: Int, y row: Int) {
        if x == column, y == row { return }
        let start = bytes.count
        if appendRelativeMove(column, row) {
            let absolute = Self.absoluteMoveLength(column, row)
            if bytes.count - start > absolute {
                bytes.removeSubrange(start...)
                appendAbsoluteMove(column, row)
            }
        } else {
            appendAbsoluteMove(column, row)
        }
        x = column
        y = row
    }

    private static func digitCount(_ number: Int) -> Int {
        number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10_000 ? 4 : 5
    }

    private static func absoluteMoveLength(_ column: Int, _ row: Int) -> Int {
        3 + (row == 0 ? 0 : digitCount(row + 1)) + (column == 0 ? 0 : 1 + digitCount(column + 1))
    }

    /// Appends the sequence that moves the cursor to a 0-based position (CUP). Parameters that are 1, the default, are omitted.
    private mutating func appendAbsoluteMove(_ column: Int, _ row: Int) {
        bytes.append(0x1B)
        bytes.append(0x5B)
        if row > 0 { bytes.append(decimal: row + 1) }
        if column > 0 {
            bytes.append(0x3B)
            bytes.append(decimal: column + 1)
        }
        bytes.append(0x48)
    }

    /// Appends a move relative to the cursor. Returns false if the move is impossible. Line feeds keep the column, because output
    /// processing of the terminal device is off.
    private mutating func appendRelativeMove(_ column: Int, _ row: Int) -> Bool {
        guard let y, canMoveRelatively(from: y, to: row) else { return false }
        let down = row - y
        if down != 0, x != nil || column == 0 {
            // After the last column, terminals handle LF and vertical moves differently. A CR before them makes the column certain.
            if column == 0, x != 0 {
                bytes.append(0x0D)
                x = 0
            }
        } else if down != 0 {
            return false
        }
        if down < 0 {
            bytes.append(csi: -down, 0x41)  // CUU, up
        } else if down > 4 {
            bytes.append(csi: down, 0x42)  // CUD, down
        } else {
            for _ in 0..<down { bytes.append(0x0A) }
        }
        guard let x else {
            if column == 0 { bytes.append(0x0D) } else { bytes.append(csi: column + 1, 0x47) }  // CHA, to the column
            return true
        }
        let right = column - x
        if right == 0 { return true }
        if column == 0 {
            bytes.append(0x0D)
        } else if right < 0, right >= -3 {
            for _ in right..<0 { bytes.append(0x08) }
        } else if right > 0 {
            bytes.append(csi: right, 0x43)  // CUF, right
        } else {
            bytes.append(csi: column + 1, 0x47)  // CHA, to the column
        }
        return true
    }

    /// Scrolls rows, and leaves the vacated rows blank in the terminal's default colors.
    ///
    /// The scrolling region of the terminal is not reset, because the next scroll usually has the same region.
    mutating func scroll(_ scroll: FrameDiff.Scroll) {
        if style != ScreenStyle(bits: 0) { setStyle(ScreenStyle(bits: 0)) }
        setRegion(scroll.rows)
        let count = abs(scroll.distance)
        if capabilities.scrollsManyRows {
            bytes.append(csi: count, scroll.distance > 0 ? 0x53 : 0x54)  // SU or SD: scroll up or down
        } else if scroll.distance > 0 {
            appendAbsoluteMove(0, scroll.rows.upperBound - 1)
            for _ in 0..<count { bytes.append(0x0A) }
            (x, y) = (0, scroll.rows.upperBound - 1)
        } else {
            appendAbsoluteMove(0, scroll.rows.lowerBound)
            for _ in 0..<count {
                bytes.append(0x1B)
                bytes.append(0x4D)  // RI: a line up; at the top of the region, it scrolls down
            }
            (x, y) = (0, scroll.rows.lowerBound)
        }
    }

    private mutating func setRegion(_ rows: Range<Int>) {
        guard rows != region else { return }
        bytes.append(0x1B)
        bytes.append(0x5B)
        if rows != 0..<size.rows {
            bytes.append(decimal: rows.lowerBound + 1)
            bytes.append(0x3B)
            bytes.append(decimal: rows.upperBound)
        }
        bytes.append(0x72)
        (x, y) = (0, 0)
        region = rows
    }

    /// True if relative moves up and down work between two rows. Such moves stop at the edges of the scrolling region, and a line feed in
    /// the last row of the region scrolls.
    private func canMoveRelatively(from row: Int, to other: Int) -> Bool {
        row == other
            || region.contains(row) == region.contains(other)
                && (region.contains(row) || (row < region.lowerBound) == (other < region.lowerBound))
    }
}
