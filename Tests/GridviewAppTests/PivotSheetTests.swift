import DataGrid
import DataGridQuery
import DataGridTerminal
import GridTestSupport
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Pivot tables as sheets.
@MainActor
@Suite struct PivotSheetTests {
    private static let sales = "region,year,amount\nNorth,2023,10\nSouth,2024,2\nNorth,2024,3\n,2024,4\nNorth,2024,5\n"

    private func openPrompt(_ pilot: Pilot, after keys: String = "") -> String? {
        pilot.press(keys.isEmpty ? ":" : keys + " :")
        pilot.type("pivot")
        pilot.press("Enter")
        guard let prompt = pilot.state.overlay as? FormulaPrompt, prompt.purpose == .pivot else { return nil }
        return String(prompt.field.text[..<prompt.field.cursor]) + "|" + String(prompt.field.text[prompt.field.cursor...])
    }

    private func content(_ pilot: Pilot) -> [[String]] {
        let source = pilot.session.document.source
        return pilot.order.map { row in
            pilot.state.grid.columns.visible.map { source.content(row: RowID(row - 1), column: $0.id).text }
        }
    }

    @Test func `D23: the pivot command proposes the groups, the current column and the chosen aggregates`() throws {
        let pilot = try Pilot(Self.sales, size: (80, 24))
        #expect(openPrompt(pilot, after: "l") == "| by year: count")
        #expect(pilot.line(23).hasPrefix(" Pivot:  by year: count"))
        pilot.press("Escape")
        #expect(openPrompt(pilot, after: "0 zg l") == "region by year: count|")
        pilot.press("Escape")
        #expect(openPrompt(pilot, after: "Home") == "| by region: count", "the current column is no row field")
        var options = LaunchOptions()
        options.groups = [try GroupRequest(text: "region:desc"), try GroupRequest(text: "amount:5")]
        options.aggregates = [try AggregateOption(text: "sum(amount)"), try AggregateOption(text: "max(amount)")]
        let grouped = try Pilot(Self.sales, size: (80, 24), options: options)
        #expect(openPrompt(grouped, after: "0 l") == "region:desc, amount:5 by year: sum(amount), max(amount)|")
    }

    @Test func `D23, D22: Enter opens the pivot table as a new sheet, from which q goes back`() throws {
        var options = LaunchOptions()
        // The options for the file do not apply to its pivot table.
        (options.filters, options.sort) = (["amount > 1"], [SortRequest(ColumnReference("amount"))])
        (options.hiddenColumns, options.groups) = ([ColumnReference("year")], [])
        let pilot = try Pilot(Self.sales, size: (80, 24), options: options)
        pilot.press("0")
        #expect(openPrompt(pilot) == "| by region: count")
        pilot.press("C-u")
        pilot.press("End C-u")
        pilot.type("region by year: sum(amount)")
        pilot.press("Enter")
        #expect(pilot.state.sheets.count == 2 && pilot.state.overlay == nil && pilot.state.message == nil)
        #expect(pilot.state.document.name == "test.csv: region by year")
        #expect(pilot.titles == ["region", "2023", "2024"])
        #expect(content(pilot) == [["North", "10", "8"], ["South", "", "2"], ["", "", "4"]])
        #expect(pilot.state.grid.columns.visible.map(\.kind) == [.text, .integer, .integer])
        pilot.press("l s")
        #expect(pilot.order == [1, 2, 3])
        pilot.press("q")
        #expect(pilot.state.document.name == "test.csv" && pilot.state.sheets.count == 2, "the sheet stays, because it is sorted")
    }

    @Test func `D23: the problems of a pivot table name the values that its aggregates leave out`() throws {
        var options = LaunchOptions()
        options.types = [(ColumnReference("n"), ColumnType(.integer))]
        let pilot = try Pilot("g,n\na,5\nb,4x\n", size: (120, 24), options: options)
        #expect(openPrompt(pilot) == "| by g: count")
        pilot.press("C-u End C-u")
        pilot.type("by g: sum(n)")
        pilot.press("Enter")
        #expect(pilot.state.problems == ["aggregates leave out a value of “n” that is not a number: “4x” in row 2"])
        #expect(content(pilot) == [["5", ""]])
    }

    @Test func `D23: the prompt shows an error in the pivot text, and Enter keeps the prompt open`() throws {
        let pilot = try Pilot(Self.sales, size: (100, 24))
        #expect(openPrompt(pilot, after: "l") == "| by year: count")
        pilot.type("regio")
        let prompt = try #require(pilot.state.overlay as? FormulaPrompt)
        #expect(prompt.error?.message == "Unknown column “regio”. Did you mean “region”?")
        pilot.press("Enter")
        #expect((pilot.state.overlay as? FormulaPrompt)?.isRejected == true && pilot.state.sheets.count == 1)
        pilot.type("n")
        pilot.press("Enter")
        #expect(pilot.state.sheets.count == 2)
    }

    @Test func `D23, D2: Ctrl-C cancels a pivot table, which is computed only after the whole file has been read`() throws {
        let stepped = SteppedRunner()
        let content = Self.sales + String(repeating: "South,2023,7\n", count: 40_000)
        let pilot = try Pilot(content, size: (80, 24), runner: stepped.runner)
        #expect(openPrompt(pilot, after: "l") == "| by year: count")
        pilot.press("Enter")
        #expect(pilot.state.message?.id == .pivotsWhenRead && pilot.state.jobs.allSatisfy { $0.kind != .pivot })
        stepped.runAll(pilot)
        #expect(openPrompt(pilot) == "| by year: count")
        pilot.press("Enter")
        #expect(pilot.state.jobs.map(\.kind) == [.pivot])
        pilot.press("C-c")
        #expect(pilot.state.message?.id == .cancelled && pilot.state.jobs.isEmpty)
        stepped.runAll(pilot)
        #expect(pilot.state.sheets.count == 1)
    }
}
