import Foundation
import Testing

/// Sessions in a real terminal. They run one at a time, because each keeps the machine busy.
@Suite(.serialized, .timeLimit(.minutes(5)))
enum InTerminal {}

extension InTerminal {
    /// Tests of the driver with programs that every machine has.
    @Suite struct TerminalDriverTests {
        @Test func `a program has the requested size, terminal type and environment`() async throws {
            let terminal = try TerminalDriver(
                ["sh", "-c", "stty size; echo $TERM; echo \"$GREETING\"; cat"], columns: 33, rows: 7, environment: ["GREETING": "olá"])
            let screen = try await terminal.wait(untilShown: "olá")
            #expect(screen.lines == ["7 33", "tmux-256color", "olá", "", "", "", ""])
            #expect(try terminal.cursor() == (0, 3))
        }

        @Test func `text, keys and bytes reach the program`() async throws {
            let terminal = try TerminalDriver(["cat", "-v"])
            try terminal.type("it's 10 % – «日本»;")
            try terminal.press("Enter", "F1", "Escape")
            try terminal.press("x", times: 3)
            try terminal.send([0x79, 0x0a])
            let screen = try await terminal.wait(untilShown: "^[OP^[xxxy")
            #expect(screen.lines[0] == "it's 10 % – «日本»;")
            try terminal.press("C-d")
            #expect(try await terminal.waitForExit() == 0)
        }

        @Test func `a full-screen program is resized, and its restored terminal is recognized`() async throws {
            let fullScreenProgram = #"""
                saved=$(stty -g)
                stty raw -echo
                printf '\033[?1049h\033[?25l'
                draw() { printf '\033[2J\033[Hsize '; stty size; }
                trap draw WINCH
                draw
                until [ "$key" = q ]; do read -rsn1 -t 0.05 key; done
                printf '\033[?25h\033[?1049l'
                stty "$saved"
                """#
            let terminal = try TerminalDriver(["bash", "-c", fullScreenProgram], columns: 80, rows: 24)
            try await terminal.wait(untilShown: "size 24 80")
            #expect(try terminal.modes() == TerminalDriver.Modes(alternateScreen: true, cursorVisible: false))
            #expect(try await terminal.lineSettingsAtStart() != terminal.lineSettings())

            try terminal.resize(columns: 1, rows: 1)
            try terminal.resize(columns: 100, rows: 30)
            #expect(try await terminal.wait(untilShown: "size 30 100").lines.count == 30)
            #expect(terminal.exitStatus == nil)

            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try terminal.modes() == .ordinary)
            #expect(try await terminal.lineSettingsAtStart() == terminal.lineSettings())
        }

        @Test func `a terminal that is not restored is detected`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "stty raw -echo; printf '\\033[?1049h\\033[?25l\\033[?1000;1006h'; kill -9 $$"])
            #expect(try await terminal.waitForExit() == 128 + 9)
            let modes = try terminal.modes()
            #expect(modes.alternateScreen && !modes.cursorVisible && modes.mouse && modes.mouseSGR && !modes.mouseDrags)
            #expect(try await terminal.lineSettingsAtStart() != terminal.lineSettings())
        }

        @Test func `the exit status is that of the program`() async throws {
            #expect(try await TerminalDriver(["sh", "-c", "exit 42"]).waitForExit() == 42)
            let terminal = try TerminalDriver(["sleep", "1000"])
            try await terminal.signal(SIGTERM)
            #expect(try await terminal.waitForExit() == 128 + 15)
        }

        @Test func `a program can be suspended and resumed`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "echo begun; cat; echo done; exit 5"])
            try await terminal.wait(untilShown: "begun")
            try terminal.press("C-z")
            try await terminal.waitUntilSuspended()
            #expect(terminal.exitStatus == nil)
            try terminal.resume()
            try await terminal.wait(for: "going on") { terminal.isSuspended ? nil : true }
            try terminal.press("C-d")
            try await terminal.wait(untilShown: "done")
            #expect(try await terminal.waitForExit() == 5)
        }

        @Test func `colors and attributes are captured`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "printf '\\033[1;38;2;10;20;30mbold\\033[0m plain'; cat"])
            try await terminal.wait(untilShown: "bold plain")
            #expect(try terminal.styledLines()[0].hasPrefix("\u{1b}[1m\u{1b}[38;2;10;20;30mbold\u{1b}[0m"))
        }

        @Test func `mouse events reach a program that requests them`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "stty -icanon -echo; printf '\\033[?1002;1006hready\\n'; cat -v"])
            try await terminal.wait(untilShown: "ready")
            try terminal.click(column: 3, row: 1, with: .control)
            try await terminal.drag(from: (0, 0), to: (2, 0))
            try terminal.wheel(.wheelDown, column: 119, row: 39)
            let reports = "^[[<16;4;2M^[[<16;4;2m^[[<0;1;1M^[[<32;2;1M^[[<32;3;1M^[[<0;3;1m^[[<65;120;40M"
            try await terminal.wait(untilShown: reports)
        }

        @Test func `mouse events do not reach a program that does not request them`() async throws {
            let terminal = try TerminalDriver(["cat", "-v"])
            try terminal.click(column: 3, row: 1)
            try terminal.type("typed")
            #expect(try await terminal.wait(untilShown: "typed").lines[0] == "typed")
        }

        @Test func `a paste is bracketed if the program requests it`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "printf '\\033[?2004hready\\n'; cat -v"])
            try await terminal.wait(untilShown: "ready")
            try terminal.paste("two\nlines")
            try terminal.press("Enter")
            try await terminal.wait(untilShown: "lines^[[201~")
        }

        @Test func `copied text is captured`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "printf '\\033]52;c;aMOpbGxv\\007ready'; cat"])
            try await terminal.wait(untilShown: "ready")
            #expect(try terminal.clipboard() == "héllo")
        }

        @Test func `the message of a timeout includes the screen`() async throws {
            let terminal = try TerminalDriver(["sh", "-c", "echo here I am; cat"])
            try await terminal.wait(untilShown: "here I am")
            terminal.timeLimit = .milliseconds(50)
            let failure = await #expect(throws: TerminalDriver.Failure.self) { try await terminal.wait(untilShown: "nowhere") }
            #expect(failure?.description.contains("here I am") == true)
        }
    }
}
