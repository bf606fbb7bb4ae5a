import Foundation
import Testing

extension InTerminal {
    /// Terminal types and colors.
    @Suite struct TerminalTypeTests {
        /// The parameters of all SGR sequences on the screen.
        private func colors(_ terminal: TerminalDriver) throws -> Set<String> {
            Set(try terminal.styledLines().joined().matches(of: /\e\[([\d;]*)m/).map { String($0.1) })
        }

        private func isColor(_ parameters: String) -> Bool {
            let first = Int(parameters.split(separator: ";").first ?? "") ?? 0
            return (30...38).contains(first) || (40...48).contains(first) || (90...107).contains(first)
        }

        @Test(
            arguments: ["xterm-256color", "screen-256color", "tmux-256color", "xterm", "linux", "vt100", "unknown-terminal"])
        func `D16: the program runs in every terminal type`(_ type: String) async throws {
            let terminal = try await TerminalDriver.trades(columns: 80, rows: 30, environment: ["TERM": type])
            try terminal.press("Down", "Right", "PageDown", "PageUp")
            let screen = try await terminal.wait {
                $0.gutter(3) == "1" && $0.lines[3].contains("│ 100001") && $0.lines[28].hasPrefix(" timestamp  ")
                    && $0.lines[28].hasSuffix(" 2 / 5,000")
            }
            #expect(screen.lines[0] == " trades.csv  5,000 × 13")
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
            #expect(try terminal.screen().contains("100001") == false)
        }

        @Test func `D16: a terminal that cannot move the cursor is refused with a message`() async throws {
            let file = ProgramUnderTest.file("Examples/data/trades.csv")
            for (type, message) in [
                ("dumb", "gridview: The terminal type \"dumb\" (TERM) cannot move the cursor. Use another terminal."),
                ("", "gridview: TERM is not set, so the terminal type is unknown. Try TERM=xterm-256color."),
            ] {
                let terminal = try TerminalDriver([ProgramUnderTest.path, file], environment: ["TERM": type])
                #expect(try await terminal.waitForExit() == 1)
                #expect(try terminal.screen().contains(message), "\(type)")
                #expect(try await terminal.unrestoredState() == "", "\(type)")
            }
            let unset = try TerminalDriver(["env", "-u", "TERM", ProgramUnderTest.path, file])
            #expect(try await unset.waitForExit() == 1)
            #expect(try unset.screen().contains("TERM is not set"))
        }

        @Test func `A5: colors are used by default, and --color limits their number`() async throws {
            let terminal = try await TerminalDriver.trades()
            #expect(try colors(terminal).contains { isColor($0) })
            let few = try await TerminalDriver.trades("--color", "16")
            #expect(try colors(few).contains { isColor($0) })
            #expect(try !colors(few).contains { $0.contains("38;") || $0.contains("48;") })
        }

        @Test func `A5: an option or the environment disables colors`() async throws {
            for (options, environment) in [
                ([], ["NO_COLOR": "1"]), (["--color", "never"], [:]), (["--color=never"], ["COLORTERM": "truecolor"]),
                ([], ["TERM": "vt100"]),
            ] {
                let file = ProgramUnderTest.file("Examples/data/trades.csv")
                let terminal = try await TerminalDriver.gridview(options + [file], environment: environment, shows: "100001")
                for key in ["Right", "s", "v", "Down"] { try terminal.press(key) }
                try await terminal.wait { $0.lines[0].contains("⇅ timestamp ▲") }
                let found = try colors(terminal)
                #expect(found.filter(isColor) == [], "\(options) \(environment)")
                // The cursor is still visible.
                #expect(found.contains { $0.split(separator: ";").contains("7") }, "\(options) \(environment)")
            }
            // The option overrides the environment.
            let colored = try await TerminalDriver.trades("--color=256", environment: ["NO_COLOR": "1"])
            #expect(try colors(colored).contains { isColor($0) })
        }
    }
}
