import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Section headers above cards and between transposed rows.
@MainActor
@Suite struct TileSectionTests {
    private let source = RecordingSource("1|BUY|12.5\n2|BUY|1234.25\n4|SELL|.5")
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

    @Test func `A15, C5: above cards, aggregates follow the count with their column titles, as space permits`() {
        func headers(_ width: Int) -> [String] {
            paint(state(width, 11, .cards), source).lines().filter { $0.hasPrefix("▾") }
        }
        #expect(headers(60) == ["▾ Energy  2 rows  id sum 3  price mean 12.35  max 99.00", "▾ Metal  1 row  id sum 4  price max 5.00"])
        #expect(headers(46) == ["▾ Energy  2 rows  id sum 3  price mean 12.35 …", "▾ Metal  1 row  id sum 4  price max 5.00"])
        #expect(headers(23) == ["▾ Energy  2 rows  …", "▾ Metal  1 row  …"])
    }

    @Test func `A15, C1: in a transposed table, the title and aggregates of a section span the rows of the section`() {
        #expect(
            paint(state(70, 6, .transposed, header: 4), source).text == """
                       ▾ Energy  2 rows  id sum 3 …           ▾ Metal  1 row  …
                          1                 2                    3
                id     │  1                 2                 │  4
                side   │  BUY               BUY               │  SELL
                price  │  12.5              1,234.25          │  .5
                       │                                      │
                """)
    }

    @Test func `A15, C1: in a transposed table, a collapsed section has its aggregates in the lines of their columns`() {
        #expect(
            paint(state(70, 6, .transposed, header: 4).after(.setCollapsed(section: 0, true)), source).text == """
                       ▸ Energy  2 rows  ▾ Metal  1 row  id sum 4  price max 5.00
                                            3
                id     │ sum 3           │  4
                side   │                 │  SELL
                price  │ mean 12.35 …    │  .5
                       │                 │
                """)
    }

    @Test func `A15, C1: in a transposed table without rows, collapsed sections share the room or are as wide as rows`() {
        func text(_ count: Int, _ width: Int) -> String {
            let tree = SectionTree(
                (0..<count).map { Section(title: "Energy", rows: $0..<$0 + 1) },
                aggregates: [Aggregate(.mean, of: 1), Aggregate(.max, of: 1)],
                aggregateValues: Array(repeating: [12.345, 99], count: count).flatMap(\.self))
            let state = grid("id:7:i price:\(width):d2", rows: count, frame: (120, 20), tree: tree)
            return paint(state.after(.setPresentation(.transposed), .setAllCollapsed(true)), source).text
        }
        // The titles of three collapsed sections fit next to each other, in more room than rows would have.
        let few = text(3, 12)
        #expect(few.split(separator: "mean 12.35  max 99.00").count == 4 && !few.contains("…"), "\(few)")
        #expect(few.split(separator: "▸ Energy  1 row").count == 4)
        // Nine titles do not fit. Three bands of 28 cells are fully visible.
        let many = text(9, 28)
        #expect(many.split(separator: "mean 12.35  max 99.00").count >= 4, "\(many)")
    }

    @Test func `A15, C1: section titles stay over their rows, after frozen rows, until the next ones replace them`() {
        let nested = SectionTree([
            Section(level: 0, title: "Goods", rows: 0..<3), Section(level: 1, title: "Energy", rows: 0..<2),
            Section(level: 1, title: "Metal", rows: 2..<3),
        ])
        var state = grid("id:8:i side:9", rows: 3, frame: (30, 4), tree: nested).after(.setPresentation(.transposed), .move(.row(2)))
        func lines(_ state: GridState) -> [String] { paint(state, source).lines() }
        let rows = ["id   ‹2          │  4", "side  BUY        │  SELL"]
        #expect(lines(state) == ["      ▾ Goods  3 rows", "      ▾ Energy   ▾ Metal …"] + rows)
        #expect(paint(state, source)[8, 0].style == Theme.dark.stuckSectionHeader.textStyle)
        #expect(state.layout.tiles.map(\.pane) == [.stuck, .stuck, .scrolling, .scrolling, .scrolling])
        #expect(state.layout.hit(GridPoint(x: 6, y: 0)) == .sectionHeader(0, onToggle: true))
        #expect(state.layout.hit(GridPoint(x: 18, y: 1)) == .sectionHeader(2, onToggle: true))
        #expect(state.layout.hit(GridPoint(x: 20, y: 2)) == .cell(row: 2, column: 0))
        state.metrics.hasStickySectionHeaders = false
        #expect(lines(state) == ["", "                 ▾ Metal …"] + rows)
        // Section levels without a separate line have bands as wide as their titles.
        let low = state.after(.resize(GridSize(width: 60, height: 2)))
        #expect(low.layout.sectionLineCount == 1 && low.layout.fields.count == 1)
    }

    @Test func `A15, C1: in a transposed table, the delegate sets the style of a section header`() {
        let delegate = StyleDelegate()
        delegate.headers[1] = CellStyle(foreground: Color(0x123456))
        let buffer = paint(state(70, 4, .transposed, header: 4).after(.move(.bottom)), source, delegate: delegate)
        let x = Array(buffer.line(0)).lastIndex(of: "▾")!
        #expect(buffer[x, 0].style.foreground == TerminalColor(red: 0x12, green: 0x34, blue: 0x56))
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

    @Test func `A15, A2, C5: above cards, the scrolling title follows the name, whatever columns are frozen`() {
        for panes in [FrozenPanes(), FrozenPanes(leading: 1, trailing: 1), FrozenPanes(leading: 2)] {
            #expect(lines(state(60, 11, .cards).after(.freeze(panes)))[0].hasPrefix("▾ Energy  2 rows  moving part  id sum 3"), "\(panes)")
        }
    }

    @Test func `A15, A2, C1: in a transposed table, a scrolling title follows the name, or is in a free line if collapsed`() {
        let wide = state(99, 4, .transposed, header: 4).after(.setTransposedRowWidth(30))
        #expect(lines(wide)[0].hasPrefix("       ▾ Energy  2 rows  moving part"))
        let narrow = lines(state(70, 4, .transposed, header: 4).after(.setCollapsed(section: 0, true)))
        #expect(narrow[0].hasPrefix("       ▸ Energy  2 rows  ▾") && narrow[3].hasPrefix("side  ↓│ moving part"))
    }

    @Test func `A15, C1: in a transposed table, a narrow collapsed header drops a gap, but never cuts an aggregate`() {
        let tree = SectionTree([Section(title: "E", rows: 0..<3)], aggregates: [Aggregate(.sum, of: 1)], aggregateValues: [123456])
        func aggregate(_ width: Int) -> String {
            let state = grid("id:2 n:2:i", rows: 3, frame: (40, 3), tree: tree).after(
                .setPresentation(.transposed), .setTransposedRowWidth(width), .setCollapsed(section: 0, true))
            return String(paint(state, source).line(2).dropFirst(state.layout.titleWidth).prefix(width))
        }
        #expect([13, 12, 11, 6].map(aggregate) == ["│ sum 123,456", "│sum 123,456", "│…", "│…"])
    }
}
