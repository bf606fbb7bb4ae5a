import DataGrid
import DataGridTerminal
import TerminalSurface

/// The grid of instruments, and what can be done with them.
@MainActor
final class Desk: GridDelegate {
    let source: ObjectSource<Instrument, String>
    let grid: GridController
    private var market: Market
    /// What was traded last.
    private(set) var note = ""

    init(market: Market) {
        self.market = market
        source = ObjectSource(market.instruments, columns: Self.columns)
        source.lightsRows = true
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        grid = GridController(columns: [], metrics: metrics)
        grid.delegate = self
        // A click selects; there is nothing to edit.
        grid.perform(.setSelectionMode(.rows))
        grid.configure { $0.interaction.doubleClick = [] }
        source.attach(to: grid)
    }

    /// Those up to the lowest price are as wide as a terminal of 80 columns: no price stands cut at its end.
    private static let columns: [ObjectColumn<Instrument>] = [
        ObjectColumn("Instrument", \.name) {
            $0.width = .fixed(14)
            $0.sortMode = .twoState
        },
        ObjectColumn("Amount", \.amount) { $0.width = .fixed(7) },
        price("Bid", \.bid), price("Ask", \.ask), price("Spread", \.spread), price("High", \.high), price("Low", \.low),
        ObjectColumn("Change %", \.change) {
            $0.width = .fixed(12)
            $0.sortMode = .none
        }.filled { instrument in
            CellContent(.bar(DataBar(instrument.change / 100, isSigned: true)))
        },
        ObjectColumn("Updated", \.clock) {
            $0.width = .fixed(8)
            $0.sortMode = .none
        },
    ]

    private static func price(_ title: String, _ path: KeyPath<Instrument, Double>) -> ObjectColumn<Instrument> {
        ObjectColumn(title, path) {
            $0.width = .fixed(9)
            $0.sortMode = .none
            $0.format = ValueFormat(fractionDigits: 2, isFixed: true)
        }
    }

    /// So many prices change.
    func update(_ count: Int) {
        market.tick()
        for _ in 0..<count {
            let instrument = market.move()
            source.update(instrument.id) { $0 = instrument }
        }
    }

    /// What can be done now: something is to be traded only while something is selected.
    var action: String? {
        let count = source.selectedObjects.count
        return count == 0 ? nil : "t  Trade \(count == 1 ? "1 instrument" : "\(count) instruments")"
    }

    /// Trades what is selected: not really.
    func trade() {
        let names = source.selectedObjects.map(\.name)
        guard !names.isEmpty else { return }
        source.select([])
        note = "Traded " + names.joined(separator: ", ") + "."
    }

    // MARK: The screen

    /// Puts the desk on a screen, and has prices change again and again.
    func show(on application: GridApplication, every interval: Duration, updates: Int) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.handle = { [weak self, weak application] event in
            guard event == .key(KeyPress(.character("t"))) else { return false }
            self?.trade()
            application?.setNeedsDisplay()
            return true
        }
        application.every(interval) { [weak self] in self?.update(updates) }
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        buffer.write("Market", x: 1, y: 0, style: TextStyle(attributes: .bold))
        buffer.write(action ?? note, x: 10, y: 0, width: buffer.size.columns - 10, ellipsis: true)
        buffer.write("↑↓ move  Space select  s sort  q leave", x: 1, y: buffer.size.rows - 1, width: buffer.size.columns - 1)
    }

    func didChangeSelection(from old: Selection, to new: Selection) { note = "" }
}
