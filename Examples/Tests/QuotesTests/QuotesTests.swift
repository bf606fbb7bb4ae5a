import ProgramOnTerminal
import Testing

/// Runs the program written from the articles, on a pseudo-terminal.
@Suite struct QuotesTests {
    @Test(
        "C8, A3, A15, A19, A20: a program that follows the articles groups objects, vetoes changes, is notified of them, and highlights them"
    )
    func quotes() throws {
        let program = try ProgramOnTerminal("Quotes", rows: 16)
        #expect(program.shows("3 instruments") && program.shows("3 of 5") && program.shows("545.82") && program.shows("1950-09-07"))
        program.type("\u{1b}[D")
        #expect(program.shows("Closed.") && program.shows("▸"))
        program.type("\u{1b}[C")
        #expect(program.shows("Open."))
        // Moves to the first row, and one column to the right.
        program.type("\u{1b}[B\u{1b}[1;3C")
        #expect(program.shows("Names stay first."))
        program.type("\u{1b}[C\u{1b}[1;3C")
        #expect(program.shows("Column 2 is 3 now."))
        // Moves down to Gold.
        program.type("\u{1b}[B\u{1b}[B\u{1b}[B\u{1b}[B\r")
        #expect(program.shows("Gold has risen.") && program.shows("▲") && program.shows("546.82"))
        program.type("s")
        #expect(program.shows("Sorted."))
        program.type("\u{1b}[A\u{1b}[D")
        #expect(program.shows("Metals stay open."))
        #expect(program.shows("q leave"))
        program.type("q")
        #expect(program.status() == 0)
    }
}
