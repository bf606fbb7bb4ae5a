import ProgramOnTerminal
import Testing

/// Runs the program of the documentation on a pseudo-terminal.
@Suite struct CommoditiesTests {
    @Test func `C8: the documented program shows sorted groups with live prices and names the key that quits`() throws {
        let program = try ProgramOnTerminal("Commodities")
        #expect(program.shows("▾ Grain") && program.shows("▾ Metals") && program.shows("q quit"))
        #expect(program.shows("▲"))
        program.type("\u{3}")
        #expect(program.shows("Press Ctrl-c again to quit"))
        program.type("\u{3}")
        #expect(program.status() == 0)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let program = try ProgramOnTerminal("Commodities", on: terminal)
        #expect(program.shows("q quit") && defects(of: program.cells.lines()) == [])
        program.type("q")
        #expect(program.status() == 0)
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let program = try ProgramOnTerminal("Commodities", rows: 9, columns: 60)
        #expect(program.shows("▾ Metals") && program.shows("q quit"))
        try drawPicture(of: "Commodities", program.cells)
        program.type("q")
        #expect(program.status() == 0)
    }
}
