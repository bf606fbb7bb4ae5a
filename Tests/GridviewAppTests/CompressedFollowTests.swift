import DataGrid
import DelimitedText
import Foundation
import GridTestSupport
import TableFormats
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Compressed files that change while they are open. They are opened again as a whole. The test determines when jobs and checks for changes
/// run.
@MainActor
@Suite struct CompressedFollowTests {
    private let stepped = SteppedRunner()
    private let reporter = ChangeReporter()

    private static let rowCount = CompressedText.rowCount

    private func open(follows: Bool = false, reloads: Bool = false, suffix: String = "gz", _ text: String = CompressedText.content) throws
        -> Pilot
    {
        var options = LaunchOptions()
        (options.followsFile, options.reloadsChanges, options.fileWatching) = (follows, reloads, reporter.watching)
        let pilot = try Pilot(
            bytes: CompressedText.encode(text, suffix), size: (70, 14), options: options, name: "log.csv.\(suffix)",
            runner: stepped.runner)
        stepped.runAll(pilot)
        #expect(pilot.state.document.isComplete)
        return pilot
    }

    private func press(_ keys: String, _ pilot: Pilot) {
        for key in keys.split(separator: " ") {
            pilot.press(String(key))
            stepped.runAll(pilot)
        }
    }

    private func append(_ bytes: some Sequence<UInt8>, to pilot: Pilot) throws {
        let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    private func appendRows(_ numbers: ClosedRange<Int>, to pilot: Pilot, _ suffix: String = "gz") throws {
        try append(CompressedText.encode(CompressedText.rows(numbers), suffix), to: pilot)
    }

    /// Reports the changes of the file, without a key press.
    private func reportChanges(_ pilot: Pilot) {
        reporter.check()
        pilot.session.turn()
    }

    private func reportAndReadChanges(_ pilot: Pilot) {
        reportChanges(pilot)
        stepped.runAll(pilot)
    }

    @Test(
        arguments: ["gz", "zst", "xz"])
    func `D1: rows appended to a followed compressed file appear, and the last row stays in view`(suffix: String) throws {
        let pilot = try open(follows: true, suffix: suffix)
        #expect(pilot.cursorCell == "n 60000" && pilot.line(11).contains("row 60000"))
        var last = Self.rowCount
        for count in [1, 1, 40, 30_000] {
            try appendRows(last + 1...last + count, to: pilot, suffix)
            // The compressed file is still shorter than the text that is known.
            reportAndReadChanges(pilot)
            last += count
            #expect(pilot.cursorCell == "n \(last)" && pilot.line(11).contains("row \(last)"), "\(pilot.screen)")
            #expect(pilot.state.document.recordCount == last && pilot.state.grid.rows.count == last)
            #expect(pilot.state.message == nil && !pilot.line(0).contains("new rows"), "\(pilot.message)")
        }
        #expect(reporter.count == 1, "earlier watchers have ended")
        reportAndReadChanges(pilot)
        #expect(stepped.count == 0)
        pilot.state.grid.checkInvariants()
    }

    @Test func `D1, D2: the screen keeps its rows until all new rows have been read, and only one read runs at a time`() throws {
        let pilot = try open(follows: true)
        for number in 1...3 {
            try appendRows(Self.rowCount + number...Self.rowCount + number, to: pilot)
            reportChanges(pilot)
            #expect(stepped.count == 1 && pilot.state.grid.rows.count == Self.rowCount && pilot.cursorCell == "n 60000")
        }
        stepped.step()
        pilot.session.turn()
        #expect(pilot.state.grid.rows.count == Self.rowCount + 3 && pilot.state.document.isComplete && pilot.cursorCell == "n 60003")
        stepped.runAll(pilot)
        #expect(pilot.state.grid.rows.count == Self.rowCount + 3 && pilot.state.message == nil)
    }

    @Test func `D1: new rows change neither the sort nor the filter, nor the cursor unless it is on the last row`() throws {
        let pilot = try open(follows: true)
        press("g l @ h ] j j", pilot)
        let row = pilot.state.grid.currentRow
        try appendRows(Self.rowCount + 1...Self.rowCount + 10, to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.order.count == 30_005 && pilot.order[0] == Self.rowCount + 9 && pilot.state.grid.currentRow == row)
    }

    @Test func `D1: a message reports new rows, and R reads them or reports that the file has not changed`() throws {
        let pilot = try open()
        press("j j", pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.message == nil && stepped.count == 0)
        try appendRows(Self.rowCount + 1...Self.rowCount + 2, to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.message == .fileGrown(reloadKey: "R") && pilot.line(0).contains("new rows: R loads them"))
        #expect(pilot.state.grid.rows.count == Self.rowCount)
        press("R", pilot)
        #expect(pilot.state.grid.rows.count == Self.rowCount + 2 && pilot.state.message == .reloaded("log.csv.gz"))
        #expect(pilot.cursorCell == "n 3" && !pilot.line(0).contains("new rows"))
        press("R", pilot)
        #expect(pilot.state.message == .fileUnchanged("log.csv.gz"))
        reportAndReadChanges(pilot)
        #expect(stepped.count == 0)
    }

    @Test func `D1, E: R reads changed bytes even if the size and the time of the file are the same`() throws {
        let text = CompressedText.content
        let pilot = try open(text)
        let before = try FileManager.default.attributesOfItem(atPath: pilot.path)
        var bytes = try CompressedText.encode(text)
        // The time in the header of gzip does not change the content.
        bytes[4] ^= 1
        let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
        let time = try #require(before[.modificationDate] as? Date)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: pilot.path)
        press("R", pilot)
        #expect(pilot.state.message == .reloaded("log.csv.gz"))
        press("R", pilot)
        #expect(pilot.state.message == .fileUnchanged("log.csv.gz"))
    }

    @Test(arguments: ["truncated", "rewritten", "replaced"], [true, false])
    func `D1, E: a truncated, rewritten or replaced file is reloaded`(change: String, isFollowed: Bool) throws {
        let pilot = try open(follows: isFollowed, reloads: !isFollowed)
        let bytes = try CompressedText.encode(CompressedText.header + CompressedText.rows(1...20))
        switch change {
        case "truncated":
            let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
            try handle.write(contentsOf: Data(bytes))
            try handle.truncate(atOffset: UInt64(bytes.count))
            try handle.close()
        case "rewritten": try Data(bytes).write(to: URL(fileURLWithPath: pilot.path))
        default:
            try FileManager.default.moveItem(atPath: pilot.path, toPath: pilot.path + ".1")
            try Data(bytes).write(to: URL(fileURLWithPath: pilot.path))
        }
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 20 && pilot.state.message == .changeReloaded("log.csv.gz", "rewritten"))
        #expect(pilot.cursorCell == (isFollowed ? "n 20" : "n 1"))
        try appendRows(21...22, to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 22)
    }

