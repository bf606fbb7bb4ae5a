import DelimitedText
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Files with several tables.
@Suite struct ContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.6: a list of tables satisfies the table contract`() throws {
        let file = try #require(BinaryFile(path: folder.file("data.db", "…")))
        let entries = [
            ContainerEntry(name: "trades", kind: "table", rows: 12_000, columns: 4), ContainerEntry(name: "12", kind: "view", columns: 2),
            ContainerEntry(name: "a:b", kind: "virtual", note: "hidden"),
        ]
        let source = ContainerSource(file, entries, details: [("format", "test")])
        #expect(titles(source) == ["name", "kind", "rows", "columns", "note"])
        let expected = [
            ["trades", "table", "12000", "4", nil], ["12", "view", nil, "2", nil], ["a:b", "virtual", nil, nil, "hidden"],
        ]
        var conformance = TableConformance(source: source, rows: expected, random: SplitMix64(seed: 1))
        try conformance.check(source.snapshot())
        #expect(source.profiles(ofColumnsFrom: 0).map(\.kind) == [.text, .text, .integer, .integer, .text])
        #expect(source.path(ofTableInRecord: 0) == folder.path(of: "data.db") + ":trades")
        #expect(source.path(ofTableInRecord: 2) == folder.path(of: "data.db") + ":a:b")
        #expect(source.path(ofTableInRecord: 3) == nil && source.path(ofTableInRecord: -1) == nil)
        #expect(source.checkForChange() == .unchanged)
        let other: any TableSource = MemorySource(name: "m", titles: ["a"], rows: [["1"]])
        #expect(other.path(ofTableInRecord: 0) == nil)
    }

    @Test func `18.6: a path with colons is divided at the last colon that follows the name of an existing file`() throws {
        let plain = try folder.file("a", "")
        let colon = try folder.file("a:b", "")
        #expect(TablePath(plain) == nil && TablePath(colon) == nil)
        #expect(TablePath(folder.path(of: "a:c")) == TablePath(file: plain, table: "c"))
        #expect(TablePath(folder.path(of: "a:b:c")) == TablePath(file: colon, table: "c"))
        #expect(TablePath(folder.path(of: "a:c:d:")) == TablePath(file: plain, table: "c:d:"))
        #expect(TablePath(folder.path(of: "a:")) == TablePath(file: plain, table: ""))
        #expect(TablePath(folder.path(of: "b:c")) == nil)
        #expect(TablePath(":") == nil && TablePath("") == nil)
        for name in ["t", "t:ä:x", ""] {
            #expect(TablePath(TablePath(file: plain, table: name).text) == TablePath(file: plain, table: name))
        }
    }

    @Test func `18.6: an unknown table name is an error that lists the tables`() throws {
        let names = ["trades", "Quotes", "2024"]
        #expect(try TableChoice.index(of: nil, among: names, file: "a.db") == nil)
        #expect(try TableChoice.index(of: nil, among: ["t"], file: "a.db") == 0)
        #expect(try TableChoice.index(of: "2024", among: names, file: "a.db") == 2)
        #expect(try TableChoice.index(of: "quotes", among: names, file: "a.db") == 1)
        #expect(try TableChoice.index(of: "T", among: ["t", "T"], file: "a.db") == 1)
        #expect(
            TableChoice.unknownTableError("trade", among: names, file: "a.db").message
                == "a.db has no table “trade”. Did you mean “trades”? It has the tables trades, Quotes, 2024.")
        #expect(
            TableChoice.unknownTableError("x", among: (1...1_200).map { "sheet \($0)" }, kind: "sheet", file: "a.xlsx").message
                == "a.xlsx has no sheet “x”. It has the sheets sheet 1, sheet 2, sheet 3, sheet 4, sheet 5, sheet 6, sheet 7, sheet 8 "
                + "and 1,192 more.")
        #expect(TableChoice.unknownTableError("x", among: [], file: "a.db").message == "a.db has no table “x”. It has no tables.")
        #expect(throws: FormatError.self) { try TableChoice.index(of: "x", among: names, file: "a.db") }
    }

    @Test func `18.6: a table name for a text file is an error`() throws {
        let path = try folder.file("a.csv", "a,b\n1,2\n")
        #expect(throws: FormatError("a.csv has only one table. Open it without “t”.")) { try FileOpener().open(path: path + ":t") }
        #expect(throws: FormatError("a.csv has only one table. Open it without “t”.")) { try FileOpener(table: "t").open(path: path) }
        #expect(throws: DelimitedTextError.self) { try FileOpener().open(path: folder.path(of: "b.csv:t")) }
        #expect(throws: (any Error).self) { try FileOpener().open(path: path + "/:t") }
        // A path with a colon opens a file if the file has this name.
        let colon = try folder.file("x:y.csv", "a,b\n1,2\n")
        #expect(try FileOpener().open(path: colon).columnCount == 2)
    }
}
