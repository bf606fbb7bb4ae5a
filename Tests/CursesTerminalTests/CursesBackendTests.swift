import CNcursesw
import CTerminalSignals
import Foundation
import Testing

@testable import CursesTerminal
@testable import TerminalSurface

/// Tests of the backend on a pseudo-terminal. They run one at a time because ncurses has global state.
@MainActor @Suite(.serialized) struct CursesBackendTests {
    private func withBackend<T>(
        type: String = "xterm-256color", queriesBackground: Bool = false, _ body: (CursesBackend, PseudoTerminal) throws -> T
    ) throws -> T {
        let terminal = PseudoTerminal()
        var options = CursesBackend.Options()
        options.terminalType = type
        options.queriesBackground = queriesBackground
        options.colorDepth = .trueColor
        let backend = try CursesBackend(options, device: TerminalDevice(input: terminal.slave, output: terminal.slave))
        try backend.start()
        defer { backend.stop() }
        return try body(backend, terminal)
    }

    private func key(_ key: Key, _ modifiers: KeyModifiers = []) -> TerminalEvent { .key(KeyPress(key, modifiers)) }

    @Test func `D16: starting, drawing and stopping write only the required bytes, and the terminal modes are restored`() throws {
        let terminal = PseudoTerminal()
        let before = terminal.modes
        var options = CursesBackend.Options()
        options.terminalType = "xterm-256color"
        options.queriesBackground = false
        let backend = try CursesBackend(options, device: TerminalDevice(input: terminal.slave, output: terminal.slave))
        try backend.start()
        #expect(terminal.modes != before)
        _ = backend.pollEvents()
        #expect(
            String(decoding: terminal.readOutput(), as: UTF8.self)
                == "\u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[?1h\u{1B}=\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1002h\u{1B}[?1006h")
        var frame = CellBuffer(size: backend.size)
        frame.write("hello", x: 0, y: 0)
        backend.present(frame, cursor: nil)
        #expect(String(decoding: terminal.readOutput(), as: UTF8.self) == "\u{1B}[m\u{1B}[r\u{1B}[H\u{1B}[2Jhello\u{1B}[?25l")
        backend.present(frame, cursor: nil)
        #expect(terminal.readOutput() == [])
        backend.isMouseEnabled = false
        #expect(String(decoding: terminal.readOutput(), as: UTF8.self) == "\u{1B}[?1006l\u{1B}[?1002l")
        backend.stop()
        let end = String(decoding: terminal.readOutput(), as: UTF8.self)
        #expect(end.hasSuffix("\u{1B}[?7h\u{1B}[m\u{1B}[?1l\u{1B}>\u{1B}[?25h\u{1B}[?1049l\u{1B}[23;0;0t"))
        #expect(terminal.modes == before)
        backend.stop()
        #expect(terminal.readOutput() == [])
        try backend.start()
        backend.stop()
        #expect(terminal.modes == before)
    }

    @Test func `D16: keys that only the terminal description defines are recognized`() throws {
        try withBackend(type: "linux") { backend, terminal in
            terminal.type("\u{1B}[[C\u{1B}[25~\u{1B}[34~")
            #expect(backend.pollEvents() == [key(.function(3)), key(.function(1), .shift), key(.function(8), .shift)])
        }
    }

    @Test(
        arguments: ["xterm-256color", "tmux-256color", "screen-256color", "xterm", "linux", "vt220", "no-such-terminal"])
    func `D16: keys, text and modifiers are recognized in every terminal type`(type: String) throws {
        try withBackend(type: type) { backend, terminal in
            func typed(_ text: String) -> [TerminalEvent] {
                terminal.type(text)
                return backend.pollEvents()
            }
            #expect(typed("aé日") == "aé日".unicodeScalars.map { key(.character($0)) })
            #expect(typed("\u{1B}OA\u{1B}[B\u{1B}[1;5C\u{1B}[1;2D") == [key(.up), key(.down), key(.right, .control), key(.left, .shift)])
            #expect(
                typed("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[5~\u{1B}[6;5~") == [
                    key(.home), key(.end), key(.home), key(.end), key(.pageUp), key(.pageDown, .control),
                ])
            #expect(
                typed("\u{1B}[2~\u{1B}[3~\u{1B}OP\u{1B}[24~\u{1B}[Z") == [
                    key(.insert), key(.delete), key(.function(1)), key(.function(12)), key(.tab, .shift),
                ])
            #expect(
                typed("\u{1B}x\u{1B}[1;3A\t\r\u{7F}\u{0}\u{1}") == [
                    key(.character("x"), .alt), key(.up, .alt), key(.tab), key(.enter), key(.backspace), key(.character(" "), .control),
                    key(.character("a"), .control),
                ])
            #expect(
                typed("\u{1B}[<0;3;4M\u{1B}[<0;3;4m\u{1B}[<65;1;1M") == [
                    .mouse(MouseEvent(.press(.left), x: 2, y: 3)), .mouse(MouseEvent(.release(.left), x: 2, y: 3)),
                    .mouse(MouseEvent(.wheel(x: 0, y: 1), x: 0, y: 0)),
                ])
            #expect(typed("\u{1B}[200~line\r\u{1B}[A日\u{1}\u{1B}[201~y") == [.paste("line\r\u{1B}[A日\u{1}"), key(.character("y"))])
            #expect(
                typed("\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\z") == [
                    .background(TerminalColor(red: 255, green: 128, blue: 0)), key(.character("z")),
                ])
        }
    }

    @Test func `D16: a lone Escape is reported within 60 ms`() throws {
        try withBackend { backend, terminal in
            // One measurement may be late on a busy machine, but not all of them.
            let quickest = (0..<20).map { _ in
                terminal.type("\u{1B}")
                return ContinuousClock().measure { #expect(backend.pollEvents() == [key(.escape)]) }
            }.min()
            #expect(quickest! < .milliseconds(60))
        }
    }

    @Test func `D16: one poll returns all keys that have arrived`() throws {
        try withBackend { backend, terminal in
            terminal.type(String(repeating: "\u{1B}OB", count: 200))
            #expect(backend.pollEvents() == Array(repeating: key(.down), count: 200))
        }
    }

    @Test func `D16: a paste longer than the terminal buffer arrives completely, and the next key follows it`() throws {
        try withBackend { backend, terminal in
            let text = String(repeating: "0123456789\r", count: 20_000)
            let master = terminal.master
            Thread.detachNewThread {
                var rest = Array("\u{1B}[200~\(text)\u{1B}[201~q".utf8)[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { write(master, $0.baseAddress, min($0.count, 1000)) }
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
            var events: [TerminalEvent] = []
            let clock = ContinuousClock()
            let start = clock.now
            while events.last != key(.character("q")), clock.now - start < .seconds(60) {
                backend.wait(timeoutMilliseconds: 1000)
                events += backend.pollEvents()
            }
            #expect(events == [.paste(text), key(.character("q"))])
        }
    }

    @Test func `E: random input neither crashes nor hangs the program, and the next key is read`() throws {
        try withBackend { backend, terminal in
            for seed in 0..<30 {
                var random = SeededRandom(seed: UInt64(seed))
                let bytes = (0..<300).map { _ in
                    random.next() % 3 == 0
                        ? [0x1B, 0x5B, 0x3C, 0x4D, 0x3B, 0x30, 0x7E, 0x5D][Int(random.next() % 8)]
                        : UInt8(truncatingIfNeeded: random.next() >> 8)
                }
                terminal.type(bytes)
                while !backend.pollEvents().isEmpty {}
                backend.lastInputTime = -100_000
                terminal.type("q")
                #expect(backend.pollEvents().last == key(.character("q")), "seed \(seed)")
            }
        }
    }

    @Test func `D16: a resize is reported with the new size`() throws {
        try withBackend { backend, terminal in
            terminal.resize(columns: 100, rows: 30)
            raise(SIGWINCH)
            #expect(backend.pollEvents() == [.resize(TerminalSize(columns: 100, rows: 30))])
            #expect(backend.size == TerminalSize(columns: 100, rows: 30))
        }
    }

    @Test func `D16: the screen of a terminal that reports a huge size is limited`() throws {
        let terminal = PseudoTerminal(columns: 65_535, rows: 65_535)
        var options = CursesBackend.Options()
        options.terminalType = "xterm-256color"
        options.queriesBackground = false
        let backend = try CursesBackend(options, device: TerminalDevice(input: terminal.slave, output: terminal.slave))
        #expect(backend.size == TerminalSize(columns: 2_000, rows: 2_000))
        try backend.start()
        defer { backend.stop() }
        terminal.resize(columns: 60_000, rows: 1)
        raise(SIGWINCH)
        backend.wait(timeoutMilliseconds: 1000)
        #expect(backend.pollEvents() == [.resize(TerminalSize(columns: 2_000, rows: 1))])
    }

    @Test func `a wait for input ends when another thread wakes it, or at the timeout`() throws {
        try withBackend { backend, _ in
            let wake = backend.wake
            Thread.detachNewThread {
                usleep(20_000)
                wake()
            }
            let clock = ContinuousClock()
            #expect(clock.measure { backend.wait(timeoutMilliseconds: 600_000) } < .seconds(60))
            #expect(backend.pollEvents() == [])
            #expect(clock.measure { backend.wait(timeoutMilliseconds: 30) } >= .milliseconds(25))
            wake()
            #expect(clock.measure { backend.wait(timeoutMilliseconds: nil) } < .seconds(60))
        }
    }

    @Test func `D16: SIGTERM is reported as a pending signal`() throws {
        try withBackend { backend, _ in
            raise(SIGTERM)
            backend.wait(timeoutMilliseconds: 5000)
            _ = backend.pollEvents()
            #expect(backend.pendingSignal == SIGTERM)
        }
    }

    @Test func `D16: a closed terminal is reported as SIGHUP`() throws {
        try withBackend { backend, terminal in
            terminal.closeMaster()
            backend.wait(timeoutMilliseconds: 5000)
            _ = backend.pollEvents()
            backend.present(CellBuffer(size: backend.size, style: TextStyle(attributes: .reverse)), cursor: nil)
            #expect(backend.isClosed)
            #expect(backend.pendingSignal == SIGHUP)
        }
    }

    @Test func `D16: the terminal description determines the capabilities; a type without cursor motion is an error`() throws {
        try withBackend(type: "xterm-256color") { backend, _ in
            #expect(
                backend.capabilities.repeatsCharacters && backend.capabilities.scrollsManyRows && backend.capabilities.erasesWithBackground)
        }
        try withBackend(type: "linux") { backend, _ in
            #expect(!backend.capabilities.scrollsManyRows && backend.capabilities.scrollsRegions)
        }
        for type in ["dumb", ""] {
            let error = #expect(throws: TerminalError.self) { try withBackend(type: type) { _, _ in } }
            #expect(error?.code == .unusableType)
        }
    }

    @Test func `B1: a locale with an encoding other than UTF-8 disables Unicode`() {
        for locale in ["C", "POSIX", "de_AT", "C.UTF-8", "en_US.utf8", "de_AT.UTF-8@euro"] {
            #expect(CursesBackend.isUnicode(locale: locale), "\(locale)")
        }
        for locale in ["de_AT.ISO-8859-1", "ru_RU.KOI8-R", "de_AT.iso885915@euro"] {
            #expect(!CursesBackend.isUnicode(locale: locale), "\(locale)")
        }
    }

    @Test func `the color depth follows the terminal type, COLORTERM and NO_COLOR`() throws {
        let names = ["NO_COLOR", "COLORTERM"]
        let before = names.map { ($0, ProcessInfo.processInfo.environment[$0]) }
        defer { for (name, value) in before { if let value { setenv(name, value, 1) } else { unsetenv(name) } } }
        func depth(_ type: String, _ noColor: String, _ colorTerm: String) throws -> ColorDepth {
            setenv("NO_COLOR", noColor, 1)
            setenv("COLORTERM", colorTerm, 1)
            let terminal = PseudoTerminal()
            var options = CursesBackend.Options()
            options.terminalType = type
            let backend = try CursesBackend(options, device: TerminalDevice(input: terminal.slave, output: terminal.slave))
            try backend.start()
            defer { backend.stop() }
            return backend.capabilities.colorDepth
        }
        #expect(try depth("xterm-256color", "", "") == .indexed256)
        #expect(try depth("xterm-256color", "", "truecolor") == .trueColor)
        #expect(try depth("xterm-256color", "1", "truecolor") == .none)
        #expect(try depth("xterm", "", "") == .ansi16)
        #expect(try depth("linux", "", "") == .ansi16)
        #expect(try depth("vt100", "", "24bit") == .none)
    }

    @Test func `D16: a slow terminal receives every byte of a frame`() throws {
        try withBackend { backend, terminal in
            var encoder = FrameEncoder(capabilities: backend.capabilities)
            var frame = CellBuffer(size: backend.size)
            for y in 0..<24 {
                for x in 0..<80 {
                    frame[x, y] = Cell(
                        scalar: 0x21 + UInt32(x), style: TextStyle(foreground: TerminalColor(red: UInt8(3 * x), green: UInt8(y), blue: 1)))
                }
            }
            let expected = encoder.encode(frame)
            #expect(expected.count > 10_000)
            // Sends the bytes that precede the first frame.
            _ = backend.pollEvents()
            _ = terminal.readOutput()
            let reader = terminal.master
            let result = CollectedOutput()
            let thread = Thread {
                var block = [UInt8](repeating: 0, count: 777)
                while result.count < expected.count {
                    let count = read(reader, &block, block.count)
                    guard count > 0 else { break }
                    result.append(block[..<count])
                    usleep(200)
                }
                result.finish()
            }
            thread.start()
            backend.present(frame, cursor: nil)
            result.waitUntilFinished()
            #expect(result.bytes == expected)
        }
    }
}

/// Bytes collected by another thread.
final class CollectedOutput: @unchecked Sendable {
    private let lock = NSCondition()
    private var collected: [UInt8] = []
    private var isFinished = false
    var count: Int { lock.withLock { collected.count } }
    var bytes: [UInt8] { lock.withLock { collected } }
    func append(_ bytes: ArraySlice<UInt8>) { lock.withLock { collected += bytes } }
    func finish() {
        lock.lock()
        isFinished = true
        lock.signal()
        lock.unlock()
    }
    func waitUntilFinished() {
        lock.lock()
        while !isFinished { lock.wait() }
        lock.unlock()
    }
}

struct SeededRandom {
    var state: UInt64
    init(seed: UInt64) { state = seed &+ 77 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
