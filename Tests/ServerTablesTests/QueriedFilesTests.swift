import Testing

@testable import ServerTables

@Suite("Files of a statement") struct QueriedFilesTests {
    @Test(
        "19.70: the name before the first full stop is the name of the table",
        arguments: [
            ("trades.csv", "trades"), ("trades.2026.csv.gz", "trades"), (".hidden.json", "hidden"), ("two words.tsv", "two words"),
        ])
    func viewNames(_ name: String, _ view: String) { #expect(QueriedFiles.view(for: name) == view) }

    @Test(
        "19.70: the suffix decides how a file is read",
        arguments: [
            ("a.csv", "read_csv"), ("a.TSV.GZ", "read_csv"), ("a.b.txt", "read_csv"), ("a.jsonl.zst", "read_json"),
            ("a.parquet", "read_parquet"), ("a.parquet.gz", nil), ("a.xlsx", nil), ("csv", nil), ("a.gz", nil),
        ])
    func functions(_ name: String, _ function: String?) { #expect(QueriedFiles.function(for: name) == function) }

    @Test("19.70: names and paths are quoted, and memory is limited") func statements() throws {
        let files = try QueriedFiles(["it's.csv", "/data/a\"b[1].json"], threads: 3, memory: 1 << 30)
        #expect(
            files.statements.suffix(4) == [
                "SET threads = 3", "SET memory_limit = '1073741kB'",
                "CREATE VIEW \"it's\" AS SELECT * FROM read_csv('./it''s.csv')",
                "CREATE VIEW \"a\"\"b[1]\" AS SELECT * FROM read_json('/data/a\"b[[]1].json')",
            ])
        #expect(files.statements.contains("SET temp_directory = ''"))
    }

    @Test("19.70: files that a statement cannot read are named, with what to do") func errors() {
        func message(_ paths: String...) -> String? {
            do throws(ServerError) {
                _ = try QueriedFiles(paths, threads: 1, memory: 0)
                return nil
            } catch { return error.message }
        }
        #expect(
            message("a/book.xlsx")
                == "A statement cannot read book.xlsx. It can read CSV, TSV, JSON and Parquet files: write it as one, as in gridview FILE "
                + "-o parquet > copy.parquet.")
        #expect(message("-")?.hasSuffix("as in gridview - -o parquet > copy.parquet.") == true)
        #expect(
            message("a.csv", "b/A.json")
                == "Two files would have the name A in the statement. Write their paths in it, as in from 'FILE'.")
        #expect(message("logs/*.csv") == "Write the pattern logs/*.csv in the statement, as in from 'logs/*.csv', and not as a file.")
    }
}
