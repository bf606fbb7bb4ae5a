import DataGrid
import FieldValues
@testable import GridviewApp
import Testing

/// Widths of columns: by their content, by keys, and by the free width of the screen.
@MainActor
@Suite struct ColumnWidthTests {
    @Test func `D3: a column grows if the name of its new type does not fit`() throws {
        let pilot = try Pilot("a,b\n1,2\n3,4\n", size: (60, 10))
        for _ in ValueKind.allCases {
            pilot.press("t")
            #expect(!pilot.backend.lines.prefix(3).contains { $0.contains("…") }, "\(pilot.screen)")
        }
    }

    @Test func `D5: a duplicated column is wide enough for its title, which is longer than that of the original`() throws {
        let pilot = try Pilot("name,n\nab,1\ncd,2\n", size: (60, 12))
        pilot.session.send(.run(.duplicateColumn))
        pilot.session.turn()
        #expect(pilot.line(1).contains("name 2"), "\(pilot.screen)")
        let wide = try Pilot("name\na value that is wider than the title\n", size: (60, 12))
        wide.session.send(.run(.duplicateColumn))
        wide.session.turn()
        let widths = wide.state.grid.columns.all.map(\.measuredWidth)
        #expect(widths[0] == widths[1], "the content decides")
    }

    @Test func `D5: keys fit columns to their content and change their widths`() throws {
        let pilot = try Pilot("a,b\nx,some longer text\n", size: (50, 10))
        let widths = { pilot.state.grid.layout.columns.map(\.fullWidth) }
        let before = widths()
        pilot.press("> > >")
        #expect(widths() == [before[0] + 3, before[1]])
        pilot.press("5 <")
        #expect(widths()[0] == 3, "limited to the minimum width")
        pilot.press("_")
        #expect(widths()[0] == 3)
        pilot.press("l 4 _")
        #expect(widths()[1] == 4)
        #expect(pilot.line(2).hasSuffix("som…"))
        pilot.press("=")
        #expect(widths()[1] == 16)
        #expect(pilot.line(2).hasSuffix("some longer text"))
    }

    @Test func `D5: columns of a small file are as wide as their longest cell`() throws {
        let pilot = try Pilot("a,b\n" + (1...2_000).map { "\($0),x\n" }.joined(), size: (40, 8))
        pilot.press("G")
        #expect(pilot.line(6).hasPrefix(" 2000│ 2,000  x"))
    }

    @Test func `D5: on a truncated cell, a hint shows the key that widens its column`() throws {
        let pilot = try Pilot("a,b\nx,some longer text\ny,short\n", size: (60, 8))
        pilot.press("l")
        #expect(pilot.line(7).hasPrefix(" ←↑↓→ move"))
        pilot.press("9 _")
        #expect(pilot.line(7).hasPrefix(" _ see all  s sort"))
        pilot.press("j")
        #expect(pilot.line(7).hasPrefix(" ←↑↓→ move  s sort"), "nothing is truncated here, and other hints stay in place")
        pilot.press("k _")
        #expect(pilot.line(1).contains("some longer text") && pilot.line(7).hasPrefix(" ←↑↓→ move"))
        // A cell wider than the maximum column width offers no key.
        let long = try Pilot("a,b\nx,\(String(repeating: "long ", count: 20))\n", size: (60, 8))
        long.press("l _")
        #expect(long.line(1).contains("…") && long.line(7).hasPrefix(" ←↑↓→ move"))
    }

    @Test(arguments: [60, 120, 200]) func `B3: free screen width goes to truncated columns`(width: Int) throws {
        let pilot = try Pilot("id,note\n1,\(String(repeating: "word ", count: 100))\n", size: (width, 8))
        let geometry = pilot.state.grid.layout.geometry
        #expect(geometry.contentWidth == geometry.paneWidth && geometry.widths[0] < 6, "the text fills the screen")
        // Two columns with long strings share the screen equally.
        let text = String(repeating: "x", count: 500)
        let several = try Pilot("id,a,b\n1,\(text),\(text)\n", size: (width, 8)).state.grid.layout.geometry
        #expect(several.contentWidth == several.paneWidth && abs(several.widths[1] - several.widths[2]) <= 1)
    }

    @Test func `D5: fitting a column again makes it wider than half the screen if its content needs this`() throws {
        let text = String(repeating: "0123456789", count: 6)
        let other = String(repeating: "y", count: 50)
        let pilot = try Pilot("a,b\n\(text),\(other)\n", size: (80, 10))
        func widths() -> [Int] { pilot.state.grid.layout.geometry.widths }
        pilot.press("9 _ _")
        #expect((10..<40).contains(widths()[0]))
        pilot.press("_")
        #expect(widths()[0] == 60 && pilot.screen.contains(text))
        pilot.press("U")
        #expect(widths()[0] < 40, "this is a change to undo")
        pilot.press("_")
        #expect(widths()[0] == 60)
        pilot.press("_")
        #expect(widths()[0] < 40, "the next key fits to the limit")
        // A string that is wider than the screen takes all of it.
        let long = try Pilot("a,b\n\(text)\(text),\(other)\n", size: (80, 10))
        long.press("9 _ _ _")
        #expect(long.state.grid.layout.geometry.widths[0] == long.state.grid.layout.geometry.paneWidth)
    }

    /// Scanning all columns for each column would exceed the limit.
    @Test func `D5: thousands of columns are fitted and searched without scanning all columns for each one`() throws {
        try expectLinearTime(minutes: 5) {
            let header = (0..<20_000).map { "c\($0)" }.joined(separator: ",")
            let row = (0..<20_000).map { $0 == 19_999 ? "something longer" : "1234567" }.joined(separator: ",")
            let pilot = try Pilot("\(header)\n\(row)\n\(row)\n", size: (80, 10))
            pilot.press("=")
            #expect(pilot.state.grid.columns.all.last?.measuredWidth == 16 && pilot.state.grid.columns.all[7].measuredWidth == 9)
            pilot.press("/ 7")
            #expect(pilot.state.grid.currentColumn?.title == "c0", "a cell comes before titles")
            pilot.press("C-u c 7")
            #expect(pilot.state.grid.currentColumn?.title == "c7")
        }
    }
}
