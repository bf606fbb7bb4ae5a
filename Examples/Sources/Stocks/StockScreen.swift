import DataGrid
import DataGridTerminal
import TerminalSurface

/// Two grids over one list of stocks: a table that becomes cards on a narrow screen, and cards.
@MainActor
final class StockScreen: GridDelegate {
    let list = StockList()
    /// The regular grid: a table, or cards below ``minimumTableWidth``.
    let main: GridController
    /// The compact grid, which a small screen omits.
    let side: GridController
    /// A message about the last key or click; the next key or click clears it.
    private(set) var note = ""
    private weak var application: GridApplication?
    /// The grid that had the focus in the last frame.
    private var highlighted: GridController?

    /// The width of the frame below which the regular grid shows cards.
    nonisolated static let minimumTableWidth = 76

    init() {
        var metrics = GridMetrics()
        metrics.headerHeight = 2
        metrics.showsAccessories = true
        metrics.cards.minimumWidth = 39
        metrics.cards.spacing = GridSize(width: 1, height: 0)
        metrics.cards.padding.width = 0
        main = GridController(columns: [], metrics: metrics)
        side = GridController(columns: [], metrics: metrics)
        for grid in [main, side] {
            grid.delegate = self
            list.attach(to: grid)
            grid.selectionMode = .rows
            grid.perform(.move(.column(StockList.Field.stock.rawValue)))
        }
        main.perform(.freeze(FrozenPanes(leading: 2)))
        main.perform(.setPresentation(.adaptive(below: Self.minimumTableWidth)))
        side.perform(.setPresentation(.cards))
    }

    private var focused: GridController { application?.focused ?? main }

    // MARK: Events

    /// Hides the field that shows the prices of the day in one line of a card, because a table has a column for each of them.
    func didChangePresentation(to presentation: GridPresentation) {
        main.perform(.setHidden(StockList.Field.day.id, main.state.effectivePresentation == .table))
    }

    /// Moves the cursor of the other grid to the same row.
    func didMoveCursor(to cursor: GridCursor) {
        guard let row = focused.state.currentRow else { return }
        for grid in [main, side] where grid !== focused && grid.state.currentRow != row {
            guard let position = grid.state.rows.position(of: row) else { continue }
            grid.perform(.moveCursor(GridCursor(item: .row(position), column: grid.state.cursor.column)))
        }
    }

    /// Selects the same rows in the other grid.
    func didChangeSelection(from old: Selection, to new: Selection) {
        let rows = focused.state.selectedRows()
        for grid in [main, side] where grid !== focused && Set(grid.state.selectedRows()) != Set(rows) {
            grid.perform(.setSelectedRows(rows))
        }
    }

    /// Shows the prices of the day after Enter or a double-click.
    func didActivate(row: RowID, column: ColumnID) {
        let stock = list.stock(row)
        note = "\(stock.name) opened at \(stock.open.price), is at \(stock.close.price)."
    }

    /// Acts on the accessory of a row after a click on it or Alt-Enter.
    func didActivateAccessory(ofRow row: RowID) {
        switch list.accessory(ofRow: row) {
        case .none: break
        case .disclosure: didActivate(row: row, column: StockList.Field.stock.id)
        case .checkmark: toggleWatched(row)
        case .detail: note = "\(list.stock(row).name) is halted until its news is published."
        }
    }

    private func toggleWatched(_ row: RowID) {
        list.toggleWatched(row)
        note = "\(list.stock(row).isWatched ? "Watching" : "No longer watching") \(list.stock(row).name)."
    }

    /// Shows the regular grid in its other form, or again in the form for its width.
    private func togglePresentation() {
        let isTable = main.state.effectivePresentation == .table
        let isAdaptive = main.state.presentation == .adaptive(below: Self.minimumTableWidth)
        main.perform(.setPresentation(!isAdaptive ? .adaptive(below: Self.minimumTableWidth) : isTable ? .cards : .table))
    }

    /// Handles this program's keys and leaves all other keys to the grid.
    private func handle(_ press: KeyPress) -> Bool {
        note = ""
        switch press {
        case KeyPress(.character("t")): togglePresentation()
        case KeyPress(.character("w")): focused.state.currentRow.map(toggleWatched)
        default: return false
        }
        return true
    }

    // MARK: Themes

