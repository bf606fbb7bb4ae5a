import ProgramOnTerminal
import Testing

/// Runs the program of the documentation on a pseudo-terminal.
@Suite struct SquaresTests {
    @Test func `C8: the documented program shows a million rows, moves to the last one, and quits`() throws {
        let program = try ProgramOnTerminal("Squares")
        #expect(program.shows("n²") && program.shows("49"))
        // These bytes are Ctrl-End, which moves to the last row.
        program.type("\u{1b}[1;5F")
        #expect(program.shows("999,998,000,"))
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let program = try ProgramOnTerminal("Squares", on: terminal)
        #expect(program.shows("q quit") && defects(of: program.cells.lines()) == [])
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let program = try ProgramOnTerminal("Squares", rows: 12, columns: 60)
        program.type("\u{1b}[1;5F")
        #expect(program.shows("999,998,000,001") && program.shows("q quit"))
        try drawPicture(of: "Squares", program.cells)
        program.type("q")
        #expect(program.status() == 0)
    }
}
