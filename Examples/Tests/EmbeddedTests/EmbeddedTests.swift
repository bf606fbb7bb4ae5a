import DataGrid
import DataGridTerminal
import Foundation
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Embedded

@MainActor
@Suite struct EmbeddedTests {
    private let backend = RecordingBackend(size: TerminalSize(columns: 80, rows: 16))

    private func open() throws -> EmployeeScreen {
        let employeeScreen = EmployeeScreen(Department.samples, on: backend)
        try employeeScreen.start()
        return employeeScreen
    }

    private func press(_ employeeScreen: EmployeeScreen, _ keys: Key...) {
        for key in keys { backend.press(KeyPress(key)) }
        employeeScreen.turn()
    }

    @Test func `C8: the program draws two framed grids and its own text around them`() throws {
        _ = try open()
        #expect(backend.lines[0] == " Hansen Boats")
        #expect(backend.lines[1].hasPrefix("╭─ Departments ──") && backend.lines[1].contains("╮╭─ Design ──"))
        #expect(backend.lines[2].contains("Department       People ││Name"))
        #expect(backend.lines[3].hasPrefix("│Design                5 ││Björn ") && backend.lines[3].hasSuffix("│"))
        #expect(backend.lines[12].hasPrefix("╰──") && backend.lines[12].hasSuffix("──╯"))
        #expect(backend.lines[15].contains("Tab") && backend.lines[15].contains("q quit"))
    }

    @Test func `C8, A5: on a light terminal, both grids and the frame use the light preset`() throws {
        let employeeScreen = try open()
        backend.events = [.background(TerminalColor(red: 255, green: 255, blue: 255))]
        employeeScreen.turn()
        #expect([employeeScreen.departments, employeeScreen.people].allSatisfy { $0.state.theme.row == Theme.light.row })
        #expect(backend.screen[0, 1].style == Theme.light.currentRowHeader.textStyle)
    }

    @Test func `C8, A3, A7: a cursor move on the left changes the right grid and redraws nothing else on the left`() throws {
        let employeeScreen = try open()
        press(employeeScreen, .down, .down)
        #expect(backend.lines[1].contains("─ Sails ─") && backend.lines[13] == " Cuts and sews sails, covers and awnings.")
        #expect(backend.lines[14].hasPrefix(" 15 people earn 54,070 on average"))
        #expect(employeeScreen.people.state.rows.count == 15 && backend.lines[3].contains("│Anna Jansen"))
        #expect(!String(decoding: backend.lastBytes, as: UTF8.self).contains("Rigging"))
    }

    @Test func `C8: Tab, Enter, Escape and clicks move the focus, which highlights the frame and cursor of its grid`() throws {
        let employeeScreen = try open()
        func light(_ x: Int, _ y: Int) -> TextStyle { backend.screen[x, y].style }
        let (bright, dim) = (Theme.dark.currentRowHeader.textStyle, Theme.dark.gridLine.textStyle)
        #expect(employeeScreen.focused === employeeScreen.departments && light(0, 1) == bright && light(26, 1) == dim)
        press(employeeScreen, .tab, .down)
        #expect(employeeScreen.focused === employeeScreen.people && light(0, 1) == dim && light(26, 1) == bright)
        #expect(employeeScreen.people.state.cursor.row == 1 && employeeScreen.departments.state.cursor.row == 0)
        #expect(light(27, 4).attributes.contains(.reverse) && !light(1, 3).attributes.contains(.reverse))
        press(employeeScreen, .escape)
        #expect(employeeScreen.focused === employeeScreen.departments)
        press(employeeScreen, .enter)
        #expect(employeeScreen.focused === employeeScreen.people)
        backend.events = [.mouse(MouseEvent(.press(.left), x: 3, y: 6)), .mouse(MouseEvent(.release(.left), x: 3, y: 6))]
        employeeScreen.turn()
        #expect(employeeScreen.focused === employeeScreen.departments && backend.lines[1].contains("─ Rigging ─"))
    }

