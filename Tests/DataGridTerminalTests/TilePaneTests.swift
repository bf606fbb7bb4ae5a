import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Frozen panes, totals, rules, titles and the pull strip, on cards and in transposed tables.
@MainActor
@Suite struct TilePaneTests {
    private let source = RecordingSource(
        "Ada|London|36|1\nAlan|Wilmslow|41|2\nBarbara|Boston|83|3\nEdsger|Nuenen|72|4\nGrace|New York|85|5")
    private static let tree = SectionTree([Section(title: "A", rows: 0..<2), Section(title: "B", rows: 2..<5)])

    init() { source.totals = [2: CellContent("317"), 3: CellContent("15")] }

    private func state(
        _ width: Int, _ height: Int, _ presentation: GridPresentation, _ panes: FrozenPanes = FrozenPanes(), tree: SectionTree? = nil,
        _ metrics: (inout GridMetrics) -> Void = { _ in }
    ) -> GridState {
        grid("name:8 city:8 age:5:i no:3:i", rows: 5, frame: (width, height), tree: tree, metrics).after(
            .setPresentation(presentation), .freeze(panes))
    }

    // MARK: Transposed

    @Test func `C1, A8: in a transposed table, totals are a column at the right edge, one line each, if there is room`() {
        let state = state(40, 6, .transposed) {
            $0.showsTotals = true
            $0.rowHeaderWidth = 4
        }
        let buffer = paint(state, source)
        #expect(
            buffer.text == """
                      1         2         3   ›│Σ
                name  Ada       Alan      Bar… │
                city  London    Wilmslow  Bos… │
                age   36        41        83   │317
                no    1         2         3    │15
                                               │
                """)
        #expect((32..<40).allSatisfy { buffer[$0, 3].style == Theme.dark.row.applying(Theme.dark.totals).textStyle })
        #expect(state.layout.hit(GridPoint(x: 33, y: 3)) == .nothing && state.layout.hit(GridPoint(x: 30, y: 3)) == .nothing)
        let narrow = state.after(.resize(GridSize(width: 20, height: 6)))
        #expect(narrow.layout.overflowingSides == .bottom && narrow.layout.strips.isEmpty && !paint(narrow, source).text.contains("317"))
        // Without a header line above the rows, the name of the totals is in a line that has no total.
        #expect(paint(self.state(40, 6, .transposed) { $0.showsTotals = true }, source).line(0) == "name ›Ada       Alan      Bar… │Σ")
        var column = state.columns[2]
        column.alignment = .trailing
        #expect(paint(state.after(.updateColumn(column)), source).line(3) == "age         36        41     … │     317")
    }

    @Test func `C1, A8: in a transposed table, trailing columns freeze at the bottom and bottom rows at the right edge`() {
        var state = state(60, 12, .transposed, FrozenPanes(leading: 1, trailing: 1, rows: 1, bottom: 1)) {
            $0.showsTotals = true
            $0.rowHeaderWidth = 4
        }
        let picture = """
                  1       ┃ 2         3         4   ›│5         Σ
            name  Ada     ┃ Alan      Barbara   Eds… │Grace
            city  London  ┃ Wilmslow  Boston    Nue… │New York
            age   36      ┃ 41        83        72   │85        317
                                                     │
                                                     │
                                                     │
                                                     │
                                                     │
                                                     │
            ──────────────┰──────────────────────────┼──────────
            no    1       ┃ 2         3         4    │5         15
            """
        #expect(paint(state, source).text == picture)
        state = state.after(.move(.right(3)), .move(.down(3)))
        #expect(paint(state, source).line(2) == "city  London  ┃ Boston    Nuenen         │New York")
        #expect(state.cursor == GridCursor(item: .row(3), column: 3) && state.layout.overflowingSides == [])
        #expect(state.after(.move(.right(1))).scroll == state.scroll, "moving into a frozen pane does not scroll")
        let low = state.after(.resize(GridSize(width: 60, height: 4)), .move(.top), .move(.column(2)))
        #expect(
            paint(low, source).lines() == [
                "      1       ┃ 2         3         4   ›│5         Σ", "name  Ada     ┃ Alan      Barbara   Eds… │Grace",
                "age  ↑36      ┃ 41        83        72   │85        317", "no    1       ┃ 2         3         4    │5         15",
            ])
    }

    @Test func `C1, A12: in a transposed table, rules separate columns and rows, and sections end the rules`() {
        #expect(
            paint(state(60, 9, .transposed) { $0.gridLines = .both }, source).text == """
                name  Ada     │ Alan    │ Barbara │ Edsger  │ Grace   │
                      ────────┼─────────┼─────────┼─────────┼─────────┤
                city  London  │ Wilmslow│ Boston  │ Nuenen  │ New York│
                      ────────┼─────────┼─────────┼─────────┼─────────┤
                age   36      │ 41      │ 83      │ 72      │ 85      │
                      ────────┼─────────┼─────────┼─────────┼─────────┤
                no    1       │ 2       │ 3       │ 4       │ 5       │
                      ────────┴─────────┴─────────┴─────────┴─────────┘

                """)
        #expect(
            paint(state(60, 4, .transposed, tree: Self.tree) { $0.gridLines = .both }, source).text == """
                      ▾ A  2 rows            ▾ B  3 rows
                name  │  Ada     │ Alan    │ │  Barbara │ Edsger  │ Grace
                      │  ────────┼─────────┤ │  ────────┼─────────┼─────────
                city ↓│  London  │ Wilmslow│ │  Boston  │ Nuenen  │ New York
                """)
        #expect(paint(state(30, 2, .transposed) { $0.gridLines = .rows }, source).line(1) == "city ↓London  │ Wilmslow│ Bos…")
        #expect(paint(state(30, 2, .transposed) { $0.gridLines = .columns }, source).line(1) == "     ↓────────────────────────")
    }

    @Test func `C1, A12, A8: edges of frozen panes are heavy lines with rules, and underlines without rules`() {
        let panes = FrozenPanes(leading: 1, rows: 1)
        let state = state(50, 7, .transposed, panes) {
            $0.showsTotals = true
            $0.rowHeaderWidth = 4
            $0.gridLines = .both
        }
        #expect(
            paint(state, source).text == """
                      1       ┃ 2         3         4   ›│Σ
                name  Ada     ┃ Alan    │ Barbara │ Eds… │
                      ━━━━━━━━╋━━━━━━━━━┿━━━━━━━━━┿━━━━━━┿━━━━━━━━
                city  London  ┃ Wilmslow│ Boston  │ Nue… │
                      ────────╂─────────┼─────────┼──────┼────────
                age   36      ┃ 41      │ 83      │ 72   │317
                     ↓────────┸─────────┴─────────┴──────┴────────
                """)
        let plain = paint(self.state(48, 7, .transposed, panes), source)
        #expect((0..<48).allSatisfy { plain[$0, 0].style.attributes.contains(.underline) } && plain[14, 1].text == "┃")
        #expect(!plain[6, 1].style.attributes.contains(.underline))
    }

    @Test(arguments: [true, false])
    func `C1, A12: rules have the delegate's style; a crossing has the style of the rule on top`(isVerticalOnTop: Bool) {
        let delegate = StyleDelegate()
        delegate.rules = [.row(0): CellStyle(foreground: Color(1)), .column(0): CellStyle(foreground: Color(2))]
        let state = state(30, 4, .transposed) {
            $0.gridLines = .both
            $0.linesOnTop = isVerticalOnTop ? .vertical : .horizontal
        }
        let letters: [TextStyle: Character] = [
            CellStyle(foreground: Color(1)).textStyle: "r", CellStyle(foreground: Color(2)).textStyle: "c",
            Theme.dark.gridLine.textStyle: "-",
        ]
        let lines = paint(state, source, delegate: delegate).styleLines { letters[$0] ?? "." }
        #expect(lines[0] == "..............r.........-.....")
        #expect(lines[1] == (isVerticalOnTop ? "......ccccccccrccccccccc-ccccc" : "......cccccccccccccccccccccccc"))
        #expect(lines[3] == (isVerticalOnTop ? "......--------r---------------" : "......------------------------"))
    }

    @Test func `C1, D3: titles on the left show the current or pending sort order and the items of the header`() {
        var columns = state(60, 4, .transposed).columns.all
        columns[0].headerItem = CellContent("id")
        columns[1].accessory = .detail
        columns[2].headerItem = CellContent(CellItem.icon(Icon("●", fallback: "o")))
        let sorted: [GridAction] = [
            .replaceColumns(columns), .setSort([ColumnSort(0)], pending: [ColumnSort(1), ColumnSort(2, isDescending: true)]),
        ]
        let wide = state(60, 4, .transposed) { $0.titleWidth = 20 }.after(sorted[0]).after(sorted[1])
        let buffer = paint(wide, source)
        #expect(
            buffer.text == """
                name ▲           id›Ada       Alan      Barbara   Edsger
                city △1           ⓘ London    Wilmslow  Boston    Nuenen
                ● age ▽2            36        41        83        72
                no                  1         2         3         4
                """)
        #expect(buffer[5, 1].style == Theme.dark.sortBadge.textStyle)
        let fitted = state(60, 4, .transposed).after(sorted[0])
        #expect(paint(fitted, source).lines().map { $0.prefix(9) } == ["name  id ", "city   ⓘ ", "● age    ", "no       "])
    }

    @Test(arguments: [nil, -1, 0, 1, 12, 99])
    func `C1, C6: titles have the set width or the width of the widest title, and can be hidden`(_ width: Int?) {
        let state = state(36, 4, .transposed) { $0.titleWidth = width }
        let shown = width.map { max(0, min($0, 24)) } ?? 6
        #expect(state.layout.titleWidth == shown && state.layout.tiles.first?.x == shown)
        #expect(paint(state, source).line(1).dropFirst(shown).hasPrefix("London"))
        #expect(state.layout.hit(GridPoint(x: shown, y: 1)) == .cell(row: 0, column: 1))
        if shown > 1 { #expect(state.layout.hit(GridPoint(x: 0, y: 1)) == .header(1)) }
    }

    @Test func `C1, C6: titles that are not sticky scroll with the first row, and row headers with the first column`() {
        var state = state(30, 3, .transposed) {
            $0.hasStickyColumnHeaders = false
            $0.hasStickyRowHeaders = false
            $0.rowHeaderWidth = 4
        }
        #expect(
            paint(state, source).lines() == [
                "      1         2         3  ›", "name  Ada       Alan      Bar…", "city ↓London    Wilmslow  Bos…",
            ])
        state = state.after(.move(.right(2)))
        #expect(paint(state, source).line(1) == "Alan      Barbara   Edsger")
        state = state.after(.move(.down(2)))
        #expect(paint(state, source).lines() == ["Wilmslow  Boston    Nuenen", "41        83        72", "2         3         4"])
        for motion in [GridMotion.right(9), .up(9), .left(9)] {
            state = state.after(.move(motion))
            #expect(state.layout.tiles.contains { $0.item == state.cursor.item && $0.isWhole })
            #expect(state.layout.fields.contains { $0.index == state.cursor.column })
        }
        #expect(state.scroll == GridScroll() && state.layout.titleWidth == 6)
        // With frozen columns, the header always stays.
        let frozen = state.after(.freeze(FrozenPanes(leading: 1)), .move(.column(3)))
        #expect(frozen.layout.headerHeight == 1 && frozen.scroll.x > 0)
    }

    // MARK: Cards

    @Test func `C5, A8: frozen cards stay at the top and bottom, with edges, and sticky headers come below them`() {
        var state = state(40, 22, .cards, FrozenPanes(rows: 2, bottom: 1), tree: Self.tree) { $0.showsTotals = true }
        let top = ["▾ A  2 rows", " ▏ Ada                                1", " ▏ London", " ▏ 36", String(repeating: "━", count: 40)]
        let bottom = [
            String(repeating: "─", count: 40), " ▏ Grace                              5", " ▏ New York", " ▏ 85", "Σ  age 317  no 15",
        ]
        #expect(
            paint(state, source).lines() == top + [
                " ▏ Alan                               2", " ▏ Wilmslow", " ▏ 41", "", "▾ B  3 rows",
                " ▏ Barbara                            3", " ▏ Boston", " ▏ 83", "", " ▏ Edsger                             4", " ▏ Nuenen",
                " ▏ 72",
            ] + bottom)
        state = state.after(.resize(GridSize(width: 40, height: 17)), .move(.row(3)))
        #expect(
            paint(state, source).lines() == top + [
                "▾ B  3 rows", " ▌ Edsger                             4", " ▌ Nuenen", " ▌ 72", "", "", "",
            ] + bottom)
        #expect(state.layout.frozenItemCount == 2 && state.layout.bottomItemCount == 1 && state.layout.overflowingSides == [])
        #expect(state.after(.move(.down(1))).scroll == state.scroll, "moving into a frozen pane does not scroll")
        let close = state.after(
            .setMetrics(
                {
                    var metrics = state.metrics; metrics.cards.spacing.height = 0; return metrics
                }()))
        #expect(paint(close, source)[5, 3].style.attributes.contains(.underline))
        #expect(state.after(.resize(GridSize(width: 40, height: 14))).layout.overflowingSides == .bottom)
        #expect(state.after(.resize(GridSize(width: 40, height: 3))).layout.overflowingSides == [.top, .bottom])
    }

    @Test func `C5, A8: frozen cards are side by side, and the others start on a new line`() {
        let state = state(50, 14, .cards, FrozenPanes(rows: 3)) { $0.cards.width = 14 }
        #expect(
            paint(state, source).text == """
                 ▌ Ada        1  ▏ Alan       2  ▏ Barbara    3
                 ▌ London        ▏ Wilmslow      ▏ Boston
                 ▌ 36            ▏ 41            ▏ 83
                ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                 ▏ Edsger     4  ▏ Grace      5
                 ▏ Nuenen        ▏ New York
                 ▏ 72            ▏ 85







                """)
        #expect(state.after(.move(.down(1))).cursor.row == 3 && state.after(.move(.row(4)), .move(.up(1))).cursor.row == 1)
        let two = state.after(.freeze(FrozenPanes(rows: 2)))
        #expect(two.layout.tiles.map { [$0.index, $0.x, $0.y] } == [[0, 1, 0], [1, 17, 0], [2, 1, 4], [3, 17, 4], [4, 33, 4]])
    }

    // MARK: Pulling

    @Test(arguments: [1, 2]) func `A14, C1, C5: the pull strip is below the lowest frozen card or column line`(lines: Int) {
        let strip = lines == 1 ? ["            ↓ pull to reload"] : ["          ↑ release to reload", ""]
        let cards = state(40, 14, .cards, FrozenPanes(rows: 1)).after(.setPull(GridPull(lines: 2)), .pull(by: lines))
        #expect(
            paint(cards, source).lines()[3...].starts(
                with: [String(repeating: "━", count: 40)] + strip + [" ▏ Alan                               2"]))
        let across = state(40, 9, .transposed, FrozenPanes(leading: 1)).after(.setPull(GridPull(lines: 2)), .pull(by: lines))
        #expect(
            paint(across, source).lines().starts(
                with: ["name  Ada       Alan      Barbara   Eds…"] + strip + ["city ›London    Wilmslow  Boston    Nue…"]))
        #expect(across.layout.hit(GridPoint(x: 8, y: lines)) == .nothing && cards.layout.hit(GridPoint(x: 8, y: 3 + lines)) == .nothing)
    }

    @Test func `A14, C1, C5: if the pull strip and the card or column at the cursor do not both fit, the strip is hidden`() {
        let pull = GridPull(lines: 2)
        let cards = state(40, 20, .cards).after(.setPull(pull), .pull(by: 2))
        #expect(cards.after(.move(.down(3))).pull?.uncovered == 2)
        let last = cards.after(.move(.bottom))
        #expect(last.pull?.uncovered == 0 && last.scroll.top == 0 && last.layout.tiles.last?.isWhole == true)
        let across = state(40, 5, .transposed).after(.setPull(pull), .pull(by: 2))
        #expect(across.layout.fields.count == 3 && across.after(.move(.down(2))).pull?.uncovered == 2)
        let lowest = across.after(.move(.down(3)))
        #expect(lowest.pull?.uncovered == 0 && lowest.scroll.x == 0 && lowest.layout.fields.count == 4)
    }
}
