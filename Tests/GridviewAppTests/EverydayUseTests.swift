import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import TerminalSurface
import Testing

@testable import GridviewApp

/// Money and percentages, kept collapsed groups, empty values, and other details of daily work.
@MainActor
@Suite struct EverydayUseTests {
    private static let moneyTable = """
        shop,price,rate
        a,€3.03,1%
        b,"€1,234.50",12.5%
        a,-€5.00,3%
        b,€12.00,7%
        a,,2%

        """

    private func column(_ pilot: Pilot, _ title: String) throws -> Column {
        try #require(pilot.state.grid.columns.all.first { $0.title == title })
    }

    private func grouped(_ content: String, by level: String) throws -> Pilot {
        var options = LaunchOptions()
        options.groups = [try GroupRequest(text: level)]
        return try Pilot(content, size: (60, 20), options: options)
    }

    private func panel(_ pilot: Pilot) -> StatisticsPanel? { pilot.state.overlay as? StatisticsPanel }

    private func output(_ content: String, _ format: OutputFormat, _ change: (inout LaunchOptions) -> Void) throws -> String {
        String(decoding: try BatchOutput.bytes(Array(content.utf8), format, change), as: UTF8.self)
    }

    // MARK: Money

    @Test func `17.9: a money column sorts and filters as numbers, and shows its text`() throws {
        let pilot = try Pilot(Self.moneyTable, size: (80, 14))
        #expect(try column(pilot, "price").kind == .decimal)
        #expect(pilot.screen.contains("€1,234.50") && pilot.screen.contains("-€5.00"))
        pilot.press("l s")
        #expect(pilot.order == [3, 1, 4, 2, 5])
        pilot.press("& \"price > 3.03\" Enter")
        #expect(Set(pilot.order) == [2, 4])
        pilot.press("| g l @")
        #expect(!pilot.order.isEmpty)
        pilot.press("r 0 l G k y")
        #expect(pilot.clipboardText.contains("€12.00"))
    }

    @Test func `17.9: a filter by a cell of a money column finds equal amounts`() throws {
        let pilot = try Pilot("x,m\n1,€2.50\n2,€2.5\n3,€3\n", size: (60, 10))
        pilot.press("l @")
        #expect(pilot.order == [1, 2], "\(pilot.message)")
        pilot.press("U F Enter")
        #expect(!pilot.order.isEmpty && pilot.state.query.shown.filters.count == 1)
    }

    @Test(
        arguments: [
            (["€1", "€2.5"], ValueKind.decimal), (["$1", "$2"], .integer), (["($5.00)", "$7"], .decimal),
            (["12,50 €", "7,00 €"], .decimal),
            (["CHF 12.50", "CHF 3"], .decimal), (["£1", "2"], .integer), (["€1", "$2"], .text), (["€1", "EUR 2"], .text),
            (["€1", "x"], .text),
            (["5 kg", "6 kg"], .text), (["1%", "2 %"], .decimal), (["1%", "€2"], .text), (["(5)", "(6)"], .text),
            (["(5)", "6"], .integer), (["(1,234.50)", "6.5"], .decimal), (["12-", "6"], .integer), (["12-", "6-"], .text),
            (["1.234,50-", "6,5"], .decimal), (["(5)", "x"], .text), (["(5)", "€6"], .integer), (["12-", "6+"], .text),
        ])
    func `17.9: a column is read as money only if all values have the same currency`(values: [String], kind: ValueKind) throws {
        let pilot = try Pilot("m;x\n" + values.map { "\($0);y\n" }.joined(), size: (60, 10))
        #expect(try column(pilot, "m").kind == kind)
        #expect(try kind != .text || column(pilot, "m").notation.unit != .accounting)
    }

    @Test(arguments: [2, 20_000]) func `17.9: a mark such as (2) in a column of percentages does not change its type`(count: Int) throws {
        for place in [0, 1, count] {
            var values = (0..<count).map { "\($0 % 90 + 1).5%" }
            values.insert("(2)", at: place)
            let text = "m;x\n" + values.map { "\($0);y\n" }.joined()
            let pilot = try Pilot(text, size: (60, 10))
            let found = try column(pilot, "m")
            #expect(found.kind == .decimal && found.notation.unit == .percent(), "\(found)")
            #expect(try output(text, .csv) { _ in } == text.replacing(";", with: ","))
        }
        // Among plain numbers, (2) is a negative number.
        #expect(try column(Pilot("m;x\n1%;y\n(2);y\n3;y\n", size: (60, 10)), "m").notation.unit == .accounting)
        #expect(try column(Pilot("m;x\n1%;y\n(2);y\n", size: (60, 10)), "m").notation.unit == .accounting)
    }

