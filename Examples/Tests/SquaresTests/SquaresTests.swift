import ProgramOnTerminal
import Testing

/// Runs the program of the documentation on a pseudo-terminal.
@Suite struct SquaresTests {
    @Test("C8: the program of the documentation shows a million rows, moves to the last one, and quits")
    func squares() throws {
        let program = try ProgramOnTerminal("Squares")
        #expect(program.shows("n²") && program.shows("49"))
        // Ctrl-End
        program.type("\u{1b}[1;5F")
        #expect(program.shows("999,998,000,"))
        program.type("q")
        #expect(program.status() == 0)
    }
}
