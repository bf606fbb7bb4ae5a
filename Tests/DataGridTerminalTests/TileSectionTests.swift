import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Section headers over cards and between transposed rows.
@MainActor
@Suite struct TileSectionTests {
    private let source = TableSource("1|BUY|12.5\n2|BUY|1234.25\n4|SELL|.5")
    private let tree = SectionTree(
        [Section(title: "Energy", rows: 0..<2), Section(title: "Metal", rows: 2..<3)], columns: [1],
        aggregates: [Aggregate(.sum, of: 0), Aggregate(.mean, of: 2), Aggregate(.max, of: 2)], aggregateValues: [3, 12.345, 99, 4, .nan, 5])

    private func state(_ width: Int, _ height: Int, _ presentation: GridPresentation, header: Int = 0) -> GridState {
        let state = grid("id:7:i side:9 price:16:d2", rows: 3, frame: (width, height), tree: tree) {
            $0.rowHeaderWidth = header
            $0.cards.spacing.height = 0
        }
        return state.after(.setPresentation(presentation))
    }

    @Test("A15, C5: over cards, aggregates follow the count with their column titles, as space permits")
    func cards() {
        func headers(_ width: Int) -> [String] {
            paint(state(width, 11, .cards), source).lines().filter { $0.hasPrefix("▾") }
        }
        #expect(headers(60) == ["▾ Energy  2 rows  id sum 3  price mean 12.35  max 99.00", "▾ Metal  1 row  id sum 4  price max 5.00"])
        #expect(headers(46) == ["▾ Energy  2 rows  id sum 3  price mean 12.35", "▾ Metal  1 row  id sum 4  price max 5.00"])
        #expect(headers(25) == ["▾ Energy  2 rows", "▾ Metal  1 row  id sum 4"])
    }

    @Test("A15, C1: between transposed rows, aggregates are in the lines of their columns, and the count where there is room")
    func across() {
        #expect(
            paint(state(70, 4, .transposed, header: 4), source).text == """
                                         1                 2                 1 row   ›
                id     ▾ Energy  2 rows  1                 2                 ▾ Metal
                side   │                 BUY               BUY               │
                price  │ mean 12.35      12.5              1,234.25          │max 5.00
                """)
        var narrow = state(40, 4, .transposed, header: 4)
        for id in 0..<3 { narrow = narrow.after(.setWidth(ColumnID(id), .fixed(9))) }
        #expect(
            paint(narrow, source).text == """
                       2 rows     1          2         ›
                id     ▾ Energy   1          2
                side   │          BUY        BUY
                price  │ 12.35    12.5       1,234.25
                """)
    }

    @Test("A15, C1: the current section's header stays before its rows, after frozen rows, until the next one replaces it")
    func sticking() {
        let nested = SectionTree([
            Section(level: 0, title: "Goods", rows: 0..<3), Section(level: 1, title: "Energy", rows: 0..<2),
            Section(level: 1, title: "Metal", rows: 2..<3),
        ])
        var state = grid("id:8:i side:9", rows: 3, frame: (48, 2), tree: nested).after(.setPresentation(.transposed), .move(.row(1)))
        func lines(_ state: GridState) -> [String] { paint(state, source).lines() }
        #expect(lines(state) == ["id   ›▾ Goods    ▾ Energy   1          2", "side  │          │          BUY        BUY"])
        state = state.after(.move(.row(2)))
        let buffer = paint(state, source)
        #expect(buffer.lines() == ["id   ‹▾ Goods    ▾ Metal    4", "side  │          │          SELL"])
        #expect(buffer[8, 0].style == Theme.dark.stuckSectionHeader.textStyle)
        #expect(state.layout.tiles.map(\.pane) == [.stuck, .scrolling, .scrolling])
        #expect(state.layout.hit(GridPoint(x: 6, y: 0)) == .sectionHeader(0, onToggle: true))
        #expect(lines(state.after(.freeze(FrozenPanes(rows: 1)))).first == "id   ‹▾ Goods  ┃ ▾ Metal    4")
        // A row always has room beside the headers.
        #expect(lines(state.after(.resize(GridSize(width: 30, height: 2)))).first == "id   ‹▾ Goods    4")
        #expect(lines(state.after(.resize(GridSize(width: 20, height: 2)))).first == "id   ‹4")
    }

    @Test("A15, C1: styles a section header by the delegate")
    func style() {
        let delegate = StyleDelegate()
        delegate.headers[1] = CellStyle(foreground: Color(0x123456))
        let buffer = paint(state(70, 4, .transposed, header: 4).after(.move(.bottom)), source, delegate: delegate)
        let x = Array(buffer.line(1)).firstIndex(of: "▾")!
        #expect(buffer[x, 1].style.foreground == TerminalColor(red: 0x12, green: 0x34, blue: 0x56))
    }

    private final class Moving: GridDataSource {
        func numberOfRows(inSection section: Int) -> Int { 3 }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("x") }
        func scrollingTitle(ofSection section: Int) -> String? { "moving part" }
    }

    private func lines(_ state: GridState) -> [String] {
        let source = Moving()
        var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
        GridPainter(state, source: source).paint(on: &buffer)
        return buffer.lines()
    }

    @Test("A15, A2, C5: over cards, the moving title follows the name, whatever columns are frozen")
    func movingOverCards() {
        for panes in [FrozenPanes(), FrozenPanes(leading: 1, trailing: 1), FrozenPanes(leading: 2)] {
            #expect(lines(state(60, 11, .cards).after(.freeze(panes)))[0].hasPrefix("▾ Energy  2 rows  moving part  id sum 3"), "\(panes)")
        }
    }

    @Test("A15, A2, C1: in a transposed table, the moving title follows the name and count, or uses the next free line")
    func movingAcross() {
        let wide = state(99, 4, .transposed, header: 4).after(.setTransposedRowWidth(30))
        #expect(lines(wide)[1].hasPrefix("id     ▾ Energy  2 rows  moving part"))
        let narrow = lines(state(70, 4, .transposed, header: 4))
        #expect(narrow[1].hasPrefix("id     ▾ Energy  2 rows  x") && narrow[2].hasPrefix("side   │ moving part     x"))
    }

    @Test("A15, C1: in a transposed table, a narrow header drops the gap before an aggregate first, then its name")
    func narrowAggregates() {
        let tree = SectionTree([Section(title: "E", rows: 0..<3)], aggregates: [Aggregate(.sum, of: 1)], aggregateValues: [123456])
        func aggregate(_ width: Int) -> String {
            let state = grid("id:2 n:2:i", rows: 3, frame: (40, 3), tree: tree).after(
                .setPresentation(.transposed), .setTransposedRowWidth(width))
            return String(paint(state, source).line(1).dropFirst(state.layout.titleWidth).prefix(width))
        }
        #expect(
            [13, 12, 9, 8, 7, 6].map(aggregate)
                == ["│ sum 123,456", "│sum 123,456", "│ 123,456", "│123,456", "123,456", "│     "].map { $0 })
    }
}
