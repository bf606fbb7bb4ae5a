import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// The terminal is restored however the program ends or pauses.
    @Suite struct EndingTests {
        @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
        func `D16: a signal ends the program and restores the terminal`(_ signal: Int32) async throws {
            let terminal = try await TerminalDriver.trades()
            try await terminal.signal(signal)
            #expect(try await terminal.waitForExit() == 128 + Int(signal))
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(arguments: [SIGSEGV, SIGABRT, SIGILL]) func `D16: a crash restores the terminal`(_ signal: Int32) async throws {
            // Otherwise the Swift runtime would wait for a debugger after the crash.
            let terminal = try await TerminalDriver.trades(environment: ["SWIFT_BACKTRACE": "enable=no"])
            try await terminal.signal(signal)
            #expect(try await terminal.waitForExit() == 128 + Int(signal))
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `D16: Ctrl-z suspends the program, and the shell command fg shows the same screen again`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 80, rows: 24)
            try terminal.press("Down", "Down")
            let before = try await terminal.wait(forPosition: "3 / 5,000")
            for _ in 1...2 {
                try terminal.press("C-z")
                try await terminal.waitUntilSuspended()
                #expect(try await terminal.unrestoredState() == "")
                try terminal.resume()
                try await terminal.wait { $0 == before }
                #expect(try terminal.modes() == TerminalDriver.fullScreenModes)
            }
            try terminal.press("Down")
            try await terminal.wait(forPosition: "4 / 5,000")
        }

        @Test func `D16: a resize while the program is suspended takes effect when it continues`() async throws {
            let terminal = try await TerminalDriver.trades(columns: 80, rows: 24)
            try terminal.press("C-z")
            try await terminal.waitUntilSuspended()
            try terminal.resize(columns: 100, rows: 30)
            try terminal.resume()
            let screen = try await terminal.wait { $0.lines.count == 30 && $0.lines[28].hasSuffix("1 / 5,000") }
            #expect(screen.gutter(27) == "25")
        }

        @Test func `D16: Ctrl-q quits, and Ctrl-c does not`() async throws {
            let terminal = try await TerminalDriver.trades()
            // Until the file is read, Ctrl-c stops reading.
            try await terminal.wait(forPosition: "1 / 5,000")
            try terminal.press("C-c", "Down")
            try await terminal.wait(forPosition: "2 / 5,000")
            try terminal.press("C-q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `D16: q closes the top panel, and quits the program if no panel is open`() async throws {
            let terminal = try await TerminalDriver.trades()
            try terminal.press("?")
            try await terminal.wait(untilShown: "Go up one row")
            try terminal.press("q")
            try await terminal.wait { !$0.contains("Go up one row") }
            #expect(terminal.exitStatus == nil)
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }

        @Test func `D16: the program ends when its terminal is closed`() async throws {
            let terminal = try await TerminalDriver.trades()
            let pid = try #require(terminal.sessionText("pid").flatMap { pid_t($0) })
            #expect(kill(pid, 0) == 0)
            terminal.close()
            let deadline = ContinuousClock.now + .seconds(60)
            while kill(pid, 0) == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
            #expect(kill(pid, 0) != 0)
        }

        // MARK: No screen to draw on

        @Test func `D16: if a file cannot be opened, an error is printed and no screen is drawn`() async throws {
            let terminal = try TerminalDriver([ProgramUnderTest.path, "/nonexistent/table.csv"])
            #expect(try await terminal.waitForExit() == 1)
            #expect(try terminal.screen().lines[0] == "gridview: Cannot open /nonexistent/table.csv: no such file or directory.")
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `D16, D22: files that cannot be opened are named on the screen and at the end, which has status 1`() async throws {
            let folder = try TemporaryFolder()
            let unsupported = try folder.file("x.avro", bytes: Array("Obj\u{1}".utf8) + [0, 0, 0, 0])
            let trades = ProgramUnderTest.file("Examples/data/trades.csv")
            let terminal = try await TerminalDriver.gridview([unsupported, trades, "/nonexistent/table.csv"], shows: "10000")
            let missing = "Cannot open /nonexistent/table.csv: no such file or directory."
            try await terminal.wait(untilShown: "\(missing) 1 more file cannot be opened.")
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 1)
            try await terminal.wait { $0.contains("gridview: \(missing)") && $0.contains("x.avro is an Avro file.") }
        }

        @Test(arguments: ["", "sleep 0.5; "])
        func `D16, D22: if no input can be opened, the reasons of all are printed`(delay: String) async throws {
            let command = "{ \(delay)printf 'Obj\\001\\0\\0\\0\\0'; } | \"$0\" /nonexistent/table.csv -"
            let terminal = try TerminalDriver(["bash", "-c", command, ProgramUnderTest.path])
            #expect(try await terminal.waitForExit() == 1)
            try await terminal.wait {
                $0.contains("gridview: Cannot open /nonexistent/table.csv: no such file or directory.")
                    && $0.contains("gridview: The input is an Avro file.")
            }
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `F: starting the program without a file or piped input is an error`() async throws {
            for command in ["exec \"$0\"", "exec \"$0\" | cat; exec false"] {
                let terminal = try TerminalDriver(["bash", "-c", "set -o pipefail; \(command)", ProgramUnderTest.path])
                try await terminal.wait(untilShown: "gridview: No input: name a file or pipe data in.")
                #expect(try await terminal.waitForExit() == (command.hasPrefix("exec \"$0\" |") ? 1 : 2))
            }
        }
    }
}
