import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import ServerTables

@Suite("Files of a statement") struct QueriedFilesTests {
    @Test(
        arguments: [
            ("trades.csv", "trades"), ("trades.2026.csv.gz", "trades"), (".hidden.json", "hidden"), ("two words.tsv", "two words"),
        ])
    func `19.10: the name of a file up to the first full stop is the name of its table`(_ name: String, _ view: String) {
        #expect(QueriedFiles.view(for: name) == view)
    }

    @Test(
        arguments: [
            ("a.csv", "read_csv"), ("a.TSV.GZ", "read_csv"), ("a.b.txt", "read_csv"), ("a.jsonl.zst", "read_json"),
            ("a.parquet", "read_parquet"), ("a.parquet.gz", nil), ("a.xlsx", nil), ("csv", nil), ("a.gz", nil),
        ])
    func `19.10: the suffix decides how a file is read`(_ name: String, _ function: String?) {
        #expect(QueriedFiles.function(for: name) == function)
    }

    @Test func `19.10: names and paths are quoted, and memory is limited`() throws {
        let files = try QueriedFiles(["it's.csv", "/data/a\"b[1].json"], threads: 3, memory: 1 << 30)
        #expect(
            files.setup.map(\.text).suffix(5) == [
                "SET threads = 3", "SET memory_limit = '1073741kB'",
                "CREATE VIEW \"it's\" AS SELECT * FROM read_csv('./it''s.csv', hive_partitioning = false)",
                "CREATE VIEW \"a\"\"b[1]\" AS SELECT * FROM read_json('/data/a\"b[[]1].json', hive_partitioning = false)",
                "SET lock_configuration = true",
            ])
        #expect(files.setup.contains { $0.text == "SET temp_directory = ''" })
        #expect(files.setup.filter(\.isOptional).map(\.text) == files.setup.map(\.text).filter { $0.hasPrefix("CREATE VIEW") })
    }

    @Test func `19.10: a statement that uses a file that DuckDB cannot read fails with the error of that file`() throws {
        let files = try QueriedFiles(["good.csv", "Two words.csv", "a.json"], threads: 1, memory: 0)
        let place = try #require(files.setup.firstIndex { $0.text.contains("Two words") })
        let failures = [ServerDatabase.SetupFailure(index: place, error: ServerError("Bad bytes\nLINE 1: create"))]
        #expect(files.views(without: failures) == ["good", "a"])
        func message(_ text: String) -> String { files.statementError(ServerError(text), failures).message }
        #expect(message("Table with name two words does not exist! LINE 1: x") == "DuckDB cannot read Two words.csv. Bad bytes.")
        #expect(message("Table with name words does not exist!") == "Table with name words does not exist!")
        let advice =
            "requires the extension httpfs to be loaded\n\nPlease try:\nINSTALL httpfs;\nLOAD httpfs;\nLINE 1: x"
        #expect(message(advice).hasPrefix("A statement cannot read files from the web") && !message(advice).contains("INSTALL"))
        let spatial = message("it exists in the spatial extension. INSTALL spatial; LOAD spatial;")
        #expect(spatial.contains("extension spatial, which gridview does not load") && !spatial.contains("INSTALL"))
        #expect(message("Column two words not found") == "Column two words not found")
    }

    @Test func `19.10: the error for a file that a statement cannot read names the file and says what to do`() {
        func message(_ paths: String...) -> String? {
            do throws(ServerError) {
                _ = try QueriedFiles(paths, threads: 1, memory: 0)
                return nil
            } catch { return error.message }
        }
        #expect(
            message("a/book.xlsx")
                == "A statement cannot read book.xlsx. It can read CSV, TSV, JSON and Parquet files. Convert book.xlsx first, as in "
                + "gridview a/book.xlsx -o parquet > copy.parquet.")
        #expect(message("a/my book.xlsx")?.hasSuffix("as in gridview 'a/my book.xlsx' -o parquet > copy.parquet.") == true)
        #expect(
            message("a/shop.DB")
                == "A statement cannot read shop.DB as a file. To run it in SQLite, write gridview sqlite:a/shop.DB --sql.")
        #expect(message("my shop.sqlite")?.hasSuffix("write gridview 'sqlite:my shop.sqlite' --sql.") == true)
        #expect(message("a.csv", "shop.db")?.hasSuffix("as in gridview shop.db --table NAME -o parquet > copy.parquet.") == true)
        #expect(message("-")?.hasSuffix("as in gridview - -o parquet > copy.parquet.") == true)
        #expect(
            message("a.csv", "b/A.json")
                == "Two files would have the name A in the statement. Write their paths in it, as in from 'FILE'.")
        #expect(message("x[1]\\b.csv") == "DuckDB cannot read files with both [ and \\ in their names. Rename x[1]\\b.csv.")
        #expect(
            message("logs/*.csv")
                == "Put the pattern logs/*.csv in the statement, as in from 'logs/*.csv', instead of the file arguments.")
    }

    @Test func `19.2: only the columns that are declared as JSON have JSON values in a result that is stored in a file`() throws {
        let rows = SpooledRows(columnCount: 3, jsonColumns: [1], in: MemoryFile())
        try rows.read(while: { _ in true }) { appender in
            for row in [["[1]", "[1]", "2"], ["{}", "not JSON", "3"], ["{}", nil, "4"], ["5", "\"s\"", "6"]] {
                _ = try FieldBytes.withFields(of: row) { try appender.append($0) }
            }
        }
        let table = rows.snapshot()
        #expect(table.hasNestedValues)
        var found: [[String?]] = []
        // The scan requests the JSON values of column 1 twice, with other columns between them.
        let json = FieldID.firstNestedColumn + 1
        try table.scan(0..<4, columns: [json, 1, FieldID.firstNestedColumn, 2, 7, json]) { _, fields in
            found.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        #expect(
            found == [
                ["[1]", "[1]", nil, "2", nil, "[1]"], [nil, "not JSON", nil, "3", nil, nil], [nil, nil, nil, "4", nil, nil],
                ["\"s\"", "\"s\"", nil, "6", nil, "\"s\""],
            ])
        #expect(!SpooledRows(columnCount: 1, in: MemoryFile()).snapshot().hasNestedValues)
    }
}

