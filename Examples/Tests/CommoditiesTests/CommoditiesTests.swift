import ProgramOnTerminal
import Testing

/// Runs the program of the documentation on a pseudo-terminal.
@Suite struct CommoditiesTests {
    @Test("C8: the program of the documentation shows sorted groups with live prices, names the key that quits, and quits")
    func commodities() throws {
        let program = try ProgramOnTerminal("Commodities")
        #expect(program.shows("▾ Grain") && program.shows("▾ Metals") && program.shows("q quit"))
        #expect(program.shows("▲"))
        program.type("\u{3}")
        #expect(program.shows("Press Ctrl-c again to quit"))
        program.type("\u{3}")
        #expect(program.status() == 0)
    }
}
