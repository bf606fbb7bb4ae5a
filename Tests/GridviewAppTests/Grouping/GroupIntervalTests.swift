import DataGridQuery
import Testing

@testable import GridviewApp

/// Groups by periods and ranges.
@MainActor
@Suite struct GroupIntervalTests {
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
}
