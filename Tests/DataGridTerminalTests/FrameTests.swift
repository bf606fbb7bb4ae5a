import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor
@Suite struct FrameTests {
    @Test func `B3, A9: a column with fewer than four visible terminal cells shows no title, type or text`() {
        let source = RecordingSource("abcdefgh|12345678|cut")
        func lines(_ width: Int) -> [String] {
            Array(paint(grid("first:8 second:8 third:8", rows: 1, frame: (width, 4)) { $0.headerHeight = 2 }, source).lines().dropLast())
        }
        #expect(lines(23) == ["first     second      ›", "text      text", "abcdefgh  12345678"])
        #expect(lines(24) == ["first     second    thi›", "text      text      text", "abcdefgh  12345678  cut"])
    }

    @Test func `A6: a number is marked as cut if only its leading blanks are visible`() {
        let source = RecordingSource("1|22|333|4444")
        for width in 3...50 {
            let state = grid("a:9:i b:9:i c:9:i d:9:i", rows: 1, frame: (width, 3)) { $0.headerHeight = 1 }
            let line = Array(paint(state, source).line(1) + String(repeating: " ", count: width))
            for span in state.layout.columns where span.width >= 4 {
                #expect(line[span.x..<span.x + span.width].contains { $0 != " " }, "\(width): \(String(line))")
            }
        }
    }

    private static let names = "id:7:i side:9 price:9:d2 ok:5:f when:19:t"
    private let source = RecordingSource(
        """
        1|BUY|12.5|true|2024-01-01T10:22:04
        2|SELL|1234.25|false|
        30000|a very long note|-7|?maybe|2024-05-06T01:02:03
        4|·|?n/a|yes|2024
        5|日本語日本語|.5|·|?x
        6|tab\there|100|no|
        """)

    private func trades(_ width: Int, _ height: Int, _ metrics: (inout GridMetrics) -> Void = { _ in }) -> GridState {
        grid(Self.names, rows: 6, frame: (width, height)) {
            $0.rowHeaderWidth = 6; $0.showsScrollBar = true; metrics(&$0)
        }
    }

