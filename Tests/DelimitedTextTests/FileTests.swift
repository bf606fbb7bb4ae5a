import GridTestSupport
import Foundation
import FieldValues
import Locks
import Tables
import Testing

@testable import DelimitedText

@Suite struct FileTests {
    private func texts(_ file: DelimitedFile) throws -> [[String]] {
        let snapshot = file.snapshot()
        return try snapshot.records(0..<snapshot.recordCount).map { $0.fields.map(\.text) }
    }

    private func code(_ body: () throws -> Void) -> DelimitedTextError? {
        do { try body() } catch { return error as? DelimitedTextError }
        return nil
    }

    @Test func `a missing file is an error with its path and reason`() {
        let error = code { _ = try DelimitedFile(path: "/nowhere/at/all.csv") }
        #expect(error?.code == .cannotOpen)
        #expect(error?.errno == ENOENT)
        #expect(error?.message == "Cannot open /nowhere/at/all.csv: no such file or directory.")
    }

    @Test func `opening a folder is an error`() {
        let error = code { _ = try DelimitedFile(path: "/tmp") }
        #expect(error?.code == .cannotOpen)
        #expect(error?.errno == EISDIR)
    }

    @Test func `opening a file without read permission is an error`() {
        let file = TestFile("a,b\n")
        chmod(file.path, 0)
        // Root can read every file.
        if geteuid() == 0 { return }
        #expect(code { _ = try DelimitedFile(path: file.path) }?.errno == EACCES)
    }

    @Test func `an empty file is a table without columns`() throws {
        let file = try DelimitedFile.reading("")
        #expect(file.columnCount == 0)
        #expect(file.header == [])
        #expect(file.snapshot().recordCount == 0)
        #expect(file.snapshot().isComplete)
        #expect(file.profiles(budgetMilliseconds: 5).isEmpty)
        #expect(file.diagnostics == Diagnostics())
    }

    @Test func `D2: the first and last rows can be read before the index exists`() throws {
        let text = "id,text\n" + (0..<100_000).map { "\($0),row \($0)\n" }.joined()
        let file = TestFile(text)
        let opened = try DelimitedFile(path: file.path)
        let snapshot = opened.snapshot()
        #expect(!snapshot.isComplete)
        #expect(snapshot.recordCount > 1000)
        #expect(try snapshot.records(0..<2).map { $0.fields.map(\.text) } == [["0", "row 0"], ["1", "row 1"]])
        let tail = try opened.tail(atLeast: 3)
        #expect(tail.isSettled)
        #expect(tail.records.map { $0.fields[0].text } == ["99997", "99998", "99999"])
        let reports = Mutex<[ReadProgress]>([])
        try opened.buildIndex(threads: 2) { progress in
            reports.withLock { $0.append(progress) }
            return true
        }
        let all = opened.snapshot()
        #expect(all.recordCount == 100_000)
        #expect(all.isComplete)
        #expect(all.revision > snapshot.revision)
        #expect(reports.withLock { $0.last } == ReadProgress(bytesDone: text.utf8.count, bytesTotal: text.utf8.count, records: 100_000))
        #expect(try all.records(54_321..<54_322)[0].fields[1].text == "row 54321")
        // The old snapshot is unchanged.
        #expect(try snapshot.records(0..<1)[0].fields[1].text == "row 0")
    }

    @Test func `D2: a cancelled index can be resumed`() throws {
        let text = "id\n" + (0..<2000).map { "\($0)\n" }.joined()
        let opened = try DelimitedFile.reading(
            text, request: DialectRequest(delimiter: 0x2c, hasHeader: true), settings: .tiny(chunk: 1024))
        try opened.buildIndex(threads: 1) { _ in false }
        #expect(!opened.snapshot().isComplete)
        try opened.buildIndex(threads: 2) { _ in true }
        #expect(opened.snapshot().isComplete)
        #expect(opened.snapshot().recordCount == 2000)
    }

