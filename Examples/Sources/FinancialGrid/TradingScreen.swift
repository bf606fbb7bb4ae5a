import DataGrid
import DataGridTerminal
import TerminalSurface

/// The grid of instruments and its commands.
@MainActor
final class TradingScreen: GridDelegate {
    let source: ObjectSource<Instrument, String>
    let grid: GridController
    private var market: Market
    /// A message about the last key; the next key clears it.
    private(set) var note = ""
    /// The alert over the grid. It receives all clicks and the keys, except those that quit, until it is closed.
    private(set) var alert: Alert?

    init(market: Market) {
        self.market = market
        source = ObjectSource(market.instruments, columns: Self.columns)
        source.highlightsRows = true
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        grid = GridController(columns: [], metrics: metrics)
        grid.delegate = self
        // Each click selects or deselects a row; cells are not editable.
        grid.selectionMode = .rows
        grid.interaction.singleClick = .toggle
        grid.interaction.doubleClick = []
        source.attach(to: grid)
    }

    /// The columns up to the spread fill a terminal of 60 columns. Those up to the lowest price fill 80, and those up to the time of the
    /// last update 120. No text is truncated.
    ///
    /// A new price highlights the name of its instrument, bid and ask. Bid and ask keep the mark of their last change.
    private static let columns: [ObjectColumn<Instrument>] = [
        ObjectColumn("Instrument", \.name) {
            $0.width = .fixed(14)
            $0.sortMode = .twoState
            $0.frozenSide = .leading
        },
        ObjectColumn("Amount", \.amount) {
            $0.width = .fixed(7)
            $0.highlightsChanges = false
        },
        price("Bid", \.bid, width: 10, isQuote: true), price("Ask", \.ask, width: 10, isQuote: true), price("Spread", \.spread, width: 8),
        price("High", \.high), price("Low", \.low), price("Change", \.netChange),
        ObjectColumn("Change %", \.change) { makeQuiet(&$0, width: 8) }.formatted {
            ($0.change < 0 ? "" : "+") + $0.change.text(decimals: 2)
        },
        ObjectColumn("", \.change) {
            makeQuiet(&$0, width: 7)
            $0.hasGraphics = true
        }.withContent { CellContent(.bar(DataBar($0.change / 100, isSigned: true))) },
        ObjectColumn("Updated", \.clock) { makeQuiet(&$0, width: 8) }, ObjectColumn("Type", \.kind) { makeQuiet(&$0, width: 9) },
    ]

    /// A column that cannot be sorted, and whose changes are not highlighted.
    private static func makeQuiet(_ column: inout Column, width: Int) {
        column.width = .fixed(width)
        column.sortMode = .none
        column.highlightsChanges = false
    }

    /// Prices have the number of decimals of their instrument.
    private static func price(
        _ title: String, _ path: KeyPath<Instrument, Double>, width: Int = 9, isQuote: Bool = false
    ) -> ObjectColumn<Instrument> {
        ObjectColumn(title, path) {
            makeQuiet(&$0, width: width)
            $0.highlightsChanges = isQuote
            $0.keepsChangeMarks = isQuote
        }.formatted { $0[keyPath: path].text(decimals: $0.type.digits) }
    }

    /// Changes a number of prices.
    func update(_ count: Int) {
        market.tick()
        for _ in 0..<count {
            let instrument = market.movePrices()
            source.update(instrument.id) { $0 = instrument }
        }
    }

    // MARK: Trading

    /// The button that trades the selected rows: its text and its frame in the first line. `nil` without a selection.
    var button: (text: String, frame: TerminalRect)? {
        let count = source.selectedObjects.count
        guard count > 0 else { return nil }
        let text = " t  Trade \(count == 1 ? "1 instrument" : "\(count) instruments") "
        return (text, TerminalRect(x: 9, y: 0, width: text.count, height: 1))
    }

    /// Simulates a trade of the selected rows.
    func trade() {
        let names = source.selectedObjects.map(\.name)
        guard !names.isEmpty else { return }
        source.select([])
        alert = Alert(title: "Traded", lines: names)
    }

    // MARK: Input

    /// Handles this program's keys and clicks, and leaves all other keys and clicks to the grid.
    private func handle(_ event: TerminalEvent) -> Bool {
        switch event {
        case .key(let press): return handle(press)
        case .mouse(let mouse):
            guard case .press(.left) = mouse.kind else { return alert != nil }
            if alert != nil {
                alert = nil
                return true
            }
            guard let button, button.frame.contains(x: mouse.x, y: mouse.y) else { return false }
            trade()
            return true
        case .paste: return alert != nil
        default: return false
        }
    }

    private func handle(_ press: KeyPress) -> Bool {
        note = ""
        if alert != nil {
            if Alert.closingKeys.contains(press) { alert = nil }
            // The keys that quit work over an alert, too.
            return press.modifiers.isEmpty && press.key != .character("q")
        }
        switch press {
        case KeyPress(.character("t")): trade()
        // Sorting by another column would move rows all the time.
        case KeyPress(.character("s")) where grid.state.currentColumn?.sortMode == SortMode.none: note = "Sort by name or amount."
        default: return false
        }
        return true
    }

    func didChangeSelection(from old: Selection, to new: Selection) { note = "" }

    // MARK: Drawing

    /// Shows the grid in an application, and updates prices at a pace.
    func show(on application: GridApplication, at pace: Pace) {
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.drawOverlay = { [weak self] buffer in
            guard let self else { return nil }
            alert?.draw(on: &buffer, theme: grid.state.theme)
            return nil
        }
        application.onEvent = { [weak self, weak application] event in
            application?.setNeedsDisplay()
            return self?.handle(event) ?? false
        }
        var pace = pace
        application.addTimer(interval: pace.interval) { [weak self] in self?.update(pace.next()) }
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let theme = grid.state.theme
        buffer.write("Market", x: 1, y: 0, style: theme.title.textStyle)
        var x = 10
        if let button {
            x = button.frame.x + button.frame.width + 1
            buffer.write(button.text, x: button.frame.x, y: 0, style: theme.panelSelection.textStyle)
        }
        buffer.write(note, x: x, y: 0, width: max(0, buffer.size.columns - x - 1), style: theme.titleDetail.textStyle, ellipsis: true)
        let move = [KeyHint("↑↓", "move"), KeyHint("Space", "select")]
        let sort = KeyHint("s", buffer.size.columns < 60 ? "sort" : "sort by name or amount")
        let hints = [KeyHint("q", "quit")] + (alert == nil ? move + [sort] : [KeyHint("Enter", "close")])
        buffer.write(hints, y: buffer.size.rows - 1, theme: theme)
    }
}

extension Double {
    /// The number with fixed decimals, like `String(format:)` but faster: a thousand new prices a second are mostly formatting.
    func text(decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let units = Int((magnitude * Double(scale)).rounded())
        let fraction = String(units % scale)
        return (sign == .minus ? "-" : "") + "\(units / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
