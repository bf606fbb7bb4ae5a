import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// A session with a database: the list of tables, pages, sort, filter, groups, search, and a lost connection.
    @Suite struct ServerWalkTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func start(_ url: String) throws -> TerminalDriver {
            try TerminalDriver([ProgramUnderTest.path, url], columns: 80, rows: 16)
        }

        /// The same keys on every database. The table has the columns id, symbol and price, and 5,000 rows.
        private func walk(_ terminal: TerminalDriver) async throws {
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
            try await terminal.wait { $0.contains("Plan") && !$0.contains("Asking") }
            try terminal.press("y")
            try await terminal.wait { $0.contains("Copied the first statement") }
            try terminal.press("Escape", "\\")
            try await terminal.wait { $0.contains("/ 5,000") }
            try terminal.press("Left", "z", "g")
            try await terminal.wait { $0.contains("symbol-0 (625)") || $0.contains("symbol-0") && $0.contains("625") }
            try terminal.press("z", "M")
            try await terminal.wait { $0.contains("symbol-7") }
            try terminal.press("U", "U", "/")
            try terminal.type("symbol-5")
            try terminal.press("Enter")
            try await terminal.wait { $0.contains("symbol-5") }
            // The list has its title below the tabs, and its header below the title.
            try terminal.press("C-PageUp")
            try await terminal.wait { $0.lines[1].contains("2 × ") && $0.lines[2].contains("kind") }
            try terminal.press("C-PageDown")
            try await terminal.wait { $0.lines[1].contains("trades  5,000") }
        }

        private static let rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)"

        @Test("19: SQLite: open, page, sort, filter, group, search") func sqlite() async throws {
            let path = folder.place("shop.db")
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
            try await walk(try start("sqlite:\(path)"))
        }

        @Test("19: PostgreSQL: the same, a closed connection, and a stopped server", .enabled(if: PostgresServer.isInstalled))
        func postgres() async throws {
            let server = try PostgresServer()
            defer { server.stop() }
            try server.psql(
                """
                create table aside (a text); create table trades (id integer primary key, symbol text, price integer);
                insert into trades \(Self.rows) select i, 'symbol-' || (i % 8), (i * 7) % 5000 from n; analyze
                """)
            let terminal = try start("postgres://postgres:se-cret@127.0.0.1:\(server.port)/postgres")
            try await walk(terminal)
            #expect(try !terminal.screen().contains("se-cret"))
            try server.psql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gridview'")
            try terminal.press("g", "Left", "s")
            try await terminal.wait { $0.contains("id ▲") }
            server.stop()
            try terminal.press("s")
            try await terminal.wait { $0.contains("onnect") }
            #expect(try terminal.screen().contains("symbol-"), "the rows stay")
            try terminal.press("q")
            #expect(try await terminal.waitForExit() == 0)
        }
    }
}
