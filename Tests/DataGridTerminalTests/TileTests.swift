import GridTestSupport
import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Cards and transposed tables.
@MainActor
@Suite struct TileTests {
    private let source = RecordingSource(
        """
        Ada|London|analyst|active|1815
        Alan|Wilmslow|codes|active|1912
        Barbara|Boston|abstractions|retired|1939
        Edsger|Nuenen|·|gone|1930
        日本語日本語日本語日本語日本語|東京|\u{1B}[31mred|new|7
        """)
    private static let names = "name:9 city:9 work:9 state:9 born:6:i"

    private func people(
        _ width: Int, _ height: Int, _ presentation: GridPresentation, tree: SectionTree? = nil,
        _ metrics: (inout GridMetrics) -> Void = { _ in }
    ) -> GridState {
        grid(Self.names, rows: 5, frame: (width, height), tree: tree, metrics).after(.setPresentation(presentation))
    }

    private static let tree = SectionTree([Section(title: "A", rows: 0..<2), Section(title: "B", rows: 2..<5)])

    // MARK: Cards

    @Test func `B2: cards show three text columns, status and substatus in their slots, one card per line`() {
        #expect(
            paint(people(40, 9, .cards), source).text == """
                 ▌ Ada                           active
                 ▌ London                         1,815
                 ▌ analyst

                 ▏ Alan                          active
                 ▏ Wilmslow                       1,912
                 ▏ codes

                 ▏ Barbara                      retired
                """)
    }

    @Test func `C5: as many cards as fit are side by side, and missing values leave their slots empty`() {
        let state = people(44, 12, .cards, tree: Self.tree) {
            $0.cards.width = 20
            $0.cards.spacing = GridSize(width: 2, height: 0)
        }
        #expect(
            paint(state, source).text == """
                ▾ A  2 rows
                 ▏ Ada         active  ▏ Alan        active
                 ▏ London       1,815  ▏ Wilmslow     1,912
                 ▏ analyst             ▏ codes
                ▾ B  3 rows
                 ▏ Barbara    retired  ▏ Edsger        gone
                 ▏ Boston       1,939  ▏ Nuenen       1,930
                 ▏ abstractions        ▏
                 ▏ 日本語…        new
                 ▏ 東京             7
                 ▏ ␛[31mred

                """)
    }

    private final class HighCard: RowHeightSource {
        func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int { 1 }
        func height(ofCard row: RowID) -> Int? { row == 0 ? 5 : nil }
    }

    @Test func `A9, C5: the last text of a tall card wraps into its additional lines`() {
        let source = RecordingSource(
            """
            Ada|London|the first program for a machine|active|1815
            Alan|Wilmslow|codes that no one else could break|active|1912
            """)
        var state = grid(Self.names, rows: 2, frame: (24, 12), tree: nil) { $0.hasDelegatedRowHeights = true }
            .after(.setPresentation(.cards))
        state.rowHeightSource = HighCard()
        let lines = paint(state, source).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[2...5] == [" ▌ the first program", " ▌ for a machine", " ▌", ""])
        #expect(lines[6].hasPrefix(" ▏ Alan") && lines[8].hasPrefix(" ▏ codes that no one") && lines[8].hasSuffix("…"))
    }

    @Test func `B5, C5: an accessory is drawn at half the height of its card, and is hit over the full height`() {
        source.accessories = [0: .disclosure, 2: .checkmark]
        let state = people(24, 9, .cards) {
            $0.showsAccessories = true
            $0.cards.spacing.height = 0
        }
        #expect(
            paint(state, source).text == """
                 ▌ Ada         active
                 ▌ London       1,815 ›
                 ▌ analyst
                 ▏ Alan        active
                 ▏ Wilmslow     1,912
                 ▏ codes
                 ▏ Barbara    retired
                 ▏ Boston       1,939 ✓
                 ▏ abstractions
                """)
        #expect([0, 1, 2].map { state.layout.hit(GridPoint(x: 21, y: $0)) } == [GridHit](repeating: .accessory(0), count: 3))
        #expect(state.layout.hit(GridPoint(x: 20, y: 1)) == .cell(row: 0, column: 4))
        #expect(state.after(.pointerDown(GridPoint(x: 21, y: 7), PointerPress())).cursor.item == .row(2))
        let clipped = paint(state.after(.resize(GridSize(width: 24, height: 7))), source)
        #expect(clipped.line(6) == " ▏ Barbara    retired", "room is reserved even if the accessory is not visible")
        let narrow = state.after(.resize(GridSize(width: 7, height: 9)))
        #expect(narrow.layout.tiles.allSatisfy { narrow.layout.accessoryPoint(ofCard: $0) == nil })
    }

    @Test func `B2: texts and images are assigned to slots by default, and a custom binding replaces all defaults`() {
        var columns = columns("a:5 b:5 c:5 d:5 e:5 f:5 g:5")
        columns[1].hasGraphics = true
        columns[5].hasGraphics = true
        let slots = CardBinding(ColumnList(columns)).columns
        #expect(slots == [.headline: 0, .detailImage: 1, .subheadline: 2, .footnote: 3, .status: 4, .substatusImage: 5])
        columns[6].cardSlot = .headline
        columns[5].cardSlot = .icon
        #expect(CardBinding(ColumnList(columns)).columns == [.headline: 6, .icon: 5])
        #expect(CardBinding(ColumnList(columns)).lineCount == 1)
        columns[2].isHidden = true
        columns[5].cardSlot = nil
        columns[6].cardSlot = nil
        #expect(
            CardBinding(ColumnList(columns)).columns == [
                .headline: 0, .detailImage: 1, .subheadline: 3, .footnote: 4, .statusImage: 5, .substatus: 6,
            ])
    }

    @Test func `B2: below a given width, rows are shown as cards, above it as a table, and the cursor's row is visible`() {
        var state = people(50, 4, .adaptive(below: 40)).after(.move(.row(3)))
        #expect(paint(state, source).line(0).contains("name"))
        state = state.after(.resize(GridSize(width: 30, height: 4)))
        #expect(paint(state, source).text.contains("▌ Edsger"))
        #expect(state.effectivePresentation == .cards)
        state = state.after(.resize(GridSize(width: 50, height: 4)))
        #expect(state.effectivePresentation == .table)
        #expect(state.cursor.row == 3)
    }

    @Test func `C5: arrows move between cards, page keys move by the visible cards, and collapsed sections hide cards`() {
        var state = people(44, 6, .cards, tree: Self.tree) { $0.cards.width = 20 }
        func cursorItem(after motions: GridMotion...) -> GridItem {
            for motion in motions { state = state.after(.move(motion)) }
            #expect(state.layout.tiles.contains { $0.item == state.cursor.item && $0.isWhole }, "the cursor is visible")
            return state.cursor.item
        }
        #expect(state.cursor.item == .header(0))
        #expect(cursorItem(after: .down(1)) == .row(0))
        #expect(cursorItem(after: .right(1)) == .row(1))
        #expect(cursorItem(after: .down(1)) == .header(1))
        #expect(cursorItem(after: .down(1)) == .row(2))
        #expect(cursorItem(after: .right(1), .down(1)) == .row(4))
        #expect(cursorItem(after: .up(1)) == .row(2))
        #expect(cursorItem(after: .top) == .header(0))
        #expect(cursorItem(after: .bottom) == .row(4))
        #expect(cursorItem(after: .firstColumn) == .row(4))
        state = state.after(.move(.top), .setCollapsed(section: 0, true))
        #expect(cursorItem(after: .down(1)) == .header(1))
        #expect(cursorItem(after: .pageDown) == .row(4))
    }

    @Test func `A10, C5: a click moves the cursor to a card and selects its row`() {
        let state = people(44, 9, .cards) { $0.cards.width = 20 }
        let clicked = state.after(.pointerDown(GridPoint(x: 25, y: 5), PointerPress()), .pointerUp(GridPoint(x: 25, y: 5)))
        #expect(clicked.cursor.item == .row(3))
        let selected = clicked.after(.beginSelection(.cells))
        #expect(selected.selectedRows() == [3])
        let dragged = state.after(
            .pointerDown(GridPoint(x: 3, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 30, y: 6)), .pointerUp(GridPoint(x: 30, y: 6)))
        #expect(dragged.selectedRows() == [0, 1, 2, 3])
    }

    // MARK: Transposed

    @Test func `C1: a transposed table shows rows side by side, a line per column, and titles on the left`() {
        let state = people(44, 7, .transposed) { $0.rowHeaderWidth = 4 }.after(.setSort([ColumnSort(1)]))
        #expect(
            paint(state, source).text == """
                       1          2          3          4  ›
                name   Ada        Alan       Barbara    Eds…
                city ▲ London     Wilmslow   Boston     Nue…
                work   analyst    codes      abstract…  ·
                state  active     active     retired    gone
                born   1,815      1,912      1,939      …

                """)
    }

    @Test func `C1, B5: in a transposed table, columns keep their alignment and width`() {
        var state = grid("name:9 born:40:i", rows: 2, frame: (60, 5)) {
            $0.rowHeaderWidth = 4
            $0.showsAccessories = true
        }
        let years = RecordingSource("Ada|1815\nAlan|1912")
        (years.corner, years.accessories) = (CellContent("no"), [0: .disclosure])
        state = state.after(.setPresentation(.transposed))
        #expect(paint(state, years).line(2) == "born  1,815                                     1,912")
        var column = state.columns[1]
        column.alignment = .trailing
        #expect(
            paint(state.after(.updateColumn(column)), years).lines() == [
                "no    1                                         2          ›", "name  Ada                                       Alan",
                "born                                     1,815             …", "", "      ›",
            ])
        #expect(
            state.layout.hit(GridPoint(x: 20, y: 4)) == .accessory(0) && state.layout.hit(GridPoint(x: 20, y: 3)) == .rowHeader(.row(0)))
        #expect(state.after(.resize(GridSize(width: 60, height: 3))).layout.accessoryY == nil)
    }

    @Test func `A20, C5: totals are shown below cards if there is room`() {
        source.totals = [4: CellContent("9595"), 0: CellContent("five")]
        #expect(paint(people(40, 9, .cards) { $0.showsTotals = true }, source).line(8) == "Σ  name five  born 9,595")
        let narrow = people(16, 9, .cards) { $0.showsTotals = true }
        #expect(paint(narrow, source).line(8) == "Σ  name five" && narrow.layout.tiles.allSatisfy { $0.y + $0.height <= 8 })
        #expect(narrow.after(.resize(GridSize(width: 16, height: 1))).layout.strips.isEmpty)
    }

    @MainActor
    private final class Sums: GridDataSource {
        var requestCount = 0
        func numberOfRows(inSection section: Int) -> Int { 9 }
        func content(row: RowID, column: ColumnID) -> CellContent { .missing }
        func total(column: ColumnID) -> CellContent? {
            requestCount += 1
            return CellContent("\(column.rawValue)")
        }
    }

    @Test func `A6: below cards, only the totals that fit in the line and one more are requested`() {
        let source = Sums()
        var metrics = GridMetrics.threeHeaderLines
        metrics.showsTotals = true
        var state = GridState(columns: (0..<10_000).map { Column(id: ColumnID($0), title: "c") }, metrics: metrics)
        _ = state.apply(.resize(GridSize(width: 30, height: 9)))
        _ = state.apply(.setRows(.natural(count: 9)))
        _ = state.apply(.setPresentation(.cards))
        var buffer = CellBuffer(size: TerminalSize(columns: 30, rows: 9))
        GridPainter(state, source: source).paint(on: &buffer)
        #expect(buffer.line(8) == "Σ  c 0  c 1  c 2  c 3  c 4")
        #expect(source.requestCount == 6)
    }

    @Test func `C4: the loader follows the last card, or the last row with a line for its text`() {
        let cards = people(30, 9, .cards).after(.setLoader(GridLoader("more rows")), .move(.bottom))
        #expect(paint(cards, source).lines().suffix(2) == ["", "         ▖ more rows"])
        let across = people(44, 7, .transposed).after(.setLoader(GridLoader("more rows")), .move(.bottom))
        #expect(
            paint(across, source).text == """
                name  ‹Edsger     日本語日…  ▖ more
                city   Nuenen     東京       rows
                work   ·          ␛[31mred
                state  gone       new
                born   1,930      7


                """)
    }

    @Test func `C1: in a transposed table, keys, clicks, frozen panes and selections use the same cells as in a table`() {
        var state = people(40, 4, .transposed).after(.freeze(FrozenPanes(leading: 1, rows: 1)))
        func cursor(after motions: GridMotion...) -> [Int] {
            for motion in motions { state = state.after(.move(motion)) }
            #expect(state.layout.tiles.contains { $0.item == state.cursor.item && $0.isWhole })
            #expect(state.layout.fields.contains { $0.index == state.cursor.column })
            return [state.cursor.row ?? -1, state.cursor.column]
        }
        #expect(cursor(after: .down(1)) == [0, 1])
        #expect(cursor(after: .right(2)) == [2, 1])
        #expect(cursor(after: .down(9)) == [2, 4])
        #expect(cursor(after: .right(9)) == [4, 4])
        #expect(cursor(after: .pageUp) == [2, 4])
        #expect(cursor(after: .top) == [0, 4])
        #expect(cursor(after: .row(3), .column(0)) == [3, 0])
        #expect(state.layout.tiles.first?.item == .row(0), "frozen rows stay at the left")
        #expect(state.layout.fields.first?.index == 0)
        let tile = state.layout.tiles.last { $0.isWhole }!
        let pressed = state.after(.pointerDown(GridPoint(x: tile.x + 1, y: 2), PointerPress()))
        #expect(pressed.cursor.item == tile.item)
        #expect(pressed.cursor.column == pressed.layout.fields[2].index)
        let clicked = GridLayout(state).hit(GridPoint(x: 1, y: 0))
        #expect(clicked == .header(0))
    }

    @Test(
        arguments: [(GridPresentation.cards, 40, 5), (.transposed, 12, 40)])
    func `A6: with ten thousand columns and ten million rows, only visible cells are requested, once each`(
        _ presentation: GridPresentation, rows: Int, columns: Int
    ) {
        let many = RecordingSource { row, column in CellContent("\(row.rawValue).\(column.rawValue)") }
        var metrics = GridMetrics.threeHeaderLines
        metrics.showsScrollBar = false
        metrics.cards.width = 27
        metrics.titleWidth = 8
        metrics.cards.padding.width = 0
        let columnList = (0..<10_000).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(6)) }
        var state = GridState(columns: columnList, metrics: metrics)
            .after(
                .resize(GridSize(width: 120, height: 40)), .setRows(.natural(count: 10_000_000), tree: nil), .setPresentation(presentation))
        for motion in [GridMotion.bottom, .pageUp, .row(5_000_000), .pageDown] { state = state.after(.move(motion)) }
        if presentation == .transposed { state = state.after(.move(.column(5_000))) }
        _ = paint(state, many)
        #expect(state.visibleRows.count == rows && many.requests.count == rows && many.cells == rows * columns)
        #expect(many.requests.values.allSatisfy { Set($0).count == columns })
        #expect(state.visibleRows.contains(state.currentRow!))
    }

    @Test func `C1, C5: after random actions, a moved cursor is visible, and tiles do not overlap`() {
        var random = SplitMix64(seed: 7)
        for seed in 0..<12 {
            var state = people(
                Int.random(in: 1...60, using: &random), Int.random(in: 1...20, using: &random), .cards,
                tree: seed % 2 == 0 ? Self.tree : nil
            ) {
                $0.cards.width = seed % 3 == 0 ? nil : Int.random(in: 1...30, using: &random)
                $0.rowHeaderWidth = seed % 4 == 0 ? 0 : 5
                $0.showsTotals = seed % 3 == 1
                $0.showsAccessories = seed % 2 == 0
                $0.isPaged = seed % 5 == 3
            }
            state.interaction.allowsRowReordering = seed % 3 != 0
            for _ in 0..<300 {
                let point = GridPoint(x: Int.random(in: -2...62, using: &random), y: Int.random(in: -2...22, using: &random))
                let actions: [GridAction] = [
                    .move(.up(1)), .move(.down(1)), .move(.left(1)), .move(.right(2)), .move(.pageDown), .move(.pageUp), .move(.bottom),
                    .move(.top),
                    .move(.nextColumn), .move(.previousSection), .move(.nextSection), .scroll(items: 2, columns: -1),
                    .scroll(items: -3, columns: 1),
                    .scrollLines(3), .scrollLines(-3),
                    .setPresentation([.cards, .transposed, .table, .adaptive(below: 30)].randomElement(using: &random)!),
                    .toggleSection(Int.random(in: 0...1, using: &random)), .pointerDown(point, PointerPress()), .pointerMoved(point),
                    .pointerUp(point),
                    .resize(GridSize(width: Int.random(in: 0...60, using: &random), height: Int.random(in: 0...20, using: &random))),
                    .freeze(FrozenPanes(leading: Int.random(in: 0...3, using: &random), rows: Int.random(in: 0...3, using: &random))),
                    .setHidden(ColumnID(Int.random(in: 0...4, using: &random)), Bool.random(using: &random)),
                    .pointerDown(point, PointerPress(.middle)), .dragTick, .cancelDrag,
                    .setLoader(Bool.random(using: &random) ? GridLoader("more") : nil),
                ]
                let action = actions.randomElement(using: &random)!
                state = state.after(action)
                state.checkInvariants()
                let tiles = state.layout.tiles
                if case .move = action, !tiles.isEmpty {
                    let (item, fields) = (state.cursor.item, state.layout.fields)
                    #expect(tiles.contains { $0.item == item }, "the cursor after \(action), \(state.size)")
                    #expect(fields.isEmpty || fields.contains { $0.index == state.cursor.column })
                }
                for (index, tile) in tiles.enumerated() {
                    #expect(tile.x >= 0 && tile.y >= 0 && tile.width > 0 && tile.height > 0)
                    #expect(tile.x + tile.width <= state.size.width && tile.y + tile.height <= state.size.height)
                    for other in tiles[(index + 1)...] {
                        let isDisjoint =
                            tile.x + tile.width <= other.x || other.x + other.width <= tile.x || tile.y + tile.height <= other.y
                            || other.y + other.height <= tile.y
                        #expect(isDisjoint, "\(tile) \(other)")
                    }
                }
                var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
                GridPainter(state, source: source).paint(on: &buffer)
            }
        }
    }
}