/// A scratch file in memory.
private final class MemoryFile: ScratchFile {
    private let bytes = Mutex<[UInt8]>([])

    func write(_ written: UnsafeRawBufferPointer, at offset: Int) {
        bytes.withLock { bytes in
            bytes += [UInt8](repeating: 0, count: max(0, offset + written.count - bytes.count))
            bytes.replaceSubrange(offset..<offset + written.count, with: written)
        }
    }

    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.withLock { target.copyBytes(from: $0[offset..<offset + target.count]) }
    }
}

@Suite("Results of statements on files", .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
struct FileQueryTests {
    private let folder: TemporaryFolder
    private let helper: String

    init() throws {
        folder = try TemporaryFolder()
        helper = try #require(DuckDBDriver.installed).helper(in: folder)
    }

    private func open(_ statement: String) throws -> FileQuerySource {
        let files = try QueriedFiles([], threads: 2, memory: 1 << 30)
        return try FileQuerySource(statement, on: files, in: MemoryFile(), helperPath: helper, isCancelled: { false })
    }

    @Test func `19.10: long nested values are complete, and cells of more than 16 MiB are reported`() throws {
        func cell(_ statement: String) throws -> (text: String, cuts: [CutFields.Cut], isPartial: Bool?) {
            let source = try open(statement)
            try source.readAll(threads: 1) { _ in true }
            var text = ""
            let cuts = CutFields()
            let table = source.snapshot()
            try table.recordingCuts(in: cuts).scan(0..<1, columns: [0]) { _, fields in
                text = String(decoding: fields[0].bytes, as: UTF8.self)
                return true
            }
            let record = try #require(try table.records(0..<1, maximumFieldBytes: 100).first)
            return (text, cuts.all, try table.lazyRecord(record, number: 0).field(0)?.isPartial)
        }
        let list = try cell("select range(300000) as x")
        #expect(list.text.hasPrefix("[0,1,2,") && list.text.hasSuffix(",299999]") && list.cuts.isEmpty && list.isPartial == false)
        let long = try cell("select repeat('é', 9000000) as x")
        #expect(long.text.utf8.count == 16 << 20)
        let limit = "cells are cut if they are larger than 16 MiB, or if their row is larger than 24 MiB"
        #expect(long.cuts == [CutFields.Cut(record: 0, column: 0, limit: limit)] && long.isPartial == true)
        #expect(try cell("select 'x' as x union all select repeat('é', 9000000)").cuts.isEmpty, "the scan reads only the first row")
        let longList = try cell("select list_value(repeat('x', 9000000), repeat('y', 9000000), 'z') as x")
        #expect(longList.text.utf8.count == 16 << 20 && longList.cuts.count == 1)
        let tooLarge = "340282366920938463463374607431768211455::uhugeint"
        for value in ["[\(tooLarge)]", "map {'k': \(tooLarge)}"] {
            #expect(throws: ServerError.self) { try cell("select \(value) as x") }
        }
        #expect(try cell("select map {'k': 1} as x").text == "{\"k\":1}")
    }

    @Test func `19.10: after reading was stopped, it continues without running the statement again`() throws {
        let source = try open("select i from range(3000000) t(i) order by random()")
        for _ in 0..<3 { try source.readAll(threads: 1) { _ in false } }
        try source.readAll(threads: 1) { _ in true }
        let table = source.snapshot()
        #expect(table.isComplete && table.recordCount == 3_000_000 && !source.isGrowing)
        var isFound = [Bool](repeating: false, count: 3_000_000)
        try table.scan(0..<table.recordCount, columns: [0]) { _, fields in
            isFound[Int(String(decoding: fields[0].bytes, as: UTF8.self)) ?? 0] = true
            return true
        }
        #expect(isFound.allSatisfy { $0 })
    }

    @Test func `19.10: a failed statement is not run again`() throws {
        let source = try open("select case when i = 2000000 then error('stop') else i end as i from range(3000000) t(i)")
        for _ in 0..<2 {
            let error = #expect(throws: ServerError.self) { try source.readAll(threads: 1) { _ in true } }
            #expect(error?.message.contains("stop") == true)
        }
        #expect(source.snapshot().recordCount < 2_000_001 && !source.snapshot().isComplete)
    }

    @Test func `19.10: columns have the types of the result`() throws {
        let source = try open(
            "select 1 as i, 1.5::double as d, 2::ubigint as u, 'x' as t, date '2026-01-02' as day, now() as at, true as flag")
        #expect(source.profiles(ofColumnsFrom: 0).map(\.kind) == [.integer, .decimal, .decimal, .text, .date, .dateTime, .flag])
    }

    @Test func `19.10: columns with equal names get numbers, and keep their values`() throws {
        let source = try open("select 1 as id, 2 as id, 'it''s' as note")
        let titles = (0..<3).map { source.title(ofColumn: $0) }
        #expect(titles[0] == "id" && titles[1].hasPrefix("id") && titles[1] != "id" && titles[2] == "note")
        try source.readAll(threads: 1) { _ in true }
        var values: [String] = []
        try source.snapshot().scan(0..<1, columns: [0, 1, 2]) { _, fields in
            values = fields.map { String(decoding: $0.bytes, as: UTF8.self) }
            return true
        }
        #expect(values == ["1", "2", "it's"])
    }
}
