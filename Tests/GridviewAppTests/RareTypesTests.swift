import DataGrid
import DataGridQuery
import DelimitedText
import FieldValues
import Foundation
import Locks
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Types of columns without a value in the sample of rows.
@MainActor
@Suite struct RareTypesTests {
    /// The error of an input that ends early.
    private struct EarlyEnd: TableError {
        let message = "The file ends early."
        var inputEnd: InputEnd? { .betweenRecords }
    }

    /// Three rows. The first one is the sample, and the last one is known only after reading.
    private final class SampledSource: TableSource {
        private struct State {
            var isRead = false
            var readCount = 0
            var searchStarts: [Int] = []
        }

        private static let table = MemoryTable([["1", ""], ["2", ""], ["3", "2.5"]])
        let byteCount: Int
        let canBeQueriedWhileIncomplete: Bool
        let isGrowing: Bool
        private let end: EarlyEnd?
        private let state = Mutex(State())

        init(byteCount: Int = 100, isServer: Bool = false, isGrowing: Bool = false, end: EarlyEnd? = nil) {
            (self.byteCount, canBeQueriedWhileIncomplete, self.isGrowing, self.end) = (byteCount, isServer, isGrowing, end)
        }

        /// The first record of each search.
        var searchStarts: [Int] { state.withLock { $0.searchStarts } }
        var readCount: Int { state.withLock { $0.readCount } }
        var name: String { "sampled" }
        var path: String? { nil }
        var indexedByteCount: Int { 0 }
        var columnCount: Int { 2 }
        var hasColumnNames: Bool { true }
        func title(ofColumn column: Int) -> String { column < 2 ? ["n", "price"][column] : "" }
        func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }
        func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
            MemoryTable(Array(Self.table.rows.prefix(1))).profiles(of: Array(first..<2))
        }
        func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
            state.withLock { $0.searchStarts.append(record) }
            return snapshot().profiles(ofRareColumns: columns, from: record, notation: nil, while: shouldContinue) { title(ofColumn: $0) }
        }
        func snapshot() -> MemoryTable {
            state.withLock { $0.isRead } ? Self.table : MemoryTable(Array(Self.table.rows.prefix(2)))
        }
        func tail(atLeast count: Int) throws -> TailRecords { throw UnknownEndError() }
        func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
            // The progress counts lines, of which there are more than rows.
            let isContinued = progress(ReadProgress(bytesDone: 0, bytesTotal: byteCount, records: 4))
            state.withLock { state in
                state.readCount += 1
                state.isRead = state.isRead || isContinued
            }
            if let end { throw end }
        }
    }

    private static let price = FieldID(rawValue: 1)

    private func rareTypes(of source: SampledSource) -> RareTypes { RareTypes(source.profiles(ofColumnsFrom: 0), of: source) }

    @Test func `T2: only fields without a value in their sample are searched, until values are found`() throws {
        let source = SampledSource()
        var types = rareTypes(of: source)
        #expect(types.contains(Self.price) && !types.contains(FieldID(rawValue: 0)))
        let before = try #require(types.search(for: .screen) { true })
        #expect(types.accept(before).isEmpty && types.contains(Self.price))
        try source.readAll(threads: 1) { _ in true }
        let after = try #require(types.search(for: .screen) { true })
        #expect(types.accept(after)[Self.price]?.kind == .decimal && types.isEmpty)
        // The last record of the first search is read again, because it may have been incomplete.
        #expect(source.searchStarts == [0, 1] && types.search(for: .request, while: { true }) == nil)
    }

    @Test func `T2: a later search begins with the last searched record, or with the first one for a new field`() throws {
        let source = SampledSource()
        try source.readAll(threads: 1) { _ in true }
        var types = RareTypes([ColumnProfile()], of: source)
        types.remove(FieldID(rawValue: 0))
        types.add([ColumnProfile()], from: 2)
        for start in [0, 2] {
            let found = try #require(types.search(for: .request) { true })
            #expect(types.accept(found).isEmpty && source.searchStarts.last == start)
        }
        types.add([ColumnProfile()], from: 3)
        #expect(types.search(for: .request) { true } != nil && source.searchStarts.last == 0)
    }

    @Test func `T2: for the screen, only inputs of up to 1 GiB are searched`() {
        let (small, large) = (rareTypes(of: SampledSource(byteCount: 1 << 30)), rareTypes(of: SampledSource(byteCount: 1 << 30 + 1)))
        #expect(small.search(for: .screen) { true } != nil && large.search(for: .screen) { true } == nil)
        #expect(large.search(for: .request) { true } != nil)
        #expect(small.search(for: .request) { false } == nil, "a cancelled search has no result")
    }

    @Test func `T2: tables on servers are not searched, and options that do not fit a type are refused at once`() throws {
        let source = SampledSource(isServer: true)
        #expect(rareTypes(of: source).isEmpty)
        var options = LaunchOptions()
        options.groups = [GroupRequest(ColumnReference("n"))]
        options.aggregates = [try AggregateOption(text: "sum(price)")]
        let document = try Document(source, options: options)
        #expect(throws: RequestError.self) { try document.viewReadingAll(options) }
        #expect(source.snapshot().recordCount == 2 && source.searchStarts.isEmpty)
    }

    @Test func `T2, E: on the screen, types are also searched if the input ends early`() throws {
        let source = SampledSource(end: EarlyEnd())
        let pilot = try Pilot(source: source)
        #expect(pilot.state.grid.columns.all.map(\.kind) == [.integer, .decimal])
        #expect(pilot.message.hasPrefix("The file ends early."), "\(pilot.message)")
    }

    @Test(arguments: [false, true])
    func `T2: on the screen, columns that only later rows have are also searched for values`(isJSON: Bool) throws {
        // The input has more rows than opening reads. The sample of the added column ends before its first value.
        let long = String(repeating: "x", count: 200)
        let rows = (0..<30_000).map { row in
            let value = row < 20_000 ? nil : row == 25_000 ? "7.5" : isJSON ? "null" : ""
            return isJSON
                ? "{\"n\":\(row),\"text\":\"\(long)\"" + (value.map { ",\"price\":\($0)" } ?? "") + "}\n"
                : "\(row),\(long)" + (value.map { ",\($0)" } ?? "") + "\n"
        }
        let pilot = try Pilot((isJSON ? "" : "n,text\n") + rows.joined(), name: isJSON ? "t.jsonl" : "t.csv")
        #expect(pilot.state.grid.columns.all.map(\.kind) == [.integer, .text, .decimal])
    }

    @Test(
        arguments: [
            ("n >= 2", nil, "2,\n3,2.5\n", false), ("price > 1", nil, "3,2.5\n", true), (nil, "n", "1,\n2,\n3,2.5\n", false),
            (nil, "price", "3,2.5\n1,\n2,\n", true), (nil, nil, "1,\n2,\n3,2.5\n", false),
        ] as [(String?, String?, String, Bool)])
    func `T2, D15: output in CSV searches for types only if the query depends on them`(
        filter: String?, sort: String?, rows: String, isSearched: Bool
    ) throws {
        let source = SampledSource()
        var options = LaunchOptions()
        options.filters = [filter].compactMap(\.self)
        options.sort = [sort].compactMap(\.self).map { SortRequest(ColumnReference($0)) }
        let document = try Document(source, options: options)
        let output = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv)))
        #expect(String(decoding: output.bytes, as: UTF8.self) == "n,price\n" + rows)
        #expect(source.searchStarts.isEmpty != isSearched && document.columns[1].kind == (isSearched ? .decimal : .text))
    }

    @Test(arguments: [(OutputFormat.jsonl, "{\"n\": 3, \"price\": 2.5}\n"), (.csv, "3,2.5\n")])
    func `T2, D15: output in JSON and for spreadsheets searches for types once`(format: OutputFormat, last: String) throws {
        let source = SampledSource()
        let document = try Document(source, options: LaunchOptions())
        let run = BatchRun(document, options: LaunchOptions(), format: .text(format), neutralizesFormulas: format == .csv)
        let text = String(decoding: try BatchOutput.result(of: run).bytes, as: UTF8.self)
        #expect(text.hasSuffix(last) && source.searchStarts == [0])
    }

    @Test func `T2, D15: limited output reads a pipe only until the rows have arrived, and searches these for types`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let writer = FileHandle(fileDescriptor: ends[1])
        try writer.write(contentsOf: Data("n,price\n1,\n".utf8))
        let file = try DelimitedFile(spooling: ends[0], name: "in.csv", request: DialectRequest())
        var options = LaunchOptions()
        options.limit = 2
        let document = try Document(file, options: options)
        try writer.write(contentsOf: Data("2,2.5\n3,\n".utf8))
        // The pipe ends after ten seconds, so that the test does not wait forever if it fails.
        DispatchQueue.global().asyncAfter(deadline: .now() + 10) { try? writer.close() }
        let output = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.jsonl)))
        #expect(String(decoding: output.bytes, as: UTF8.self) == "{\"n\": 1, \"price\": null}\n{\"n\": 2, \"price\": 2.5}\n")
        #expect(file.isGrowing, "the pipe has not ended")
    }

    @Test func `T2, D15: limited output searches the known rows for types`() throws {
        // The sample of the rows does not have the only value.
        let content = "n,price\n" + (0..<20_000).map { "\($0)," + ($0 == 901 ? "-5" : "") + "\n" }.joined()
        for limit in [1_000, 20_000] {
            let rows = try BatchOutput.text(content, .jsonl) { $0.limit = limit }
            #expect(rows.contains("{\"n\": 900, \"price\": null}\n{\"n\": 901, \"price\": -5}\n"), "\(limit)")
        }
    }

    @Test func `D15: limited output of a growing input stops reading when enough rows, not lines, are known`() throws {
        let source = SampledSource(isGrowing: true)
        var options = LaunchOptions()
        options.limit = 2
        let run = BatchRun(try Document(source, options: options), options: options, format: .text(.csv))
        #expect(String(decoding: try BatchOutput.result(of: run).bytes, as: UTF8.self) == "n,price\n1,\n2,\n")
        #expect(source.readCount == 1)
    }
}
