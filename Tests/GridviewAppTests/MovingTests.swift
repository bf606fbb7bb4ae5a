import DataGrid
import GridTestSupport
@testable import GridviewApp
import TerminalSurface
import Testing

/// Motions: keys, marks, jumps, next distinct value, edge of the data.
@MainActor
@Suite struct MovingTests {
    static let sparseTable = "a,b,c,d,e,f\n1,2,,,5,6\n1,,3,,5,\n2,,,,,\n2,x,,,,\n3,x,,,,z\n"

    @Test(
        arguments: [
            ("", "a 1"), ("j l", "b 2"), ("G", "a 5"), ("End", "f 1"), ("G $", "f 5"), ("G $ g ^", "a 1"), ("Tab Tab", "c 1"),
            ("$ Tab", "a 2"), ("j b", "f 1"), ("S-Tab", "a 1"), ("w w b", "b 1"), ("C-End C-Home", "a 1"), ("PageDown", "a 5"),
            ("PageUp", "a 1"),
            // The edge of the data: the last filled cell before an empty one, or the next filled cell after empty ones.
            ("C-Right", "b 1"), ("C-Right C-Right", "e 1"), ("C-Right C-Right C-Right", "f 1"), ("$ C-Left", "e 1"), ("j j C-Right", "f 3"),
            ("j C-Right", "c 2"), ("$ C-Left C-Left", "b 1"), ("$ C-Right", "f 1"),
            // The next distinct value in this column.
            ("}", "a 3"), ("} }", "a 5"), ("} } }", "a 5"), ("G {", "a 4"), ("G { {", "a 2"), ("l }", "b 2"), ("l } }", "b 4"),
            ("{", "a 1"),
            // Back to the start of the last jump.
            ("G C-o", "a 1"), ("l G g C-o C-o", "b 1"), ("} } C-o", "a 3"), ("C-o", "a 1"),
        ])
    func `D4: motion keys move the cursor`(keys: String, place: String) throws {
        let pilot = try Pilot(Self.sparseTable)
        pilot.press(keys)
        #expect(pilot.cursorCell == place)
    }

    /// Repeated keys that arrive while the program is busy are one motion.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `D4: keys that arrive together have the same effect as keys that arrive one by one`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let content = "a,b\n" + (0..<90).map { "\($0 % 7),\($0)\n" }.joined()
        let (pilot, reference) = (try Pilot(content), try Pilot(content))
        // Some runs have groups. If a key starts a job, the next key may arrive before or after the job ends.
        for pilot in [pilot, reference] where seed % 2 == 0 { pilot.press("z g") }
        let keys = ["j", "j", "k", "PageDown", "PageUp", "C-d", "C-u", "l", "h", "3", "v", "Escape", "G", "g", "Space", "m"]
        for step in 0..<12 {
            let pressed = (0..<4).flatMap { _ in
                Array(repeating: keys.randomElement(using: &random)!, count: Int.random(in: 1...9, using: &random))
            }.joined(separator: " ")
            reference.press(pressed)
            pilot.backend.events += try KeyScript.keys(pressed).map { .key($0) }
            pilot.session.turn()
            #expect(pilot.screen == reference.screen, "step \(step): \(pressed)")
            #expect(
                pilot.state.grid.cursor == reference.state.grid.cursor && pilot.state.grid.selection == reference.state.grid.selection,
                "step \(step): \(pressed)")
        }
    }

    @Test func `D4: a message says that a motion has no target`() throws {
        let pilot = try Pilot(Self.sparseTable)
        pilot.press("/ x Enter l l G }")
        #expect(pilot.state.message == .noDifferentValue, "and no “not found” message")
        pilot.press("9 9 G")
        #expect(pilot.state.message == .noSuchRow(99, lastRow: 5) && pilot.state.grid.currentRow == RowID(4))
        let fresh = try Pilot(Self.sparseTable)
        fresh.press("C-o")
        #expect(fresh.state.message == .noJump)
        fresh.press("n")
        #expect(fresh.state.message == .noSearch(searchKey: "/"))
    }

    @Test func `D4: the cursor goes to a column by name`() throws {
        let pilot = try Pilot("id,first name,last name,notes\n1,2,3,4\n", size: (60, 12))
        pilot.press("c")
        pilot.type("lana")
        #expect(pilot.screen.contains("› lana"))
        pilot.press("Enter")
        #expect(pilot.cursorCell == "last name 1" && pilot.state.overlay == nil)
        pilot.press("c Escape")
        #expect(pilot.cursorCell == "last name 1")
        pilot.press("c z z z Enter")
        #expect(pilot.screen.contains("No matches.") && pilot.state.overlay != nil)
        pilot.press("Escape C-o")
        #expect(pilot.cursorCell == "id 1")
    }

    @Test func `D4: rows can be marked, visited and unmarked`() throws {
        let pilot = try Pilot("a,b\n" + (1...9).map { "\(10 - $0),x" }.joined(separator: "\n") + "\n", size: (30, 16))
        pilot.press("j m 3 j m g '")
        #expect(pilot.cursorCell == "a 2")
        #expect(pilot.line(2) == "   1│   9  x" && pilot.line(3) == "•  2│   8  x" && pilot.line(6) == "•  5│   5  x")
        pilot.press("' '")
        #expect(pilot.cursorCell == "a 2", "wraps at the end")
        pilot.press("s")
        #expect(pilot.line(6) == "•  5│   5  x" && pilot.line(9) == "•  2│   8  x", "marks stay with their rows")
        pilot.press("g ' C-o")
        #expect(pilot.cursorCell == "a 9")
        pilot.press("M")
        #expect(pilot.state.grid.marks.isEmpty && pilot.state.message == .marksCleared(2))
        pilot.press("'")
        #expect(pilot.state.message == .noMarks(markKey: "m"))
        pilot.press("m & \"b = 'none'\" Enter '")
        #expect(pilot.state.message == .marksNotShown(1))
        pilot.press("| M")
        #expect(pilot.state.message == .marksCleared(1))
    }

    /// The mark sign never covers a row number, however many rows exist.
    @Test func `D3: marks do not cover row numbers`() throws {
        let pilot = try Pilot("a\n" + String(repeating: "x\n", count: 1234), size: (30, 10))
        pilot.press("G m")
        #expect(pilot.screen.contains("•1234│"))
    }

    /// The cursor position is at the right of the value line.
    @Test func `D3: the value line shows the value and the position of the cursor`() throws {
        let pilot = try Pilot("name,text\nx,\"one\ntwo\"\ny,z\n", size: (50, 10))
        pilot.press("l")
        #expect(pilot.line(8) == " text  one⏎two                              1 / 2")
    }
}
