import Foundation
import Testing

extension InTerminal {
    /// Data from a pipe and keys from the terminal; the view into a pipe.
    @Suite struct PipeTests {
        private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

        private func shell(_ script: String, columns: Int = 100, rows: Int = 30) throws -> TerminalDriver {
            try TerminalDriver(["sh", "-c", script, ProgramUnderTest.path, trades], columns: columns, rows: rows)
        }

        @Test(arguments: ["cat \"$1\" | \"$0\"", "cat \"$1\" | \"$0\" -", "\"$0\" <\"$1\""])
        func dataArePipedInAndKeysComeFromTheTerminal(_ script: String) async throws {
            let terminal = try shell(script)
            try await terminal.wait(untilAt: "1 / 5,000")
            try terminal.press("G")
            try await terminal.wait(untilAt: "5,000 / 5,000")
            #expect(try terminal.screen().contains("107528"))
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.leftBehind() == "")
        }

        @Test func whatHasArrivedIsShownWhileMoreIsToCome() async throws {
            let terminal = try shell("{ printf 'a,b\\n1,one\\n2,two\\n'; sleep 1; printf '3,new\\n'; sleep 1000; } | \"$0\" --header yes")
            let screen = try await terminal.wait(untilShown: "new")
            // Nobody knows how much is to come, so nothing tells how much has.
            #expect(!screen.contains("%"))
            try terminal.press("q")
            // The shell waits for the whole pipe; the program is done when it has given the screen back.
            try await terminal.wait(for: "the end") { try terminal.modes() == .ordinary ? true : nil }
        }

        @Test func theViewGoesIntoAPipe() async throws {
            let terminal = try shell("\"$0\" --columns id,symbol --limit 3 \"$1\" | cat")
            #expect(try await terminal.waitForExit() == 0)
            #expect(
                try terminal.screen().lines.prefix(5) == [
                    "    id  symbol", "──────  ──────", "100001  VSTA", "100003  ZUGR", "100004  KZRA",
                ])
        }

        @Test func whatOnlyWrittenOutputHasIsWrittenAlsoToATerminal() async throws {
            for options in ["--limit 1", "--rows 1..1", "-o text --limit 1"] {
                let terminal = try shell("\"$0\" --columns id,symbol \(options) \"$1\"")
                #expect(try await terminal.waitForExit() == 0)
                #expect(try terminal.screen().lines[2] == "100001  VSTA", "\(options)")
            }
        }

        @Test func manyRowsIntoHead() async throws {
            let terminal = try shell("\"$0\" -o csv \"$1\" | head -n 2; echo done")
            #expect(try await terminal.waitForExit() == 0)
            let lines = try terminal.screen().lines
            #expect(lines[0].hasPrefix("id,timestamp"))
            #expect(!lines.contains { $0.contains("gridview:") })
            #expect(lines.contains("done"))
        }
    }
}
