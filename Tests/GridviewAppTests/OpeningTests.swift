import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import Locks
import TableFormats
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Inputs that take time to open, or need a password; tables opened from a list.
@MainActor
@Suite struct OpeningTests {
    private let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 12))

    /// An input with a password.
    private final class LockedInput: Sendable {
        let password = Mutex<String?>(nil)
        let attempts = Mutex(0)
        static let secret = "s3cr€t word"

        func open() throws -> any TableSource {
            attempts.withLock { $0 += 1 }
            let given = password.withLock { $0 }
            if given == Self.secret { return MemorySource(name: "orders", titles: ["a", "b"], rows: [["1", "x"], ["2", "y"]]) }
            throw PasswordNeeded("A password is needed. Set XPASSWORD.", account: "alice@db", wasPasswordRefused: given != nil) {
                [self] text in
                password.withLock { $0 = text }
            }
        }

        var input: SheetInput { SheetInput(name: "orders", activity: "connecting to db") { try self.open() } }
    }

    private func press(_ keys: String, _ session: Session) throws {
        for key in try KeyScript.keys(keys) { backend.events.append(.key(key)) }
        session.turn()
    }

    private func type(_ text: String, _ session: Session) {
        backend.type(text)
        session.turn()
    }

    private var screen: String { backend.lines.joined(separator: "\n") }

    private func session(awaiting input: SheetInput, runner: JobRunner = .inline) throws -> Session {
        let session = try Session(awaiting: input, options: LaunchOptions(), backend: backend, runner: runner)
        try session.start()
        session.turn()
        return session
    }

    // MARK: Passwords

    @Test func `19.8, 19.9: the program asks for a password once and does not show what is typed`() throws {
        let locked = LockedInput()
        let session = try session(awaiting: locked.input)
        #expect(screen.contains("Password for alice@db:") && screen.contains("Set XPASSWORD") && screen.contains("Connecting to db …"))
        try press("Enter", session)
        #expect(session.state.overlay is PasswordPrompt && locked.attempts.withLock { $0 } == 1, "an empty password is not one")
        type("wrong", session)
        #expect(screen.contains("alice@db: •••••  "))
        try press("Backspace Left", session)
        #expect(screen.contains("alice@db: ••••  ") && backend.frames.last?.cursor?.x == 27)
        try press("Enter", session)
        #expect(screen.contains("The password was refused.") && screen.contains("alice@db:  "), "\(screen)")
        backend.events.append(.paste(LockedInput.secret))
        session.turn()
        #expect(screen.contains("alice@db: •••••••••••  "))
        try press("Enter", session)
        #expect(session.state.overlay == nil && session.state.document.recordCount == 2 && screen.contains("orders  2 × 2"), "\(screen)")
        #expect(locked.attempts.withLock { $0 } == 3)
        for frame in backend.frames {
            let text = frame.buffer.lines().joined() + String(decoding: frame.bytes, as: UTF8.self)
            #expect(!text.contains("s3cr") && !text.contains("wron"))
        }
        #expect(!"\(session.state)".contains("s3cr") && session.state.filterHistory.isEmpty)
        session.finish()
    }

    @Test func `19.9: after three refused passwords, the program stops asking`() throws {
        let locked = LockedInput()
        let session = try session(awaiting: locked.input)
        for _ in 0..<3 {
            #expect(session.state.exitStatus == nil)
            type("no", session)
            try press("Enter", session)
        }
        #expect(session.state.exitStatus == 1 && (session.openingFailure as? PasswordNeeded)?.wasPasswordRefused == true)
        #expect(locked.attempts.withLock { $0 } == 4 && locked.password.withLock { $0 } == nil)
    }

    @Test(arguments: ["Escape", "C-c"]) func `19.9: Escape closes the password prompt, and a message says what to do`(key: String) throws {
        let locked = LockedInput()
        let alone = try session(awaiting: locked.input)
        type("some", alone)
        try press(key, alone)
        #expect(alone.state.exitStatus == 1 && (alone.openingFailure as? PasswordNeeded)?.message.contains("XPASSWORD") == true)
        // With another sheet, only this one is closed.
        let options = LaunchOptions()
        let first = try Document(MemorySource(name: "first", titles: ["a"], rows: [["1"]]), options: options)
        let session = try Session(first, options: options, backend: backend, runner: .inline)
        try session.add([locked.input])
        try session.start()
        try press("C-PageDown", session)
        #expect(session.state.overlay is PasswordPrompt)
        try press(key, session)
        #expect(session.state.sheets.count == 1 && session.state.message?.text.contains("XPASSWORD") == true)
        #expect(session.state.exitStatus == nil && session.state.document.name == "first")
    }

    @Test func `19.9: if several sheets are open, refused passwords are an error of one sheet, and R asks again`() throws {
        let locked = LockedInput()
        let options = LaunchOptions()
        let first = try Document(MemorySource(name: "first", titles: ["a"], rows: [["1"]]), options: options)
        let session = try Session(first, options: options, backend: backend, runner: .inline)
        try session.add([locked.input])
        try session.start()
        try press("C-PageDown", session)
        for _ in 0..<3 {
            type("no", session)
            try press("Enter", session)
        }
        #expect(session.state.overlay == nil && session.state.message?.isError == true && session.state.sheets.count == 2)
        try press("R", session)
        type(LockedInput.secret, session)
        try press("Enter", session)
        #expect(session.state.document.recordCount == 2 && screen.contains("orders  2 × 2"), "\(screen)")
    }

    // MARK: Cancelling

    @Test(
        arguments: ["Escape", "C-c"])
    func `19.9: Escape and Ctrl-C cancel the opening of an input, and end the program if no other is open`(key: String) throws {
        let stepped = SteppedRunner()
        let slow = SheetInput(name: "orders", activity: "connecting to db") { throw RequestError("slow") }
        let alone = try session(awaiting: slow, runner: stepped.runner)
        #expect(screen.contains("Connecting to db …") && screen.contains("Esc stop waiting"))
        try press(key, alone)
        #expect(alone.state.exitStatus == 130 && alone.closingMessages == ["Cancelled: connecting to db."])
        stepped.step()
        alone.turn()
        #expect(alone.openingFailure == nil)
        let options = LaunchOptions()
        let first = try Document(MemorySource(name: "first", titles: ["a"], rows: [["1"]]), options: options)
        let session = try Session(first, options: options, backend: backend, runner: stepped.runner)
        try session.add([slow])
        try session.start()
        while stepped.count > 0 {
            stepped.step()
            session.turn()
        }
        try press("C-PageDown", session)
        #expect(screen.contains("Connecting to db …") && stepped.count == 1)
        try press(key, session)
        #expect(session.state.sheets.count == 1 && session.state.message == .cancelled("connecting to db"))
        stepped.step()
        session.turn()
        #expect(session.state.sheets.count == 1 && session.state.exitStatus == nil && session.state.message?.isError == false)
        session.finish()
    }

    @Test func `19.9: a closed sheet stops waiting for its server`() async throws {
        let isWaiting = Mutex(false)
        let isStopped = Mutex(false)
        let slow = SheetInput(
            name: "orders",
            opening: { isCancelled in
                isWaiting.withLock { $0 = true }
                while !isCancelled() { usleep(1_000) }
                isStopped.withLock { $0 = true }
                throw RequestError("stopped")
            })
        let options = LaunchOptions()
        let first = try Document(MemorySource(name: "first", titles: ["a"], rows: [["1"]]), options: options)
        let session = try Session(first, options: options, backend: backend, runner: .background)
        try session.add([slow])
        try session.start()
        func wait(_ isDone: () -> Bool) async throws {
            for _ in 0..<3_000 where !isDone() {
                try await Task.sleep(for: .milliseconds(10))
                session.turn()
            }
        }
        try press("C-PageDown", session)
        try await wait { isWaiting.withLock { $0 } }
        try press("Escape", session)
        try await wait { isStopped.withLock { $0 } }
        #expect(isStopped.withLock { $0 } && session.state.sheets.count == 1 && session.state.exitStatus == nil)
        session.finish()
    }

    // MARK: Searching

    @Test func `19.6: a long search shows its progress and can be cancelled, and no count runs without a match`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot("a\n1\n2\n3\n", size: (80, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("/ \"zz\"")
        var state = pilot.state
        func line() -> String {
            var buffer = CellBuffer(size: TerminalSize(columns: 80, rows: 12))
            _ = AppPainter(state, source: nil).paint(on: &buffer)
            return buffer.lines()[11]
        }
        let job = JobStatus(.find, "searching “zz”", amount: .rows(3))
        _ = state.apply(.jobs([job]))
        #expect(line().contains("/zz") && line().contains("searching ·"), "\(line())")
        _ = state.apply(.terminal(.key(KeyPress(.enter))))
        #expect(line().contains("“zz” searching"), "\(line())")
        #expect(state.apply(.terminal(.key(KeyPress(.escape)))) == [.cancel(.find), .cancel(.count)])
        #expect(state.message == .cancelled("searching “zz”"))
        // Without a match, there is nothing to count, and the next key repeats the search.
        pilot.press("Enter")
        stepped.runAll(pilot)
        #expect(pilot.state.message == .notFound(Search(text: "zz")) && stepped.count == 0)
        pilot.press("n")
        #expect(stepped.count == 1)
        stepped.runAll(pilot)
        #expect(pilot.state.message == .notFound(Search(text: "zz")) && pilot.state.search?.isCounted == true)
    }

    // MARK: Lists of tables

    /// A list of two tables.
    private final class ListSource: MemoryBacked {
        let base = MemorySource(name: "shop", titles: ["table"], rows: [["orders"], ["trades"]])

        var location: String? { "list:" }
        func snapshot() -> MemoryTable { base.snapshot() }
        func path(ofTableInRecord record: Int) -> String? { record < 2 ? ["orders", "trades"][record] : nil }
    }

    private struct ListOpener: TableOpener {
        func open(path: String) throws -> any TableSource {
            path == "list:" ? ListSource() : MemorySource(name: path, titles: ["id"], rows: [["3"], ["1"], ["2"]])
        }
        func activity(opening path: String) -> String? { "opening \(path)" }
        func makeScratchFile() throws -> any ScratchFile { try FileOpener().makeScratchFile() }
    }

    private func openList() throws -> Session {
        var options = LaunchOptions()
        options.opener = ListOpener()
        let session = try Session(Document(ListSource(), options: options), options: options, backend: backend, runner: .inline)
        try session.start()
        return session
    }

    @Test func `D22: q goes back from a table to the list of tables, and quits from the list`() throws {
        let session = try openList()
        try press("Down Enter", session)
        #expect(session.state.sheets.count == 2 && screen.contains("trades  3 × 1") && screen.contains("q back to the list"), "\(screen)")
        #expect(!screen.contains("q quit"))
        try press("q", session)
        #expect(session.state.sheets.count == 1 && session.state.exitStatus == nil && session.state.grid.cursor.row == 1)
        #expect(screen.contains("Enter open this table") && !screen.contains("row view"))
        try press("q", session)
        #expect(session.state.exitStatus == 0)
    }

    @Test func `D22: a table with a changed view stays open behind the list of tables`() throws {
        let session = try openList()
        try press("Enter", session)
        try press("s", session)
        let other = session.state.sheet.id
        try press("q", session)
        #expect(session.state.sheets.count == 2 && session.state.document.name == "shop" && session.state.exitStatus == nil)
        try press("Enter", session)
        #expect(session.state.sheet.id == other && !session.state.query.shown.sort.isEmpty, "nothing was lost")
        try press("C-PageUp", session)
        // After the list is closed, `q` ends the program.
        try press("zq", session)
        #expect(session.state.sheets.count == 1 && session.state.document.name == "orders")
        try press("q", session)
        #expect(session.state.exitStatus == 0)
    }

    @Test func `D22: closing a table shows the list of tables from which it was opened, even if other files are open`() throws {
        let session = try openList()
        try session.add([SheetInput(name: "other") { MemorySource(name: "other", titles: ["a"], rows: [["1"]]) }])
        try press("Enter zq", session)
        #expect(session.state.document.name == "shop" && session.state.sheets.count == 2)
    }

    // MARK: Cells that have not arrived

    /// A table whose rows from the 100th arrive later.
    private struct SlowTable: Table {
        let base: MemoryTable
        let hasArrived: Bool
        var recordCount: Int { base.recordCount }
        var columnCount: Int { base.columnCount }
        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) throws {
            try base.scan(records, columns: columns, body)
        }
        func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
            let all = try base.records(range, maximumFieldBytes: maximumFieldBytes)
            return zip(range, all).map { $0 < 100 || hasArrived ? $1 : nil }
        }
    }

    private final class SlowSource: MemoryBacked {
        let base = MemorySource(name: "slow", titles: ["a", "b"], rows: (1...200).map { ["\($0)", nil] })
        let hasArrived = Mutex(false)
        let notify = Mutex<@Sendable () -> Void>({})

        func snapshot() -> SlowTable { SlowTable(base: base.snapshot(), hasArrived: hasArrived.withLock { $0 }) }
        func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) { self.notify.withLock { $0 = notify } }
    }

    @Test func `19.3: in every theme, cells that have not arrived look different from missing cells`() throws {
        let source = SlowSource()
        let options = LaunchOptions()
        let session = try Session(Document(source, options: options), options: options, backend: backend, runner: .inline)
        try session.start()
        session.turn()
        #expect(backend.lines[2].contains("1") && backend.lines[2].contains("·") && !screen.contains("░"))
        for _ in Theme.presets {
            try press("G", session)
            #expect(screen.contains("░") && !screen.contains("·"), "\(screen)")
            try press("g T", session)
        }
        try press("G", session)
        source.hasArrived.withLock { $0 = true }
        session.document.source.refresh()
        source.notify.withLock { $0 }()
        session.turn()
        #expect(!screen.contains("░") && screen.contains("200") && screen.contains("·"), "\(screen)")
    }
}

/// A source that differs in some members from a table in memory.
private protocol MemoryBacked: TableSource {
    var base: MemorySource { get }
}

extension MemoryBacked {
    var name: String { base.name }
    var path: String? { nil }
    var byteCount: Int { base.byteCount }
    var indexedByteCount: Int { base.indexedByteCount }
    var isGrowing: Bool { false }
    var columnCount: Int { base.columnCount }
    var hasColumnNames: Bool { true }
    func title(ofColumn column: Int) -> String { base.title(ofColumn: column) }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { base.profiles(budgetMilliseconds: budgetMilliseconds) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] { base.profiles(ofColumnsFrom: first) }
    func tail(atLeast count: Int) throws -> TailRecords { try base.tail(atLeast: count) }
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {}
}