    @Test func `17.9: negative numbers in accounting style are sorted, filtered and summed, and shown as written`() throws {
        let text = "x,m\n1,\"(1,234.50)\"\n2,7.25\n3,(3.00)\n4,12.5-\n5,0\n"
        let pilot = try Pilot(text, size: (60, 12))
        #expect(try column(pilot, "m").kind == .decimal)
        pilot.press("l s")
        #expect(pilot.order == [1, 4, 3, 5, 2] && pilot.screen.contains("(1,234.50)") && pilot.screen.contains("12.5-"), "\(pilot.screen)")
        pilot.press("&")
        pilot.type("m < -3")
        pilot.press("Enter")
        #expect(pilot.order == [1, 4])
        pilot.press("U G @")
        #expect(pilot.order == [2], "\(pilot.message)")
        let sums = try output(text, .csv) {
            $0.groups = [GroupRequest(ColumnReference("x"))]
            $0.aggregates = [try! AggregateOption(text: "sum(m)")]
            $0.isCollapsed = true
        }
        #expect(sums == "x,count,sum(m)\n1,1,-1234.5\n2,1,7.25\n3,1,-3\n4,1,-12.5\n5,1,0\n")
        #expect(try output(text, .csv) { _ in } == text)
    }

    @Test func `17.9: output writes amounts of money as they are in the file`() throws {
        #expect(try output(Self.moneyTable, .csv) { _ in } == Self.moneyTable)
        let json = try output(Self.moneyTable, .jsonl) { $0.sort = [SortRequest(ColumnReference("price"))] }
        #expect(json.split(separator: "\n").first == #"{"shop": "a", "price": "-€5.00", "rate": "3%"}"#)
        let sums = try output(Self.moneyTable, .csv) {
            $0.groups = [GroupRequest(ColumnReference("shop"))]
            $0.aggregates = [try! AggregateOption(text: "sum(price)")]
            $0.isCollapsed = true
        }
        #expect(sums == "shop,count,sum(price)\na,3,-1.97\nb,2,1246.5\n")
    }

    @Test func `17.9: aggregates and statistics have the format of their column`() throws {
        let markdown = try output(Self.moneyTable, .markdown) {
            $0.groups = [GroupRequest(ColumnReference("shop"))]
            $0.aggregates = try! ["sum(price)", "min(price)", "mean(rate)", "max(rate)"].map { try AggregateOption(text: $0) }
            $0.isCollapsed = true
        }
        #expect(markdown.contains("| a | 3 | -€1.97 | -€5.00 | 2.00% | 3.0% |"), "\(markdown)")
        #expect(markdown.contains("| b | 2 | €1,246.50 | €12.00 | 9.75% | 12.5% |"), "\(markdown)")
        let pilot = try Pilot(Self.moneyTable, size: (100, 30))
        pilot.press("zg")
        #expect(pilot.screen.contains("mean €620") || pilot.screen.contains("€623.25"), "\(pilot.screen)")
        #expect(pilot.screen.contains("9.75%"))
        pilot.press("Escape r l I")
        #expect(pilot.screen.contains("-€5.00") && pilot.screen.contains("€1,234.50"), "\(pilot.screen)")
        pilot.press("Escape l I")
        #expect(pilot.screen.contains("12.5%") && !pilot.screen.contains("0.12"), "\(pilot.screen)")
    }

