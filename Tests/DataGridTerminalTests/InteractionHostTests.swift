import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// What a delegate is asked and told, and what a grid does about its answers.
@MainActor
@Suite struct InteractionHostTests {
    private final class Judge: GridDelegate {
        var log: [String] = []
        var frozenRows: Set<RowID> = []
        var frozenSections: Set<Int> = []
        var asked = 0
        var directions: DragDirections?
        var refusesHeaders = false
        func shouldSelect(row: RowID) -> Bool {
            asked += 1
            return !frozenRows.contains(row)
        }
        func shouldDeselect(row: RowID) -> Bool {
            asked += 1
            return !frozenRows.contains(row)
        }
        func shouldSelect(row: RowID, column: ColumnID) -> Bool {
            asked += 1
            return !frozenRows.contains(row)
        }
        func didSelect(row: RowID) { log.append("+\(row.rawValue)") }
        func didDeselect(row: RowID) { log.append("-\(row.rawValue)") }
        func didSelect(row: RowID, column: ColumnID) { log.append("+\(row.rawValue).\(column.rawValue)") }
        func didDeselect(row: RowID, column: ColumnID) { log.append("-\(row.rawValue).\(column.rawValue)") }
        func didMoveCursor(to cursor: GridCursor) { log.append("cursor \(cursor.row ?? -1).\(cursor.column)") }
        func shouldActivateHeader(ofColumn column: ColumnID) -> Bool { !refusesHeaders }
        func didActivateHeader(ofColumn column: ColumnID) { log.append("header \(column.rawValue)") }
        func didSort(by keys: [SortDescriptor]) { log.append("sort \(keys.count)") }
        func didSetHidden(column: ColumnID, _ isHidden: Bool) { log.append(isHidden ? "hide" : "show") }
        func didFreeze(_ panes: FrozenPanes) { log.append("freeze \(panes.leading)") }
        func didRestoreView() { log.append("restore") }
        func permittedDragDirections(ofRow row: RowID?, column: ColumnID?) -> DragDirections? { directions }
        func didMove(column: ColumnID, from: Int, to: Int) { log.append("move \(from) \(to)") }
        func didMove(rows: Range<Int>, to: Int) { log.append("move rows \(rows.lowerBound) \(to)") }
        func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool { !frozenSections.contains(section) }
        func didSetCollapsed(section: Int, _ isCollapsed: Bool) { log.append("\(isCollapsed ? "collapse" : "expand") \(section)") }
        func shouldChangeSections(count: Int) -> Bool { frozenSections.isEmpty }
        func didActivateAccessory(ofRow row: RowID) { log.append("accessory \(row.rawValue)") }
        func didFinishLayout() { log.append("layout") }
        func take() -> [String] {
            defer { log = [] }
            return log
        }
    }

    private let judge = Judge()
    private let source = TableSource((0..<20).map { "a\($0)|b\($0)" }.joined(separator: "\n"))

    private func open(_ mode: SelectionMode = .cells, rows: Int? = nil) -> GridController {
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsScrollBar = false
        let grid = GridController(columns: columns("a:8 b:8"), dataSource: source, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 8)
        grid.reload()
        if let rows { grid.perform(.setRows(.natural(count: rows))) }
        grid.perform(.setSelectionMode(mode))
        grid.delegate = judge
        return grid
    }

    private func click(_ grid: GridController, _ x: Int, _ y: Int, _ modifiers: KeyModifiers = []) {
        grid.handle(.mouse(MouseEvent(.press(.left), x: x, y: y, modifiers: modifiers)))
        grid.handle(.mouse(MouseEvent(.release(.left), x: x, y: y, modifiers: modifiers)))
    }

    @Test("A3, A10: selecting and deselecting are told of rows and of cells")
    func told() {
        var grid = open(.rows)
        click(grid, 1, 2)
        click(grid, 1, 4, .control)
        #expect(judge.take() == ["+1", "cursor 1.0", "+3", "cursor 3.0"])
        click(grid, 1, 2, .control)
        #expect(judge.take() == ["-1", "cursor 1.0"])
        grid = open(.cells)
        click(grid, 12, 2)
        grid.handle(.key(KeyPress(.down, .shift)))
        grid.handle(.key(KeyPress(.escape)))
        #expect(judge.take() == ["+1.1", "cursor 1.1", "+2.1", "cursor 2.1", "-1.1", "-2.1"])
        grid.perform(.setSelection(Selection(blocks: [SelectionBlock(rows: 2..<4, columns: nil)])))
        #expect(judge.take() == ["+2", "+3"], "code is told of, too")
    }