    @Test func `C8, A19: the sort set by a click on a column title also applies to the people of the next department`() throws {
        let employeeScreen = try open()
        let x = try #require(Array(backend.lines[2]).firstIndex(of: "S"))
        #expect(employeeScreen.focused === employeeScreen.departments)
        backend.events = [.mouse(MouseEvent(.press(.left), x: x, y: 2)), .mouse(MouseEvent(.release(.left), x: x, y: 2))]
        employeeScreen.turn()
        func salaries() -> [Int] { backend.lines[3..<12].compactMap { Int($0.dropFirst(x - 1).prefix(7).filter(\.isNumber)) } }
        let first = salaries()
        #expect(first.count == 5 && first == first.sorted())
        press(employeeScreen, .tab, .down)
        #expect(salaries() != first && salaries() == salaries().sorted() && salaries().count == 9)
    }

    @Test func `C8, B8: a narrow terminal shows only the focused grid`() throws {
        let employeeScreen = try open()
        backend.size = TerminalSize(columns: 40, rows: 12)
        employeeScreen.turn()
        #expect(backend.lines[1].hasPrefix("╭─ Departments") && !backend.lines[1].contains("Design"))
        press(employeeScreen, .enter)
        #expect(backend.lines[1].hasPrefix("╭─ Design ─") && backend.lines[3].hasPrefix("│"))
        #expect(employeeScreen.people.frame == TerminalRect(x: 1, y: 2, width: 38, height: 6))
    }

    @Test(
        arguments: [(20, 9), (20, 6), (8, 4)])
    func `C8, B8: a low screen omits the frames and the description but keeps the rows and the key that quits`(columns: Int, rows: Int)
        throws
    {
        backend.size = TerminalSize(columns: columns, rows: rows)
        let employeeScreen = try open()
        #expect(backend.lines[rows - 1].hasPrefix(" q quit"))
        #expect(backend.lines.contains { $0.contains("╭─ Departments") } == (rows == 9))
        #expect(backend.lines[rows == 9 ? 3 : 2].drop { $0 == "│" }.hasPrefix("De"), "the first row")
        press(employeeScreen, .enter)
        #expect(backend.lines[rows == 9 ? 3 : 2].contains(rows == 4 ? "Bj" : "Björn"))
    }

    @Test func `C8, B1: each line of an employee shows the planned share next to its bar`() throws {
        for columns in [80, 120] {
            backend.size = TerminalSize(columns: columns, rows: 24)
            let employeeScreen = try open()
            press(employeeScreen, .down, .down)
            for person in Department.samples[2].people {
                let line = try #require(backend.lines.first { $0.contains(person.name) })
                #expect(line.contains(" \(Int((person.load * 100).rounded())) %"))
            }
        }
    }

    @Test func `C8: Ctrl-q quits like q; Ctrl-c copies the selection, as in the other programs`() throws {
        let employeeScreen = try open()
        backend.press(KeyPress(.enter), KeyPress(.character("c"), .control))
        employeeScreen.turn()
        #expect(String(decoding: backend.controlSequences.joined(), as: UTF8.self).contains(Data("Björn Koch".utf8).base64EncodedString()))
        backend.press(KeyPress(.character("q"), .control))
        #expect(try employeeScreen.run() == 0)
    }

    @Test func `C8: the event loop sleeps until input arrives, and the terminal is restored after q or a signal`() throws {
        let employeeScreen = EmployeeScreen(Department.samples, on: backend)
        backend.press(KeyPress(.down), KeyPress(.character("q")))
        #expect(try employeeScreen.run() == 0)
        #expect(backend.waitTimeouts == [nil] && !backend.isStarted)
        backend.pendingSignal = 15
        #expect(try EmployeeScreen(Department.samples, on: backend).run() == 143)
        #expect(!backend.isStarted)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let employeeScreen = EmployeeScreen(Department.samples, on: backend)
        try employeeScreen.start()
        employeeScreen.turn()
        for _ in Department.samples {
            #expect(defects(of: backend.lines) == [])
            backend.press(KeyPress(.down))
            employeeScreen.turn()
        }
        #expect(backend.lines.contains { $0.contains("Salary") })
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        backend.size = TerminalSize(columns: 100, rows: 18)
        let employeeScreen = try open()
        press(employeeScreen, .down, .down)
        #expect(backend.lines[1].contains("─ Sails ─"))
        try drawPicture(of: "Embedded", backend.screen)
    }
}
