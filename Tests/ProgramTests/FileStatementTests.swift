import Foundation
import GridTestSupport
import Testing

/// Statements on files, which DuckDB runs.
@Suite("Statements on files", .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
struct FileStatementTests {
    private let folder: TemporaryFolder
    private let variables: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        variables = try #require(DuckDBDriver.installed).install(in: folder)
        let rows = (1...20_000).map { "\($0),\($0 % 7),\"name \($0 % 100)\"\n" }.joined()
        try write("orders.csv", "id,customer,note\n" + rows)
        try write("customers.jsonl", (0..<7).map { "{\"id\": \($0), \"name\": \"c\($0)\"}\n" }.joined())
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(of: name)))
    }

    private func run(_ arguments: String..., environment: [String: String]? = nil) throws -> ProcessRunner.Outcome {
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.directory = folder.path
        runner.environment.merge(environment ?? variables) { $1 }
        return try runner.run(arguments)
    }

    @Test func `19.10: an SQL statement joins files, and options of the view apply to its result`() throws {
        let statement = """
            select name, count(*) as orders, sum(o.id) as total from orders as o join customers as c on o.customer = c.id
            group by name -- each customer
            ;
            """
        let outcome = try run("orders.csv", "customers.jsonl", "--sql", statement, "--sort", "total:desc", "--limit", "2", "-o", "csv")
        #expect(outcome.errorText == "" && outcome.status == .code(0))
        #expect(outcome.outputText == "name,orders,total\nc1,2858,28581429\nc0,2857,28578571\n")
    }

    @Test func `19.10: all rows of a long result are written, in the order of the statement`() throws {
        let outcome = try run("orders.csv", "--sql", "select id, note from orders order by id desc", "-o", "csv")
        let expected = "id,note\n" + (1...20_000).reversed().map { "\($0),name \($0 % 100)\n" }.joined()
        #expect(outcome.errorText == "" && outcome.outputText == expected)
    }

    @Test func `19.10: results are sorted by numeric value, and a comment may follow the last semicolon of a statement`() throws {
        let statement = "select x, x::double / 4 as d from (values (-1), (-10), (2), (10), (1)) t(x); -- some"
        let outcome = try run("--sql", statement, "--sort", "d", "-o", "csv")
        #expect(outcome.outputText == "x,d\n-10,-2.5\n-1,-0.25\n1,0.25\n2,0.5\n10,2.5\n", "\(outcome.errorText)")
    }

    @Test func `19.10: values keep their types, and null differs from empty text`() throws {
        let statement = """
            select 1.50::decimal(9,2) as d, null::varchar as n, '' as e, date '2026-02-28' as day, [1, 2] as list, true as flag,
            9007199254740993 as big, '{"x": [1, "é"]}'::json as j, json('"s"') as s, null::json as z, '{"x": 1}' as t, {'k': [true]} as o
            """
        let outcome = try run("--sql", statement, "-o", "jsonl")
        #expect(
            outcome.outputText
                == """
                {"d": 1.50, "n": null, "e": "", "day": "2026-02-28", "list": [1,2], "flag": true, "big": 9007199254740993, \
                "j": {"x": [1, "é"]}, "s": "s", "z": null, "t": "{\\"x\\": 1}", "o": {"k":[true]}}

                """,
            "\(outcome.errorText)")
    }

    @Test func `19.10: integers of 128 bits keep all digits, or an error says how to read them`() throws {
        let wide = try run("--sql", "select (-170141183460469231731687303715884105727)::hugeint as a, 1::hugeint as b", "-o", "csv")
        #expect(wide.outputText == "a,b\n-170141183460469231731687303715884105727,1\n", "\(wide.errorText)")
        let unsigned = try run("--sql", "select 340282366920938463463374607431768211455::uhugeint as big", "-o", "csv")
        #expect(unsigned.outputText == "" && unsigned.errorText.contains("Write big::hugeint or big::varchar"), "\(unsigned.errorText)")
    }

    @Test func `19.10: a statement that writes a file or a table is refused, and so are several statements`() throws {
        for statement in [
            "copy orders to 'stolen.csv'", "create table t as select 1", "select 1; copy orders to 'stolen.csv'",
            "select 1) as q; copy (select 1) to 'stolen.csv'; select * from (select 2",
            "select 1'); copy (select 1) to 'stolen.csv'; select * from query('select 2",
        ] {
            let outcome = try run("orders.csv", "--sql", statement, "-o", "csv")
            #expect(outcome.status == .code(1) && outcome.outputText == "" && !outcome.errorText.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path(of: "stolen.csv")))
    }

    @Test func `19.10: errors in statements and their files are explained`() throws {
        let unknown = try run("orders.csv", "--sql", "select nothing from orders").errorText
        #expect(unknown.contains("nothing") && !unknown.contains("query(") && !unknown.contains("LINE"), "\(unknown)")
        #expect(try run("orders.csv", "--sql", "explain select 1").errorText.hasPrefix("gridview: --sql must be a query, not “explain”."))
        #expect(try run("orders.csv", "--sql", " ; ").errorText.contains("--sql needs a statement."))
        let option = try run("orders.csv", "--delimiter", ";", "--sql", "select 1").errorText
        #expect(option.contains("--delimiter cannot be combined with --sql"))
        try write("damaged.parquet", "x\0y")
        let damaged = try run("orders.csv", "damaged.parquet", "--sql", "select * from orders join Damaged using (id)").errorText
        #expect(damaged.hasPrefix("gridview: DuckDB cannot read damaged.parquet. ") && !damaged.contains("CREATE VIEW"), "\(damaged)")
        let other = try run("orders.csv", "damaged.parquet", "--sql", "select count(*) as n from orders", "-o", "csv")
        #expect(other.errorText == "" && other.outputText == "n\n20000\n", "a damaged file that is not used is ignored")
        let column = try run("orders.csv", "damaged.parquet", "--sql", "select nothing from orders").errorText
        #expect(column.contains("nothing") && !column.contains("damaged.parquet"), "\(column)")
        #expect(try run("missing.csv", "--sql", "select 1").errorText.contains("missing.csv"))
        #expect(try run("*.csv", "--sql", "select 1").errorText.contains("Put the pattern *.csv in the statement"))
        #expect(try run("none*.csv", "--sql", "select 1").errorText.contains("No file matches none*.csv"))
        let server = try run("orders.csv", "postgres://localhost/shop", "--sql", "select 1")
        #expect(server.status == .code(2) && server.errorText.contains("not both"))
        let absent = try run("orders.csv", "--sql", "select 1", environment: ["ADBC_DRIVER_PATH": "", "HOME": folder.path])
        #expect(absent.errorText.hasPrefix("gridview: DuckDB is needed for --sql on files. No driver “duckdb” is installed in"))
        // If an error follows the first rows, these may be written, and the exit status says that rows are missing.
        let late = try run("--sql", "select case when i = 500000 then error('stop') else i end as i from range(1000000) t(i)", "-o", "csv")
        #expect(late.status == .code(1) && late.errorText.contains("stop"))
    }
}