    @Test("A3, A10: a row that may not be selected is left out of what is, wherever the range goes on to")
    func rowVeto() {
        let grid = open(.rows)
        judge.frozenRows = [2]
        click(grid, 1, 2)
        for _ in 0..<3 { grid.handle(.key(KeyPress(.down, .shift))) }
        #expect(grid.state.selectedRows() == [1, 3, 4])
        grid.handle(.key(KeyPress(.up, .shift)))
        #expect(grid.state.selectedRows() == [1, 3], "the range still has its ends")
        grid.handle(.key(KeyPress(.up, .shift)))
        grid.handle(.key(KeyPress(.up, .shift)))
        grid.handle(.key(KeyPress(.up, .shift)))
        #expect(grid.state.selectedRows() == [0, 1])
        #expect(judge.take().filter { $0.hasPrefix("+") || $0.hasPrefix("-") } == ["+1", "+3", "+4", "-4", "-3", "+0"])
        click(grid, 1, 3)
        #expect(grid.state.selectedRows() == [] && grid.state.cursor.item == .row(2), "the cursor goes there all the same")
        grid.perform(.scroll(items: 1, columns: 0))
        #expect(grid.state.selectedRows() == [], "what was refused does not come by another way")
    }

    @Test("A3, A10: a row that may not be deselected stays")
    func deselectVeto() {
        let grid = open(.rows)
        click(grid, 1, 3)
        judge.frozenRows = [2]
        click(grid, 1, 5)
        #expect(grid.state.selectedRows() == [2, 4])
        click(grid, 1, 5)
        #expect(grid.state.selectedRows() == [2, 4])
        judge.frozenRows = []
        grid.handle(.key(KeyPress(.escape)))
        #expect(grid.state.selectedRows() == [])
    }

