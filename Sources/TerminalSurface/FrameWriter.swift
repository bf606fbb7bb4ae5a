/// A writer that converts cells to terminal output and tracks the cursor and the active style.
struct FrameWriter {
    let capabilities: TerminalCapabilities
    let size: TerminalSize
    var bytes: [UInt8] = []
    /// The column of the cursor; `nil` if it is uncertain because terminals differ. That is the case after the last column, and after
    /// characters of disputed width.
    var x: Int?
    var y: Int?
    /// The active style; `nil` if unknown.
    var style: ScreenStyle?
    var region: Range<Int>
    var styleChanges = 0

    init(capabilities: TerminalCapabilities, size: TerminalSize) {
        self.capabilities = capabilities
        self.size = size
        region = 0..<size.rows
    }

    /// Draws the changed cells `runs` of the frame `snapshot`, in reading order.
    /// - Parameters:
    ///   - freshRows: the rows that no longer show the previous frame: all rows if the screen was cleared, otherwise the scrolled rows.
    ///   - limit: the maximum number of bytes, after which drawing stops.
    /// - Returns: true if everything is drawn in at most `limit` bytes.
    mutating func draw(_ runs: [FrameDiff.Run], of snapshot: ScreenSnapshot, freshRows: Range<Int>, atMost limit: Int) -> Bool {
        snapshot.cells.withUnsafeBufferPointer { cells in
            var index = 0
            while index < runs.count, bytes.count <= limit {
                let row = runs[index].row
                var next = index + 1
                while next < runs.count, runs[next].row == row { next += 1 }
                let start = row * snapshot.columns
                let contents = UnsafeBufferPointer(rebasing: cells[start..<start + snapshot.columns])
                drawRow(runs[index..<next], contents, isFresh: freshRows.contains(row))
                index = next
            }
        }
        return bytes.count <= limit
    }

    mutating func draw(_ runs: some Collection<FrameDiff.Run>, _ cells: UnsafeBufferPointer<ScreenCell>, isFresh: Bool, lastChange: Int) {
        let tail = erasableTail(of: cells)
        var isTailErased = false
        for run in runs where !(isTailErased && run.columns.lowerBound >= tail) {
            let row = run.row
            var column = run.columns.lowerBound
            if isFresh, y == row, let x, x < column, canBridge(cells[x..<column]) {
                column = x
            } else {
                move(x: column, y: row)
            }
            while column < run.columns.upperBound {
                let cell = cells[column]
                if column >= tail, lastChange - column > 3 {
                    if x != column { move(x: column, y: row) }
                    setStyle(forBlank: cell.style)
                    bytes.append(csi: 0x4B)  // EL: erase to the end of the row
                    isTailErased = true
                    break
                }
                var end = column + 1
                while end < run.columns.upperBound, cells[end] == cell { end += 1 }
                if end - column > 4, cell.width == 1, cell.combiningMarks == 0, cell.scalar < 0x1F000 {
                    if x != column { move(x: column, y: row) }
                    put(cell, count: end - column, isLast: end == run.columns.upperBound)
                    column = end
                } else {
                    while column < end {
                        // A right half is written with its left half. For other cells, move the cursor if its column is uncertain after a
                        // character of disputed width.
                        if x != column, cell.width > 0 { move(x: column, y: row) }
                        put(cell)
                        column += 1
                    }
                }
            }
        }
    }

    /// The first column of the equal blanks at the end of the row that can be erased together. Without such blanks, the number of cells.
    private func erasableTail(of cells: UnsafeBufferPointer<ScreenCell>) -> Int {
        guard let last = cells.last, last.isBlank, canErase(to: last.style) else { return cells.count }
        var tail = cells.count - 1
        while tail > 0, cells[tail - 1] == last { tail -= 1 }
        return tail
    }

    private func canErase(to style: ScreenStyle) -> Bool {
        !style.showsOnBlank && (capabilities.erasesWithBackground || style.background == .terminalDefault)
    }

