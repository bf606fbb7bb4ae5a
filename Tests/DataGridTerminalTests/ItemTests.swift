import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface
import Testing

@MainActor
@Suite struct ItemTests {
    /// The lines of a column with these items, one per row.
    private func lines(
        _ items: [CellItem], width: Int, frame: Int? = nil, glyphs: GlyphSet = .unicode, scroll: Int = 0,
        _ change: (inout Column) -> Void = { _ in }
    ) -> [String] {
        Array(buffer(items, width: width, frame: frame, glyphs: glyphs, scroll: scroll, change).lines().dropFirst())
    }

    private func buffer(
        _ items: [CellItem], width: Int, frame: Int? = nil, glyphs: GlyphSet = .unicode, scroll: Int = 0, theme: Theme = .dark,
        _ change: (inout Column) -> Void = { _ in }
    ) -> CellBuffer {
        var state = grid("a:\(width)", rows: items.count, frame: (frame ?? width, items.count + 1), theme: theme)
        var column = state.columns[0]
        change(&column)
        // The cursor has its own style, so it is moved to the last row.
        state = state.after(.updateColumn(column), .moveCursor(GridCursor(item: .row(items.count - 1))))
        if scroll > 0 {
            state = state.after(.pointerDown(GridPoint(x: 9, y: 1), PointerPress(.middle)), .pointerMoved(GridPoint(x: 9 - scroll, y: 1)))
        }
        let source = RecordingSource { row, _ in CellContent(items[row.rawValue]) }
        var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
        GridPainter(state, source: source, glyphs: glyphs).paint(on: &buffer)
        return buffer
    }

