import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Keys of any grid, and the delegate calls that they cause.
extension InteractionHostTests {
    @Test func `B5, A11: keys that the interaction policies do not use are left to the host`() {
        let grid = open()
        grid.handle(.key(KeyPress(.enter, .alt)))
        #expect(judge.drainLog() == [], "there is no accessory")
        source.accessories = [0: .disclosure, 2: .detail]
        grid.configure { $0.metrics.showsAccessories = true }
        grid.handle(.key(KeyPress(.enter, .alt)))
        click(grid, 19, 3)
        click(grid, 19, 2)
        #expect(judge.drainLog().filter { $0.hasPrefix("acc") } == ["accessory 0", "accessory 2"])
        grid.configure {
            $0.interaction.enter = []
            $0.interaction.space = []
        }
        #expect(!grid.handle(.key(KeyPress(.enter))))
        #expect(!grid.handle(.key(KeyPress(.character(" ")))))
    }

    @Test func `A17: keys move rows only if reordering is allowed, but code always can`() {
        let grid = open()
        #expect(!grid.handle(.key(KeyPress(.down, .alt))) && judge.drainLog() == [])
        #expect(grid.perform(.moveCurrentRows(by: 1)))
        #expect(judge.drainLog().contains("move rows 0 1"))
        grid.configure { $0.interaction.allowsRowReordering = true }
        #expect(grid.handle(.key(KeyPress(.up, .alt))))
        #expect(judge.drainLog().contains("move rows 1 0"))
    }

    private func press(_ grid: GridController, _ keys: KeyPress...) -> [Bool] { keys.map { grid.handle(.key($0)) } }

    @Test func `A10: V and Shift-Space select the row, z~ inverts the selection`() {
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
        var column = grid.columns[0]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        grid.perform(.clearSelection)
        #expect(press(grid, KeyPress(.character("V"))) == [true] && grid.state.editing?.field.string == "V", "the letter is typed")
        grid.cancelEditing()
        #expect(press(grid, KeyPress(.character("z"))) == [true] && grid.state.editing?.field.string == "z")
    }

    @Test func `A3, A10, A15: if typed letters go into cells, keys with Alt select, invert and collapse`() {
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
        #expect(GridInput.help().flatMap(\.entries).contains { $0.keys == "Alt" && $0.text.contains("typing would edit the cell") })
    }

    @Test func `A3: s and S act like clicks on the header, including on cards, and call the delegate`() {
        let grid = open()
        #expect(press(grid, KeyPress(.character("s"))) == [true] && judge.drainLog() == ["header 0", "sort 1"])
        #expect(press(grid, KeyPress(.right), KeyPress(.character("S"))) == [true, true])
        #expect(grid.state.sort == [ColumnSort(0), ColumnSort(1)])
        grid.perform(.setPresentation(.cards))
        #expect(press(grid, KeyPress(.character("s"))) == [true])
        #expect(grid.state.sort == [ColumnSort(1, isDescending: true)])
        _ = judge.drainLog()
        judge.refusesHeaders = true
        #expect(press(grid, KeyPress(.character("s"))) == [true] && judge.drainLog() == [])
        judge.refusesHeaders = false
        var column = grid.columns[1]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        #expect(press(grid, KeyPress(.character("s"), .alt)) == [true] && grid.state.sort.isEmpty && grid.state.editing == nil)
        #expect(press(grid, KeyPress(.character("s"))) == [true] && grid.state.editing?.field.string == "s")
    }

    @Test func `A3, A8, A9: keys narrow, widen, fit, freeze, hide and show columns`() {
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
        _ = judge.drainLog()
        #expect(key("-") && grid.state.columns.visible.map(\.id) == [1] && key("+") && grid.state.columns.visible.map(\.id) == [0, 1])
        #expect(judge.drainLog().filter { $0 == "hide" || $0 == "show" } == ["hide", "show"])
        #expect(!key("+"), "no column is hidden, so the host handles the key")
        grid.perform(.setPresentation(.cards))
        for letter in "<>_f".unicodeScalars { #expect(!key(letter), "these keys have no effect on cards") }
        #expect(key("z") && !key("F") && grid.state.frozen == FrozenPanes(), "frozen columns are not visible on cards")
        #expect(key("z") && key("f") && grid.state.frozen == FrozenPanes(rows: 2) && key("z") && key("f"))
        var fixed = grid.columns[0]
        fixed.isResizable = false
        grid.perform(.setPresentation(.table))
        grid.perform(.updateColumn(fixed))
        grid.perform(.moveCursor(GridCursor(item: .row(0), column: 0)))
        let width = width()
        #expect(key(">") && key("_") && grid.state.layout.columns[0].fullWidth == width)
    }

    @Test func `A3: letters with Ctrl and Alt are left to the host, and no key starts a sequence during editing`() {
        let grid = open()
        for letter in "sS<>_f-+V".unicodeScalars {
            #expect(press(grid, KeyPress(.character(letter), [.control, .alt])) == [false], "\(letter)")
        }
        #expect(grid.state.frozen == FrozenPanes() && judge.drainLog() == [])
        var column = grid.columns[0]
        column.isEditable = true
        grid.perform(.updateColumn(column))
        let z = KeyPress(.character("z"), .alt)
        #expect(GridInput.resolve([z], in: grid.state) == .prefix)
        #expect(grid.beginEditing(row: 0, column: 0) && GridInput.resolve([z], in: grid.state) == .none)
    }

    @Test func `A1: a key unhides the hidden column nearest to the cursor, first after it, then before it`() {
        let grid = GridController(columns: columns("a:4 b:4 c:4 d:4 e:4"), dataSource: source, metrics: .threeHeaderLines)
        for id in [0, 1, 3] as [ColumnID] { grid.perform(.setHidden(id, true)) }
        grid.reload()
        var shown: [[ColumnID]] = []
        for _ in 0..<3 {
            grid.handle(.key(KeyPress(.character("+"))))
            shown.append(grid.state.columns.visible.map(\.id))
        }
        #expect(shown == [[2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]])
    }

    @Test func `A15: zM collapses all sections, and zR expands them`() {
        let grid = open()
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.character("M"))) == [true, false], "there are no sections")
        grid.perform(.setRows(.natural(count: 6), tree: SectionTree((0..<3).map { Section(title: "s\($0)", rows: $0 * 2..<$0 * 2 + 2) })))
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.character("M"))) == [true, true])
        #expect(grid.state.outline.collapsed == [true, true, true])
        #expect(press(grid, KeyPress(.character("z")), KeyPress(.character("R"))) == [true, true])
        #expect(grid.state.outline.collapsed == [false, false, false])
    }
}
