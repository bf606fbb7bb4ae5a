import DataGrid
import DataGridTerminal
import FieldValues
import TerminalSurface
import Testing

@MainActor
@Suite struct SectionFrameTests {
    private let source = RecordingSource("1|BUY|12.5\n2|BUY|1234.25\n30000|BUY|-7\n4|SELL|.5\n5|BUY|3\n6|BUY|4")
    private let tree = SectionTree(
        [
            Section(title: "Energy", rows: 0..<4), Section(level: 1, title: "BUY", rows: 0..<3),
            Section(level: 1, title: "SELL", rows: 3..<4),
            Section(title: "", rows: 4..<6), Section(level: 1, title: "BUY", rows: 4..<6),
        ], columns: [1], aggregates: [Aggregate(.sum, of: 0), Aggregate(.mean, of: 2), Aggregate(.max, of: 2)],
        aggregateValues: [30007, 12.345, 99, 30003, 1, 2, 4, .nan, .nan, 11, 3, 4, 11, 3, 4])

    private func state(_ width: Int, _ height: Int) -> GridState {
        grid("id:7:i side:9 price:16:d2", rows: 6, frame: (width, height), tree: tree) { $0.rowHeaderWidth = 6 }
    }

    @Test func `A15: headers show counts and all aggregates of a column, with a mark for those that do not fit`() {
        #expect(
            paint(state(60, 12), source).text == """
                    │      id  side                  price
                ▾ Energy  4 rows  id sum 30,007  price mean 12.35  max 99.00
                  ▾ BUY  3 rows  id sum 30,003  price mean 1.00  max 2.00
                   1│       1  BUY                   12.5
                   2│       2  BUY                1,234.25
                   3│  30,000  BUY                   -7
                  ▾ SELL  1 row  id sum 4
                   4│       4  SELL                    .5
                ▾ (empty)  2 rows  id sum 11  price mean 3.00  max 4.00
                  ▾ BUY  2 rows  id sum 11  price mean 3.00  max 4.00
                   5│       5  BUY                    3
                   6│       6  BUY                    4
                """)
    }

    @Test func `A15: a sticky header has its own background, and a collapsed header shows ▸`() {
        let state = state(60, 6).after(.setCollapsed(section: 2, true), .scroll(items: 2, columns: 0), .freeze(FrozenPanes(leading: 1)))
        let buffer = paint(state, source)
        let expected = [
            "    │      id┃ sid", "▾ Energy  4 rows  ", "  ▾ BUY  3 rows  i", "   3│  30,000┃ BUY", "  ▸ SELL  1 row  i",
            "▾ (empty)  2 rows ",
        ]
        #expect(buffer.lines().map { String($0.prefix(18)) } == expected)
        let grounds = [1, 2, 5].map { buffer[59, $0].style.background }
        let stuck = Theme.dark.stuckSectionHeader.textStyle.background
        #expect(grounds == [stuck, stuck, .terminalDefault])
    }

    @Test func `C7, A15: a header of several lines has its text in the middle, and its background on all lines`() {
        var state = state(60, 8)
        state.metrics.sectionHeaderHeight = 3
        let buffer = paint(state, source)
        #expect(
            buffer.lines().map { String($0.prefix(18)) }.dropFirst() == [
                "", "▾ Energy  4 rows  ", "", "", "  ▾ BUY  3 rows  i", "", "   1│       1  BUY",
            ])
        // The text of a clipped header is as far up as the visible lines allow.
        state.metrics.sectionHeaderHeight = 6
        #expect(paint(state, source).line(3).hasPrefix("▾ Energy") && paint(state, source).line(7).hasPrefix("  ▾ BUY"))
        state.metrics.sectionHeaderHeight = 2
        let stuck = paint(state.after(.scroll(items: 2, columns: 0)), source)
        #expect((1...4).allSatisfy { stuck[59, $0].style.background == Theme.dark.stuckSectionHeader.textStyle.background })
    }

    @Test func `A15: the source provides the word for rows, singular and plural`() {
        source.rowNoun = RowNoun("order", "orders")
        let lines = paint(state(60, 12), source).lines()
        #expect(lines[1].hasPrefix("▾ Energy  4 orders  ") && lines[6].hasPrefix("  ▾ SELL  1 order  id"))
        let across = paint(state(90, 6).after(.setPresentation(.transposed)), source).text
        #expect(across.contains("4 orders") && !across.contains("row"))
        source.rowNoun = RowNoun()
    }

    @Test func `A15: header parts that do not fit are omitted, and no part covers the name`() {
        #expect(paint(state(30, 4), source).lines()[1...2] == ["▾ Energy  4 rows  …", "  ▾ BUY  3 rows  …"])
        #expect(paint(state(12, 4), source).lines()[1...2] == ["▾ Energy …", "  ▾ BUY …"])
    }

    @Test func `A15: the aggregates of a column stay together, and all follow the name if one would touch it`() {
        let state = grid("id:7:i side:4 price:12:d2", rows: 6, frame: (60, 4), tree: tree) { $0.rowHeaderWidth = 6 }
        #expect(paint(state, source).line(1) == "▾ Energy  4 rows  id sum 30,007  price mean 12.35  max 99.00")
    }

    @Test func `A15: aggregates wider than their column never extend below the columns after it`() {
        let tree = SectionTree(
            [Section(title: "Energy", rows: 0..<4)], columns: [1],
            aggregates: [Aggregate(.sum, of: 0), Aggregate(.min, of: 2), Aggregate(.max, of: 2)], aggregateValues: [4, 1, 99])
        let columns = "id:30:i side:4 price:8:d2 other:20"
        let line = paint(grid(columns, rows: 6, frame: (80, 4), tree: tree) { $0.rowHeaderWidth = 6 }, source).line(1)
        #expect(line == "▾ Energy  4 rows  id sum 4  price min 1.00  max 99.00")
    }

    @Test func `A15: an aggregate wider than its column follows the name if the line is free`() {
        let state = grid("id:7:i side:2 price:4:d2", rows: 6, frame: (60, 4), tree: tree) { $0.rowHeaderWidth = 6 }
        #expect(paint(state, source).line(1) == "▾ Energy  4 rows  id sum 30,007  price mean 12.35  max 99.00")
    }

    @Test(
        arguments: [
            (70, "▾ Energy  4 rows  id sum 30,007  n sum 5,005  price mean 12.35"),
            (54, "▾ Energy  4 rows  …              sum 5,005"), (44, "▾ Energy  4 rows  …              sum 5,005"),
            (33, "▾ Energy  4 rows  id sum 30,007 …"), (32, "▾ Energy  4 rows  …"), (19, "▾ Energy  4 rows  …"), (18, "▾ Energy …"),
        ])
    func `A15: an aggregate that does not fit below its column follows the name, or a mark replaces it`(width: Int, expected: String) {
        let tree = SectionTree(
            [Section(title: "Energy", rows: 0..<4)], columns: [1],
            aggregates: [Aggregate(.sum, of: 0), Aggregate(.sum, of: 2), Aggregate(.mean, of: 3)], aggregateValues: [30007, 5005, 12.345])
        let state = grid("id:7:i side:18 n:7:i price:18:d2", rows: 4, frame: (width, 4), tree: tree) { $0.rowHeaderWidth = 6 }
        #expect(paint(state, source).line(1) == expected)
    }

    @Test func `A15: aggregates stay under visible columns if others are scrolled out, even next to frozen columns`() {
        let tree = SectionTree(
            [Section(title: "E", rows: 0..<4)], aggregates: [Aggregate(.sum, of: 1), Aggregate(.sum, of: 2), Aggregate(.sum, of: 3)],
            aggregateValues: [1, 20, 300])
        let source = RecordingSource("x|1|20|300\nx|0|0|0\nx|0|0|0\nx|0|0|0")
        func lines(_ width: Int, scrolledBy columns: Int) -> [String] {
            let state = grid("k:20 a:9:i b:9:i c:9:i d:30", rows: 4, frame: (width, 4), tree: tree) { $0.rowHeaderWidth = 6 }
            return paint(state.after(.freeze(FrozenPanes(leading: 1)), .scroll(items: 0, columns: columns)), source).lines()
        }
        func end(_ word: String, _ line: String) -> Int? {
            line.firstRange(of: word).map { line.distance(from: line.startIndex, to: $0.upperBound) }
        }
        let scrolled = lines(50, scrolledBy: 1)
        #expect(scrolled[1].hasPrefix("▾ E  4 rows  a sum 1    "), "\(scrolled)")
        #expect(!scrolled[0].contains(" a "))
        for (name, text, number) in [("  b", "  sum 20", " 20"), ("  c", "  sum 300", " 300")] {
            #expect(end(text, scrolled[1]) == end(name, scrolled[0]) && end(number, scrolled[2]) == end(name, scrolled[0]), "\(scrolled)")
        }
        let whole = lines(70, scrolledBy: 0)
        #expect(end("  sum 1", whole[1]) == end("  a", whole[0]) && end("  sum 300", whole[1]) == end("  c", whole[0]), "\(whole)")
        // Aggregates stay under their columns also close to the title.
        for width in 5...12 {
            let close = paint(
                grid("k:\(width) a:9:i b:9:i c:9:i d:9", rows: 4, frame: (80, 4), tree: tree) { $0.rowHeaderWidth = 6 }, source
            ).lines()
            #expect(end("  sum 1", close[1]) == end("  a", close[0]), "\(close)")
        }
        // Without room for the name of a column that is scrolled out, a mark stands for it.
        let narrow = paint(
            grid("k:9 a:9:i b:9:i c:9:i d:30", rows: 4, frame: (40, 4), tree: tree) { $0.rowHeaderWidth = 6 }
                .after(.freeze(FrozenPanes(leading: 1)), .scroll(items: 0, columns: 1)), source
        ).lines()
        #expect(narrow[1].hasPrefix("▾ E  4 rows  …  ") && end("  sum 20", narrow[1]) == end("  b", narrow[0]), "\(narrow)")
    }

    @Test func `A15: a header formats the aggregates of visible columns only, and those that fit after the title`() {
        let aggregates = (0..<1_000).map { Aggregate(.first, of: ColumnID($0)) }
        let tree = SectionTree(
            [Section(title: "E", rows: 0..<4)], aggregates: aggregates, aggregateValues: [Double](repeating: 0, count: 1_000))
        let source = RecordingSource { _, _ in CellContent("x") }
        let names = (0..<1_000).map { "c\($0):9" }.joined(separator: " ")
        let state = grid(names, rows: 4, frame: (60, 4), tree: tree).after(
            .setCollapsed(section: 0, true), .scroll(items: 0, columns: 500))
        #expect(paint(state, source).line(1).hasPrefix("▸ E  4 rows"))
        #expect(source.cells > 0 && source.cells < 60, "\(source.cells)")
    }

    private final class Subtotals: GridDataSource {
        func numberOfRows(inSection section: Int) -> Int { 4 }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("x") }
        func scrollingTitle(ofSection section: Int) -> String? { "12,345 units, sum 98,765" }
    }

    @Test func `A15, A2: a scrolling title that is cut shows each number completely or not at all`() {
        let source = Subtotals()
        let tree = SectionTree([Section(title: "Energy", rows: 0..<4)])
        let names = (0..<30).map { "c\($0):3" }.joined(separator: " ")
        func header(_ width: Int, scrolledBy columns: Int) -> String {
            let state = grid(names, rows: 4, frame: (width, 4), tree: tree) { $0.columnSpacing = [0, 1][columns % 2] }
                .after(.scroll(items: 0, columns: columns))
            var buffer = CellBuffer(size: TerminalSize(columns: width, rows: 4))
            GridPainter(state, source: source).paint(on: &buffer)
            return buffer.line(1)
        }
        #expect(header(42, scrolledBy: 0) == "▾ Energy  4 rows  12,345 units, sum 98,765")
        for width in 38...41 { #expect(header(width, scrolledBy: 0) == "▾ Energy  4 rows  12,345 units, sum …") }
        for width in 12...44 {
            for columns in 0..<9 {
                let line = header(width, scrolledBy: columns)
                let numbers = line.split(separator: " ").filter { $0.contains { "0"..."9" ~= $0 } }
                #expect(Set(numbers).isSubset(of: ["4", "12,345", "98,765"]), "\(width), \(columns): \(line)")
            }
        }
    }

    @Test func `A15: the cursor on a header is styled, and the delegate sets the style of headers`() {
        let delegate = StyleDelegate()
        delegate.headers[1] = CellStyle(foreground: Color(0x123456))
        let buffer = paint(state(60, 12), source, delegate: delegate)
        #expect(buffer[0, 1].style.attributes == [.reverse, .bold])
        #expect(buffer[2, 2].style.foreground == TerminalColor(red: 0x12, green: 0x34, blue: 0x56))
        #expect(buffer[10, 2].style == Theme.dark.sectionDetail.textStyle)
        #expect(buffer[0, 6].style == Theme.dark.sectionHeader.textStyle)
    }

    @Test(
        arguments: [
            (.count, "count 1,235"), (.sum, "sum 1,234.50"), (.mean, "mean 1,234.50"), (.min, "min 1,234.50"), (.max, "max 1,234.50"),
            (.distinct, "distinct 1,235"), (.first, "first 1,234.25"), (.last, "last 1,234.25"),
            (.median, "median 1,234.50"), (.p95, "p95 1,234.50"), (.standardDeviation, "stddev 1,234.50"), (.share, "share 123,450.0%"),
        ] as [(AggregateFunction, String)])
    func `A15: headers show aggregates with the names of their functions`(function: AggregateFunction, text: String) {
        var column = Column(id: 2, title: "p", kind: .decimal)
        column.format.alignedFractionDigits = 2
        // For functions that return a cell, such as the first one, the value is the row number.
        let value = function.returnsCell ? 1 : 1234.5
        #expect(GridPainter.text(of: SectionAggregate(Aggregate(function, of: 2), value), in: column, source: source) == text)
    }

    @Test func `A15: the aggregates “first” and “last” have alignment spaces only under their column`() {
        let cells = [Aggregate(.first, of: 2), Aggregate(.last, of: 2)]
        let tree = SectionTree([Section(title: "E", rows: 0..<4)], aggregates: cells, aggregateValues: [0, 3])
        func lines(_ columns: String) -> [String] {
            paint(grid(columns, rows: 4, frame: (80, 6), tree: tree) { $0.rowHeaderWidth = 6 }, source).lines()
        }
        let below = lines("id:7:i side:20 price:24:d2 x:3")
        func point(_ line: String) -> Int? { Array(line).lastIndex(of: ".") }
        #expect(below[1].contains("first 12.5  last .5"), "\(below)")
        #expect(point(below[1]) == point(below[2]), "the points of .5 and 12.5 are below each other: \(below)")
        #expect(lines("id:7:i side:2 price:4:d2 x:3")[1] == "▾ E  4 rows  price first 12.5  last .5")
    }

    @Test func `A15: integers beyond the precision of doubles are shown to the last digit, even after an insertion`() throws {
        let number = (1 << 53) + 1
        let tree = SectionTree(
            [Section(title: "a", rows: 0..<2), Section(title: "b", rows: 2..<3)],
            aggregates: [Aggregate(.count, of: 2), Aggregate(.max, of: 2)],
            aggregateValues: [2, 1, 1, Double(number)], exactValues: ExactValues([3: ExactDecimal(Int128(number))]))
        let changed = tree.appending([Section(title: "c", rows: 3..<4)])
        for tree in [tree, changed] {
            #expect(tree.aggregates(of: 1).map(\.exact) == [nil, ExactDecimal(Int128(number))])
            let texts = tree.aggregates(of: 1).map {
                GridPainter.text(of: $0, in: Column(id: 2, title: "p", kind: .integer), source: source)
            }
            #expect(texts == ["count 1", "max 9,007,199,254,740,993"])
        }
    }
}
