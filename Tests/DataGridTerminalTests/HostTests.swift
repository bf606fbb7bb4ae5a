import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// A grid in an application: events in, cells out.
@MainActor
@Suite struct HostTests {
    private final class Contacts: GridDataSource {
        var groups: [(title: String?, names: [String])]
        var rowNoun = RowNoun()
        init(_ groups: [(title: String?, names: [String])]) { self.groups = groups }
        var numberOfSections: Int { groups.count }
        func numberOfRows(inSection section: Int) -> Int { groups[section].names.count }
        func title(ofSection section: Int) -> String? { groups[section].title }
        func content(row: RowID, column: ColumnID) -> CellContent {
            CellContent(groups.flatMap(\.names)[row.rawValue] + (column == 0 ? "" : String(column.rawValue)))
        }
    }

    private final class RecordingDelegate: GridDelegate {
        var log: [String] = []
        var refuses = false
        func shouldChangeSelection(from old: Selection, to new: Selection) -> Bool { !refuses }
        func didChangeSelection(from old: Selection, to new: Selection) { log.append("selection \(new.blocks.count)") }
        func shouldSort(by keys: [ColumnSort]) -> Bool { !refuses }
        func didSort(by keys: [ColumnSort]) { log.append("sort \(keys.map { "\($0.column.rawValue)\($0.isDescending ? "-" : "+")" })") }
        func shouldResize(column: ColumnID, to width: Int) -> Bool { !refuses }
        func didResize(column: ColumnID, to width: Int) { log.append("resize \(column.rawValue) \(width)") }
        func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission { Permission(!refuses) }
        func didMove(column: ColumnID, from: Int, to: Int) { log.append("move \(column.rawValue) \(from) \(to)") }
        func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool { !refuses }
        func didSetCollapsed(section: Int, _ isCollapsed: Bool) { log.append("\(isCollapsed ? "collapse" : "expand") \(section)") }
        func endOfDataIsNear() { log.append("end") }
        func shouldReloadAfterPull() -> Bool { log.append("pull"); return !refuses }
        func height(ofRow row: RowID) -> Int? { row == 1 ? 2 : nil }
        func height(ofSection section: Int) -> Int? { section == 1 ? 3 : nil }
        func width(ofColumn column: ColumnID) -> Int? { column == 0 ? 9 : nil }
        func didActivate(row: RowID, column: ColumnID) { log.append("activate \(row.rawValue) \(column.rawValue)") }
    }

