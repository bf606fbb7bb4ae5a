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

    private static func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10_000 ? 4 : 5 }

    private static func absoluteMoveLength(_ column: Int, _ row: Int) -> Int {
        3 + (row == 0 ? 0 : digits(row + 1)) + (column == 0 ? 0 : 1 + digits(column + 1))
    }

    /// CUP, with what is 1 left out.
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

    /// A move from where the cursor stands, if its row is known. Line feeds do not return the carriage: output is not processed.
    private mutating func appendRelativeMove(_ column: Int, _ row: Int) -> Bool {
        guard let y, canMoveRelatively(from: y, to: row) else { return false }
        let down = row - y
        if down != 0, x != nil || column == 0 {
            // Beyond the last column, a terminal may take line feed and the CUD family as it likes; after CR all is plain.
            if column == 0, x != 0 {
                bytes.append(0x0D)
                x = 0
            }
        } else if down != 0 {
            return false
        }
        if down < 0 {
            bytes.append(csi: -down, 0x41)  // CUU
        } else if down > 4 {
            bytes.append(csi: down, 0x42)  // CUD
        } else {
            for _ in 0..<down { bytes.append(0x0A) }
        }
        guard let x else {
            if column == 0 { bytes.append(0x0D) } else { bytes.append(csi: column + 1, 0x47) }  // CHA
            return true
        }
        let right = column - x
        if right == 0 { return true }
        if column == 0 {
            bytes.append(0x0D)
        } else if right < 0, right >= -3 {
            for _ in right..<0 { bytes.append(0x08) }
        } else if right > 0 {
            bytes.append(csi: right, 0x43)  // CUF
        } else {
            bytes.append(csi: column + 1, 0x47)  // CHA
        }
        return true
    }

    /// Scrolls and leaves what comes free blank in the terminal's own colours.
    ///
    /// The scrolling region stays set: whoever scrolls a list scrolls it again, and then need not say where.
    mutating func scroll(_ scroll: FrameDiff.Scroll) {
        if style != ScreenStyle(bits: 0) { turn(on: ScreenStyle(bits: 0)) }
        setRegion(scroll.rows)
        let count = abs(scroll.by)
        if capabilities.scrollsManyRows {
            bytes.append(csi: count, scroll.by > 0 ? 0x53 : 0x54)  // SU, SD
        } else if scroll.by > 0 {
            appendAbsoluteMove(0, scroll.rows.upperBound - 1)
            for _ in 0..<count { bytes.append(0x0A) }
            (x, y) = (0, scroll.rows.upperBound - 1)
        } else {
            appendAbsoluteMove(0, scroll.rows.lowerBound)
            for _ in 0..<count {
                bytes.append(0x1B)
                bytes.append(0x4D)  // RI
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

    /// Whether relative moves go from one row to the other: they stop at the edges of the scrolling region, and a line feed at its end scrolls.
    private func canMoveRelatively(from row: Int, to other: Int) -> Bool {
        row == other
            || region.contains(row) == region.contains(other)
                && (region.contains(row) || (row < region.lowerBound) == (other < region.lowerBound))
    }
}
