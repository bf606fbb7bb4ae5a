import GridTestSupport
import Testing

@testable import TerminalSurface

@Suite struct CellBufferTests {
    private static let mark = TextStyle(attributes: .dim)

    /// The text in `width` cells, and its style: `.` plain, `d` a mark.
    private func written(_ text: String, _ width: Int = .max, x: Int = 0, ellipsis: Bool = false, columns: Int = 12) -> (
        String, String, Int
    ) {
        var buffer = CellBuffer(size: TerminalSize(columns: columns, rows: 1))
        let count = buffer.write(text, x: x, y: 0, width: width, replacementStyle: Self.mark, ellipsis: ellipsis)
        var styles = buffer.styleLines([Self.mark: "d"])[0]
        while styles.last == "." { styles.removeLast() }
        return (buffer.line(0), styles, count)
    }

    @Test func `text is written, clipped, and truncated with an ellipsis`() {
        #expect(written("abc") == ("abc", "", 3))
        #expect(written("abcdef", 3) == ("abc", "", 3))
        #expect(written("abcdef", 3, ellipsis: true) == ("ab…", "..d", 3))
        #expect(written("abc", 3, ellipsis: true) == ("abc", "", 3))
        #expect(written("abc", 0, ellipsis: true) == ("", "", 0))
        #expect(written("0123456789abcdef", ellipsis: true) == ("0123456789a…", "...........d", 12))
        #expect(written("abc", x: 11) == ("           a", "", 1))
        #expect(written("abc", x: 12) == ("", "", 0))
        #expect(written("abcdef", x: -2) == ("cdef", "", 6))
        #expect(written("ab", x: -2) == ("", "", 2))
        #expect(written("abcdef", 4, x: -2, ellipsis: true) == ("c…", ".d", 4))
        #expect(written("abc", x: -50, ellipsis: true) == ("", "", 3))
    }

    @Test func `a wide character is never split`() {
        #expect(written("日本語") == ("日本語", "", 6))
        #expect(written("日本語", 5) == ("日本", "", 5))
        #expect(written("日本語", 5, ellipsis: true) == ("日本…", "....d", 5))
        #expect(written("日本語", 4, ellipsis: true) == ("日 …", "...d", 4))
        #expect(written("日本", x: -1) == (" 本", "", 4))
        var buffer = CellBuffer(size: TerminalSize(columns: 6, rows: 1))
        buffer.write("日本語", x: 0, y: 0)
        buffer.write("x", x: 1, y: 0)
        #expect(buffer.line(0) == " x本語")
        buffer.write("y", x: 2, y: 0)
        #expect(buffer.line(0) == " xy 語")
        buffer.fill(TerminalRect(x: 5, y: 0, width: 9, height: 1), style: .plain)
        #expect(buffer.line(0) == " xy")
    }

    @Test func `a cell has one character with its combining marks`() {
        #expect(written("e\u{301}x") == ("e\u{301}x", "", 2))
        #expect(written("o\u{302}\u{323}\u{308}\u{301}\u{300}x") == ("o\u{302}\u{323}\u{308}\u{301}x", "", 2))
        #expect(written("\u{301}x") == ("◌\u{301}x", "d", 2))
        #expect(written("e\u{301}", 1, ellipsis: true) == ("e\u{301}", "", 1))
        #expect(written("❤\u{FE0F}x") == ("❤x", "", 2))
        #expect(written("👍🏽x") == ("👍x", "", 3))
        #expect(written("👩‍👩‍👧‍👦x") == ("👩x", "", 3))
        #expect(written("क\u{200D}ष") == ("कष", "", 2))
        #expect(written("a\u{200B}\u{200E}\u{FEFF}b") == ("ab", "", 2))
        #expect(written("🇬🇧") == ("🇬🇧", "", 2))
        #expect(written("\u{1FAE8}x") == ("\u{FFFD}x", "d", 2))
        #expect(written("a\u{A0}b") == ("a b", "", 3))
    }

    @Test func `E: control and direction characters are shown as symbols`() {
        #expect(written("a\tb\nc\r\nd\re") == ("a→b⏎c⏎d⏎e", ".d.d.d.d", 9))
        #expect(written("\u{1B}[2J\u{0}\u{7F}\u{9B}") == ("␛[2J␀␡␦", "d...ddd", 7))
        #expect(written("a\u{202E}b\u{202C}c\u{2067}") == ("a⇠b¦c⇠", ".d.d.d", 6))
        #expect(written("\u{FFFD}\u{2028}") == ("\u{FFFD}⏎", "dd", 2))
    }

