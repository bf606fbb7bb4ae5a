import ProgramOnTerminal
import Testing

/// Runs the program of the documentation on a pseudo-terminal.
@Suite struct SquaresTests {
    @Test("C8: the program of the documentation shows a million rows, moves to the last one, and quits")
    func programOfDocumentationShowsMillionRows() throws {
        let program = try ProgramOnTerminal("Squares")
        #expect(program.shows("n²") && program.shows("49"))
        // These bytes are Ctrl-End, which moves to the last row.
        program.type("\u{1b}[1;5F")
        #expect(program.shows("999,998,000,"))
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test("C8, B8: usual terminals show all text and the key that quits", arguments: CommonTerminal.all)
    func usualTerminalsShowAllText(terminal: CommonTerminal) throws {
        let program = try ProgramOnTerminal("Squares", on: terminal)
        #expect(program.shows("q quit") && defects(of: program.cells.lines()) == [])
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test("C8: the program shows the screen of its picture in docs/examples.md")
    func pictureShowsScreenOfProgram() throws {
        let program = try ProgramOnTerminal("Squares", rows: 12, columns: 60)
        program.type("\u{1b}[1;5F")
        #expect(program.shows("999,998,000,001") && program.shows("q quit"))
        try drawPicture(of: "Squares", program.cells)
        program.type("q")
        #expect(program.status() == 0)
    }
}
