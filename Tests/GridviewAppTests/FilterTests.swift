import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Filters in the whole program: the prompt, filters by cell value, chips, and filters with sorting and grouping.
@MainActor
@Suite struct FilterTests {
    static let table = "name,price,side\nann,10,BUY\nbob,20,SELL\ncid,30,BUY\ndee,,BUY\neve,50,SELL\nfay,60,\n"

    private func open(_ content: String = table, size: (Int, Int) = (80, 14), _ filters: [String] = []) throws -> Pilot {
        var options = LaunchOptions()
        options.filters = filters
        return try Pilot(content, size: size, options: options)
    }

    private func filter(_ pilot: Pilot, _ text: String) {
        pilot.press("&")
        pilot.type(text)
        pilot.press("Enter")
    }

    @Test("D7: a filtered view keeps the row numbers of the file and shows a chip") func filteredViewKeepsRowNumbersOfFile() throws {
        let pilot = try open()
        filter(pilot, "price > 15 and side = 'SELL'")
        #expect(pilot.order == [2, 5])
        #expect(pilot.line(0).contains("▽ price > 15 and side = 'SELL'"))
        #expect(pilot.line(2).hasPrefix("   2│") && pilot.line(3).hasPrefix("   5│"))
        #expect(pilot.state.message == .filtered(2, of: 6, isComplete: true, filterCount: 1, remove: "\\"))
        #expect(pilot.line(12).hasSuffix("1 / 2"))
        pilot.press("Down")
        #expect(pilot.line(13).hasPrefix(" \\ remove filter"))
        pilot.press("\\")
        #expect(pilot.order == [1, 2, 3, 4, 5, 6] && !pilot.line(0).contains("▽") && pilot.state.message?.id == .filterRemoved)
    }

    @Test("D7: the prompt names the numbers of columns with the same name; filters by cell keep their column")
    func promptNamesNumbersOfColumnsWithSameName() throws {
        let pilot = try open("name,id,name\nann,1,x\nbob,2,y\nx,3,x\n")
        pilot.press("&")
        pilot.type("name = 'x'")
        #expect(pilot.line(12).hasPrefix("         ^^^^ Ambiguous column “name”. Write #1 or #3."), "\(pilot.screen)")
        pilot.press("Escape z=")
        pilot.type("n = length(name)")
        #expect(pilot.screen.contains("Ambiguous column “name”. Write #1 or #3."), "\(pilot.screen)")
        pilot.press("Escape")
        pilot.press("~")
        #expect(pilot.order == [2, 3] && pilot.line(0).contains("▽ #1 != 'ann'"), "\(pilot.line(0))")
        filter(pilot, "#3 = 'x'")
        #expect(pilot.order == [3])
        // A reload with another column parses the text of the filters again.
        let changed = Data("name,id,name,z\nann,1,x,0\nbob,2,y,0\nx,3,x,0\n".utf8)
        try changed.write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("R")
        #expect(pilot.order == [3] && pilot.state.message == .reloaded("test.csv"), "\(pilot.message)")
    }

    @Test("D7: the message about a filter that no longer works names its start, its end and the reason")
    func messageShortensLongInvalidFilter() throws {
        let pilot = try open()
        let name = String(repeating: "x", count: 60)
        let filter = try Filter("\(name) > 12345", in: Schema([Field(FieldID(rawValue: 5), name: name, kind: .integer)]))
        let error = #expect(throws: RequestError.self) { try pilot.session.boundToColumns([filter]) }
        let start = "Filter “xxxxxxxxxxxxxxxx…> 12345” no longer works: No column #6"
        #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error?.message))")
    }

    @Test("D7: the title of a column hides the former name of another column") func columnTitleHidesFormerNameOfOtherColumn() throws {
        let pilot = try open("a,b\n1,5\n2,6\n")
        pilot.press("M-r x Enter l M-r a Enter")
        #expect(pilot.titles == ["x", "a"])
        filter(pilot, "a = 6")
        #expect(pilot.order == [2], "\(pilot.message)")
    }

