import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Delegate calls, and the grid's response to the answers.
@MainActor
@Suite struct InteractionHostTests {
    final class Judge: GridDelegate {
        var log: [String] = []
        var frozenRows: Set<RowID> = []
        var frozenSections: Set<Int> = []
        var requestCount = 0
        var directions: DragDirections?
        var refusesHeaders = false
        var refusesHiding: Set<Bool> = []
        func shouldSelect(row: RowID) -> Bool {
            requestCount += 1
            return !frozenRows.contains(row)
        }
        func shouldDeselect(row: RowID) -> Bool {
            requestCount += 1
            return !frozenRows.contains(row)
        }
        func shouldSelect(row: RowID, column: ColumnID) -> Bool {
            requestCount += 1
            return !frozenRows.contains(row)
        }
        func didSelect(row: RowID) { log.append("+\(row.rawValue)") }
        func didDeselect(row: RowID) { log.append("-\(row.rawValue)") }
        func didSelect(row: RowID, column: ColumnID) { log.append("+\(row.rawValue).\(column.rawValue)") }
        func didDeselect(row: RowID, column: ColumnID) { log.append("-\(row.rawValue).\(column.rawValue)") }
        func didMoveCursor(to cursor: GridCursor) { log.append("cursor \(cursor.row ?? -1).\(cursor.column)") }
        func shouldActivateHeader(ofColumn column: ColumnID, isAdding: Bool) -> Bool { !refusesHeaders }
        func didActivateHeader(ofColumn column: ColumnID) { log.append("header \(column.rawValue)") }
        func didSort(by keys: [ColumnSort]) { log.append("sort \(keys.count)") }
        func shouldSetHidden(column: ColumnID, _ isHidden: Bool) -> Bool { !refusesHiding.contains(isHidden) }
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
        func didRequestMenu(ofRow row: RowID, column: ColumnID?) { log.append("menu \(row.rawValue) \(column?.rawValue ?? -1)") }
        func didInterruptDrag() { log.append("drag interrupted") }
        func didFinishLayout() { log.append("layout") }
        func drainLog() -> [String] {
            defer { log = [] }
            return log
        }
    }

    let judge = Judge()
    let source = RecordingSource((0..<20).map { "a\($0)|b\($0)" }.joined(separator: "\n"))

