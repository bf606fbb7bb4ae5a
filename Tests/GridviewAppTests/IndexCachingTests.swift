import GridTestSupport
import DelimitedText
import Foundation
import GridviewApp
import TerminalSurface
import Testing

/// The cache for indexes of large files: D2.
@MainActor
@Suite struct IndexCachingTests {
    /// The only entry of a cache: its file number and its time of last use.
    private func entry(_ base: String) throws -> (file: Int, used: Date) {
        let folder = base + "/gridview/index"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + (names.first ?? ""))
        return (try #require(attributes[.systemFileNumber] as? Int), try #require(attributes[.modificationDate] as? Date))
    }

    private func makeEntriesOld(_ base: String) throws {
        let folder = base + "/gridview/index"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder + "/" + name)
        }
    }

    @Test func `D2: the index of a large file is cached, with and without a screen`() throws {
        let folder = try TemporaryFolder()
        let base = folder.path + "/cache"
        var options = LaunchOptions()
        var cache = IndexCache(base: base)
        cache.minimumBytes = 100_000
        cache.settleSeconds = 0
        options.files.indexCache = cache
        let path = try folder.file("large.csv", PartlyReadFileTests.content)
        func document() throws -> Document { try Document(options.files.open(path: path), options: options) }

        let session = try Session(document(), options: options, backend: RecordingBackend(), runner: .inline)
        try session.start()
        let first = try entry(base)
        // Batch output and then the screen use the cached index, without creating a new one.
        try makeEntriesOld(base)
        let target = try #require(FileHandle(forWritingAtPath: folder.file("out", bytes: [])))
        try BatchRun(document(), options: options, format: .text(.csv)).write(to: target.fileDescriptor)
        #expect(try String(contentsOfFile: folder.path + "/out", encoding: .utf8) == PartlyReadFileTests.content)
        #expect(try entry(base).file == first.file && entry(base).used > Date(timeIntervalSince1970: 1_000))
        try makeEntriesOld(base)
        let second = try Session(document(), options: options, backend: RecordingBackend(), runner: .inline)
        try second.start()
        #expect(second.state.document.isComplete)
        #expect(second.state.document.recordCount == PartlyReadFileTests.rowCount)
        #expect(try entry(base).file == first.file && entry(base).used > Date(timeIntervalSince1970: 1_000))
    }

    @Test func `D2: the index of a small file is not cached`() throws {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        options.files.indexCache = IndexCache(base: folder.path + "/cache")
        options.files.indexCache?.settleSeconds = 0
        _ = try Pilot(PartlyReadFileTests.content, options: options)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/cache"))
    }
}