    @Test func `D9: the filter of a histogram bar has short numbers and matches as many rows as the bar shows`() throws {
        let content = "rate,price,x\n" + (0..<60).map { "\($0 % 7)%,€\($0 * 3 % 50).50,\(Double($0) / 4)e0\n" }.joined()
        for (keys, largest) in [("", 12), ("l ", 6), ("l l ", 8)] {
            let probe = try Pilot(content, size: (100, 30))
            probe.press(keys + "I")
            let counts = try #require(panel(probe).flatMap { StatisticsText(probe.state, $0).page }?.histogram?.counts)
            let bars = counts.indices.filter { counts[$0] > 0 }
            for (presses, bar) in bars.enumerated() {
                let pilot = try Pilot(content, size: (100, 30))
                pilot.press(keys + "I" + String(repeating: " Right", count: presses + 1) + " Enter")
                let text = try #require(pilot.state.query.shown.filters.first?.text)
                #expect(pilot.order.count == counts[bar], "\(text)")
                for word in text.split(separator: " ") where word.contains(where: \.isNumber) { #expect(word.count <= largest, "\(text)") }
                if keys.isEmpty { #expect(text.contains("%")) }
            }
        }
    }

    // MARK: Collapsed groups

    @Test func `D20: the command line and saved views include the collapsed groups`() throws {
        var options = LaunchOptions()
        options.viewCoding = .test
        func open(_ change: (inout LaunchOptions) -> Void = { _ in }) throws -> Pilot {
            var options = options
            change(&options)
            return try Pilot(HistoryTests.table, size: (100, 24), options: options)
        }
        func collapsed(_ pilot: Pilot) -> [Bool] { pilot.state.grid.outline.collapsed }
        func reopened(_ pilot: Pilot) throws -> Pilot {
            let view = try JSONDecoder().decode(SavedView.self, from: Data(try ViewCoding.test.encode(pilot.state.savedView())))
            return try open { $0.view = ViewCoding.DecodedView(view) }
        }
        let pilot = try open()
        pilot.press("l zg")
        #expect(!pilot.state.commandLine.text.contains("--collapsed"))
        #expect(try collapsed(reopened(pilot)) == [false, false])
        pilot.press("zM")
        #expect(pilot.state.commandLine.text.contains(" --collapsed ") && pilot.state.commandLine.omitted.isEmpty)
        #expect(try collapsed(reopened(pilot)) == [true, true])
        pilot.press("g Enter")
        #expect(collapsed(pilot) == [false, true])
        #expect(!pilot.state.commandLine.text.contains("--collapsed"))
        #expect(pilot.state.commandLine.omitted == ["which groups are collapsed"])
        let restored = try reopened(pilot)
        #expect(collapsed(restored) == [false, true])
        // A view is restored over the same groups.
        restored.press("zR")
        restored.session.send(.viewRestored(pilot.state.savedView(), deriving: [], columns: [], leftOutCount: 0, unknownFields: []))
        #expect(collapsed(restored) == [false, true])
        // If most of many groups are collapsed, a view stores the expanded ones instead.
        let many = try open()
        many.press("zg zM g Enter")
        #expect(many.state.savedView().expanded == [["n1"]] && many.state.savedView().collapsed.isEmpty)
        #expect(try collapsed(reopened(many)) == [false] + Array(repeating: true, count: 39))
    }

    @Test func `D20: a view counts as changed even if only groups were collapsed`() throws {
        var options = LaunchOptions()
        options.viewCoding = .test
        options.groups = [GroupRequest(ColumnReference("side"))]
        let pilot = try Pilot(HistoryTests.table, size: (100, 24), options: options)
        #expect(!pilot.state.hasOtherCollapsedGroups)
        pilot.press("zM")
        #expect(pilot.state.hasOtherCollapsedGroups && pilot.state.sheet.history.undoableCount == 0)
    }

    // MARK: Statistics

    private static let numbersWithGaps = "n\n" + [1, 1, 1, 2, 100, 100].map { "\($0)\n" }.joined()

    @Test func `D9: the cursor skips bars without rows, and Enter shows a message if no bar or an empty bar is selected`() throws {
        let pilot = try Pilot(Self.numbersWithGaps, size: (100, 30))
        pilot.press("I Enter")
        #expect(pilot.state.message?.id == .chooseBar && panel(pilot) != nil)
        pilot.press("Right")
        #expect(panel(pilot)?.item == 0)
        pilot.press("Right")
        #expect(panel(pilot)?.item == 19)
        pilot.press("Left")
        #expect(panel(pilot)?.item == 0)
        let title = try #require(pilot.place(of: "Histogram"))
        pilot.click(1 + 4 * 5, title.y + 3)
        #expect(panel(pilot)?.item == 5)
        pilot.press("Enter")
        #expect(pilot.state.message?.id == .emptyBar && panel(pilot) != nil && pilot.state.query.shown.filters.isEmpty)
    }

    @Test func `D9, D16: a double click in the statistics or the list of values has the effect of Enter`() throws {
        let pilot = try Pilot(ValuesListTests.table, size: (60, 14))
        pilot.press("F")
        let place = try #require(pilot.place(of: "banana"))
        pilot.click(place.x, place.y)
        #expect(panel(pilot)?.selected == 1 && pilot.state.query.shown.filters.isEmpty)
        pilot.mouse(.press(.left), place.x, place.y)
        #expect(pilot.state.overlay == nil && pilot.state.query.shown.filters.map(\.text) == ["name = 'banana'"])
        let bars = try Pilot(Self.numbersWithGaps, size: (100, 30))
        bars.press("I")
        let title = try #require(bars.place(of: "Histogram"))
        bars.doubleClick(2, title.y + 3)
        #expect(bars.state.overlay == nil && bars.order == [1, 2, 3, 4])
        let summary = try Pilot(ValuesListTests.table, size: (60, 14))
        summary.press("zI")
        let row = try #require(summary.place(of: "name"))
        summary.doubleClick(row.x, row.y + 0)
        #expect(panel(summary)?.subject != .summary)
        // A double click next to the values chooses nothing.
        let beside = try Pilot(ValuesListTests.table, size: (60, 14))
        beside.press("F")
        beside.doubleClick(5, 11)
        #expect(panel(beside) != nil && beside.state.query.shown.filters.isEmpty)
    }

    @Test func `D9: the list of values has a row for empty fields, and can filter by it`() throws {
        let content = "name,x\na,1\n,2\nb,3\n,4\n,5\na,6\n"
        let pilot = try Pilot(content, size: (60, 14))
        pilot.press("F")
        #expect(pilot.screen.contains("2 distinct"))
        let (empty, a, b) = (pilot.place(of: "(empty)"), pilot.place(of: " a "), pilot.place(of: " b "))
        try #require(empty != nil && a != nil && b != nil, "\(pilot.screen)")
        #expect(empty!.y < a!.y && a!.y < b!.y)
        pilot.press("y")
        #expect(pilot.clipboardText == "name\tcount\tshare %\n\t3\t50\na\t2\t33.3333\nb\t1\t16.6667")
        pilot.press("Enter")
        #expect(pilot.state.query.shown.filters.map(\.text) == ["name is empty"] && pilot.order == [2, 4, 5])
        pilot.press("U F s")
        #expect(pilot.place(of: "(empty)")!.y > pilot.place(of: " b ")!.y, "empty fields are last in the order of values")
        pilot.press("Escape F m m Enter")
        #expect(pilot.order == [1, 2, 4, 5, 6] && pilot.state.query.shown.filters.map(\.text) == ["name = 'a' or name is empty"])
        pilot.press("U F ~")
        #expect(pilot.order == [1, 3, 6])
        pilot.press("U F /")
        pilot.type("emp")
        #expect(panel(pilot)?.choiceCount == 1 && pilot.screen.contains("0 of 2 distinct"))
        pilot.press("Enter")
        #expect(pilot.order == [2, 4, 5])
    }

    @Test func `D9: missing fields are counted together with empty fields`() throws {
        let pilot = try Pilot("a,b\n1,x\n2\n3,\n4\n", size: (60, 14))
        pilot.press("l F")
        #expect(pilot.screen.contains("(empty), 2 missing"), "\(pilot.screen)")
        pilot.press("Enter")
        #expect(pilot.order == [2, 3, 4])
        let empty = try Pilot("a,b\n1,\n2,\n", size: (60, 14))
        empty.press("l F")
        #expect(panel(empty)?.choiceCount == 1 && empty.screen.contains("(empty)") && empty.screen.contains("0 distinct"))
    }

    // MARK: Ranges, values, output

    @Test func `D8: titles of ranges have the number format of their column`() throws {
        let content = "n,m\n" + (0..<9).map { "\($0 * 700),\($0)\n" }.joined()
        let pilot = try grouped(content, by: "n:2000")
        #expect(pilot.screen.contains("2,000–4,000") && pilot.screen.contains("0–2,000"), "\(pilot.screen)")
        pilot.press("z,")
        #expect(pilot.screen.contains("2000–4000"), "\(pilot.screen)")
        let percent = try grouped("r,m\n" + (0..<9).map { "\($0)%,\($0)\n" }.joined(), by: "r:0.05")
        #expect(percent.screen.contains("0%–5%") && percent.screen.contains("5%–10%"), "\(percent.screen)")
    }

    @Test func `D3: a note reports a text in a number column, without a hint about a truncated number`() throws {
        let content = "n,x\n" + (0..<200).map { "\($0 == 3 ? "not available yet; ask again" : "\($0)"),1\n" }.joined()
        let pilot = try Pilot(content, size: (90, 14))
        pilot.press("3_ j j")
        #expect(!pilot.screen.contains("text, not a number"))
        pilot.press("j")
        #expect(pilot.screen.contains("not available yet; ask again  text, not a number"), "\(pilot.screen)")
        #expect(!pilot.screen.contains("show the whole number"))
    }

    @Test func `D3: an integer of more than 64 bits is shown as a number, even if it first occurs in a late row`() throws {
        let content = "amount,x\n" + (0..<70_000).map { "\($0 * 7),1\n" }.joined() + "98765432109876543210,1\n"
        let pilot = try Pilot(content, size: (90, 14))
        pilot.press("G 30_")
        #expect(pilot.screen.contains("98,765,432,109,876,543,210"), "\(pilot.screen)")
        #expect(pilot.screen.contains("amount  98765432109876543210") && !pilot.screen.contains("not a number"), "\(pilot.screen)")
    }

    @Test func `D10: empty numbers, dates, times and flags are NULL in SQL`() throws {
        let content = "t,d,n,f,k\nx,2024-01-02,1,true,10:00:00\n,,,,\ny, , , , \n"
        let sql = try output(content, .sql) { _ in }
        let rows = sql.split(separator: "\n").map { $0.split(separator: "VALUES ").last.map(String.init) ?? "" }
        #expect(rows == ["('x', '2024-01-02', 1, true, '10:00:00');", "('', NULL, NULL, NULL, NULL);", "('y', NULL, NULL, NULL, NULL);"])
    }

    // MARK: Help and history

    @Test(arguments: ["histogram", "distinct", "csv", "unhide", "colors dark"])
    func `D13: the help search finds commands by synonyms`(word: String) throws {
        let pilot = try Pilot(ValuesListTests.table, size: (100, 30))
        pilot.press("? /")
        pilot.type(word)
        #expect(!pilot.screen.contains("not found"), "\(pilot.screen)")
        let page = try #require(pilot.state.overlay as? Page)
        #expect(!page.matches(pilot.state).isEmpty)
    }

    nonisolated static let titles: [(keys: String, title: String)] = [
        ("l l s s", "sort by “price” (descending)"), ("@ \\", "remove filter “name = 'n1'”"), ("@ l @ |", "remove all filters"),
        ("l f f", "unfreeze 2 columns"), ("j j zf zf", "unfreeze rows"), ("l j zF", "freeze columns and rows"), ("f", "freeze “name”"),
        ("z!", "freeze “name” at the right"), ("! !", "unfreeze “name”"), ("W", "wrap long text"), ("3W", "show 3 lines per row"),
        ("W W", "show one line per row"), ("zl", "show grid lines between columns"), ("zt", "transpose"), ("zc", "show as cards"),
        ("zt zt", "show as a table"),
        ("- s r", "reset view"), ("L", "move “name”"), ("l l H", "move “price”"), ("l zg [", "sort by “side”"),
    ]

    @Test(arguments: titles) func `D17: each kind of change has the expected title`(keys: String, title: String) throws {
        let pilot = try Pilot(HistoryTests.table, size: (90, 24))
        pilot.press(keys)
        #expect(pilot.state.sheet.history.changes.last?.title == title)
    }

    @Test func `D17: the list of changes has titles for sorting groups by a subtotal and for restoring a view`() throws {
        let pilot = try Pilot(HistoryTests.table, size: (90, 24))
        pilot.press("l zg zM g $ ]")
        let last = pilot.state.sheet.history.changes.last?.title ?? ""
        #expect(last.hasPrefix("sort groups by mean of “price”"), "\(last)")
        var view = pilot.state.savedView()
        view.filters = ["price > 70"]
        pilot.session.send(.viewRestored(view, deriving: [], columns: [], leftOutCount: 0, unknownFields: []))
        #expect(pilot.state.sheet.history.changes.last?.title == "restore view")
    }
}
