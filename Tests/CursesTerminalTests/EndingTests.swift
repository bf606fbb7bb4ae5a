import CTerminalSignals
import Foundation
import Testing

/// The terminal is restored at every kind of exit: D16.
@Suite(.serialized) struct EndingTests {
    private static let restored = "\u{1B}[?25h\u{1B}[?1049l\u{1B}[23;0;0t"

    private func endOfProgram(running action: String, then: (ChildProcess) -> Void = { _ in }) -> (
        status: Int32?, text: String, areModesBack: Bool
    ) {
        let terminal = PseudoTerminal()
        let before = terminal.modes
        let child = ChildProcess(action, on: terminal)
        #expect(terminal.waits(for: "PROBE READY"), "\(terminal.text)")
        then(child)
        let status = child.wait()
        return (status, terminal.text, terminal.modes == before)
    }

    @Test(
        arguments: [("segv", 139), ("null", 139), ("abort", 134), ("trap", 133), ("fatal", 132), ("overflow", 139), ("exit", 7)]
            as [(String, Int32)])
    func `D16: a crash restores the terminal and keeps its exit status`(action: String, status: Int32) throws {
        let end = endOfProgram(running: action)
        #expect(end.status == status || (action == "fatal" && end.status == 133))
        #expect(end.areModesBack)
        let parts = end.text.components(separatedBy: Self.restored)
        #expect(parts.count == 2, "\(end.text.debugDescription)")
        if action == "fatal" { #expect(parts.last?.contains("the reason for the crash") == true) }
    }

    @Test func `D16: a program that ends by itself restores the terminal and keeps its exit status`() {
        let end = endOfProgram(running: "status")
        #expect(end.status == 7 && end.areModesBack && end.text.hasSuffix(Self.restored))
    }

    @Test func `D16: a thrown error is printed on the main screen, with control characters replaced`() {
        let end = endOfProgram(running: "throw")
        #expect(end.status == 1 && end.areModesBack)
        #expect(end.text.components(separatedBy: Self.restored).last?.contains("TerminalProbe: out of \u{FFFD}[7mpaper") == true)
    }

    @Test(
        arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
    func `D16: a signal ends the program, restores the terminal and sets the exit status`(signal: Int32, status: Int32) {
        let end = endOfProgram(running: "events") { $0.send(signal) }
        #expect(end.status == status)
        #expect(end.areModesBack)
        #expect(end.text.contains(Self.restored))
    }

    @Test func `D16: text written to standard error appears after the screen is restored`() {
        let end = endOfProgram(running: "events") { $0.terminal.type("q") }
        #expect(end.status == 0)
        #expect(end.text.components(separatedBy: Self.restored).last?.contains("event key") == true)
    }

    @Test func `D16: Ctrl-z returns the terminal to the shell, and the command fg shows the screen again`() {
        let terminal = PseudoTerminal()
        let before = terminal.modes
        let child = ChildProcess("events", on: terminal, shell: "set -m; $PROBE; echo SHELL $?; fg; echo ENDED $?")
        #expect(terminal.waits(for: "PROBE READY"))
        _ = terminal.readOutput()
        terminal.type("\u{1A}")
        #expect(terminal.waits(for: "EVENTS"), "\(terminal.text.debugDescription)")
        let text = terminal.text
        #expect(text.components(separatedBy: Self.restored).last?.contains("SHELL 148") == true, "\(text.debugDescription)")
        #expect(text.contains("\u{1B}[?1049h"))
        terminal.type("q")
        #expect(child.wait() == 0)
        #expect(terminal.text.contains("ENDED 0"))
        #expect(terminal.modes == before)
    }

    @Test func `D16: the program takes over the screen again after SIGSTOP and SIGCONT`() {
        let terminal = PseudoTerminal()
        let before = terminal.modes
        let child = ChildProcess("events", on: terminal)
        #expect(terminal.waits(for: "PROBE READY"))
        child.send(SIGSTOP)
        #expect(child.waitsForStop())
        _ = terminal.readOutput()
        child.send(SIGCONT)
        #expect(terminal.waits(for: "\u{1B}[?1049h"))
        #expect(terminal.waits(for: "EVENTS"))
        terminal.type("q")
        #expect(child.wait() == 0)
        #expect(terminal.modes == before)
    }

    @Test func `D16: keys are read from the terminal if standard input is redirected`() {
        let terminal = PseudoTerminal()
        let child = ChildProcess("events", on: terminal, redirections: "< /dev/null")
        #expect(terminal.waits(for: "PROBE READY"))
        terminal.type("abq")
        #expect(child.wait() == 0)
        #expect(terminal.text.contains("EVENTS") || terminal.text.contains("event key"))
    }

    @Test func `D16: without a terminal on standard output, the program ends with a message`() {
        let terminal = PseudoTerminal()
        let child = ChildProcess("events", on: terminal, redirections: "> /dev/null")
        #expect(child.wait() == 1)
        #expect(terminal.text.contains("TerminalProbe: Cannot show a screen: standard output is not a terminal."))
    }

    @Test func `D16: the program ends even if the terminal accepts no output, for example after Ctrl-s`() {
        let terminal = PseudoTerminal()
        let child = ChildProcess("flood", on: terminal)
        #expect(terminal.waits(for: "PROBE READY"))
        usleep(300_000)
        child.send(SIGTERM)
        #expect(child.wait(reading: false) == 143)
    }

    @Test func `D16: the program ends when its terminal is closed`() {
        let terminal = PseudoTerminal()
        let child = ChildProcess("events", on: terminal)
        #expect(terminal.waits(for: "PROBE READY"))
        terminal.closeMaster()
        #expect(child.wait() == 129)
    }
}
