import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Filters in the whole program: by conditions and cell values, and with sorting and grouping.
@MainActor
@Suite struct FilterTests: FilterSuite {
    @Test func `D7: a filtered view keeps the row numbers of the file and shows the filter in the title line`() throws {
        let pilot = try open()
        filter(pilot, "price > 15 and side = 'SELL'")
        #expect(pilot.order == [2, 5])
        #expect(pilot.line(0).contains("▽ price > 15 and side = 'SELL'"))
        #expect(pilot.line(2).hasPrefix("   2│") && pilot.line(3).hasPrefix("   5│"))
        #expect(pilot.state.message == .filtered(2, of: 6, isComplete: true, filterCount: 1, removeKey: "\\"))
        #expect(pilot.line(12).hasSuffix("1 / 2"))
        pilot.press("Down")
        #expect(pilot.line(13).hasPrefix(" \\ remove filter"))
        pilot.press("\\")
        #expect(pilot.order == [1, 2, 3, 4, 5, 6] && !pilot.line(0).contains("▽") && pilot.state.message?.id == .filterRemoved)
    }

    @Test func `D7: the message about a long filter that no longer works shows its start, its end and the reason`() throws {
        let pilot = try open()
        let name = String(repeating: "x", count: 60)
        let filter = try Filter("\(name) > 12345", in: Schema([Field(FieldID(rawValue: 5), name: name, kind: .integer)]))
        let error = #expect(throws: RequestError.self) { try pilot.session.resolvedFilters([filter]) }
        let start = "Filter “xxxxxxxxxxxxxxxx…> 12345” no longer works: No column #6"
        #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error?.message))")
    }

    @Test func `D7: a name in a filter refers to the column with that title, not to a column that had it before`() throws {
        let pilot = try open("a,b\n1,5\n2,6\n")
        pilot.press("M-r x Enter l M-r a Enter")
        #expect(pilot.titles == ["x", "a"])
        filter(pilot, "a = 6")
        #expect(pilot.order == [2], "\(pilot.message)")
    }

