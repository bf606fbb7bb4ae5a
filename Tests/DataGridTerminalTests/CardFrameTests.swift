import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// The cursor, the selection and the editor in card slots.
@MainActor
@Suite struct CardFrameTests {
    private final class Sheet: GridDataSource, GridDelegate {
        var rows = [["Ada", "London", "analyst", "on"], ["Alan", "Wilmslow", "codes", "off"]]
        var presented: [GridPresentation] = []
        func numberOfRows(inSection section: Int) -> Int { rows.count }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent(rows[row.rawValue][column.rawValue]) }
        func text(row: RowID, column: ColumnID) -> String? { rows[row.rawValue][column.rawValue] }
        func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
            if text == "no" { return .rejected("Not this.") }
            rows[row.rawValue][column.rawValue] = text
            return .accepted
        }
        func didChangePresentation(to presentation: GridPresentation) { presented.append(presentation) }
    }

    private let sheet = Sheet()
    private let backend = RecordingBackend(size: TerminalSize(columns: 26, rows: 7))

    private func open() throws -> (GridController, GridApplication) {
        var metrics = GridMetrics()
        metrics.showsScrollBar = false
        var all = columns("name:9 city:9 work:9 state:3")
        for index in all.indices { all[index].isEditable = true }
        let grid = GridController(columns: all, dataSource: sheet, delegate: sheet, metrics: metrics)
        grid.perform(.setPresentation(.cards))
        grid.reload()
        return (grid, try backend.open(grid))
    }

    private func type(_ application: GridApplication, _ keys: KeyPress...) { backend.type(keys, into: application) }

    private var cursor: [Int]? { backend.frames.last?.cursor.map { [$0.x, $0.y] } }

    @Test func `A3, B2: a card is edited in the slot of the cursor's column, and Tab commits and moves to the next slot`() throws {
        let (grid, application) = try open()
        type(application, KeyPress(.tab), KeyPress(.tab), KeyPress(.function(2)), KeyPress(.character("!")))
        #expect(backend.lines[0...2] == [" ▌ Ada                 on", " ▌ London!", " ▌ analyst"] && cursor == [10, 1])
        type(application, KeyPress(.tab))
        #expect(sheet.rows[0][1] == "London!" && grid.state.cursor == GridCursor(item: .row(0), column: 2) && cursor == nil)
        type(application, KeyPress(.character("x")), KeyPress(.down))
        #expect(sheet.rows[0][2] == "x" && grid.state.cursor == GridCursor(item: .row(1), column: 2))
    }

    @Test func `A3, B2: a narrow slot widens while text is typed, and the reason for a rejection is below it`() throws {
        let (grid, application) = try open()
        grid.perform(.move(.column(3)))
        type(application, KeyPress(.character("a")), KeyPress(.character("b")))
        #expect(grid.state.editorFrame.map { [$0.origin.x, $0.origin.y, $0.size.width, $0.size.height] } == [13, 0, 12, 1])
        #expect(backend.lines[0] == " ▌ Ada       ab" && cursor == [15, 0])
        type(
            application, KeyPress(.backspace), KeyPress(.backspace), KeyPress(.character("n")), KeyPress(.character("o")), KeyPress(.enter))
        #expect(backend.lines[1] == " ▌ London     Not this." && grid.state.editing != nil)
        type(application, KeyPress(.escape))
        #expect(backend.lines[0] == " ▌ Ada                 on")
        // In a narrower card, the editor takes the full width.
        grid.frame.width = 12
        type(application, KeyPress(.function(2)))
        #expect(grid.state.editorFrame.map { [$0.origin.x, $0.size.width] } == [3, 8])
        // The editor of a clipped slot is on the last visible line.
        type(application, KeyPress(.escape))
        grid.frame = TerminalRect(x: 0, y: 0, width: 26, height: 2)
        grid.perform(.move(.column(2)))
        type(application, KeyPress(.function(2)))
        #expect(grid.state.editorFrame?.origin.y == 1 && cursor == [10, 1])
    }

    @Test func `A3, B8: a resize ends the editor of a column that disappears, even if its text is rejected`() throws {
        let (grid, application) = try open()
        var column = grid.state.columns[3]
        column.cardSlot = .headline
        grid.perform(.updateColumn(column))
        grid.perform(.setPresentation(.adaptive(below: 20)))
        grid.perform(.move(.column(0)))
        type(application, KeyPress(.character("n")), KeyPress(.character("o")))
        grid.frame.width = 12
        #expect(grid.state.size.width == 12 && grid.state.effectivePresentation == .cards && grid.state.editing == nil)
        #expect(sheet.rows[0][0] == "Ada" && sheet.presented == [.cards, .table, .cards])
    }

    @Test func `C5: the data source tells the grid which card slots are empty`() throws {
        sheet.rows[1][1] = ""
        let (grid, application) = try open()
        type(application, KeyPress(.tab))
        #expect(backend.lines[4...6] == [" ▏ Alan               off", " ▏", " ▏ codes"])
        var metrics = grid.state.metrics
        metrics.cards.collapsesEmptySlots = true
        grid.perform(.setMetrics(metrics))
        type(application, KeyPress(.tab))
        #expect(backend.lines[4...6] == [" ▏ Alan               off", " ▏ codes", " ▏"])
    }

    // MARK: Styles

    @Test func `C5: cards have a line around them, a background, or neither`() {
        func lines(_ edge: CardEdge) -> [String] {
            var state = self.state()
            state.metrics.cards.edge = edge
            return paint(state, source).lines()
        }
        let (heavy, light) = (String(repeating: "━", count: 22), String(repeating: "─", count: 22))
        #expect(
            lines(.box) == [
                " ┏\(heavy)┓", " ┃ Ada               on ┃", " ┃ London               ┃", " ┃ analyst              ┃", " ┗\(heavy)┛", "",
                " ┌\(light)┐",
            ])
        #expect(lines(.none)[0] == " ▌ Ada                 on" && lines(.none)[4] == "   Alan               off")
        var state = self.state()
        state.metrics.cards.hasBackground = true
        let ground = Theme.dark.row.applying(Theme.dark.card).textStyle.background
        let buffer = paint(state, source)
        #expect(buffer[20, 4].style.background == ground && buffer[20, 3].style.background != ground)
    }

    private let source = RecordingSource("Ada|London|analyst|on\nAlan|Wilmslow|·|off")

    private func state() -> GridState {
        grid("name:9 city:9 work:9 state:3", rows: 2, frame: (26, 7)).after(.setPresentation(.cards))
    }

    /// The terminal cells with a matching style, by line.
    private func cells(_ state: GridState, _ matches: (TextStyle) -> Bool) -> [Int: Range<Int>] {
        let buffer = paint(state, source)
        var found: [Int: Range<Int>] = [:]
        for y in 0..<7 {
            let places = (0..<26).filter { matches(buffer[$0, y].style) }
            if let first = places.first, let last = places.last {
                found[y] = first..<last + 1
                #expect(places.count == last + 1 - first)
            }
        }
        return found
    }

    @Test func `B2: the cursor highlights the full width of its slot, even if the slot is empty`() {
        func highlighted(_ state: GridState) -> [Int: Range<Int>] { cells(state) { $0.attributes.contains(.reverse) } }
        #expect(Theme.dark.cursor.traits.contains(.reverse))
        #expect(highlighted(state()) == [0: 3..<20])
        #expect(highlighted(state().after(.move(.nextColumn))) == [0: 22..<25])
        #expect(highlighted(state().after(.moveCursor(GridCursor(item: .row(1), column: 2)))) == [6: 3..<25])
    }

    @Test func `A10, B2: a selected slot is tinted, and the whole card is tinted if all its slots are selected`() {
        let tint = Theme.dark.selection.textStyle.background
        func tinted(_ columns: Set<ColumnID>?) -> [Int: Range<Int>] {
            let selection = Selection(blocks: [SelectionBlock(rows: 0..<1, columns: columns)])
            return cells(state().after(.setSelection(selection), .move(.bottom))) { $0.background == tint }
        }
        #expect(tinted([1]) == [1: 3..<25])
        #expect(tinted([1, 2]) == [1: 3..<25, 2: 3..<25])
        #expect(tinted(nil) == [0: 1..<25, 1: 1..<25, 2: 1..<25])
        // A card too narrow for any slot has nothing to select.
        let other = Selection(blocks: [SelectionBlock(rows: 1..<2, columns: nil)])
        let narrow = state().after(.resize(GridSize(width: 3, height: 7)), .setSelection(other))
        #expect(narrow.layout.slots.isEmpty && !narrow.layout.tiles.isEmpty)
        #expect(paint(narrow, source)[1, 0].style.background != tint)
    }
}