    @Test("A3: of more than a thousand rows the delegate is asked as a whole; a selection that ends because rows changed is only told")
    func manyRows() {
        let grid = open(.rows, rows: 1_000_000)
        judge.frozenRows = [2]
        #expect(grid.perform(.selectAll))
        #expect(judge.asked == 0 && grid.state.selection == .all)
        grid.perform(.setRows(.natural(count: 10)))
        #expect(judge.asked == 0 && grid.state.selection.isEmpty)
        judge.frozenRows = []
        grid.perform(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1_000, columns: nil)])))
        #expect(judge.asked == 10, "as many as there are")
    }

    @Test("A3: a header is asked about before it sorts; everything that changes is told")
    func headersAndColumns() {
        let grid = open()
        judge.refusesHeaders = true
        click(grid, 1, 0)
        #expect(judge.take() == [] && grid.state.sort.isEmpty)
        judge.refusesHeaders = false
        click(grid, 1, 0)
        #expect(judge.take() == ["header 0", "sort 1"])
        let view = grid.state.savedView
        grid.perform(.setSort([]))
        grid.perform(.setHidden(1, true))
        grid.perform(.setHidden(1, false))
        grid.perform(.pinLeading(1))
        #expect(judge.take() == ["sort 0", "hide", "show", "move 1 0", "freeze 1", "cursor 0.1"])
        grid.perform(.restore(view))
        #expect(judge.take().contains("restore"))
    }

    @Test("A3, A15: sections that may not be collapsed stay open; the cursor does not go into one that may not be opened")
    func sections() {
        let grid = open()
        grid.perform(.setRows(.natural(count: 6), tree: SectionTree((0..<3).map { Section(title: "s\($0)", rows: $0 * 2..<$0 * 2 + 2) })))
        judge.log = []
        judge.frozenSections = [1]
        grid.perform(.setAllCollapsed(true))
        #expect((0..<3).map { grid.state.isCollapsed(section: $0) } == [true, false, true])
        #expect(judge.take().filter { $0.hasPrefix("collapse") } == ["collapse 0", "collapse 2"])
        judge.frozenSections = [0]
        let before = grid.state
        #expect(!grid.perform(.move(.row(0))))
        #expect(grid.state == before)
        #expect(grid.perform(.move(.row(5))))
        #expect(judge.take().contains("expand 2"))
    }

    @Test("A17: the delegate says which ways a cell is dragged")
    func directions() {
        let grid = open()
        func drag(_ from: (Int, Int), _ to: (Int, Int), _ modifiers: KeyModifiers = .alt) -> [String] {
            judge.log = []
            grid.handle(.mouse(MouseEvent(.press(.left), x: from.0, y: from.1, modifiers: modifiers)))
            grid.handle(.mouse(MouseEvent(.drag(.left), x: to.0, y: to.1, modifiers: modifiers)))
            grid.handle(.mouse(MouseEvent(.release(.left), x: to.0, y: to.1, modifiers: modifiers)))
            return judge.log.filter { $0.hasPrefix("move") }
        }
        #expect(drag((1, 2), (1, 5)) == [])
        judge.directions = .both
        #expect(drag((1, 2), (1, 5)) == ["move rows 1 4"])
        #expect(drag((1, 2), (18, 2)) == ["move 0 1"])
        #expect(drag((1, 2), (18, 2), []) == [], "without Alt it selects")
        judge.directions = []
        #expect(drag((1, 0), (18, 0)) == [])
        judge.directions = nil
        #expect(drag((1, 0), (18, 0)) == ["move 0 1"])
    }

    @Test("A17: Escape cancels a drag") func escape() {
        let grid = open()
        grid.handle(.mouse(MouseEvent(.press(.left), x: 1, y: 0)))
        grid.handle(.mouse(MouseEvent(.drag(.left), x: 18, y: 0)))
        #expect(grid.state.drag != nil)
        grid.handle(.key(KeyPress(.escape)))
        grid.handle(.mouse(MouseEvent(.release(.left), x: 18, y: 0)))
        #expect(grid.state.columns.visible.map(\.id) == [0, 1])
    }

    @Test("A3: the layout is told of when something stands elsewhere, and not for every frame")
    func layout() {
        let grid = open()
        func draw() -> [String] {
            var buffer = CellBuffer(size: TerminalSize(columns: 20, rows: 8))
            judge.log = []
            grid.draw(on: &buffer)
            return judge.log
        }
        #expect(draw() == ["layout"])
        #expect(draw() == [])
        grid.perform(.move(.down(1)))
        #expect(draw() == [])
        grid.perform(.scroll(items: 1, columns: 0))
        #expect(draw() == ["layout"])
    }

    @Test("B5, A11: keys that the policies leave alone are the host's") func keys() {
        let grid = open()
        grid.handle(.key(KeyPress(.enter, .alt)))
        #expect(judge.take() == [], "nothing stands there")
        source.accessories = [0: .disclosure, 2: .detail]
        grid.configure { $0.metrics.showsAccessories = true }
        grid.handle(.key(KeyPress(.enter, .alt)))
        click(grid, 19, 3)
        click(grid, 19, 2)
        #expect(judge.take().filter { $0.hasPrefix("acc") } == ["accessory 0", "accessory 2"])
        grid.configure {
            $0.interaction.enter = []
            $0.interaction.space = []
        }
        #expect(!grid.handle(.key(KeyPress(.enter))))
        #expect(!grid.handle(.key(KeyPress(.character(" ")))))
        #expect(Set(GridInput.help.map(\.keys)).count == GridInput.help.count)
    }

    @Test("A17: rows are moved by key only where they may be moved; code always can")
    func rowsByKey() {
        let grid = open()
        #expect(!grid.handle(.key(KeyPress(.down, .alt))) && judge.take() == [])
        #expect(grid.perform(.moveCurrentRows(by: 1)))
        #expect(judge.take().contains("move rows 0 1"))
        grid.configure { $0.interaction.allowsRowReordering = true }
        #expect(grid.handle(.key(KeyPress(.up, .alt))))
        #expect(judge.take().contains("move rows 1 0"))
    }

    private func press(_ grid: GridController, _ keys: KeyPress...) -> [Bool] { keys.map { grid.handle(.key($0)) } }

    @Test("A10: V and Shift-Space select the row, z~ inverts what is selected")
    func selectingByKey() {
        let grid = open()
        let other = KeyPress(.character("x"))
        for key in [KeyPress(.character("V")), KeyPress(.character(" "), .shift)] {
            #expect(press(grid, KeyPress(.down), key) == [true, true])
            #expect(grid.state.selectedRows() == [grid.state.currentRow!])
            #expect(press(grid, KeyPress(.escape)) == [true])
        }
        #expect(press(grid, KeyPress(.character("V")), KeyPress(.character("z")), KeyPress(.character("~"))) == [true, true, true])
        #expect(grid.state.selectedRows() == ([0, 1] + Array(3..<20)).map { RowID($0) })
        #expect(press(grid, KeyPress(.character("~")), KeyPress(.character("z")), other, other) == [false, true, false, false])
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.down)) == [true, true] && grid.state.cursor.row == 3)
        for keys in ["V", "z~", "zM zR"] { #expect(GridInput.help.contains { $0.keys.hasSuffix(keys) }) }
        var column = grid.columns[0]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        grid.perform(.clearSelection)
        #expect(press(grid, KeyPress(.character("V"))) == [true] && grid.state.editing?.field.string == "V", "it is typed")
        grid.cancelEditing()
        #expect(press(grid, KeyPress(.character("z"))) == [true] && grid.state.editing?.field.string == "z")
    }

    @Test("A3, A10, A15: where letters are typed into cells, rows are selected, inverted and folded with Alt")
    func lettersThatAreTyped() {
        let grid = open()
        var column = grid.columns[0]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        #expect(press(grid, KeyPress(.character("V"), .alt)) == [true] && grid.state.selectedRows() == [0])
        #expect(press(grid, KeyPress(.character("z"), .alt), KeyPress(.character("~"))) == [true, true])
        #expect(grid.state.selectedRows() == (1..<20).map { RowID($0) } && grid.state.editing == nil)
        grid.perform(.clearSelection)
        grid.perform(.setRows(.natural(count: 4), tree: SectionTree([Section(title: "s", rows: 0..<4)])))
        grid.perform(.move(.row(1)))
        #expect(press(grid, KeyPress(.character("z"), .alt), KeyPress(.character("M"), .alt)) == [true, true])
        #expect(grid.state.outline.collapsed == [true])
        #expect(GridInput.help.contains { $0.keys.hasPrefix("Alt-V Alt-z") })
    }

    @Test("A3: s and S do what clicks on the header do, on cards, too; the delegate is asked and told")
    func sortingByKey() {
        let grid = open()
        #expect(press(grid, KeyPress(.character("s"))) == [true] && judge.take() == ["header 0", "sort 1"])
        #expect(press(grid, KeyPress(.right), KeyPress(.character("S"))) == [true, true])
        #expect(grid.state.sort == [SortDescriptor(0), SortDescriptor(1)])
        grid.perform(.present(.cards))
        #expect(press(grid, KeyPress(.character("s"))) == [true])
        #expect(grid.state.sort == [SortDescriptor(1, isDescending: true)])
        _ = judge.take()
        judge.refusesHeaders = true
        #expect(press(grid, KeyPress(.character("s"))) == [true] && judge.take() == [])
        judge.refusesHeaders = false
        var column = grid.columns[1]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        #expect(press(grid, KeyPress(.character("s"), .alt)) == [true] && grid.state.sort.isEmpty && grid.state.editing == nil)
        #expect(press(grid, KeyPress(.character("s"))) == [true] && grid.state.editing?.field.string == "s")
    }

    @Test("A3, A8, A9: keys make the column narrower, wider and fit, freeze up to it, hide it and show it again")
    func columnsByKey() {
        let grid = open()
        func width() -> Int { grid.state.layout.columns.first { $0.index == grid.state.cursor.column }?.fullWidth ?? 0 }
        func key(_ character: Unicode.Scalar) -> Bool { grid.handle(.key(KeyPress(.character(character)))) }
        #expect(key(">") && width() == 9 && key("<") && key("<") && width() == 7)
        #expect(key("_") && grid.state.columns[0].width == .automatic && width() < 7)
        #expect(key("f") && grid.state.frozen == FrozenPanes(leading: 1) && key("f") && grid.state.frozen == FrozenPanes())
        _ = press(grid, KeyPress(.down))
        #expect(key("z") && key("f") && grid.state.frozen == FrozenPanes(rows: 2) && key("z") && key("f"))
        #expect(key("z") && key("F") && grid.state.frozen == FrozenPanes(leading: 1, rows: 2) && key("z") && key("F"))
        #expect(grid.state.frozen == FrozenPanes())
        _ = judge.take()
        #expect(key("-") && grid.state.columns.visible.map(\.id) == [1] && key("+") && grid.state.columns.visible.map(\.id) == [0, 1])
        #expect(judge.take().filter { $0 == "hide" || $0 == "show" } == ["hide", "show"])
        #expect(!key("+"), "none is hidden: the key is the host's")
        grid.perform(.present(.cards))
        for letter in "<>_f".unicodeScalars { #expect(!key(letter), "nothing of it is seen on cards") }
        #expect(key("z") && !key("F") && grid.state.frozen == FrozenPanes(), "of both the columns are not seen to be frozen")
        #expect(key("z") && key("f") && grid.state.frozen == FrozenPanes(rows: 2) && key("z") && key("f"))
        var fixed = grid.columns[0]
        fixed.isResizable = false
        grid.perform(.present(.table))
        grid.perform(.updateColumn(fixed))
        grid.perform(.place(GridCursor(item: .row(0), column: 0)))
        let width = width()
        #expect(key(">") && key("_") && grid.state.layout.columns[0].fullWidth == width)
    }

    @Test("A3: letters with Ctrl and Alt are the host's; behind what is typed no key is the first of two")
    func lettersOfTheHost() {
        let grid = open()
        for letter in "sS<>_f-+V".unicodeScalars {
            #expect(press(grid, KeyPress(.character(letter), [.control, .alt])) == [false], "\(letter)")
        }
        #expect(grid.state.frozen == FrozenPanes() && judge.take() == [])
        var column = grid.columns[0]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        let z = KeyPress(.character("z"), .alt)
        #expect(GridInput.isPrefix(z, in: grid.state))
        #expect(grid.beginEditing(row: 0, column: 0) && !GridInput.isPrefix(z, in: grid.state))
    }

    @Test("A1: of hidden columns the nearest to the cursor's comes back first, the one behind it before the one before it")
    func hiddenColumns() {
        let grid = GridController(columns: columns("a:4 b:4 c:4 d:4 e:4"), dataSource: source)
        for id in [0, 1, 3] as [ColumnID] { grid.perform(.setHidden(id, true)) }
        grid.reload()
        var shown: [[ColumnID]] = []
        for _ in 0..<3 {
            grid.handle(.key(KeyPress(.character("+"))))
            shown.append(grid.state.columns.visible.map(\.id))
        }
        #expect(shown == [[2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]])
    }

    @Test("A15: zM collapses all sections, zR expands them")
    func sectionsByKey() {
        let grid = open()
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.character("M"))) == [true, false], "there are none")
        grid.perform(.setRows(.natural(count: 6), tree: SectionTree((0..<3).map { Section(title: "s\($0)", rows: $0 * 2..<$0 * 2 + 2) })))
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.character("M"))) == [true, true])
        #expect(grid.state.outline.collapsed == [true, true, true])
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.character("R"))) == [true, true])
        #expect(grid.state.outline.collapsed == [false, false, false])
    }

    @Test("A13: a burst of the wheel keeps to its first direction, unless it goes as far the other way")
    func wheel() {
        let down = MouseEvent(.wheel(x: 0, y: 1), x: 1, y: 1)
        let across = MouseEvent(.wheel(x: 1, y: 0), x: 1, y: 1)
        let start = ContinuousClock.now
        func admitted(_ lock: DirectionalLock, _ events: [(MouseEvent, Int)]) -> String {
            var wheel = WheelLock()
            return String(events.map { wheel.admits($0.0, lock: lock, at: start + .milliseconds($0.1)) ? "y" : "n" })
        }
        let noise = [(down, 0), (across, 20), (down, 40), (down, 60), (across, 80), (across, 400), (down, 410)]
        #expect(admitted(.off, noise) == "yyyyyyy")
        #expect(admitted(.on, noise) == "ynyynyn")
        #expect(admitted(.diagonalAllowed, [(down, 0), (down, 10), (down, 20), (across, 30), (across, 40)]) == "yyyny")
        let grid = open()
        grid.configure { $0.interaction.directionalLock = .on }
        grid.perform(.setWidth(0, .fixed(30)))
        grid.handle(.mouse(down))
        grid.handle(.mouse(across))
        #expect((grid.state.scroll.top, grid.state.scroll.x) == (3, 0))
    }
}