    @Test func `D3: a table shows titles, types, aligned decimal points, truncated text, and marks for special cells`() {
        let state = trades(66, 21).after(.setSort([ColumnSort(2, isDescending: true), ColumnSort(1)]))
        #expect(
            paint(state, source).lines().prefix(10).joined(separator: "\n") == """
                    │      id  side ▲2     price ▼1   ok    when
                    │     int  text             dec  bool   date time
                   1│       1  BUY            12.5     ✓    2024-01-01 10:22:04
                   2│       2  SELL        1,234.25    ✗
                   3│  30,000  a very l…      -7     maybe  2024-05-06 01:02:03
                   4│       4  ·                n/a    ✓    2024
                   5│       5  日本語日…        .5     ·    x
                   6│       6  tab→here      100       ✗


                """)
    }

    @Test func `D3: a single sort key shows no rank number`() {
        let state = trades(66, 9).after(.setSort([ColumnSort(0)]))
        #expect(paint(state, source).line(0) == "    │    id ▲  side           price   ok    when")
    }

    @Test func `D6: a column title is truncated to make room for the rank of its sort key`() {
        let names = "id:4:i flag:4 x:2 price:9:d2"
        let keys = [ColumnSort(1), ColumnSort(0), ColumnSort(2, isDescending: true)]
        let state = grid(names, rows: 1, frame: (40, 4)) { $0.headerHeight = 1 }.after(.setSort(keys))
        let line = paint(state, RecordingSource("1|yes|2|3")).line(0)
        for badge in ["▲1", "▲2", "▼3"] { #expect(line.contains(badge), "\(line)") }
        #expect(line.contains("id▲2") || line.contains("id ▲2"), "\(line)")
    }

    @Test func `D6: a pending sort is shown with hollow arrows`() {
        let state = trades(66, 9).after(.setSort([ColumnSort(0), ColumnSort(2)], pending: [ColumnSort(2, isDescending: true)]))
        #expect(paint(state, source).line(0) == "    │   id ▲1  side         price ▽   ok    when")
    }

    @Test func `A8: the edges of frozen panes are in the gaps between columns, and a mark shows where more columns follow`() {
        var state = trades(58, 7).after(.freeze(FrozenPanes(leading: 1, trailing: 1)))
        #expect(
            paint(state, source).text == """
                    │      id┃ side           price ›┃when
                   1│       1┃ BUY            12.5   ┃2024-01-01 10:22:04
                   2│       2┃ SELL        1,234.25  ┃
                   3│  30,000┃ a very l…      -7     ┃2024-05-06 01:02:03
                   4│       4┃ ·                n/a  ┃2024
                   5│       5┃ 日本語日…        .5   ┃x
                   6│       6┃ tab→here      100     ┃
                """)
        state = trades(40, 7).after(.freeze(FrozenPanes(leading: 1)), .move(.lastColumn))
        #expect(paint(state, source).lines().prefix(2) == ["    │      id┃‹when", "   1│       1┃ 2024-01-01 10:22:04"])
    }

    @Test func `A12: rules between columns are omitted next to pane edges, and if columns have no space between them`() {
        var state = trades(58, 9) { $0.gridLines = .columns }
        #expect(paint(state, source).line(1) == "   1│       1│ BUY      │     12.5 │   ✓  │ 2024-01-01 1…")
        state = state.after(.freeze(FrozenPanes(leading: 1, trailing: 1)))
        #expect(paint(state, source).line(1) == "   1│       1┃ BUY      │     12.5   ┃2024-01-01 10:22:04")
        var metrics = state.metrics
        metrics.columnSpacing = 0
        #expect(paint(state.after(.setMetrics(metrics)), source).line(2) == "   2│       2SELL      1,234.25  ✗")
        metrics.columnSpacing = 3
        state = state.after(.setMetrics(metrics), .freeze(FrozenPanes(leading: 1)))
        #expect(paint(state, source).line(2) == "   2│       2 ┃ SELL      │  1,234.25 │   ✗   │")
    }

    @Test func `A12: a rule is drawn below each row`() {
        let state = trades(40, 6) {
            $0.gridLines = .both; $0.rowHeight = 2
        }
        #expect(
            paint(state.after(.scroll(items: 2, columns: 0)), source).text == """
                    │      id│ side     │     price│   ›
                   3│  30,000│ a very   │     -7   │
                    │        │ long note│          │   ▐
                    ├────────┼──────────┼──────────┼───
                   4│       4│ ·        │       n/a│
                    │        │          │          │
                """)
    }

    @Test func `B6: a single line is centered in a taller row, and several lines start at the top of the row`() {
        let state = grid("a:6 b:4:i", rows: 2, frame: (14, 7)) { $0.rowHeight = 3 }
        #expect(paint(state, RecordingSource("one|1\nsome two|2")).text == "a          b\n\none        1\n\nsome       2\ntwo\n")
    }

    @Test func `D16: a frame of 20×5 shows a grid with its cursor, and a frame of 1×1 shows a cell`() {
        let state = trades(20, 5)
        #expect(
            paint(state, source).text == """
                    │      id  side›
                   1│       1  BUY ▐
                   2│       2  SELL▐
                   3│  30,000  a v…
                   4│       4  ·
                """)
        let one = paint(grid("a:6", rows: 1, frame: (1, 1)), RecordingSource("x"))
        #expect(one.text == "x")
        #expect(one[0, 0].style == Theme.dark.cursor.textStyle)
        for size in [(0, 0), (3, 0), (0, 3), (2, 2), (7, 1)] {
            let state = trades(size.0, size.1).after(.freeze(FrozenPanes(leading: 2, trailing: 1, rows: 2)))
            #expect(paint(state, source).lines().count == size.1)
        }
    }

    @Test func `A6: a column wider than its pane scrolls in parts, with a visible title and marks on cut sides`() {
        let source = RecordingSource("the quick brown fox jumps over the lazy dog and then some more|1234\nshort|5\n日本語日本語日本語日本語日本語|6")
        let state = grid("note:62 n:8:i", rows: 3, frame: (30, 4))
        #expect(paint(state, source).text == "note                         ›\nthe quick brown fox jumps ove…\nshort\n日本語日本語日本語日本語日本語")
        let next = paint(state.after(.scroll(items: 0, columns: 1)), source)
        #expect(next.text == "‹note                        ›\n…the lazy dog and then some m…\n\n")
        let panned = state.after(.pointerDown(GridPoint(x: 9, y: 2), PointerPress(.middle)), .pointerMoved(GridPoint(x: 6, y: 2)))
        #expect(paint(panned, source).lines().suffix(3) == ["…quick brown fox jumps over t…", "…t", "…語日本語日本語日本語日本語"])
        let halved = state.after(.pointerDown(GridPoint(x: 9, y: 2), PointerPress(.middle)), .pointerMoved(GridPoint(x: 7, y: 2)))
        #expect(paint(halved, source).line(3) == "… 語日本語日本語日本語日本語")
    }

    @Test func `D16: wide characters are never split, wherever a column is cut`() {
        let source = RecordingSource("日本語日本語")
        for width in 1...14 {
            for shift in 0..<5 {
                let state = grid("a:\(width) b:30", rows: 1, frame: (16, 3))
                    .after(.pointerDown(GridPoint(x: 9, y: 2), PointerPress(.middle)), .pointerMoved(GridPoint(x: 9 - shift, y: 2)))
                let buffer = paint(state, source)
                for x in 0..<16 where buffer[x, 1].width != 1 {
                    #expect(buffer[x, 1].width == 2 ? buffer[x + 1, 1].width == 0 : buffer[x - 1, 1].width == 2)
                }
                let cells = state.layout.columns[0].range
                #expect(cells.upperBound >= 16 || buffer[cells.upperBound, 1].text == " ")
            }
        }
    }

    @Test func `A6: a frame reads each visible cell once, in a table of ten million rows and ten thousand columns`() {
        let source = RecordingSource { CellContent("\($0.rawValue % 1_000)/\($1.rawValue)") }
        var metrics = GridMetrics.threeHeaderLines
        metrics.rowHeaderWidth = 12
        let columns = (0..<10_000).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(10)) }
        let state = GridState(columns: columns, rows: .natural(count: 10_000_000), metrics: metrics)
            .after(
                .resize(GridSize(width: 120, height: 40)), .freeze(FrozenPanes(leading: 1)), .move(.row(7_000_000)), .move(.column(5_000)))
        let buffer = paint(state, source)
        // The frame shows 38 lines below the header, and nine columns: the frozen one and eight others, of which the last is cut off.
        #expect(source.cells == 38 * 9)
        #expect(source.requests.values.allSatisfy { Set($0).count == $0.count })
        #expect(source.requests.keys.allSatisfy { (6_999_900...7_000_100).contains($0.rawValue) })
        #expect(source.announced.rows.count == 38 && source.announced.columns.count == 9)
        #expect(buffer.line(39).hasPrefix("   7000001│ 0/0       ┃") && buffer.line(39).hasSuffix("0/5000"))
    }
}
