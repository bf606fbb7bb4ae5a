extension CellBuffer {
    /// The text of each row, without trailing blanks.
    public func lines() -> [String] { (0..<size.rows).map { line($0) } }

    /// The text of row `y`, counted from 0, without trailing blanks.
    public func line(_ y: Int) -> String {
        var text = ""
        var end = size.columns
        while end > 0, self[end - 1, y].scalar == 0x20, self[end - 1, y].combiningMarks == 0 { end -= 1 }
        for x in 0..<end { self[x, y].append(to: &text) }
        return text
    }

    /// One string for each row, with the letter that `letter` returns for the style of each cell. Tests use it to compare styles.
    public func styleLines(_ letter: (TextStyle) -> Character) -> [String] {
        (0..<size.rows).map { y in String((0..<size.columns).map { x in letter(self[x, y].style) }) }
    }

    /// One string for each row, with the letter in `letters` for the style of each cell: `.` for the plain style, `?` for a style that is
    /// not in `letters`.
    public func styleLines(_ letters: [TextStyle: Character]) -> [String] {
        styleLines { letters[$0] ?? ($0 == .plain ? "." : "?") }
    }

    /// The buffer as text with color sequences (SGR), one line for each row. It can be printed in a terminal, saved, or shown in a pager.
    public func ansi(depth: ColorDepth = .trueColor) -> String {
        let snapshot = ScreenSnapshot(self, depth: depth)
        var bytes: [UInt8] = []
        for y in 0..<size.rows {
            var writer = FrameWriter(capabilities: TerminalCapabilities(colorDepth: depth), size: size)
            writer.style = ScreenStyle(bits: 0)
            let row = snapshot.cells[y * size.columns..<(y + 1) * size.columns]
            let end = (row.lastIndex { $0 != .blank } ?? row.startIndex - 1) + 1
            for cell in row[..<end] { writer.put(cell) }
            writer.setStyle(ScreenStyle(bits: 0))
            bytes += writer.bytes
            bytes.append(0x0A)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The buffer as an SVG image of a window with rounded corners. The image needs no other files.
    ///
    /// - Parameters:
    ///   - title: the text of the title bar.
    ///   - foreground: the color of text in the terminal's default color.
    ///   - background: the color of the terminal's default background.
    public func svg(
        title: String = "", foreground: TerminalColor = TerminalColor(red: 205, green: 214, blue: 244),
        background: TerminalColor = TerminalColor(red: 30, green: 30, blue: 46)
    ) -> String {
        SVGImage(buffer: self, foreground: foreground, background: background, title: title).text()
    }
}
