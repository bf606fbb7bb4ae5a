extension CellBuffer {
    /// Copies the visible part of `rect` from another buffer of the same size. The columns stay the same, and the top row becomes row `y`.
    /// No wide character in `other` may cross an edge of `rect`.
    package mutating func copy(_ rect: TerminalRect, of other: CellBuffer, toY y: Int) {
        guard size == other.size else { return }
        let (columns, rows) = clipped(rect)
        for row in rows where 0..<size.rows ~= y + row - rect.y {
            let target = y + row - rect.y
            clearWideCharacter(crossing: columns.lowerBound, y: target)
            clearWideCharacter(crossing: columns.upperBound, y: target)
            let (to, from) = (target * size.columns, row * size.columns)
            cells.withUnsafeMutableBufferPointer { cells in
                other.cells.withUnsafeBufferPointer { others in
                    for x in columns { cells[to + x] = others[from + x] }
                }
            }
        }
    }

    /// Copies `rect` from another buffer, as far as `rect` lies in it. The upper left corner of `rect` goes to (`x`, `y`). A blank replaces
    /// the half of a wide character that crosses an edge of `rect`.
    package mutating func copy(_ rect: TerminalRect, of other: CellBuffer, toX x: Int, y: Int) {
        let (columns, rows) = other.clipped(rect)
        for row in rows where 0..<size.rows ~= y + row - rect.y {
            for column in columns where 0..<size.columns ~= x + column - rect.x {
                var cell = other[column, row]
                let isHalf = cell.width == 2 ? column + 1 == columns.upperBound : cell.width == 0 && column == columns.lowerBound
                if isHalf { cell = Cell(scalar: 0x20, style: cell.style) }
                self[x + column - rect.x, y + row - rect.y] = cell
            }
        }
    }

    /// Fills the visible part of `rect` with spaces of `style`.
    public mutating func fill(_ rect: TerminalRect, style: TextStyle) {
        let (columns, rows) = clipped(rect)
        guard !columns.isEmpty else { return }
        let blank = Cell(scalar: 0x20, style: style)
        for y in rows {
            clearWideCharacter(crossing: columns.lowerBound, y: y)
            clearWideCharacter(crossing: columns.upperBound, y: y)
            let start = y * size.columns
            cells.withUnsafeMutableBufferPointer { cells in
                for x in columns { cells[start + x] = blank }
            }
        }
    }

    /// Changes the style of the visible part of `rect`; the text does not change. A wide character has the style of its left half.
    ///
    /// - Complexity: O(terminal cells in `rect`); `change` is called once for adjacent cells of equal style.
    public mutating func restyle(_ rect: TerminalRect, _ change: (inout TextStyle) -> Void) {
        let (columns, rows) = clipped(rect)
        guard !columns.isEmpty else { return }
        for y in rows {
            let row = y * size.columns
            var old = cells[row + columns.lowerBound].style
            var new = old
            change(&new)
            cells.withUnsafeMutableBufferPointer { cells in
                for x in columns {
                    guard cells[row + x].width > 0 else { continue }
                    if cells[row + x].style != old {
                        old = cells[row + x].style
                        new = old
                        change(&new)
                    }
                    cells[row + x].style = new
                    if cells[row + x].width == 2 { cells[row + x + 1].style = new }
                }
            }
        }
    }

    /// Writes text at (`x`, `y`) in at most `width` terminal cells. Text beyond the edges of the buffer is not drawn.
    ///
    /// Characters that must not reach a terminal (controls, bidirectional overrides, invalid sequences) are replaced by visible
    /// characters in `replacementStyle`; a line break becomes ⏎. With `ellipsis`, the last cell of truncated text is `…` in
    /// `replacementStyle`. Wide characters are never halved: a blank replaces a wide character that does not fit.
    /// - Returns: the number of terminal cells written, including cells left of the buffer (`x` can be negative).
    /// - Complexity: O(`width`), for text of any length.
    @discardableResult
    public mutating func write(
        _ text: String, x: Int, y: Int, width: Int = .max, style: TextStyle = .plain, replacementStyle: TextStyle? = nil,
        ellipsis: Bool = false
    ) -> Int {
        var text = text
        return text.withUTF8 {
            write(utf8: $0, x: x, y: y, width: width, style: style, replacementStyle: replacementStyle, ellipsis: ellipsis)
        }
    }

    /// Writes UTF-8 text like ``write(_:x:y:width:style:replacementStyle:ellipsis:)``. Invalid sequences become U+FFFD in
    /// `replacementStyle`.
    @discardableResult
    public mutating func write(
        utf8 bytes: UnsafeBufferPointer<UInt8>, x: Int, y: Int, width: Int = .max, style: TextStyle = .plain,
        replacementStyle: TextStyle? = nil, ellipsis: Bool = false
    ) -> Int {
        guard 0..<size.rows ~= y, x < size.columns, width > 0, !bytes.isEmpty, x >= -0xFFFF_FFFF else { return 0 }
        let end = width < size.columns - x ? x + width : size.columns
        clearWideCharacter(crossing: x, y: y)
        let row = y * size.columns
        let (columnAfter, isTruncated) = cells.withUnsafeMutableBufferPointer { cells in
            Self.write(
                bytes, to: UnsafeMutableBufferPointer(rebasing: cells[row..<row + size.columns]), from: x, to: end, style, replacementStyle)
        }
        var column = columnAfter
        if column > 0 { clearLoneRightHalf(x: column, y: y) }
        if isTruncated, ellipsis {
            let last = min(column, end - 1)
            if last >= 0 { self[last, y] = Cell(scalar: 0x2026, style: replacementStyle ?? style) }
            column = last + 1
        }
        return column - x
    }

    /// Writes text into one row, from column `x` up to column `end`. Returns the column after the text, and true if only a part of the text
    /// fits.
    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>, to row: UnsafeMutableBufferPointer<Cell>, from x: Int, to end: Int, _ style: TextStyle,
        _ replacementStyle: TextStyle?
    ) -> (column: Int, isTruncated: Bool) {
        var scanner = CellScanner(bytes)
        var column = x
        /// The column of the last spacing scalar, whose cell gets the zero-width scalars that follow; -1 if this column is left of the
        /// buffer.
        var last = -1
        if column < 0 { column += scanner.skipPlainASCII(atMost: min(-column, end - column)) }
        while true {
            if column >= 0 {
                let first = column
                while column < end {
                    let byte = scanner.nextPlainASCII()
                    guard byte != 0 else { break }
                    row[column] = Cell(scalar: UInt32(byte), style: style)
                    column += 1
                }
                if column > first { last = column - 1 }
            }
            guard let item = scanner.next() else { return (column, !scanner.isAtEnd) }
            if item.width == 0 {
                if last >= 0 { row[last].combiningMarks = CombiningMarks.adding(item.scalar, to: row[last].combiningMarks) }
                continue
            }
            guard item.width <= end - column else {
                if column < end, column >= 0 { row[column] = Cell(scalar: 0x20, style: style) }
                return (end, true)
            }
            let cellStyle = item.isReplacement ? replacementStyle ?? style : style
            last = column >= 0 ? column : -1
            if last >= 0 {
                row[column] = Cell(scalar: item.scalar, style: cellStyle, width: UInt8(item.width))
                if item.width == 2 { row[column + 1] = Cell(scalar: 0, style: cellStyle, width: 0) }
            } else if column + item.width > 0 {
                row[0] = Cell(scalar: 0x20, style: cellStyle)
            }
            column += item.width
        }
    }

    private mutating func clearLoneRightHalf(x: Int, y: Int) {
        guard x < size.columns else { return }
        let index = y * size.columns + x
        if cells[index].width == 0, cells[index - 1].width != 2 { cells[index] = Cell(scalar: 0x20, style: cells[index].style) }
    }
}
