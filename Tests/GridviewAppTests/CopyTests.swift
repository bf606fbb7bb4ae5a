import DataGrid
import DataGridQuery
import Foundation
import GridTestSupport
import Testing

@testable import GridviewApp

/// Copying runs as a job. It accepts other keys, can be cancelled, and refuses large selections before reading them.
@MainActor
@Suite struct CopyTests {
    static let rowCount = 2_000
    static func row(_ n: Int) -> String { "\(n * 1_237 % rowCount),\(n % 3 == 0 ? "" : "text \(n % 2)"),\(n)" }
    static let table = "key,text,n\n" + (0..<rowCount).map { row($0) + "\n" }.joined()

    private func open(_ content: String = table, keys: String = "") throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        let pilot = try Pilot(content, size: (90, 16), runner: stepped.runner)
        stepped.runAll(pilot)
        for key in keys.split(separator: " ") {
            pilot.press(String(key))
            stepped.runAll(pilot)
        }
        return (pilot, stepped)
    }

    @Test func `D2, D10: keys work while a job copies, and Escape cancels it`() throws {
        let (pilot, stepped) = try open(keys: "[")
        pilot.press("C-a y")
        #expect(stepped.count == 1 && pilot.clipboard == nil && pilot.state.jobs.map(\.kind) == [.copy])
        pilot.press("j j")
        #expect(pilot.state.grid.cursor.row == 2)
        pilot.press("Escape")
        #expect(pilot.state.message == .cancelled("copying 2,000 rows") && pilot.state.jobs.isEmpty)
        stepped.runAll(pilot)
        #expect(pilot.clipboard == nil && pilot.state.message?.id == .cancelled)
        pilot.press("C-a y")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .copiedRows(2_000, columns: 3) && pilot.clipboard != nil)
    }

    /// The rows of a sorted grid are read in file order.
    @Test(arguments: ["", "[", "]", "] l @ h", "l zg", "[ 5 j K"])
    func `D10: copied rows are in the order of the grid`(keys: String) throws {
        let (pilot, stepped) = try open(keys: keys)
        pilot.press("C-a y")
        stepped.runAll(pilot)
        let expected = pilot.order.map { Self.row($0 - 1).replacing(",", with: "\t") }.joined(separator: "\n")
        #expect(pilot.order.count > 600 && pilot.clipboardText == expected)
    }

    /// Rows far apart and adjacent rows, beginning with a row that is not the first in the file.
    @Test(
        arguments: ["TSV", "CSV", "JSON", "JSON Lines", "Markdown", "HTML", "SQL"])
    func `D10: some rows of a sorted grid can be copied in every format`(format: String) throws {
        let (pilot, stepped) = try open(keys: "[")
        pilot.press("3 j V 4 0 0 j z+ 2 0 0 j v j l zy")
        pilot.type(format)
        pilot.press("Enter")
        stepped.runAll(pilot)
        let sorted = pilot.clipboardText
        // The result is the same as from a file that has the rows in this order.
        let rows = pilot.order.map { Self.row($0 - 1) + "\n" }.joined()
        let (presorted, presortedRunner) = try open("key,text,n\n" + rows)
        presorted.press("3 j V 4 0 0 j z+ 2 0 0 j v j l zy")
        presorted.type(format)
        presorted.press("Enter")
        presortedRunner.runAll(presorted)
        #expect(sorted == presorted.clipboardText && sorted.count > 4_000)
    }

    @Test func `D10: a large selection is refused after reading a sample`() throws {
        let long = String(repeating: "x", count: 2_000)
        let (pilot, stepped) = try open("a,b\n" + (0..<6_000).map { "\($0),\(long)\n" }.joined(), keys: "]")
        pilot.press("C-a y")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .tooLargeToCopy(about: 12_000_000, limit: 4 << 20))
        #expect(pilot.clipboard == nil)
    }

    @Test func `D10: a selection with a few long rows among many short ones is not refused`() throws {
        let long = String(repeating: "x", count: 20_000)
        let (pilot, stepped) = try open("a\n" + (0..<4_000).map { $0 % 100 == 0 ? "\(long)\n" : "y\n" }.joined(), keys: "]")
        pilot.press("C-a y")
        stepped.runAll(pilot)
        let size = pilot.clipboard?.count ?? 0
        #expect(size == 807_959)
    }

    @Test func `D10: a selection is refused after its cells are counted if it has more cells than the limit has bytes`() throws {
        let row = String(repeating: ",", count: 999) + "\n"
        let (pilot, stepped) = try open((0..<1_000).map { "c\($0)" }.joined(separator: ",") + "\n" + String(repeating: row, count: 4_500))
        pilot.press("C-a y")
        #expect(stepped.count == 1)
        stepped.runAll(pilot)
        #expect(pilot.state.message == .tooLargeToCopy(about: 4_500_000, limit: 4 << 20))
        #expect(pilot.clipboard == nil)
    }
}
