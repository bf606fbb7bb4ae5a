import GridTestSupport
import DataGrid
@testable import DataGridTerminal
import TerminalSurface
import Testing

/// Two grids on one buffer. Neither writes outside of its rectangle.
@MainActor
@Suite struct EmbeddedGridTests {
    nonisolated private static let hostile = [
        "日本語日本語日本語日本語", "\u{0301}\u{0302}mark first", "e\u{0301}\u{0302}\u{0303}", "\u{200D}👩\u{200D}👩\u{200D}👧", "\u{202E}txt.exe\u{2066}",
        "\u{1B}[31mred\u{7}\r\n\ttab", "", "x", String(repeating: "w", count: 300), "👍🏽🇩🇪", "ａｂｃ", "\u{0}\u{9B}2J",
    ]

    private final class HostileSource: GridDataSource {
        func numberOfRows(inSection section: Int) -> Int { 60 }
        func content(row: RowID, column: ColumnID) -> CellContent {
            CellContent(hostile[abs(row.rawValue * 7 + column.rawValue * 3) % hostile.count])
        }
        func scrollingTitle(ofSection section: Int) -> String? { hostile[9] }
        func rowHeader(_ row: RowID) -> String? { hostile[abs(row.rawValue) % hostile.count] }
        func total(column: ColumnID) -> CellContent? { content(row: 3, column: column) }
        var corner: CellContent? { CellContent(hostile[0]) }
        var totalsTitle: String? { hostile[3] }
    }

    private func state(_ random: inout SplitMix64, _ size: GridSize, _ presentation: GridPresentation) -> GridState {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
        metrics.rowHeaderWidth = number(0...6)
        metrics.headerHeight = number(0...5)
        metrics.columnSpacing = number(0...3)
        metrics.rowHeight = number(1...3)
        metrics.gridLines = GridLines.allCases[number(0...2)]
        metrics.showsTotals = number(0...1) == 0
        metrics.showsScrollBar = number(0...1) == 0
        metrics.hasStickyRowHeaders = number(0...1) == 0
        metrics.hasStickyColumnHeaders = number(0...1) == 0
        metrics.cards.width = number(0...2) == 0 ? nil : number(1...12)
        metrics.cards.padding.width = number(0...1)
        metrics.showsAccessories = number(0...1) == 0
        let columns = (0..<8).map { index in
            Column(
                id: ColumnID(index), title: Self.hostile[number(0...11)], width: .fixed(number(1...14)),
                alignment: [.leading, .center, .trailing][number(0...2)])
        }
        let tree = number(0...2) == 0 ? SectionTree([Section(title: Self.hostile[number(0...11)], rows: 0..<60)]) : nil
        return GridState(columns: columns, metrics: metrics).after(
            .resize(size), .setPresentation(presentation), .setRows(.natural(count: 60), tree: tree),
            .setPull(GridPull(lines: 2, text: Self.hostile[0])),
            .freeze(FrozenPanes(leading: number(0...2), trailing: number(0...1), rows: number(0...2), bottom: number(0...2))),
            .move(.row(number(0...59))), .move(.column(number(0...7))), .setLoader(GridLoader(Self.hostile[3])), .pull(by: number(0...2)),
            .pointerDown(GridPoint(x: number(0...9), y: 0), PointerPress([.primary, .middle][number(0...1)])),
            .pointerMoved(GridPoint(x: number(-9...30), y: number(-3...12))), .beginSelection(.rows))
    }

    @Test(
        arguments: 1...100 as ClosedRange<UInt64>, [GridPresentation.table, .cards, .transposed])
    func `A6: two grids side by side write only inside their rectangles, whatever their content`(
        seed: UInt64, presentation: GridPresentation
    ) {
        var random = SplitMix64(seed: seed)
        let size = TerminalSize(columns: 40, rows: 16)
        let filled = TextStyle(foreground: TerminalColor(red: 1, green: 2, blue: 3))
        var buffer = CellBuffer(size: size)
        for y in 0..<size.rows { for x in 0..<size.columns { buffer[x, y] = Cell(scalar: 0x23, style: filled) } }
        let source = HostileSource()
        // Each grid has a border of one cell, so two cells separate them.
        let left = state(
            &random, GridSize(width: .random(in: 0...17, using: &random), height: .random(in: 0...14, using: &random)), presentation)
        let right = state(&random, GridSize(width: 19, height: 12), presentation)
        for (state, origin) in [(left, GridPoint(x: 1, y: 1)), (right, GridPoint(x: 20, y: 2)), (left, GridPoint(x: 1, y: 1))] {
            GridPainter(state, source: source, origin: origin, matches: { text, _ in [text.startIndex..<text.endIndex] }).paint(on: &buffer)
        }
        for y in 0..<size.rows {
            for x in 0..<size.columns {
                let isInside =
                    (1..<1 + left.size.width).contains(x) && (1..<1 + left.size.height).contains(y)
                    || (20..<39).contains(x) && (2..<14).contains(y)
                if !isInside, buffer[x, y] != Cell(scalar: 0x23, style: filled) {
                    Issue.record("seed \(seed): cell \(x), \(y)\n\(buffer.text)")
                }
                // Wide characters do not cross the edges of a rectangle.
                if [left.size.width, 38].contains(x), isInside { #expect(buffer[x, y].width < 2) }
                if [1, 20].contains(x), isInside { #expect(buffer[x, y].width > 0) }
            }
        }
        // Each grid looks the same as alone.
        var alone = CellBuffer(size: TerminalSize(columns: 19, rows: 12))
        GridPainter(right, source: source, matches: { text, _ in [text.startIndex..<text.endIndex] }).paint(on: &alone)
        for y in 0..<12 { for x in 0..<19 { #expect(alone[x, y] == buffer[x + 20, y + 2]) } }
    }

    @Test(arguments: hostile) func `A6: text is clipped at every side of the frame in the same way as at the screen edges`(text: String) {
        let frame = GridSize(width: 9, height: 3)
        let cells = CellPainter(theme: .dark, blendsStyles: true, size: frame, origin: GridPoint(x: 4, y: 2), glyphs: .unicode)
        let alone = CellPainter(theme: .dark, blendsStyles: true, size: frame, origin: GridPoint(x: 0, y: 0), glyphs: .unicode)
        for x in -8...10 {
            for y in -1...3 {
                for width in [1, 4, 40] {
                    var buffer = CellBuffer(size: TerminalSize(columns: 20, rows: 8))
                    for y in 0..<8 { for x in 0..<20 { buffer[x, y] = Cell(scalar: 0x23, style: .plain) } }
                    var screen = CellBuffer(size: TerminalSize(columns: 9, rows: 3))
                    for y in 0..<3 { for x in 0..<9 { screen[x, y] = Cell(scalar: 0x23, style: .plain) } }
                    let clean = buffer
                    cells.write(text, x: x, y: y, width: width, style: .none, on: &buffer)
                    alone.write(text, x: x, y: y, width: width, style: .none, on: &screen)
                    buffer.restyle(cells.rect(x: x, y: y, width: width, height: 2)) { $0.attributes.insert(.bold) }
                    screen.restyle(TerminalRect(x: x, y: y, width: width, height: 2)) { $0.attributes.insert(.bold) }
                    for y in 0..<8 {
                        for x in 0..<20 {
                            let isInside = (4..<13).contains(x) && (2..<5).contains(y)
                            if buffer[x, y] != (isInside ? screen[x - 4, y - 2] : clean[x, y]) {
                                Issue.record("\(text.debugDescription) at \(x), \(y)")
                            }
                        }
                    }
                }
            }
        }
    }
}
