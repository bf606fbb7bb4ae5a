import DataGrid
import DataGridTerminal
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import LogTail

@MainActor
@Suite struct LogTailTests {
    private let logScreen = LogScreen(log: Log(count: 5_000), capacity: 120, page: 40)

    private func open(_ columns: Int = 80, _ rows: Int = 16) throws -> (GridApplication, RecordingBackend) {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows))
        let application = GridApplication(on: backend)
        logScreen.show(on: application, every: .seconds(3600))
        try application.start()
        return (application, backend)
    }

    /// Advances time by a number of ticks.
    private func wait(_ ticks: Int, _ application: GridApplication) {
        for _ in 0..<ticks {
            logScreen.tick()
            application.turn()
        }
    }

    /// The line number under the cursor.
    private var current: LogLine? { logScreen.grid.state.currentRow.map { logScreen.lines[$0.rawValue] } }

    /// True if the lines in memory are a contiguous part of the log within the limit.
    private var isContiguous: Bool {
        logScreen.lines == logScreen.window.map { logScreen.log[$0] }.filter { $0.level.rawValue >= logScreen.level.rawValue }
            && logScreen.lines.count <= logScreen.capacity && logScreen.lines.count == logScreen.grid.state.rows.count
    }

    @Test func `C8, C4: new lines are appended at the end, and the screen follows them`() throws {
        let (application, backend) = try open()
        #expect(backend.lines[0].hasPrefix(" ● following"))
        for _ in 0..<100 {
            wait(1, application)
            #expect(backend.lines[14].hasPrefix(logScreen.log[logScreen.log.count - 1].clock))
            #expect(current?.number == logScreen.log.count - 1 && isContiguous)
        }
        #expect(logScreen.log.count > 5_100 && logScreen.lines.count == logScreen.capacity)
    }

    @Test func `C8: a move up or a selection stops following the log until f resumes it`() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.up), KeyPress(.up))
        application.turn()
        let line = current
        wait(5, application)
        #expect(current == line && backend.lines[0].hasPrefix(" ○ stopped: f follows"))
        backend.press(KeyPress(.character("f")), KeyPress(.character(" ")))
        application.turn()
        #expect(current?.number == logScreen.log.count - 1 && !logScreen.isFollowing)
        wait(1, application)
        #expect(current?.number ?? 0 < logScreen.log.count - 1)
        backend.press(KeyPress(.character("f")))
        application.turn()
        #expect(logScreen.isFollowing && current?.number == logScreen.log.count - 1)
    }

    @Test func `C8, C4: a row at the end shows the number of newer lines, and loads them whenever it is near`() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.home, .control))
        application.turn()
        wait(90, application)
        let missing = logScreen.log.count - logScreen.window.upperBound
        #expect(missing > 80 && logScreen.grid.state.loader?.text == "\(missing) newer lines")
        // At capacity, a line is removed for each new line.
        for _ in 0..<12 {
            backend.press(KeyPress(.end, .control))
            application.turn()
            #expect(logScreen.isFollowing || backend.lines[14].contains("newer lines"))
            wait(1, application)
            #expect(isContiguous)
        }
        #expect(logScreen.window.upperBound == logScreen.log.count && logScreen.grid.state.loader == nil)
    }

    @Test func `C8, A14, C2: a pull at the top loads older lines in bounded memory, and the cursor stays on its line`() throws {
        let (application, backend) = try open()
        for _ in 0..<6 {
            backend.press(KeyPress(.home, .control), KeyPress(.up))
            application.turn()
            let line = current
            #expect(backend.lines[2].contains("keep pulling for older lines"))
            backend.press(KeyPress(.up))
            application.turn()
            #expect(backend.lines[2].contains("release for older lines"))
            logScreen.grid.tick(at: .now + .seconds(1))
            application.turn()
            #expect(backend.lines[0].hasSuffix("loading older lines …"))
            wait(1, application)
            #expect(current == line && logScreen.grid.state.cursor.row == 40 && isContiguous)
        }
        #expect(logScreen.lines.first?.number == 5_000 - 7 * 40 && logScreen.lines.count == logScreen.capacity)
    }

    @Test func `C8: a filter hides lines below a log level, and the cursor stays on its line`() throws {
        let (application, backend) = try open()
        while current?.level != .error {
            backend.press(KeyPress(.up))
            application.turn()
        }
        let line = current
        for level in [Level.info, .warning, .error] {
            backend.press(KeyPress(.character("l")))
            application.turn()
            #expect(logScreen.level == level && current == line && backend.lines[0].contains("\(level.name) and above"))
            #expect(isContiguous && logScreen.lines.count >= 40)
        }
        backend.press(KeyPress(.character("f")))
        application.turn()
        wait(200, application)
        #expect(logScreen.isFollowing && isContiguous && logScreen.lines.count > 44)
    }

    @Test func `C8, A4: each log level has a color of the theme`() throws {
        let (application, backend) = try open(80, 43)
        let theme = logScreen.grid.state.theme
        let colors: [Level: Color?] = [
            .info: theme.flagType.foreground, .warning: theme.sectionHeader.foreground, .error: theme.fall.foreground,
        ]
        for level in [Level.info, .warning, .error] {
            backend.press(KeyPress(.character("l")))
            application.turn()
            for (y, line) in logScreen.lines.suffix(40).enumerated() where line.level == level {
                #expect(backend.screen[10, y + 2].style.foreground == CellStyle(foreground: colors[level]!).textStyle.foreground)
            }
            #expect(logScreen.lines.suffix(40).contains { $0.level == level })
        }
    }

    @Test func `C8, C3: in paged mode, page keys keep the top row at a multiple of the page size`() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.character("p")), KeyPress(.pageUp))
        application.turn()
        let page = try #require(logScreen.grid.state.layout.pageSize)
        #expect(backend.lines[0].contains("paged") && page > 1)
        #expect(logScreen.grid.state.scroll.top % page == 0)
        #expect(logScreen.grid.state.scroll.top > 0)
        backend.press(KeyPress(.character("q")))
        application.turn()
    }

    @Test func `C8, B8: a narrow screen shows the exit hint`() throws {
        for columns in [20, 40, 80] { #expect(try open(columns, 8).1.lines[7].hasPrefix(" q quit")) }
    }

    @Test func `C8: the log grows at the requested rate; an invalid number is refused`() {
        #expect(LogTail.interval("2") == .milliseconds(500) && LogTail.interval("1000") == .milliseconds(1))
        for argument in ["0", "-3", "x", "", "1001"] { #expect(LogTail.interval(argument) == nil) }
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all messages and the key that quits`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        logScreen.show(on: application, every: .seconds(3600))
        try application.start()
        for _ in 0..<4 {
            for _ in 0..<10 {
                wait(5, application)
                #expect(defects(of: backend.lines) == [])
            }
            backend.press(KeyPress(.character("l")))
        }
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let (application, backend) = try open(80, 18)
        func shows(_ word: String) -> Bool { backend.lines.contains { $0.contains(word) } }
        for _ in 0..<200 where !shows("ERROR") || !shows("WARN") { wait(1, application) }
        #expect(shows("ERROR") && shows("WARN"))
        try drawPicture(of: "LogTail", backend.screen)
    }
}
