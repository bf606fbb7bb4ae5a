import Testing

@testable import TerminalSurface

/// Limits on the bytes of typical frames.
@Suite struct FrameBytesTests {
    /// A grid of ten columns with rules, a title, a header, a value line and hints, and a bold cursor cell.
    static func grid(
        size: TerminalSize = TerminalSize(columns: 120, rows: 40), top: Int = 0, cursor: Int = 0, isRowHighlighted: Bool = false
    )
        -> CellBuffer
    {
        let rule = TextStyle(foreground: TerminalColor(red: 88, green: 91, blue: 112))
        let number = TextStyle(foreground: TerminalColor(red: 137, green: 180, blue: 250))
        let highlightColor = TerminalColor(red: 30, green: 30, blue: 46)
        var frame = CellBuffer(size: size)
        frame.write(" trades.csv  10,000,000 × 10", x: 0, y: 0, style: TextStyle(attributes: .bold))
        let width = size.columns / 10
        for y in 1..<size.rows - 2 {
            let row = top + y - 2
            for column in 0..<10 {
                let x = column * width
                let text =
                    y == 1 ? "column \(column)" : column % 2 == 0 ? "\((row * 7919 + column * 104_729) % 100_000)" : "name \(row % 97)"
                let isRight = column % 2 == 0 && y > 1
                frame.write(text, x: isRight ? x + width - 1 - text.count : x, y: y, style: isRight ? number : .plain)
                frame.write("│", x: x + width - 1, y: y, style: rule)
            }
            if row == cursor, isRowHighlighted {
                frame.restyle(TerminalRect(x: 0, y: y, width: size.columns, height: 1)) { $0.background = highlightColor }
            }
            if row == cursor { frame.restyle(TerminalRect(x: 0, y: y, width: width - 1, height: 1)) { $0.attributes = .reverse } }
        }
        frame.write(" value \(cursor * 7919 % 100_000)", x: 0, y: size.rows - 2)
        frame.write("\(cursor + 1) / 10,000,000", x: size.columns - 25, y: size.rows - 2)
        frame.write(" ←↑↓→ move  s sort  & filter", x: 0, y: size.rows - 1, style: TextStyle(attributes: .dim))
        return frame
    }

    private func bytes(from first: CellBuffer, to second: CellBuffer, _ capabilities: TerminalCapabilities = .xterm) -> Int {
        var encoder = FrameEncoder(capabilities: capabilities)
        _ = encoder.encode(first)
        return encoder.encode(second).count
    }

    @Test func `an unchanged frame writes nothing`() {
        #expect(bytes(from: Self.grid(), to: Self.grid()) == 0)
    }

    @Test func `moving the cursor down one line writes at most 100 bytes, or 320 if the screen scrolls`() {
        #expect(bytes(from: Self.grid(cursor: 5), to: Self.grid(cursor: 6)) <= 100)
        let scrolled = bytes(from: Self.grid(top: 10, cursor: 45), to: Self.grid(top: 11, cursor: 46))
        #expect(scrolled <= 320)
        print("line down \(bytes(from: Self.grid(cursor: 5), to: Self.grid(cursor: 6))), scrolled \(scrolled)")
        let highlighted = bytes(from: Self.grid(cursor: 5, isRowHighlighted: true), to: Self.grid(cursor: 6, isRowHighlighted: true))
        let highlightedScrolled = bytes(
            from: Self.grid(top: 10, cursor: 45, isRowHighlighted: true), to: Self.grid(top: 11, cursor: 46, isRowHighlighted: true))
        print("highlighted row: line down \(highlighted), scrolled \(highlightedScrolled)")
    }

    @Test func `moving down many lines writes at most 5,000 bytes`() {
        #expect(bytes(from: Self.grid(), to: Self.grid(top: 170, cursor: 200)) <= 5000)
    }

    @Test func `a scrolled frame is detected`() {
        func scroll(_ from: CellBuffer, _ to: CellBuffer) -> FrameDiff.Scroll? {
            FrameDiff.scroll(from: ScreenSnapshot(from, depth: .trueColor), to: ScreenSnapshot(to, depth: .trueColor))
        }
        let size = TerminalSize(columns: 120, rows: 40)
        #expect(scroll(Self.grid(top: 10, cursor: 45), Self.grid(top: 11, cursor: 46)) == FrameDiff.Scroll(rows: 2..<38, distance: 1))
        #expect(scroll(Self.grid(top: 11, cursor: 11), Self.grid(top: 10, cursor: 10)) == FrameDiff.Scroll(rows: 2..<38, distance: -1))
        #expect(scroll(Self.grid(top: 0), Self.grid(top: 18, cursor: 18)) == FrameDiff.Scroll(rows: 2..<38, distance: 18))
        #expect(scroll(Self.grid(), Self.grid()) == nil)
        #expect(scroll(CellBuffer(size: size), Self.grid()) == nil)
    }

    @Test func `a page down writes at most 5,000 bytes`() {
        let page = bytes(from: Self.grid(), to: Self.grid(top: 36, cursor: 36))
        print("page \(page), first \(bytes(from: CellBuffer(size: TerminalSize(columns: 1, rows: 1)), to: Self.grid()))")
        #expect(page <= 5000)
    }
}
