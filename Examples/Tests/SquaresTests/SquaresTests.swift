import Foundation
import Testing

/// Runs the program of the documents, as they have it, on a pseudo-terminal.
@Suite struct SquaresTests {
    /// The program, which is built beside the tests.
    private var program: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent().appending(path: "Squares")
    }

    @Test("C8: the program of the documents shows a million rows, goes to the last one, and leaves")
    func squares() throws {
        var (terminal, other): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 12, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&terminal, &other, nil, nil, &size) == 0)
        defer { close(terminal) }
        let process = Process()
        process.executableURL = program
        process.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle(fileDescriptor: other)
        process.standardOutput = FileHandle(fileDescriptor: other)
        try process.run()
        close(other)

        var screen = ""
        /// Reads until the program has written `text`; a minute is more than enough.
        func wait(for text: String) -> Bool {
            let deadline = Date.now + 60
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while !screen.contains(text), Date.now < deadline {
                var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
                guard poll(&ready, 1, 1_000) > 0 else { continue }
                let count = read(terminal, &bytes, bytes.count)
                guard count > 0 else { break }
                screen += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return screen.contains(text)
        }
        func type(_ keys: String) { _ = keys.withCString { write(terminal, $0, strlen($0)) } }

        #expect(wait(for: "n²") && wait(for: "64"))
        // Ctrl-End.
        type("\u{1b}[1;5F")
        #expect(wait(for: "999,998,000,"))
        type("q")
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
