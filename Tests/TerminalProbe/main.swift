// A program for the tests of CursesTerminal. It takes over the screen, reports events, and exits in the requested way.
//
// TerminalProbe ACTION: `events` writes each event to standard error as a line at the end, which also tests that standard error is
// restored.
// The other actions take over the screen, show a frame and end.

import CursesTerminal
import TerminalSurface

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

func report(_ text: String) {
    var text = text + "\n"
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

func overflow(_ depth: Int) -> Int { depth == Int.max ? 0 : 1 + overflow(depth + 1) * depth }

struct ProbeError: Error, CustomStringConvertible {
    var description: String { "out of \u{1B}[7mpaper" }
}

let action = CommandLine.arguments.dropFirst().first ?? "events"
CursesBackend.runProgram { backend in
    try backend.start()
    var frame = CellBuffer(size: backend.size)
    frame.write("PROBE READY", x: 0, y: 0)
    backend.present(frame, cursor: nil)
    switch action {
    case "segv": kill(getpid(), SIGSEGV)
    case "null": UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1
    case "abort": abort()
    case "trap": raise(SIGTRAP)
    case "fatal": fatalError("the reason for the crash")
    case "overflow": print(overflow(Int(getpid()) & 0))
    case "exit": exit(7)
    case "status": return 7
    case "throw": throw ProbeError()
    case "kill": kill(getpid(), SIGKILL)
    case "flood":
        // Draws endlessly, for a terminal that does not read.
        var letter: UInt32 = 0x41
        while backend.pendingSignal == nil {
            letter = letter == 0x5A ? 0x41 : letter + 1
            for y in 0..<backend.size.rows {
                for x in 0..<backend.size.columns { frame[x, y] = Cell(scalar: letter + UInt32((x + y) % 2)) }
            }
            backend.present(frame, cursor: nil)
            _ = backend.pollEvents()
        }
    default: break
    }
    var isDone = false
    var count = 0
    while !isDone, backend.pendingSignal == nil {
        backend.wait(timeoutMilliseconds: 10_000)
        for event in backend.pollEvents() {
            report("event \(event)")
            if event == .key(KeyPress(.character("q"))) { isDone = true }
            if event == .key(KeyPress(.character("z"), .control)) { backend.suspend() }
            count += 1
            frame = CellBuffer(size: backend.size)
            frame.write("EVENTS \(count) SIZE \(backend.size.columns)x\(backend.size.rows)", x: 0, y: 0)
        }
        backend.present(frame, cursor: nil)
    }
    return backend.pendingSignal.map { 128 + $0 } ?? 0
}
