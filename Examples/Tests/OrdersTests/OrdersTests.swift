import DataGrid
import DataGridTerminal
import Foundation
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Orders

@MainActor
@Suite struct OrdersTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("orders-\(UUID()).json")
    private let orderScreen: OrderScreen

    init() { orderScreen = OrderScreen(OrderBook(Region.samples), viewIn: file) }

    private func open(_ columns: Int = 80, _ rows: Int = 24) throws -> (GridApplication, RecordingBackend) {
        try open(orderScreen, columns, rows)
    }

    private func open(_ orderScreen: OrderScreen, _ columns: Int = 80, _ rows: Int = 24) throws -> (GridApplication, RecordingBackend) {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows))
        let application = GridApplication(on: backend)
        orderScreen.show(on: application)
        try application.start()
        return (application, backend)
    }

    private func press(_ application: GridApplication, _ backend: RecordingBackend, _ keys: KeyPress...) {
        backend.events += keys.map { .key($0) }
        application.turn()
    }

    @Test func `C8, A2, A15: the grid shows customers in regions, headers with scrolling text and aggregates, and a total`() throws {
        let (_, backend) = try open()
        #expect(backend.lines[1].hasPrefix(" Order┃ Day         Item        Count     Price  Remark"))
        #expect(
            backend.lines[2].hasPrefix("▾ North  12 orders") && backend.lines[2].contains("sum 78")
                && backend.lines[2].contains("sum 3,759.80")
        )
        #expect(backend.lines[3].hasPrefix("  ▾ Aalto Bikes  4 orders  Oulu"))
        #expect(backend.lines[4].hasPrefix("  4101┃ 2026-06-19  Lamp           10     45.90  a gift"))
        #expect(backend.lines[22].hasPrefix("Σ") && backend.lines[22].contains("295") && backend.lines[22].hasSuffix("14,280.20"))
    }

    @Test func `C8, A8: the order number and the amount stay visible during horizontal scrolling`() throws {
        let (application, backend) = try open(60)
        for _ in 0..<5 { press(application, backend, KeyPress(.right)) }
        #expect(backend.lines[1].hasPrefix(" Order┃") && backend.lines[1].contains("Remark") && backend.lines[1].hasSuffix("Amount"))
        #expect(!backend.lines[1].contains("Day"))
    }

    @Test func `C8, B2, C1: a narrow frame shows cards, and a key transposes the grid`() throws {
        let (application, backend) = try open(50)
        #expect(
            orderScreen.grid.state.effectivePresentation == .cards && backend.lines.contains { $0.contains("Lamp") && $0.contains("4101") })
        press(application, backend, KeyPress(.character("t")), KeyPress(.character("t")), KeyPress(.right), KeyPress(.right))
        #expect(orderScreen.layoutName == "transposed" && backend.lines.contains { $0.hasPrefix("Item") && $0.contains("Lamp") })
        press(application, backend, KeyPress(.character("t")), KeyPress(.character("t")))
        #expect(orderScreen.grid.state.presentation == .adaptive(below: 56))
        backend.size = TerminalSize(columns: 90, rows: 24)
        backend.events = [.resize(backend.size)]
        application.turn()
        #expect(orderScreen.grid.state.effectivePresentation == .table)
    }

    @Test func `C8, A15, A16: orders are sorted within each customer, and one key collapses all sections`() throws {
        let (application, backend) = try open()
        orderScreen.grid.activateHeader(3)
        application.turn()
        #expect(backend.lines[4].hasPrefix("  4104┃") && backend.lines[7].hasPrefix("  4101┃") && backend.lines[3].contains("Aalto Bikes"))
        press(application, backend, KeyPress(.character("z")))
        #expect(orderScreen.grid.state.visibleRows.isEmpty && backend.lines[3].hasPrefix("▸ Middle"))
    }

    @Test func `C8, A17: keys move an order within its customer; the header of the order numbers cannot be dragged`() throws {
        let (application, backend) = try open()
        press(application, backend, KeyPress(.down), KeyPress(.down), KeyPress(.down, .alt), KeyPress(.down, .alt))
        #expect(backend.lines[0].contains("Moved the order."))
        #expect(backend.lines[6].hasPrefix("  4101┃") && backend.lines[4].hasPrefix("  4102┃"))
        #expect(
            orderScreen.permittedDragDirections(ofRow: nil, column: 0) == []
                && orderScreen.permittedDragDirections(ofRow: nil, column: 1) == nil)
    }

    @Test func `C8, A18: the program restores the saved view`() throws {
        let (application, backend) = try open()
        press(application, backend, KeyPress(.character("v")))
        #expect(backend.lines[0].contains("No saved view"))
        orderScreen.grid.perform(.moveColumn(2, toIndex: 1))
        orderScreen.grid.perform(.setCollapsed(section: 1, true))
        orderScreen.grid.perform(.moveCursor(GridCursor(item: .row(6), column: 3)))
        press(application, backend, KeyPress(.character("V")))
        let lines = backend.lines.dropFirst()
        #expect(backend.lines[0].contains("View saved"))
        for action: GridAction in [.moveColumn(2, toIndex: 4), .setAllCollapsed(false), .move(.bottom), .setPresentation(.cards)] {
            orderScreen.grid.perform(action)
        }
        press(application, backend, KeyPress(.character("v")))
        #expect(backend.lines.dropFirst() == lines)
        #expect(orderScreen.grid.state.cursor == GridCursor(item: .row(6), column: 3))
        #expect(backend.lines[0] == " Orders  Restored the view.")
        let later = OrderScreen(OrderBook(Region.samples), viewIn: file)
        let (application2, backend2) = try open(later)
        press(application2, backend2, KeyPress(.character("v")))
        #expect(backend2.lines[0] == " Orders  Restored an earlier view.")
        try FileManager.default.removeItem(at: file)
    }

    @Test func `C8, B4: the message shown by a key stays until the next key or click and fits 40 columns`() throws {
        let (application, backend) = try open(40, 12)
        defer { try? FileManager.default.removeItem(at: file) }
        let title = " Orders  46 orders, layout by width"
        #expect(backend.lines[0] == title)
        for key: Key in [.character("v"), .character("V"), .character("v")] {
            press(application, backend, KeyPress(key))
            #expect(backend.lines[0].hasSuffix(".") && !backend.lines[0].contains("…"))
            press(application, backend, KeyPress(.down))
            #expect(backend.lines[0] == title)
        }
        press(application, backend, KeyPress(.home, .control), KeyPress(.down, .alt))
        #expect(backend.lines[0] == " Orders  Only orders can be moved.", "the cursor is on a header")
        press(application, backend, KeyPress(.character("V")), KeyPress(.character("t")))
        #expect(backend.lines[0] == " Orders  46 orders, as a table")
        press(application, backend, KeyPress(.character("V")))
        backend.events = [.mouse(MouseEvent(.press(.left), x: 1, y: 5)), .mouse(MouseEvent(.release(.left), x: 1, y: 5))]
        application.turn()
        #expect(backend.lines[0] == " Orders  46 orders, as a table")
    }

    @Test func `C8, B2, B8: at 40 columns, every presentation shows an order and its amount`() throws {
        let (application, backend) = try open(40, 12)
        #expect(backend.lines[11] == " q quit  t layout  z collapse  V v view")
        for name in ["layout by width", "as a table", "transposed", "as cards"] {
            #expect(orderScreen.layoutName == name)
            #expect(backend.lines.contains { $0.contains("4101") } && backend.lines.contains { $0.contains("459.00") }, "\(backend.lines)")
            press(application, backend, KeyPress(.character("t")))
        }
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        orderScreen.show(on: application)
        try application.start()
        application.turn()
        for _ in 0..<6 {
            #expect(defects(of: backend.lines) == [])
            press(application, backend, KeyPress(.pageDown))
        }
        // Cards show each remark.
        for _ in 0..<3 { press(application, backend, KeyPress(.character("t"))) }
        press(application, backend, KeyPress(.home, .control))
        for _ in 0..<20 where !backend.lines.contains(where: { $0.contains("together with the other order") }) {
            press(application, backend, KeyPress(.pageDown))
        }
        #expect(orderScreen.layoutName == "as cards" && backend.lines.contains { $0.contains("together with the other order") })
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let (application, backend) = try open(80, 24)
        press(application, backend, KeyPress(.down), KeyPress(.down), KeyPress(.down))
        #expect(backend.lines[8].hasPrefix("  ▾ Bergvei"))
        try drawPicture(of: "Orders", backend.screen)
    }
}
