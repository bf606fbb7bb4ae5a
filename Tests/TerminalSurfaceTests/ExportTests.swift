import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import TerminalSurface

@Suite struct ExportTests {
    private func sample() -> CellBuffer {
        var buffer = CellBuffer(size: TerminalSize(columns: 12, rows: 3))
        buffer.write("a<b>&\"c\"", x: 0, y: 0, style: TextStyle(foreground: TerminalColor(red: 255, green: 0, blue: 10), attributes: .bold))
        buffer.write("日e\u{301}│━", x: 0, y: 1, style: TextStyle(background: TerminalColor(red: 1, green: 2, blue: 3)))
        buffer.write("\u{1B}[31m", x: 0, y: 2, style: TextStyle(attributes: [.reverse, .underline]))
        return buffer
    }

    @Test func `a buffer is exported as text`() {
        #expect(sample().lines() == ["a<b>&\"c\"", "日e\u{301}│━", "␛[31m"])
        #expect(CellBuffer(size: TerminalSize(columns: 3, rows: 2)).lines() == ["", ""])
    }

    @Test func `a buffer is exported with ANSI sequences for each color depth`() {
        var buffer = CellBuffer(size: TerminalSize(columns: 6, rows: 2))
        buffer.write("ab", x: 1, y: 0, style: TextStyle(foreground: TerminalColor(red: 255, green: 0, blue: 10), attributes: .bold))
        #expect(buffer.ansi() == " \u{1B}[1;38;2;255;0;10mab\u{1B}[m\n\n")
        #expect(buffer.ansi(depth: .indexed256) == " \u{1B}[1;38;5;196mab\u{1B}[m\n\n")
        #expect(buffer.ansi(depth: .ansi16) == " \u{1B}[1;91mab\u{1B}[m\n\n")
        #expect(buffer.ansi(depth: .none) == " \u{1B}[1mab\u{1B}[m\n\n")
    }

    @Test func `a buffer is exported as well-formed SVG`() throws {
        let svg = sample().svg(title: "trades <&> \u{7}.csv")
        #expect(svg.contains("a&lt;b&gt;&amp;&quot;c&quot;"))
        #expect(svg.contains("fill=\"#ff000a\" font-weight=\"bold\""))
        #expect(svg.contains("<rect x=\"0\" y=\"16\" width=\"40\" height=\"16\" fill=\"#010203\"/>"))
        #expect(XMLParser(data: Data(svg.utf8)).parse())
    }
}
