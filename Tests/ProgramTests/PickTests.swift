import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// `--pick` in scripts: the screen is on the terminal while standard output is a file or a pipe.
    @Suite struct PickTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Runs a script with the program as `$0`, the sample as `$1` and the output file as `$2`.
        private func start(_ script: String) async throws -> TerminalDriver {
            let trades = ProgramUnderTest.file("Examples/data/trades.csv")
            let terminal = try TerminalDriver(
                ["sh", "-c", script, ProgramUnderTest.path, trades, folder.path(of: "out")], columns: 100, rows: 30)
            try await terminal.wait(forPosition: "1 / 5,000")
            return terminal
        }

        private var output: String { get throws { try String(contentsOfFile: folder.path(of: "out"), encoding: .utf8) } }

        @Test func `D19: --pick draws on the terminal and prints the row to standard output`() async throws {
            let terminal = try await start("\"$0\" --pick --columns id,symbol \"$1\" >\"$2\"")
            #expect(try terminal.screen().contains("Enter pick"))
            try terminal.press("Down")
            try await terminal.wait(forPosition: "2 / 5,000")
            try terminal.press("Enter")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try output == "100003,ZUGR\n")
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `D19: --pick works between two pipes, and --multi prints several rows`() async throws {
            let terminal = try await start("cat \"$1\" | \"$0\" --pick --multi --pick-column symbol | cat >\"$2\"")
            try terminal.press("Space", "Space")
            try await terminal.wait(untilShown: "2 rows marked.")
            try terminal.press("Enter")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try output == "VSTA\nZUGR\n")
        }

        @Test(arguments: [("q", 1), ("C-c", 130)]) func `D19: --pick fails if no row is picked`(key: String, status: Int) async throws {
            let terminal = try await start("\"$0\" --pick \"$1\" >\"$2\"")
            try terminal.press(key)
            #expect(try await terminal.waitForExit() == status)
            #expect(try output == "")
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test func `D19: --pick has exit status 0 even if characters of the picked row are replaced`() async throws {
            let path = try folder.file("lost.csv", bytes: Array("a,n\né".utf8) + [0xE8] + Array(",1\nü,2\n".utf8))
            let terminal = try TerminalDriver(
                ["sh", "-c", "\"$0\" --pick -o jsonl \"$1\" >\"$2\"", ProgramUnderTest.path, path, folder.path(of: "out")], columns: 100,
                rows: 30)
            try await terminal.wait(forPosition: "1 / 2")
            try terminal.press("Enter")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try output == "{\"a\": \"é\u{FFFD}\", \"n\": 1}\n")
        }

        @Test func `D10: in tmux, text is copied through tmux, and the message reports it`() async throws {
            let terminal = try await TerminalDriver.trades()
            try terminal.press("y")
            try await terminal.wait(untilShown: "Copied the cell via tmux.")
            #expect(try terminal.clipboard() == "100001")
        }
    }
}
