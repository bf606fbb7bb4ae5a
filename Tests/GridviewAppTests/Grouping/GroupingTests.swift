import DataGridQuery
import Testing

@testable import GridviewApp

/// Grouping, as the user sees it.
@MainActor
@Suite struct GroupingTests: TradesSuite {
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
        #expect(pilot.state.message == .noGroups(groupKey: "zg"))
    }

    @Test(
        arguments: [
            ("l zg @", "sector = 'Energy'", [2, 4]), ("l zg ~", "sector != 'Energy'", [5, 1, 3, 6]),
            ("l zg l zG zj @", "sector = 'Energy' and side = 'BUY'", [4]),
            ("l zg l zG zj ~", "not (sector = 'Energy' and side = 'BUY')", [2, 5, 1, 6, 3]),
        ])
    func `D6, D8: on the header of a group, filters by cell show or hide the rows of the group`(
        keys: String, filter: String, order: [Int]
    ) throws {
        let pilot = try Pilot(Self.trades)
        pilot.press(keys)
        #expect(pilot.state.query.shown.filters.map(\.text) == [filter] && pilot.order == order, "\(pilot.screen)")
    }

    @Test func `D6, D8: on the header of a group of a period, the key of a filter by cell shows which key to use`() throws {
        let pilot = try Pilot("day,n\n2024-01-31,1\n2024-02-29,2\n")
        pilot.press("zp Enter @")
        #expect(pilot.state.message == .cannotFilterByInterval(filterKey: "&"), "\(pilot.screen)")
        #expect(pilot.state.query.requested.filters.isEmpty)
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
        #expect(pilot.state.message == .alreadyGrouped(by: "sector", ungroupKey: "zu"))
        #expect(pilot.state.query.requested.groups.count == 1 && pilot.state.grid.outline.tree != nil)
        pilot.press("l zG zG")
        #expect(pilot.state.query.requested.groups.count == 2 && pilot.state.message == .alreadyGrouped(by: "side", ungroupKey: "zu"))
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
        #expect(pilot.state.message == .noGroups(groupKey: "zg"))
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

    @Test func `D15: command-line options sort and group the view`() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("price"))]
        options.groups = [GroupRequest(ColumnReference("sector"))]
        options.isCollapsed = true
        options.searchText = "health"
        let pilot = try Pilot(Self.trades, size: (50, 14), options: options)
        #expect(pilot.order == [2, 4, 5, 1, 6, 3])
        #expect(pilot.cursorCell == "sector 5", "the search begins after the rows are sorted")
        #expect(pilot.line(2).hasPrefix("▸ Energy") && pilot.screen.contains("▾ Health"))
        #expect(pilot.line(13).hasSuffix("“health” 1/1") || pilot.state.search?.count == 1)
    }
}