    @Test func `D1, E: rows at an incomplete end of a compressed file are shown, and the rest once it is written`() throws {
        let pilot = try open(follows: true)
        let bytes = try CompressedText.encode(CompressedText.rows(Self.rowCount + 1...2 * Self.rowCount))
        try append(bytes[..<(bytes.count / 2)], to: pilot)
        reportAndReadChanges(pilot)
        let known = pilot.state.grid.rows.count
        #expect(known > Self.rowCount && known < 2 * Self.rowCount && pilot.cursorCell == "n \(known)")
        #expect(pilot.message.contains("ends early") && pilot.state.message?.isError == true)
        #expect(pilot.state.document.problems.first?.contains("ends early") == true)
        try append(bytes[(bytes.count / 2)...], to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 2 * Self.rowCount && pilot.cursorCell == "n 120000" && pilot.state.message == nil)
        #expect(pilot.state.document.problems.isEmpty)
    }

    @Test func `D1, E: new rows of a followed file do not replace the message about a failed command`() throws {
        let pilot = try open(follows: true)
        press("(", pilot)
        let message = pilot.state.message
        #expect(message?.id == .nothingToExpand && message?.isError == true)
        try appendRows(Self.rowCount + 1...Self.rowCount + 1, to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == Self.rowCount + 1 && pilot.state.message == message, "\(pilot.message)")
    }

    @Test func `D1, D2: growth of a compressed file is noticed without a key press, at most once per second`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("log.csv.gz", bytes: CompressedText.encode(CompressedText.content))
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        let source = try FileOpener().open(path: path)
        let reports = ChangeReports()
        let watcher = try #require(FileWatcher(source) { reports.add($0) })
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        let change = reports.next()
        #expect(change == .grown(to: size + 1))
        withExtendedLifetime(watcher) {}
        #expect(FileWatcher.checkInterval(for: source) == 1_000)
        #expect(FileWatcher.checkInterval(for: try FileOpener().open(path: folder.file("log.csv", "a\n1\n"))) == 200)
        #expect(FileWatcher.checkInterval(for: try FileOpener().open(path: folder.file("log.jsonl", "{\"a\":1}\n{\"a\":2}\n"))) == 200)
    }
}
