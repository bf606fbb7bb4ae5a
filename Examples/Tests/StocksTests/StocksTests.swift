import DataGrid
import DataGridTerminal
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Stocks

@MainActor
@Suite struct StocksTests {
    private let stockScreen = StockScreen()

    private func open(_ columns: Int, _ rows: Int) throws -> (GridApplication, RecordingBackend) {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows))
        let application = GridApplication(on: backend)
        stockScreen.show(on: application)
        try application.start()
        return (application, backend)
    }

    private var stocks: [Stock] { stockScreen.list.exchange.stocks }

    private func press(_ keys: [Key], _ application: GridApplication, _ backend: RecordingBackend) {
        backend.events += keys.map { .key(KeyPress($0)) }
        application.turn()
    }

    @Test func `C8, B1, B2: a table and cards side by side show the same rows: image, prices, status and change`() throws {
        let (application, backend) = try open(120, 40)
        #expect(application.grids.count == 2)
        #expect(backend.lines[1].hasPrefix("─ Regular: a table ──") && backend.lines[1].contains(" ─ Compact: cards ──"))
        for (index, stock) in stocks.prefix(10).enumerated() {
            let row = backend.lines[4 + index].prefix(78)
            let prices = [stock.open, stock.high, stock.low, stock.close].map(\.price)
            for text in [stock.name, stock.status.rawValue] + prices { #expect(row.contains(text), "\(stock.name)") }
            let card = backend.lines[2 + 3 * index..<5 + 3 * index].map { String($0.dropFirst(79)) }
            #expect(card[0].contains(stock.name) && card[0].contains(stock.status.rawValue))
            #expect(card[1].contains(stock.close.price) && card[1].contains("%"))
            #expect(card[2].contains("O \(prices[0]) L \(prices[2]) H \(prices[1])"))
            for line in [String(row), card[0]] { #expect(line.contains { "▁▂▃▄▅▆▇█".contains($0) }, "a chart") }
            for line in [String(row), card[0]] { #expect(line.contains { "●◐○".contains($0) }, "an icon") }
        }
    }

    @Test func `C8, B1: the second line of the column headers shows items such as the currency`() throws {
        let (_, backend) = try open(80, 24)
        #expect(backend.lines[2].split { " ┃".contains($0) } == ["Stock", "Trend", "Open", "High", "Low", "Close", "Status", "Change"])
        #expect(backend.lines[3].split { " ┃".contains($0) } == ["Xetra", "EUR", "EUR", "EUR", "EUR", "now", "today"])
    }

    @Test func `C8, B2, B8: a resize switches between table and cards at once, and the cursor stays on its stock`() throws {
        let (application, backend) = try open(120, 40)
        press([.down, .down, .down], application, backend)
        for (columns, rows, count, isTable) in [(100, 24, 2, true), (75, 24, 1, false), (76, 24, 1, true), (60, 20, 1, false)] {
            backend.size = TerminalSize(columns: columns, rows: rows)
            application.turn()
            #expect(application.grids.count == count && stockScreen.main.state.effectivePresentation == (isTable ? .table : .cards))
            #expect(backend.lines[1].hasPrefix(isTable ? "─ Regular: a table" : "─ Compact: cards"))
            #expect(backend.lines.contains { $0.contains("O \(stocks[3].open.price) L ") } == (count == 2 || !isTable), "a line of a card")
            #expect(stockScreen.main.state.currentRow == 3)
        }
        backend.size = TerminalSize(columns: 80, rows: 24)
        application.turn()
        #expect(application.grids.count == 2 && backend.lines[13].hasPrefix("─ Compact: cards"))
        #expect(backend.lines[14].hasNames(stocks[0].name, stocks[1].name), "two cards in a line")
    }

    @Test func `C8, B2: the t key switches a narrow screen from cards to a table and back`() throws {
        let (application, backend) = try open(60, 20)
        #expect(backend.lines[19].contains("t table"))
        press([.character("t")], application, backend)
        #expect(backend.lines[2].contains("Stock") && backend.lines[2].contains("Open") && backend.lines[19].contains("t cards"))
        press(Array(repeating: .right, count: 8), application, backend)
        #expect(backend.lines[4].contains(stocks[0].name) && backend.lines[2].contains("Change"), "the name stays")
        press([.character("t")], application, backend)
        #expect(backend.lines[1].hasPrefix("─ Compact"))
    }

    @Test func `C8, B5: each row has one of four accessories, and a click or Alt-Enter triggers it`() throws {
        let (application, backend) = try open(80, 24)
        #expect([0, 1, 2, 4].map { stockScreen.list.accessory(ofRow: $0) } == [.checkmark, .disclosure, .none, .detail])
        for (y, glyph) in [(4, "✓"), (5, "›"), (8, "ⓘ")] { #expect(backend.lines[y].contains(glyph)) }
        #expect(!backend.lines[6].contains { "✓›ⓘ".contains($0) })
        func click(_ glyph: Character, y: Int) throws {
            let x = try #require(Array(backend.lines[y]).lastIndex(of: glyph))
            backend.events = [.mouse(MouseEvent(.press(.left), x: x, y: y)), .mouse(MouseEvent(.release(.left), x: x, y: y))]
            application.turn()
        }
        try click("✓", y: 4)
        #expect(backend.lines[0] == " Stocks  No longer watching Adidas." && !stocks[0].isWatched && backend.lines[4].contains("›"))
        // This line belongs to the card of the halted stock.
        try click("ⓘ", y: 21)
        #expect(application.focused === stockScreen.side && backend.lines[0].contains("Bayer is halted until its news is published."))
        press([.up, .up], application, backend)
        #expect(backend.lines[0].hasPrefix(" Stocks  18, 2 watched"))
        for (row, text) in [(0, "Adidas opened at \(stocks[0].open.price)"), (2, "18, 2 watched"), (4, "Bayer is halted")] {
            stockScreen.side.perform(.moveCursor(GridCursor(item: .row(row), column: 1)))
            backend.press(KeyPress(.enter, .alt))
            application.turn()
            #expect(backend.lines[0].contains(text))
        }
    }

    @Test func `C8: Enter and a double-click show the day of a stock; w watches it in both grids`() throws {
        let (application, backend) = try open(120, 40)
        press([.down, .enter], application, backend)
        #expect(backend.lines[0].contains("Airbus opened at \(stocks[1].open.price), is at "))
        press([.character("w")], application, backend)
        #expect(stocks[1].isWatched && backend.lines[0].contains("Watching Airbus."))
        #expect(backend.lines[5].prefix(78).contains("✓") && backend.lines[6].dropFirst(79).contains("✓"))
    }

    @Test func `C8, B7: a selected row has the selected style of its class, in the table and on the card`() throws {
        let (application, backend) = try open(120, 40)
        press([.character(" "), .down, .character(" "), .down, .down, .down, .character(" "), .down], application, backend)
        let theme = Theme.dark
        for (row, style) in [(0, theme.match), (1, theme.selection), (4, theme.fall)] {
            for (x, y) in [(35, 4 + row), (79 + 14, 4 + 3 * row)] {
                #expect(backend.screen[x, y].style.background == style.textStyle.background, "row \(row), x \(x)")
            }
        }
        #expect(backend.screen[35, 7].style.background == theme.row.textStyle.background, "not selected")
        #expect(backend.screen[35, 4].style.attributes.contains(.bold), "watched")
        #expect(backend.screen[35, 8].style.attributes.contains(.italic), "halted")
    }

    @Test func `C8, A10, A19: sorting, cursor and selection are the same in both grids; F6 moves the focus`() throws {
        let (application, backend) = try open(120, 40)
        press([.character(" "), .down] + Array(repeating: .right, count: 5), application, backend)
        let sorted = stocks.sorted { $0.close < $1.close }.map(\.name)
        press([.character("s")], application, backend)
        for (index, name) in sorted.prefix(10).enumerated() {
            #expect(backend.lines[4 + index].prefix(78).contains(" \(name) ") && backend.lines[2 + 3 * index].dropFirst(79).contains(name))
        }
        #expect(stockScreen.main.state.selectedRows() == [0] && stockScreen.side.state.selectedRows() == [0])
        press([.function(6), .down, .character(" ")], application, backend)
        #expect(application.focused === stockScreen.side && stockScreen.main.state.currentRow == stockScreen.side.state.currentRow)
        #expect(
            stockScreen.main.state.selectedRows().count == 2
                && Set(stockScreen.main.state.selectedRows()) == Set(stockScreen.side.state.selectedRows()))
        #expect(backend.screen[80, 1].style == Theme.dark.currentRowHeader.textStyle)
        #expect(backend.screen[1, 1].style == Theme.dark.titleDetail.textStyle)
    }

    @Test func `C8, A20: new prices appear in both grids, with ▲ or ▼`() throws {
        let (application, backend) = try open(120, 40)
        let old = stocks
        for _ in 0..<20 { stockScreen.list.tick() }
        for grid in [stockScreen.main, stockScreen.side] { grid.tick(at: .now + .milliseconds(100)) }
        application.turn()
        let changed = try #require((0..<10).first { stocks[$0].close != old[$0].close })
        let stock = stocks[changed]
        for text in [backend.lines[4 + changed].prefix(78), backend.lines[3 + 3 * changed].dropFirst(79)] {
            #expect(text.contains(stock.close.price) && text.contains { "▲▼".contains($0) })
        }
        #expect(backend.lines[4 + 3 * changed].contains("L \(stock.low.price) H \(stock.high.price)"))
        #expect(stocks.allSatisfy { $0.low <= $0.close && $0.close <= $0.high })
    }

    @Test func `C8, A5: on a light terminal both grids and the text around them use the light preset`() throws {
        let (application, backend) = try open(120, 40)
        backend.events = [.background(TerminalColor(red: 255, green: 255, blue: 255))]
        press([.down, .down, .down, .down, .character(" "), .down], application, backend)
        #expect([stockScreen.main, stockScreen.side].allSatisfy { $0.state.theme.row == Theme.light.row })
        #expect(backend.screen[1, 0].style == Theme.light.title.textStyle)
        #expect(backend.screen[35, 8].style.background == Theme.light.fall.textStyle.background)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        stockScreen.show(on: application)
        try application.start()
        application.turn()
        for _ in 0..<5 {
            #expect(defects(of: backend.lines) == [])
            press([.pageDown, .enter], application, backend)
        }
        #expect(backend.lines[0].contains("Zalando opened at"))
        if terminal.colorDepth == .none { #expect(stockScreen.main.state.theme.row == Theme.plain.row) }
    }

    @Test func `C8: a picture for the documentation shows both grids and selected rows`() throws {
        let (application, backend) = try open(120, 26)
        press([.character(" "), .down, .down, .down, .down, .character(" "), .down, .down], application, backend)
        #expect(stockScreen.side.state.selectedRows().count == 2)
        try drawPicture(of: "Stocks", backend.screen)
    }

    @Test(arguments: [(60, 20), (80, 24), (120, 40), (30, 8), (20, 5)])
    func `C8, B8: every screen size shows the key that quits, and q quits`(columns: Int, rows: Int) throws {
        let (application, backend) = try open(columns, rows)
        #expect(backend.lines[rows - 1].hasPrefix(" q quit") && backend.lines.contains { $0.contains("Ad") })
        #expect(backend.lines[rows - 1].hasSuffix("Space select") == (columns >= 80))
        press([.character("q")], application, backend)
        #expect(!application.isRunning)
    }
}

extension String {
    /// True if the line contains both names, in this order.
    fileprivate func hasNames(_ first: String, _ second: String) -> Bool {
        ranges(of: first).first.map { self[$0.upperBound...].contains(second) } ?? false
    }
}
