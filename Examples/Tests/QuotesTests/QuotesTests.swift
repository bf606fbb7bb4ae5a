import ProgramOnTerminal
import Testing

/// Runs the program written from the articles, on a pseudo-terminal.
@Suite struct QuotesTests {
    @Test func `C8, A3, A15, A19, A20: the program of the articles groups objects, vetoes changes, and highlights changes`() throws {
        let program = try ProgramOnTerminal("Quotes", rows: 16)
        #expect(program.shows("3 instruments") && program.shows("3 of 5") && program.shows("545.82") && program.shows("1950-09-07"))
        program.type("\u{1b}[D")
        #expect(program.shows("Collapsed.") && program.shows("▸"))
        program.type("\u{1b}[C")
        #expect(program.shows("Expanded."))
        // Moves to the first row, and one column to the right.
        program.type("\u{1b}[B\u{1b}[1;3C")
        #expect(program.shows("The first column cannot be moved."))
        program.type("\u{1b}[C\u{1b}[1;3C")
        #expect(program.shows("Moved column 2 to position 3."))
        // Moves down to Gold.
        program.type("\u{1b}[B\u{1b}[B\u{1b}[B\u{1b}[B\r")
        #expect(program.shows("Raised the price of Gold.") && program.shows("▲") && program.shows("546.82"))
        program.type("s")
        #expect(program.shows("Sorted."))
        program.type("\u{1b}[A\u{1b}[D")
        #expect(program.shows("Metals cannot be collapsed."))
        #expect(program.shows("q quit"))
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let program = try ProgramOnTerminal("Quotes", on: terminal)
        #expect(program.shows("q quit") && defects(of: program.cells.lines()) == [])
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let program = try ProgramOnTerminal("Quotes", rows: 14, columns: 60)
        #expect(program.shows("highest") && program.shows("q quit"))
        try drawPicture(of: "Quotes", program.cells)
        program.type("q")
        #expect(program.status() == 0)
    }
}