    /// True if writing the unchanged cells `gap` between two changes takes no more bytes than moving the cursor over them.
    private func canBridge(_ gap: Slice<UnsafeBufferPointer<ScreenCell>>) -> Bool {
        let limit = gap.count == 1 ? 3 : gap.count < 10 ? 4 : 0
        var cost = 0
        for cell in gap {
            guard let style, cell.isBlank ? style.canWrite(blank: cell.style) : cell.style == style, cell.combiningMarks == 0 else {
                return false
            }
            cost += cell.width == 0 ? 0 : cell.scalar < 0x80 ? 1 : cell.scalar < 0x800 ? 2 : cell.scalar < 0x1_0000 ? 3 : 4
            guard cost <= limit else { return false }
        }
        return true
    }

    /// Writes one cell at the cursor. The right half of a wide character writes nothing, because its left half has drawn it.
    @inline(__always)
    mutating func put(_ cell: ScreenCell) {
        if cell.isBlank { setStyle(forBlank: cell.style) } else { setStyle(cell.style) }
        if cell.combiningMarks == 0, cell.width == 1, cell.scalar &- 0x20 < 0x5F {
            bytes.append(UInt8(truncatingIfNeeded: cell.scalar))
            advance(1)
        } else {
            putNonASCII(cell)
        }
    }

    private mutating func putNonASCII(_ cell: ScreenCell) {
        guard cell.width > 0 else { return }
        let scalar = Cell.printable(cell.scalar).value
        bytes.append(utf8: scalar)
        CombiningMarks.forEach(cell.combiningMarks) { bytes.append(utf8: Cell.printable($0).value) }
        let width = cell.width
        let isDisputed =
            cell.combiningMarks != 0 || scalar >= 0x1F000 || (width == 2 && scalar < 0x2E80)
            || DisplayWidth.of(scalarValue: scalar) != width
        if isDisputed { x = nil } else { advance(width) }
    }

    /// Writes `count` equal cells of width 1 with the fewest bytes: the characters, an erase, or a repeat sequence.
    private mutating func put(_ cell: ScreenCell, count: Int, isLast: Bool) {
        let length = cell.scalar < 0x80 ? 1 : cell.scalar < 0x800 ? 2 : cell.scalar < 0x1_0000 ? 3 : 4
        let digits = count < 10 ? 1 : count < 100 ? 2 : 3
        let literal = length * count
        // Repeat only ASCII characters. Several terminals, such as tmux, draw nothing for other repeated characters.
        let repeated = capabilities.repeatsCharacters && cell.scalar < 0x80 ? length + 3 + digits : .max
        let erasable = capabilities.erasesCharacters && cell.isBlank && canErase(to: cell.style)
        let erased = erasable ? 3 + digits + (isLast ? 0 : 3 + digits) : .max
        if min(repeated, erased) >= literal {
            for _ in 0..<count { put(cell) }
        } else if erased < repeated {
            setStyle(forBlank: cell.style)
            bytes.append(csi: count, 0x58)  // ECH: erase characters
            if !isLast, let x { move(x: x + count, y: y ?? 0) }
        } else {
            put(cell)
            bytes.append(csi: count - 1, 0x62)  // REP: repeat the last character
            advance(count - 1)
        }
    }

    @inline(__always)
    private mutating func advance(_ columns: Int) {
        guard let column = x else { return }
        x = column + columns < size.columns ? column + columns : nil
    }
}

extension [UInt8] {
    mutating func append(csi final: UInt8) {
        append(0x1B)
        append(0x5B)
        append(final)
    }

    /// Appends `ESC [`, a number (omitted if it is 1, the default), and a final byte.
    mutating func append(csi number: Int, _ final: UInt8) {
        append(0x1B)
        append(0x5B)
        if number != 1 { append(decimal: number) }
        append(final)
    }

    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    mutating func append(utf8 scalar: UInt32) {
        switch scalar {
        case ..<0x80:
            append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
        case ..<0x1_0000:
            append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F))
            append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
        default:
            append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            append(0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F))
            append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F))
            append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
        }
    }
}
