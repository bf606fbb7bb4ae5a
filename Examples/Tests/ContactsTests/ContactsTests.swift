import DataGrid
import DataGridTerminal
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

    @Test("C8, B2, C5: what a column says stands in its slot of the card, and as many cards stand side by side as fit")
    func cards() throws {
        let (application, backend) = try open(60, 9)
        #expect(
            backend.lines[2...7] == [
                " ▏ FA Frances Allen                             555 0136",
                " ▏    Compiler engineer                                  ›",
                " ▏    allen@example.org",
                " ▏ KA Kay Antonelli                             555 0166",
                " ▏    Programmer                                         ›",
                " ▏    antonelli@example.org",
            ])
        #expect(backend.lines[8] == " Enter open  f ★  t table  q leave  A–Z go to  z fold")
        book.grid.perform(.setCollapsed(section: 0, true))
        for (columns, count) in [(80, 2), (140, 3)] {
            backend.size = TerminalSize(columns: columns, rows: 9)
            application.turn()
            #expect(backend.lines[5].split(separator: "@").count == 1 + count, "\(columns)")
        }
    }

    @Test("C8, A15, A19: people stand under the letter of their family name; its header sticks, z folds all, a letter goes there")
    func sections() throws {
        let (application, backend) = try open()
        let headers = book.grid.state.outline.tree?.sections.map(\.title) ?? []
        #expect(headers == headers.sorted() && headers.first == "A" && headers.last == "Z")
        for _ in 0..<12 { backend.press(KeyPress(.down)) }
        application.turn()
        #expect(
            backend.lines[1].hasPrefix("▾ B  5 contacts") && backend.lines[2].contains("Manuel Blum"),
            "the first cards are gone, the header is not")
        backend.press(KeyPress(.character("z")))
        application.turn()
        #expect(backend.lines[1...3].map { $0.prefix(15) } == ["▸ A  2 contacts", "▸ B  5 contacts", "▸ C  4 contacts"])
        backend.press(KeyPress(.character("L")), KeyPress(.right), KeyPress(.down))
        application.turn()
        #expect(book.grid.state.currentRow.flatMap(book.source.object)?.name == "Leslie Lamport")
    }

    @Test("C8, A11, B5: Enter and a click on › open a contact, Escape closes it")
    func opening() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.down), KeyPress(.enter))
        application.turn()
        let screen = backend.lines.joined(separator: "\n")
        #expect(screen.contains("╭─ Frances Allen ─") && screen.contains("✉ allen@example.org"))
        backend.press(KeyPress(.escape))
        application.turn()
        #expect(!book.isOpen && !backend.lines.joined().contains("╭"))
        let x = try #require(Array(backend.lines[3]).lastIndex(of: "›"))
        backend.events = [.mouse(MouseEvent(.press(.left), x: x, y: 3)), .mouse(MouseEvent(.release(.left), x: x, y: 3))]
        application.turn()
        #expect(backend.lines.joined().contains("╭─ Kay Antonelli ─"))
    }

    @Test("C8, A19: f makes a favourite of the contact under the cursor, and none again")
    func favourites() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.down), KeyPress(.character("f")))
        application.turn()
        #expect(backend.lines[0].contains("7 ★") && backend.lines[3].contains("★ ›"))
        backend.press(KeyPress(.character("f")))
        application.turn()
        // What has changed is drawn 30 times a second at most.
        book.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        #expect(backend.lines[0].contains("6 ★") && !backend.lines[3].contains("★"))
    }

    @Test("C8, B2: t shows the same people as a table, sorted by family names within their letters, and as cards again")
    func table() throws {
        let (application, backend) = try open()
        backend.press(KeyPress(.down), KeyPress(.right), KeyPress(.character("t")), KeyPress(.up), KeyPress(.down))
        application.turn()
        #expect(backend.lines[1].contains("Name") && backend.lines[1].contains("E-mail"))
        #expect(backend.lines[3].hasPrefix("FA  Frances Allen") && backend.lines[3].hasSuffix("›█"))
        book.grid.activateHeader(1)
        application.turn()
        #expect(backend.lines[2].hasPrefix("▾ A") && backend.lines[3].hasPrefix("KA  Kay Antonelli"), "A comes first still")
        backend.press(KeyPress(.character("t")))
        application.turn()
        #expect(book.grid.state.presentation == .cards)
        #expect(book.grid.state.currentRow.flatMap(book.source.object)?.name == "Frances Allen", "it stands where it stood")
    }
}
