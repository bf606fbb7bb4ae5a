import DataGrid
import DataGridQuery
import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Files that are followed, or reloaded without a key press. The test determines when jobs and checks for changes run.
@MainActor
@Suite struct FollowTests {
    static func rows(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "\($0),\($0 % 2 == 0 ? "even" : "odd"),row \($0)\n" }.joined()
    }

    static let header = "n,half,text\n"
    static let content = header + rows(1...30)

    private let stepped = SteppedRunner()
    private let reporter = ChangeReporter()

    private func open(
        _ content: String = content, _ keys: String = "", follows: Bool = true, reloads: Bool = false, runner: JobRunner? = nil
    ) throws -> Pilot {
        var options = LaunchOptions()
        (options.followsFile, options.reloadsChanges, options.fileWatching) = (follows, reloads, reporter.watching)
        let pilot = try Pilot(content, size: (70, 14), options: options, runner: runner ?? stepped.runner)
        stepped.runAll(pilot)
        press(keys, pilot)
        return pilot
    }

    private func press(_ keys: String, _ pilot: Pilot) {
        for key in keys.split(separator: " ") {
            pilot.press(String(key))
            stepped.runAll(pilot)
        }
    }

    private func append(_ text: String, to pilot: Pilot) throws {
        let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// Replaces the bytes of the file, not the file.
    private func rewrite(_ text: String, in pilot: Pilot) throws {
        let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// Reports changes of the file to the program, without pressing a key.
    private func reportChanges(_ pilot: Pilot) {
        reporter.check()
        pilot.session.turn()
    }

    /// Reports the changes of the file, and runs the jobs that read it.
    private func reportAndReadChanges(_ pilot: Pilot) {
        reportChanges(pilot)
        stepped.runAll(pilot)
    }

    // MARK: Growth

    @Test func `D1: a followed file starts at its end and stays there as it grows in small and large steps`() throws {
        let pilot = try open()
        #expect(pilot.cursorCell == "n 30" && pilot.line(0).contains(" follow") && pilot.line(11).contains("row 30"))
        var last = 30
        for count in [1, 1, 3, 40, 5_000, 1] {
            try append(Self.rows(last + 1...last + count), to: pilot)
            reportAndReadChanges(pilot)
            last += count
            #expect(pilot.cursorCell == "n \(last)" && pilot.line(11).contains("row \(last)"), "\(pilot.screen)")
            #expect(pilot.state.document.recordCount == last && pilot.state.grid.rows.count == last)
            #expect(pilot.state.message == nil && !pilot.line(0).contains("new rows"))
        }
        pilot.state.grid.checkInvariants()
    }

    @Test func `D1: a cursor that is not on the last row stays while rows arrive, and G goes back to the end`() throws {
        let pilot = try open()
        press("k k k l", pilot)
        let before = pilot.backend.lines
        try append(Self.rows(31...50), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "half 27")
        // The text of a line without the scroll bar, padded to one length.
        func cells(_ line: String) -> Substring { (line + String(repeating: " ", count: 40)).prefix(30) }
        for y in 1..<12 { #expect(cells(pilot.line(y)) == cells(before[y])) }
        #expect(pilot.line(0).contains("50 × 3") && pilot.line(12).hasSuffix("27 / 50"))
        press("G", pilot)
        #expect(pilot.cursorCell == "half 50")
        try append(Self.rows(51...51), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "half 51")
    }

    @Test func `D1: an incomplete last row of a followed file is updated when its rest is written`() throws {
        let pilot = try open()
        try append("31,odd,ro", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "n 31" && pilot.line(11).contains(" ro") && !pilot.screen.contains("row 31"))
        try append("w 31\n32", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 32 && pilot.screen.contains("row 31"))
    }

    @Test func `D1, D2: many quick appends cause one read at a time, and each read includes all appends so far`() throws {
        let pilot = try open()
        for number in 31...40 {
            try append(Self.rows(number...number), to: pilot)
            reportChanges(pilot)
            #expect(stepped.count == 1)
        }
        stepped.runAll(pilot)
        #expect(pilot.order == Array(1...40) && pilot.cursorCell == "n 40")
        reportAndReadChanges(pilot)
        #expect(stepped.count == 0)
        // Rows that arrive during a read are read after it.
        try append(Self.rows(41...41), to: pilot)
        reportChanges(pilot)
        stepped.step()
        pilot.session.turn()
        try append(Self.rows(42...42), to: pilot)
        reportChanges(pilot)
        #expect(stepped.count == 1)
        stepped.runAll(pilot)
        #expect(pilot.order == Array(1...42) && pilot.cursorCell == "n 42")
        #expect(reporter.count == 1, "earlier watchers have ended")
    }

    @Test func `D1, D2: new rows wait for a running job instead of cancelling it`() throws {
        let pilot = try open()
        pilot.press("I")
        #expect(stepped.count == 1)
        try append(Self.rows(31...31), to: pilot)
        reportChanges(pilot)
        #expect(stepped.count == 1 && pilot.state.jobs.map(\.kind) == [.statistics])
        stepped.runAll(pilot)
        #expect(pilot.state.grid.rows.count == 31)
        if case .statistics = pilot.state.jobs.first?.kind { Issue.record("the job has not ended") }
    }

    // MARK: Filters, sorting and groups

    @Test(
        arguments: ["g l @", "g l @ h ]", "]", "g l zg", "g l zg zM", "g l zg h s"])
    func `D1: new rows are filtered, sorted and grouped without a message, and the cursor stays on its row`(keys: String) throws {
        let pilot = try open(Self.content, keys + " g j j")
        let row = pilot.state.grid.currentRow
        for numbers in [31...33, 34...60] {
            try append(Self.rows(numbers), to: pilot)
            reportAndReadChanges(pilot)
        }
        let whole = try open(Self.header + Self.rows(1...60), keys + " g j j", follows: false)
        #expect(pilot.order == whole.order && pilot.order.count >= 30)
        #expect(pilot.state.grid.currentRow == row && pilot.state.query.shown == whole.state.query.shown)
        #expect(pilot.state.query.isSettled && pilot.state.message == nil, "\(pilot.message)")
        pilot.state.grid.checkInvariants()
    }

    @Test func `D1: the cursor stays on the last row that matches a filter`() throws {
        let pilot = try open(Self.content, "l @")
        #expect(pilot.cursorCell == "half 30" && pilot.order.count == 15)
        try append(Self.rows(31...35), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "half 34" && pilot.order.count == 17)
        try append("36,ev", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "half 34" && pilot.order.count == 17)
        try append("en,row 36\n37,odd,row 37\n", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "half 36" && pilot.order.last == 36, "the longer row matches now")
    }

    @Test func `D1: while rows are being selected, new rows change neither the cursor nor the selection`() throws {
        let pilot = try open(Self.content, "V")
        let selection = pilot.state.grid.selectedRows()
        try append(Self.rows(31...33), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "n 30" && pilot.state.grid.selectedRows() == selection && pilot.state.grid.rows.count == 33)
        press("Escape G", pilot)
        #expect(pilot.cursorCell == "n 33")
    }

    @Test func `D1: Escape does not cancel the update of a followed view`() throws {
        let pilot = try open(Self.content, "]")
        try append(Self.rows(31...33), to: pilot)
        reportChanges(pilot)
        for _ in 0..<3 {
            pilot.press("Escape")
            stepped.step()
            pilot.session.turn()
        }
        stepped.runAll(pilot)
        #expect(pilot.order == Array((1...33).reversed()) && pilot.state.query.requested.sort.count == 1)
    }

    // MARK: Turning it on and off

    @Test func `D1: Alt-f starts and stops following the file, and a message names the key that stops it`() throws {
        let pilot = try open(follows: false)
        #expect(pilot.cursorCell == "n 1" && !pilot.line(0).contains("follow"))
        try append(Self.rows(31...32), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.message?.id == .fileGrown && pilot.state.grid.rows.count == 30)
        press("M-f", pilot)
        #expect(pilot.state.message == .following(stopKey: "Alt-f") && pilot.line(0).contains(" follow"))
        #expect(pilot.cursorCell == "n 32", "the growth is read")
        press("M-f", pilot)
        #expect(pilot.state.message == .followingOff(followKey: "Alt-f") && !pilot.line(0).contains("follow"))
        try append(Self.rows(33...33), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 32 && pilot.line(0).contains("new rows: R loads them"))
    }

    @Test(arguments: [true, false])
    func `D1: the last row of a pipe stays in view if the pipe is followed from the start or after Alt-f`(isOption: Bool) async throws {
        let (session, backend, ends) = try openPipe(Self.rows(1...40), follows: isOption)
        let writer = ends.fileHandleForWriting
        func isAtEnd(_ count: Int) -> Bool {
            let grid = session.state.grid
            return grid.rows.count == count && grid.cursor.row == count - 1 && backend.lines.contains { $0.contains("row \(count)") }
        }
        if !isOption {
            try await wait(for: session) { session.state.grid.rows.count == 40 }
            #expect(session.state.grid.cursor.row == 0)
            backend.press(KeyPress(.character("f"), .alt))
            session.turn()
        }
        #expect(backend.lines[0].contains(" follow"))
        try await wait(for: session) { isAtEnd(40) }
        for last in [41, 60, 61] {
            let known = session.state.grid.rows.count
            try writer.write(contentsOf: Data(Self.rows(known + 1...last).utf8))
            try await wait(for: session) { isAtEnd(last) }
            #expect(isAtEnd(last), "\(last): \(backend.lines.joined(separator: "\n"))")
        }
        backend.press(KeyPress(.character("k")))
        session.turn()
        try writer.write(contentsOf: Data(Self.rows(62...70).utf8))
        try writer.close()
        try await wait(for: session) { session.state.document.isComplete && session.state.grid.rows.count == 70 }
        #expect(session.state.grid.cursor.row == 59 && session.state.grid.rows.count == 70, "a cursor elsewhere stays")
        session.finish()
    }

    @Test func `D1, D2: G goes to the last row that a pipe has delivered, and stays at the end until the cursor moves`() async throws {
        let (session, backend, ends) = try openPipe(Self.rows(1...3), follows: false)
        let writer = ends.fileHandleForWriting
        try await wait(for: session) { session.state.grid.rows.count == 3 }
        backend.press(KeyPress(.character("G")))
        session.turn()
        #expect(session.state.message == .lastRowSoFar)
        #expect(session.state.grid.rows == .natural(count: 3) && session.state.grid.cursor.row == 2, "no row is shown twice")
        try writer.write(contentsOf: Data(Self.rows(4...6).utf8))
        try await wait(for: session) { session.state.grid.rows.count == 6 }
        #expect(session.state.grid.cursor.row == 5 && !backend.lines[0].contains("follow"))
        backend.press(KeyPress(.character("k")))
        session.turn()
        try writer.write(contentsOf: Data(Self.rows(7...9).utf8))
        try await wait(for: session) { session.state.grid.rows.count == 9 }
        #expect(session.state.grid.cursor.row == 4, "a cursor that was moved stays")
        backend.press(KeyPress(.character("G")))
        session.turn()
        try writer.write(contentsOf: Data(Self.rows(10...20).utf8))
        try writer.close()
        try await wait(for: session) { session.state.document.isComplete && session.state.grid.rows.count == 20 }
        #expect(session.state.grid.cursor.row == 19, "the cursor is on the last row when the pipe has ended")
        try await wait(for: session) { session.state.jobs.isEmpty }
        #expect(session.state.message == nil, "all rows are known now")
        session.finish()
    }

    @Test func `D1, D2: in a filtered pipe, G stays at the end even if the last rows are filtered`() async throws {
        let (session, backend, ends) = try openPipe(Self.rows(1...6), follows: false)
        try await wait(for: session) { session.state.grid.rows.count == 6 }
        backend.type("l@")
        try await wait(for: session) { session.state.grid.rows.count == 3 }
        backend.press(KeyPress(.character("G")))
        try await wait(for: session) { session.state.grid.cursor.row == 2 && session.state.message == .lastRowSoFar }
        try ends.fileHandleForWriting.write(contentsOf: Data(Self.rows(7...20).utf8))
        try ends.fileHandleForWriting.close()
        try await wait(for: session) { session.state.document.isComplete && session.state.grid.rows.count == 10 }
        #expect(session.state.grid.cursor.row == 9, "the cursor is on the last row that matches")
        session.finish()
    }

    @Test func `T2, D2: types are found while a pipe is open, even if its column names arrive before its rows`() async throws {
        let (session, backend, ends) = try openPipe("", follows: false)
        var kinds: [ValueKind] { session.state.grid.columns.all.map(\.kind) }
        #expect(kinds == [.text, .text, .text])
        try ends.fileHandleForWriting.write(contentsOf: Data("1,2024-01-31,one\n2,2024-02-29,two\n".utf8))
        try await wait(for: session) { kinds[0] == .integer && backend.lines.contains { $0.contains("2024-02-29") } }
        #expect(kinds == [.integer, .date, .text], "the dates are not cut")
        try ends.fileHandleForWriting.write(contentsOf: Data("2.5,2024-03-01,three\n".utf8))
        try await wait(for: session) { kinds[0] == .decimal }
        #expect(kinds == [.decimal, .date, .text], "the next rows may change the types")
        try ends.fileHandleForWriting.write(contentsOf: Data(String(repeating: "3,2024-03-01,three\n", count: 200).utf8))
        try await wait(for: session) { session.state.grid.rows.count == 203 }
        try ends.fileHandleForWriting.write(contentsOf: Data(String(repeating: "four,five,six\n", count: 1_000).utf8))
        try ends.fileHandleForWriting.close()
        try await wait(for: session) { session.state.document.isComplete && session.state.jobs.isEmpty }
        #expect(kinds == [.decimal, .date, .text], "later rows do not")
        session.finish()
    }

    @Test func `T2, D2: a column of a pipe whose first values arrive late gets its type from all rows`() async throws {
        let (session, _, ends) = try openPipe(String(repeating: "1,x,\n", count: 150), follows: false)
        var kind: ValueKind { session.state.grid.columns.all[2].kind }
        try await wait(for: session) { session.state.grid.rows.count == 150 }
        try ends.fileHandleForWriting.write(contentsOf: Data(String(repeating: "2,x,12\n", count: 40).utf8))
        try await wait(for: session) { kind == .integer }
        #expect(kind == .integer, "the first values are numbers")
        try ends.fileHandleForWriting.write(contentsOf: Data(String(repeating: "3,x,E45\n", count: 80).utf8))
        try ends.fileHandleForWriting.close()
        try await wait(for: session) { session.state.document.isComplete && session.state.jobs.isEmpty }
        #expect(kind == .text, "most values are text")
        session.finish()
    }

    /// Opens a pipe with the header and these rows, which stays open.
    private func openPipe(_ rows: String, follows: Bool) throws -> (Session, RecordingBackend, Pipe) {
        let ends = Pipe()
        try ends.fileHandleForWriting.write(contentsOf: Data((Self.header + rows).utf8))
        var options = LaunchOptions()
        options.followsFile = follows
        let source = try options.files.open(descriptor: ends.fileHandleForReading.fileDescriptor, name: "standard input")
        let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 12))
        let session = try Session(Document(OpenedInput(source), options: options), options: options, backend: backend)
        try session.start()
        return (session, backend, ends)
    }

    private func wait(for session: Session, until isDone: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isDone(), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
            session.turn()
        }
    }

    @Test func `D1: only a file or an open pipe can be followed, and for other inputs the key shows an error`() throws {
        var options = LaunchOptions()
        (options.followsFile, options.fileWatching) = (true, reporter.watching)
        let document = try Document(MemorySource(name: "standard input", titles: ["a"], rows: [["1"], ["2"]]), options: options)
        let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 12))
        let session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.start()
        #expect(!backend.lines[0].contains("follow") && reporter.count == 0)
        backend.press(KeyPress(.character("f"), .alt))
        session.turn()
        #expect(session.state.message == .cannotFollow && !session.state.sheet.isFollowing)
    }

    @Test func `D1, D2: a followed file without changes causes no wake-ups`() throws {
        let pilot = try open(runner: .inline)
        try append(Self.rows(31...31), to: pilot)
        for _ in 0..<3 { reportChanges(pilot) }
        #expect(pilot.cursorCell == "n 31")
        let (frames, wakes) = (pilot.backend.frames.count, pilot.backend.wakeCount)
        for _ in 0..<5 { reportChanges(pilot) }
        #expect(pilot.backend.frames.count == frames && pilot.backend.wakeCount == wakes)
        pilot.backend.press(KeyPress(.character("q")))
        #expect(pilot.session.application.runLoop() == 0)
        #expect(pilot.backend.waitTimeouts == [nil], "the loop waits without a timeout")
    }

    // MARK: Truncation and replacement

    @Test(
        arguments: ["truncated", "rewritten", "replaced"], [true, false])
    func `D1, E: a truncated, rewritten or replaced file is reloaded automatically, and the view is kept`(
        change: String, isFollowed: Bool
    ) throws {
        let pilot = try open(Self.content, "g l l > > h @ h ] 5 j", follows: isFollowed, reloads: !isFollowed)
        #expect(pilot.line(0).contains(isFollowed ? "follow" : "auto reload"))
        let (row, widths, query) = (pilot.state.grid.currentRow, pilot.state.grid.columns.all.map(\.width), pilot.state.query.shown)
        #expect(row != nil && query.filters.count == 1 && query.sort.count == 1 && pilot.order.count == 15)
        // Row numbers start at 1 and equal the values in column n.
        switch change {
        case "truncated":
            let handle = try #require(FileHandle(forWritingAtPath: pilot.path))
            try handle.truncate(atOffset: UInt64((Self.header + Self.rows(1...26)).utf8.count))
            try handle.close()
        case "rewritten": try rewrite(Self.header + Self.rows(1...26), in: pilot)
        default: try Data((Self.header + Self.rows(1...26)).utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        }
        reportAndReadChanges(pilot)
        #expect(pilot.state.message?.id == .changeReloaded && pilot.message.contains(change == "replaced" ? "rewritten" : "truncated"))
        #expect(pilot.order == Array(stride(from: 25, through: 1, by: -2)) && pilot.state.query.shown == query)
        #expect(pilot.state.grid.currentRow == row && pilot.state.grid.columns.all.map(\.width) == widths)
        #expect(pilot.state.sheet.fileChange == .unchanged)
        // The new bytes are watched, too.
        try append(Self.rows(27...29), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.order.first == 29 && pilot.state.grid.currentRow == row)
        pilot.state.grid.checkInvariants()
    }

    @Test(arguments: ["l zg zM", "l zg"]) func `D1: a new group of a followed file is collapsed if all other groups are collapsed`(
        keys: String
    ) throws {
        let pilot = try open(Self.content, keys)
        let isCollapsed = keys.hasSuffix("zM")
        try append("31,third,new\n32,fourth,new\n", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.outline.collapsed == [Bool](repeating: isCollapsed, count: 4))
        pilot.state.grid.checkInvariants()
        guard isCollapsed else { return }
        // A group that the user has expanded stays the only expanded group.
        press("zk zk zk zk za", pilot)
        try append("33,fifth,new\n", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.outline.collapsed.count { !$0 } == 2, "not all are collapsed now")
    }

    @Test func `D1: with --collapsed, a new group of a followed file is collapsed`() throws {
        var options = LaunchOptions()
        (options.followsFile, options.fileWatching, options.isCollapsed) = (true, reporter.watching, true)
        options.groups = [try GroupRequest(text: "half")]
        let pilot = try Pilot(Self.content, size: (70, 14), options: options, runner: stepped.runner)
        stepped.runAll(pilot)
        try append("31,third,new\n", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.outline.collapsed == [true, true, true])
    }

    @Test(
        arguments: ["appended", "inserted"])
    func `D1: a reload with another column keeps the column widths by name and the collapsed groups`(change: String) throws {
        func content(_ numbers: ClosedRange<Int>) -> String {
            let rows = numbers.map { number in
                let row = "\(number),\(["even", "odd", "third"][number % 3]),row \(number)"
                return change == "appended" ? row + ",more\n" : "more," + row + "\n"
            }
            return (change == "appended" ? "n,half,text,extra\n" : "extra,n,half,text\n") + rows.joined()
        }
        let pilot = try open(Self.content, "9 > l l 4 < h zg za", follows: false, reloads: true)
        func widths() -> [String: WidthRule] { Dictionary(uniqueKeysWithValues: pilot.state.grid.columns.all.map { ($0.title, $0.width) }) }
        func measured() -> [String: Int] {
            Dictionary(uniqueKeysWithValues: pilot.state.grid.columns.all.map { ($0.title, $0.measuredWidth) })
        }
        let (before, measuredBefore) = (widths(), measured())
        #expect(pilot.state.grid.outline.collapsed.count { $0 } == 1 && before["n"] != before["half"])
        let name = pilot.state.grid.outline.collapsed.firstIndex(of: true).map { pilot.state.grid.outline.tree?.keyPath(of: $0) }
        try Data(content(1...20).utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        reportAndReadChanges(pilot)
        #expect(pilot.titles.count == 4 && pilot.state.message?.id == .changeReloaded)
        for title in ["n", "half", "text"] {
            #expect(widths()[title] == before[title] && measured()[title] == measuredBefore[title], "\(title)")
        }
        let outline = pilot.state.grid.outline
        #expect(outline.collapsed.count { $0 } == 1 && outline.collapsed.firstIndex(of: true).map { outline.tree?.keyPath(of: $0) } == name)
        pilot.state.grid.checkInvariants()
        press("zM", pilot)
        try Data((Self.header + Self.rows(1...9)).utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        reportAndReadChanges(pilot)
        #expect(pilot.titles.count == 3 && pilot.state.grid.outline.collapsed == [true, true])
    }

    @Test func `D1, E: a reload without a key press keeps groups and collapsed sections`() throws {
        let pilot = try open(Self.content, "l zg zM j", follows: false, reloads: true)
        let collapsed = pilot.state.grid.outline.collapsed
        try Data((Self.header + Self.rows(1...20)).utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        reportAndReadChanges(pilot)
        #expect(pilot.state.query.shown.groups.count == 1 && pilot.state.grid.rows.count == 20)
        #expect(pilot.state.grid.outline.collapsed == collapsed && collapsed.count == 2)
    }

    @Test func `D1, E: following continues after a log file is renamed and a new, empty file is created and written`() throws {
        let pilot = try open(Self.content, "l @")
        try FileManager.default.moveItem(atPath: pilot.path, toPath: pilot.path + ".1")
        reportAndReadChanges(pilot)
        #expect(pilot.state.message == .fileDeleted("test.csv", isAwaited: true) && pilot.order.count == 15)
        // The new file is still empty, so the old rows must stay, and the filter must not be lost.
        try Data().write(to: URL(fileURLWithPath: pilot.path))
        reportAndReadChanges(pilot)
        #expect(pilot.order.count == 15 && pilot.line(0).contains("rewritten") && pilot.state.query.shown.filters.count == 1)
        try append(Self.header + Self.rows(1...5), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.order == [2, 4] && pilot.cursorCell == "half 4" && pilot.state.message?.id == .changeReloaded)
        #expect(!pilot.line(0).contains("rewritten"))
        try append(Self.rows(6...8), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.order == [2, 4, 6, 8] && pilot.cursorCell == "half 8")
        // The next rotation happens at once.
        try FileManager.default.moveItem(atPath: pilot.path, toPath: pilot.path + ".2")
        try Data((Self.header + Self.rows(1...3)).utf8).write(to: URL(fileURLWithPath: pilot.path))
        reportAndReadChanges(pilot)
        #expect(pilot.order == [2] && pilot.line(0).contains(" follow"))
    }

    @Test func `D1, E: following continues after a file is emptied and written again`() throws {
        let pilot = try open()
        try rewrite("", in: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 30 && pilot.line(0).contains("truncated"))
        try append(Self.header + Self.rows(1...4), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.order == Array(1...4) && pilot.cursorCell == "n 4" && pilot.titles == ["n", "half", "text"])
        try append(Self.rows(5...5), to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.cursorCell == "n 5")
    }

    @Test func `D1, E: a changed file is not reloaded while a panel is open`() throws {
        let pilot = try open(Self.content, "Enter")
        try Data((Self.header + Self.rows(1...4)).utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 30 && pilot.state.overlay is RowView)
        press("Escape", pilot)
        #expect(pilot.state.grid.rows.count == 4 && pilot.state.message?.id == .changeReloaded)
    }

    @Test func `D1, E: a filter that is applied after the file was truncated also applies after the reload`() throws {
        let pilot = try open(follows: false, reloads: true)
        pilot.press("&")
        pilot.type("half = 'even'")
        stepped.runAll(pilot)
        try rewrite(Self.header + Self.rows(1...4), in: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.overlay != nil && pilot.state.grid.rows.count == 30)
        press("Enter", pilot)
        #expect(pilot.order == [2, 4] && pilot.state.query.isSettled, "\(pilot.screen)")
        #expect(pilot.state.message?.id == .changeReloaded)
    }

    @Test func `D1: a reload keeps the widths of columns that were narrowed for the first screen`() throws {
        let text = String(repeating: "word ", count: 12)
        let row = "\(text),\(text),\(text),1\n"
        let pilot = try open("a,b,c,d\n" + row + row, follows: false, reloads: true)
        let widths = pilot.state.grid.columns.all.map(\.measuredWidth)
        #expect(widths[0] < text.count - 1)
        try rewrite("a,b,c,d\n" + row, in: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.state.grid.rows.count == 1 && pilot.state.grid.columns.all.map(\.measuredWidth) == widths)
        // A reset also shows narrow columns after a reload that has added a column.
        try rewrite("a,b,c,d,e\n\(text),\(text),x,1,2\n", in: pilot)
        reportAndReadChanges(pilot)
        press("r", pilot)
        #expect(pilot.state.grid.columns.count == 5 && pilot.state.grid.columns[0].measuredWidth < text.count - 1)
    }

    @Test func `D1: a longer new row adds a column, and the cursor moves to the new last row`() throws {
        let pilot = try open()
        try append("31,odd,row 31,new\n", to: pilot)
        reportAndReadChanges(pilot)
        #expect(pilot.titles.count == 4 && pilot.cursorCell == "n 31")
    }

    // MARK: Notifications of the system

    @Test func `D2: the file watcher reports growth, deletion, a new file and the growth of the new file`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("log.csv", "a\n1\n")
        let reported = ChangeReports()
        let watcher = try #require(FileWatcher(DelimitedFile(path: path)) { reported.add($0) })
        func append(_ text: String) throws {
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }
        try append("2\n")
        let grown = reported.next()
        #expect(grown == .grown(to: 6))
        try FileManager.default.removeItem(atPath: path)
        let deleted = reported.next()
        #expect(deleted == .deleted)
        _ = try folder.file("log.csv", "a\n")
        let replaced = reported.next()
        #expect(replaced == .replaced)
        try append("3\n")
        let written = reported.next()
        #expect(written == .replaced, "the new file is watched")
        withExtendedLifetime(watcher) {}
        #expect(FileNotifications(path: path)?.usesNotifications == true, "files are not polled")
    }
}
