import Foundation
import Locks
import Testing

@testable import DelimitedText

/// Tests of input from a pipe.
@Suite struct SpoolTests {
    private func send(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress!, $0.count) }
            if count <= 0 { return }
            done += count
        }
    }

    private func wait(_ condition: () -> Bool) -> Bool {
        for _ in 0..<60_000 {
            if condition() { return true }
            usleep(1000)
        }
        return false
    }

    @Test func `D1: records of a pipe appear as they arrive`() throws {
        let pipe = try #require(Platform.makePipe())
        send("id,text\n1,one\n2,tw", to: pipe.write)
        let calls = Mutex<[Bool]>([])
        let file = try DelimitedFile(spooling: pipe.read, name: "standard input") { _, growing in calls.withLock { $0.append(growing) } }
        #expect(file.path == nil)
        #expect(file.name == "standard input")
        #expect(file.header == ["id", "text"])
        #expect(file.isGrowing)
        #expect(file.snapshot().recordCount == 1)
        #expect(try file.snapshot().records(0..<1)[0].fields.map(\.text) == ["1", "one"])
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? file.buildIndex(threads: 2) { _ in true }
            done.signal()
        }
        send("o\n3,three\n", to: pipe.write)
        // A record is complete at its line ending, without waiting for the next record.
        #expect(wait { file.snapshot().recordCount == 3 })
        #expect(try file.snapshot().records(1..<3).map { $0.fields[1].text } == ["two", "three"])
        #expect(!file.snapshot().isComplete)
        send("4,four", to: pipe.write)
        close(pipe.write)
        #expect(done.wait(timeout: .now() + 60) == .success)
        let all = file.snapshot()
        #expect(all.isComplete)
        #expect(all.recordCount == 4)
        #expect(try all.records(3..<4)[0].fields[1].text == "four")
        #expect(wait { calls.withLock { $0.last } == false })
        #expect(file.checkForChange() == .unchanged)
    }

    @Test func `a large pipe is copied and indexed`() throws {
        let pipe = try #require(Platform.makePipe())
        Thread.detachNewThread {
            for block in 0..<200 { self.send((0..<1000).map { "\(block),\($0),\"a\nb\"\n" }.joined(), to: pipe.write) }
            close(pipe.write)
        }
        let request = DialectRequest(hasHeader: false)
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe", request: request)
        try file.buildIndex(threads: 2) { _ in true }
        let snapshot = file.snapshot()
        #expect(snapshot.recordCount == 200_000)
        #expect(try snapshot.records(123_456..<123_457)[0].fields.map(\.text) == ["123", "456", "a\nb"])
        #expect(try file.tail(atLeast: 1).records[0].fields[1].text == "999")
    }

    @Test func `an empty pipe is a table without columns`() throws {
        let pipe = try #require(Platform.makePipe())
        close(pipe.write)
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe")
        #expect(file.columnCount == 0)
        #expect(file.snapshot().isComplete)
        #expect(!file.isGrowing)
    }

    @Test func `D2: an index that waits for a pipe can be cancelled`() throws {
        let pipe = try #require(Platform.makePipe())
        send("a,b\n", to: pipe.write)
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe")
        let go = Mutex(true)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? file.buildIndex(threads: 1) { _ in go.withLock { $0 } }
            done.signal()
        }
        usleep(20_000)
        go.withLock { $0 = false }
        file.wakeReader()
        #expect(done.wait(timeout: .now() + 60) == .success)
        close(pipe.write)
    }

    @Test func `a named pipe is copied like any other pipe`() throws {
        let path = "/tmp/delimited-text-test-fifo-\(getpid())"
        mkfifo(path, 0o600)
        defer { unlink(path) }
        Thread.detachNewThread {
            let descriptor = open(path, O_WRONLY)
            self.send("a,b\n1,2\n", to: descriptor)
            close(descriptor)
        }
        let file = try DelimitedFile(path: path)
        try file.buildIndex(threads: 1) { _ in true }
        #expect(file.snapshot().recordCount == 1)
    }

    @Test func `a redirected file is read in place, unless it is UTF-16`() throws {
        for text in ["a,b\n1,2\n", "\u{feff}a,b\n1,2\n"] {
            let isUTF16 = text.hasPrefix("\u{feff}")
            let bytes = isUTF16 ? text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } : Array(text.utf8)
            let test = TestFile(bytes)
            defer { withExtendedLifetime(test) {} }
            let file = try DelimitedFile(spooling: open(test.path, O_RDONLY), name: "standard input")
            try file.buildIndex(threads: 1) { _ in true }
            #expect((file.spool == nil) == !isUTF16)
            #expect(file.header == ["a", "b"])
            #expect(try file.snapshot().records(0..<1)[0].fields.map(\.text) == ["1", "2"])
        }
    }

    // MARK: Endless streams

    /// Reads an endless stream of `piece`. Returns the error and the file.
    private func read(endless piece: String, _ change: (inout ScanSettings) -> Void) throws -> (DelimitedTextError?, DelimitedFile) {
        let pipe = try #require(Platform.makePipe())
        // Writing fails after the reader has closed its end.
        signal(SIGPIPE, SIG_IGN)
        Thread.detachNewThread {
            let bytes = Array(repeating: piece, count: 1000).joined()
            while bytes.utf8.withContiguousStorageIfAvailable({ write(pipe.write, $0.baseAddress!, $0.count) }) ?? 0 > 0 {}
            close(pipe.write)
        }
        var settings = ScanSettings()
        change(&settings)
        let file = try DelimitedFile(spooling: pipe.read, name: "standard input", request: .init(), settings: settings)
        do {
            try file.buildIndex(threads: 2) { _ in true }
            return (nil, file)
        } catch {
            return (error, file)
        }
    }

    @Test func `E: a stream whose first line does not end is stopped at a limit`() throws {
        let (error, file) = try read(endless: "x,y,") { $0.maximumFirstLineBytes = 3 << 20 }
        #expect(error?.code == .endless)
        #expect(
            error?.message == "standard input is not a table: its first line is longer than 3 MiB. Reading stopped.",
            "\(String(describing: error))")
        #expect(!file.isGrowing && file.byteCount >= 3 << 20 && file.byteCount <= 4 << 20)
        #expect(file.snapshot().isComplete)
    }

    @Test(
        arguments: [
            ("[{\"a\":1}", true), ("\u{feff} [ {\"a\":{\"b\":[]}}", true), ("[{\"a\":1", false), ("[1", false), ("{\"a\":1}", false),
        ])
    func `E: a JSON array on one line has no length limit, but other text that begins with a bracket has one`(start: String, isArray: Bool)
        throws
    {
        let pipe = try #require(Platform.makePipe())
        // Writing fails after the reader has closed its end.
        signal(SIGPIPE, SIG_IGN)
        let rest = String(repeating: ",[2]", count: 500_000)
        Thread.detachNewThread {
            self.send(start, to: pipe.write)
            self.send(rest, to: pipe.write)
            self.send("]\n", to: pipe.write)
            close(pipe.write)
        }
        var settings = ScanSettings()
        settings.maximumFirstLineBytes = 1 << 20
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe", request: .init(hasHeader: false), settings: settings)
        var code: DelimitedTextError.Code?
        do { try file.buildIndex(threads: 2) { _ in true } } catch { code = error.code }
        #expect(code == (isArray ? nil : .endless))
        #expect((file.byteCount == start.utf8.count + rest.utf8.count + 2) == isArray)
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `E: a stream continues if its first line ends before the limit, with any kind of line ending`(_ end: String) throws {
        let pipe = try #require(Platform.makePipe())
        let text = String(repeating: "x", count: 900_000) + end + String(repeating: "y", count: 3_000_000)
        Thread.detachNewThread {
            self.send(text, to: pipe.write)
            close(pipe.write)
        }
        var settings = ScanSettings()
        settings.maximumFirstLineBytes = 1 << 20
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe", request: .init(hasHeader: false), settings: settings)
        try file.buildIndex(threads: 2) { _ in true }
        #expect(file.snapshot().recordCount == 2)
    }

    @Test(arguments: [nil, 8_192])
    func `E: a header that is longer than the first block is read only on request`(maximumBytes: Int?) throws {
        var settings = ScanSettings()
        settings.firstBytes = 4_096
        let names = (0..<2_000).map { "name\($0)" }
        let text = names.joined(separator: ",") + "\n" + names.map { _ in "1" }.joined(separator: ",") + "\n"
        let pipe = try #require(Platform.makePipe())
        Thread.detachNewThread {
            self.send(text, to: pipe.write)
            close(pipe.write)
        }
        let opening = try FileOpening(
            spooling: pipe.read, name: "pipe", request: .init(delimiter: UInt8(ascii: ","), hasHeader: true), settings: settings
        ) { _, _ in }
        let file = try DelimitedFile(opening.withHeader(limitedTo: maximumBytes.map { .atMost($0) } ?? .firstBlock))
        #expect(file.isHeaderTruncated)
        #expect(try file.withHeader(ofAtMost: 10_000).isHeaderTruncated)
        let whole = try file.withHeader(ofAtMost: 64 << 10)
        #expect(!whole.isHeaderTruncated && whole.header == names)
        try whole.buildIndex(threads: 1) { _ in true }
        #expect(whole.snapshot().recordCount == 1)
    }

    @Test func `E: a stream is stopped before the disk is full, and the data already read is kept`() throws {
        let (error, file) = try read(endless: "1,2\n") {
            $0.spaceCheckBytes = 1 << 20
            $0.reservedBytes = .max
            $0.reservedDivisor = 1
        }
        #expect(error?.code == .cannotSpool)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("Reading standard input stopped after 1 MiB: less than "), "\(message)")
        #expect(
            message.hasSuffix(
                " MiB of the disk would remain free. Set TMPDIR to a folder with more space."),
            "\(message)")
        #expect(file.snapshot().recordCount > 200_000 && file.snapshot().isComplete)
    }

    @Test func `E: the first line of a device has a lower length limit than that of other inputs`() throws {
        var settings = ScanSettings()
        settings.maximumDeviceFirstLineBytes = 2 << 20
        let file = try DelimitedFile(path: "/dev/zero", request: .init(), settings: settings)
        let error = #expect(throws: DelimitedTextError.self) { try file.buildIndex(threads: 2) { _ in true } }
        #expect(error?.code == .endless)
        #expect(error?.message == "zero is not a table: its first line is longer than 2 MiB. Reading stopped.")
        #expect(file.byteCount <= 3 << 20)
    }
}
