import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

/// Building the index while the user works with the table.
struct BackgroundIndexTests {
    private let text = "id,note\n" + (0..<5000).map { "\($0),\"line\n\($0)\"\n" }.joined()

    /// - Parameter maximumPause: the longest pause for an urgent read in nanoseconds.
    private func open(maximumPause: UInt64 = 20_000_000) throws -> DelimitedFile {
        var settings = ScanSettings.tiny(chunk: 256, span: 32, block: 64)
        settings.maximumPauseNanoseconds = maximumPause
        return try DelimitedFile.reading(text, request: DialectRequest(delimiter: 0x2c, hasHeader: true), settings: settings)
    }

    @Test(arguments: [1, 2, 5]) func `threads of background priority build the same index as other threads`(threads: Int) throws {
        let (file, reference) = (try open(), try open())
        try reference.buildIndex(threads: 1) { _ in true }
        try file.buildIndex(threads: threads, priority: .background) { _ in true }
        let (all, expected) = (file.snapshot(), reference.snapshot())
        #expect(all.isComplete)
        #expect(all.recordCount == 5000)
        for row in stride(from: 0, to: 5000, by: 97) {
            #expect(try all.records(row..<row + 1)[0].byteRange == expected.records(row..<row + 1)[0].byteRange)
        }
    }

    @Test func `an urgent read pauses the index, which then continues`() throws {
        let file = try open(maximumPause: 60_000_000_000)
        let before = file.snapshot().recordCount
        file.beginUrgentRead()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? file.buildIndex(threads: 1, priority: .background) { _ in true }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        #expect(file.snapshot().recordCount == before)
        #expect(try file.tail(atLeast: 1).records.count >= 1)
        file.endUrgentRead()
        done.wait()
        #expect(file.snapshot().isComplete)
    }

    @Test func `an urgent read that does not end delays the index for a limited time`() throws {
        let file = try open(maximumPause: 1_000_000)
        file.beginUrgentRead()
        try file.buildIndex(threads: 1, priority: .background) { _ in true }
        #expect(file.snapshot().isComplete)
    }

    @Test func `an urgent read does not pause an index if the caller waits for the index`() throws {
        let file = try open()
        file.beginUrgentRead()
        defer { file.endUrgentRead() }
        try file.buildIndex(threads: 2) { _ in true }
        #expect(file.snapshot().isComplete)
    }
}
