import Testing

@testable import TerminalSurface

@Suite struct RecordingBackendTests {
    @Test func `frames, their bytes and events are recorded`() throws {
        let backend = RecordingBackend(size: TerminalSize(columns: 10, rows: 2))
        try backend.start()
        var frame = CellBuffer(size: backend.size)
        frame.write("hello", x: 0, y: 1)
        backend.present(frame, cursor: nil)
        backend.present(frame, cursor: nil)
        #expect(backend.lines == ["", "hello"])
        #expect(backend.frames.count == 2)
        #expect(backend.lastBytes.isEmpty)
        backend.present(frame, cursor: (x: 2, y: 1))
        #expect(String(decoding: backend.lastBytes, as: UTF8.self) == "\u{8}\u{8}\u{8}\u{1B}[?25h")
        backend.press(KeyPress(.up), KeyPress(.character("a"), .control))
        backend.type("x")
        backend.size = TerminalSize(columns: 4, rows: 1)
        #expect(
            backend.pollEvents() == [
                .key(KeyPress(.up)), .key(KeyPress(.character("a"), .control)), .key(KeyPress(.character("x"))),
                .resize(TerminalSize(columns: 4, rows: 1)),
            ])
        #expect(backend.pollEvents().isEmpty)
        backend.wake()
        #expect(backend.wakeCount == 1)
        backend.suspend()
        #expect(backend.pollEvents() == [.resumed])
        backend.present(frame, cursor: nil)
        #expect(!backend.lastBytes.isEmpty)
    }
}
