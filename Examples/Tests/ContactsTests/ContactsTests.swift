import DataGrid
import DataGridTerminal
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Contacts

@MainActor
@Suite struct ContactsTests {
    private let book = AddressBook(Contact.samples)

    private func open(_ columns: Int = 80, _ rows: Int = 24) throws -> (GridApplication, RecordingBackend) {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows))
        let application = GridApplication(on: backend)
        book.show(on: application)
        try application.start()
        return (application, backend)
    }

    @Test func `C8, B2, C5: a card shows each column in a slot, and all cards that fit are side by side`() throws {
        let (application, backend) = try open(60, 9)
        #expect(
            backend.lines[2...7] == [
                " ▏ FA Frances Allen                             555 0136",
                " ▏    Compiler engineer                                  ›",
                " ▏    allen@home.test",
                " ▏ KA Kay Antonelli                             555 0166",
                " ▏    Programmer                                         ›",
                " ▏    antonelli@home.test",
            ])
        #expect(backend.lines[8] == " q quit  Enter open  f ★  t table  A–Z go to  z collapse")
        book.grid.perform(.setCollapsed(section: 0, true))
        for (columns, count) in [(80, 2), (140, 3)] {
            backend.size = TerminalSize(columns: columns, rows: 9)
            application.turn()
            #expect(backend.lines[5].split(separator: "@").count == 1 + count, "\(columns)")
        }
    }

    @Test func `C8, A15, A19: people are grouped by the first letter of their family name, and a letter goes to its group`() throws {
        let (application, backend) = try open()
        let headers = book.grid.state.outline.tree?.sections.map(\.title) ?? []
        #expect(headers == headers.sorted() && headers.first == "A" && headers.last == "Z")
        for _ in 0..<12 { backend.press(KeyPress(.down)) }
        application.turn()
        #expect(
            backend.lines[1].hasPrefix("▾ B  5 contacts") && backend.lines[2].contains("Manuel Blum"),
            "the first cards have scrolled away, the header has not")
        backend.press(KeyPress(.character("z")))
        application.turn()
        #expect(backend.lines[1...3].map { $0.prefix(15) } == ["▸ A  2 contacts", "▸ B  5 contacts", "▸ C  4 contacts"])
        backend.press(KeyPress(.character("L")), KeyPress(.right), KeyPress(.down))
        application.turn()
        #expect(book.grid.state.currentRow.flatMap(book.source.object)?.name == "Leslie Lamport")
    }

    @Test func `C8, A11, B5: Enter and a click on › open a contact; Escape closes it`() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.down), KeyPress(.enter))
        application.turn()
        let screen = backend.lines.joined(separator: "\n")
        #expect(screen.contains("╭─ Frances Allen ─") && screen.contains("✉ allen@home.test"))
        backend.press(KeyPress(.escape))
        application.turn()
        #expect(!book.isOpen && !backend.lines.joined().contains("╭"))
        let x = try #require(Array(backend.lines[3]).lastIndex(of: "›"))
        backend.events = [.mouse(MouseEvent(.press(.left), x: x, y: 3)), .mouse(MouseEvent(.release(.left), x: x, y: 3))]
        application.turn()
        #expect(backend.lines.joined().contains("╭─ Kay Antonelli ─"))
    }

    @Test func `C8, A11: q or a click outside closes an open contact, but a click or the wheel inside does nothing`() throws {
        let (application, backend) = try open()
        func click(_ x: Int, _ y: Int) {
            backend.events = [.mouse(MouseEvent(.press(.left), x: x, y: y)), .mouse(MouseEvent(.release(.left), x: x, y: y))]
            application.turn()
        }
        backend.press(KeyPress(.down), KeyPress(.enter), KeyPress(.character("q")))
        application.turn()
        #expect(!book.isOpen && application.isRunning && backend.lines[23].hasPrefix(" q quit"))
        backend.press(KeyPress(.enter))
        application.turn()
        let lines = backend.lines
        #expect(lines[23].hasPrefix(" q back"))
        backend.events = [.mouse(MouseEvent(.wheel(x: 0, y: 3), x: 40, y: 12))]
        click(40, 12)
        #expect(book.isOpen && backend.lines == lines)
        click(2, 20)
        #expect(!book.isOpen && book.grid.state.currentRow.flatMap(book.source.object)?.name == "Frances Allen")
        // Moving up to the section header also closes it.
        backend.press(KeyPress(.enter), KeyPress(.up))
        application.turn()
        #expect(!book.isOpen)
        backend.press(KeyPress(.character("q")))
        application.turn()
        #expect(!application.isRunning)
    }

    @Test func `C8, B8: a narrow table keeps the names; every width shows how to quit`() throws {
        let (application, backend) = try open(40, 12)
        backend.press(KeyPress(.character("t")), KeyPress(.down), KeyPress(.right), KeyPress(.right), KeyPress(.right), KeyPress(.right))
        application.turn()
        #expect(backend.lines.contains { $0.contains("Frances Allen") })
        backend.size = TerminalSize(columns: 20, rows: 6)
        application.turn()
        #expect(backend.lines[5].hasPrefix(" q quit"))
    }

    @Test(arguments: [0x1C, 0xFF] as [UInt8]) func `C8, A5: the star is legible on dark and light terminals`(ground: UInt8) throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.down), KeyPress(.character("f")), KeyPress(.right))
        backend.events.append(.background(TerminalColor(red: ground, green: ground, blue: ground)))
        application.turn()
        let x = try #require(Array(backend.lines[3]).firstIndex(of: "★"))
        let color = try #require(book.grid.state.theme.sectionHeader.foreground)
        #expect(backend.screen[x, 3].style.foreground == CellStyle(foreground: color).textStyle.foreground)
        #expect(color.contrast(with: Color(red: ground, green: ground, blue: ground)) >= 4.5)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits, as cards and as a table`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        book.show(on: application)
        try application.start()
        for _ in 0..<2 {
            application.turn()
            // All pages of contacts.
            for _ in 0..<12 {
                #expect(defects(of: backend.lines) == [])
                backend.press(KeyPress(.pageDown))
                application.turn()
            }
            backend.press(KeyPress(.character("t")))
        }
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let (application, backend) = try open(90, 20)
        backend.press(KeyPress(.down), KeyPress(.down), KeyPress(.down))
        application.turn()
        #expect(backend.lines[1].hasPrefix("▾ A"))
        try drawPicture(of: "Contacts", backend.screen)
    }
}
