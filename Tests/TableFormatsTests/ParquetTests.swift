import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Parquet files, with pyarrow and DuckDB as oracles.
@Suite struct ParquetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A table as the oracle reads it.
    private struct Expected: Decodable {
        var titles: [String]
        var rows: [[String?]]
    }

    private func expected(_ name: String) throws -> Expected {
        try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name).json")))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".parquet") }.map { String($0.dropLast(8)) }
            .sorted()
    }

    /// Checks a whole file, random windows, and the contract of tables.
    private func check(_ name: String, _ random: inout SplitMix64) throws {
        let expected = try expected(name)
        let source = try FileOpener().open(path: "\(folder.path)/\(name).parquet")
        #expect(titles(source) == expected.titles, "\(name)")
        let found = try rows(source)
        if found != expected.rows {
            let row = zip(found, expected.rows).enumerated().first { $1.0 != $1.1 }
            let column = row.flatMap { zip($1.0, $1.1).enumerated().first { $1.0 != $1.1 } }
            Issue.record(
                """
                \(name): \(found.count) rows of \(expected.rows.count); row \(row?.offset ?? -1), \
                column \(column.map { expected.titles[$0.offset] } ?? "?"): \
                \(String(describing: column?.element.0)) instead of \(String(describing: column?.element.1))
                """)
            return
        }
        var conformance = TableConformance(source: source, rows: expected.rows, random: random)
        try conformance.check(source.snapshot(), steps: 6)
        _ = random.next()
    }

    private func checkAll() throws -> Int {
        var random = SplitMix64(seed: 18)
        let names = try names()
        for name in names { try check(name, &random) }
        return names.count
    }

    @Test("18.4: files with every encoding, codec, page version and type are read", .enabled(if: Python.isAvailable))
    func pyarrow() throws {
        try Python.run(Self.writer, folder.path, "800")
        #expect(try checkAll() > 70)
    }
}
