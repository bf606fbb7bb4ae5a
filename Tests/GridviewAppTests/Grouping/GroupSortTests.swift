import DataGridQuery
import Testing

@testable import GridviewApp

/// The order of groups, and of rows in groups.
@MainActor
@Suite struct GroupSortTests: TradesSuite {
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
        #expect(pilot.state.message == .noGroups(groupKey: "zg"))
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
}
