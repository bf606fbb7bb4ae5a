import DelimitedText
import FieldValues
import Foundation
import TableFormats
import Tables
import Testing

/// `Examples/data/samples` has the same 60 trades in every format. `Examples/data/make-samples.py` writes them.
@Suite struct SampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Examples/data/samples"
    ).standardizedFileURL.path

    /// The names of the files with all columns, and the columns whose kind differs from the CSV file.
    private static let wholeSamples: [(file: String, kinds: [String: ValueKind])] = [
        ("trades.tsv", [:]), ("trades.csv.gz", [:]), ("trades.csv.zst", [:]), ("trades.csv.xz", [:]), ("trades.csv.lzma", [:]),
        ("trades.csv.bz2", [:]), ("trades.csv.lz4", [:]), ("trades.csv.bgz", [:]), ("trades.zip", [:]), ("trades.jsonl", [:]),
        ("trades.json", [:]), ("trades.md", [:]), ("trades.psql.txt", [:]), ("trades.mysql.txt", [:]), ("trades.duckdb.txt", [:]),
        ("trades.logfmt", [:]), ("trades.parquet", [:]), ("trades.arrow", [:]), ("trades.arrows", [:]), ("trades.feather", [:]),
        ("trades.xlsx", [:]), ("trades.ods", [:]),
        // SQLite has neither dates nor flags.
        ("trades.db", ["settled": .integer]), ("by-day", [:]),
    ]
    /// The names of the files without some of the columns, with other columns, or in another form.
    private static let partialSamples = [
        "trades.fixed.txt", "trades.access.log", "trades.syslog", "trades.log", "trades.export", "trades.lines.txt", "trades.nested.json",
        "trades.dump.tsv", "by-side.xlsx", "by-side.db",
    ]

    private func open(_ name: String, table: String? = nil) throws -> any TableSource {
        let source = try FileOpener(table: table).open(path: "\(Self.folder)/\(name)")
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    /// The kinds of the columns by title.
    private func kinds(_ source: any TableSource) -> [String: ValueKind] {
        Dictionary(
            zip(titles(source), source.profiles(budgetMilliseconds: 1_000).map(\.kind)), uniquingKeysWith: { first, _ in first })
    }

    /// The columns by title, in a form that is the same for all formats, which differ in trailing zeros, and in missing and empty strings.
    private func columns(_ source: any TableSource, _ kinds: [String: ValueKind]) throws -> [String: [String]] {
        let rows = try rows(source)
        var columns: [String: [String]] = [:]
        for (column, title) in titles(source).enumerated() {
            columns[title] = rows.map { row in
                guard let text = row[column], !["", "-", "NULL"].contains(text) else { return "" }
                switch kinds[title] {
                case .integer, .decimal: return Double(text).map { "\($0)" } ?? "not a number: \(text)"
                case .dateTime: return text.replacingOccurrences(of: "T", with: " ")
                case .flag: return ["true", "1"].contains(text.lowercased()) ? "true" : "false"
                default: return text
                }
            }
        }
        return columns
    }

    @Test(arguments: SampleTests.wholeSamples.map(\.file))
    func `G1: a sample of each format has the rows and types of the CSV file`(name: String) throws {
        let csv = try open("trades.csv")
        let expectedKinds = kinds(csv)
        let expected = try columns(csv, expectedKinds)
        #expect(expected["id"]?.count == 60 && expectedKinds["timestamp"] == .dateTime && expectedKinds["settled"] == .flag)
        #expect(expectedKinds["price"] == .decimal && expectedKinds["quantity"] == .integer && expected["change"]?.contains("") == true)
        let source = try open(name)
        #expect(source.problems == [])
        let found = try columns(source, expectedKinds)
        let foundKinds = kinds(source)
        let exceptions = Self.wholeSamples.first { $0.file == name }?.kinds ?? [:]
        for title in titles(csv) {
            #expect(found[title] == expected[title], "\(name): \(title)")
            #expect(foundKinds[title] == exceptions[title] ?? expectedKinds[title], "\(name): \(title)")
        }
        switch name {
        case "by-day": #expect(found["day"] == expected["timestamp"]?.map { String($0.prefix(10)) })
        // The first line has no `change` field, so this column is found later.
        case "trades.logfmt": #expect(Set(titles(source)) == Set(titles(csv)))
        default: #expect(titles(source) == titles(csv))
        }
    }

    @Test func `G1: the samples of logs and aligned text have the values of the CSV file`() throws {
        let csv = try open("trades.csv")
        let expectedKinds = kinds(csv)
        let expected = try columns(csv, expectedKinds)
        let aligned = try open("trades.fixed.txt")
        let found = try columns(aligned, expectedKinds)
        #expect(titles(aligned) == titles(csv).filter { $0 != "company" })
        for title in titles(aligned) { #expect(found[title] == expected[title], "\(title)") }

        let symbols = try #require(expected["symbol"])
        let log = try rowTexts(open("trades.access.log"))
        let ids = try rowTexts(csv).map { $0[0] }
        #expect(log.count == 60)
        for (row, fields) in log.enumerated() {
            #expect(fields.contains(symbols[row]) && fields.contains { $0.contains(ids[row]) }, "\(fields)")
        }
        for (row, fields) in try rowTexts(open("trades.syslog")).enumerated() {
            #expect(fields.contains(symbols[row].lowercased()) && fields.contains(ids[row]), "\(fields)")
        }
        let journal = try open("trades.export")
        #expect(titles(journal).suffix(2) == ["MESSAGE", "TRADER"] && kinds(journal)["__REALTIME_TIMESTAMP"] == .dateTime)
        for (row, fields) in try rowTexts(journal).enumerated() {
            #expect(fields.contains("\(symbols[row].lowercased())\ntrade \(ids[row])"), "\(fields)")
        }
        let program = try open("trades.log")
        #expect(titles(program) == ["time", "level", "source", "message"] && kinds(program)["time"] == .dateTime)
        for (row, fields) in try rowTexts(program).enumerated() {
            #expect(fields[2] == symbols[row].lowercased() && fields[3].hasSuffix("trade \(ids[row])"), "\(fields)")
        }
        let lines = try rowTexts(open("trades.lines.txt"))
        #expect(lines.count == 60 && lines[0] == ["Monday: sell 5500 Kite Logistics at 64.92"])
    }

    @Test func `the sample of a dump of PostgreSQL has the values and types of the CSV file, and nulls`() throws {
        let csv = try open("trades.csv")
        let expectedKinds = kinds(csv)
        let expected = try columns(csv, expectedKinds)
        var request = DialectRequest(quote: .some(nil))
        request.escape = UInt8(ascii: "\\")
        let dump = try FileOpener(dialect: request).open(path: "\(Self.folder)/trades.dump.tsv")
        try dump.readAll(threads: 2) { _ in true }
        let found = try columns(dump, expectedKinds)
        let foundKinds = kinds(dump)
        for title in titles(csv) { #expect(found[title] == expected[title] && foundKinds[title] == expectedKinds[title], "\(title)") }
        let notes = zip(zip(expected["symbol"] ?? [], expected["side"] ?? []), try rows(csv).map { $0[7] ?? "" })
        #expect(found["note"] == notes.map { "\($0.0)\t\($0.1)\nat \($1)" })
        #expect(dump.hasNulls && dump.problems.isEmpty)
    }

    @Test func `G1: objects in the sample of nested JSON are columns, and arrays are cells`() throws {
        let csv = try open("trades.csv")
        let expected = try columns(csv, kinds(csv))
        let nested = try open("trades.nested.json")
        let foundKinds = kinds(nested)
        let found = try columns(nested, foundKinds)
        for (title, other) in [
            ("id", "id"), ("timestamp", "timestamp"), ("company.symbol", "symbol"), ("company.name", "company"),
            ("company.sector", "sector"), ("order.side", "side"), ("order.quantity", "quantity"), ("order.price", "price"),
            ("trader", "trader"),
        ] { #expect(found[title] == expected[other], "\(title)") }
        #expect(titles(nested).last == "tags" && found["tags"]?.first == "[\"settled\",\"large\"]", "\(found["tags"]?.first ?? "none")")
    }

    @Test(arguments: ["by-side.xlsx", "by-side.db"])
    func `G1: a sample with several tables is a list, and each table opens by its name`(name: String) throws {
        #expect(try rows(open(name)).map { $0[0] } == ["BUY", "SELL"])
        let csv = try open("trades.csv")
        let expectedKinds = kinds(csv)
        let expected = try columns(csv, expectedKinds)
        let sides = try #require(expected["side"])
        for side in ["BUY", "SELL"] {
            let table = try open(name, table: side)
            let found = try columns(table, expectedKinds)
            for title in titles(csv) {
                let values = zip(expected[title] ?? [], sides).filter { $0.1 == side }.map(\.0)
                #expect(values.count > 20 && found[title] == values, "\(side): \(title)")
            }
        }
    }

    @Test func `G1: each sample has a test, and none is larger than 20 kB`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(names) == Set(["trades.csv"] + Self.wholeSamples.map(\.file) + Self.partialSamples))
        for name in names where name != "by-day" {
            let size = try FileManager.default.attributesOfItem(atPath: "\(Self.folder)/\(name)")[.size] as? Int
            #expect(size.map { $0 < 20_000 } == true, "\(name)")
        }
    }
}
