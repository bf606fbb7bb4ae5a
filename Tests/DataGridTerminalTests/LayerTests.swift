import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

private func ground(_ hex: UInt32, alpha: UInt8 = 255) -> CellStyle { CellStyle(background: Color(hex, alpha: alpha)) }

@MainActor
@Suite struct LayerTests {
    private let source = TableSource("a|b|c\nd|e|f")

    private func state(blending: Bool = true, _ change: (inout Theme) -> Void = { _ in }) -> GridState {
        var theme = Theme(name: "bare", ground: CellStyle(foreground: Color(0xffffff), background: Color(0x000000)))
        change(&theme)
        var state = grid("a:2 b:2 c:2", rows: 2, frame: (12, 3), theme: theme)
        state.blendsStyles = blending
        return state.after(.place(GridCursor(item: .row(1), column: 2)))
    }

    private func backgrounds(_ buffer: CellBuffer, _ xs: Range<Int>, y: Int = 1) -> [UInt32] {
        xs.map { buffer[$0, y].style.background.rawValue & 0xFFFFFF }
    }

    @Test("A4: the delegate's layer of a column lies over the column's own, and is asked for once a frame")
    func columns() {
        let delegate = StyleDelegate()
        delegate.columns = [0: ground(1), 1: ground(2, alpha: 0)]
        var state = state()
        var column = state.columns[1]
        column.style = ground(3)
        state = state.after(.updateColumn(column))
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == [1, 1, 0, 0, 3, 3, 0, 0])
        #expect(delegate.askedColumns == [0, 1, 2])
        delegate.rows[0] = ground(9)
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == [9, 9, 9, 9, 9, 9, 9, 9])
    }

    @Test("A4: every layer that is drawn blends, or the top colour wins", arguments: [true, false])
    func blending(isOn: Bool) {
        let half = ground(0x00ff00, alpha: 128)
        func mixed(_ beneath: UInt32) -> UInt32 {
            guard isOn else { return 0x00ff00 }
            let color = Color(0x00ff00, alpha: 128).blended(over: Color(beneath))
            return UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
        }
        var state = state(blending: isOn) {
            $0.row = ground(0x400000)
            $0.selection = half
            $0.rowHeader = half
            $0.sectionHeader = half
            $0.scrollBar = half
            $0.gridLine = half
            $0.header = ground(0x000040)
        }
        let picture = paint(state.after(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<1, columns: [0, 1])]))), source)
        #expect(backgrounds(picture, 0..<8) == Array(repeating: mixed(0x400000), count: 6) + [0x400000, 0x400000])
        var column = state.columns[0]
        column.headerStyle = half
        state = state.after(.updateColumn(column))
        #expect(backgrounds(paint(state, source), 0..<4, y: 0) == [0x00ff00, 0x00ff00, 0x40, 0x40], "a header never blends")
        var metrics = state.metrics
        metrics.rowHeaderWidth = 3
        metrics.gridLines = .columns
        let ruled = paint(state.after(.set(metrics: metrics)), source)
        #expect(backgrounds(ruled, 1..<3) == [mixed(0x400000), mixed(0x400000)] && ruled[5, 1].text == "│")
        #expect(backgrounds(ruled, 5..<6) == [mixed(0x400000)])
        let tree = SectionTree([Section(title: "x", rows: 0..<2)])
        let sections = paint(state.after(.setRows(.natural(count: 2), tree: tree), .place(GridCursor(item: .row(0), column: 2))), source)
        #expect(backgrounds(sections, 0..<1) == [mixed(0x400000)])
    }

    @Test("A4: the blanks in a selection have the layers of the row, and those that both neighbours have")
    func joined() {
        let delegate = StyleDelegate()
        delegate.rows[0] = ground(0x800000)
        delegate.columns = [0: ground(0x000080), 1: ground(0x000080)]
        let state = state { $0.selection = ground(0, alpha: 0) }
            .after(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<2, columns: [0, 1, 2])])))
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == Array(repeating: 0x800000, count: 8))
        delegate.rows = [:]
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0])
    }

    @Test("B7: a row or a cell names a class; the theme has its looks, and others where it is selected")
    func classes() {
        let source = TableSource { row, column in
            CellContent("x", styleClass: row == 1 && column == 1 ? "special" : row == 1 && column == 2 ? "unknown" : nil)
        }
        source.classes = [0: "late", 1: "late"]
        let state = state {
            $0.classes["late"] = ThemeClass(normal: ground(1), selected: ground(2))
            $0.classes["special"] = ThemeClass(normal: ground(3), selected: CellStyle(traits: .bold))
            $0.selection = ground(4)
            $0.cursor = CellStyle(traits: .underline)
        }
        let plain = paint(state, source)
        #expect(backgrounds(plain, 0..<10, y: 1) == Array(repeating: 1, count: 10))
        #expect(backgrounds(plain, 0..<10, y: 2) == [1, 1, 1, 1, 3, 3, 1, 1, 1, 1])
        let selected = paint(state.after(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<2, columns: [0, 1])]))), source)
        #expect(backgrounds(selected, 0..<10, y: 1) == [2, 2, 2, 2, 2, 2, 1, 1, 1, 1])
        #expect(selected[0, 2].style.attributes == [] && selected[4, 2].style.attributes == .bold)
        #expect(selected[8, 2].style.attributes == .underline)
    }

    @Test("B7: a class lies over the delegate's row and under the delegate's cell")
    func classOrder() {
        let source = TableSource { _, column in CellContent("x", styleClass: column == 0 ? "own" : nil) }
        source.classes = [0: "late"]
        let delegate = StyleDelegate()
        delegate.rows = [0: ground(8), 1: ground(8)]
        delegate.cells = [[0, 1]: ground(9)]
        let state = state {
            $0.classes = ["late": ThemeClass(normal: ground(1)), "own": ThemeClass(normal: ground(2))]
        }
        let picture = paint(state, source, delegate: delegate)
        #expect(backgrounds(picture, 0..<10, y: 1) == [2, 2, 1, 1, 9, 9, 1, 1, 1, 1])
        #expect(backgrounds(picture, 0..<10, y: 2) == [2, 2, 8, 8, 8, 8, 8, 8, 8, 8])
    }
}
