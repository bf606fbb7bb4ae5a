import DataGrid
import DataGridQuery
@testable import GridviewApp
import TerminalSurface
import Testing

/// Sorting and grouping, as the user sees it.
@MainActor
@Suite struct SortAndGroupTests {
    static let trades = """
        id,sector,side,price
        1,Tech,BUY,10.5
        2,Energy,SELL,7.25
        3,Tech,SELL,1234.5
        4,Energy,BUY,
        5,Health,BUY,99
        6,Tech,BUY,10.5
        """

    /// Each case lists keys and the expected records in view order.
    @Test(
        arguments: [
            ("s", [1, 2, 3, 4, 5, 6]), ("s s", [6, 5, 4, 3, 2, 1]), ("s s s", [1, 2, 3, 4, 5, 6]), ("]", [6, 5, 4, 3, 2, 1]),
            ("l s", [2, 4, 5, 1, 3, 6]), ("l ]", [1, 3, 6, 5, 2, 4]), ("$ s", [2, 1, 6, 5, 3, 4]), ("$ ]", [3, 5, 1, 6, 2, 4]),
            ("l s l S", [4, 2, 5, 1, 6, 3]), ("l s l S S", [2, 4, 5, 3, 1, 6]), ("l s l S S S", [2, 4, 5, 1, 3, 6]),
            ("l s l s", [1, 4, 5, 6, 2, 3]),
            ("l S $ S S", [2, 4, 5, 3, 1, 6]),
        ])
    func `D6: keys sort by one or more columns`(keys: String, order: [Int]) throws {
        let pilot = try Pilot(Self.trades)
        pilot.press(keys)
        #expect(pilot.order == order)
        #expect(pilot.state.query.isSettled)
    }

    @Test func `D6: badges in the column titles show the sort order`() throws {
        let pilot = try Pilot(Self.trades, size: (50, 10))
        pilot.press("l s")
        #expect(pilot.line(1) == "    │  id │sector▲│side │   price │")
        #expect(pilot.line(0) == " test.csv  6 × 4   ⇅ sector ▲")
        #expect(pilot.state.message?.id == .sorted && pilot.message.contains("sector"))
        pilot.press("l S S")
        #expect(pilot.line(1) == "    │  id │sect…▲1│si…▼2│   price │")
        #expect(pilot.line(0) == " test.csv  6 × 4   ⇅ sector ▲ side ▼")
        pilot.press("s")
        #expect(pilot.line(1) == "    │  id │sector │side │   price │")
        #expect(pilot.state.message?.id == .fileOrder)
    }