    @Test("D7: the prompt reports an error and its position while typing") func promptReportsErrorAndItsPositionWhileTyping() throws {
        let pilot = try open()
        pilot.press("&")
        #expect(pilot.line(13).hasPrefix(" Filter:") && pilot.line(12).contains("in any cell"))
        pilot.type("prize > 5")
        #expect(pilot.line(13).hasPrefix(" Filter: prize > 5"))
        #expect(pilot.line(12).hasPrefix("         ^^^^^ Unknown column “prize”. Did you mean “price”?"))
        pilot.press("Enter")
        #expect(pilot.line(13).hasPrefix(" Filter: prize > 5"), "an invalid filter is not accepted")
        for _ in 0..<9 { pilot.press("Backspace") }
        pilot.type("BUY")
        #expect(pilot.line(12).hasPrefix(" Rows that contain “BUY”."))
        pilot.press("Enter")
        #expect(pilot.order == [1, 3, 4] && pilot.line(0).contains("▽ BUY"))
        filter(pilot, "price > 15")
        #expect(pilot.order == [3])
        // On a narrow screen, the message is in the lines above the marks.
        pilot.resize(20, 5)
        pilot.press("&")
        pilot.type("prize > 5")
        #expect(pilot.line(1) == " Unknown column" && pilot.line(2) == " “prize”." && pilot.line(3).contains("^^"))
        pilot.press("Escape &")
        pilot.type("price > foo")
        #expect(pilot.line(2) == " “foo”." && pilot.line(3).contains("^"), "the same for a position at the right")
        pilot.press("Escape")
        // The prompt is visible on a small screen too.
        for size in [(80, 4), (10, 3), (3, 3), (1, 1)] {
            pilot.resize(size.0, size.1)
            pilot.press("&")
            pilot.type("price > ( \u{202e}'日本語' and nonsense")
            pilot.press("Escape")
        }
    }

    @Test("D7: an error in a filter is shown in full on narrow screens", arguments: [60, 70, 80])
    func filterErrorIsShownInFullOnNarrowScreen(width: Int) throws {
        let pilot = try open()
        pilot.resize(width, 14)
        for text in ["price = price) or side = 'BUY' and price < 3", "side = 'BUY' and price in 5", "price > 1 and side = 'a' + price 5"] {
            pilot.press("&")
            pilot.type(text)
            pilot.press("Enter")
            guard let prompt = pilot.state.overlay as? FormulaPrompt, let error = prompt.error else {
                Issue.record("\(text) is accepted")
                continue
            }
            let sentence = error.message.prefix { $0 != "." }
            let lines = (9...12).map { pilot.line($0).filter { $0 != "^" }.split(separator: " ").joined(separator: " ") }
            #expect(lines.joined(separator: " ").contains(sentence), "\(pilot.screen)")
            #expect(pilot.line(12).contains("^"))
            pilot.press("Escape")
        }
    }

    @Test("D7: the advice about an operator of other programs is visible at 80 columns, wherever the operator is")
    func adviceAboutOperatorIsVisible() throws {
        let pilot = try open()
        pilot.resize(80, 14)
        let start = "side = 'BUY' and side = 'SELL' and price > 1 and "
        let samples = [
            ("price % 2 = 0", "Write a - b * floor(a / b)."), ("mod(price, 2) = 0", "Write a - b * floor(a / b)."),
            ("price ^ 2 > 1", "Write a * a for the square of a."), ("price // 2 > 1", "Write floor(a / b)."),
        ]
        let joined = [("side || 'x' = 'ax'", "To join text, write concat(a, b).")]
        for (text, advice) in samples + samples.map({ (start + $0, $1) }) + joined {
            pilot.press("&")
            pilot.type(text)
            pilot.press("Enter")
            let lines = (10...12).map { pilot.line($0) }
            #expect(lines.contains { $0.contains(advice) } && lines[2].contains("^"), "\(pilot.screen)")
            pilot.press("Escape")
        }
    }

    @Test("D7: filter chips use the free width of the title line") func filterChipsUseFreeWidthOfTitleLine() throws {
        let pilot = try open()
        pilot.resize(100, 14)
        let text = "price > 1 and price < 1000000 and side = 'BUY'"
        filter(pilot, text)
        #expect(pilot.line(0).contains("▽ \(text)"), "\(pilot.line(0))")
    }