    @Test func `B1: numbers are shown in the format of their column, with aligned decimal points`() {
        let items: [CellItem] = [.number(1234.5), .number(-0.25), .integer(7), .number(1e9), .number(.nan), .integer(.min)]
        #expect(
            lines(items, width: 26) {
                $0.kind = .decimal
                $0.format = ValueFormat(alignedFractionDigits: 2)
            } == [
                "                  1,234.5", "                     -0.25", "                      7", "          1,000,000,000",
                "                       NaN", "-9,223,372,036,854,775,808",
            ])
        #expect(
            lines(Array(items.prefix(4)), width: 14) {
                $0.kind = .decimal
                $0.format = ValueFormat(fractionDigits: 1...1, groupsThousands: false)
            } == ["        1234.5", "          -0.3", "           7", "  1000000000.0"])
        #expect(
            lines([.number(1234.5), .integer(-1_000_000)], width: 12) {
                $0.kind = .decimal
                $0.notation = .comma
                $0.format.alignedFractionDigits = 1
            } == ["     1.234,5", "-1.000.000"])
        #expect(lines([.number(2)], width: 5) == ["2"], "the column sets the alignment")
    }

    @Test func `B1, A20: a mark replaces a number that is not completely visible; blanks after it may be cut`() {
        #expect(lines([.integer(123_456), .integer(12)], width: 5) { $0.kind = .integer } == ["    …", "   12"])
        let texts = RecordingSource("98765\n98765 EUR\nn/a, unknown\n?98765")
        #expect(
            paint(grid("a:5:i", rows: 4, frame: (5, 5)), texts).lines().dropFirst() == ["    …", "9876…", "n/a,…", "98765"],
            "only numbers are replaced")
        #expect(lines([.integer(123_456), .integer(1)], width: 5) { ($0.kind, $0.alignment) = (.integer, .leading) }[0] == "…")
        #expect(lines([.integer(1_234), .integer(1)], width: 9, frame: 5) { $0.kind = .integer }[0] == "    …", "the frame cuts it")
        let decimal = lines([.number(1.5), .number(12.25), .integer(1)], width: 3) {
            ($0.kind, $0.format) = (.decimal, ValueFormat(alignedFractionDigits: 2))
        }
        #expect(decimal.prefix(2) == ["1.5", "  …"])
        let rows = RecordingSource { _, _ in CellContent("x") }
        let numbered = grid("a:2", rows: 1_000, frame: (8, 3)) { $0.rowHeaderWidth = 4 }
        let bottom = numbered.after(.move(.bottom))
        #expect(paint(numbered, rows).line(1).hasPrefix(" 1│") && paint(bottom, rows).line(1).hasPrefix(" …│"))
        #expect(lines([.bar(DataBar(1, text: "1,234")), .text], width: 4) { $0.alignment = .center }[0].contains("…"))
    }

    @Test func `B1: dates, times and flags are shown in their format, which may contain a date pattern`() {
        let moment = CellItem.dateTime(microseconds: 1_700_000_000_000_000, .dateTime)
        #expect(
            lines([moment, .dateTime(microseconds: 0, .date), .flag(true), .flag(false)], width: 19) == [
                "2023-11-14 22:13:20", "1970-01-01", "✓", "✗",
            ])
        #expect(lines([moment], width: 19) { $0.format.datePattern = "HH:mm 'on' d MMM" } == ["22:13 on 14 Nov"])
        var column = Column(id: 0, title: "t", kind: .dateTime)
        column.format.datePattern = "dd.MM.yy"
        #expect(ValueText.display(CellContent("2024-03-01T10:00:00Z"), in: column) == "01.03.24")
        #expect(ValueText.display(CellContent("soon"), in: column) == "soon")
    }

    @Test func `B1: an icon has its own style, and ASCII text replaces it if necessary`() {
        let green = CellStyle(foreground: Color(0x00ff00))
        let icons: [CellItem] = [
            .icon(Icon("●", fallback: "(on)", name: "online", style: green)), .icon(Icon("日本", fallback: "JP")),
            .icon(Icon("\u{1B}x", fallback: "!")),
        ]
        #expect(lines(icons, width: 6) { $0.alignment = .center } == ["  ●", " 日本", "  ␛x"])
        #expect(lines(icons, width: 6, glyphs: .ascii) { $0.alignment = .trailing } == ["  (on)", "    JP", "     !"])
        #expect(lines(icons, width: 3) == ["●", "日…", "␛x"])
        let painted = buffer(icons, width: 6)
        #expect(painted[0, 1].style == green.textStyle)
        #expect(painted[0, 3].style == Theme.dark.cursor.textStyle)
        #expect(CellContent(.icon(Icon("●", fallback: "o", name: "online"))).text == "online")
    }

    @Test(
        arguments: [
            (0, ""), (1, "████████"), (0.5, "████"), (0.515625, "████▏"), (0.984375, "███████▉"), (0.001, "▏"), (2, "████████"),
            (.nan, ""), (.infinity, "████████"),
        ] as [(Double, String)])
    func `B1: a bar has the length of its number, in eighths of a cell`(fraction: Double, picture: String) {
        #expect(lines([.bar(DataBar(fraction)), .text], width: 8)[0] == picture)
    }

    @Test func `B1: the bar of a negative number extends to the left of zero and ends in a reversed partial cell`() {
        let items = [-1, -0.5, -0.28125, 0.28125, 1].map { CellItem.bar(DataBar($0, isSigned: true)) } + [.text]
        let picture = buffer(items, width: 8)
        #expect(picture.lines()[1...5] == ["████", "  ██", "  ▉█", "    █▏", "    ████"])
        #expect(picture[2, 3].style.attributes == .reverse && picture[3, 3].style.attributes == [])
        #expect(picture[3, 3].style.foreground == Theme.dark.negativeDataBar.textStyle.foreground)
        #expect(picture[4, 4].style.foreground == Theme.dark.dataBar.textStyle.foreground)
        #expect(lines(items, width: 8, glyphs: .ascii).prefix(5) == ["####", "  ##", "   #", "    #", "    ####"])
    }

    @Test func `B1: the text of a bar is drawn over the bar, on its color where they overlap, or next to the bar`() {
        let items: [CellItem] = [.bar(DataBar(0.5, text: "50 %")), .bar(DataBar(0.75, text: "日本語")), .text]
        let painted = buffer(items, width: 8) { $0.alignment = .center }
        #expect(painted.lines()[1...2] == ["██50 %", "█日本語"])
        let bar = Theme.dark.dataBar.foreground!
        let onBar = CellStyle(foreground: Theme.dark.ground.background, background: bar).textStyle
        #expect((0..<8).map { painted[$0, 1].style == onBar } == [false, false, true, true, false, false, false, false])
        #expect(painted[4, 1].style == .plain)
        let beside: [CellItem] = [0.5, 1].map { .bar(DataBar($0, text: $0 == 1 ? "100 %" : "50 %", textPosition: .beside, textWidth: 5)) }
        #expect(lines(beside + [.text], width: 14).prefix(2) == ["████      50 %", "████████ 100 %"])
        #expect(lines([.bar(DataBar(1, text: "100 %", textPosition: .beside))], width: 4) == ["   …"])
    }

    @Test func `B1: a bar and a chart keep their positions when clipped on either side`() {
        let bar = CellItem.bar(DataBar(0.5))
        #expect(lines([bar, bar], width: 40, frame: 12) == ["████████████", "████████████"])
        #expect(lines([bar, bar], width: 40, frame: 12, scroll: 15) == ["█████", "█████"])
        let line = CellItem.sparkline(Sparkline((0..<40).map(Double.init)))
        #expect(lines([line, line], width: 40, frame: 10) == ["▁▁▁▂▂▂▂▂▂…", "▁▁▁▂▂▂▂▂▂…"])
        #expect(lines([line, line], width: 40, frame: 10, scroll: 30) == ["…▇▇▇▇▇▇███", "…▇▇▇▇▇▇███"])
    }

    @Test(
        arguments: [
            ([1, 2, 3, 4, 5, 6, 7, 8], "▁▂▃▄▅▆▇█"), ([], ""), ([5], "▄"), ([3, 3, 3], "▄▄▄"), ([1, .nan, 2, .infinity], "▁ █"),
            ([-1e308, 1e308], "▁█"), (Array(0..<160).map { Double($0 / 10) }, "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██"),
        ] as [([Double], String)])
    func `B1: a chart is scaled from its minimum to its maximum`(values: [Double], picture: String) {
        #expect(lines([.sparkline(Sparkline(values)), .text], width: 16)[0] == picture)
    }

    @Test func `B1: a chart is drawn with a given range, at the alignment of its column, and in ASCII`() {
        let items: [CellItem] = [.sparkline(Sparkline([0, 5, 20], range: 0...10)), .text]
        #expect(lines(items, width: 6) { $0.alignment = .trailing }[0] == "   ▁▅█")
        #expect(lines(items, width: 6, glyphs: .ascii)[0] == "_=#")
        #expect(buffer(items, width: 6)[0, 1].style == Theme.dark.sparkline.textStyle)
    }

    @Test func `B1: a header shows an icon before its title, and text, a bar or a chart below it`() {
        var state = grid("name:9 amount:9:i", rows: 1, frame: (20, 22)).after(.setSort([ColumnSort(1)]))
        func set(_ index: Int, _ item: CellContent?, accessory: Accessory = .none) {
            var column = state.columns[index]
            column.headerItem = item
            column.accessory = accessory
            state = state.after(.updateColumn(column))
        }
        let source = RecordingSource("x|1")
        set(0, CellContent(.icon(Icon("♦", fallback: "*", style: CellStyle(foreground: Color(0xff0000, alpha: 9))))))
        set(1, CellContent(.sparkline(Sparkline([1, 2, 3, 4, 5, 6, 7, 8]))))
        var picture = paint(state, source)
        #expect(picture.lines().prefix(2) == ["♦ name      amount ▲", "text        ▁▂▃▄▅▆▇█"])
        #expect(picture[0, 0].style.foreground == CellStyle(foreground: Color(0xff0000)).textStyle.foreground, "a header never blends")
        #expect(picture[12, 1].style.background == Theme.dark.header.textStyle.background)
        set(0, CellContent("in EUR"), accessory: .disclosure)
        set(1, CellContent(.icon(Icon("♦", fallback: "*"))))
        picture = paint(state, source)
        #expect(picture.line(1) == "in EUR           int" && picture.line(0) == "name    ›  ♦ amount▲")
    }

    @Test func `B1: an item takes one line and has the width of its content`() {
        let column = Column(id: 0, title: "")
        func width(_ item: CellItem) -> Int { ValueText.width(of: CellContent(item), in: column, limit: 30) }
        #expect(width(.icon(Icon("日", fallback: "x"))) == 2)
        #expect(width(.sparkline(Sparkline([1, 2, 3]))) == 3 && width(.sparkline(Sparkline(Array(repeating: 1, count: 99)))) == 30)
        #expect(width(.bar(DataBar(1))) == 8 && width(.bar(DataBar(1, text: "123", textPosition: .beside))) == 12)
        #expect(width(.integer(1_000)) == 5)
        let source = RecordingSource { _, _ in CellContent(.bar(DataBar(1)), text: "words that would be wrapped in lines") }
        var state = grid("a:5", rows: 2, frame: (6, 9)) { $0.hasAutomaticRowHeights = true }
        state.rowHeightSource = ContentHeights(source)
        #expect(state.layout.itemSpans.map(\.height) == [1, 1])
    }

    @Test func `B1: each piece of a text keeps its own style, even if the text is aligned or clipped`() {
        let red = CellStyle(foreground: Color(0xff0000))
        let content = CellItem.styled([TextRun("abc"), TextRun("d\u{1B}", style: red), TextRun("e")])
        #expect(CellContent(content).text == "abcd\u{1B}e")
        func redCells(_ buffer: CellBuffer, y: Int = 1) -> String {
            String((0..<buffer.size.columns).map { buffer[$0, y].style == red.textStyle ? "r" : "." })
        }
        let whole = buffer([content, .text], width: 8)
        #expect(whole.line(1) == "abcd␛e" && redCells(whole) == "...r....", "the mark of the control character has its own style")
        #expect(redCells(buffer([content, .text], width: 8) { $0.alignment = .trailing }) == ".....r..")
        let short = buffer([content, .text], width: 5)
        #expect(short.line(1) == "abcd…" && redCells(short) == "...r.")
        let scrolled = buffer([content, .text], width: 6, frame: 4, scroll: 2)
        #expect(scrolled.line(1) == "…d␛e" && redCells(scrolled) == ".r..")
        let current = buffer([content], width: 8)
        #expect((0..<6).allSatisfy { current[$0, 1].style.foreground != red.textStyle.foreground })
    }

    @Test func `B1, A9: a text of several styled pieces wraps`() {
        let red = CellStyle(foreground: Color(0xff0000))
        let source = RecordingSource { row, _ in row == 0 ? CellContent(.styled([TextRun("ab c"), TextRun("d ef", style: red)])) : .missing
        }
        var state = grid("a:5", rows: 2, frame: (5, 5)) { $0.hasAutomaticRowHeights = true }
        state.rowHeightSource = ContentHeights(source)
        #expect(state.layout.itemSpans.map(\.height) == [2, 1])
        let painted = paint(state.after(.moveCursor(GridCursor(item: .row(1)))), source)
        #expect(painted.lines()[1...2] == ["ab cd", "ef"])
        #expect(painted[3, 1].style == .plain && painted[4, 1].style == red.textStyle && painted[1, 2].style == red.textStyle)
    }

    @Test func `B5: row accessories are drawn in reserved space next to the scroll bar`() {
        let source = RecordingSource("ab\ncd\nef\ngh")
        source.accessories = [0: .disclosure, 1: .checkmark, 2: .detail]
        func state(_ width: Int) -> GridState {
            grid("a:\(width - 3)", rows: 9, frame: (width, 5)) {
                $0.showsAccessories = true
                $0.showsScrollBar = true
            }
        }
        source.rows += Array(repeating: source.rows[0], count: 5)
        #expect(paint(state(9), source).text == "a\nab     ›▐\ncd     ✓\nef     ⓘ\ngh")
        #expect(paint(state(9), source)[7, 1].style == Theme.dark.accessory.textStyle)
        var buffer = CellBuffer(size: TerminalSize(columns: 9, rows: 5))
        GridPainter(state(9), source: source, glyphs: .ascii).paint(on: &buffer)
        #expect((1..<5).map { buffer[7, $0].text } == [">", "x", "i", " "])
    }
}
