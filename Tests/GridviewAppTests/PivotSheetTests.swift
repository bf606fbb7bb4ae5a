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

    @Test func `D23, D3: means in a pivot table are shown with a limited number of digits, and keep all of their digits`() throws {
        let pilot = try Pilot("k,g,n\na,x,1\na,x,2\na,x,2\nb,x,1\n", size: (80, 24))
        #expect(openPrompt(pilot) == "| by k: count")
        pilot.press("C-u")
        pilot.press("End C-u")
        pilot.type("k by g: mean(n)")
        pilot.press("Enter")
        #expect(pilot.screen.contains("1.6667") && !pilot.screen.contains("1.66666"), "\(pilot.screen)")
        #expect(content(pilot)[0][1].hasPrefix("1.6666666"))
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

    @Test func `D23: the prompt accepts every aggregate and interval of a column without values, as --pivot does`() throws {
        let pilot = try Pilot("k,none\na,\nb,\n", size: (100, 24))
        #expect(openPrompt(pilot) == "| by k: count")
        pilot.press("C-u End C-u")
        pilot.type("none:year by k: sum(none)")
        #expect((pilot.state.overlay as? FormulaPrompt)?.error == nil)
        pilot.press("Enter")
        #expect(pilot.state.sheets.count == 2 && content(pilot) == [["", "", ""]])
    }

    /// A session that opens a file with the option --pivot.
    private func session(
        _ options: LaunchOptions, pivot: String, _ backend: RecordingBackend, _ runner: JobRunner, in folder: TemporaryFolder
    ) throws -> Session {
        var options = options
        options.opener = options.files
        options.pivot = try PivotText(text: pivot)
        let (files, path) = (options.files, try folder.file("sales.csv", bytes: Array(Self.sales.utf8)))
        let input = SheetInput(name: "sales.csv", activity: PivotedInput.activity) { try files.open(path: path) }
        let session = try Session(awaiting: input, options: options, backend: backend, runner: runner)
        try session.start()
        session.turn()
        return session
    }

    @Test func `D23, D2: --pivot draws the screen before it reads the file, with the progress of each job`() throws {
        let (folder, stepped) = (try TemporaryFolder(), SteppedRunner())
        let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 12), capabilities: .xterm)
        var options = LaunchOptions()
        (options.sort, options.filters) = ([SortRequest(ColumnReference("2024"))], ["amount > 2 or region = 'South'"])
        options.derivedColumns = ["none = region * 2"]
        let session = try session(options, pivot: "region by year: sum(amount)", backend, stepped.runner, in: folder)
        let screen = backend.lines.joined(separator: "\n")
        #expect(screen.contains("Computing the pivot table …") && screen.contains("Esc stop waiting"), "\(screen)")
        var titles: [String] = []
        while stepped.count > 0 {
            stepped.step()
            session.turn()
            titles += session.state.jobs.map(\.title)
        }
        #expect(titles.prefix(2) == ["reading", "computing the pivot table"], "\(titles)")
        #expect(session.state.document.name == "sales.csv: region by year" && session.state.sheets.count == 1)
        #expect(session.state.grid.columns.visible.map(\.title) == ["region", "2023", "2024"])
        let source = session.document.source
        let column = session.state.grid.columns.visible[2].id
        let order = (0..<session.state.grid.rows.count).map { session.state.grid.rows[$0] }
        #expect(order.map { source.content(row: $0, column: column).text } == ["2", "4", "8"])
        #expect(session.state.commandLine.text.contains(" --pivot 'region by year: sum(amount)' --sort "))
        #expect(session.state.commandLine.text.hasSuffix("/sales.csv"))
        #expect(session.closingMessages == ["--derive: “none” has no value in the first rows. Check the formula."])
        session.finish()
    }

    @Test(arguments: 1...3) func `D23, D2: Escape ends the program while --pivot opens, reads or computes`(steps: Int) throws {
        let (folder, stepped) = (try TemporaryFolder(), SteppedRunner())
        let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 12), capabilities: .xterm)
        let session = try session(LaunchOptions(), pivot: "region by year", backend, stepped.runner, in: folder)
        for _ in 1..<steps {
            stepped.step()
            session.turn()
        }
        for key in try KeyScript.keys("Escape") { backend.events.append(.key(key)) }
        session.turn()
        #expect(session.state.exitStatus == 130 && session.closingMessages == ["Cancelled: computing the pivot table."])
        session.finish()
    }

    @Test(
        arguments: [
            ("regio by year", "", "--pivot: Unknown column “regio”. Did you mean “region”?"),
            ("region by year", "2025", "--sort: Unknown column “2025”. Did you mean “2023”?"),
        ])
    func `D23: a wrong option for --pivot ends the program with a usage error`(pivot: String, sort: String, message: String) throws {
        let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 12), capabilities: .xterm)
        var options = LaunchOptions()
        if !sort.isEmpty { options.sort = [SortRequest(ColumnReference(sort))] }
        let session = try session(options, pivot: pivot, backend, .inline, in: try TemporaryFolder())
        let failure = try #require(session.openingFailure as? RequestError)
        #expect(failure.message == message && failure.isUsageError && session.state.exitStatus == 1)
        session.finish()
    }

    @Test func `D23, D20: the command line of a pivot table has the options of its file and of its view`() throws {
        var options = LaunchOptions()
        (options.filters, options.derivedColumns) = (["amount > 2"], ["twice = amount * 2"])
        (options.sort, options.types) = ([SortRequest(ColumnReference("amount"))], [(ColumnReference("year"), ColumnType(.text))])
        let pilot = try Pilot(Self.sales, size: (100, 24), options: options)
        #expect(openPrompt(pilot, after: "0") == "| by region: count")
        pilot.press("C-u End C-u")
        pilot.type("region by year: sum(twice), first(amount)")
        pilot.press("Enter")
        let start =
            "gridview --derive 'twice = amount * 2' --filter 'amount > 2' --types year:text "
            + "--pivot 'region by year: sum(twice), first(amount)'"
        #expect(pilot.state.commandLine.text == "\(start) \(pilot.path)")
        #expect(pilot.state.commandLine.omitted == ["the order of rows, which determines first and last values"])
        pilot.press("l s")
        #expect(pilot.state.commandLine.text.hasPrefix(start + " --sort "), "\(pilot.state.commandLine.text)")
        pilot.press("& \"region = 'North'\" Enter")
        #expect(pilot.state.commandLine.omitted.contains("filters, groups and computed columns of the pivot table"))
        // No command opens the pivot table of a pivot table.
        #expect(openPrompt(pilot) != nil)
        pilot.press("Enter :")
        pilot.type("command line")
        pilot.press("Enter")
        #expect(pilot.state.sheets.count == 3 && pilot.state.message?.id == .noCommandLine)
    }

    @Test func `D23: a pivot table without rows does not say that the file is empty`() throws {
        var options = LaunchOptions()
        options.filters = ["amount > 1000"]
        let pilot = try Pilot(Self.sales, size: (80, 24), options: options)
        #expect(openPrompt(pilot) == "| by region: count")
        pilot.type("year")
        pilot.press("Enter")
        #expect(pilot.state.sheets.count == 2 && pilot.screen.contains("No rows.") && !pilot.screen.contains("empty"), "\(pilot.screen)")
    }

    @Test func `D23: a pivot table shows the problems of its input`() throws {
        let pilot = try Pilot("k,v\na\"b,1\n", size: (100, 24))
        let problems = pilot.state.problems
        #expect(!problems.isEmpty)
        #expect(openPrompt(pilot, after: "l") == "| by v: count")
        pilot.press("Enter")
        #expect(pilot.state.sheets.count == 2 && pilot.state.problems == problems)
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
