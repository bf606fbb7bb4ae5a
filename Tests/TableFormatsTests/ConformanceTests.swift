import DataGridQuery
import DelimitedText
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Every kind of table satisfies the table contract.
@Suite struct ConformanceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let words = [
        "", "a", "ä", "two words", "x|y", "1,5", "12", "-3.25", "“q”", "a\\b", "&lt;", "日本", "long text with many words in it",
    ]

    /// Rows of equal length, more than fit in one block of a scan.
    private static func rows(_ count: Int, _ width: Int, _ words: [String], _ random: inout SplitMix64) -> [[String?]] {
        (0..<count).map { _ in (0..<width).map { _ in words.randomElement(using: &random)! } }
    }

    @Test(arguments: [0, 1, 3_000]) func `D1: a table in memory satisfies the table contract`(count: Int)
        throws
    {
        var random = SplitMix64(seed: 1)
        var rows = Self.rows(count, 3, Self.words, &random)
        // Short rows have missing fields.
        for index in rows.indices where index % 7 == 0 { rows[index].removeLast() }
        let source = MemorySource(name: "memory", titles: ["a", "b", "c"], rows: rows)
        var conformance = TableConformance(source: source, rows: rows, random: random)
        try conformance.check(source.snapshot())
    }

    @Test(arguments: [0, 1, 30_000]) func `D1: delimited text satisfies the table contract`(count: Int)
        throws
    {
        var random = SplitMix64(seed: 2)
        let rows = Self.rows(count, 3, Self.words, &random)
        let text = "a,b,c\n" + rows.map { $0.map { "\"\($0!)\"" }.joined(separator: ",") + "\n" }.joined()
        let source = try FileOpener(dialect: DialectRequest(hasHeader: true)).open(path: folder.file("t.csv", text))
        #expect(source is DelimitedFile)
        try source.readAll(threads: 2) { _ in true }
        var conformance = TableConformance(source: source, rows: rows, random: random)
        try conformance.check(source.snapshot())
    }

    @Test(arguments: [0, 1, 30_000], [false, true])
    func `delimited text with escapes satisfies the table contract`(count: Int, hasQuotes: Bool) throws {
        var random = SplitMix64(seed: 7)
        let words = Self.words + ["two\nlines", "a \"b\"", #"\N"#, #"\"#, #"\\"#, "N"]
        var rows = Self.rows(count, 3, words, &random)
        // A null is missing. The first column has text, because a table of nulls would not be tested.
        if !hasQuotes { for index in rows.indices where index % 3 == 0 { rows[index][index % 2 + 1] = nil } }
        func field(_ text: String?) -> String {
            guard let text else { return #"\N"# }
            let escaped = text.replacing("\\", with: "\\\\")
            return hasQuotes ? "\"\(escaped.replacing("\"", with: "\\\""))\"" : escaped.replacing("\n", with: "\\n")
        }
        let text = "a\tb\tc\n" + rows.map { $0.map(field).joined(separator: "\t") + "\n" }.joined()
        var request = DialectRequest(delimiter: 9, quote: hasQuotes ? nil : .some(nil), hasHeader: true)
        request.escape = UInt8(ascii: "\\")
        let source = try FileOpener(dialect: request).open(path: folder.file("t.tsv", text))
        #expect(source is EscapedSource)
        try source.readAll(threads: 2) { _ in true }
        var conformance = TableConformance(source: source, rows: rows, random: random)
        try conformance.check(source.snapshot())
    }

    @Test func `D1: derived fields behave like stored fields`() throws {
        var random = SplitMix64(seed: 3)
        let numbers = (0..<30_000).map { _ in (Int.random(in: -99...99, using: &random), Self.words.randomElement(using: &random)!) }
        let text = "n,t\n" + numbers.map { "\($0.0),\"\($0.1)\"\n" }.joined()
        let source = try FileOpener(dialect: DialectRequest(hasHeader: true)).open(path: folder.file("t.csv", text))
        try source.readAll(threads: 2) { _ in true }
        var schema = Schema([Field(FieldID(rawValue: 0), name: "n", kind: .integer), Field(FieldID(rawValue: 1), name: "t", kind: .text)])
        let double = try DerivedField("double = n * 2", id: .firstDerived, in: schema)
        schema = Schema(schema.fields + [double.field])
        let next = try DerivedField("next = double + 1", id: FieldID(rawValue: FieldID.firstDerived.rawValue + 1), in: schema)
        let table = DerivedTable(source.snapshot(), CompiledDerivedFields([double, next], schema: schema))
        let rows: [[String?]] = numbers.map { ["\($0.0)", $0.1, "\($0.0 * 2)", "\($0.0 * 2 + 1)"] }
        var conformance = TableConformance(source: source, rows: rows, derived: 2..<4, random: random)
        try conformance.check(table)
        let tail = try source.tail(atLeast: 3).records.map { try table.completed($0, maximumFieldBytes: 100) }
        #expect(tail.suffix(3).map { $0[FieldID.firstDerived.rawValue]?.text } == rows.suffix(3).map { $0[2] })
    }

    @Test(arguments: [0, 1, 30_000]) func `D1: a Markdown table satisfies the table contract`(count: Int)
        throws
    {
        var random = SplitMix64(seed: 4)
        let rows = Self.rows(count, 3, Self.words, &random)
        func cell(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        }
        let text = "| a | b | c |\n|---|:-:|--:|\n" + rows.map { "| " + $0.map { cell($0!) }.joined(separator: " | ") + " |\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.txt", text))
        #expect(source.title(ofColumn: 2) == "c" && source.details.contains { $0.value == "Markdown table" })
        try source.readAll(threads: 2) { _ in true }
        var conformance = TableConformance(source: source, rows: rows, random: random)
        try conformance.check(source.snapshot())
    }

    @Test(arguments: [0, 1, 30_000]) func `17.3: a drawn table satisfies the table contract`(count: Int) throws {
        var random = SplitMix64(seed: 6)
        let rows = Self.rows(count, 3, Self.words.filter { !$0.contains(",") }, &random)
        func cell(_ text: String) -> String {
            let width = text.unicodeScalars.reduce(0) { $0 + BoxGlyphs.width($1.value) }
            return " " + text + String(repeating: " ", count: 32 - width)
        }
        func line(_ row: [String?]) -> String { "|" + row.map { cell($0!) + "|" }.joined() + "\n" }
        let rule = "+" + String(repeating: String(repeating: "-", count: 33) + "+", count: 3) + "\n"
        let text = rule + line(["a", "b", "c"]) + rule + rows.map(line).joined() + rule
        let source = try FileOpener().open(path: folder.file("t.txt", text))
        #expect(source.title(ofColumn: 2) == "c" && source.details.contains { $0.value == "box table" })
        try source.readAll(threads: 2) { _ in true }
        var conformance = TableConformance(source: source, rows: rows, random: random)
        try conformance.check(source.snapshot())
    }

    @Test(arguments: [3, 30_000]) func `D1: fixed-width text satisfies the table contract`(count: Int)
        throws
    {
        var random = SplitMix64(seed: 5)
        let words = ["a", "ä", "12", "-3.25", "x|y", "日本", "1,5"]
        let rows = [["name", "b", "last"] as [String?]] + Self.rows(count, 3, words, &random)
        func line(_ row: [String?]) -> String {
            row.map { $0! + String(repeating: " ", count: 8 - $0!.unicodeScalars.count) }.joined()
        }
        let text = rows.map { line($0) + "\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.txt", text))
        #expect(source.details.contains { $0.value == "fixed-width text" }, "\(source.details)")
        let hasColumnNames = source.hasColumnNames
        try source.readAll(threads: 2) { _ in true }
        var conformance = TableConformance(source: source, rows: hasColumnNames ? Array(rows.dropFirst()) : rows, random: random)
        try conformance.check(source.snapshot())
    }
}
