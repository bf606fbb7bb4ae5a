import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// Data from a pipe with keys from the terminal, and output into a pipe.
    @Suite struct PipeTests {
        private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

        private func shell(_ script: String, columns: Int = 100, rows: Int = 30) throws -> TerminalDriver {
            try TerminalDriver(["sh", "-c", script, ProgramUnderTest.path, trades], columns: columns, rows: rows)
        }

        @Test(
            arguments: ["cat \"$1\" | \"$0\"", "cat \"$1\" | \"$0\" -", "\"$0\" <\"$1\""])
        func `D1: data is read from a pipe, and keys from the terminal`(_ script: String) async throws {
            let terminal = try shell(script)
            try await terminal.wait(forPosition: "1 / 5,000")
            try terminal.press("G")
            try await terminal.wait(forPosition: "5,000 / 5,000")
            #expect(try terminal.screen().contains("107528"))
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `D1, D2: rows that have arrived are shown before the pipe ends`() async throws {
            let terminal = try shell("{ printf 'a,b\\n1,one\\n2,two\\n'; sleep 1; printf '3,new\\n'; sleep 1000; } | \"$0\" --header yes")
            let screen = try await terminal.wait(untilShown: "new")
            // The total size is unknown, so no progress is shown.
            #expect(!screen.contains("%"))
            try terminal.press("q")
            // The shell waits for the whole pipe. The program has ended when the screen is restored.
            try await terminal.wait(for: "the end") { try terminal.modes() == .ordinary ? true : nil }
        }

        /// An open named pipe without data, and the program that reads it.
        private func startWithSilentPipe(_ options: String = "") throws -> (TerminalDriver, pipe: String, TemporaryFolder) {
            let folder = try TemporaryFolder()
            let pipe = folder.path(of: "silent")
            guard mkfifo(pipe, 0o600) == 0 else { throw TerminalDriver.Failure(description: "mkfifo: \(String(cString: strerror(errno)))") }
            let script = "exec \"$0\" \(options) \"$1\" 3<>\"$1\""
            let terminal = try TerminalDriver(["sh", "-c", script, ProgramUnderTest.path, pipe], columns: 80, rows: 24)
            return (terminal, pipe, folder)
        }

        @Test func `D1, D2: a silent pipe does not block the screen`() async throws {
            let (terminal, pipe, folder) = try startWithSilentPipe()
            try await terminal.wait(untilShown: "Waiting for input …")
            try terminal.resize(columns: 60, rows: 20)
            try await terminal.wait { $0.lines.count == 20 && $0.contains("Waiting for input …") }
            try terminal.press("?")
            try await terminal.wait(untilShown: "All keys")
            try terminal.press("Escape")
            try await terminal.wait { !$0.contains("All keys") }
            let handle = try #require(FileHandle(forWritingAtPath: pipe))
            try handle.write(contentsOf: Data("a,b\n1,one\n".utf8))
            let screen = try await terminal.wait(untilShown: "one")
            #expect(!screen.contains("Waiting for input …") && screen.lines.count == 20)
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
            _ = folder
        }

        @Test(arguments: [("q", 0), ("C-c", 130), ("C-q", 0)])
        func `D2, D16: the program can quit while a pipe is silent`(key: String, status: Int) async throws {
            let (terminal, _, folder) = try startWithSilentPipe()
            try await terminal.wait(untilShown: "Waiting for input …")
            try terminal.press(key)
            #expect(try await terminal.waitForExit() == status)
            #expect(try await terminal.unrestoredState() == "")
            _ = folder
        }

        @Test(arguments: [SIGTERM, SIGHUP], ["", "-o csv"])
        func `D2, D16: a signal ends the program while a pipe is silent`(_ signal: Int32, _ options: String) async throws {
            let (terminal, _, folder) = try startWithSilentPipe(options)
            if options.isEmpty { try await terminal.wait(untilShown: "Waiting for input …") }
            try await terminal.signal(signal)
            #expect(try await terminal.waitForExit() == 128 + Int(signal))
            #expect(try await terminal.unrestoredState() == "")
            _ = folder
        }

        @Test func `D2, E: a changed file is detected without a key`() async throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("growing.csv", "a,b\n1,one\n")
            let terminal = try await TerminalDriver.gridview([path], columns: 80, rows: 24, shows: "one")
            try Data("a,b\n1,other\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try await terminal.wait(untilShown: "file rewritten: R reloads")
            try terminal.press("R")
            let screen = try await terminal.wait(untilShown: "other")
            #expect(!screen.lines[0].contains("rewritten"))
            // The new file is watched too.
            try FileManager.default.removeItem(atPath: path)
            try await terminal.wait(untilShown: "file deleted")
        }

        @Test func `D1, D2: --follow shows new rows automatically, and continues with a new file of the same name`() async throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("growing.csv", "a,b\n1,one\n")
            let terminal = try await TerminalDriver.gridview(["--follow", path], columns: 80, rows: 24, shows: "one")
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("2,second\n".utf8))
            try handle.close()
            try await terminal.wait(untilShown: "second")
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            _ = try folder.file("growing.csv", "a,b\n1,third\n")
            let screen = try await terminal.wait(untilShown: "third")
            #expect(screen.lines[0].contains(" follow"))
            try terminal.press("M-f")
            try await terminal.wait(untilShown: "No longer following the file.")
        }

        @Test func `D15: the output to a pipe is the view as text`() async throws {
            let terminal = try shell("\"$0\" --columns id,symbol --limit 3 \"$1\" | cat")
            #expect(try await terminal.waitForExit() == 0)
            #expect(
                try terminal.screen().lines.prefix(5) == [
                    "    id  symbol", "──────  ──────", "100001  VSTA", "100003  ZUGR", "100004  KZRA",
                ])
        }

        @Test func `D15: with an output option, the program writes to the terminal and draws no screen`() async throws {
            for options in ["--limit 1", "--rows 1..1", "-o text --limit 1"] {
                let terminal = try shell("\"$0\" --columns id,symbol \(options) \"$1\"")
                #expect(try await terminal.waitForExit() == 0)
                #expect(try terminal.screen().lines[2] == "100001  VSTA", "\(options)")
            }
        }

        @Test func `D15: a reader that closes the pipe early causes no message`() async throws {
            let terminal = try shell("\"$0\" -o csv \"$1\" | head -n 2; echo done")
            #expect(try await terminal.waitForExit() == 0)
            let lines = try terminal.screen().lines
            #expect(lines[0].hasPrefix("id,timestamp"))
            #expect(!lines.contains { $0.contains("gridview:") })
            #expect(lines.contains("done"))
        }
    }
}