    @Test func `D7: filters by the current cell include or exclude its value`() throws {
        let pilot = try open()
        pilot.press("G $ k @")
        #expect(
            pilot.state.query.requested.filters.map(\.text) == ["side = 'SELL'"] && pilot.order == [2, 5] && pilot.cursorCell == "side 5")
        pilot.press("Left ~")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["side = 'SELL'", "price != 50"] && pilot.order == [2])
        pilot.press("|")
        #expect(pilot.order.count == 6)
        pilot.press("4 g @")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["price is empty"] && pilot.order == [4])
        pilot.press("@")
        #expect(pilot.state.message == .filterAlreadyOn)
    }

    @Test func `D7: filters accumulate, backslash removes the last one, and Escape removes none`() throws {
        let pilot = try open()
        filter(pilot, "price > 15")
        filter(pilot, "side is not empty")
        #expect(pilot.order == [2, 3, 5])
        pilot.press("/")
        pilot.type("e")
        pilot.press("Enter v Right")
        pilot.press("Escape")
        #expect(pilot.state.grid.selection.isEmpty && pilot.state.search != nil && pilot.state.query.requested.filters.count == 2)
        pilot.press("Escape")
        #expect(pilot.state.search?.isShown == false && pilot.state.query.requested.filters.count == 2)
        pilot.press("Escape")
        #expect(pilot.state.message?.id == .filtersRemain && pilot.state.query.requested.filters.count == 2)
        pilot.press("\\")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["price > 15"] && pilot.order == [2, 3, 5, 6])
        pilot.press("\\")
        #expect(pilot.state.query.requested.isFileOrder && pilot.order.count == 6)
        pilot.press("\\")
        #expect(pilot.state.message?.id == .noFilter)
        filter(pilot, "price > 15")
        pilot.press("s r")
        #expect(pilot.state.query.shown.isFileOrder && pilot.order.count == 6, "a reset removes filters")
    }

    @Test func `D7: the cursor stays on its row after filtering, or moves to the next matching row`() throws {
        let content = "n,half\n" + (1...2_000).map { "\($0),\($0 % 2 == 0 ? "even" : "odd")" }.joined(separator: "\n") + "\n"
        let pilot = try open(content)
        pilot.press("1 0 0 0 g j j")
        let line = try #require(pilot.place(of: "1002│")).y
        filter(pilot, "half = 'even'")
        #expect(pilot.cursorCell == "n 1002" && pilot.place(of: "1002│")?.y == line, "on the same screen line")
        pilot.press("\\")
        #expect(pilot.cursorCell == "n 1002" && pilot.place(of: "1002│")?.y == line)
        pilot.press("j")
        filter(pilot, "half = 'even'")
        #expect(pilot.cursorCell == "n 1004")
        pilot.press("| ] g")
        #expect(pilot.cursorCell == "n 2000")
        pilot.press("9 9 9 g")
        #expect(pilot.cursorCell == "n 999")
        filter(pilot, "half = 'even'")
        #expect(pilot.order.prefix(2) == [2000, 1998] && pilot.cursorCell == "n 998", "the next one in view order")
        pilot.press("\\")
        #expect(pilot.cursorCell == "n 998" && pilot.order.first == 2000)
        pilot.press("r G")
        filter(pilot, "n < 7")
        #expect(pilot.cursorCell == "n 6", "the last one if no row follows")
        pilot.press("9 9 g")
        #expect(pilot.state.message == .rowFilteredOut(99) && pilot.cursorCell == "n 6")
    }

    @Test func `D7: sorting and grouping apply to filtered rows, whether set before or after the filter`() throws {
        let pilot = try open()
        pilot.press("Right ]")
        filter(pilot, "side = 'BUY'")
        #expect(pilot.order == [3, 1, 4] && pilot.line(1).contains("▼"))
        pilot.press("]")
        pilot.press("|")
        #expect(pilot.order == [6, 5, 3, 2, 1, 4])
        filter(pilot, "price > 15")
        pilot.press("End zg")
        #expect(pilot.state.grid.outline.tree?.sections.map(\.rows.count) == [1, 2, 1])
        #expect(pilot.order == [3, 5, 2, 6])
        filter(pilot, "price < 60")
        #expect(pilot.order == [3, 5, 2] && pilot.state.grid.outline.tree?.sections.count == 2)
        pilot.press("| zu [")
        #expect(pilot.order.count == 6)
    }

    @Test func `D7: if no row matches, the screen shows how to remove the filter`() throws {
        let pilot = try open()
        filter(pilot, "price > 1e6")
        #expect(pilot.state.message == .noMatches("price > 1e6", containing: nil, filterCount: 1, isComplete: true, removeKey: "\\"))
        pilot.press("Down")
        #expect(pilot.screen.contains("No rows match “price > 1e6”. \\ removes the filter."))
        for key in ["G", "g", "s", "zg", "v", "y", "@", "~", "n", "Enter", "Escape", "}", "m", "_"] { pilot.press(key) }
        pilot.press("|")
        #expect(pilot.order.count == 6)
        filter(pilot, "nowhere")
        #expect(pilot.state.message == .noMatches("nowhere", containing: "nowhere", filterCount: 1, isComplete: true, removeKey: "\\"))
    }

    @Test func `D7: a filter finds the same rows after its column's type has cycled through all types`() throws {
        let pilot = try open("code,x\n007,a\n7,b\n10,c\n")
        pilot.press("t")
        let before = pilot.state.grid.columns.all[0].kind
        filter(pilot, "code = '7'")
        let first = pilot.order
        for _ in 0..<7 { pilot.press("t") }
        #expect(pilot.state.grid.columns.all[0].kind == before && pilot.order == first)
        #expect(pilot.state.query.isSettled)
    }

    @Test func `D7, D2: after a reload with other columns, filters find their columns by name, or are dropped`() throws {
        let pilot = try open("a,b,c\n1,x,5\n2,y,6\n3,x,7\n")
        filter(pilot, "c > 5")
        filter(pilot, "b = 'x'")
        #expect(pilot.order == [3])
        try Data("c,a\n6,1\n4,2\n9,3\n".utf8).write(to: URL(fileURLWithPath: pilot.path))
        pilot.press("R")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["c > 5"] && pilot.order == [1, 3])
        #expect(pilot.state.message?.isError == true && pilot.state.message?.id == .filterDropped)
        #expect(pilot.line(0).contains("▽ c > 5") && !pilot.line(0).contains("b ="))
    }

    @Test func `D7: repeated --filter options all apply, and an error in one shows its position`() throws {
        let pilot = try open(Self.table, ["side = 'BUY'", "price > 15"])
        #expect(pilot.order == [3] && pilot.line(0).contains("▽ side = 'BUY'") && pilot.line(0).contains("▽ price > 15"))
        let error = #expect(throws: RequestError.self) { try open(Self.table, ["price > 1 und\u{1b} x"]) }
        #expect(error?.isUsageError == true)
        #expect(
            error?.message == "--filter: Expected “and” or “or”.\n  price > 1 und  x\n            ^^^"
                || error?.message.contains("\u{1b}") == false)
    }
}