    /// After cancellation at any report, no further chunk is added, and resuming gives the same index.
    @Test func `D2: indexing that is cancelled at random moments stops at once, and can be resumed`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        let row = ",\"a text, as long as others\",0123456789,abcdefghijklmnopqrstuvwxyz,0123456789\n"
        let file = TestFile("id,text,number,letters,end\n" + (0..<400_000).map { "\($0)\(row)" }.joined())
        for threads in [1, 2] {
            let opened = try DelimitedFile(path: file.path)
            for _ in 0..<3 where !opened.snapshot().isComplete {
                let reports = Mutex<[ReadProgress]>([])
                let moment = Int.random(in: 1...2, using: &generator)
                try opened.buildIndex(threads: threads) { progress in
                    reports.withLock {
                        $0.append(progress)
                        return $0.count < moment
                    }
                }
                let all = reports.withLock { $0 }
                #expect(all.count <= moment, "seed \(seed)")
                #expect(
                    opened.snapshot().recordCount == all.last?.records && opened.indexedByteCount == all.last?.bytesDone, "seed \(seed)")
            }
            try opened.buildIndex(threads: threads) { _ in true }
            #expect(opened.snapshot().recordCount == 400_000 && opened.snapshot().isComplete, "seed \(seed)")
            #expect(try opened.snapshot().records(399_999..<400_000)[0].fields[0].text == "399999", "seed \(seed)")
        }
    }

    @Test func `reading rows beyond the end is an error`() throws {
        let opened = try DelimitedFile.reading("a\n1\n2\n")
        #expect(code { _ = try opened.snapshot().records(0..<3) }?.code == .outOfRange)
        #expect(code { try opened.snapshot().scan(1..<4, columns: [0]) { _, _ in true } }?.code == .outOfRange)
    }

    @Test func `a read is limited to the requested columns and bytes`() throws {
        let long = String(repeating: "é", count: 5000)
        let opened = try DelimitedFile.reading("a,b,c\n1,\(long),\"x\"\"y\"\n")
        let record = try opened.snapshot().records(0..<1, columns: 1..<3, maximumFieldBytes: 101)[0]
        #expect(record.fieldCount == 3)
        #expect(record.fields[0] == RecordField(text: String(repeating: "é", count: 50), isTruncated: true))
        #expect(record.fields[1] == RecordField(text: "x\"y", wasQuoted: true))
    }

    @Test func `a record longer than the window is truncated on the screen and complete in jobs`() throws {
        var settings = ScanSettings.tiny(chunk: 4096, span: 256, block: 512)
        settings.maximumShownRecordBytes = 2048
        let huge = String(repeating: "x", count: 50_000)
        let text = "a,b\n1,2\n\(huge),9\n3,4\n\"\(huge)\n\n\(huge)\",7\n5,6\n"
        let opened = try DelimitedFile.reading(text, request: DialectRequest(delimiter: 0x2c, hasHeader: true), settings: settings)
        try opened.buildIndex(threads: 2) { _ in true }
        let snapshot = opened.snapshot()
        #expect(snapshot.recordCount == 5)
        let records = try snapshot.records(0..<5, maximumFieldBytes: 100)
        #expect(records.map(\.isTruncated) == [false, true, false, true, false])
        #expect(records[1].fields[0].text == String(repeating: "x", count: 100))
        #expect(records[4].fields.map(\.text) == ["5", "6"])
        var seen: [Int] = []
        try snapshot.scan(0..<5, columns: [0, 1]) { _, fields in
            seen.append(fields[0].count)
            return true
        }
        #expect(seen == [1, 50_000, 1, 100_002, 1])
        // The whole field is returned on request.
        #expect(try snapshot.records(3..<4, maximumFieldBytes: 1 << 20)[0].fields[0].text.utf8.count == 100_002)
    }

    @Test func `reading beyond the end of a truncated file is an error`() throws {
        let file = TestFile("a,b\n" + String(repeating: "1,2\n", count: 200_000))
        defer { withExtendedLifetime(file) {} }
        let opened = try DelimitedFile(path: file.path)
        try opened.buildIndex(threads: 1) { _ in true }
        let snapshot = opened.snapshot()
        truncate(file.path, 1000)
        #expect(opened.checkForChange() == .truncated(to: 1000))
        #expect(code { _ = try snapshot.records(150_000..<150_010) }?.code == .truncated)
        #expect(code { try snapshot.scan(0..<snapshot.recordCount, columns: [0]) { _, _ in true } }?.code == .truncated)
        #expect(code { _ = try opened.tail(atLeast: 5) }?.code == .truncated)
        #expect(try snapshot.records(0..<5).count == 5)
        _ = snapshot.byteOffset(ofRecord: 150_003)
        let again = try DelimitedFile(path: file.path)
        #expect(again.snapshot().recordCount == 249)
    }

    @Test func `indexing a file that was truncated after it was opened is an error`() throws {
        let file = TestFile("a,b\n" + String(repeating: "1,2\n", count: 1_000_000))
        defer { withExtendedLifetime(file) {} }
        let opened = try DelimitedFile(path: file.path)
        truncate(file.path, 10)
        #expect(code { try opened.buildIndex(threads: 2) { _ in true } }?.code == .truncated)
    }

    @Test func `growth, replacement and deletion of a file are detected`() throws {
        let file = TestFile("a,b\n1,2\n")
        defer { withExtendedLifetime(file) {} }
        let opened = try DelimitedFile(path: file.path)
        #expect(opened.checkForChange() == .unchanged && opened.isUnchanged())
        file.write(Array("3,4\n5".utf8), append: true)
        #expect(opened.checkForChange() == .grown(to: 13) && !opened.isUnchanged())
        #expect(opened.acceptGrowth())
        #expect(!opened.snapshot().isComplete)
        try opened.buildIndex(threads: 1) { _ in true }
        #expect(try texts(opened) == [["1", "2"], ["3", "4"], ["5"]])
        #expect(opened.checkForChange() == .unchanged && opened.isUnchanged())
        file.write(Array(",6\n7,8\n".utf8), append: true)
        #expect(opened.acceptGrowth())
        try opened.buildIndex(threads: 1) { _ in true }
        #expect(try texts(opened) == [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]])
        let other = TestFile("x\n")
        rename(other.path, file.path)
        #expect(opened.checkForChange() == .replaced)
        unlink(file.path)
        #expect(opened.checkForChange() == .deleted && !opened.isUnchanged())
        #expect(try texts(opened).count == 4)
    }

    @Test func `growth is accepted only if the earlier content is unchanged`() throws {
        let rows = (0..<200_000).map { "\($0),\($0 * 7919 % 100_003)\n" }
        for text in ["a,b\n1,2\n", "a,b\n" + rows.joined()] {
            let file = TestFile(text)
            let opened = try DelimitedFile(path: file.path)
            try opened.buildIndex(threads: 2) { _ in true }
            #expect(!opened.acceptGrowth(), "the file has not grown")
            var changed = Array(text.utf8)
            changed[changed.count - 2] = 0x39
            file.write(changed + Array("9,9\n".utf8), append: false)
            #expect(!opened.acceptGrowth() && opened.snapshot().isComplete)
            file.write(Array((text + "9,9\n").utf8), append: false)
            #expect(opened.acceptGrowth())
            #expect(!opened.acceptGrowth(), "growth can be checked only after indexing")
            try opened.buildIndex(threads: 2) { _ in true }
            #expect(try texts(opened).last == ["9", "9"])
        }
    }

    @Test func `comments and skipped lines are not records`() throws {
        let text = "skip,\"me\r\n\r# note \"\na,b\n#x,\"\n1,2\n# \"\r\n\"#3\",4\n#"
        for threads in 1...2 {
            let opened = try DelimitedFile.reading(
                text,
                request: DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: true, skipLines: 2, commentPrefix: [0x23]),
                settings: .tiny(chunk: 16, span: 8, block: 8))
            try opened.buildIndex(threads: threads) { _ in true }
            #expect(opened.header == ["a", "b"])
            #expect(try texts(opened) == [["1", "2"], ["#3", "4"]])
            #expect(try opened.allFields(columns: 2) == [[[0x31], [0x32]], [[0x23, 0x33], [0x34]]])
        }
    }

    @Test func `columns without a header are named by letters`() throws {
        let opened = try DelimitedFile.reading("1,2,3\n4,5,6\n")
        #expect(opened.header == ["A", "B", "C"])
        #expect(opened.snapshot().recordCount == 2)
    }

    @Test func `snapshots are consistent while two threads build the index`() throws {
        let text = "id,note\n" + (0..<5000).map { "\($0),\"line\n\($0)\"\n" }.joined()
        let file = try DelimitedFile.reading(
            text, request: DialectRequest(delimiter: 0x2c, hasHeader: true), settings: .tiny(chunk: 256, span: 32, block: 64))
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? file.buildIndex(threads: 2) { _ in true }
            done.signal()
        }
        var before = 0
        repeat {
            let snapshot = file.snapshot()
            #expect(snapshot.recordCount >= before)
            before = snapshot.recordCount
            for number in Set([0, before / 2, before - 1]) where number >= 0 {
                let record = try snapshot.records(number..<number + 1)[0]
                #expect(record.fields.map(\.text) == ["\(number)", "line\n\(number)"])
            }
        } while done.wait(timeout: .now()) == .timedOut
        #expect(file.snapshot().recordCount == 5000)
    }
}
