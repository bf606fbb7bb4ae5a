import DataGrid
import DataGridTerminal
import Testing

@testable import TerminalSurface

private func ground(_ hex: UInt32, alpha: UInt8 = 255) -> CellStyle { CellStyle(background: Color(hex, alpha: alpha)) }

@MainActor
@Suite struct LayerTests {
    private let source = RecordingSource("a|b|c\nd|e|f")

    private func state(blending: Bool = true, _ change: (inout Theme) -> Void = { _ in }) -> GridState {
        var theme = Theme(name: "bare", ground: CellStyle(foreground: Color(0xffffff), background: Color(0x000000)))
        change(&theme)
        var state = grid("a:2 b:2 c:2", rows: 2, frame: (12, 3), theme: theme)
        state.blendsStyles = blending
        return state.after(.moveCursor(GridCursor(item: .row(1), column: 2)))
    }

    private func backgrounds(_ buffer: CellBuffer, _ xs: Range<Int>, y: Int = 1) -> [UInt32] {
        xs.map { buffer[$0, y].style.background.rawValue & 0xFFFFFF }
    }

    @Test func `A4: each trait of a grid style is the attribute of the same name on a terminal`() {
        let pairs: [(TextTraits, TextAttributes)] = [
            (.bold, .bold), (.dim, .dim), (.italic, .italic), (.underline, .underline), (.reverse, .reverse),
            (.strikethrough, .strikethrough),
        ]
        for (traits, attributes) in pairs { #expect(CellStyle(traits: traits).textStyle.attributes == attributes) }
        let style = CellStyle(foreground: Color(0x010203), background: Color(0x040506), traits: [.bold, .underline]).textStyle
        #expect(style.foreground == TerminalColor(red: 1, green: 2, blue: 3))
        #expect(style.background == TerminalColor(red: 4, green: 5, blue: 6))
        #expect(style.attributes == [.bold, .underline])
        #expect(CellStyle().textStyle == .plain)
    }

    @Test func `A4: the delegate's column style overrides the column's own, and is requested once per frame`() {
        let delegate = StyleDelegate()
        delegate.columns = [0: ground(1), 1: ground(2, alpha: 0)]
        var state = state()
        var column = state.columns[1]
        column.style = ground(3)
        state = state.after(.updateColumn(column))
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == [1, 1, 0, 0, 3, 3, 0, 0])
        #expect(delegate.requestedColumns == [0, 1, 2])
        delegate.rows[0] = ground(9)
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == [9, 9, 9, 9, 9, 9, 9, 9])
    }

    @Test(arguments: [true, false]) func `A4: style layers blend, or the topmost color wins`(isOn: Bool) {
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
        let ruled = paint(state.after(.setMetrics(metrics)), source)
        #expect(backgrounds(ruled, 1..<3) == [mixed(0x400000), mixed(0x400000)] && ruled[5, 1].text == "│")
        #expect(backgrounds(ruled, 5..<6) == [mixed(0x400000)])
        let tree = SectionTree([Section(title: "x", rows: 0..<2)])
        let sections = paint(
            state.after(.setRows(.natural(count: 2), tree: tree), .moveCursor(GridCursor(item: .row(0), column: 2))), source)
        #expect(backgrounds(sections, 0..<1) == [mixed(0x400000)])
    }

    /// Light and dark, strong and weak colors, and the colors of the presets.
    private static let grounds: [UInt32] = [
        0x000000, 0x1c1c1c, 0x303030, 0x585858, 0x777777, 0x9e9e9e, 0xb2b2b2, 0xe4e4e4, 0xffffff, 0xff0000, 0x00ff00, 0x0000ff, 0xffff00,
        0x00ffff, 0xff00ff, 0x800000, 0x008000, 0x000080, 0x808000, 0xd7af5f, 0x5f87af, 0x3a6ea5, 0x5fafff, 0x005faf, 0x87d787, 0xff8787,
        0x124a22, 0xffdada, 0xb8dcff, 0x00415f, 0xffaf00, 0x4c2f6f,
    ]

    @Test(
        arguments: ["dark", "light", "contrast"], [true, false])
    func `A4, A5: the text under the cursor is legible on every background, at every color depth`(name: String, blending: Bool) throws {
        let theme = try #require(Theme.presets.first { $0.name == name })
        var bare = grid("a:2 b:2 c:2", rows: 2, frame: (12, 3), theme: theme)
        bare.blendsStyles = blending
        let unstyled = paint(bare, source)[0, 1].style
        #expect(unstyled.attributes.contains(.reverse))
        for ground in Self.grounds.map({ Color($0) }) {
            for alpha: UInt8 in [255, 128] {
                let style = CellStyle(background: Color(red: ground.red, green: ground.green, blue: ground.blue, alpha: alpha))
                var ofColumn = bare
                var column = bare.columns[0]
                column.style = style
                ofColumn = ofColumn.after(.updateColumn(column))
                let ofRows = bare.after(.setStyle(.row, style))
                let (ofRow, ofCell) = (StyleDelegate(), StyleDelegate())
                ofRow.rows[0] = style
                ofCell.cells[[0, 0]] = CellStyle(foreground: ground, background: style.background)
                let pictures = [
                    paint(ofColumn, source), paint(bare, source, delegate: ofRow), paint(bare, source, delegate: ofCell),
                    paint(ofColumn.after(.setSelected(0, true)), source), paint(ofRows, source),
                ]
                for (index, drawn) in pictures.map({ $0[0, 1].style }).enumerated() {
                    for depth in [ColorDepth.trueColor, .indexed256, .ansi16] {
                        let (text, behind) = shownColors(of: drawn, depth, theme)
                        // With 16 colors, the terminal chooses the cursor's colors. A background must not make them less readable.
                        let own = shownColors(of: unstyled, depth, theme)
                        let minimum = depth == .ansi16 ? min(4.5, own.text.contrast(with: own.ground)) : 4.5
                        #expect(text.contrast(with: behind) >= minimum, "\(ground), picture \(index), \(depth)")
                    }
                    // The background of a row covers the background of the terminal.
                    if index < 4 { #expect(drawn.background == unstyled.background && drawn.foreground == unstyled.foreground) }
                }
            }
        }
    }

    @Test func `A4: a cursor style with only a background gets a legible text color; one with both colors keeps both`() {
        let delegate = StyleDelegate()
        delegate.cells[[1, 2]] = CellStyle(foreground: Color(0xffd75f))
        func cursor(_ style: CellStyle) -> TextStyle { paint(state { $0.cursor = style }, source, delegate: delegate)[8, 2].style }
        #expect(cursor(CellStyle(background: Color(0xffaf5f))) == CellStyle(foreground: Color(0), background: Color(0xffaf5f)).textStyle)
        let both = CellStyle(foreground: Color(0xffaf00), background: Color(0xffaf5f))
        #expect(cursor(both) == both.textStyle)
        #expect(cursor(CellStyle(traits: .reverse)) == CellStyle(foreground: Color(0xffd75f), traits: .reverse).textStyle)
    }

    @Test func `A4: gaps in a selection have the row's layers and those common to both neighbors`() {
        let delegate = StyleDelegate()
        delegate.rows[0] = ground(0x800000)
        delegate.columns = [0: ground(0x000080), 1: ground(0x000080)]
        let state = state { $0.selection = ground(0, alpha: 0) }
            .after(.setSelection(Selection(blocks: [SelectionBlock(rows: 0..<2, columns: [0, 1, 2])])))
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == Array(repeating: 0x800000, count: 8))
        delegate.rows = [:]
        #expect(backgrounds(paint(state, source, delegate: delegate), 0..<8) == [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0])
    }

    @Test func `B7: a row or cell names a style class, and the theme has its normal and selected styles`() {
        let source = RecordingSource { row, column in
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

    @Test func `B7: a style class covers the delegate's row style and lies below the delegate's cell style`() {
        let source = RecordingSource { _, column in CellContent("x", styleClass: column == 0 ? "own" : nil) }
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