    @Test func `E: invalid bytes are shown as replacement characters`() {
        func shown(_ bytes: [UInt8]) -> String {
            var buffer = CellBuffer(size: TerminalSize(columns: 12, rows: 1))
            bytes.withUnsafeBufferPointer { _ = buffer.write(utf8: $0, x: 0, y: 0) }
            #expect(buffer.line(0).unicodeScalars.count == bytes.withUnsafeBufferPointer { DisplayWidth.of(utf8: $0) })
            return buffer.line(0)
        }
        #expect(shown([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(shown([0xED, 0xA0, 0x80]) == "\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(shown([0xF0, 0x9F, 0x98]) == "\u{FFFD}")
        #expect(shown([0xF0, 0x9F, 0x41]) == "\u{FFFD}A")
        #expect(shown([0xC0, 0x80]) == "\u{FFFD}\u{FFFD}")
        #expect(shown([0xE2, 0x82]) == "\u{FFFD}")
    }

    @Test(arguments: 0..<40) func `E: no data reaches a terminal as a control sequence`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var terminal = TerminalModel(size: TerminalSize(columns: 40, rows: 4))
        var encoder = FrameEncoder(capabilities: .xterm)
        for _ in 0..<50 {
            let bytes = (0..<60).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : [0x1B, 0x5B, 0x9B, 0xC2, 0xE2, 0x80, 0xAE, 0x5D, 7].randomElement(using: &random)!
            }
            var frame = CellBuffer(size: terminal.size)
            for y in 0..<4 {
                let count = bytes.withUnsafeBufferPointer { frame.write(utf8: UnsafeBufferPointer(rebasing: $0[(y * 10)...]), x: y, y: y) }
                let width = bytes.withUnsafeBufferPointer { DisplayWidth.of(utf8: UnsafeBufferPointer(rebasing: $0[(y * 10)...])) }
                #expect(count == min(width, 40 - y), "seed \(seed)")
            }
            terminal.feed(encoder.encode(frame))
            #expect(terminal.violations.isEmpty, "seed \(seed)")
            #expect(terminal.firstDifference(from: frame, depth: .trueColor) == nil, "seed \(seed)")
        }
    }

    @Test func `E: every Unicode scalar is drawn in its cells, without a control sequence`() {
        var frame = CellBuffer(size: TerminalSize(columns: 64, rows: 17))
        var terminal = TerminalModel(size: frame.size)
        var encoder = FrameEncoder(capabilities: .xterm)
        for plane in stride(from: UInt32(0), to: 0x11_0000, by: 1088) {
            for offset in 0..<1088 {
                let text = Unicode.Scalar(plane + UInt32(offset)).map { String(Character($0)) } ?? ""
                frame.fill(TerminalRect(x: offset % 64, y: offset / 64, width: 1, height: 1), style: .plain)
                frame.write(text, x: offset % 64, y: offset / 64, width: 1)
            }
            terminal.feed(encoder.encode(frame))
        }
        #expect(terminal.violations.isEmpty)
        #expect(terminal.firstDifference(from: frame, depth: .trueColor) == nil)
    }

    /// A cell has the same cost for a string of any length (a field of 1 GB, for example). Reading the whole text would exceed the time
    /// limit.
    @Test(.timeLimit(.minutes(5))) func `E: only the visible beginning of a long text is read`() {
        for piece in ["a", "日", "\u{200B}", "e\u{301}", "\u{301}"] {
            let text = String(repeating: piece, count: 2_000_000)
            var buffer = CellBuffer(size: TerminalSize(columns: 20, rows: 1))
            for _ in 0..<10_000 { buffer.write(text, x: 0, y: 0, width: 10, ellipsis: true) }
            #expect(buffer[piece == "\u{200B}" ? 0 : piece == "\u{301}" ? 1 : 9, 0].text == "…")
        }
    }

    @Test func `a wide character keeps one style`() {
        var buffer = CellBuffer(size: TerminalSize(columns: 6, rows: 1))
        buffer.write("a日b本", x: 0, y: 0)
        buffer.restyle(TerminalRect(x: 2, y: 0, width: 3, height: 1)) { $0.attributes = .bold }
        #expect(buffer.styleLines([TextStyle(attributes: .bold): "b"]) == ["...bbb"])
    }

    @Test func `rectangles are clipped to the buffer`() {
        var buffer = CellBuffer(size: TerminalSize(columns: 3, rows: 2))
        buffer.fill(TerminalRect(x: -5, y: 1, width: .max, height: .max), style: Self.mark)
        buffer.fill(TerminalRect(x: 1, y: -1, width: -3, height: 9), style: .plain)
        #expect(buffer.styleLines([Self.mark: "d"]) == ["...", "ddd"])
        #expect(CellBuffer(size: TerminalSize(columns: -1, rows: 4)).lines() == ["", "", "", ""])
    }
}
