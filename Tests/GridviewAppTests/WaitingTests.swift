import DataGridQuery
import DelimitedText
import Foundation
import GridTestSupport
import TerminalSurface
import Testing

@testable import GridviewApp

/// The screen does not wait for the file: before its first bytes and after a change.
@MainActor
@Suite struct WaitingTests {
    private let folder: TemporaryFolder
    private let backend = RecordingBackend(size: TerminalSize(columns: 60, rows: 12))
    private let stepped = SteppedRunner()

    init() throws { folder = try TemporaryFolder() }

    private func openSession(awaiting content: String, _ options: LaunchOptions = LaunchOptions()) throws -> Session {
        let path = try folder.file("test.csv", content)
        let session = try Session(
            awaiting: SheetInput(name: "standard input") { try DelimitedFile(path: path) }, options: options, backend: backend,
            runner: stepped.runner)
        try session.start()
        return session
    }

    private func press(_ keys: String, _ session: Session) throws {
        for key in try KeyScript.keys(keys) { backend.events.append(.key(key)) }
        session.turn()
    }

    private func runJobs(_ session: Session) {
        while stepped.count > 0 {
            stepped.step()
            session.turn()
        }
    }

    private var screen: String { backend.lines.joined(separator: "\n") }

    @Test func `D1, D2: while input is pending, the screen reports it, and keys and resizes are handled`() throws {
        let session = try openSession(awaiting: "a,b\n1,2\n3,4\n")
        #expect(backend.lines[0] == " standard input" && screen.contains("Waiting for input …"))
        try press("j s & Escape ? Escape R z? z?", session)
        backend.size = TerminalSize(columns: 40, rows: 20)
        session.turn()
        #expect(screen.contains("Waiting for input …") && session.state.exitStatus == nil)
        runJobs(session)
        #expect(backend.lines[0] == " test.csv  2 × 2" && backend.lines[3] == "   1│   1    2" && backend.lines.count == 20)
        try press("j", session)
        #expect(session.state.grid.cursor.row == 1 && session.state.grid.size.width == 40)
    }

