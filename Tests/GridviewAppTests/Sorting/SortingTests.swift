import DataGrid
import Testing

@testable import GridviewApp

/// Sorting, as the user sees it.
@MainActor
@Suite struct SortingTests: TradesSuite {
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

    @Test func `D6: the message about a sort that ends while a panel is open does not name keys of the table`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.trades, size: (90, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("l s :")
        stepped.runAll(pilot)
        #expect(pilot.state.overlay != nil && pilot.state.message?.id == .sorted && !pilot.message.contains("reverses"), "\(pilot.message)")
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
}