    /// Applies the preset for the terminal. Classes style some rows and cells, and change the color of these rows when they are selected.
    private func applyTheme() {
        guard let application else { return }
        highlighted = focused
        let theme = Theme.preset(for: application.colors).fitted(to: application.colors)
        let quiet = theme.titleDetail.applying(CellStyle(traits: .italic))
        for grid in [main, side] {
            grid.perform(.setTheme(theme))
            grid.perform(.setClass("watched", ThemeClass(normal: CellStyle(traits: .bold), selected: theme.match)))
            grid.perform(.setClass("halted", ThemeClass(normal: quiet, selected: theme.fall)))
            grid.perform(.setClass("rise", ThemeClass(normal: CellStyle(foreground: theme.rise.foreground))))
            grid.perform(.setClass("fall", ThemeClass(normal: CellStyle(foreground: theme.fall.foreground))))
            // Only the cursor of the focused grid is bright.
            if grid !== focused { grid.perform(.setStyle(.cursor, theme.selection)) }
        }
    }

    // MARK: Screen

    /// Shows the grids in an application, and changes prices every second.
    func show(on application: GridApplication) {
        self.application = application
        application.adaptsPresetThemes = false
        application.add(main) { GridFrames($0).main }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onStart = { [weak self] in self?.layOut() }
        application.onEvent = { [weak self, weak application] event in
            application?.setNeedsDisplay()
            switch event {
            case .resize: self?.layOut()
            case .background: self?.applyTheme()
            case .key(let press): return self?.handle(press) ?? false
            case .mouse(let mouse): if case .press = mouse.kind { self?.note = "" }
            default: break
            }
            return false
        }
        application.onTurn = { [weak self] in
            guard let self, highlighted !== focused else { return }
            applyTheme()
        }
        application.addTimer(interval: .seconds(1)) { [weak self] in self?.list.tick() }
    }

    /// Shows the compact grid if the screen has room for it.
    private func layOut() {
        guard let application else { return }
        let isShown = application.grids.contains { $0 === side }
        switch GridFrames(application.backend.size).side {
        case nil: application.remove(side)
        case let frame? where !isShown: application.add(side) { GridFrames($0).side ?? frame }
        default: break
        }
        applyTheme()
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let (theme, size) = (main.state.theme, buffer.size)
        buffer.write("Stocks", x: 1, y: 0, style: theme.title.textStyle)
        let watched = list.exchange.stocks.count(where: \.isWatched)
        let detail = note.isEmpty ? "\(list.exchange.stocks.count), \(watched) watched" : note
        buffer.write(detail, x: 9, y: 0, width: max(0, size.columns - 10), style: theme.titleDetail.textStyle, ellipsis: true)
        let frames = GridFrames(size)
        let isTable = main.state.effectivePresentation == .table
        caption(of: main, in: frames.main, isTable ? "Regular: a table" : "Compact: cards", on: &buffer)
        if let frame = frames.side { caption(of: side, in: frame, "Compact: cards", on: &buffer) }
        var hints = [
            KeyHint("q", "quit"), KeyHint("Enter", "open"), KeyHint("t", isTable ? "cards" : "table"), KeyHint("w", "watch"),
            KeyHint("Alt-Enter", "›ⓘ✓"), KeyHint("Space", "select"),
        ]
        if frames.side != nil { hints.insert(KeyHint("F6", "switch"), at: 1) }
        buffer.write(hints, y: size.rows - 1, theme: theme)
    }

    /// Names a grid in a line above it.
    private func caption(of grid: GridController, in frame: TerminalRect, _ text: String, on buffer: inout CellBuffer) {
        let theme = grid.state.theme
        let rule = " \(text) " + String(repeating: "─", count: max(0, frame.width - text.count - 3))
        let style = (grid === focused ? theme.currentRowHeader : theme.titleDetail).textStyle
        buffer.write("─" + rule, x: frame.x, y: frame.y - 1, width: frame.width, style: style)
    }
}

/// The frames of the grids on a screen: side by side, one above the other, or only the regular grid.
struct GridFrames {
    var main: TerminalRect
    var side: TerminalRect?

    init(_ size: TerminalSize) {
        let height = max(0, size.rows - 3)
        main = TerminalRect(x: 0, y: 2, width: size.columns, height: height)
        if size.columns >= StockScreen.minimumTableWidth + 42 {
            // The cards have a third of the screen, and one cell separates the grids.
            let width = max(41, size.columns / 3)
            main.width -= width + 1
            side = TerminalRect(x: main.width + 1, y: 2, width: width, height: height)
        } else if size.columns >= 80, size.rows >= 20 {
            // The height of the compact grid is a multiple of the height of a card, so that no card is cut.
            let low = height / 6 * 3
            main.height -= low + 1
            side = TerminalRect(x: 0, y: main.height + 3, width: size.columns, height: low)
        }
    }
}
