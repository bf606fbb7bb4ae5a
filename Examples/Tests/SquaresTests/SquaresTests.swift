import ProgramOnTerminal
import Testing

/// Runs the program of the documents, as they have it, on a pseudo-terminal.
@Suite struct SquaresTests {
    @Test("C8: the program of the documents shows a million rows, goes to the last one, and leaves")
    func squares() throws {
        let program = try ProgramOnTerminal("Squares")
        #expect(program.shows("n²") && program.shows("64"))
        // Ctrl-End.
        program.type("\u{1b}[1;5F")
        #expect(program.shows("999,998,000,"))
        program.type("q")
        #expect(program.status() == 0)
    }
}
