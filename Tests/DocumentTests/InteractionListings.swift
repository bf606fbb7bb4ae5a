import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor final class FirstColumnDelegate: GridDelegate {
    /// Keeps column 0 in the first place.
    func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission {
        column != 0 && to != 0 ? .allowed : .refused("The first column cannot be moved.")
    }
    /// Called after the data source has sorted the rows.
    func didSort(by keys: [ColumnSort]) {}
    /// Called for Enter or a double-click in a cell that is not editable.
    func didActivate(row: RowID, column: ColumnID) {}
}

@MainActor final class RowMenu: GridDelegate {
    let actions: [(title: String, perform: (RowID) -> Void)]
    private var row: RowID?
    private var choice = 0
    private weak var application: GridApplication?
    init(_ actions: [(title: String, perform: (RowID) -> Void)]) { self.actions = actions }

    func didActivateAccessory(ofRow row: RowID) { open(row) }
    func didRequestMenu(ofRow row: RowID, column: ColumnID?) { open(row) }
    private func open(_ row: RowID) {
        (self.row, choice) = (row, 0)
        application?.setNeedsDisplay()
    }

    /// Shows the menus of a grid. An open menu receives all keys.
    func show(over grid: GridController, in application: GridApplication) {
        self.application = application
        application.onEvent = { [unowned self, unowned application] event in
            guard let row, case .key(let press) = event else { return false }
            switch press.key {
            case .up: choice = max(0, choice - 1)
            case .down: choice = min(choice + 1, actions.count - 1)
            default:
                self.row = nil
                if press.key == .enter { actions[choice].perform(row) }
            }
            application.setNeedsDisplay()
            return true
        }
        application.drawOverlay = { [unowned self, unowned grid] buffer in
            guard let row, let column = grid.state.visibleColumns.first,
                let frame = grid.state.visibleFrame(ofRow: row, column: column)
            else { return nil }
            let (x, y, theme) = (grid.frame.x + frame.origin.x, grid.frame.y + frame.origin.y + 1, grid.state.theme)
            for (line, action) in actions.enumerated() {
                let style = (line == choice ? theme.panelSelection : theme.panel).textStyle
                buffer.fill(TerminalRect(x: x, y: y + line, width: 20, height: 1), style: style)
                buffer.write(action.title, x: x + 1, y: y + line, style: style)
            }
            return nil
        }
    }
}

@MainActor final class LateOrders: GridDelegate {
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? {
        row == 2 && column == 1 ? CellStyle(foreground: Color(0xff5f5f), traits: .bold) : nil
    }
}

@MainActor final class Stars: GridDrawingDelegate {
    let drawnParts: GridPart.Kinds = .cells
    func draw(_ part: GridPart, in rect: TerminalRect, on buffer: inout CellBuffer) -> Bool {
        guard case .cell(let row, 1) = part else { return false }
        buffer.write(String(repeating: "★", count: row.rawValue + 1), x: 0, y: 0, style: buffer[0, 0].style)
        return true
    }
}

@MainActor @Suite("Articles: interaction and styles") struct InteractionTests {
    private let columns = [Column(id: 0, title: "Name"), Column(id: 1, title: "Price"), Column(id: 2, title: "Side")]

    @Test func `a delegate vetoes moves of the first column`() {
        let delegate = FirstColumnDelegate()
        let grid = GridController(columns: columns, delegate: delegate)
        grid.moveColumn(0, toIndex: 2)
        grid.moveColumn(2, toIndex: 0)
        #expect(grid.columns.map(\.id) == [0, 1, 2])
        grid.moveColumn(2, toIndex: 1)
        #expect(grid.columns.map(\.id) == [0, 2, 1])
    }

    @Test func `a refusal has a reason`() {
        let delegate = FirstColumnDelegate()
        let grid = GridController(columns: columns, delegate: delegate)
        var reasons: [String] = []
        grid.onRefusal = { reasons.append($0) }
        grid.moveColumn(2, toIndex: 0)
        #expect(reasons == ["The first column cannot be moved."])
    }

    @Test func `a right click opens a menu, whose keys choose and perform an action`() throws {
        var performed: [String] = []
        let menu = RowMenu([
            ("Edit", { performed.append("edit \($0.rawValue)") }), ("Delete", { performed.append("delete \($0.rawValue)") }),
        ])
        let planets = Planets()
        let grid = GridController(columns: [Column(id: 0, title: "Name", width: .fixed(30))], dataSource: planets, delegate: menu)
        grid.metrics.headerHeight = 1
        grid.reload()
        let backend = RecordingBackend(size: TerminalSize(columns: 40, rows: 8))
        let application = GridApplication(on: backend)
        application.add(grid)
        menu.show(over: grid, in: application)
        try application.start()
        // The first line has the title, so the third line has the second planet.
        backend.events.append(.mouse(MouseEvent(.press(.right), x: 3, y: 2)))
        application.turn()
        #expect(backend.lines[3].contains("Edit") && backend.lines[4].contains("Delete"))
        backend.press(KeyPress(.down), KeyPress(.enter))
        application.turn()
        #expect(performed == ["delete 1"] && !backend.lines.contains { $0.contains("Delete") })
    }

    @Test func `a grid gets other keys`() throws {
        let grid = GridController(columns: columns)
        grid.keyMap = try KeyMap(GridCommand.table, overrides: [.init(.grid, "F3", .sort), .init(.grid, "s", nil)])
        grid.handle(.key(KeyPress(.character("s"))))
        #expect(grid.state.sort.isEmpty)
        grid.handle(.key(KeyPress(.function(3))))
        #expect(grid.state.sort == [ColumnSort(0)])
    }

    @Test func `a delegate styles one cell`() throws {
        let (planets, delegate) = (Planets(), LateOrders())
        let grid = GridController(columns: columns, dataSource: planets, delegate: delegate)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 8)
        grid.reload()
        var buffer = CellBuffer(size: TerminalSize(columns: 40, rows: 8))
        grid.draw(on: &buffer)
        let y = try #require(buffer.lines().firstIndex { $0.hasPrefix("Earth") })
        let starts = buffer.lines()[y].enumerated().filter { $0.element == "E" }.map(\.offset)
        #expect(starts.map { buffer[$0, y].style.attributes.contains(.bold) } == [false, true, false])
        #expect(buffer[starts[1], y].style.foreground == TerminalColor(red: 0xff, green: 0x5f, blue: 0x5f))
    }

    @Test func `a drawing delegate draws cells`() {
        let (planets, stars) = (Planets(), Stars())
        let grid = GridController(columns: columns, dataSource: planets)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 8)
        grid.drawingDelegate = stars
        grid.reload()
        var buffer = CellBuffer(size: TerminalSize(columns: 40, rows: 8))
        grid.draw(on: &buffer)
        #expect(buffer.lines().contains { $0.hasPrefix("Earth") && $0.contains("★★★") })
    }

    @Test func `styles set by code override the theme`() {
        let grid = GridController(columns: columns)
        grid.perform(.setTheme(.light))
        grid.perform(.setStyle(.alternateRow, CellStyle(background: Color(0x005faf, alpha: 20))))
        grid.perform(.setClass("late", ThemeClass(normal: CellStyle(foreground: Color(0xaf0000)))))
        #expect(grid.state.theme.alternateRow.background == Color(0x005faf, alpha: 20))
        #expect(grid.state.theme.classes["late"] != nil)
    }
}