    @Test func `D1: command-line options apply to input that arrives later`() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("a"))]
        options.sort[0].isDescending = true
        options.filters = ["b > 2"]
        let session = try openSession(awaiting: "a,b\n1,2\n2,3\n3,4\n", options)
        try press("T", session)
        let theme = session.state.grid.theme.name
        runJobs(session)
        #expect(backend.lines[2].hasPrefix("   3│") && session.state.grid.rows.count == 2)
        #expect(session.state.grid.theme.name == theme, "changes made meanwhile stay")
    }

    @Test func `D1, D2: if an option refers to a column of a later row, a job reads the rest of the input`() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("#3"))]
        options.sort[0].isDescending = true
        // The input has more rows than opening reads.
        let long = String(repeating: "x", count: 200)
        let rows = (1...30_000).map { "\($0),\(long)" + ($0 > 29_990 ? ",\($0)" : "") }
        let session = try openSession(awaiting: "a,b\n" + rows.joined(separator: "\n") + "\n", options)
        stepped.step()
        session.turn()
        #expect(screen.contains("Waiting for input …") && stepped.count == 1, "a job reads the rest")
        try press("? Escape", session)
        runJobs(session)
        #expect(session.state.grid.rows.count == 30_000 && session.state.grid.columns.all.count == 3)
        #expect(backend.lines[2].hasPrefix(" 30000│"), "\(screen)")
        options.sort = [SortRequest(ColumnReference("#4"))]
        let failing = try openSession(awaiting: "a,b\n1,2\n" + rows.joined(separator: "\n"), options)
        runJobs(failing)
        #expect(failing.state.exitStatus == 1 && failing.openingFailure is RequestError)
    }

    @Test(arguments: [("12.5", true), ("", true), ("many", false)])
    func `T2, D2: if an option depends on the type of a column that the sample lacks, a job finds it`(
        value: String, isValid: Bool
    ) throws {
        var options = LaunchOptions()
        options.groups = [try GroupRequest(text: "price:10")]
        options.aggregates = [try AggregateOption(text: "sum(price)")]
        // At most every second row is sampled, beginning with the second one.
        let rows = (0..<4_000).map { "\($0),\($0 % 2 == 0 && $0 < 100 ? value : ""),\n" }
        let session = try openSession(awaiting: "n,price,empty\n" + rows.joined(), options)
        runJobs(session)
        #expect((session.openingFailure == nil) == isValid && (session.state.exitStatus == nil) == isValid)
        guard isValid else { return #expect(session.openingFailure is RequestError) }
        #expect(session.state.grid.columns.all.map(\.kind) == [.integer, value.isEmpty ? .text : .decimal, .text])
        #expect(session.state.grid.outline.tree?.count == (value.isEmpty ? 1 : 2))
        // All rows are known now. Opening the same input again finds the type, too.
        let document = try Document(session.document.input, options: LaunchOptions())
        #expect(try document.viewReadingAll(options).arrangement.groups.count == 1)
    }

    @Test(arguments: [("q", 0), ("C-c", 130), ("C-q", 0)] as [(String, Int32)])
    func `D2: the program can quit while input is pending`(keys: String, status: Int32) throws {
        let session = try openSession(awaiting: "a\n")
        try press(keys, session)
        #expect(session.state.exitStatus == status)
        session.finish()
        runJobs(session)
    }

    @Test func `E: the program ends with an error if its only input cannot be shown`() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("nothing"))]
        for (content, options) in [("a\n1\n", options), ("", LaunchOptions())] {
            let path = try folder.file("test.csv", content)
            if content.isEmpty { try FileManager.default.removeItem(atPath: path) }
            let backend = RecordingBackend()
            let session = try Session(
                awaiting: SheetInput(name: "test.csv") { try DelimitedFile(path: path) }, options: options, backend: backend,
                runner: .inline)
            #expect(throws: RequestError.self) { try session.run() }
            #expect(!backend.isStarted, "the screen is restored")
        }
    }

    // MARK: Reloading

    @Test func `D2: keys work during a reload`() throws {
        let content = "a,b\n" + (1...40).map { "\($0),x\n" }.joined()
        let pilot = try Pilot(content, runner: stepped.runner)
        stepped.runAll(pilot)
        // The new content has the same length, so only the modification time shows the change.
        try Data(content.replacing("x", with: "z").utf8).write(to: URL(fileURLWithPath: pilot.path))
        pilot.press("R")
        #expect(stepped.count == 1)
        pilot.press("j j")
        #expect(pilot.cursorCell == "a 3" && pilot.line(2).contains(" x") && pilot.line(0).contains("rewritten"))
        stepped.runAll(pilot)
        #expect(pilot.line(2).contains(" z") && pilot.state.message == .reloaded("test.csv"), "\(pilot.screen)")
        #expect(!pilot.line(0).contains("rewritten"))
        // The job is cancelled before it ends.
        pilot.press("R C-c")
        #expect(pilot.state.message == .cancelled("reloading"))
        stepped.runAll(pilot)
        #expect(pilot.state.message == .cancelled("reloading"))
    }

    // MARK: Changes

    /// Kinds of changes to a file.
    nonisolated static let changes = ["grown", "truncated", "rewritten", "deleted", "replaced"]

    @Test(arguments: changes)
    func `D2, E: a file change is detected without a key press and shown until the file is reloaded`(change: String) async throws {
        let content = "a,b\n" + (1...400).map { "\($0),x\n" }.joined()
        let pilot = try Pilot(content, size: (80, 14), runner: .background)
        defer { pilot.session.finish() }
        func wait(_ isDone: () -> Bool) async throws {
            for _ in 0..<3_000 where !isDone() {
                try await Task.sleep(for: .milliseconds(10))
                pilot.session.turn()
            }
        }
        try await wait { pilot.state.document.isComplete }
        let url = URL(fileURLWithPath: pilot.path)
        let handle = try FileHandle(forWritingTo: url)
        switch change {
        case "grown":
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("401,y\n".utf8))
        case "truncated": try handle.truncate(atOffset: 100)
        case "rewritten": try handle.write(contentsOf: Data("c,d\n".utf8))
        case "deleted": try FileManager.default.removeItem(at: url)
        default: try Data("c\n1\n".utf8).write(to: url, options: .atomic)
        }
        try handle.close()
        let word = change == "replaced" ? "rewritten" : change == "grown" ? "new rows" : change
        try await wait { pilot.line(0).contains(word) }
        #expect(pilot.line(0).contains(word) && pilot.message.lowercased().contains(word))
        pilot.press("j M-g")
        #expect(pilot.message == "" && pilot.line(0).contains(word) && pilot.screen.contains("The file has changed"))
        pilot.press("Escape R")
        try await wait { change == "deleted" ? !pilot.message.isEmpty : !pilot.line(0).contains(word) }
        #expect(pilot.line(0).contains(word) == (change == "deleted"))
        #expect(pilot.state.grid.columns.all[0].title == (["rewritten", "replaced"].contains(change) ? "c" : "a"))
    }
}
