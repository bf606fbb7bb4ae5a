import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// The table contract and damage of every format, with the files of `Examples/data/samples`.
@Suite struct EveryFormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Examples/data/samples"
    ).standardizedFileURL.path

    /// The sample files and their formats.
    private static let files = [
        ("trades.csv", "delimited"), ("trades.tsv", "delimited"), ("trades.dump.tsv", "delimited"), ("trades.csv.gz", "delimited"),
        ("trades.csv.bgz", "delimited"),
        ("trades.csv.zst", "delimited"), ("trades.csv.xz", "delimited"), ("trades.csv.lzma", "delimited"),
        ("trades.csv.bz2", "delimited"), ("trades.csv.lz4", "delimited"), ("trades.jsonl", "jsonl"), ("trades.json", "json"),
        ("trades.nested.json", "json"), ("trades.md", "markdown"), ("trades.psql.txt", "box"), ("trades.mysql.txt", "box"),
        ("trades.duckdb.txt", "box"), ("trades.access.log", "access-log"), ("trades.syslog", "syslog"), ("trades.logfmt", "logfmt"),
        ("trades.log", "log"), ("trades.export", "journal"), ("trades.fixed.txt", "fixed-width"), ("trades.lines.txt", "lines"),
        ("trades.parquet", "parquet"),
        ("trades.arrow", "arrow"), ("trades.arrows", "arrow"), ("trades.feather", "arrow"), ("trades.db", "sqlite"),
        ("by-side.db", "sqlite"), ("trades.xlsx", "xlsx"), ("by-side.xlsx", "xlsx"), ("trades.ods", "ods"), ("trades.zip", "zip"),
    ]

    private static func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: "\(samples)/\(name)"))) }

    @Test func `E: each format and each sample file has a test`() throws {
        #expect(Set(Self.files.map(\.1)) == Set(FileOpener.formatNames))
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.samples)
        #expect(Set(Self.files.map(\.0)) == Set(names).subtracting(["by-day"]))
    }

    @Test(arguments: files) func `D1: a table of each format satisfies the table contract`(
        name: String, format: String
    ) throws {
        let source = try FileOpener(format: format).open(path: "\(Self.samples)/\(name)")
        try source.readAll(threads: 2) { _ in true }
        var conformance = try TableConformance(source: source, rows: rows(source), random: SplitMix64(seed: 18))
        try conformance.check(source.snapshot())
    }

    @Test(
        arguments: files.filter { ["access-log", "syslog", "logfmt", "log", "lines"].contains($0.1) })
    func `D1: a text format of many blocks satisfies the table contract`(name: String, format: String) throws {
        let bytes = try Self.bytes(name)
        let path = try folder.file(name, bytes: Array(repeatElement(bytes, count: 300).joined()))
        let source = try FileOpener(format: format).open(path: path)
        try source.readAll(threads: 2) { _ in true }
        let rows = try rows(source)
        #expect(rows.count == 60 * 300 && rows.indices.allSatisfy { rows[$0] == rows[$0 % 60] })
        var conformance = TableConformance(source: source, rows: rows, random: SplitMix64(seed: 19))
        try conformance.check(source.snapshot())
    }

    @Test(arguments: files)
    func `E: a file with one damaged byte, at every hundredth position, shows rows or a message`(name: String, format: String) throws {
        let bytes = try Self.bytes(name)
        for place in stride(from: 0, to: bytes.count, by: 100) {
            var damaged = bytes
            damaged[place] ^= 0x55
            try read(damaged, "\(name), byte \(place)", format)
            try read(damaged, "\(name), byte \(place), detected", nil)
            if place % 500 == 0 { try read(Array(bytes[..<place]), "\(name), cut at byte \(place)", nil) }
        }
    }

    /// Reads a file with every kind of request. All errors have a message for users.
    private func read(_ bytes: [UInt8], _ label: String, _ format: String?) throws {
        let path = try folder.file("damaged", bytes: bytes)
        do {
            let source = try FileOpener(format: format).open(path: path)
            _ = (source.details, source.columnDetails, source.problems, source.profiles(budgetMilliseconds: 1))
            // Rows before the damage are read, so an error does not end the test.
            do { try source.readAll(threads: 1) { _ in true } } catch let error as any TableError { check(error, label) }
            let table = source.snapshot()
            // Damaged row and column counts can be huge, so only some rows and columns are read.
            let columns = Array(table.allColumns.prefix(100))
            try table.scan(0..<min(table.recordCount, 1_000), columns: columns) { _, fields in fields.count == columns.count }
            _ = try source.tail(atLeast: 3)
        } catch let error as any TableError {
            check(error, label)
        }
    }

    /// Checks that a message is a sentence on one line. A command can follow the sentence.
    private func check(_ error: any TableError, _ label: String) {
        let message = error.message
        let isSentence = message.hasSuffix(".") || message.contains(". ")
        let isPrintable = message.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) }
        #expect(message.utf8.count > 20 && isSentence && isPrintable, "\(label): \(message)")
    }
}
