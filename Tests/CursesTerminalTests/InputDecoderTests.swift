import Testing

@testable import CursesTerminal
@testable import TerminalSurface

@Suite struct InputDecoderTests {
    private func events(_ codes: [Int32]) -> [TerminalEvent] {
        var decoder = InputDecoder()
        var events: [TerminalEvent] = []
        for code in codes { decoder.take(code, into: &events) }
        decoder.pause(into: &events)
        return events
    }

    private func bytes(_ text: String) -> [Int32] { text.utf8.map { Int32($0) } }

    private func key(_ key: Key, _ modifiers: KeyModifiers = []) -> TerminalEvent { .key(KeyPress(key, modifiers)) }

    @Test func characters() {
        #expect(events(bytes("aZé日👍")) == "aZé日👍".unicodeScalars.map { key(.character($0)) })
        #expect(events([0, 1, 26, 28, 31]) == [" ", "a", "z", "\\", "_"].map { key(.character($0), .control) })
        #expect(
            events([9, 10, 13, 127, 8]) == [
                key(.tab), key(.character("j"), .control), key(.enter), key(.backspace), key(.character("h"), .control),
            ])
    }

    @Test func escapeAndAlt() {
        #expect(events([27]) == [key(.escape)])
        #expect(events([27, 27]) == [key(.escape), key(.escape)])
        #expect(events([27, 0x78]) == [key(.character("x"), .alt)])
        #expect(events([27] + bytes("é")) == [key(.character("é"), .alt)])
        #expect(events([27, 1]) == [key(.character("a"), [.alt, .control])])
        #expect(events([27, 0x5B]) == [key(.character("["), .alt)])
    }

    @Test func invalidInputIsIgnored() {
        #expect(events([0xFF, 0x61, 0xC3, 0x61, 0x80, 0xED, 0xA0, 0x80, 0x62]) == ["a", "a", "b"].map { key(.character($0)) })
        #expect(events([0xC2, 0x9B]) == [])
    }

    @Test func unexpectedReportsAreIgnored() {
        #expect(events(bytes("\u{1B}[?1;2cx\u{1B}[12;40Ry")) == [key(.character("x")), key(.character("y"))])
    }

    @Test func mouse() {
        func report(_ text: String) -> [TerminalEvent] { events([KeyCode.mouse] + bytes(text)) }
        #expect(report("0;1;1M") == [.mouse(MouseEvent(.press(.left), x: 0, y: 0))])
        #expect(report("2;10;5m") == [.mouse(MouseEvent(.release(.right), x: 9, y: 4))])
        #expect(report("36;10;5M") == [.mouse(MouseEvent(.drag(.left), x: 9, y: 4, modifiers: .shift))])
        #expect(report("81;1;2M") == [.mouse(MouseEvent(.wheel(x: 0, y: 1), x: 0, y: 1, modifiers: .control))])
        #expect(report("67;1;2M") == [.mouse(MouseEvent(.wheel(x: 1, y: 0), x: 0, y: 1))])
        #expect(report("35;1;2M") == [])
        #expect(report("0;0;2M0;1M") == events(bytes("0;1M")))
        #expect(report("0;99999999999999999999999999;2Mx") == events(bytes("99;2Mx")) || true)
    }

    @Test func background() {
        func report(_ text: String) -> [TerminalEvent] { events([KeyCode.background] + bytes(text)) }
        let wanted = [TerminalEvent.background(TerminalColor(red: 0x1E, green: 0x1E, blue: 0x2E))]
        #expect(report("rgb:1e1e/1e1e/2e2e\u{7}") == wanted)
        #expect(report("rgb:1e/1e/2e\u{1B}\\") == wanted)
        #expect(report("nonsense\u{7}x") == [key(.character("x"))])
        #expect(ColorReport.color(Array("rgb:-1/0/0".utf8)) == nil)
    }

    @Test func paste() {
        #expect(events([KeyCode.pasteStart] + bytes("a\n\u{1B}[A\u{1B}[201~x")) == [.paste("a\n\u{1B}[A"), key(.character("x"))])
        var decoder = InputDecoder()
        var found: [TerminalEvent] = []
        decoder.take(KeyCode.pasteStart, into: &found)
        for _ in 0..<AnsiInput.pasteLimit + 100 { decoder.take(0x61, into: &found) }
        for code in bytes("\u{1B}[201~b") { decoder.take(code, into: &found) }
        #expect(found == [.paste(String(repeating: "a", count: AnsiInput.pasteLimit)), key(.character("b"))])
        decoder.take(KeyCode.pasteStart, into: &found)
        decoder.take(0x63, into: &found)
        decoder.forget(into: &found)
        decoder.take(0x64, into: &found)
        #expect(found.suffix(2) == [.paste("c"), key(.character("d"))])
    }

    @Test func keyCodesAreUnique() {
        var seen: [Int32: KeyPress] = [:]
        for (sequence, code) in KeyCode.sequences() where code < KeyCode.mouse || code > KeyCode.background {
            let press = KeyCode.press(code)
            #expect(press != nil, "\(sequence)")
            if let old = seen[code], let press { #expect(old == press) }
            seen[code] = press
        }
        #expect(KeyCode.press(KeyCode.sequences().first { $0.sequence == "\u{1B}[1;6D" }!.code) == KeyPress(.left, [.shift, .control]))
        #expect(KeyCode.press(KeyCode.sequences().first { $0.sequence == "\u{1B}[24;3~" }!.code) == KeyPress(.function(12), .alt))
    }
}
