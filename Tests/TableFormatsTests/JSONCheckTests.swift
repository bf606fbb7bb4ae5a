import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import TableFormats

/// The check of all records of JSON Lines, and files that grow.
@Suite struct JSONCheckTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.3, D2: progress is complete when all records are checked, not when all are found`() throws {
        let text = (0..<100_000).map { "{\"n\":\($0),\"k\($0 / 40_000)\":1}\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.jsonl", text))
        let reports = Mutex<[Double]>([])
        try source.readAll(threads: 2) { progress in
            reports.withLock { $0.append(Double(progress.bytesDone) / Double(progress.bytesTotal)) }
            return true
        }
        let shares = reports.withLock { $0 }
        let checked = shares.filter { $0 > 0.5 }
        #expect(checked.count > 2 && checked == checked.sorted() && shares.suffix(checked.count) == checked[...], "\(shares)")
        #expect(shares.filter { $0 == 1 }.count == 1 && shares.last == 1, "\(shares)")
    }

    @Test func `18.3: columns and damage that first occur late in a file are found`() throws {
        var text = ""
        for index in 0..<40_000 {
            text += index == 30_000 ? "{\"n\":30000,\"new\":{\"x\":1,\"y\":null}}\n" : "{\"n\":\(index),\"t\":\"number \(index)\"}\n"
            if index == 35_000 { text += "{broken\n" }
        }
        let source = try FileOpener().open(path: folder.file("t.jsonl", text))
        #expect(titles(source) == ["n", "t"] && source.snapshot().contentID == nil)
        let counts = Mutex<[Int]>([])
        try source.readAll(threads: 2) { _ in
            counts.withLock { $0.append(source.columnCount) }
            return true
        }
        #expect(titles(source) == ["n", "t", "new.x", "new.y", "(unreadable)"])
        #expect(source.snapshot().contentID != nil && source.problems == ["row 35,002 is not valid JSON"])
        #expect(counts.value.last == 5)
        let profiles = source.profiles(ofColumnsFrom: 2)
        #expect(profiles.count == 3 && profiles[0].kind == .integer)
        let found = try rows(source)
        #expect(found[30_000] == ["30000", nil, "1", nil, nil] && found[35_001][4] == "{broken" && found[40_000][0] == "39999")
        // Reading can be stopped and resumed.
        let again = try FileOpener().open(path: folder.path + "/t.jsonl")
        try again.readAll(threads: 2) { _ in false }
        try again.readAll(threads: 1) { _ in true }
        #expect(titles(again) == titles(source))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `18.3: several threads find the same columns as one thread, in the same order`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Some chunks have new keys, some have damage, and most have neither.
        let late = Set((0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: 0..<150_000, using: &random) })
        let damaged = Set((0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<150_000, using: &random) })
        var text = ""
        for index in 0..<150_000 {
            if damaged.contains(index) {
                text += "{\"n\":\n"
            } else if late.contains(index) {
                text += "{\"n\":\(index),\"k\(index % 17)\":{\"x\(index % 3)\":1},\"n\":2}\n"
            } else {
                text += "{\"n\":\(index)}\n"
            }
        }
        let path = try folder.file("t.jsonl", text)
        func read(_ threads: Int) throws -> JSONTable {
            let source = try FileOpener().open(path: path)
            try source.readAll(threads: threads) { _ in true }
            return try #require(source.snapshot() as? JSONTable)
        }
        let (one, several) = (try read(1), try read(4))
        func titles(_ table: JSONTable) -> [String] { (0..<table.columnCount).map(table.schema.title) }
        #expect(titles(one) == titles(several) && one.schema.firstRecords == several.schema.firstRecords)
        #expect(one.checkResult == several.checkResult && one.checkResult.count == 150_000)
        #expect(one.checkResult.invalidRecords.count == damaged.count && Set(titles(one)).contains("(unreadable)") == !damaged.isEmpty)
        #expect(Set(titles(one)).isSuperset(of: late.subtracting(damaged).map { "k\($0 % 17).x\($0 % 3)" }))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `18.3: records that a scan has already read are not read again by the check`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = 120_001
        // Up to four special records; the other chunks are plain.
        let special = Set((0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) })
        let kinds = [
            "{\"n\":", "{\"n\":1,\"n\":2}", "{\"\\u006e\":5}", "{}", "{\"late\":1,\"n\":3}", "{\"o\":{\"x\":7,\"new\":1}}", "[1]",
            "{\"n\":1,\"t\":\"\\u0041\"}", "{\"n\":\"77\"}",
        ]
        var text = ""
        for index in 0..<count {
            if special.contains(index) {
                text += kinds[Int.random(in: kinds.indices, using: &random)]
            } else if index % 5 == 0 {
                text += "{\"t\": \"\\n\(index)\"}"
            } else {
                text += "{\"n\":\(index),\"o\":{\"x\":[1,{}],\"y\":\(index % 3 == 0 ? "null" : "{}")}}"
            }
            text += "\n"
        }
        let path = try folder.file("t.jsonl", text)
        let expected = try FileOpener().open(path: path)
        try expected.readAll(threads: 1) { _ in true }
        let complete = try #require(expected.snapshot() as? JSONTable)
        let source = try #require(try FileOpener().open(path: path) as? JSONSource)
        try source.readRecords(threads: 2, priority: .foreground) { _ in true }
        let table = source.snapshot()
        #expect(table.isComplete && table.recordCount == count && table.contentID == nil)
        let columns = Array(0..<table.columnCount)
        func rows(_ table: JSONTable, _ records: Range<Int>) throws -> [[String?]] {
            try table.strings(of: records, columns: columns)
        }
        // The second scan does not check plain chunks again.
        for _ in 0..<2 {
            for first in stride(from: 0, to: count, by: 32_768) {
                let part = first..<min(count, first + 32_768)
                #expect(try rows(table, part) == rows(complete, part))
            }
        }
        for chunk in stride(from: 16_384, to: count, by: 16_384) {
            let records = chunk..<min(count, chunk + 16_384)
            // A record can be in both lists if it is empty or has no new keys.
            if special.isDisjoint(with: records) { #expect(table.plainChunks.contains(records)) }
        }
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().checkResult == complete.checkResult && source.problems == expected.problems)
        #expect(titles(source) == titles(expected) && source.snapshot().schema.firstRecords == complete.schema.firstRecords)
    }

    @Test func `18.3: keys beyond the limit of columns are shown in the JSON text of their object`() throws {
        let wide = (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let source = try open("{\"o\":{\(wide)},\"z\":1}\n{\"o\":{\"k1\":5},\"z\":2}\n")
        #expect(source.columnCount == 202)
        #expect(titles(source).first == "o" && titles(source)[1] == "o.k0" && titles(source).last == "z")
        let found = try rows(source)
        #expect(found[0][0] == "{\(wide)}" && found[0][200] == "199" && found[1][0] == nil && found[1][2] == "5" && found[1][201] == "2")
        // Each record has another key.
        let many = try open((0..<20_000).map { "{\"key\($0)\":\($0),\"s\":1}\n" }.joined())
        #expect(many.columnCount <= JSONSchema.maximumKeys + 1)
        let last = try many.snapshot().records(19_999..<20_000, maximumFieldBytes: 100)[0]
        #expect(last.fields.contains { $0.text == "{\"key19999\":19999,\"s\":1}" })
        // A key of 5,000 bytes has no column.
        let key = String(repeating: "k", count: 5_000)
        let long = try open("{\"\(key)\":1,\"b\":2}\n{\"b\":3}\n")
        #expect(titles(long) == ["b", "value"])
        #expect(try rows(long) == [["2", "{\"\(key)\":1,\"b\":2}"], ["3", nil]])
    }

    @Test func `18.3: the last rows are available before the rest is counted`() throws {
        let text = (1...60_000).map { "{\"n\":\($0),\"t\":\"row number \($0)\"}\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.jsonl", text))
        #expect(!source.snapshot().isComplete)
        let tail = try source.tail(atLeast: 20)
        #expect(tail.records.last?.fields.map(\.text) == ["60000", "row number 60000"])
        try source.snapshot().scan(tail.records[tail.records.count - 1], columns: [1, 0]) { fields in
            #expect(fields.map { String(decoding: $0.bytes, as: UTF8.self) } == ["row number 60000", "60000"])
        }
    }

    // MARK: Growth

    @Test func `18.3: appended lines are read`() throws {
        let path = try folder.file("t.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\"")
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        #expect(source.problems == ["row 3 is not valid JSON"])
        try readAppended(":3}\n{\"new\":\"x\",\"n\":4}\n", to: path, source)
        #expect(titles(source) == ["n", "(unreadable)", "new"] && source.problems.isEmpty)
        #expect(try rows(source) == [["1", nil, nil], ["2", nil, nil], ["3", nil, nil], ["4", nil, "x"]])
    }

    @Test func `18.3: a record that grows after it was read is checked again`() throws {
        let path = try folder.file("t.jsonl", (0..<200_000).map { "{\"n\":\($0)}" }.joined(separator: "\n"))
        let source = try #require(try FileOpener().open(path: path) as? JSONSource)
        try source.readRecords(threads: 1, priority: .foreground) { _ in true }
        #expect(try rows(source).count == 200_000 && source.snapshot().plainChunks.contains(196_608..<200_000))
        try source.readAll(threads: 1) { _ in true }
        try readAppended(" 5\n", to: path, source)
        #expect(source.problems == ["row 200,000 is not valid JSON"])
    }

    @Test(arguments: [1, 4]) func `18.3: records of a file that grows during the check are counted only once`(
        threads: Int
    )
        throws
    {
        let lines = (0..<100_000).map { $0 == 50_000 ? "{\"n\":1,\"n\":2}\n" : "{\"n\":\($0)}\n" }.joined()
        let path = try folder.file("t.jsonl", lines)
        let source = try #require(try FileOpener().open(path: path) as? JSONSource)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let calls = Mutex<[Int]>([])
        // The growth is accepted in the middle of a pass, which then ends without adding the records that it has read.
        try source.readAll(threads: threads) { progress in
            guard source.snapshot().isComplete, source.snapshot().checkResult.count > 32_000, calls.value.isEmpty else { return true }
            calls.withLock { $0.append(1) }
            _ = try? file.seekToEnd()
            file.write(Data("{\"n\":1,\"late\":2}\n".utf8))
            let accept = (try? FileOpener().open(path: path)).flatMap { source.growthUpdate(from: $0) }
            #expect(accept != nil)
            accept?()
            return true
        }
        #expect(calls.value.count == 1)
        try source.readAll(threads: threads) { _ in true }
        let table = source.snapshot()
        #expect(table.recordCount == 100_001)
        #expect(table.checkResult.count == 100_001)
        #expect(table.contentID != nil)
        #expect(titles(source) == ["n", "late"] && table.checkResult.invalidRecords.count == 0)
        // The record with two equal keys affects only the chunk that contains it.
        #expect(!table.checkResult.validity(ofRecord: 50_000).isTrusted && table.checkResult.validity(ofRecord: 40_000).isTrusted)
        #expect(table.checkResult.validity(ofRecord: 100_000).isTrusted)
    }
}
