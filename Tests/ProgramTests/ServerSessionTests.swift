import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// Sessions with a database, which use the list of tables, pages, sort, filter, groups, statistics, export and search, and lose the
    /// connection.
    @Suite struct ServerSessionTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func start(_ url: String) throws -> TerminalDriver {
            try TerminalDriver([ProgramUnderTest.path, url], columns: 80, rows: 16)
        }

        /// Uses a table with the same keys for every database. The table has the columns id, symbol and price, and 5,000 rows.
        private func useTable(in terminal: TerminalDriver) async throws {
            try await terminal.wait { $0.contains("trades") && $0.contains("symbol") == false }
            try terminal.press("G", "Enter")
            try await terminal.wait { $0.contains("1 / 5,000") && $0.contains("symbol") }
            try terminal.press("G")
            try await terminal.wait { $0.contains("5,000 / 5,000") && $0.contains("symbol-0") }
            try terminal.type("2500G")
            try await terminal.wait { $0.contains("2,500 / 5,000") && $0.contains("2500  symbol-4") }
            try terminal.press("g", "Right", "Right", "s", "s")
            try await terminal.wait { $0.contains("price▼") && $0.contains("4,999") }
            try terminal.press("y")
            try await terminal.wait { $0.contains("opied") }
            try terminal.press("&")
            try terminal.type("symbol = 'symbol-3'")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("/ 625") }
            try terminal.press("M-s")
            try await terminal.wait { $0.contains("SQL of this view") && $0.contains("WHERE") && $0.contains("symbol-3") }
            try terminal.press("End")
            try await terminal.wait { $0.contains("Plan") && !$0.contains("Asking") }
            try terminal.press("y")
            try await terminal.wait { $0.contains("Copied the first statement") }
            // Wait after Esc, because Esc and another key at once would be a key with Alt.
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("/ 625") }
            try terminal.press("\\")
            try await terminal.wait { $0.contains("/ 5,000") }
            try terminal.press("Left", "z", "g")
            try await terminal.wait { $0.contains("symbol-0 (625)") || $0.contains("symbol-0") && $0.contains("625") }
            try terminal.press("z", "M")
            try await terminal.wait { $0.contains("symbol-7") }
            try terminal.press("U")
            try await terminal.wait { $0.contains("/ 5,000") && !$0.contains("(625)") }
            try terminal.press("I")
            try await terminal.wait { $0.contains("symbol · all 5,000 rows") && $0.contains("Most frequent") && $0.contains("12.5 %") }
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("/ 5,000") && !$0.contains("Most frequent") }
            let path = folder.path(of: "out.csv")
            try terminal.press("z", "s")
            try await terminal.wait { $0.contains("Export to:") }
            try terminal.press("C-u")
            try terminal.type(path)
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("Exported 5,000 rows") }
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 5_001 && lines[..<2] == ["id,symbol,price", "2857,symbol-1,4999"], "\(lines.prefix(2))")
            try terminal.press("/")
            try terminal.type("symbol-5")
            try terminal.press("Enter")
            try await terminal.wait { $0.lines.contains { $0.contains("symbol-5") && $0.contains("/ 5,000") } }
            // The list has its title below the tabs, and its header below the title.
            try terminal.press("C-PageUp")
            try await terminal.wait { $0.lines[1].contains("2 × ") && $0.lines[2].contains("kind") }
            try terminal.press("C-PageDown")
            try await terminal.wait { $0.lines[1].contains("trades  5,000") }
        }

        private static let rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)"

        @Test func `H1: a table of SQLite can be paged, sorted, filtered, grouped, summarized, exported and searched`() async throws {
            let path = folder.path(of: "shop.db")
            let script = """
                create table aside (a text); create table trades (id integer primary key, symbol text, price integer) strict;
                insert into trades \(Self.rows) select i, 'symbol-' || (i % 8), (i * 7) % 5000 from n;
                """
            try programOutput(
                "/usr/bin/env",
                [
                    "python3", "-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
                    path, script,
                ])
            try await useTable(in: try start("sqlite:\(path)"))
        }

        @Test(
            .enabled(if: PostgresServer.isInstalled))
        func `H1: a PostgreSQL table can be used in the same ways as a SQLite table, even after its server restarts`() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.psql(
                """
                create table aside (a text); create table trades (id integer primary key, symbol text, price integer);
                insert into trades \(Self.rows) select i, 'symbol-' || (i % 8), (i * 7) % 5000 from n; analyze
                """)
            let terminal = try start("postgres://postgres:se-cret@127.0.0.1:\(server.port)/postgres")
            try await useTable(in: terminal)
            #expect(try !terminal.screen().contains("se-cret"))
            try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
            try terminal.press("g", "Left", "s")
            try await terminal.wait { $0.contains("id ▲") }
            try server.crash()
            try terminal.press("s")
            try await terminal.wait { $0.contains("Press R to connect again.") }
            #expect(try terminal.screen().contains("symbol-"), "the rows stay")
            try server.restart()
            try terminal.press("R")
            try await terminal.wait { $0.contains("eloaded") && $0.contains("id ▲") }
            try terminal.type("4000G")
            try await terminal.wait { $0.contains("4,000 / 5,000") && $0.contains("4000  symbol-0") }
            // The view of the table was changed, so the table stays open behind the list.
            try terminal.press("q")
            try await terminal.wait { $0.lines[2].contains("kind") && $0.lines[0].contains("trades") }
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.4: marks and the cursor stay on their rows through a sort and a filter`() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.psql(
                """
                create table trades (id integer primary key, symbol text, price integer);
                insert into trades \(Self.rows) select i, 'symbol-' || (i % 8), (i * 7) % 5000 from n; analyze
                """)
            let terminal = try start("postgres://postgres@127.0.0.1:\(server.port)/postgres/trades")
            try await terminal.wait { $0.contains("1 / 5,000") }
            try terminal.press("G", "m")
            try await terminal.wait { $0.contains("1 row marked") }
            // The last row has the lowest price, so it becomes the first one.
            try terminal.press("Right", "Right", "s")
            try await terminal.wait { $0.contains("price▲") && $0.contains("5,000 / 5,000") }
            try terminal.press("g")
            try await terminal.wait { $0.lines.contains { $0.contains("•") && $0.contains("5000  symbol-0") } }
            try terminal.type("2501G")
            try await terminal.wait { $0.contains("2,501 / 5,000") && $0.contains("2500  symbol-4") }
            try terminal.press("&")
            try terminal.type("symbol = 'symbol-4'")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("313 / 625") && $0.contains("2500  symbol-4") }
            try terminal.press("\\")
            try await terminal.wait { $0.contains("2,501 / 5,000") && $0.contains("2500  symbol-4") }
            try terminal.press("'")
            try await terminal.wait { $0.contains("1 / 5,000") && $0.lines.contains { $0.contains("•") && $0.contains("5000  symbol-0") } }
        }

        /// A server whose role `locked` has the password `open sesame`.
        private func lockedServer() throws -> (server: PostgresServer, url: String) {
            let server = try PostgresServer()
            try server.psql(
                """
                create role locked login password 'open sesame'; create table orders (id integer primary key, item text);
                insert into orders values (1, 'tea'), (2, 'milk'); grant select on orders to locked; create table more (a integer)
                """)
            return (server, "postgres://locked@127.0.0.1:\(server.port)/postgres?passfile=/dev/null")
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.9: if the connection is lost during output, an error says that the output is incomplete`() throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.psql(
                """
                create function close_connection() returns text stable language plpgsql
                as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
                create view ends as select i, case when i = 5000 then close_connection() end as t from generate_series(1, 9000) as i
                """)
            let url = "postgres://postgres@127.0.0.1:\(server.port)/postgres/ends"
            let view = try folder.file("view.json", "{\"columns\": []}")
            for arguments in [["-o", "csv"], ["-o", "parquet"], ["-o", "csv", "--view", view]] {
                let outcome = try ProcessRunner(executable: ProgramUnderTest.path).run([url] + arguments)
                let error = outcome.errorText
                #expect(outcome.status == .code(1) && error.hasSuffix(" The output is incomplete.\n"), "\(error)")
                #expect(error.hasPrefix("gridview: The connection was lost. Run gridview again. Details: "), "\(error)")
            }
        }

        @Test(.enabled(if: PostgresServer.isInstalled)) func `19.9: the screen asks for the password once`() async throws {
            let (server, url) = try lockedServer()
            defer { server.stop() }
            let terminal = try start(url)
            try await terminal.wait { $0.contains("Password for locked@127.0.0.1:") }
            try terminal.type("open")
            try await terminal.wait { $0.contains(": ••••") }
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("The password was refused.") }
            try terminal.type("open sesame")
            try await terminal.wait { $0.contains(": •••••••••••") }
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("orders") && $0.contains("kind") }
            try terminal.press("G", "Enter")
            try await terminal.wait { $0.contains("milk") && $0.contains("q back to the list") }
            try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
            try terminal.press("R")
            try await terminal.wait { $0.contains("milk") && $0.contains("eloaded") }
            try terminal.press("q")
            try await terminal.wait { $0.contains("kind") && !$0.contains("milk") }
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.9: Escape closes the password prompt, and the message says what to do`() async throws {
            let (server, url) = try lockedServer()
            defer { server.stop() }
            let terminal = try start(url)
            try await terminal.wait { $0.contains("Password for locked@127.0.0.1:") }
            try terminal.press("Escape")
            #expect(try await terminal.waitForExit() == 1)
            #expect(try terminal.screen().text.replacing("\n", with: "").contains("~/.pgpass"))
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.9: batch output asks for the password on the terminal, without echo`() async throws {
            let (server, url) = try lockedServer()
            defer { server.stop() }
            let script = "\"$0\" \"$1\" -o csv | cat"
            let terminal = try TerminalDriver(["bash", "-c", script, ProgramUnderTest.path, url + "&table=orders"], columns: 80, rows: 16)
            try await terminal.wait { $0.contains("Password for locked@127.0.0.1:") }
            #expect(try terminal.lineSettings().contains("-echo "))
            try terminal.type("wrong")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("The password was refused.") }
            try terminal.type("open sesamX")
            try terminal.press("BSpace")
            try terminal.type("e")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("2,milk") }
            #expect(try await terminal.waitForExit() == 0)
            #expect(try !terminal.screen().contains("sesam") && !terminal.screen().contains("wrong"))
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(
            .enabled(if: PostgresServer.isInstalled),
            arguments: [("C-c", 130), ("C-\\", 131), ("C-d", 1)])
        func `19.9: the terminal is restored after a signal`(key: String, status: Int) async throws {
            let (server, url) = try lockedServer()
            defer { server.stop() }
            // A shell without a trap would end with the program, without an exit status.
            let script = "trap : INT QUIT; \"$0\" \"$1\" -o csv; exit $?"
            let terminal = try TerminalDriver(["bash", "-c", script, ProgramUnderTest.path, url + "&table=orders"], columns: 80, rows: 16)
            try await terminal.wait { $0.contains("Password for locked@127.0.0.1:") }
            try terminal.press(key)
            #expect(try await terminal.waitForExit() == status)
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.9: the program asks for the password again after it was suspended`() async throws {
            let (server, url) = try lockedServer()
            defer { server.stop() }
            let terminal = try TerminalDriver([ProgramUnderTest.path, url + "&table=orders", "-o", "csv"], columns: 80, rows: 16)
            try await terminal.wait { $0.contains("Password for locked@127.0.0.1:") }
            try terminal.type("xyz")
            try terminal.press("C-z")
            try await terminal.waitUntilSuspended()
            #expect(try await terminal.unrestoredState() == "")
            try terminal.resume()
            try await terminal.wait { $0.lines.count { $0.contains("Password for") } == 2 }
            try terminal.type("open sesame")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("2,milk") }
            #expect(try !terminal.screen().contains("xyz"))
        }

        @Test(.enabled(if: PostgresServer.isInstalled)) func `19.9: without a terminal, a message says how to give the password`() throws {
            let (server, url) = try lockedServer()
            defer { server.stop() }
            let outcome = try ProcessRunner(executable: "setsid").run(["--wait", ProgramUnderTest.path, url + "&table=orders", "-o", "csv"])
            #expect(outcome.status == .code(1))
            #expect(outcome.errorText.contains("The server requires a password. Put it into the file ~/.pgpass, or set PGPASSWORD."))
        }

        @Test func `19.9: Escape ends the attempt to connect`() async throws {
            // This socket accepts connections and never answers.
            let (listener, port) = try boundSocket()
            defer { close(listener) }
            try #require(listen(listener, 5) == 0)
            let terminal = try start("postgres://me@127.0.0.1:\(port)/postgres")
            try await terminal.wait { $0.contains("Connecting to 127.0.0.1 …") }
            try terminal.press("Escape")
            #expect(try await terminal.waitForExit() == 130)
            #expect(try terminal.screen().contains("Cancelled: connecting to 127.0.0.1."))
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(.enabled(if: PostgresServer.isInstalled)) func `19.9: in a slow network, keys work before the rows arrive`() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.psql(
                """
                create table trades (id integer primary key, symbol text, price integer);
                insert into trades select i, 'symbol-' || (i % 8), (i * 7) % 50000 from generate_series(1, 50000) i; analyze
                """)
            let network = try SlowNetwork(to: server.port)
            defer { network.stop() }
            try network.delay(seconds: 0.2)
            let terminal = try start("postgres://postgres@127.0.0.1:\(network.port)/postgres/trades")
            try await terminal.wait { $0.contains("Connecting to 127.0.0.1 …") }
            try await terminal.wait { $0.contains("1 / 50,000") && $0.contains("symbol-1") }

            // While no byte arrives, only the rows are missing.
            try network.stall()
            try terminal.type("30000G")
            try await terminal.wait { $0.contains("30,000 / 50,000") && $0.contains("░") }
            try terminal.press("Right")
            try await terminal.wait { screen in
                screen.lines.contains { $0.hasPrefix(" symbol ") && $0.hasSuffix("30,000 / 50,000") } && screen.contains("░")
            }
            try terminal.press("?")
            try await terminal.wait { $0.contains("All keys") }
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("░") }
            try terminal.press("s")
            try await terminal.wait { $0.contains("sorting by “symbol”") && $0.contains("░") }
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("Cancelled: sorting by “symbol”.") && $0.contains("░") }
            try network.resume()
            try await terminal.wait { $0.contains("30,000 / 50,000") && $0.contains("symbol-0") && !$0.contains("░") }
            try terminal.press("s")
            try await terminal.wait { $0.contains("symbol ▲") && $0.contains("symbol-4") && !$0.contains("░") }

            // Connections that are lost in the meantime are opened again.
            try network.stall()
            try terminal.type("10000G")
            try await terminal.wait { $0.contains("10,000 / 50,000") && $0.contains("░") }
            try network.closeConnections()
            try network.resume()
            try await terminal.wait { $0.contains("10,000 / 50,000") && $0.contains("symbol-1") && !$0.contains("░") }

            // Quitting does not wait for the answer of the server.
            try network.stall()
            try terminal.press("&")
            try terminal.type("price > 7")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("▽ price > 7") && $0.contains("/ 50,000") }
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            #expect(try await terminal.unrestoredState() == "")
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.9: packets that are lost and sent again delay rows, but do not change them`() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.psql(
                """
                create table trades (id integer primary key, symbol text, price integer);
                insert into trades select i, 'symbol-' || (i % 8), (i * 7) % 50000 from generate_series(1, 50000) i; analyze
                """)
            let network = try SlowNetwork(to: server.port)
            defer { network.stop() }
            try network.delay(seconds: 0.02)
            try network.losePackets(share: 0.01)
            let terminal = try start("postgres://postgres@127.0.0.1:\(network.port)/postgres/trades")
            try await terminal.wait { $0.contains("1 / 50,000") && $0.contains("symbol-1") }
            for row in stride(from: 5_000, through: 45_000, by: 10_000) {
                try terminal.type("\(row)G")
                let (text, symbol) = ("\(row / 1_000),000 / 50,000", "symbol-\(row % 8)")
                try await terminal.wait { $0.contains(text) && $0.contains(symbol) && !$0.contains("░") }
            }
            try terminal.press("s")
            try await terminal.wait { $0.contains("▲") && !$0.contains("░") }
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
            // Every row arrives once.
            let url = "postgres://postgres@127.0.0.1:\(network.port)/postgres/trades"
            let outcome = try ProcessRunner(executable: ProgramUnderTest.path).run([url, "--columns", "id", "-o", "csv"])
            #expect(outcome.outputText == "id\n" + (1...50_000).map { "\($0)\n" }.joined(), "\(outcome.errorText)")
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.9: a statement that is cancelled in a slow network also ends on the server`() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            // In the first 600 rows, `cost` is 0. In the others it is slow to compute, so sorting by `cost` takes minutes.
            try server.psql(
                """
                create view slow as select id, case when id < 600 then 0 else (select count(*) from generate_series(1, 1000000 + id)) end \
                as cost from generate_series(1, 3000) id
                """)
            let network = try SlowNetwork(to: server.port)
            defer { network.stop() }
            let running = """
                select count(*) from pg_stat_activity where state = 'active' and query like '%"slow"%ORDER BY%cost%' and pid <> pg_backend_pid()
                """
            let terminal = try start("postgres://postgres@127.0.0.1:\(network.port)/postgres/slow")
            try await terminal.wait { $0.contains("1 / 3,000") }
            // More than two seconds pass until the server receives the cancellation.
            try network.delay(seconds: 1)
            try terminal.press("Right", "s")
            try await terminal.wait(for: "the statement") { try server.psql(running) == "1" ? true : nil }
            try terminal.press("Escape")
            try await terminal.wait { $0.contains("Cancelled: sorting by “cost”.") }
            try await terminal.wait(for: "its end") { try server.psql(running) == "0" ? true : nil }
            try network.delay(seconds: 0.2)
            try terminal.press("&")
            try terminal.type("id < 100")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("1 / 99") && !$0.contains("░") }
            #expect(try !terminal.screen().contains("onnect"))
        }

        @Test(.enabled(if: PostgresServer.isInstalled))
        func `19.4: a view can be read and filtered even if counting its rows reaches the time limit of the server`() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            // The last 100 rows take ten seconds.
            try server.psql("create table t as select i as id from generate_series(1, 1600) i")
            try server.psql(
                "create view slow as select id from t where case when id <= 1500 then true else pg_sleep(0.1)::text = '' end")
            let terminal = try start("postgres://postgres@127.0.0.1:\(server.port)/postgres?table=slow&statement_timeout=3000")
            try await terminal.wait { $0.contains("not counted: R counts") && $0.contains("may take at most 3s (statement_timeout)") }
            try terminal.type("600G")
            try await terminal.wait { $0.contains(" 600 / ") && $0.contains("│") && !$0.contains("░") }
            try terminal.press("&")
            try terminal.type("id > 10")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("▽ id > 10") && $0.contains("may take at most 3s (statement_timeout)") }
            try terminal.press("g")
            try await terminal.wait { $0.contains(" 1 / ") && $0.lines.contains { $0.hasSuffix(" 11") || $0.contains(" 11 ") } }
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }

        @Test func `19.1: a file: URL opens its file, and the error for other URLs suggests what to use`() throws {
            let path = try folder.file("a b.csv", "x\n1\n")
            let runner = ProcessRunner(executable: ProgramUnderTest.path)
            let url = "file://" + path.replacing(" ", with: "%20")
            #expect(try runner.run([url, "-o", "csv"]).outputText == "x\n1\n")
            for options in [[], ["-o", "csv"], ["--sql", "select 1"]] {
                let outcome = try runner.run(["mysql://root:pw@host/db"] + options)
                #expect(outcome.errorText.contains("'adbc:mysql?uri=…'") && !outcome.errorText.contains("pw"), "\(outcome.errorText)")
            }
        }
    }
}
