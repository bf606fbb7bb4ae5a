import DataGridQuery
import TerminalSurface
import Testing

@testable import GridviewApp

/// The filters of a view: chips in the title line, and the list of filters.
@MainActor
@Suite struct FilterListTests: FilterSuite {
    @Test func `D7: filter chips use the free width of the title line`() throws {
        let pilot = try open()
        pilot.resize(100, 14)
        let text = "price > 1 and price < 1000000 and side = 'BUY'"
        filter(pilot, text)
        #expect(pilot.line(0).contains("▽ \(text)"), "\(pilot.line(0))")
    }

    @Test func `17.6, D17: filters are edited, turned off and removed one by one`() throws {
        let pilot = try open()
        var all: [ShownFilter] { pilot.state.query.requested.allFilters }
        filter(pilot, "price > 15")
        filter(pilot, "side = 'BUY'")
        #expect(pilot.order == [3])
        let price = try #require(pilot.place(of: "price > 15"))
        pilot.click(price.x, price.y)
        #expect(promptText(pilot) == "price > 15")
        pilot.press("Backspace Enter")
        #expect(all.map(\.filter.text) == ["price > 1", "side = 'BUY'"] && pilot.order == [1, 3])
        // A click with the right button turns a filter off, and it stays in the title line.
        let side = try #require(pilot.place(of: "side = 'BUY'"))
        pilot.mouse(.press(.right), side.x, side.y)
        pilot.mouse(.release(.right), side.x, side.y)
        #expect(all.map(\.isOn) == [true, false] && pilot.order == [1, 2, 3, 5, 6])
        #expect(pilot.line(0).contains("▽ price > 1 ") && pilot.line(0).contains("off: side = 'BUY'"), "\(pilot.line(0))")
        #expect(pilot.state.sheet.history.changeToUndo?.title == "turn off filter “side = 'BUY'”")
        pilot.press("U")
        #expect(all.map(\.isOn) == [true, true] && pilot.order == [1, 3])
        pilot.press("C-r")
        #expect(all.map(\.isOn) == [true, false] && pilot.order == [1, 2, 3, 5, 6])
        pilot.press("M-&")
        #expect((pilot.state.overlay as? ListPanel)?.rows.map(\.detail) == ["on", "off"])
        pilot.press("C-o")
        #expect((pilot.state.overlay as? ListPanel)?.rows.map(\.detail) == ["on", "on"] && pilot.order == [1, 3])
        pilot.press("Up C-x")
        #expect(all.map(\.filter.text) == ["side = 'BUY'"] && pilot.order == [1, 3, 4])
        pilot.press("Enter")
        #expect(promptText(pilot) == "side = 'BUY'")
        pilot.press("C-u Enter")
        #expect(all.isEmpty && pilot.order.count == 6, "an empty text removes the filter")
        pilot.press("M-&")
        #expect(pilot.state.overlay == nil && pilot.state.message?.id == .noFilter)
    }

    @Test func `17.6, D17: a filter that is turned off keeps its position, can be added again, and is removed like others`() throws {
        let pilot = try open()
        for text in ["price > 15", "side = 'BUY'", "name ~ 'd'"] { filter(pilot, text) }
        pilot.press("M-& Up C-o Escape")
        #expect(pilot.state.query.requested.allFilters.map(\.isOn) == [true, false, true] && pilot.order == [3])
        pilot.press("R")
        #expect(pilot.state.query.requested.allFilters.map(\.isOn) == [true, false, true] && pilot.order == [3], "also after a reload")
        filter(pilot, "side = 'BUY'")
        #expect(pilot.state.query.requested.allFilters.map(\.filter.text) == ["price > 15", "side = 'BUY'", "name ~ 'd'"])
        #expect(pilot.state.query.requested.disabledFilters.isEmpty)
        pilot.press("M-& C-o Up C-o Up C-o Escape")
        #expect(pilot.state.query.requested.filters.isEmpty && pilot.order.count == 6 && pilot.line(0).contains("off: price > 15"))
        pilot.press("\\")
        #expect(pilot.state.query.requested.disabledFilters.count == 2 && pilot.state.message?.id == .filterRemoved)
        pilot.press("U")
        #expect(pilot.state.query.requested.disabledFilters.count == 3 && pilot.state.query.isSettled)
        pilot.press("|")
        #expect(pilot.state.query.requested.allFilters.isEmpty && !pilot.line(0).contains("off:"))
    }

    @Test(
        arguments: [(40, 8), (80, 8), (30, 3), (20, 5), (12, 14), (80, 24)])
    func `17.6, D3: filters are visible on screens of every size`(width: Int, height: Int) throws {
        let pilot = try open(Self.table, size: (width, height), ["price > 15", "price < 1000"])
        #expect(pilot.order == [2, 3, 5, 6] && pilot.line(0).contains("▽"), "\(pilot.screen)")
        #expect(pilot.state.grid.size == AppLayout(pilot.state).gridSize)
        guard height == 8 else { return }
        #expect(pilot.line(2).hasPrefix("   2│") && pilot.line(3).hasPrefix("   3│") && !pilot.line(7).contains("remove filter"))
        pilot.click(10, 3)
        #expect(pilot.cursorCell.hasSuffix(" 3"))
        pilot.press("| Up Down")
        #expect(pilot.line(0).contains("name") && !pilot.line(7).isEmpty, "\(pilot.screen)")
    }

    @Test func `D7, D3: on a narrow screen, the longest filters are truncated first, then the file size is hidden`() throws {
        func title(_ columns: Int) throws -> String {
            let pilot = try open(Self.table, size: (columns, 12), ["side = 'BUY'", "price > 15"])
            return String(pilot.line(0).drop { $0 != "▽" && $0 != "×" })
        }
        let name = try open().line(0).split(separator: " ").first?.count ?? 0
        #expect(try title(name + 42) == "× 3   ▽ side = 'BUY'   ▽ price > 15")
        #expect(try title(name + 40) == "× 3   ▽ side = 'BU…  ▽ price > 15")
        #expect(try title(name + 30) == "× 3   ▽ side …  ▽ price…")
        #expect(try title(name + 24) == "▽ side …  ▽ price …")
        #expect(try title(name + 14) == "▽ side… +1")
    }

    @Test(
        arguments: [
            (40, 10, " test.csv   ▽ price > …  ▽ side = '… +2"), (25, 10, " test.csv   ▽ price … +3"), (20, 5, " test…   ▽ pric… +3"),
        ])
    func `D7, D3: the title line counts the filters, groups and sort columns for which it has no room`(
        columns: Int, rows: Int, title: String
    ) throws {
        let pilot = try open(Self.table, size: (columns, rows), ["price > 1", "side = 'BUY'", "name != 'x'", "price < 99"])
        #expect(pilot.line(0) == title)
        pilot.click(columns - 3, 0)
        #expect((pilot.state.overlay as? ListPanel)?.title == "Filters", "a click on the count lists the filters")
        pilot.press("Escape")
        pilot.click(title.prefix { $0 != "▽" }.count, 0)
        #expect(pilot.state.overlay is FormulaPrompt)
        let other = try open(Self.table, size: (columns, rows), ["price > 1", "side = 'BUY'"])
        other.press("s $ zg")
        #expect(other.line(0) == title)
    }
}
