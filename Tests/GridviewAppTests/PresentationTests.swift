import DataGrid
@testable import GridviewApp
import TerminalSurface
import Testing

/// Transposed tables and cards.
@MainActor
@Suite struct PresentationTests {
    private let text = "name,city,born\nAda,London,1815\nAlan,Wilmslow,1912\n"

    @Test func `C1: zt transposes and restores the table, and motions, search and sorting work in a transposed table`() throws {
        let pilot = try Pilot(text, size: (60, 12))
        pilot.press("z t")
        #expect(
            pilot.backend.lines.contains { $0.hasPrefix("name  Ada") || $0.contains("name") && $0.contains("Ada") && $0.contains("Alan") })
        pilot.press("Down Right")
        #expect(pilot.state.grid.cursor == GridCursor(item: .row(1), column: 1))
        pilot.press("/ \"Ada\" Enter")
        #expect(pilot.state.grid.currentRow == 0)
        pilot.press("0 s s")
        #expect(
            pilot.backend.lines[1...4] == ["      2         1", "name▼ Alan      Ada", "city  Wilmslow  London", "born  1,912     1,815"])
        pilot.press("/ \"Alan\" Enter")
        #expect(pilot.state.grid.currentRow == 1 && pilot.state.grid.cursor.item == .row(0))
        pilot.press("z t")
        #expect(pilot.state.grid.presentation == .table)
    }

    @Test(
        arguments: ["z t", "z c"])
    func `C1, A9: W has no effect in transposed and card views, and a message names the key that shows wrapped text`(keys: String) throws {
        let pilot = try Pilot(text, size: (70, 12))
        pilot.press(keys)
        let before = pilot.state.grid.metrics
        pilot.press("W")
        #expect(pilot.state.message == .wrapUnavailable(openKey: "Enter") && pilot.state.grid.metrics == before)
    }

    @Test func `C1, A9: in a transposed table, row header edges resize rows by drag and fit them by double click`() throws {
        let pilot = try Pilot("name,note\nAda,a rather long remark\nAlan,b\n", size: (70, 10))
        pilot.press("z t")
        var end: Int { (pilot.place(of: "Alan")?.x ?? 0) - 2 }
        let edge = end
        #expect(edge > 20)
        pilot.drag(from: (edge, 1), to: (edge - 9, 1))
        #expect(end == edge - 9 && !pilot.backend.lines.joined().contains("remark"))
        pilot.doubleClick(edge - 9, 1)
        #expect(end == edge)
        pilot.press("=")
        #expect(end == edge && pilot.backend.lines.joined().contains("remark"))
        pilot.drag(from: (edge, 1), to: (edge - 3, 1), holding: true)
        pilot.press("Escape")
        #expect(end == edge)
    }

    @Test func `D7, C5: search on cards skips the hidden column titles, and a click selects a field`() throws {
        let pilot = try Pilot(text, size: (40, 14))
        pilot.press("z c Down / \"born\" Enter")
        #expect(pilot.state.grid.cursor == GridCursor(item: .row(1), column: 0))
        pilot.press("Esc / \"1912\" Enter")
        #expect(pilot.state.grid.cursor == GridCursor(item: .row(1), column: 2))
        let y = try #require(pilot.backend.lines.firstIndex { $0.contains("London") })
        pilot.click(4, y)
        #expect(pilot.state.grid.cursor == GridCursor(item: .row(0), column: 1))
    }

    @Test func `C5: zc shows cards next to each other across the whole width`() throws {
        let pilot = try Pilot(text, size: (100, 14))
        pilot.press("z c")
        #expect(pilot.backend.lines.contains { $0.contains("Ada") && $0.contains("Alan") })
        pilot.press("r")
        #expect(pilot.state.grid.metrics.cards.minimumWidth != nil)
    }

    @Test func `A15: section headers stick to the top, also after a view reset`() throws {
        let pilot = try Pilot(text, size: (60, 12))
        #expect(pilot.state.grid.metrics.hasStickySectionHeaders)
        pilot.press("r")
        #expect(pilot.state.grid.metrics.hasStickySectionHeaders)
    }

    @Test func `C5: zc shows a card for each row, and a view reset restores the table`() throws {
        let pilot = try Pilot(text, size: (40, 14))
        pilot.press("z c")
        #expect(pilot.backend.lines.contains { $0.contains("▌ Ada") })
        pilot.press("Down")
        #expect(pilot.state.grid.currentRow == 1)
        pilot.press("r")
        #expect(pilot.state.grid.presentation == .table)
    }
}