    /// A data source that is also the delegate.
    private final class List: GridDataSource, GridDelegate {
        var moves: [Int] = []
        func numberOfRows(inSection section: Int) -> Int { 3 }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent(String(row.rawValue)) }
        func didMove(rows: Range<Int>, to: Int) { moves.append(to) }
    }

    @Test func `A2, A3: an object that is both data source and delegate is notified of moved rows only once`() {
        let list = List()
        let grid = GridController(columns: Self.columns(), dataSource: list, delegate: list, metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 0, y: 0, width: 24, height: 8)
        grid.reload()
        grid.perform(.moveRows(0..<1, to: 2))
        #expect(list.moves == [2])
    }

    @Test(arguments: [false, true])
    func `A2, A3: the grid holds its data source and delegate weakly, whenever they are set, and works without them`(areLater: Bool) {
        var (list, other) = (List() as List?, List() as List?)
        let grid: GridController
        if areLater {
            grid = GridController(columns: Self.columns(), metrics: .threeHeaderLines)
            (grid.dataSource, grid.delegate) = (list, other)
        } else {
            grid = GridController(columns: Self.columns(), dataSource: list, delegate: other, metrics: .threeHeaderLines)
        }
        grid.frame = TerminalRect(x: 0, y: 0, width: 24, height: 8)
        grid.reload()
        _ = draw(grid)
        #expect(grid.dataSource != nil && grid.delegate != nil)
        (list, other) = (nil, nil)
        #expect(grid.dataSource == nil && grid.delegate == nil)
        grid.reload()
        grid.perform(.move(.down(1)))
        _ = draw(grid)
        #expect(grid.state.rows.count == 3 && grid.state.cursor.row == 1)
    }

    private static func columns(_ count: Int = 2) -> [Column] {
        (0..<count).map { Column(id: ColumnID($0), title: "c\($0)", width: .fixed(8)) }
    }

    private let source = Contacts([("A", ["Ada", "Alan"]), ("B", ["Bob"])])
    private let recorder = RecordingDelegate()

    private func controller(width: Int = 24, height: Int = 8, metrics: (inout GridMetrics) -> Void = { _ in }) -> GridController {
        var measures = GridMetrics()
        measures.headerHeight = 1
        measures.showsScrollBar = false
        metrics(&measures)
        let grid = GridController(columns: Self.columns(), dataSource: source, delegate: recorder, metrics: measures)
        grid.frame = TerminalRect(x: 0, y: 0, width: width, height: height)
        grid.reload()
        return grid
    }

    private func draw(_ grid: GridController, columns: Int = 24, rows: Int = 8) -> CellBuffer {
        var buffer = CellBuffer(size: TerminalSize(columns: columns, rows: rows))
        grid.draw(on: &buffer)
        return buffer
    }

    @Test func `A2, A15: the grid reads sections and rows from the data source, and a reload keeps collapsed sections`() {
        let grid = controller()
        #expect(
            draw(grid).lines().prefix(6).map { $0.trimmed } == [
                "c0        c1", "▾ A  2 rows", "Ada       Ada1", "Alan      Alan1", "▾ B  1 row", "Bob       Bob1",
            ])
        grid.perform(.setCollapsed(section: 0, true))
        source.groups[1].names.append("Bea")
        grid.reload()
        #expect(
            draw(grid).lines().prefix(5).map { $0.trimmed } == [
                "c0        c1", "▸ A  2 rows", "▾ B  2 rows", "Bob       Bob1", "Bea       Bea1",
            ])
        source.groups = [(nil, ["Only"])]
        grid.reload()
        #expect(draw(grid).lines().prefix(2).map { $0.trimmed } == ["c0        c1", "Only      Only1"])
        #expect(grid.state.outline.tree == nil)
    }

    @Test func `A2, A15: a single section has a header if the data source has a title for it`() {
        source.groups = [("Only", ["Ada"])]
        let grid = controller()
        #expect(draw(grid).lines().prefix(3).map { $0.trimmed } == ["c0        c1", "▾ Only  1 row", "Ada       Ada1"])
        source.groups = [(nil, ["Ada"])]
        grid.reload()
        #expect(draw(grid).lines().prefix(2).map { $0.trimmed } == ["c0        c1", "Ada       Ada1"])
    }

    @Test func `A2, A6: the grid shows columns and rows only inside its frame, and follows every change of the frame`() {
        var metrics = GridMetrics()
        (metrics.headerHeight, metrics.showsScrollBar) = (1, false)
        let grid = GridController(columns: Self.columns(), dataSource: source, metrics: metrics)
        #expect(grid.columns.map(\.title) == ["c0", "c1"] && grid.state.size == GridSize(width: 0, height: 0))
        grid.frame = TerminalRect(x: 2, y: 1, width: 20, height: 7)
        grid.reload()
        #expect(grid.state.size == GridSize(width: 20, height: 7))
        #expect(
            draw(grid).lines() == [
                "", "  c0        c1", "  ▾ A  2 rows", "  Ada       Ada1", "  Alan      Alan1", "  ▾ B  1 row", "  Bob       Bob1", "",
            ])
        grid.frame = TerminalRect(x: 0, y: 0, width: 24, height: 2)
        #expect(grid.state.size == GridSize(width: 24, height: 2))
        #expect(draw(grid).line(0).trimmed == "c0        c1" && draw(grid).lines().dropFirst(2).allSatisfy(\.isEmpty))
    }

    @Test func `A2, A15: headers use the data source's word for rows`() {
        source.rowNoun = RowNoun("name", "names")
        let grid = controller()
        #expect([1, 4].map { draw(grid).line($0).trimmed } == ["▾ A  2 names", "▾ B  1 name"])
    }

    @Test func `A3: the grid asks the delegate before a change and notifies it afterwards, and a veto leaves no trace`() {
        let grid = controller()
        let actions: [GridAction] = [
            .setSelection(.all), .moveColumn(0, toIndex: 1), .setWidth(0, .fixed(12)), .setCollapsed(section: 1, true),
        ]
        recorder.refuses = true
        let before = grid.state
        for action in actions { #expect(!grid.perform(action)) }
        grid.activateHeader(0)
        #expect(grid.state == before)
        #expect(recorder.log.isEmpty)
        recorder.refuses = false
        for action in actions { #expect(grid.perform(action)) }
        grid.activateHeader(0)
        grid.activateHeader(0)
        #expect(recorder.log == ["selection 1", "move 0 0 1", "resize 0 12", "collapse 1", "sort [\"0+\"]", "sort [\"0-\"]"])
    }

    @Test func `A3, A17: a vetoed drop leaves the dragged column at its origin`() {
        let grid = controller()
        recorder.refuses = true
        for mouse in [
            MouseEvent(.press(.left), x: 2, y: 0), MouseEvent(.drag(.left), x: 20, y: 0), MouseEvent(.release(.left), x: 20, y: 0),
        ] { grid.handle(.mouse(mouse)) }
        #expect(grid.state.drag == nil)
        #expect(grid.state.columns.visible.map(\.id) == [0, 1])
    }

    @Test func `A14, C4: the grid notifies the delegate near the end of the data, and asks it before a pull reloads`() {
        let grid = controller()
        grid.perform(.setLoader(GridLoader()))
        #expect(recorder.log == ["end"])
        grid.perform(.setPull(GridPull(lines: 1)))
        source.groups = [(nil, ["Only"])]
        recorder.refuses = true
        for action: GridAction in [.pull(by: 1), .releasePull, .releasePull] { grid.perform(action) }
        #expect(recorder.log == ["end", "pull"] && grid.state.rows.count == 3)
        recorder.refuses = false
        for action: GridAction in [.pull(by: 1), .releasePull] { grid.perform(action) }
        #expect(grid.state.rows.count == 1 && recorder.log.suffix(2) == ["pull", "end"])
    }

    @Test func `A9, C6, C7: a reload applies the sizes of the delegate, and row headers fit the visible rows`() {
        let grid = controller {
            $0.hasDelegatedRowHeights = true; $0.fitsRowHeader = true; $0.maximumTitleLines = 2
        }
        grid.perform(.setWidth(0, .automatic))
        grid.reload()
        #expect(grid.state.layout.itemSpans.map(\.fullHeight) == [1, 1, 2, 3] && grid.state.layout.geometry.widths[0] == 9)
        #expect(grid.state.layout.rowHeaderWidth == 4 && grid.state.layout.titleLines == 1)
        var column = grid.state.columns[1]
        column.title = "a title of two"
        grid.perform(.updateColumn(column))
        #expect(grid.state.layout.titleLines == 2)
    }

    @Test func `the grid handles its own keys and clicks, and leaves the others to the host`() {
        let grid = controller()
        #expect(grid.handle(.key(KeyPress(.down))))
        #expect(grid.state.cursor.row == 0)
        #expect(grid.handle(.key(KeyPress(.enter))))
        #expect(recorder.log == ["activate 0 0"])
        #expect(!grid.handle(.key(KeyPress(.character("q")))))
        #expect(!grid.handle(.mouse(MouseEvent(.press(.left), x: 30, y: 2))))
        #expect(grid.handle(.mouse(MouseEvent(.press(.left), x: 12, y: 3))))
        grid.handle(.mouse(MouseEvent(.release(.left), x: 12, y: 3)))
        #expect(grid.state.cursor == GridCursor(item: .row(1), column: 1))
        grid.handle(.key(KeyPress(.up)))
        grid.handle(.key(KeyPress(.up)))
        #expect(grid.state.cursor.item == .header(0))
        grid.handle(.key(KeyPress(.left)))
        #expect(grid.state.isCollapsed(section: 0))
        grid.handle(.key(KeyPress(.right, .alt)))
        #expect(grid.state.columns.visible.map(\.id) == [0, 1])
        grid.handle(.key(KeyPress(.left, .alt)))
        #expect(grid.state.columns.visible.map(\.id) == [1, 0] && grid.state.cursor.column == 0)
    }

    @Test func `the application draws two grids and the text around them, and sends each event to the right grid`() throws {
        let other = Contacts([(nil, ["日本語日本語", "\u{1B}[31m"])])
        let (left, right) = (controller(), GridController(columns: Self.columns(), dataSource: other, metrics: .threeHeaderLines))
        right.configure {
            $0.metrics.headerHeight = 1; $0.metrics.showsScrollBar = false
        }
        right.reload()
        let backend = RecordingBackend(size: TerminalSize(columns: 44, rows: 8))
        let application = GridApplication(on: backend)
        application.drawBackground = { buffer in for y in 0..<8 { buffer.write(String(repeating: "#", count: 44), x: 0, y: y) } }
        application.add(left) { TerminalRect(x: 1, y: 1, width: 18, height: $0.rows - 2) }
        application.add(right) { TerminalRect(x: 21, y: 2, width: 18, height: $0.rows - 4) }
        try application.start()
        #expect(
            backend.lines.joined(separator: "\n") == """
                ############################################
                #c0        c1      #########################
                #▾ A  2 rows       ##c0        c1      #####
                #Ada       Ada1    ##日本語 …  日本語 …#####
                #Alan      Alan1   ##␛[31m     ␛[31m1  #####
                #▾ B  1 row        ##                  #####
                #Bob       Bob1    #########################
                ############################################
                """)
        #expect(application.focused === left)
        backend.events = [.mouse(MouseEvent(.press(.left), x: 31, y: 4)), .mouse(MouseEvent(.release(.left), x: 31, y: 4))]
        application.turn()
        #expect(application.focused === right)
        #expect(right.state.cursor == GridCursor(item: .row(1), column: 1))
        backend.press(KeyPress(.function(6)), KeyPress(.down))
        application.turn()
        #expect(application.focused === left)
        #expect(left.state.cursor.item == .row(0))
        let count = backend.frames.count
        application.turn()
        #expect(backend.frames.count == count, "no change, no drawing")
    }

    @Test func `the event loop handles posted work, timers, resizes and quit keys, and blocks when idle`() throws {
        let grid = controller()
        let backend = RecordingBackend(size: TerminalSize(columns: 24, rows: 8))
        let application = GridApplication(on: backend)
        application.add(grid)
        var ticks = 0
        application.mailbox.post { ticks += 10 }
        let timer = application.addTimer(interval: .zero) {
            ticks += 1
            if ticks >= 12 { backend.press(KeyPress(.character("q"))) }
        }
        #expect(backend.wakeCount == 1)
        backend.size = TerminalSize(columns: 30, rows: 5)
        #expect(try application.run() == 0)
        #expect(ticks == 12)
        #expect(grid.frame == TerminalRect(x: 0, y: 0, width: 30, height: 5))
        timer.cancel()
        #expect(!backend.isStarted)
        let idle = RecordingBackend(size: TerminalSize(columns: 24, rows: 8))
        idle.press(KeyPress(.character("q"), .control))
        #expect(try GridApplication.run(grid, on: idle) == 0)
        #expect(idle.waitTimeouts == [nil])
        idle.pendingSignal = 15
        #expect(try GridApplication.run(grid, on: idle) == 143)
    }

    /// Provides its own row order when asked to sort.
    private final class ReversedSource: GridDataSource {
        var rowOrder: RowOrder?
        func numberOfRows(inSection section: Int) -> Int { 4 }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("\(row.rawValue)") }
        func sort(by keys: [ColumnSort]) { rowOrder = keys.isEmpty ? nil : .permuted(RowPermutation([3, 2, 1, 0])) }
    }

    @Test func `A2, A19: a source can sort its rows and give the grid their order, and the selection is kept`() {
        let source = ReversedSource()
        let grid = GridController(columns: Self.columns(), dataSource: source, metrics: .threeHeaderLines)
        grid.reload()
        grid.perform(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1, columns: nil)])))
        grid.activateHeader(0)
        #expect((0..<4).map { grid.state.rows[$0] } == [3, 2, 1, 0] && grid.state.selectedRows() == [0])
        grid.perform(.setSort([]))
        #expect((0..<4).map { grid.state.rows[$0] } == [0, 1, 2, 3] && grid.state.selectedRows() == [0])
        // A source that does not sort leaves the host's order unchanged.
        source.rowOrder = nil
        let plain = GridController(columns: Self.columns(), dataSource: Contacts([(nil, ["a", "b"])]), metrics: .threeHeaderLines)
        plain.reload()
        plain.perform(.setRows(.permuted(RowPermutation([1, 0]))))
        plain.activateHeader(0)
        #expect(plain.state.rows[0] == 1)
    }

    @Test func `A5: the grid applies the preset for the terminal unless another theme is set, and keeps style classes`() throws {
        let (grid, own) = (controller(), controller())
        grid.perform(.setClass("late", ThemeClass(normal: CellStyle(traits: .bold))))
        own.perform(.setTheme(.contrast))
        let backend = RecordingBackend(size: TerminalSize(columns: 24, rows: 8))
        let application = GridApplication(on: backend)
        application.add(grid)
        application.add(own)
        try application.start()
        #expect(grid.state.theme.name == Theme.dark.name)
        backend.events = [.background(TerminalColor(red: 255, green: 255, blue: 240))]
        application.turn()
        #expect(application.colors == TerminalColors(isLight: true))
        #expect(grid.state.theme.name == Theme.light.name && grid.state.theme.classes["late"] != nil)
        #expect(own.state.theme == .contrast)
        let late = controller()
        application.add(late)
        #expect(late.state.theme.name == Theme.light.name)
        backend.events = [.background(.terminalDefault)]
        application.turn()
        #expect(application.colors.isLight, "a default color tells nothing")
        backend.events = [.background(TerminalColor(red: 0, green: 0, blue: 0))]
        application.turn()
        #expect(grid.state.theme.name == Theme.dark.name && late.state.theme == .dark)

        let few = GridApplication(on: RecordingBackend(capabilities: TerminalCapabilities(colorDepth: .none)))
        let plain = controller()
        few.add(plain)
        try few.start()
        #expect(plain.state.theme.name == Theme.plain.name)
    }

    @Test func `B1: on a terminal without Unicode, cells are drawn in ASCII`() throws {
        func line(_ showsUnicode: Bool) throws -> String {
            let source = RecordingSource("a")
            source.accessories = [0: .disclosure]
            let grid = GridController(
                columns: [Column(id: 0, title: "a", width: .fixed(4))], dataSource: source, metrics: .threeHeaderLines)
            grid.configure { $0.metrics.showsAccessories = true }
            let backend = RecordingBackend(size: TerminalSize(columns: 24, rows: 8))
            backend.showsUnicode = showsUnicode
            let application = GridApplication(on: backend)
            application.add(grid)
            grid.reload()
            try application.start()
            if !showsUnicode {
                #expect(grid.glyphs == .ascii)
                grid.glyphs = .unicode
                #expect(grid.needsDisplay)
                grid.glyphs = .ascii
            }
            return try #require(backend.lines.first { $0.hasPrefix("a  ") && $0.contains { $0 == "›" || $0 == ">" } })
        }
        #expect(try line(true).contains("›"))
        #expect(try line(false).contains(">"))
    }

    @Test func `the same grid runs on a byte-stream backend`() throws {
        var written: [UInt8] = []
        var typed = [Array("\u{1B}[B".utf8), Array("q".utf8)]
        let backend = AnsiBackend(
            size: TerminalSize(columns: 24, rows: 8), read: { _ in typed.isEmpty ? [] : typed.removeFirst() }, write: { written += $0 })
        let grid = controller()
        #expect(try GridApplication.run(grid, on: backend) == 0)
        #expect(grid.state.cursor.item == .row(0))
        #expect(String(decoding: written, as: UTF8.self).contains("Ada"))
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