    @Test("D7: an error at the end of the text is shown as an error only after Enter, and long messages keep the marks")
    func errorAtEndOfTextWaitsForEnter() throws {
        let pilot = try open()
        func style() throws -> TextStyle {
            let mark = try #require(pilot.place(of: "^"))
            return pilot.backend.screen[mark.x, mark.y].style
        }
        pilot.press("&")
        pilot.type("price >")
        #expect(!pilot.line(12).contains("Enter") && pilot.line(13).hasSuffix("Esc cancel"))
        let (unfinished, line) = (try style(), pilot.line(12))
        pilot.press("Enter")
        #expect(pilot.line(12) == line && pilot.state.overlay != nil)
        #expect(try style() != unfinished)
        pilot.type(" ")
        #expect(try style() == unfinished)
        pilot.press("C-u")
        pilot.type("price > 5")
        #expect(pilot.line(12) == " 5 of 6 rows match.")
        pilot.press("C-u")
        pilot.type("price")
        for _ in 0..<4 { pilot.type(" + price") }
        #expect(pilot.line(12).contains("^"), "\(pilot.line(12))")
    }

    @Test("D7: the prompt recalls earlier filters") func promptRecallsEarlierFilters() throws {
        let pilot = try open()
        filter(pilot, "price > 15")
        filter(pilot, "side = 'BUY'")
        pilot.press("| &")
        pilot.type("draft")
        pilot.press("Up Up")
        #expect(pilot.line(13).hasPrefix(" Filter: price > 15"))
        pilot.press("Up")
        #expect(pilot.line(13).hasPrefix(" Filter: price > 15"))
        pilot.press("Down Down")
        #expect(pilot.line(13).hasPrefix(" Filter: draft"))
        pilot.press("Up Enter")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["side = 'BUY'"])
        pilot.press("& Escape")
        #expect(pilot.state.query.requested.filters.map(\.text) == ["side = 'BUY'"] && pilot.state.overlay == nil)
    }

    private func typed(_ pilot: Pilot) -> String? { (pilot.state.overlay as? FormulaPrompt)?.field.string }

    @Test("17.6: Tab completes columns, and values with their counts") func tabCompletesColumns() throws {
        let pilot = try open()
        pilot.press("&")
        pilot.type("pr")
        #expect(pilot.line(10).contains("│ price"), "\(pilot.screen)")
        pilot.press("Tab")
        #expect(typed(pilot) == "price")
        pilot.press("C-u Tab Tab")
        #expect(typed(pilot) == "price", "without text, all columns are candidates")
        pilot.press("S-Tab")
        #expect(typed(pilot) == "name")
        pilot.press("C-u")
        pilot.type("side = ")
        #expect(pilot.line(9).contains("'BUY'") && pilot.line(9).contains(" 3"), "\(pilot.screen)")
        #expect(pilot.line(10).contains("'SELL'") && pilot.line(10).contains(" 2"), "\(pilot.screen)")
        pilot.press("Tab")
        #expect(typed(pilot) == "side = 'BUY'" && pilot.line(12) == " 3 of 6 rows match.")
        pilot.press("Tab")
        #expect(typed(pilot) == "side = 'SELL'" && pilot.line(12) == " 2 of 6 rows match.")
        pilot.press("Tab")
        #expect(typed(pilot) == "side = 'BUY'")
        pilot.press("C-u")
        pilot.type("side = 's")
        pilot.press("Tab")
        #expect(typed(pilot) == "side = 'SELL'")
        pilot.press("C-u")
        pilot.type("side in (BUY, s")
        pilot.press("Tab")
        pilot.type(") and pr")
        pilot.press("Tab")
        pilot.type(" > 40")
        #expect(typed(pilot) == "side in (BUY, 'SELL') and price > 40")
        pilot.press("Enter")
        #expect(pilot.order == [5] && pilot.state.jobs.isEmpty)
        // Text after the cursor stays.
        pilot.press("&")
        pilot.type("pr > 5")
        pilot.press("Home Right Right Tab")
        #expect(typed(pilot) == "price > 5")
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil && pilot.order == [5])
    }

    @Test("17.6: Tab completes a number only to a column that begins with it, at the start of a condition")
    func numbersAreComplete() throws {
        let pilot = try Pilot("qty,q1,1st,a21\n5,6,7,8\n6,7,8,9\n")
        pilot.press("&")
        pilot.type("qty > 1")
        #expect((pilot.state.overlay as? FormulaPrompt)?.candidates == nil)
        pilot.press("Tab")
        #expect(typed(pilot) == "qty > 1")
        pilot.type(" and 1")
        pilot.press("Tab")
        #expect(typed(pilot) == "qty > 1 and \"1st\"")
        pilot.press("Tab")
        #expect(typed(pilot) == "qty > 1 and \"1st\"", "q1 and a21 contain the number but do not begin with it")
    }

    @Test("D7: the prompt has a hint about a valid filter that is probably a mistake") func promptHintsAtProbableMistake() throws {
        let pilot = try open()
        pilot.press("&")
        pilot.type("price = 'ten'")
        #expect(pilot.line(11) == " Column “price” contains numbers. They never equal the text 'ten'.", "\(pilot.screen)")
        #expect(pilot.line(12) == " 0 of 6 rows match.")
        pilot.press("Backspace")
        #expect(!pilot.screen.contains("never equal"), "the text is not complete")
        pilot.press("C-u")
        pilot.type("price = 10")
        #expect(!pilot.screen.contains("never equal") && pilot.line(12) == " 1 of 6 rows matches.")
        pilot.press("Escape")
        filter(pilot, "price = 'ten'")
        pilot.press("M-& Enter")
        #expect(typed(pilot) == "price = 'ten'" && pilot.line(11).contains("never equal the text 'ten'"), "\(pilot.screen)")
    }

    @Test("17.6: the prompt accepts conditions in other forms, such as those of SQL") func promptAcceptsConditionsInOtherForms() throws {
        let pilot = try open()
        for (text, rows) in [("price between 20 and 50 && side = BUY", [3]), ("name like '%e%e'", [4, 5]), ("buy 10", [1])] {
            filter(pilot, text)
            #expect(pilot.order == rows && pilot.line(0).contains("▽ \(text)"), "\(text)")
            pilot.press("|")
        }
        pilot.press("&")
        pilot.type("buy ann")
        #expect(pilot.line(12) == " Rows that contain “buy” and “ann”. 1 of 6 rows matches.")
    }

    @Test("17.6, D17: filters are edited, turned off and removed one by one") func filterListEditsAndRemovesFilters() throws {
        let pilot = try open()
        var all: [ShownFilter] { pilot.state.query.requested.allFilters }
        filter(pilot, "price > 15")
        filter(pilot, "side = 'BUY'")
        #expect(pilot.order == [3])
        let price = try #require(pilot.place(of: "price > 15"))
        pilot.click(price.x, price.y)
        #expect(typed(pilot) == "price > 15")
        pilot.press("Backspace Enter")
        #expect(all.map(\.filter.text) == ["price > 1", "side = 'BUY'"] && pilot.order == [1, 3])
        // A click with the right button turns a filter off, and it stays in the title line.
        let side = try #require(pilot.place(of: "side = 'BUY'"))
        pilot.mouse(.press(.right), side.x, side.y)
        pilot.mouse(.release(.right), side.x, side.y)
        #expect(all.map(\.isOn) == [true, false] && pilot.order == [1, 2, 3, 5, 6])
        #expect(pilot.line(0).contains("▽ price > 1 ") && pilot.line(0).contains("off: side = 'BUY'"), "\(pilot.line(0))")
        #expect(pilot.state.sheet.history.last?.title == "turn off filter “side = 'BUY'”")
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
        #expect(typed(pilot) == "side = 'BUY'")
        pilot.press("C-u Enter")
        #expect(all.isEmpty && pilot.order.count == 6, "an empty text removes the filter")
        pilot.press("M-&")
        #expect(pilot.state.overlay == nil && pilot.state.message?.id == .noFilter)
    }

    @Test("17.6, D17: a filter that is turned off keeps its position, can be added again, and is removed like others")
    func filterThatIsTurnedOffKeepsItsPosition() throws {
        let pilot = try open()
        for text in ["price > 15", "side = 'BUY'", "name ~ 'd'"] { filter(pilot, text) }
        pilot.press("M-& Up C-o Escape")
        #expect(pilot.state.query.requested.allFilters.map(\.isOn) == [true, false, true] && pilot.order == [3])
        pilot.press("R")
        #expect(pilot.state.query.requested.allFilters.map(\.isOn) == [true, false, true] && pilot.order == [3], "also after a reload")
        filter(pilot, "side = 'BUY'")
        #expect(pilot.state.query.requested.allFilters.map(\.filter.text) == ["price > 15", "side = 'BUY'", "name ~ 'd'"])
        #expect(pilot.state.query.requested.offFilters.isEmpty)
        pilot.press("M-& C-o Up C-o Up C-o Escape")
        #expect(pilot.state.query.requested.filters.isEmpty && pilot.order.count == 6 && pilot.line(0).contains("off: price > 15"))
        pilot.press("\\")
        #expect(pilot.state.query.requested.offFilters.count == 2 && pilot.state.message?.id == .filterRemoved)
        pilot.press("U")
        #expect(pilot.state.query.requested.offFilters.count == 3 && pilot.state.query.isSettled)
        pilot.press("|")
        #expect(pilot.state.query.requested.allFilters.isEmpty && !pilot.line(0).contains("off:"))
    }

    @Test(
        "17.6, D3: filters are visible on every screen",
        arguments: [(40, 8), (80, 8), (30, 3), (20, 5), (12, 14), (80, 24)])
    func filtersAreVisibleOnEveryScreen(width: Int, height: Int) throws {
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

    @Test("D7: filters by the current cell include or exclude its value") func filterByCellIncludesOrExcludesItsValue() throws {
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

    @Test("D7: filters stack; \\ removes the last one, and Escape removes none") func filtersAreRemovedOneByOne() throws {
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

    @Test("D7: the cursor stays on its row or moves to the next matching row") func filterKeepsCursorOnItsRow() throws {
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

    @Test("D7: sorting and grouping apply to filtered rows in either order") func sortingAndGroupingApplyToFilteredRows() throws {
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

    @Test("D7: an empty result shows how to remove the filter") func emptyResultShowsHowToRemoveFilter() throws {
        let pilot = try open()
        filter(pilot, "price > 1e6")
        #expect(pilot.state.message == .noMatches("price > 1e6", containing: nil, filterCount: 1, isComplete: true, remove: "\\"))
        pilot.press("Down")
        #expect(pilot.screen.contains("No rows match “price > 1e6”. \\ removes the filter."))
        for key in ["G", "g", "s", "zg", "v", "y", "@", "~", "n", "Enter", "Escape", "}", "m", "_"] { pilot.press(key) }
        pilot.press("|")
        #expect(pilot.order.count == 6)
        filter(pilot, "nowhere")
        #expect(pilot.state.message == .noMatches("nowhere", containing: "nowhere", filterCount: 1, isComplete: true, remove: "\\"))
    }

    @Test("D7: a filter uses the type and the title of its column") func filterUsesTypeAndTitleOfItsColumn() throws {
        let pilot = try open("code,x\n007,a\n7,b\n10,c\n")
        pilot.press("t")
        let before = pilot.state.grid.columns.all[0].kind
        filter(pilot, "code = '7'")
        let first = pilot.order
        for _ in 0..<7 { pilot.press("t") }
        #expect(pilot.state.grid.columns.all[0].kind == before && pilot.order == first)
        #expect(pilot.state.query.isSettled)
    }

    @Test("D7, D2: after a reload with other columns, filters bind by name and those without a column are dropped")
    func reloadBindsFiltersByColumnName() throws {
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

    @Test("D7, D3: on a narrow screen, the longest filters are truncated, then the file size is dropped")
    func longestFiltersAreTruncatedFirst() throws {
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
        "D7, D3: without room for all filters, groups and sort columns, the title line counts the others",
        arguments: [
            (40, 10, " test.csv   ▽ price > …  ▽ side = '… +2"), (25, 10, " test.csv   ▽ price … +3"), (20, 5, " test…   ▽ pric… +3"),
        ])
    func titleLineCountsHiddenFilters(columns: Int, rows: Int, title: String) throws {
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

    @Test("D7: repeated --filter options are checked, and errors show their position") func repeatedFilterOptionsAreChecked() throws {
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
@Suite struct FilterGrowthTests {
    private func rows(_ records: Range<UInt32>) -> RowOrder { .permuted(RowPermutation(Array(records))) }

    private func open(_ filters: [String] = []) throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        var options = LaunchOptions()
        options.filters = filters
        return (try Pilot(GrowingFileTests.content, size: (60, 12), options: options, runner: stepped.runner), stepped)
    }

    private func filter(_ pilot: Pilot, _ text: String) {
        pilot.press("&")
        pilot.type(text)
        pilot.press("Enter")
    }

    @Test("D7, D2: rows that are read later are filtered too") func rowsThatAreReadLaterAreFilteredToo() throws {
        let (pilot, stepped) = try open()
        let known = pilot.state.document.recordCount
        #expect(known < GrowingFileTests.count)
        filter(pilot, "n ~ '00$'")
        // The newest job is the filter. It filters the rows that were known before indexing.
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(!pilot.state.document.isComplete && pilot.order == (1...known).filter { $0 % 100 == 0 })
        pilot.press("j j")
        let (at, screen) = (pilot.cursorCell, pilot.backend.lines[2..<9])
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete && pilot.order == (1...GrowingFileTests.count).filter { $0 % 100 == 0 })
        #expect(pilot.cursorCell == at && pilot.backend.lines[2..<9] == screen, "visible rows stay in place")
        #expect(pilot.state.query.isSettled)
    }

    @Test("17.6, D2: the rows that match are counted while a filter is typed, by one job at a time")
    func matchingRowsAreCountedWhileTyping() throws {
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
        #expect(matches() == .init(count: GrowingFileTests.count - 78, isComplete: true))
        #expect(pilot.line(10).hasSuffix(" rows match."), "\(pilot.line(10))")
        pilot.type(" and")
        #expect(matches() == nil && pilot.state.jobs.isEmpty)
        pilot.press("Escape")
        stepped.runAll(pilot)
        #expect(pilot.state.overlay == nil && pilot.state.query.requested.filters.isEmpty)
    }

    @Test("17.6, D2: values of the first rows complete a filter before all rows are counted")
    func valuesOfFirstRowsCompleteFilter() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        func values() -> FilterValues? { (pilot.state.overlay as? FormulaPrompt)?.values }
        pilot.press("&")
        pilot.type("half = ")
        #expect(pilot.state.jobs.map(\.kind) == [.values] && values()?.values.isEmpty == true)
        stepped.runAll(pilot)
        #expect(values()?.areCounted == true && values()?.values.map(\.value).sorted() == ["first", "second"])
        pilot.press("Tab Escape")
        #expect(pilot.state.overlay == nil)
        stepped.runAll(pilot)
        #expect(pilot.state.jobs.isEmpty)
    }

    @Test("D7, D2: a filter can be removed before the whole file is read") func filterCanBeRemovedBeforeEndOfFile() throws {
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
        #expect(pilot.order.count == GrowingFileTests.count)
    }

    @Test("D7, D2: sorting waits for the whole file, filtering does not") func sortingWaitsForWholeFile() throws {
        let (pilot, stepped) = try open()
        pilot.press("]")
        filter(pilot, "n ~ '00$'")
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.order.first == 100 && pilot.line(1).contains("▽"))
        stepped.runAll(pilot)
        #expect(pilot.order == (1...GrowingFileTests.count).filter { $0 % 100 == 0 }.reversed())
        #expect(pilot.state.query.isSettled)
    }

    @Test("D7, D2: --find waits until the last rows are filtered") func findOptionWaitsForLastFilteredRows() throws {
        let stepped = SteppedRunner()
        var options = LaunchOptions()
        (options.filters, options.find) = (["n ~ '99$'"], "39999")
        let pilot = try Pilot(GrowingFileTests.content, size: (60, 12), options: options, runner: stepped.runner)
        stepped.step(newest: true)
        pilot.session.turn()
        #expect(pilot.state.query.isSettled && !pilot.state.document.isComplete && pilot.order.first == 99)
        stepped.runAll(pilot)
        #expect(pilot.cursorCell == "n 39999")
    }

    @Test("D7, D2: the first rows show while filtering continues; cancelling restores all rows")
    func firstRowsShowWhileFilteringContinues() throws {
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
        #expect(pilot.state.query.shown.isFileOrder && pilot.order.count == GrowingFileTests.count && pilot.backend.lines[2..<9] == content)
    }

    @Test("D7: a cancelled filter of sorted rows is named, not their sort") func cancelledInSort() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("]")
        stepped.runAll(pilot)
        filter(pilot, "n > 490")
        pilot.press("Escape")
        #expect(pilot.message == "Cancelled: filtering by “n > 490”.")
        stepped.runAll(pilot)
        #expect(pilot.state.query.requested.filters.isEmpty && pilot.order.first == GrowingFileTests.count)
        // A sort of filtered rows is named, not their filter.
        filter(pilot, "n > 490")
        stepped.runAll(pilot)
        pilot.press("[ Escape")
        #expect(pilot.message == "Cancelled: sorting by “n”.")
    }

    @Test("D7: partial results are shown, grow, and are discarded when the filter is cancelled") func partialResultsAreShown() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        filter(pilot, "half = 'second'")
        var arrangement = Arrangement()
        arrangement.filters = [try Filter("half = 'second'", in: pilot.state.schema)]
        pilot.session.send(.filtering(arrangement, rows(20_000..<20_010), continues: false))
        #expect(pilot.order.count == 10 && pilot.cursorCell == "n 20001" && pilot.state.query.shown == arrangement)
        pilot.press("j")
        pilot.session.send(.filtering(arrangement, rows(20_000..<20_100), continues: true))
        #expect(pilot.order.count == 100 && pilot.cursorCell == "n 20002")
        // A result of an earlier filter arrives too late.
        var other = arrangement
        other.filters = [try Filter("n = 1", in: pilot.state.schema)]
        pilot.session.send(.filtering(other, rows(0..<1), continues: false))
        #expect(pilot.order.count == 100)
        pilot.press("Escape")
        #expect(
            pilot.order.count == GrowingFileTests.count && pilot.state.query.requested.isFileOrder && pilot.state.query.shown.isFileOrder)
    }

    @Test("D7: the message about a filter counts all matches, even if the first ones were shown before")
    func messageAboutFilterCountsAllMatches() throws {
        let (pilot, stepped) = try open()
        stepped.runAll(pilot)
        pilot.press("& \"n > 1\" Enter")
        let arrangement = pilot.state.query.requested
        pilot.session.send(.arranged(arrangement, rows(1..<11), nil, continues: false))
        #expect(pilot.message.hasPrefix("10 of"))
        pilot.session.send(.arranged(arrangement, rows(1..<101), nil, continues: true))
        #expect(pilot.message.hasPrefix("100 of"))
    }

    @Test("D7: filters of the command line apply from the first rows") func filtersOfCommandLineApplyFromFirstRows() throws {
        let (pilot, stepped) = try open(["half = 'second'"])
        stepped.runAll(pilot)
        #expect(pilot.order.count == GrowingFileTests.count / 2 && pilot.order.first == GrowingFileTests.count / 2 + 1)
    }

    @Test("D7: a reload keeps the filters") func reloadKeepsFilters() throws {
        let (pilot, stepped) = try open(["n = 7"])
        stepped.runAll(pilot)
        #expect(pilot.order == [7])
        pilot.press("R")
        stepped.runAll(pilot)
        #expect(pilot.order == [7] && pilot.line(0).contains("▽ n = 7"))
    }
}