/// Filters that start before the file is read to its end, or whose job is still running. Jobs wait until the test runs them.
@MainActor
@Suite struct FilterWhileReadingTests: FilterSuite {
    private func rows(_ records: Range<UInt32>) -> RowOrder { .permuted(RowPermutation(Array(records))) }

    private func open(_ filters: [String] = []) throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        var options = LaunchOptions()
        options.filters = filters
        return (try Pilot(PartlyReadFileTests.content, size: (60, 12), options: options, runner: stepped.runner), stepped)
    }

    @Test func `D7, D2: rows that are read later are filtered too`() throws {
        let (pilot, stepped) = try open()
        let known = pilot.state.document.recordCount
        #expect(known < PartlyReadFileTests.rowCount)
        filter(pilot, "n ~ '00$'")
        // The newest job is the filter. It filters the rows that were known before indexing.
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(!pilot.state.document.isComplete && pilot.order == (1...known).filter { $0 % 100 == 0 })
        pilot.press("j j")
        let (cursorCell, screen) = (pilot.cursorCell, pilot.backend.lines[2..<9])
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete && pilot.order == (1...PartlyReadFileTests.rowCount).filter { $0 % 100 == 0 })
        #expect(pilot.cursorCell == cursorCell && pilot.backend.lines[2..<9] == screen, "visible rows stay in place")
        #expect(pilot.state.query.isSettled)
    }

    @Test func `17.6, D2: matching rows are counted while a filter is typed, by one job at a time`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        func matches() -> FormulaPrompt.Matches? { (pilot.state.overlay as? FormulaPrompt)?.matches }
        pilot.press("&")
        pilot.type("n > 78")
        #expect(pilot.state.jobs.map(\.kind) == [.preview] && matches() == nil)
        pilot.session.send(.rowsCounted(12, isComplete: false))
        pilot.session.turn()
        #expect(pilot.line(10) == " 12 rows match so far.")
        stepped.runAll(pilot)
        #expect(matches() == .init(count: PartlyReadFileTests.rowCount - 78, isComplete: true))
        #expect(pilot.line(10).hasSuffix(" rows match."), "\(pilot.line(10))")
        pilot.type(" and")
        #expect(matches() == nil && pilot.state.jobs.isEmpty)
        pilot.press("Escape")
        stepped.runAll(pilot)
        #expect(pilot.state.overlay == nil && pilot.state.query.requested.filters.isEmpty)
    }

    @Test func `17.6, D2: values of the first rows complete a filter before all rows are counted`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        func values() -> FilterValues? { (pilot.state.overlay as? FormulaPrompt)?.values }
        pilot.press("&")
        pilot.type("half = ")
        #expect(pilot.state.jobs.map(\.kind) == [.values] && values()?.values.isEmpty == true)
        stepped.runAll(pilot)
        #expect(values()?.includesAllRows == true && values()?.values.map(\.value).sorted() == ["first", "second"])
        pilot.press("Tab Escape")
        #expect(pilot.state.overlay == nil)
        stepped.runAll(pilot)
        #expect(pilot.state.jobs.isEmpty)
    }

    @Test func `D7, D2: a filter can be removed before the whole file is read`() throws {
        let (pilot, stepped) = try open()
        filter(pilot, "n ~ '00$'")
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.order.first == 100)
        pilot.press("\\")
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(!pilot.state.document.isComplete && pilot.state.query.shown.isFileOrder && pilot.order.prefix(3) == [1, 2, 3])
        stepped.runAll(pilot)
        #expect(pilot.order.count == PartlyReadFileTests.rowCount)
    }

    @Test func `D7, D2: sorting waits for the whole file, filtering does not`() throws {
        let (pilot, stepped) = try open()
        pilot.press("]")
        filter(pilot, "n ~ '00$'")
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.order.first == 100 && pilot.line(1).contains("▽"))
        stepped.runAll(pilot)
        #expect(pilot.order == (1...PartlyReadFileTests.rowCount).filter { $0 % 100 == 0 }.reversed())
        #expect(pilot.state.query.isSettled)
    }

    @Test func `D7, D2: --find waits until the last rows are filtered`() throws {
        let stepped = SteppedRunner()
        var options = LaunchOptions()
        (options.filters, options.searchText) = (["n ~ '99$'"], "39999")
        let pilot = try Pilot(PartlyReadFileTests.content, size: (60, 12), options: options, runner: stepped.runner)
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.state.query.isSettled && !pilot.state.document.isComplete && pilot.order.first == 99)
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "n 39999")
    }

    @Test func `D7, D2: cancelling a filter restores all rows and the visible lines`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("5 0 0 g")
        let content = pilot.backend.lines[2..<9]
        filter(pilot, "n > 490")
        #expect(pilot.state.jobs.map(\.kind) == [.arrange])
        // The job posts partial results and its end as messages. Messages of a cancelled job are dropped.
        pilot.press("Escape")
        #expect(pilot.state.message?.id == .cancelled && !pilot.line(0).contains("▽"))
        stepped.runAll(pilot)
        pilot.press("Left")
        #expect(
            pilot.state.query.shown.isFileOrder && pilot.order.count == PartlyReadFileTests.rowCount
                && pilot.backend.lines[2..<9] == content)
    }

    @Test func `D7: the message after cancelling a filter of sorted rows names the filter, not the sort`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("]")
        stepped.runAll(pilot)
        filter(pilot, "n > 490")
        pilot.press("Escape")
        #expect(pilot.message == "Cancelled: filtering by “n > 490”.")
        stepped.runAll(pilot)
        #expect(pilot.state.query.requested.filters.isEmpty && pilot.order.first == PartlyReadFileTests.rowCount)
        // A sort of filtered rows is named, not their filter.
        filter(pilot, "n > 490")
        stepped.runAll(pilot)
        pilot.press("[ Escape")
        #expect(pilot.message == "Cancelled: sorting by “n”.")
    }

    @Test func `D7: partial results of a filter are shown as they grow, and discarded when the filter is cancelled`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        filter(pilot, "half = 'second'")
        var arrangement = Arrangement()
        arrangement.filters = [try Filter("half = 'second'", in: pilot.state.schema)]
        pilot.session.send(.filtering(arrangement, rows(20_000..<20_010), extendsVisibleRows: false))
        #expect(pilot.order.count == 10 && pilot.cursorCell == "n 20001" && pilot.state.query.shown == arrangement)
        pilot.press("j")
        pilot.session.send(.filtering(arrangement, rows(20_000..<20_100), extendsVisibleRows: true))
        #expect(pilot.order.count == 100 && pilot.cursorCell == "n 20002")
        // A result of an earlier filter arrives too late.
        var other = arrangement
        other.filters = [try Filter("n = 1", in: pilot.state.schema)]
        pilot.session.send(.filtering(other, rows(0..<1), extendsVisibleRows: false))
        #expect(pilot.order.count == 100)
        pilot.press("Escape")
        #expect(
            pilot.order.count == PartlyReadFileTests.rowCount && pilot.state.query.requested.isFileOrder
                && pilot.state.query.shown.isFileOrder)
    }

    @Test func `D7: the message about a filter counts all matches, even if the first ones were shown before`() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("& \"n > 1\" Enter")
        let arrangement = pilot.state.query.requested
        pilot.session.send(.arranged(arrangement, rows(1..<11), nil, extendsVisibleRows: false))
        #expect(pilot.message.hasPrefix("10 of"))
        pilot.session.send(.arranged(arrangement, rows(1..<101), nil, extendsVisibleRows: true))
        #expect(pilot.message.hasPrefix("100 of"))
    }

    @Test func `D7: filters of the command line apply to the first rows that are shown`() throws {
        let (pilot, stepped) = try open(["half = 'second'"])
        stepped.runAll(pilot)
        #expect(pilot.order.count == PartlyReadFileTests.rowCount / 2 && pilot.order.first == PartlyReadFileTests.rowCount / 2 + 1)
    }

    @Test func `D7: a reload keeps the filters`() throws {
        let (pilot, stepped) = try open(["n = 7"])
        stepped.runAll(pilot)
        #expect(pilot.order == [7])
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.order == [7] && pilot.line(0).contains("▽ n = 7"))
    }
}
