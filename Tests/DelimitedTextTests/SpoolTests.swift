import Foundation
import Synchronization
import Testing

@testable import DelimitedText

/// Input that comes by a pipe.
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

    @Test func recordsComeAsTheyArrive() throws {
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
        // A record whose line end is there is whole: it does not wait for the next one to begin.
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

    @Test func muchInputIsSpooledAndIndexed() throws {
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

    @Test func emptyPipe() throws {
        let pipe = try #require(Platform.makePipe())
        close(pipe.write)
        let file = try DelimitedFile(spooling: pipe.read, name: "pipe")
        #expect(file.columnCount == 0)
        #expect(file.snapshot().isComplete)
        #expect(!file.isGrowing)
    }

    @Test func waitingIndexCanBeCancelled() throws {
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
        file.interrupt()
        #expect(done.wait(timeout: .now() + 60) == .success)
        close(pipe.write)
    }

    @Test func namedPipesAreSpooled() throws {
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

    @Test func regularFilesAreReadAsTheyAre() throws {
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
}