    func open(_ mode: SelectionMode = .cells, rows: Int? = nil) -> GridController {
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
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

    func click(_ grid: GridController, _ x: Int, _ y: Int, _ modifiers: KeyModifiers = []) {
        grid.handle(.mouse(MouseEvent(.press(.left), x: x, y: y, modifiers: modifiers)))
        grid.handle(.mouse(MouseEvent(.release(.left), x: x, y: y, modifiers: modifiers)))
    }

    @Test func `A3, A10: the delegate is notified of selected and deselected rows and cells`() {
        var grid = open(.rows)
        click(grid, 1, 2)
        click(grid, 1, 4, .control)
        #expect(judge.drainLog() == ["+1", "cursor 1.0", "+3", "cursor 3.0"])
        click(grid, 1, 2, .control)
        #expect(judge.drainLog() == ["-1", "cursor 1.0"])
        grid = open(.cells)
        click(grid, 12, 2)
        grid.handle(.key(KeyPress(.down, .shift)))
        grid.handle(.key(KeyPress(.escape)))
        #expect(judge.drainLog() == ["+1.1", "cursor 1.1", "+2.1", "cursor 2.1", "-1.1", "-2.1"])
        grid.perform(.setSelection(Selection(blocks: [SelectionBlock(rows: 2..<4, columns: nil)])))
        #expect(judge.drainLog() == ["+2", "+3"], "changes by code are notified too")
    }

    @Test func `A3, A10: a row that must not be selected is skipped in every range`() {
        let grid = open(.rows)
        judge.frozenRows = [2]
        click(grid, 1, 2)
        for _ in 0..<3 { grid.handle(.key(KeyPress(.down, .shift))) }
        #expect(grid.state.selectedRows() == [1, 3, 4])
        grid.handle(.key(KeyPress(.up, .shift)))
        #expect(grid.state.selectedRows() == [1, 3], "the range keeps its ends")
        grid.handle(.key(KeyPress(.up, .shift)))
        grid.handle(.key(KeyPress(.up, .shift)))
        grid.handle(.key(KeyPress(.up, .shift)))
        #expect(grid.state.selectedRows() == [0, 1])
        #expect(judge.drainLog().filter { $0.hasPrefix("+") || $0.hasPrefix("-") } == ["+1", "+3", "+4", "-4", "-3", "+0"])
        click(grid, 1, 3)
        #expect(grid.state.selectedRows() == [] && grid.state.cursor.item == .row(2), "the cursor still moves")
        grid.perform(.scroll(items: 1, columns: 0))
        #expect(grid.state.selectedRows() == [], "scrolling does not select it either")
    }

    @Test func `A3, A10: a row that must not be deselected stays selected`() {
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

    @Test func `A11: a right click on a row requests its menu, and keeps the cursor and the selection`() {
        let grid = open(.rows)
        click(grid, 1, 2)
        _ = judge.drainLog()
        grid.handle(.mouse(MouseEvent(.press(.right), x: 12, y: 4)))
        grid.handle(.mouse(MouseEvent(.release(.right), x: 12, y: 4)))
        #expect(judge.drainLog() == ["menu 3 1"])
        #expect(grid.state.selectedRows() == [1] && grid.state.cursor.item == .row(1))
    }

    @Test func `A3: a change of more than a thousand rows asks the delegate once, and a removal only notifies it`() {
        let grid = open(.rows, rows: 1_000_000)
        judge.frozenRows = [2]
        #expect(grid.perform(.selectAll))
        #expect(judge.requestCount == 0 && grid.state.selection == .all)
        grid.perform(.setRows(.natural(count: 10)))
        #expect(judge.requestCount == 0 && grid.state.selection.isEmpty)
        judge.frozenRows = []
        grid.perform(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1_000, columns: nil)])))
        #expect(judge.requestCount == 10, "one call per existing row")
    }

    @Test func `A3: the delegate is asked before a header sorts, and is notified of every change`() {
        let grid = open()
        judge.refusesHeaders = true
        click(grid, 1, 0)
        #expect(judge.drainLog() == [] && grid.state.sort.isEmpty)
        judge.refusesHeaders = false
        click(grid, 1, 0)
        #expect(judge.drainLog() == ["header 0", "sort 1"])
        let view = grid.state.savedView
        grid.perform(.setSort([]))
        grid.perform(.setHidden(1, true))
        grid.perform(.setHidden(1, false))
        grid.perform(.pinLeading(1))
        #expect(judge.drainLog() == ["sort 0", "hide", "show", "move 1 0", "freeze 1", "cursor 0.1"])
        grid.perform(.restore(view))
        #expect(judge.drainLog().contains("restore"))
    }

    @Test func `A3, A15: a vetoed collapse keeps its section open, and the cursor avoids sections that must not open`() {
        let grid = open()
        grid.perform(.setRows(.natural(count: 6), tree: SectionTree((0..<3).map { Section(title: "s\($0)", rows: $0 * 2..<$0 * 2 + 2) })))
        judge.log = []
        judge.frozenSections = [1]
        grid.perform(.setAllCollapsed(true))
        #expect((0..<3).map { grid.state.isCollapsed(section: $0) } == [true, false, true])
        #expect(judge.drainLog().filter { $0.hasPrefix("collapse") } == ["collapse 0", "collapse 2"])
        judge.frozenSections = [0]
        let before = grid.state
        #expect(!grid.perform(.move(.row(0))))
        #expect(grid.state == before)
        #expect(grid.perform(.move(.row(5))))
        #expect(judge.drainLog().contains("expand 2"))
    }

    @Test func `A3, A15: a change of more than a thousand sections asks the delegate once`() {
        let grid = open()
        let tree = SectionTree((0..<1_001).map { Section(title: "s\($0)", rows: $0..<$0 + 1) })
        grid.perform(.setRows(.natural(count: tree.count), tree: tree))
        judge.frozenSections = [5]
        let before = grid.state
        #expect(!grid.perform(.setAllCollapsed(true)))
        #expect(grid.state == before)
        judge.frozenSections = []
        judge.log = []
        #expect(grid.perform(.setAllCollapsed(true)))
        #expect(!grid.state.outline.collapsed.contains(false) && !judge.log.contains { $0.hasPrefix("collapse") })
    }

    @Test func `A1, A3: a column is hidden or shown only with the delegate's permission`() {
        let grid = open()
        judge.refusesHiding = [true]
        #expect(!grid.perform(.setHidden(1, true)) && grid.state.columns.count == 2)
        judge.refusesHiding = [false]
        #expect(grid.perform(.setHidden(1, true)))
        #expect(!grid.perform(.setHidden(1, false)) && grid.state.columns.count == 1)
        var column = grid.state.columns.all[1]
        column.isHidden = false
        #expect(!grid.perform(.updateColumn(column)) && grid.state.columns.count == 1)
        judge.refusesHiding = []
        #expect(grid.perform(.updateColumn(column)) && grid.state.columns.count == 2)
        #expect(judge.drainLog().filter { ["hide", "show"].contains($0) } == ["hide", "show"])
    }

    @Test func `A17: the delegate sets the permitted drag directions of a cell`() {
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
        #expect(drag((1, 2), (18, 2), []) == [], "a drag without Alt selects")
        judge.directions = []
        #expect(drag((1, 0), (18, 0)) == [])
        judge.directions = nil
        #expect(drag((1, 0), (18, 0)) == ["move 0 1"])
    }

    @Test func `A17: Escape cancels a drag`() {
        let grid = open()
        grid.handle(.mouse(MouseEvent(.press(.left), x: 1, y: 0)))
        grid.handle(.mouse(MouseEvent(.drag(.left), x: 18, y: 0)))
        #expect(grid.state.drag != nil)
        grid.handle(.key(KeyPress(.escape)))
        grid.handle(.mouse(MouseEvent(.release(.left), x: 18, y: 0)))
        #expect(grid.state.columns.visible.map(\.id) == [0, 1])
    }

    @Test func `A3: the delegate is notified of the layout only when positions change, not for every frame`() {
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

    @Test func `A13: a wheel turned sideways scrolls by columns`() {
        let grid = open()
        grid.perform(.setWidth(0, .fixed(30)))
        grid.perform(.setWidth(1, .fixed(30)))
        var input = AnsiInput()
        func scrollPosition(afterTurning button: Int) -> Int {
            var events: [TerminalEvent] = []
            input.decode(Array("\u{1B}[<\(button);3;3M".utf8), into: &events)
            for event in events { grid.handle(event) }
            return grid.state.scroll.x
        }
        let across = scrollPosition(afterTurning: 67)
        #expect(across > 0 && scrollPosition(afterTurning: 66) == 0 && grid.state.scroll.top == 0)
    }

    @Test func `A17: the delegate is notified if the rows of a drag are removed, and a reload does not end a drag`() {
        let grid = open()
        grid.configure { $0.interaction.allowsRowReordering = true }
        judge.directions = .both
        let alt = KeyModifiers.alt
        grid.handle(.mouse(MouseEvent(.press(.left), x: 1, y: 1, modifiers: alt)))
        grid.handle(.mouse(MouseEvent(.drag(.left), x: 1, y: 4, modifiers: alt)))
        #expect(grid.state.drag?.needsTicks == true)
        grid.reload()
        #expect(grid.state.drag?.needsTicks == true)
        _ = judge.drainLog()
        grid.perform(.setRows(.natural(count: 0)))
        #expect(grid.state.drag == nil && judge.drainLog().contains("drag interrupted"))
    }

    @Test func `A13: a burst of wheel events keeps its first direction until it moves as far in the other direction`() {
        let down = MouseEvent(.wheel(x: 0, y: 1), x: 1, y: 1)
        let across = MouseEvent(.wheel(x: 1, y: 0), x: 1, y: 1)
        let start = ContinuousClock.now
        func permitted(_ lock: DirectionalLock, _ events: [(MouseEvent, Int)]) -> String {
            var wheel = WheelLock()
            return String(events.map { wheel.shouldHandle($0.0, lock: lock, at: start + .milliseconds($0.1)) ? "y" : "n" })
        }
        let noise = [(down, 0), (across, 20), (down, 40), (down, 60), (across, 80), (across, 400), (down, 410)]
        #expect(permitted(.off, noise) == "yyyyyyy")
        #expect(permitted(.on, noise) == "ynyynyn")
        #expect(permitted(.diagonalAllowed, [(down, 0), (down, 10), (down, 20), (across, 30), (across, 40)]) == "yyyny")
        let grid = open()
        grid.configure { $0.interaction.directionalLock = .on }
        grid.perform(.setWidth(0, .fixed(30)))
        grid.handle(.mouse(down))
        grid.handle(.mouse(across))
        #expect((grid.state.scroll.top, grid.state.scroll.x) == (3, 0))
    }
}
