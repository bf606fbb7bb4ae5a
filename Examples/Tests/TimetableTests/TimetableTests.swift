import DataGrid
import DataGridTerminal
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Timetable

@MainActor
@Suite struct TimetableTests {
    private let timetableScreen = TimetableScreen(School())

    private func open(_ columns: Int = 80, _ rows: Int = 24) throws -> (GridApplication, RecordingBackend) {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows))
        let application = GridApplication(on: backend)
        timetableScreen.show(on: application)
        try application.start()
        return (application, backend)
    }

    private func press(_ keys: [Key], _ application: GridApplication, _ backend: RecordingBackend) {
        backend.events += keys.map { .key(KeyPress($0)) }
        application.turn()
    }

    /// The widths of the first classes, and the heights of the first periods without the rules below them.
    private var widths: [Int] { Array(timetableScreen.grid.state.layout.geometry.widths.prefix(5)) }
    private var heights: [Int] { timetableScreen.grid.state.layout.itemSpans.prefix(4).map { $0.fullHeight - 1 } }

    @Test func `C8, C6: the grid has a corner, column headers of two lines, row headers, and rules between lessons`() throws {
        let (_, backend) = try open()
        #expect(
            backend.lines[1...2].map { $0.prefix(42) } == [
                " Monday     │ 5A          │ 5B          │ ",
                "            │ 22 pupils   │ 27 pupils   │ ",
            ])
        #expect(
            backend.lines[3...7].map { $0.prefix(42) } == [
                " 08:00–08:45│ Maths       │ PE          │ ",
                "            │ Room 12     │ Gym         │ ",
                "            │ Ms Noether  │ Ms Blankers │ ",
                "            │             │             │ ",
                "            ├─────────────┼─────────────┼─",
            ])
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        timetableScreen.show(on: application)
        try application.start()
        application.turn()
        for _ in 0..<3 {
            #expect(defects(of: backend.lines) == [])
            press([.pageDown], application, backend)
        }
        press([.character("d"), .character("r"), .character("c")], application, backend)
        #expect(!backend.lines[0].contains("…"))
    }

    @Test func `C8: a picture for the documentation shows cells fitted to their content`() throws {
        let (application, backend) = try open(100, 26)
        press([.right], application, backend)
        #expect(backend.lines[3].contains("│ PE"))
        try drawPicture(of: "Timetable", backend.screen)
    }

    @Test func `C8, C6: the c key switches between column headers that stay and ones that scroll away with the periods`() throws {
        let (application, backend) = try open()
        press([.down, .down, .down, .down, .down, .down], application, backend)
        #expect(backend.lines[1].contains("5A") && backend.lines[2].contains("22 pupils") && !backend.lines.joined().contains("08:00"))
        press([.character("c")], application, backend)
        #expect(backend.lines[0].contains("classes scroll") && !backend.lines.joined().contains("pupils"))
        press([.up, .up, .up, .up, .up, .up], application, backend)
        #expect(backend.lines[1].contains("5A"), "at the top they are visible")
        press([.down, .down, .down, .down, .down, .down, .character("c")], application, backend)
        #expect(backend.lines[0].contains("classes stay") && backend.lines[2].contains("22 pupils"))
    }

    @Test func `C8, C6: the r key switches between row headers that stay and ones that scroll away with the classes`() throws {
        let (application, backend) = try open()
        press(Array(repeating: .right, count: 6), application, backend)
        #expect(backend.lines[1].hasPrefix(" Monday") && backend.lines[3].hasPrefix(" 08:00–08:45│") && !backend.lines[1].contains("5A"))
        press([.character("r")], application, backend)
        #expect(backend.lines[0].contains("times scroll"))
        #expect(!backend.lines.joined().contains("08:00") && !backend.lines[1].contains("Monday"))
        press([.home], application, backend)
        #expect(backend.lines[1].hasPrefix(" Monday") && backend.lines[3].hasPrefix(" 08:00–08:45│"))
        press([.end, .character("r")], application, backend)
        #expect(backend.lines[0].contains("times stay") && backend.lines[1].hasPrefix(" Monday"))
    }

    @Test func `C8, C6, C7: columns are as wide as their widest cell and rows as high as their highest, within the limits`() throws {
        let (_, backend) = try open()
        #expect((0..<5).map { timetableScreen.width(ofColumn: ColumnID($0)) } == [12, 12, 15, 31, 12])
        #expect(widths == [12, 12, 15, 18, 12], "18 is the maximum")
        #expect(heights == [4, 3, 2, 4], "the break has the minimum")
        #expect(
            backend.lines.contains { $0.contains("│ Excursion to the  │") } && backend.lines.contains { $0.contains("│ harbour museum") })
    }

    @Test(arguments: [60, 80, 120])
    func `C8, C7: without limits, cells are as large as their content; l sets or removes the limits`(columns: Int) throws {
        let (application, backend) = try open(columns)
        press([.character("l")], application, backend)
        #expect(widths == [12, 12, 15, 31, 12] && heights == [4, 3, 1, 3])
        #expect(backend.lines[0].contains("fit, no limits"))
        press([.right, .right, .right], application, backend)
        #expect(backend.lines.contains { $0.contains("Excursion to the harbour museum") })
        press([.character("l")], application, backend)
        #expect(widths == [12, 12, 15, 18, 12] && (columns < 80 || heights == [4, 3, 2, 4]) && backend.lines[0].contains("fit 12×2–18×4"))
    }

    @Test func `C8, C7: fixed sizes ignore the limits; d switches between fixed and fitted sizes`() throws {
        let (application, backend) = try open()
        press([.character("d")], application, backend)
        #expect(widths == [22, 22, 22, 22, 22] && heights.allSatisfy { $0 == 5 } && timetableScreen.hasLimits)
        #expect(backend.lines[0].contains("all 22×5"))
        press([.character("l")], application, backend)
        #expect(widths == [22, 22, 22, 22, 22] && heights.allSatisfy { $0 == 5 })
        press([.character("d"), .character("l")], application, backend)
        #expect(widths == [12, 12, 15, 18, 12] && heights == [4, 3, 2, 4])
    }

    @Test func `C8, A5: titles of lessons have colors of the theme, also on a light terminal`() throws {
        let (application, backend) = try open()
        #expect(backend.screen[28, 8].style.foreground == Theme.dark.sectionHeader.textStyle.foreground, "English")
        backend.events = [.background(TerminalColor(red: 255, green: 255, blue: 255))]
        application.turn()
        #expect(backend.screen[28, 8].style.foreground == Theme.light.sectionHeader.textStyle.foreground)
        #expect(backend.screen[28, 9].style.foreground == Theme.light.row.textStyle.foreground, "its room")
    }

    @Test(arguments: [(40, 12), (24, 8)])
    func `C8, B8: a small terminal shows a lesson and how to quit; q quits`(columns: Int, rows: Int) throws {
        let (application, backend) = try open(columns, rows)
        #expect(backend.lines[rows - 1].hasPrefix(" q quit") && backend.lines.contains { $0.contains("Maths") })
        press([.character("q")], application, backend)
        #expect(!application.isRunning)
    }
}