extension InTerminal {
    @Suite(.enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed")) struct FileStatementScreenTests {
        @Test func `19.10: the screen shows and sorts the result of a statement, and quitting cancels a long one`() async throws {
            let folder = try TemporaryFolder()
            let variables = try #require(DuckDBDriver.installed).install(in: folder)
            let settings = variables.map { "\($0.key)=\($0.value)" }
            let statement = "select i as number, 'row ' || i as text from range(5000) t(i)"
            let terminal = try TerminalDriver(
                ["/usr/bin/env"] + settings + [ProgramUnderTest.path, "--sql", statement], columns: 80, rows: 16)
            try await terminal.wait { $0.contains("1 / 5,000") && $0.contains("      3  row 3") }
            try terminal.press("s", "s")
            try await terminal.wait { $0.contains("row 4999") }
            try terminal.press("M-s")
            try await terminal.wait { $0.contains("range(5000)") }
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("1 / 5,000") }
            try terminal.press("q")
            _ = try await terminal.waitForExit()
            let endless = "select count(*) from range(100000000000) t(i) where i % 7 = 3"
            let slow = try TerminalDriver(
                ["/usr/bin/env"] + settings + [ProgramUnderTest.path, "--sql", endless], columns: 80, rows: 16)
            try await slow.wait { $0.contains("unning the statement") }
            try slow.press("q")
            _ = try await slow.waitForExit()
        }
    }
}
