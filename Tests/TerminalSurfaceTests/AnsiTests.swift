import GridTestSupport
import Testing

@testable import TerminalSurface

/// Tests of the decoder of terminal input, and of the backend for hosts that transport the bytes of a terminal.
@Suite struct AnsiTests {
    private func events(_ text: String, piece: Int = .max) -> [TerminalEvent] {
        var input = AnsiInput()
        var events: [TerminalEvent] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(piece, max(1, bytes.count))) {
            input.decode(bytes[start..<min(bytes.count, start + min(piece, bytes.count))], into: &events)
        }
        input.flush(into: &events)
        return events
    }

    private static let cases: [(String, [TerminalEvent])] = [
        ("a", [.key(KeyPress(.character("a")))]),
        ("ä日", [.key(KeyPress(.character("ä"))), .key(KeyPress(.character("日")))]),
        ("\u{1}", [.key(KeyPress(.character("a"), .control))]),
        ("\r\t\u{7F}", [.key(KeyPress(.enter)), .key(KeyPress(.tab)), .key(KeyPress(.backspace))]),
        ("\u{1B}", [.key(KeyPress(.escape))]),
        ("\u{1B}x", [.key(KeyPress(.character("x"), .alt))]),
        ("\u{1B}[A\u{1B}OB", [.key(KeyPress(.up)), .key(KeyPress(.down))]),
        ("\u{1B}[1;5C", [.key(KeyPress(.right, .control))]),
        ("\u{1B}[5;2~", [.key(KeyPress(.pageUp, .shift))]),
        ("\u{1B}[Z", [.key(KeyPress(.tab, .shift))]),
        ("\u{1B}[3~\u{1B}[H\u{1B}[4~", [.key(KeyPress(.delete)), .key(KeyPress(.home)), .key(KeyPress(.end))]),
        ("\u{1B}OP\u{1B}[17~\u{1B}[24~", [.key(KeyPress(.function(1))), .key(KeyPress(.function(6))), .key(KeyPress(.function(12)))]),
        ("\u{1B}[<0;5;3M", [.mouse(MouseEvent(.press(.left), x: 4, y: 2))]),
        ("\u{1B}[<65;1;1M", [.mouse(MouseEvent(.wheel(x: 0, y: 1), x: 0, y: 0))]),
        ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~c", [.paste("a\u{1B}[Ab"), .key(KeyPress(.character("c")))]),
        ("\u{1B}]11;rgb:ffff/0000/8080\u{7}", [.background(TerminalColor(red: 255, green: 0, blue: 128))]),
        ("\u{1B}]0;title\u{1B}\\x", [.key(KeyPress(.character("x")))]),
        ("\u{1B}[?62;1c", []),
        ("\u{1B}[?1;2cx\u{1B}[12;40Ry", [.key(KeyPress(.character("x"))), .key(KeyPress(.character("y")))]),
        ("\u{1B}\u{1B}", [.key(KeyPress(.escape)), .key(KeyPress(.escape))]),
        ("\u{1B}\u{1B}[A", [.key(KeyPress(.up, .alt))]),
        ("\u{1B}\u{1B}[<0;1;1M", [.key(KeyPress(.escape)), .mouse(MouseEvent(.press(.left), x: 0, y: 0))]),
        ("\u{1B}é\u{1B}\u{1}", [.key(KeyPress(.character("é"), .alt)), .key(KeyPress(.character("a"), [.alt, .control]))]),
        ("\u{1B}[", [.key(KeyPress(.character("["), .alt))]),
        ("\u{1B}[1;6D\u{1B}[24;3~", [.key(KeyPress(.left, [.shift, .control])), .key(KeyPress(.function(12), .alt))]),
        ("\u{1B}[1;9A\u{1B}[5;13~", [.key(KeyPress(.up, .alt)), .key(KeyPress(.pageUp, [.alt, .control]))]),
        (
            "\u{1B}[5$\u{1B}[6^\u{1B}[7@",
            [
                .key(KeyPress(.pageUp, .shift)), .key(KeyPress(.pageDown, .control)), .key(KeyPress(.home, [.shift, .control])),
            ]
        ),
        ("\u{1B}[a\u{1B}Ob", [.key(KeyPress(.up, .shift)), .key(KeyPress(.down, .control))]),
        ("\u{1B}Oj\u{1B}Oy\u{1B}[E\u{1B}OM", ["*", "9", "5"].map { .key(KeyPress(.character($0))) } + [.key(KeyPress(.enter))]),
        ("\u{1B}[[A\u{1B}[[E", [.key(KeyPress(.function(1))), .key(KeyPress(.function(5)))]),
        ("\u{1B}[999;999q", []),
    ]

    @Test(arguments: [Int.max, 1, 2, 3])
    func `D16: the decoder reads keys, mouse events, pastes and reports, in pieces of any size`(piece: Int) {
        for (bytes, expected) in Self.cases {
            #expect(events(bytes, piece: piece) == expected, "\(bytes.debugDescription) by \(piece)")
        }
    }

    @Test func `E: the decoder ignores invalid UTF-8 and 8-bit control characters`() {
        var input = AnsiInput()
        var events: [TerminalEvent] = []
        input.decode([0xFF, 0x61, 0xC3, 0x61, 0x80, 0xED, 0xA0, 0x80, 0x62, 0xC2, 0x9B], into: &events)
        #expect(events == ["a", "a", "b"].map { .key(KeyPress(.character($0))) })
    }

    @Test func `D16: keys are decoded by the terminal description, unless a sequence has a common meaning`() {
        let keys: [(String, KeyPress)] = [("\u{1B}[224z", KeyPress(.function(1))), ("\u{1B}Ow", KeyPress(.home))]
        var input = AnsiInput(eraseBytes: [0x7F], keys: keys.map { (Array($0.0.utf8), $0.1) })
        var events: [TerminalEvent] = []
        input.decode(Array("\u{8}\u{7F}\u{1B}[224z\u{1B}Ow".utf8), into: &events)
        let presses = [
            KeyPress(.character("h"), .control), KeyPress(.backspace), KeyPress(.function(1)), KeyPress(.character("7")),
        ]
        #expect(events == presses.map { .key($0) })
    }

    @Test func `D16: a mouse report in two parts is completed, and an unfinished paste is ended`() {
        var input = AnsiInput()
        var events: [TerminalEvent] = []
        input.decode(Array("\u{1B}[<0;".utf8), into: &events)
        input.flush(into: &events)
        input.decode(Array("5;3M".utf8), into: &events)
        #expect(events == [.mouse(MouseEvent(.press(.left), x: 4, y: 2))])
        input.decode(Array("\u{1B}[200~c".utf8), into: &events)
        input.reset(into: &events)
        input.decode([0x64], into: &events)
        #expect(events.suffix(2) == [.paste("c"), .key(KeyPress(.character("d")))])
    }

    @Test func `D16: the decoder reads mouse buttons, wheels and modifiers, and ignores unused reports`() {
        func report(_ text: String) -> [TerminalEvent] { events("\u{1B}[<" + text) }
        #expect(report("2;10;5m") == [.mouse(MouseEvent(.release(.right), x: 9, y: 4))])
        #expect(report("36;10;5M") == [.mouse(MouseEvent(.drag(.left), x: 9, y: 4, modifiers: .shift))])
        #expect(report("81;1;2M") == [.mouse(MouseEvent(.wheel(x: 0, y: 1), x: 0, y: 1, modifiers: .control))])
        #expect(report("66;1;2M") == [.mouse(MouseEvent(.wheel(x: -1, y: 0), x: 0, y: 1))])
        #expect(report("67;1;2M") == [.mouse(MouseEvent(.wheel(x: 1, y: 0), x: 0, y: 1))])
        for nothing in ["35;1;2M", "0;0;2M", "0;1M", "0;99999999999999999999999999;2M"] { #expect(report(nothing) == []) }
        #expect(ColorReport.color(Array("rgb:-1/0/0".utf8)) == nil)
        #expect(events("\u{1B}]11;nonsense\u{7}x") == [.key(KeyPress(.character("x")))])
    }

    @Test func `E: random bytes use bounded memory, and the next keys are read`() {
        var random = SplitMix64(seed: 49)
        for _ in 0..<200 {
            var input = AnsiInput()
            var events: [TerminalEvent] = []
            for _ in 0..<50 {
                let bytes = (0..<20).map { _ in
                    [0x1B, 0x5B, 0x4F, 0x5D, 0x3C, 0x3B, 0x7E, UInt8.random(in: 0...255)].randomElement(using: &random)!
                }
                input.decode(bytes, into: &events)
            }
            input.decode(Array("\u{1B}[201~\u{7}".utf8), into: &events)
            input.flush(into: &events)
            events = []
            input.decode([0x78], into: &events)
            #expect(events == [.key(KeyPress(.character("x")))])
        }
    }

    @Test func `the length of an endless paste is limited`() {
        var input = AnsiInput()
        var events: [TerminalEvent] = []
        input.decode(Array("\u{1B}[200~".utf8), into: &events)
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<6 { input.decode(piece, into: &events) }
        input.decode(Array("\u{1B}[201~".utf8), into: &events)
        guard case .paste(let text) = events.first else { Issue.record("no paste"); return }
        #expect(text.utf8.count == AnsiInput.pasteLimit)
    }

    @Test func `D16: a byte backend takes over the screen, writes changes, and restores the screen`() throws {
        var written: [UInt8] = []
        let backend = AnsiBackend(size: TerminalSize(columns: 10, rows: 2), write: { written += $0 })
        try backend.start()
        #expect(String(decoding: written, as: UTF8.self) == "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1002h\u{1B}[?1006h")
        var frame = CellBuffer(size: backend.size)
        frame.write("hello", x: 0, y: 1)
        written = []
        backend.present(frame, cursor: nil)
        #expect(String(decoding: written, as: UTF8.self).contains("hello"))
        written = []
        backend.present(frame, cursor: nil)
        #expect(written.isEmpty)
        backend.receive(Array("\u{1B}".utf8))
        #expect(backend.pollEvents().isEmpty)
        #expect(backend.pollEvents() == [.key(KeyPress(.escape))])
        backend.receive(Array("\u{1B}".utf8))
        #expect(backend.pollEvents().isEmpty)
        backend.receive(Array("[A".utf8))
        #expect(backend.pollEvents() == [.key(KeyPress(.up))])
        backend.size = TerminalSize(columns: 12, rows: 2)
        #expect(backend.pollEvents() == [.resize(TerminalSize(columns: 12, rows: 2))])
        backend.stop()
        #expect(String(decoding: written, as: UTF8.self).hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `D16: a byte backend turns mouse reports on and off immediately while it has the screen`() throws {
        var written: [UInt8] = []
        let backend = AnsiBackend(size: TerminalSize(columns: 10, rows: 2), write: { written += $0 })
        func bytes(_ change: () throws -> Void) rethrows -> [UInt8] {
            written = []
            try change()
            return written
        }
        #expect(bytes { backend.isMouseEnabled = false } == [])
        let start = try bytes { try backend.start() }
        #expect(!start.isEmpty && !String(decoding: start, as: UTF8.self).contains("?1002h"))
        #expect(bytes { backend.isMouseEnabled = true } == MouseReport.enableSequence)
        #expect(bytes { backend.isMouseEnabled = true } == [])
        #expect(bytes { backend.isMouseEnabled = false } == MouseReport.disableSequence)
        backend.stop()
        #expect(bytes { backend.isMouseEnabled = true } == [])
    }

    @Test func `D16: a byte backend redraws the whole screen after suspension`() throws {
        var written: [UInt8] = []
        let backend = AnsiBackend(size: TerminalSize(columns: 10, rows: 2), write: { written += $0 })
        try backend.start()
        var frame = CellBuffer(size: backend.size)
        frame.write("hello", x: 0, y: 1)
        backend.present(frame, cursor: nil)
        written = []
        backend.suspend()
        #expect(backend.pollEvents() == [.resumed] && written.isEmpty)
        backend.present(frame, cursor: nil)
        #expect(String(decoding: written, as: UTF8.self).contains("hello"))
    }
}
