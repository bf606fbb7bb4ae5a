import DataGrid
import DataGridTerminal
import Foundation
import TerminalSurface

/// The grid of instruments and its commands.
@MainActor
final class Desk: GridDelegate {
    let source: ObjectSource<Instrument, String>
    let grid: GridController
    private var market: Market
    /// A message about the last key; the next key clears it.
    private(set) var note = ""

    init(market: Market) {
        self.market = market
        source = ObjectSource(market.instruments, columns: Self.columns)
        source.highlightsRows = true
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        grid = GridController(columns: [], metrics: metrics)
        grid.delegate = self
        // Clicks select; cells are not editable.
        grid.selectionMode = .rows
        grid.interaction.doubleClick = []
        source.attach(to: grid)
    }

    /// The columns up to the lowest price fill a terminal of 80 columns, so no price is truncated.
    private static let columns: [ObjectColumn<Instrument>] = [
        ObjectColumn("Instrument", \.name) {
            $0.width = .fixed(14)
            $0.sortMode = .twoState
        },
        ObjectColumn("Amount", \.amount) { $0.width = .fixed(7) },
        price("Bid", \.bid), price("Ask", \.ask), price("Spread", \.spread), price("High", \.high), price("Low", \.low),
        price("Net change", \.netChange),
        ObjectColumn("Change %", \.change) {
            $0.width = .fixed(9)
            $0.sortMode = .none
        }.formatted { String(format: "%+.2f", $0.change) },
        ObjectColumn("", \.change) {
            $0.width = .fixed(10)
            $0.sortMode = .none
            $0.hasGraphics = true
        }.filled { CellContent(.bar(DataBar($0.change / 100, isSigned: true))) },
        ObjectColumn("Type", \.kind) {
            $0.width = .fixed(9)
            $0.sortMode = .none
        },
        ObjectColumn("Updated", \.clock) {
            $0.width = .fixed(8)
            $0.sortMode = .none
        },
    ]

    /// Prices have the number of decimals of their instrument.
    private static func price(_ title: String, _ path: KeyPath<Instrument, Double>) -> ObjectColumn<Instrument> {
        ObjectColumn(title, path) {
            $0.width = .fixed(max(9, title.count))
            $0.sortMode = .none
        }.formatted { String(format: "%.\($0.type.digits)f", $0[keyPath: path]) }
    }

    /// Changes a number of prices.
    func update(_ count: Int) {
        market.tick()
        for _ in 0..<count {
            let instrument = market.move()
            source.update(instrument.id) { $0 = instrument }
        }
    }

    /// The available actions: trading needs a selection.
    var action: String? {
        let count = source.selectedObjects.count
        return count == 0 ? nil : "t  Trade \(count == 1 ? "1 instrument" : "\(count) instruments")"
    }

    /// Simulates a trade of the selected rows.
    func trade() {
        let names = source.selectedObjects.map(\.name)
        guard !names.isEmpty else { return }
        source.select([])
        note = "Traded " + names.joined(separator: ", ") + "."
    }

    /// Handles this program's keys and leaves the others to the grid.
    private func handle(_ press: KeyPress) -> Bool {
        note = ""
        switch press {
        case KeyPress(.character("t")): trade()
        // Sorting by another column would move rows all the time.
        case KeyPress(.character("s")) where grid.state.currentColumn?.sortMode == SortMode.none: note = "Sort by name or amount only."
        default: return false
        }
        return true
    }

    // MARK: Drawing

    /// Shows the desk in an application, and updates prices at a pace.
    func show(on application: GridApplication, at pace: Pace) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self, weak application] event in
            guard case .key(let press) = event else { return false }
            application?.setNeedsDisplay()
            return self?.handle(press) ?? false
        }
        var pace = pace
        application.addTimer(interval: pace.interval) { [weak self] in self?.update(pace.next()) }
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let theme = grid.state.theme
        buffer.write("Market", x: 1, y: 0, style: theme.title.textStyle)
        let words = note.isEmpty ? action ?? "" : note
        buffer.write(words, x: 10, y: 0, width: buffer.size.columns - 11, style: theme.titleDetail.textStyle, ellipsis: true)
        let sort = buffer.size.columns < 60 ? "s sort" : "s sort by name or amount"
        var x = 1
        for key in ["q quit", "↑↓ move", "Space select", sort] where x + key.count <= buffer.size.columns {
            x += buffer.write(key, x: x, y: buffer.size.rows - 1, style: theme.hint.textStyle) + 2
        }
    }

    func didChangeSelection(from old: Selection, to new: Selection) { note = "" }
}
