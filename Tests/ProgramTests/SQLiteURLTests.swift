import Foundation
import GridTestSupport
import Testing

extension InTerminal {
    /// A database of SQLite as a file that gridview reads itself, and through its library.
    @Suite struct SQLiteURLTests {
        private let folder: TemporaryFolder
        private let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path(of: "mixed.db")
            let script = """
                import sqlite3, sys
                c = sqlite3.connect(sys.argv[1])
                c.executescript('''
                create table t (id integer primary key, txt text, mix, day date, moment datetime, num decimal(10,2), i integer, r real);
                create view v as select id, mix, id * 2 as twice, cast(txt as text) as digits, day as d from t;
                create table s (id integer primary key, a any, b text, c real) strict;
                create table huge (id integer primary key, i integer, u);
                create table p (id integer primary key, region text, year integer, amount real);
                create table far (id integer primary key);
                with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) insert into far select i from n;''')
                regions = ['N', 'S', '', None, ' ', '\\u00e9', 'e\\u0301', '\\u65e5\\u672c', 'x by y']
                c.executemany('insert into p values (?, ?, ?, ?)', [
                    (i, regions[i % 9], [2021, None, 2022, 2023][i % 7 % 4], [1.5, None, i][i % 3]) for i in range(200)])
                c.executemany('insert into t values (?, ?, ?, ?, ?, ?, ?, ?)', [
                    (1, '10', 10, '2024-01-05', '2024-01-05 10:00:00', 1.5, 5, 0.1),
                    (2, '9', '9', '2023-12-31', '2023-12-31T09:30', 10, None, 1e308),
                    (3, '', None, None, None, None, 7, None), (4, None, '-1', '2024-10-01', '2024-10-01 00:00:01', 2, 9007199254740993, 2.5),
                    (5, '100', 2**63 - 1, '2024-02-01', '2024-02-01', 9007199254740993, 8, 3.0), (6, '2', -3, '1999-01-01', None, 3, 1, 4.0),
                    (7, '30', 5, '2000-02-29', None, -1, 2, 5.5), (8, '4', None, '2001-01-01', None, 4, 3, 1.0),
                    (9, '55', '9007199254740993', '2002-01-01', None, 0, 4, 2.0), (10, '6', 7, '2003-01-01', None, 7, 6, 0.1 + 0.2)])
                c.executemany('insert into s values (?, ?, ?, ?)', [(1, 10, '1', 1.0), (2, 9, '2', 2.0), (3, 100, '', 3.5)])
                c.executemany('insert into huge values (?, ?, ?)', [(1, 2**63 - 1, 2**63 - 1), (2, 2**63 - 1, 5), (3, -7, None)])
                c.commit()
                """
            try programOutput("/usr/bin/env", ["python3", "-c", script, path])
        }

        private func output(_ input: String, _ options: [String]) throws -> String {
            let outcome = try ProcessRunner(executable: ProgramUnderTest.path).run([input] + options)
            #expect(outcome.status == .code(0), "\(input) \(options): \(outcome.errorText)")
            return outcome.outputText
        }

        @Test(
            arguments: [
                "--table t -o jsonl", "--table t -o sql", "--table v -o jsonl", "--table v -o sql", "--table s -o jsonl",
                "--table s -o sql", "--table t --sort mix", "--table t --sort mix:desc", "--table t --sort day",
                "--table t --sort moment:desc", "--table t --sort num", "--table v --sort digits", "--table v --sort twice:desc",
                "--table v --sort d", "--table s --sort a", "--table t --filter mix>5", "--table t --filter mix!=10",
                "--table t --filter mix=9007199254740993", "--table t --filter txt>5", "--table t --filter txt=10",
                "--table t --filter day>2001-01-01", "--table t --filter moment<2024-01-01", "--table t --filter num>=2",
                "--table v --filter digits<10", "--table v --filter twice>7", "--table s --filter a>9",
            ])
        func `the output for a sqlite: URL equals that for the file, whatever types the values have`(options: String) throws {
            var options = options.split(separator: " ").map(String.init)
            if !options.contains("-o") { options += ["-o", "csv"] }
            #expect(try output("sqlite:" + path, options) == output(path, options))
        }

        @Test(
            arguments: [
                ["region:text by year"], ["year by region:text: sum(amount), mean(amount), count"], ["by year:desc: max(id)"],
                ["region:text, year by amount: count(id), distinct(region)"], ["region:count:desc by year:sum(id):desc: min(amount)"],
                ["region:text by year: sum(id)", "--filter", "amount > 1", "--sort", "2022:desc"],
                ["region:text by next: sum(id)", "--derive", "next = year + 1"],
            ])
        func `D23: pivot tables of a sqlite: URL equal those of the file`(options: [String]) throws {
            let options = ["--table", "p", "-o", "json", "--pivot"] + options
            #expect(try output("sqlite:" + path, options) == output(path, options))
        }

        @Test(arguments: ["3 0 0 0 g", "G 2 0 0 0 k", "S 2 0 0 1 g"])
        func `D15: a printed screen of a sqlite: URL waits for rows that are fetched later`(keys: String) throws {
            let options = ["--table", "far", "--print-screen", "--size", "40x9", "--press", keys]
            func rows(_ input: String) throws -> [String] {
                try output(input, options).split(separator: "\n").dropFirst(2).prefix(5).map { $0.filter { $0.isNumber || $0 == "░" } }
            }
            #expect(try rows("sqlite:" + path) == rows(path))
        }

        @Test(arguments: ["-- all rows\nselect 1 as a", "--all rows\nselect 1 as a -- end", "--\nselect 1 as a;"])
        func `a statement of --sql can begin with a comment`(statement: String) throws {
            #expect(try output("sqlite:" + path, ["--sql", statement, "-o", "csv"]) == "a\n1\n")
            let missing = try ProcessRunner(executable: ProgramUnderTest.path).run(["sqlite:" + path, "--sql", "--output", "csv"])
            #expect(missing.errorText.contains("Missing value for '--sql"), "\(missing.errorText)")
        }

        @Test func `statistics of a sqlite: URL have a mean, a range and an exact sum even beyond 64 bits`() throws {
            let columns = ["column", "values", "invalid", "min", "max", "sum"]
            func rows(_ input: String, _ table: String) throws -> [[String]] {
                let lines = try output(input, ["--table", table, "--stats", "-o", "csv"]).split(separator: "\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                }
                let places = columns.compactMap { lines[0].firstIndex(of: $0) }
                try #require(places.count == columns.count)
                return lines.map { line in places.map { line[$0] } }
            }
            #expect(try rows("sqlite:" + path, "huge") == rows(path, "huge"))
            #expect(try rows("sqlite:" + path, "huge")[2] == ["i", "3", "0", "-7", "9223372036854775807", "18446744073709551607"])
            let dates = try #require(try rows("sqlite:" + path, "t").first { $0[0] == "day" })
            #expect(dates == ["day", "9", "0", "1999-01-01", "2024-10-01", ""])
        }
    }
}