    @Test func `D6, D2: sort arrows are hollow until the rows are sorted`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.trades, size: (50, 10), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("l s")
        #expect(pilot.line(1) == "    │  id │sector△│side │   price │")
        #expect(pilot.line(0) == " test.csv  6 × 4   ⇅ sector △")
        #expect(pilot.order == [1, 2, 3, 4, 5, 6] && pilot.state.grid.sort == [])
        stepped.runAll(pilot)
        #expect(pilot.line(1) == "    │  id │sector▲│side │   price │")
        #expect(pilot.line(0) == " test.csv  6 × 4   ⇅ sector ▲")
        // After a second sort request, the badges still show the current order.
        pilot.press("l S")
        #expect(pilot.line(1) == "    │  id │sect…△1│si…△2│   price │")
        pilot.press("s")
        #expect(pilot.line(1) == "    │  id │sector▲│side▽│   price │")
        #expect(pilot.state.grid.savedView.sort.map(\.valueKey) == ["side"], "a saved view has the requested sort")
        // After cancelling, only the current order is shown.
        pilot.press("C-c")
        #expect(pilot.line(1) == "    │  id │sector▲│side │   price │")
        #expect(pilot.line(0) == " test.csv  6 × 4   ⇅ sector ▲")
        #expect(pilot.order == [2, 4, 5, 1, 3, 6] && pilot.state.query.isSettled)
    }

    /// The value of the first column in a row.
    private static func number(_ row: Int) -> Int { row * 37 % 101 }

    /// Sorts by the first column, descending. The job has reported only the first 40 rows.
    private func openPartlySorted(_ keys: String = "") throws -> (Pilot, SteppedRunner) {
        let stepped = SteppedRunner()
        let rows = (1...100).map { "\(Self.number($0)),x" }
        let pilot = try Pilot("n,t\n" + rows.joined(separator: "\n") + "\n", size: (40, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press(keys.isEmpty ? "]" : "\(keys) ]")
        let first = (1...100).sorted { Self.number($0) > Self.number($1) }.prefix(40).map { UInt32($0 - 1) }
        pilot.session.send(.sorting(pilot.state.query.requested, .permuted(RowPermutation(first))))
        pilot.session.turn()
        return (pilot, stepped)
    }

    @Test func `D6, D2: the first sorted rows appear and stay while sorting continues`() throws {
        let (pilot, stepped) = try openPartlySorted("j v j")
        let top = (3...8).map { pilot.line($0) }
        #expect(pilot.state.grid.rows.count == 40 && pilot.line(3).contains(" 99"))
        #expect(pilot.line(1).contains("n ▽") && pilot.state.grid.sort == [], "only some rows are sorted")
        #expect(pilot.state.grid.selectedRows() == [1], "the other selected row is not among the first ones")
        pilot.press("j j")
        let cursor = pilot.state.grid.cursor
        stepped.runAll(pilot)
        #expect(pilot.state.grid.rows.count == 100 && pilot.line(1).contains("n ▼"))
        #expect((3...8).map { pilot.line($0) } == top && pilot.state.grid.cursor == cursor, "nothing has moved")
        #expect(pilot.state.message?.id == .sorted && !pilot.message.contains(Message.selectionCleared))
        #expect(pilot.state.grid.selectedRows() == [1, 2])
    }

    @Test func `D6: cancelling a sort while its first rows are shown restores the previous order`() throws {
        let (pilot, _) = try openPartlySorted()
        pilot.press("C-c")
        #expect(pilot.order == Array(1...100) && pilot.state.grid.sort == [] && pilot.state.grid.pendingSort == [])
        #expect(pilot.state.query.isSettled && pilot.state.query.requested.isFileOrder)
    }

    @Test func `D6: the sort direction can be reversed while only the first sorted rows are shown`() throws {
        let (pilot, stepped) = try openPartlySorted()
        pilot.press("[")
        #expect(pilot.line(1).contains("n △"))
        stepped.runAll(pilot)
        let ascendingRows = (1...100).sorted { Self.number($0) < Self.number($1) }
        #expect(pilot.order == ascendingRows && pilot.line(1).contains("n ▲"))
        let (atEnd, atEndRunner) = try openPartlySorted("G")
        #expect(atEnd.state.grid.rows.count == 100, "a view of the end stays there")
        atEndRunner.runAll(atEnd)
        #expect(atEnd.order == ascendingRows.reversed())
    }

    @Test func `A15: sorting keeps collapsed groups collapsed and the cursor on its group`() throws {
        let pilot = try Pilot(Self.trades, size: (50, 14))
        pilot.press("l zg zM zj")
        let section = pilot.state.grid.cursor.item
        let before = pilot.state.grid.outline.collapsed
        #expect(section == .header(1) && before.allSatisfy { $0 })
        pilot.press("c")
        pilot.type("price")
        pilot.press("Enter s")
        #expect(pilot.state.query.shown.sectionOrders.count == 1, "only groups are visible, so these are sorted")
        #expect(pilot.state.grid.outline.collapsed == before)
        #expect(pilot.state.grid.cursor.item == section)
        // The opposite direction changes the positions of the groups, but not which of them are collapsed.
        pilot.press("za c")
        pilot.type("sector")
        pilot.press("Enter ]")
        #expect(pilot.state.grid.outline.collapsed.filter { !$0 }.count == 1)
        let open = try #require(pilot.state.grid.outline.collapsed.firstIndex(of: false))
        #expect(pilot.state.grid.outline.tree?.sections[open].title == "Health")
        #expect(pilot.state.grid.cursor.item == .header(open))
    }

    @Test func `D6: the message about a sort names the direction and the effect of the next s`() throws {
        let ascending = "Sorted by “n” (smallest first). s reverses the order."
        let descending = "Sorted by “n” (largest first). s restores file order."
        for (keys, text) in [("s", ascending), ("[", ascending), ("]", descending), ("[ ]", descending)] {
            let pilot = try Pilot("n\n1\n2\n", size: (80, 10))
            pilot.press(keys)
            #expect(pilot.message == text, "\(keys)")
            let order = pilot.order
            pilot.press("s")
            #expect(pilot.order == order.reversed(), "\(keys)")
        }
    }

    @Test func `D8: rows are grouped with subtotals`() throws {
        let pilot = try Pilot(Self.trades, size: (50, 14))
        pilot.press("l zg")
        #expect(
            pilot.screen == """
                 test.csv  6 × 4   ▤ sector
                    │  id │sector │side │   price │
                ▾ Energy  2 rows        mean 7.25
                   2│   2  Energy  SELL      7.25
                   4│   4  Energy  BUY
                ▾ Health  1 row        mean 99.00
                   5│   5  Health  BUY      99
                ▾ Tech  3 rows        mean 418.50
                   1│   1  Tech    BUY      10.5
                   3│   3  Tech    SELL  1,234.5
                   6│   6  Tech    BUY      10.5

                 sector  Energy  price mean 7.25      group 1 / 3
                 Grouped by “sector”. zM collapses all groups.
                """)
        pilot.press("Left zj Enter")
        #expect(
            pilot.screen.split(separator: "\n")[2..<9].joined(separator: "\n") == """
                ▸ Energy  2 rows        mean 7.25
                ▸ Health  1 row        mean 99.00
                ▾ Tech  3 rows        mean 418.50
                   1│   1  Tech    BUY      10.5
                   3│   3  Tech    SELL  1,234.5
                   6│   6  Tech    BUY      10.5
                 sector  Health  price mean 99.00     group 2 / 3
                """)
        pilot.press("zR zM")
        #expect(pilot.state.grid.outline.itemCount == 3)
        pilot.press("zR")
        #expect(pilot.state.grid.outline.itemCount == 9)
        pilot.press("zg")
        #expect(pilot.state.grid.outline.tree == nil, "press again on the same column to ungroup")
        pilot.press("zM")
        #expect(pilot.state.message == .noGroups(group: "zg"))
    }

    /// Each case lists keys after grouping by sector, the group titles, and the chip.
    @Test(
        arguments: [
            ("zO", ["Tech", "Energy", "Health"], "sector ▼ rows"), ("zO zO", ["Health", "Energy", "Tech"], "sector ▲ rows"),
            ("$ zo", ["Tech", "Health", "Energy"], "sector ▼ mean price"),
            ("$ zo zo", ["Energy", "Health", "Tech"], "sector ▲ mean price"),
            ("zO zn", ["Energy", "Health", "Tech"], "sector ▲"), ("zn", ["Energy", "Health", "Tech"], "sector ▲"),
            ("zn zn", ["Tech", "Health", "Energy"], "sector ▼"),
            // If all groups are collapsed, sorting by a column with a subtotal sorts the groups.
            ("zM $ ]", ["Tech", "Health", "Energy"], "sector ▼ mean price"),
            ("zM $ [", ["Energy", "Health", "Tech"], "sector ▲ mean price"),
            ("zM $ s s", ["Tech", "Health", "Energy"], "sector ▼ mean price"), ("zM $ s s s", ["Energy", "Health", "Tech"], "sector"),
            // Otherwise it sorts rows; sorting by the group column sorts the groups.
            ("$ ]", ["Energy", "Health", "Tech"], "sector"), ("zO ]", ["Tech", "Health", "Energy"], "sector"),
            ("zo", ["Energy", "Health", "Tech"], "sector ▲"), ("zo zo", ["Tech", "Health", "Energy"], "sector ▼"),
        ])
    func `D8: keys sort groups by row count, by aggregate and by name`(keys: String, titles: [String], chip: String) throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        pilot.press("l zg \(keys)")
        let tree = try #require(pilot.state.grid.outline.tree)
        #expect(tree.sections.map(\.title) == titles)
        #expect(pilot.line(0).contains("▤ \(chip)"), "\(pilot.line(0))")
        #expect(pilot.state.query.isSettled)
        pilot.press("zu")
        #expect(pilot.order == (keys.contains("]") && !keys.contains("zM") ? pilot.order : [1, 2, 3, 4, 5, 6]))
    }

    @Test func `D8: a column without a subtotal cannot sort groups`() throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        pilot.press("zo")
        #expect(pilot.state.message == .noGroups(group: "zg"))
        pilot.press("l zg l zo")
        #expect(pilot.state.message == .noSubtotal(of: "side"))
    }

    @Test func `D8: each group level has its own order, and collapsed groups stay collapsed`() throws {
        let pilot = try Pilot(Self.trades, size: (90, 20))
        pilot.press("l zg l zG zM zO")
        #expect(pilot.state.grid.outline.collapsed.allSatisfy { $0 })
        #expect(pilot.line(3).hasPrefix("▸ Tech") && pilot.line(0).contains("▤ sector ▼ rows › side"))
        pilot.press("g zR zj zO zO")
        let sections = try #require(pilot.state.grid.outline.tree).sections.map(\.title)
        #expect(sections == ["Tech", "SELL", "BUY", "Energy", "BUY", "SELL", "Health", "BUY"])
        #expect(pilot.line(0).contains("▤ sector ▼ rows › side ▲ rows"))
    }

    @Test func `D8: group headers show first and last values in the format of their columns`() throws {
        var options = LaunchOptions()
        options.groups = [
            GroupRequest(ColumnReference("sector"), by: .aggregate(AggregateOption(.last, ColumnReference("price"))), isDescending: true)
        ]
        options.aggregates = [AggregateOption(.first, ColumnReference("side"))]
        let pilot = try Pilot(Self.trades, size: (70, 14), options: options)
        pilot.press("zM")
        #expect(pilot.line(2).hasPrefix("▸ Health  1 row") && pilot.line(2).contains("first BUY"))
        #expect(pilot.screen.contains("side first BUY  price last 99"))
        #expect(pilot.line(3).hasPrefix("▸ Tech") && pilot.line(4).contains("first SELL"))
    }

    @Test func `D6, D8: adding and removing filters keeps the order and the groups`() throws {
        for keys in ["$ s", "$ ]", "l zg $ s", "l zg l zG $ ]"] {
            let pilot = try Pilot(Self.trades)
            pilot.press(keys)
            let (order, tree) = (pilot.order, pilot.state.grid.outline.tree.map { Array($0.sections) })
            pilot.press("&")
            pilot.type("id != 3 and id < 6")
            pilot.press("Enter")
            #expect(pilot.order == order.filter { $0 != 3 && $0 < 6 })
            pilot.press("\\")
            #expect(pilot.order == order && pilot.state.grid.outline.tree.map { Array($0.sections) } == tree)
        }
    }

    @Test func `D8: grouping by the same column again changes nothing`() throws {
        let pilot = try Pilot(Self.trades, size: (60, 14))
        pilot.press("l zg zG")
        #expect(pilot.state.message == .alreadyGrouped(by: "sector", ungroup: "zu"))
        #expect(pilot.state.query.requested.groups.count == 1 && pilot.state.grid.outline.tree != nil)
        pilot.press("l zG zG")
        #expect(pilot.state.query.requested.groups.count == 2 && pilot.state.message == .alreadyGrouped(by: "side", ungroup: "zu"))
    }

    @Test func `D8: keys expand and collapse groups`() throws {
        let pilot = try Pilot(Self.trades, size: (50, 14))
        pilot.press("l zg l zG")
        #expect(pilot.state.grid.outline.itemCount == 6 + 3 + 5)
        // The keys go down to Energy › BUY, collapse it, go to Energy, and collapse that.
        pilot.press("j Left")
        #expect(pilot.line(3).hasPrefix("  ▸ BUY  1 row"))
        pilot.press("Left")
        #expect(pilot.state.grid.cursor.item == .header(0))
        pilot.press("Left")
        #expect(pilot.line(2).hasPrefix("▸ Energy"))
        pilot.press("Right")
        #expect(pilot.line(3).hasPrefix("  ▸ BUY"), "nested collapsed groups stay collapsed")
        pilot.press("j Right j l")
        #expect(pilot.cursorCell == "price 4", "below its header, arrows move")
        pilot.press("za")
        #expect(pilot.state.grid.cursor.item == .header(1) && pilot.line(3).hasPrefix("  ▸ BUY"))
        pilot.press("zk")
        #expect(pilot.state.grid.cursor.item == .header(0))
        pilot.press("zu")
        #expect(pilot.state.grid.outline.tree == nil && pilot.order == [1, 2, 3, 4, 5, 6])
        pilot.press("zu")
        #expect(pilot.state.message == .noGroups(group: "zg"))
    }

    @Test func `D8: keys sort rows within groups`() throws {
        let pilot = try Pilot(Self.trades)
        pilot.press("l zg $ s")
        #expect(pilot.order == [2, 4, 5, 1, 6, 3])
        #expect(pilot.state.message?.id == .grouped && pilot.message.contains("price"))
        pilot.press("s")
        #expect(pilot.order == [2, 4, 5, 3, 1, 6])
        // Sorting by the group column reverses the groups.
        pilot.press("0 l s s")
        #expect(pilot.order == [1, 3, 6, 5, 2, 4])
        #expect(pilot.state.message?.id == .grouped && pilot.message.contains(Message.direction(of: .text, isDescending: true)))
    }

    @Test(arguments: ["s", "[", "zn", "zo"])
    func `D8: sorting by the group column or by group name shows a message about the order of the groups`(key: String) throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        pilot.press("l zg \(key)")
        let news = "Grouped by “sector”; groups sorted by “sector” "
        // The groups are sorted by title already.
        #expect(pilot.message.hasPrefix("\(news)(A to Z)."), "\(pilot.message)")
        pilot.press(key == "[" ? "]" : key)
        #expect(pilot.message.hasPrefix("\(news)(Z to A)."), "\(pilot.message)")
    }

    @Test func `D8: the message about a query reports only what changed`() throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        pilot.press("l s zg")
        #expect(pilot.message.hasPrefix("Grouped by “sector”. "), "a sort key that is a group column is not repeated")
        pilot.press("zu")
        #expect(pilot.state.message?.id == .sorted && pilot.message.hasPrefix(Message.removalSentences(filterCount: 0, isUngrouped: true)))
        pilot.press("r zg zu")
        #expect(pilot.state.message?.id == .ungrouped)
        pilot.press("@ |")
        #expect(pilot.state.message?.id == .filterRemoved)
        pilot.press("@ \\")
        #expect(pilot.state.message?.id == .filterRemoved)
    }

    @Test func `D8: the header of a nested group sticks to the top`() throws {
        let rows = (0..<60).map { "\($0 < 30 ? "one" : "two"),\($0)" }.joined(separator: "\n")
        let pilot = try Pilot("g,n\n" + rows + "\n", size: (30, 12))
        pilot.press("zg 2 0 j")
        #expect(pilot.line(2).hasPrefix("▾ one  30 rows"))
        pilot.press("3 0 j")
        #expect(pilot.line(2).hasPrefix("▾ two  30 rows"))
    }

    @Test func `D8: the name, unit and type of a column decide whether its subtotal is the sum or the mean`() throws {
        let content = """
            kind,amount,unit price,score,weight,seats,fare,bonus
            a,1.25,3,4,1.5,4,€2.50,1%
            a,2.5,4,5,2.5,2,€3.00,3%

            """
        let pilot = try Pilot(content, size: (120, 12))
        func aggregates() -> [String] {
            pilot.state.grid.outline.tree?.aggregates.map { "\($0.function.rawValue) \($0.column.rawValue)" } ?? []
        }
        pilot.press("zg")
        #expect(aggregates() == ["sum 1", "mean 2", "mean 3", "mean 4", "sum 5", "sum 6", "mean 7"])
        // A new title keeps the aggregate of the name in the file.
        pilot.press("zu l M-r")
        pilot.type("price")
        pilot.press("Enter 0 zg")
        #expect(pilot.state.grid.columns[1]?.title == "price" && aggregates().first == "sum 1")
    }

    /// Rows with a column of text and this number of number columns.
    private static func manyNumbers(_ count: Int) -> String {
        "kind," + (1...count).map { "n\($0)" }.joined(separator: ",") + "\n"
            + ["a", "b", "a"].map { "\($0)," + (1...count).map(String.init).joined(separator: ",") + "\n" }.joined()
    }

    @Test func `D8: at most 12 number columns have subtotals, and a message counts the rest and names the key to add one`() throws {
        let limit = Arrangement.defaultAggregateLimit
        let all = try Pilot(Self.manyNumbers(limit), size: (120, 12))
        all.press("zg")
        #expect(all.state.grid.outline.tree?.aggregates.count == limit)
        #expect(all.state.message.map { !$0.text.contains("no subtotal") } == true)
        let pilot = try Pilot(Self.manyNumbers(limit + 3), size: (120, 12))
        let hint = Message.subtotalHint(without: 3, of: limit + 3, aggregates: "zA")
        func isMentioned() -> Bool { pilot.state.message?.text.contains(hint) == true }
        pilot.press("zg")
        #expect(pilot.state.grid.outline.tree?.aggregates.map(\.column.rawValue) == Array(1...limit))
        #expect(isMentioned(), "\(pilot.state.message?.text ?? "")")
        // The message about a sort of the rows does not count the columns again.
        pilot.press("$ s")
        #expect(!isMentioned())
        // The key adds an aggregate to a column without one. Chosen aggregates need no message.
        pilot.press("zA")
        pilot.type("sum")
        pilot.press("Enter Escape")
        #expect(pilot.state.grid.outline.tree?.aggregates.map(\.column.rawValue) == Array(1...limit) + [limit + 3])
        pilot.press("l zG")
        #expect(!isMentioned())
    }

    @Test func `D8: hidden columns and group columns do not count as columns without a subtotal`() throws {
        let limit = Arrangement.defaultAggregateLimit
        let pilot = try Pilot(Self.manyNumbers(limit + 2), size: (120, 12))
        pilot.press("$ - zg")
        #expect(pilot.state.query.shown.groups.first?.rawValue == limit + 1, "the last visible column")
        #expect(pilot.state.query.shown.unaggregatedColumnCounts(pilot.state.grid.columns.all) == nil)
        #expect(pilot.state.grid.outline.tree?.aggregates.count == limit)
    }

    @Test func `D10: the value line of a group never shows a truncated aggregate`() throws {
        let content = "kind,first amount,second amount\n" + (1...9).map { "a,\($0 * 100_001),\($0 * 200_003)\n" }.joined()
        func line(_ width: Int) throws -> String {
            let pilot = try Pilot(content, size: (width, 12))
            pilot.press("zg zM")
            return pilot.line(10)
        }
        let subtotals = ["first amount sum 4,500,045", "second amount sum 9,000,135"]
        let whole = try line(120)
        for subtotal in subtotals { #expect(whole.contains(subtotal), "\(whole)") }
        for width in 28...90 {
            let line = try line(width)
            let rest = subtotals.reduce(line) { $0.replacing($1, with: "") }
            #expect(!rest.contains("amount") && (line.contains(subtotals[1]) || line.contains(" …")), "\(width): \(line)")
        }
    }

    /// Groups with three subtotals of a column, and a subtotal of another column.
    private func openWithManySubtotals(_ keys: String, width: Int) throws -> Pilot {
        var options = LaunchOptions()
        options.groups = [GroupRequest(ColumnReference("kind"))]
        options.aggregates = [
            AggregateOption(.sum, ColumnReference("amount")), AggregateOption(.mean, ColumnReference("amount")),
            AggregateOption(.max, ColumnReference("amount")), AggregateOption(.sum, ColumnReference("weight")),
        ]
        let pilot = try Pilot(
            "kind,amount,weight\n" + (1...9).map { "Chemicals,\($0 * 100_001),\($0)\n" }.joined(), size: (width, 14), options: options)
        pilot.press(keys)
        return pilot
    }

    @Test func `A15, D10: the value line of a group shows the subtotals of the current column first`() throws {
        let first = "kind  Chemicals  amount sum 4,500,045  mean 500,005.00"
        #expect(try openWithManySubtotals("zM", width: 75).line(12).hasPrefix(" \(first) …"))
        #expect(
            try openWithManySubtotals("zM Tab Tab", width: 75).line(12).hasPrefix(" kind  Chemicals  weight sum 45  amount sum 4,500,045 …")
        )
        // " kind  Chemicals  amount sum 4,500,045 …" ends two cells before "group 1 / 1".
        #expect(try openWithManySubtotals("zM", width: 54).line(12) == " kind  Chemicals  amount sum 4,500,045 …  group 1 / 1")
        #expect(try openWithManySubtotals("zM", width: 53).line(12).hasPrefix(" kind  Chemicals …"))
    }

    @Test func `A15: on a narrow screen, i lists all subtotals of a group, and a hint shows this key`() throws {
        let pilot = try openWithManySubtotals("zM", width: 60)
        #expect(pilot.line(13).hasPrefix(" i see all  "), "\(pilot.line(13))")
        pilot.press("i")
        for text in ["Chemicals", "sum 4,500,045", "mean 500,005.00", "max 900,009", "sum 45"] {
            #expect(pilot.screen.contains(text), "\(text):\n\(pilot.screen)")
        }
        pilot.press("Escape zR j j i")
        #expect(pilot.state.grid.currentRow != nil && pilot.screen.contains("max 900,009"), "in the rows of the group too")
        pilot.press("Escape zu i")
        #expect(pilot.state.message == .noGroups(group: "zg"))
        #expect(try !openWithManySubtotals("zM", width: 120).line(13).contains("see all"))
    }

    @Test func `D3, D8: long column names use the free width of the value line and of the title line`() throws {
        let name = "the amount of goods that each branch delivered"
        let pilot = try Pilot("kind,\(name)\na,1\nb,2\n", size: (120, 14))
        pilot.press("$")
        #expect(pilot.line(12).hasPrefix(" \(name)  1 "), "\(pilot.line(12))")
        pilot.press("0 zg $ zo")
        #expect(pilot.line(0).contains("▼ sum \(name)"), "\(pilot.line(0))")
    }

    /// The row view shows only rows. It skips headers and enters collapsed groups.
    @Test func `D12: moving to the next row in the row view skips group headers`() throws {
        let pilot = try Pilot(Self.trades, size: (50, 14))
        pilot.press("l zg j Enter")
        var seen: [String] = []
        for _ in 0..<6 {
            seen.append(pilot.line(1))
            pilot.press("n")
        }
        #expect(seen == [2, 4, 5, 1, 3, 6].map { " Row \($0) of 6" })
        pilot.press("p p p")
        #expect(pilot.line(1) == " Row 5 of 6")
        pilot.press("q zM")
        pilot.press("Enter")
        #expect(pilot.state.overlay == nil, "on a header, Enter expands the group")
    }

    @Test func `D8: a list shows and hides aggregates of a column, and undo restores them`() throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        func aggregates() -> [String] {
            pilot.state.grid.outline.tree?.aggregates.map { "\($0.function.rawValue) \($0.column.rawValue)" } ?? []
        }
        pilot.press("$ zA")
        #expect(pilot.state.overlay == nil && pilot.state.message == .noGroups(group: "zg"))
        pilot.press("0 l zg $ zA")
        pilot.type("median")
        pilot.press("Enter")
        #expect(aggregates() == ["mean 3", "median 3"])
        #expect((pilot.state.overlay as? ListPanel)?.purpose == .aggregates, "the list stays open")
        // An aggregate is also found by its name in other programs.
        pilot.press("Escape zA")
        pilot.type("avg")
        pilot.press("Enter Escape")
        #expect(aggregates() == ["median 3"])
        pilot.press("U")
        #expect(aggregates() == ["mean 3", "median 3"])
    }

    @Test func `D8: a list offers to sort groups by any aggregate of a column`() throws {
        var options = LaunchOptions()
        options.groups = [GroupRequest(ColumnReference("sector"))]
        options.aggregates = [AggregateOption(.min, ColumnReference("price")), AggregateOption(.sum, ColumnReference("price"))]
        options.isCollapsed = true
        let pilot = try Pilot(Self.trades, size: (90, 14), options: options)
        func titles() -> [String]? { pilot.state.grid.outline.tree?.sections.map(\.title) }
        // The least prices are 7.25, 99 and 10.5, and the sums 7.25, 99 and 1,255.5.
        pilot.press("zS")
        pilot.type("min price")
        pilot.press("Enter")
        #expect(titles() == ["Health", "Tech", "Energy"])
        pilot.press("zS")
        pilot.type("sum price")
        pilot.press("Enter")
        #expect(titles() == ["Tech", "Health", "Energy"])
        pilot.press("zS")
        pilot.type("sum price")
        pilot.press("Enter")
        #expect(titles() == ["Energy", "Health", "Tech"], "again reverses")
        guard case .header = pilot.state.grid.cursor.item else { return #expect(Bool(false), "the cursor stays on a header") }
    }

    @Test func `D8: a list groups dates by period and numbers by range, and undo removes the grouping`() throws {
        let pilot = try Pilot("on,n\n2024-03-05,5\n2024-01-02,15\n2024-03-01,12\n", size: (70, 14))
        func titles() -> [String]? { pilot.state.grid.outline.tree?.sections.map(\.title) }
        pilot.press("zp")
        #expect((pilot.state.overlay as? ListPanel)?.purpose == .groupIntervals)
        pilot.type("month")
        pilot.press("Enter")
        #expect(titles() == ["January 2024", "March 2024"] && pilot.line(0).contains("▤ on:month"))
        #expect(pilot.message.hasPrefix("Grouped by “on” by month."))
        #expect(pilot.state.queryOptions.contains { $0 == ("--group", "on:month") })
        pilot.press("zp")
        pilot.type("year")
        pilot.press("Enter")
        #expect(titles() == ["2024"], "another period replaces the first")
        pilot.press("U")
        #expect(titles() == ["January 2024", "March 2024"])
        pilot.press("U")
        #expect(titles() == nil)
        pilot.press("$ zp")
        pilot.type("10")
        pilot.press("Enter")
        #expect(titles() == ["0–10", "10–20"])
        pilot.press("zg")
        #expect(titles() == nil && pilot.state.query.requested.groupIntervals.isEmpty)
    }

    @Test(arguments: ["2024-03-05", "2024-03-05 10:30"])
    func `D8: the list of periods offers hours only for dates with a time`(value: String) throws {
        let pilot = try Pilot("on,n\n\(value),5\n\(value),15\n", size: (70, 14))
        pilot.press("zp")
        let periods = try #require(pilot.state.overlay as? ListPanel).rows.map(\.text)
        #expect(periods == ["year", "quarter", "month", "week", "day"] + (value.contains(":") ? ["hour"] : []))
    }

    @Test(
        arguments: [
            ((0...1_000).map { Double($0) }, "50", "21 ranges"), ([0.5, 900_000], "50000", "19 ranges"), ([0, 1], "1", "2 ranges"),
            ([-3.5, 4.25], "0.5", "16 ranges"), ([1e-7, 9e-7], "0.00000005", "17 ranges"), ([100, 104, 109], "1", "10 ranges"),
            ([5e15, 9e15], "", ""), ([7, 7], "1", "as in 0–1"),
        ] as [([Double], String, String)])
    func `D8: the list of ranges offers a round width that gives 10 to 20 ranges`(values: [Double], expected: String, detail: String) throws
    {
        let isWhole = values.allSatisfy { $0 == $0.rounded() }
        let texts = values.map { isWhole ? String(Int($0)) : $0.magnitude < 1e-3 ? "0.000000\(Int(($0 * 1e7).rounded()))" : String($0) }
        let pilot = try Pilot("n\n" + texts.joined(separator: "\n") + "\n", size: (70, 24))
        pilot.press("zp")
        let panel = try #require(pilot.state.overlay as? ListPanel)
        guard !expected.isEmpty else { return #expect(panel.selected == 0, "no width has so many digits") }
        #expect(panel.matches[panel.selected].text == expected && panel.matches[panel.selected].detail == detail)
        pilot.press("Enter")
        #expect(pilot.state.query.requested.groupIntervals.values.map(\.text) == [expected])
        pilot.press("zp")
        let secondPanel = try #require(pilot.state.overlay as? ListPanel)
        #expect(secondPanel.matches[secondPanel.selected].detail == "shown", "the width of the groups is selected")
    }

    @Test func `D8: a range width that is not in the list can be typed`() throws {
        let pilot = try Pilot("n\n1\n300\n900\n", size: (70, 24))
        pilot.press("zp")
        pilot.type("250")
        pilot.press("Enter")
        #expect(pilot.state.query.requested.groupIntervals.values.map(\.text) == ["250"])
        #expect(pilot.state.grid.outline.tree?.sections.map(\.title) == ["0–250", "250–500", "750–1,000"])
        pilot.press("zp")
        pilot.type("x")
        pilot.press("Enter")
        #expect(pilot.state.overlay is ListPanel, "other text selects nothing")
    }

    @Test func `D10, D21: collapsed groups are copied as one record each, like those of batch output`() throws {
        let pilot = try Pilot(Self.trades, size: (70, 14))
        pilot.press("l zg zM C-a Y")
        let records = ["sector\tcount\tmean(price)", "Energy\t2\t7.25", "Health\t1\t99", "Tech\t3\t418.5"]
        #expect(pilot.clipboardText == records.joined(separator: "\n"))
        #expect(pilot.state.message == .copiedGroups(3, withNames: true))
        pilot.press("C-a zy")
        pilot.type("CSV")
        pilot.press("Enter")
        #expect(pilot.clipboardText == records.joined(separator: "\n").replacing("\t", with: ",") + "\n")
        pilot.press("Escape Home zj y")
        guard case .header(let section) = pilot.state.grid.cursor.item else { return #expect(Bool(false), "the cursor is on a header") }
        #expect(pilot.clipboardText == records[section + 1])
    }

    @Test func `D10, D21: collapsed groups can be copied in every format, without a header, and with displayed values`() throws {
        let pilot = try Pilot(Self.trades, size: (70, 20))
        pilot.press("l zg zM")
        #expect(
            pilot.copyAll("SQL").hasPrefix("INSERT INTO \"test\" (\"sector\", \"count\", \"mean(price)\") VALUES ('Energy', 2, 7.25);\n"))
        #expect(pilot.copyAll("HTML").contains("<th>sector</th>") && pilot.clipboardText.hasSuffix("</tbody>\n</table>\n"))
        #expect(pilot.state.message == .copiedGroups(3, as: "HTML"))
        #expect(pilot.copyAll("CSV", "header") == "Energy,2,7.25\nHealth,1,99\nTech,3,418.5\n")
        #expect(pilot.state.message == .copiedGroups(3, as: "CSV without header"))
        #expect(pilot.copyAll("Markdown", "values") == "| Energy | 2 | 7.25 |\n| Health | 1 | 99.00 |\n| Tech | 3 | 418.50 |\n")
    }

    @Test func `D8: the details of a group show every chosen aggregate`() throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        pilot.press("l zg $ zA")
        pilot.type("median")
        pilot.press("Enter Escape i")
        #expect(pilot.state.overlay as? Page == .group)
        let lines = "\(Page.group.lines(pilot.state, width: 60))"
        #expect(lines.contains("mean ") && lines.contains("median "))
    }

    @Test func `D15: command-line options sort and group the view`() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("price"))]
        options.groups = [GroupRequest(ColumnReference("sector"))]
        options.isCollapsed = true
        options.find = "health"
        let pilot = try Pilot(Self.trades, size: (50, 14), options: options)
        #expect(pilot.order == [2, 4, 5, 1, 6, 3])
        #expect(pilot.cursorCell == "sector 5", "the search begins after the rows are sorted")
        #expect(pilot.line(2).hasPrefix("▸ Energy") && pilot.screen.contains("▾ Health"))
        #expect(pilot.line(13).hasSuffix("“health” 1/1") || pilot.state.search?.count == 1)
    }
}
