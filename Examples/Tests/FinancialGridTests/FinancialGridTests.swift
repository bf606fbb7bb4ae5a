import DataGrid
import DataGridTerminal
import Foundation
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import FinancialGrid

@MainActor
@Suite struct FinancialGridTests {
    /// A deterministic generator.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64 = 1
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    private let tradingScreen = TradingScreen(market: Market(random: Numbers()))

    private func open(_ columns: Int = 140, _ rows: Int = 30, capabilities: TerminalCapabilities = .xterm) throws -> (
        GridApplication, RecordingBackend
    ) {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows), capabilities: capabilities)
        let application = GridApplication(on: backend)
        tradingScreen.show(on: application, at: Pace(1, every: .seconds(3600)))
        try application.start()
        return (application, backend)
    }

    /// The visible part of a cell: for a blank, only its background.
    private func seen(_ cell: Cell) -> Cell {
        var cell = cell
        if cell.text == " " { cell.style = TextStyle(background: cell.style.background) }
        return cell
    }

    @Test func `C8: columns, decimals and times have their formats`() throws {
        let (_, backend) = try open()
        #expect(backend.lines[1].contains("Instrument") && backend.lines[1].contains("Updated"))
        #expect(backend.lines[2].contains("FTSE 100") && backend.lines[2].contains("10.00") && backend.lines[2].contains("09:00:00"))
        #expect(tradingScreen.grid.state.frozen.leading == 1)
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits, even while prices are highlighted`(terminal: CommonTerminal) throws
    {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        tradingScreen.show(on: application, at: Pace(1, every: .seconds(3600)))
        try application.start()
        application.turn()
        let last = [60: "Spread", 80: "Low", 120: "Updated"][terminal.size.columns]
        for _ in 0..<10 {
            tradingScreen.update(25)
            tradingScreen.grid.tick(at: .now + .milliseconds(100))
            application.turn()
            let titles = backend.lines[1].replacing("›", with: "").split(separator: " ")
            #expect(titles.last.map(String.init) == last && defects(of: backend.lines) == [])
        }
        #expect(backend.lines.joined().contains("▼"))
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let (application, backend) = try open(120, 20)
        // Many prices have changed, the last ones just now.
        let duration = tradingScreen.grid.changeDuration
        tradingScreen.grid.changeDuration = .zero
        tradingScreen.update(100)
        tradingScreen.grid.changeDuration = duration
        tradingScreen.update(6)
        backend.press(KeyPress(.down), KeyPress(.character(" ")), KeyPress(.down), KeyPress(.character(" ")))
        application.turn()
        tradingScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        #expect(backend.lines[0].contains("Trade 2 instruments") && backend.lines.joined().contains("▲"))
        try drawPicture(of: "FinancialGrid", backend.screen)
    }

    @Test func `C8, A20: a new price highlights its cells as rising or falling, and only changed cells are written`() throws {
        let (application, backend) = try open()
        let whole = backend.lastBytes.count
        tradingScreen.update(1)
        tradingScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        #expect(backend.lines.joined().contains { "▲▼".contains($0) })
        #expect(backend.lastBytes.count * 4 < whole)
    }

    @Test func `C8, A20: a new price highlights the name in yellow, bid and ask in green or red, and no other column`() throws {
        let (application, backend) = try open()
        tradingScreen.grid.perform(.move(.bottom))
        application.turn()
        let before = backend.screen
        tradingScreen.update(1)
        tradingScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        func isHighlighted(_ x: Int, _ y: Int) -> Bool { backend.screen[x, y].style.background != before[x, y].style.background }
        let rows = (2..<27).filter { isHighlighted(1, $0) }
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(backend.screen[1, row].style.background == Theme.dark.updatedRow.textStyle.background)
        let spans = try #require(tradingScreen.grid.drawnLayout).columns
        let titles = spans.filter { isHighlighted($0.x, row) }.map { tradingScreen.grid.state.columns[$0.index].title }
        #expect(titles == ["Instrument", "Bid", "Ask"])
    }

    @Test func `C8, A20: bid and ask can change in opposite directions, and the arrows of their last changes stay`() throws {
        let (application, backend) = try open()
        tradingScreen.update(200)
        tradingScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        let spans = try #require(tradingScreen.grid.drawnLayout).columns
        func marks() -> [[String]] { (2..<27).map { y in spans[2...3].map { backend.screen[$0.x, y].text } } }
        let marked = marks()
        #expect(marked.contains { Set($0) == ["▲", "▼"] })
        tradingScreen.grid.tick(at: .now + .seconds(10))
        application.turn()
        #expect(marks() == marked && tradingScreen.grid.nextTick == nil)
        #expect(tradingScreen.source.objects.allSatisfy { $0.spread >= 0 })
    }

    @Test func `C8: after any number of changes, each spread is at least one unit of the last decimal`() throws {
        tradingScreen.update(20_000)
        for instrument in tradingScreen.source.objects where instrument.bid != instrument.opening {
            let unit = (0..<instrument.type.digits).reduce(1.0) { unit, _ in unit / 10 }
            #expect(instrument.spread > unit * 0.99, "\(instrument)")
        }
    }

    @Test func `C8, A20: at 1,000 prices a second, only changed terminal cells are written`() throws {
        // Without erase and repeat commands, the terminal gets one character per cell, so characters can be counted.
        let (application, backend) = try open(capabilities: TerminalCapabilities(colorDepth: .trueColor))
        /// Spaces at the end of a row without a background are erased in one step.
        func isErased(_ x: Int, _ y: Int) -> Bool {
            (x..<backend.size.columns).allSatisfy { seen(backend.screen[$0, y]) == .blank }
        }
        var now = ContinuousClock.now
        for _ in 0..<30 {
            let before = backend.screen
            tradingScreen.update(100)
            now += .milliseconds(100)
            tradingScreen.grid.tick(at: now)
            application.turn()
            let after = backend.screen
            let cells = (0..<after.size.rows).flatMap { y in (0..<after.size.columns).map { ($0, y) } }
            let changed = cells.filter { seen(before[$0.0, $0.1]) != seen(after[$0.0, $0.1]) }
            let text = String(decoding: backend.lastBytes, as: UTF8.self)
            let printed = changed.filter { !isErased($0.0, $0.1) }
            let written = text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").unicodeScalars.count { $0.value >= 0x20 }
            #expect(!changed.isEmpty && written == printed.count, "\(written) of \(printed.count)")
            // Cells around the prices do not change.
            #expect(changed.allSatisfy { (2...26).contains($0.1) })
        }
        let frames = backend.frames.count
        application.turn()
        #expect(backend.frames.count == frames)
    }

    @Test func `C8, A19: header clicks switch the name between two sort states and the amount between three`() throws {
        _ = try open()
        func first() -> String? { tradingScreen.source.object(tradingScreen.grid.state.rows[0])?.name }
        tradingScreen.grid.activateHeader(0)
        #expect(first() == "AUD/USD")
        tradingScreen.grid.activateHeader(0)
        #expect(first() == "Wheat")
        tradingScreen.grid.activateHeader(0)
        #expect(first() == "AUD/USD")
        for _ in 0..<3 { tradingScreen.grid.activateHeader(1) }
        #expect(tradingScreen.grid.state.sort.isEmpty && first() == "FTSE 100")
    }

    @Test func `C8, A19: the s key on an unsortable column shows a message until the next key`() throws {
        let (application, backend) = try open()
        #expect(backend.lines[29].contains("s sort by name or amount"))
        backend.press(KeyPress(.right), KeyPress(.right), KeyPress(.character("s")))
        application.turn()
        #expect(backend.lines[0].hasSuffix("Sort by name or amount.") && tradingScreen.grid.state.sort.isEmpty)
        backend.press(KeyPress(.left), KeyPress(.character("s")))
        application.turn()
        #expect(backend.lines[0] == " Market" && tradingScreen.grid.state.sort == [ColumnSort(1)])
        backend.size = TerminalSize(columns: 40, rows: 12)
        backend.press(KeyPress(.right), KeyPress(.character("s")))
        application.turn()
        #expect(backend.lines[0].hasSuffix("Sort by name or amount."))
        #expect(backend.lines[11] == " q quit  ↑↓ move  Space select  s sort")
    }

    @Test func `C8: each price has the decimals of its instrument, and the change is a number before its bar`() throws {
        let (application, backend) = try open(160, 30)
        tradingScreen.update(200)
        tradingScreen.grid.tick(at: .now + .seconds(10))
        application.turn()
        for (name, digits) in [("DAX", 2), ("EUR/USD", 5), ("Bund", 3)] {
            let instrument = try #require(tradingScreen.source.objects.first { $0.id == name })
            let line = try #require(backend.lines.first { $0.hasPrefix(name) })
            #expect(line.contains(instrument.kind))
            for price in [instrument.bid, instrument.ask, instrument.spread, instrument.high, instrument.netChange] {
                #expect(line.replacing(",", with: "").contains(String(format: "%.\(digits)f", price)))
            }
            #expect(line.contains(" " + String(format: "%+.2f", instrument.change)))
        }
        let column = try #require(tradingScreen.grid.state.columns.visible.firstIndex { $0.title == "Change %" })
        tradingScreen.grid.perform(.moveCursor(GridCursor(item: .row(0), column: column)))
        #expect(tradingScreen.grid.copyText() == String(format: "%+.2f", tradingScreen.source.objects[0].change))
    }

    @Test func `C8: exactly the requested number of prices changes each second; an invalid number is refused`() throws {
        for rate in [1, 3, 5, 10, 15, 999, 1_000] {
            var pace = try #require(Pace(String(rate)))
            #expect((0..<Int(Duration.seconds(1) / pace.interval)).map { _ in pace.next() }.reduce(0, +) == rate)
        }
        #expect(Pace("5")?.interval == .milliseconds(200))
        for argument in ["0", "-3", "x", "", "1.5", "10001"] { #expect(Pace(argument) == nil) }
    }

    @Test func `C8, A10: t trades the selected rows and reports the trade in an alert`() throws {
        let (application, backend) = try open()
        #expect(!backend.lines[0].contains("Trade"))
        backend.press(KeyPress(.character(" ")), KeyPress(.down), KeyPress(.down), KeyPress(.character(" ")))
        application.turn()
        #expect(backend.lines[0].contains("Trade 2 instruments"))
        backend.press(KeyPress(.character("t")))
        application.turn()
        #expect(tradingScreen.alert?.lines == ["FTSE 100", "Dow Jones"] && backend.lines.contains { $0.contains("Traded") })
        #expect(tradingScreen.source.selectedObjects.isEmpty && !backend.lines[0].contains("Trade"))
        backend.press(KeyPress(.character("x")))
        application.turn()
        #expect(tradingScreen.alert != nil)
        #expect(backend.lines[29] == " q quit  Enter close")
        backend.press(KeyPress(.character("c"), .control))
        application.turn()
        #expect(tradingScreen.alert != nil && backend.lines[29].contains("Press Ctrl-c again to quit"))
        backend.press(KeyPress(.enter))
        application.turn()
        #expect(tradingScreen.alert == nil && !backend.lines.contains { $0.contains("Traded") })
        backend.press(KeyPress(.character(" ")), KeyPress(.character("t")), KeyPress(.character("q")))
        application.turn()
        #expect(!application.isRunning)
    }

    @Test func `C8, A10, A19: clicks select several rows, press the button, close the alert and sort`() throws {
        let (application, backend) = try open()
        func click(_ x: Int, _ y: Int) {
            backend.events += [.mouse(MouseEvent(.press(.left), x: x, y: y)), .mouse(MouseEvent(.release(.left), x: x, y: y))]
            application.turn()
        }
        click(30, 2)
        click(30, 4)
        #expect(tradingScreen.source.selectedObjects.map(\.name) == ["FTSE 100", "Dow Jones"])
        click(30, 4)
        #expect(tradingScreen.source.selectedObjects.map(\.name) == ["FTSE 100"])
        let button = try #require(tradingScreen.button).frame
        click(button.x, button.y)
        #expect(tradingScreen.alert?.lines == ["FTSE 100"])
        click(30, 5)
        #expect(tradingScreen.alert == nil && tradingScreen.source.selectedObjects.isEmpty, "the alert receives the click")
        click(2, 1)
        #expect(tradingScreen.grid.state.sort == [ColumnSort(0)])
    }

    @Test func `C8: an alert for many rows fits the screen`() throws {
        let (application, backend) = try open(40, 12)
        tradingScreen.source.select(tradingScreen.source.objects.map(\.id))
        tradingScreen.trade()
        application.setNeedsDisplay()
        application.turn()
        #expect(backend.lines.contains { $0.contains("and 20 more") } && backend.lines.contains { $0.contains("OK") })
    }
}
