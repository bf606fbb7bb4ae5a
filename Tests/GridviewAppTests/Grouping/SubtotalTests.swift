import DataGrid
import DataGridQuery
import Testing

@testable import GridviewApp

/// The subtotals of groups.
@MainActor
@Suite struct SubtotalTests: TradesSuite {
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

    @Test func `D8: subtotals are computed again when the type or the date order of their column changes`() throws {
        var options = LaunchOptions()
        options.groups = [GroupRequest(ColumnReference("g"))]
        options.aggregates = [AggregateOption(.max, ColumnReference("d"))]
        let dates = try Pilot("g,d\na,01/02/2024\na,03/01/2024\nb,04/05/2024\n", size: (90, 12), options: options)
        #expect(dates.line(2).contains("max 2024-02-01"), "\(dates.screen)")
        dates.press("l z/")
        #expect(dates.line(2).contains("max 2024-03-01"), "\(dates.screen)")
        dates.press("U")
        #expect(dates.line(2).contains("max 2024-02-01"), "\(dates.screen)")
        let numbers = try Pilot("g,v\na,1.5\na,2\nb,3\n", size: (90, 12))
        numbers.press("zg j J l t")
        #expect(numbers.state.grid.currentColumn?.kind == .text)
        #expect(numbers.state.grid.outline.tree?.aggregates.isEmpty == true, "\(numbers.screen)")
        #expect(numbers.order == [2, 1, 3], "rows that were moved stay where they are")
        numbers.press("U")
        #expect(numbers.state.grid.outline.tree?.aggregates.count == 1 && numbers.order == [2, 1, 3])
    }

    /// The titles of the columns that have subtotals.
    private func columnsWithSubtotals(_ pilot: Pilot) -> [String] {
        let aggregates = pilot.state.grid.outline.tree?.aggregates ?? []
        return aggregates.compactMap { pilot.state.grid.columns[$0.column]?.title }
    }

    private func showAllColumns(_ pilot: Pilot) {
        pilot.session.send(.run(.showAllColumns))
        pilot.session.turn()
    }

    @Test func `D8: a column that is added or shown again in a grouped table gets its subtotals at once`() throws {
        let pilot = try Pilot("g,v,w\na,1.5,5\na,2,6\nb,3,7\n", size: (90, 12))
        pilot.press("l - 0 zg zj za zk j")
        func position() -> GridItem { pilot.state.grid.cursor.item }
        #expect(columnsWithSubtotals(pilot) == ["w"] && position() == .row(0))
        showAllColumns(pilot)
        #expect(columnsWithSubtotals(pilot) == ["v", "w"] && position() == .row(0))
        pilot.press("z=")
        pilot.type("d = v * 2")
        pilot.press("Enter")
        #expect(columnsWithSubtotals(pilot) == ["d", "v", "w"] && position() == .row(0), "\(pilot.screen)")
        #expect(pilot.state.grid.outline.collapsed == [false, true])
    }

    @Test func `D8: a column that is shown while the groups are computed gets its subtotals after that`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot("g,v,w\na,1.5,5\na,2,6\nb,3,7\n", size: (90, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("l - 0 zg")
        showAllColumns(pilot)
        stepped.runAll(pilot)
        #expect(columnsWithSubtotals(pilot) == ["v", "w"])
        // Hiding a column needs no job, because the groups keep its subtotals.
        pilot.press("l -")
        #expect(stepped.count == 0)
        showAllColumns(pilot)
        #expect(stepped.count == 0 && columnsWithSubtotals(pilot) == ["v", "w"])
    }

    @Test func `D8: a new width of a column does not compute the subtotals of a shown column again`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot("g,v,w\na,1.5,5\na,2,6\nb,3,7\n", size: (90, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("l - 0 zg")
        stepped.runAll(pilot)
        showAllColumns(pilot)
        let (count, columns) = (stepped.count, pilot.state.grid.columns.all)
        #expect(count > 0)
        pilot.press(">")
        #expect(stepped.count == count && pilot.state.grid.columns.all != columns)
        stepped.runAll(pilot)
        #expect(columnsWithSubtotals(pilot) == ["v", "w"])
    }

    @Test func `D8: new subtotals do not bring back row moves that a pending sort has discarded`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot("g,v,w\na,1.5,1\na,2,2\nb,3,3\n", size: (90, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("zg")
        stepped.runAll(pilot)
        pilot.press("j J")
        #expect(pilot.order == [2, 1, 3])
        pilot.press("l s l t")
        stepped.runAll(pilot)
        #expect(pilot.order == [1, 2, 3] && pilot.state.grid.outline.tree?.aggregates.count == 1, "\(pilot.screen)")
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
        let hint = Message.subtotalHint(without: 3, of: limit + 3, aggregatesKey: "zA")
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
        #expect(pilot.state.message == .noGroups(groupKey: "zg"))
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

    @Test func `D8: a list shows and hides aggregates of a column, and undo restores them`() throws {
        let pilot = try Pilot(Self.trades, size: (90, 14))
        func aggregates() -> [String] {
            pilot.state.grid.outline.tree?.aggregates.map { "\($0.function.rawValue) \($0.column.rawValue)" } ?? []
        }
        pilot.press("$ zA")
        #expect(pilot.state.overlay == nil && pilot.state.message == .noGroups(groupKey: "zg"))
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

    @Test func `D8: the list of aggregates is as wide as its title`() throws {
        let pilot = try Pilot("side,quantity ordered\nBUY,1\nSELL,2\n", size: (70, 16))
        pilot.press("zg l zA")
        #expect(pilot.screen.contains("Aggregates of quantity ordered─"), "\(pilot.screen)")
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
}
