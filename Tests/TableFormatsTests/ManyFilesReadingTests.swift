import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import TableFormats

/// Reading many files as one table: order, progress, settings and changes of the files.
@Suite struct ManyFilesReadingTests: ManyFilesSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.9: opening reads only the first file, and showing the end reads only the last files`() throws {
        for file in 0..<30 { try write("\(file).csv", "a,b\n\(file),1\n\(file),2\n") }
        try write("99.csv", "a,c\n99,3\n99,4\n")
        let source = try #require(try open("*.csv") as? ConcatSource)
        #expect(source.openFiles.count == 1 && source.snapshot().recordCount == 2)
        let tail = try source.tail(atLeast: 3)
        #expect(source.openFiles.count == 3)
        // The columns of unread files are not known yet.
        #expect(!tail.isSettled && tail.records.suffix(2).map { $0.fields.map(\.text) } == [["99.csv", "99"], ["99.csv", "99"]])
        #expect(tail.records.count >= 3 && tail.records.suffix(3)[tail.records.endIndex - 3][2]?.text == "2")
        var texts: [String?] = []
        try source.snapshot().scan(tail.records.last!, columns: [1, 0, 2]) { fields in
            texts = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(texts == ["99", "99.csv", nil])
        var lazy = try source.snapshot().lazyRecord(tail.records.last!, number: nil)
        try lazy.scan(bytes: .max) { _ in true }
        #expect(try lazy.field(1).map { try lazy.text(of: $0, piece: 0) } == "99")
        try readAll(source)
        #expect(titles(source) == ["file", "a", "b", "c"] && source.snapshot().recordCount == 62)
        #expect(try source.tail(atLeast: 1).records.last?.fields.map(\.text) == ["99.csv", "99", "", "4"])
    }

    @Test func `18.9: reading can be cancelled and resumed at any file`() throws {
        let expected = try randomFiles(300, seed: 12, rowCount: 20)
        let source = try #require(try open("*.csv", limit: 3) as? ConcatSource)
        var (stops, last) = (0, source.snapshot().recordCount)
        while !source.snapshot().isComplete {
            // Progress is reported every 10 ms.
            try source.readAll(threads: 1) { _ in false }
            #expect(source.snapshot().recordCount >= last && source.indexedByteCount <= source.byteCount)
            last = source.snapshot().recordCount
            stops += 1
        }
        #expect(stops > 1)
        #expect(try rows(source) == expected.rows)
        #expect(source.indexedByteCount == source.byteCount)
    }

    @Test func `18.9: the progress and the row count never decrease while files are read`() throws {
        for file in 0..<20 { try write("\(file).csv", "a,b\(file % 3)\n" + String(repeating: "\(file),2\n", count: 20_000)) }
        let source = try open("*.csv")
        let last = Mutex(0)
        try source.readAll(threads: 2) { progress in
            let table = source.snapshot()
            #expect(progress.bytesDone >= last.value && progress.bytesDone <= progress.bytesTotal)
            #expect(table.recordCount >= 0 && table.columnCount <= source.columnCount)
            if let record = try? table.records(max(0, table.recordCount - 1)..<table.recordCount, maximumFieldBytes: 10).first {
                #expect(record[0] != nil && record[1] != nil)
            }
            last.withLock { $0 = progress.bytesDone }
            return true
        }
        #expect(source.snapshot().recordCount == 400_000 && last.value == source.byteCount)
    }

    @Test func `18.9: 2,000 small files are one table`() throws {
        for file in 0..<2_000 { try write("\(file % 50)/\(file).csv", "id,value\n\(file),1\n\(file),2\n") }
        let clock = ContinuousClock()
        var source: (any TableSource)?
        let path = folder.path(of: "**/*.csv")
        let finding = try clock.measure {
            var finder = FileFinder()
            try finder.find(pattern: path)
        }
        print("2,000 files: found in \(finding)")
        let opening = try clock.measure { source = try open("**/*.csv") }
        let table = try #require(source)
        let reading = try clock.measure { try readAll(table) }
        var sum = 0
        let scanning = try clock.measure {
            try table.snapshot().scan(0..<table.snapshot().recordCount, columns: [2]) { _, fields in
                sum += Int(fields[0].bytes[0]) - 48
                return true
            }
        }
        print("2,000 files: opened in \(opening), read in \(reading), scanned in \(scanning)")
        #expect(table.snapshot().recordCount == 4_000 && sum == 6_000)
        #expect((table as? ConcatSource)?.openFiles.count == OpenFiles.maximumCount)
    }

    @Test func `18.9: the type of a column fits all sampled files`() throws {
        try write("1.csv", "n,d,t,s\n1,2024-01-31,1,5\n2,2024-02-01,2,\n")
        try write("2.csv", "n,d,t,s\n1,2024-01-31,1,5\n2,2024-02-01,2,\n")
        try write("3.csv", "n,d,t,s\n1.5,2024-01-31 12:00,x,\n2,2024-02-01 13:00,y,\n")
        let source = try open("*.csv")
        #expect(source.profiles(budgetMilliseconds: 100).map(\.kind) == [.text, .decimal, .dateTime, .text, .integer])
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .integer, .date, .integer, .integer])
    }

    @Test func `18.9: the type of a column fits typed files that declare different types`() throws {
        func write(_ name: String, _ columns: [(name: String, type: WrittenType, values: WriterSample.Values)]) throws {
            try WriterSample(columns: columns).write(ArrowOutputFormat(), to: folder.path(of: name))
        }
        try write("1.arrow", [("n", .integer, .numbers([1])), ("d", .date, .numbers([19_000])), ("t", .integer, .numbers([5]))])
        let time = WriterSample.Values.numbers([1_700_000_000_000_000])
        try write(
            "2.arrow", [("n", .double, .doubles([1.5])), ("d", .dateTime(digits: 6, isUTC: false), time), ("t", .text, .strings(["x"]))])
        let source = try open("*.arrow")
        #expect(source.profiles(budgetMilliseconds: 100).map(\.kind) == [.text, .decimal, .dateTime, .text])
        try readAll(source)
        #expect(source.problems.isEmpty && source.snapshot().recordCount == 2)
    }

    @Test func `18.9: the number notation of a column also fits files of other formats`() throws {
        try WriterSample(columns: [("id", .integer, .numbers([1, 2])), ("amount", .decimal(scale: 2), .numbers([1050, -200]))])
            .write(ArrowOutputFormat(), to: folder.path(of: "1.arrow"))
        try write("2.csv", "id,amount\n3,\"(1,234.50)\"\n4,5.25\n5,7\n")
        try write("3.txt", "A note about 12 files (2024)\n")
        let source = try open("*")
        let profile = source.profiles(budgetMilliseconds: 4)[2]
        #expect(profile.kind == .decimal && profile.notation.unit == .accounting)
        try readAll(source)
        #expect(source.mixedValues(of: [1, 2]) == nil)
    }

    @Test func `17.9, 18.9: sizes of several files are united in one column if their units are compatible`() throws {
        try write("1.csv", "size,used,free,disk,memory\n4.0K,1K,7,1.5G,1.5MB\n2.5M,2M,9,2.5K,12KB\n")
        try write("2.csv", "size,used,free,disk,memory\n7K,1Ki,2.5K,12%,€5\n")
        try write("3.csv", "size,used,free,disk,memory\n0,2Mi,3M,15%,€7\n12G,1Ki,4K,5%,€6\n")
        let source = try open("*.csv")
        let profiles = source.profiles(budgetMilliseconds: 100).dropFirst()
        #expect(profiles.map(\.kind) == [.decimal, .text, .decimal, .text, .text])
        #expect(profiles[1].notation.unit == .size(.lettersOrBytes) && profiles[3].notation.unit.isSize)
        try readAll(source)
        #expect(source.mixedValues(of: [0, 1, 3]) == nil)
    }

    @Test func `18.9: values are reported if they count as text in a file that was not sampled at opening`()
        throws
    {
        for number in 10..<30 {
            let amount = [11: "\"(1,234.50)\"", 12: "\"(5.00)\"", 13: "n/a", 14: "7"][number] ?? "-2.5"
            try write("\(number).csv", "id,amount,s\n1,\(amount),x\n2,\(number == 12 ? "\"(6.00)\"" : amount == "n/a" ? "n/a" : "8.5"),y\n")
        }
        let source = try open("*.csv")
        #expect(source.profiles(budgetMilliseconds: 100).map(\.kind) == [.text, .integer, .decimal, .text])
        #expect(source.mixedValues(of: [0, 1, 2, 3]) == nil)
        try readAll(source)
        let phrase = "some values count as text, because they are not written as in the other files: “amount” in 11.csv and 1 other file"
        #expect(source.mixedValues(of: [0, 1, 2, 3]) == phrase && source.mixedValues(of: [0, 1, 3]) == nil)
        #expect(source.problems == [phrase] && source.conversions.isEmpty)
    }

    @Test func `18.9: a column is reported if it is text because two files write its numbers or dates differently`() throws {
        try write("1.csv", "n,d,t\n1.5,01/31/2024,5\n2.5,02/20/2024,6\n")
        try write("2.csv", "n,d,t\n\"1,5\",31/01/2024,x\n\"2,5\",20/02/2024,y\n")
        let source = try open("*.csv")
        #expect(source.profiles(budgetMilliseconds: 100).map(\.kind) == [.text, .text, .text, .text])
        try readAll(source)
        let phrase = "some values count as text, because they are not written as in the other files:"
        #expect(source.mixedValues(of: [1, 2]) == "\(phrase) “n” in 2.csv, “d” in 2.csv")
        #expect(source.mixedValues(of: [3]) == nil, "a column of numbers and words is text, as in a single file")
    }

    @Test func `18.9: notations are compared even for files that were read before their columns were sampled`() throws {
        for number in 10..<30 {
            let late = number < 14 ? "" : number == 15 ? ",\"(1,234.50)\"" : ",-2.5"
            let amount = number == 11 ? "\"(5.00)\"" : "-2.5"
            try write("\(number).csv", "id,amount\(late.isEmpty ? "" : ",late")\n1,\(amount)\(late)\n2,8.5\(late)\n")
        }
        let source = try open("*.csv")
        try readAll(source)
        #expect(source.mixedValues(of: [0, 1, 2, 3]) == nil && source.columnCount == 4)
        _ = source.profiles(ofColumnsFrom: 3)
        let profiles = source.profiles(budgetMilliseconds: 100)
        #expect(profiles.map(\.kind) == [.text, .integer, .decimal, .decimal])
        let phrase = "some values count as text, because they are not written as in the other files: “amount” in 11.csv, “late” in 15.csv"
        #expect(source.mixedValues(of: [0, 1, 2, 3]) == phrase)
    }

    @Test(
        .enabled(if: Python.isAvailable && FileOpener.formatNames.contains("parquet")))
    func `18.9: compressed files and Parquet files can be united in one table`() throws {
        let script = """
            import sys, gzip, bz2, lzma, os
            import pyarrow as pa, pyarrow.parquet as pq
            base = sys.argv[1]
            for i in range(30):
                with gzip.open(f"{base}/log{i}.csv.gz", "wt") as f:
                    f.write("id,name,price\\n")
                    for j in range(3000): f.write(f"{i*3000+j},name {j},{j}.5\\n")
            data = gzip.compress(b"id,name,price\\n" + b"1,x,2\\n" * 100000)
            open(f"{base}/log99.csv.gz", "wb").write(data[:len(data) // 2])
            for year in (2023, 2024):
                os.makedirs(f"{base}/pq/year={year}")
                for i in range(3):
                    n = 5000
                    cols = {"id": pa.array(range(n)), "v": pa.array([None if k % 7 == 0 else k * 0.5 for k in range(n)])}
                    if year == 2024: cols = {"extra": pa.array([f"e{k}" for k in range(n)]), **cols}
                    pq.write_table(pa.table(cols), f"{base}/pq/year={year}/part-{i}.parquet")
            """
        try Python.run(script, folder.path)
        let logs = try FileOpener().open(path: folder.path(of: "log*.csv.gz"))
        #expect(logs.snapshot().recordCount > 0)
        try logs.readAll(threads: 2) { _ in true }
        // The last file is damaged.
        #expect(logs.conversions.count == 1 && logs.conversions[0].isLoss && logs.conversions[0].sentence.hasPrefix("log99.csv.gz "))
        let table = logs.snapshot()
        #expect(titles(logs) == ["file", "id", "name", "price"])
        #expect(table.recordCount > 90_000)
        var next = 0
        try table.scan(0..<90_000, columns: [1]) { _, fields in
            #expect(String(decoding: fields[0].bytes, as: UTF8.self) == "\(next)")
            next += 1
            return true
        }
        #expect(next == 90_000)
        #expect(logs.indexedByteCount == logs.byteCount)
        let parquet = try FileOpener().open(path: folder.path(of: "pq"))
        try parquet.readAll(threads: 2) { _ in true }
        #expect(titles(parquet) == ["file", "year", "id", "v", "extra"] && parquet.snapshot().recordCount == 30_000)
        #expect(parquet.profiles(budgetMilliseconds: 4).map(\.kind) == [.text, .integer, .integer, .decimal, .text])
        var expected: [[String?]] = []
        for year in ["2023", "2024"] {
            for part in 0..<3 {
                for row in 0..<5_000 {
                    let value = row % 7 == 0 ? nil : "\(Double(row) * 0.5)"
                    expected.append(["year=\(year)/part-\(part).parquet", year, "\(row)", value, year == "2024" ? "e\(row)" : nil])
                }
            }
        }
        var conformance = TableConformance(source: parquet, rows: expected, random: SplitMix64(seed: 1))
        try conformance.check(parquet.snapshot(), steps: 60)
    }

    @Test func `18.9: changed reading settings apply to all files`() throws {
        try write("1.csv", "a;b\n1;2,5\n")
        try write("2.csv", "b;a\n3,5;4\n")
        let source = try open("*.csv")
        var settings = ReadingSettings()
        settings.header = "no"
        let opener = try #require(try FileOpener().with(settings))
        let again = try #require(try opener.reopen(source))
        try readAll(again)
        #expect(try rows(again).map { $0[1] } == ["a", "1", "b", "3,5"] && titles(again) == ["file", "A", "B"])
        #expect(titles(try #require(try opener.sample(of: source))) == ["A", "B"])
    }

    // MARK: Changes

    @Test func `18.9: a file that has changed since it was read is an error`() throws {
        for file in 0..<4 { try write("\(file).csv", "a\n\(file)\n\(file)\n") }
        let source = try open("*.csv", limit: 1)
        try readAll(source)
        #expect(source.checkForChange() == .unchanged && source.isUnchanged())
        try write("1.csv", "a\n1\n1\n1\n")
        #expect(source.checkForChange() != .unchanged && !source.isUnchanged())
        #expect(throws: FormatError("\(folder.path(of: "1.csv")) has changed since it was read. Reload the files.")) {
            try source.snapshot().scan(0..<8, columns: [1]) { _, _ in true }
        }
        // Other files can still be read.
        try source.snapshot().scan(0..<2, columns: [1]) { _, _ in true }
    }

    @Test func `18.9: new files are detected as a change`() throws {
        try write("1.csv", "a\n1\n1\n")
        try write("2.csv", "a\n1\n1\n")
        let source = try open("*.csv")
        #expect(source.checkForChange() == .unchanged)
        try write("3.csv", "a\n1\n")
        #expect(source.checkForChange() == .grown(to: 16) && source.growthUpdate(from: source) == nil)
        for file in 1...3 { try FileManager.default.removeItem(atPath: folder.path(of: "\(file).csv")) }
        #expect(source.checkForChange() == .deleted)
    }
}
