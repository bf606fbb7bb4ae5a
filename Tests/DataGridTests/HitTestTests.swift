import DataGrid
import Testing

@Suite struct HitTestTests {
    /// The hit target of every cell in a line, as letters: column titles for cells, capitals in the header, `|` separators, `#` row
    /// headers.
    /// `+` is the corner, `>` a toggle, `-` the rest of a section header, `!` the scroll bar, `.` nothing.
    private func picture(_ state: GridState, line y: Int) -> String {
        let layout = state.layout
        return String(
            (0..<layout.size.width).map { x -> Character in
                switch layout.hit(GridPoint(x: x, y: y)) {
                case .header(let index): Character(state.columns[index].title.uppercased())
                case .separator, .rowSeparator: "|"
                case .corner: "+"
                case .rowHeader: "#"
                case .sectionHeader(_, let onToggle): onToggle ? ">" : "-"
                case .cell(_, let column): Character(state.columns[column].title)
                case .accessory: ">"
                case .scrollBar: "!"
                case .nothing: "."
                }
            })
    }

    @Test func `A17: every cell of the frame has a hit target`() {
        var state = grid("abc", rows: 3, frame: (30, 7), tree: sections("x 3")) {
            $0.rowHeaderWidth = 4
            $0.columnSpacing = 3
            $0.showsScrollBar = true
        }
        #expect(picture(state, line: 0) == "++++AAAA|||BBBB|||CCCC||......")
        #expect(picture(state, line: 1) == ">>---------------------------!")
        #expect(picture(state, line: 2) == "####aaaaaaabbbbbbbcccccc.....!")
        #expect(picture(state, line: 5) == ".............................!")
        state.play(.freeze(FrozenPanes(leading: 1, trailing: 1)))
        #expect(picture(state, line: 0) == "++++AAAA|||BBBB||||||||||CCCC|")
    }

    @Test func `B5: an accessory is hit together with the gap before it, and only in rows that have room for it`() {
        var state = grid("abc", rows: 3, frame: (30, 7), tree: sections("x 3")) {
            $0.showsAccessories = true
            $0.showsScrollBar = true
        }
        #expect(picture(state, line: 0) == "AAAA|BBBB|CCCC||..............")
        #expect(picture(state, line: 1) == ">>---------------------------!")
        #expect(picture(state, line: 2) == "aaaaabbbbbcccccc...........>>!")
        #expect(state.layout.hit(GridPoint(x: 27, y: 3)) == .accessory(1))
        state.play(.pointerDown(GridPoint(x: 27, y: 3), PointerPress()))
        #expect(state.cursor.item == .row(1))
        state.play(.freeze(FrozenPanes(trailing: 1)))
        #expect(picture(state, line: 3) == "aaaaabbbbbbbbbbbbbbbbbbcccc>>!")
        state.play(.resize(GridSize(width: 6, height: 7)))
        #expect(state.layout.accessoryX == nil)
    }

    @Test func `B4: without spacing, the last cell of a title is the resize edge, unless it is the only cell`() {
        var state = grid("abc", rows: 3, frame: (16, 4)) { $0.columnSpacing = 0 }
        #expect(picture(state, line: 0) == "AAA|BBB|CCCC||..")
        #expect(picture(state, line: 1) == "aaaabbbbcccccc..")
        #expect(state.drag((3, 0), (5, 0)).last == .columnResized(0, width: 6))
        #expect(state.drag((2, 0), (2, 0)) == [.headerActivated(0, isAdding: false)])
        state.play(.setWidth(0, .fixed(1)))
        #expect(picture(state, line: 0) == "ABBB|CCCC||.....")
    }

    @Test func `C1, A9: in a transposed table, a drag of the gap after the header of a fully visible row resizes rows`() {
        var state = grid("ab", rows: 3, frame: (30, 4)) { $0.rowHeaderWidth = 3 }
        state.play(.setPresentation(.transposed))
        #expect(picture(state, line: 0) == "+++########|########|########|")
        #expect(picture(state, line: 1) == "AAAaaaaaaaa.aaaaaaaa.aaaaaaaa.")
        state.metrics.columnSpacing = 0
        #expect(picture(state, line: 0) == "+++#######|#######|########||.")
        state.play(.resize(GridSize(width: 25, height: 4)))
        #expect(picture(state, line: 0) == "+++#######|#######|######")
        #expect(state.layout.hit(GridPoint(x: 10, y: 0)) == .rowSeparator(0))
    }

    @Test func `A15, C1, C5: a section is toggled at its ▸ or ▾, above cards and in a transposed table`() {
        var state = grid("ab", rows: 3, frame: (30, 8), tree: sections("x\n  y\n    z 3")) { $0.rowHeaderWidth = 3 }
        state.play(.setPresentation(.cards))
        #expect(picture(state, line: 2).hasPrefix("--->>>---"))
        state.play(.setPresentation(.transposed))
        let (z, y) = (state.layout.tiles[2].x, 2)
        #expect(state.layout.tiles[2].item == .header(2))
        func toggles(_ x: Int, _ y: Int) -> Bool { state.layout.hit(GridPoint(x: z + x, y: y)) == .sectionHeader(2, onToggle: true) }
        #expect((0..<4).map { toggles($0, y) } == [true, true, false, false])
        #expect(!toggles(0, 0) && !toggles(0, y + 1))
    }

    @Test func `A17: a clipped column has no edge to drag`() {
        let state = grid("abc", width: 8, frame: (14, 4))
        #expect(picture(state, line: 0) == "AAAAAAAA|BBBBB")
        #expect(state.layout.hit(GridPoint(x: -1, y: 0)) == .nothing)
        #expect(state.layout.hit(GridPoint(x: 0, y: 4)) == .nothing)
    }

    @Test func `A6: the row under the pointer is found, including sticky headers and frozen rows`() {
        var state = grid("a", rows: 20, frame: (8, 8), tree: sections("x 9\ny 11"))
        state.play(.freeze(FrozenPanes(rows: 2)), .scroll(items: 4, columns: 0))
        #expect(sketch(state) == "a\n▾ X    =\n0a     =\n5a\n6a\n7a\n8a\n▾ y")
        #expect(state.layout.hit(GridPoint(x: 5, y: 1)) == .sectionHeader(0, onToggle: false))
        #expect(state.layout.hit(GridPoint(x: 0, y: 2)) == .cell(row: 0, column: 0))
        #expect(state.layout.hit(GridPoint(x: 0, y: 4)) == .cell(row: 6, column: 0))
        #expect(state.layout.hit(GridPoint(x: 1, y: 7)) == .sectionHeader(1, onToggle: true))
    }

    @Test(arguments: zip(0..<16, [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]))
    func `A17: the drop position between columns is found`(x: Int, index: Int) {
        #expect(grid("abc").layout.insertionIndex(atX: x) == index)
    }

    @Test func `A6: the ends of the scroll bar lead to the first and the last row`() {
        var state = grid("abc", rows: 1_000, frame: (20, 11)) { $0.showsScrollBar = true }
        #expect(state.layout.hit(GridPoint(x: 19, y: 1)) == .scrollBar(0))
        #expect(state.layout.hit(GridPoint(x: 19, y: 10)) == .scrollBar(1))
        state.play(.pointerDown(GridPoint(x: 19, y: 10), PointerPress()))
        #expect(state.scroll.top == 990)
        state.play(.pointerMoved(GridPoint(x: 3, y: -4)))
        #expect(state.scroll.top == 0)
        state.play(.pointerMoved(GridPoint(x: 3, y: 400)))
        #expect(state.scroll.top == 990)
        #expect(state.isCursorVisible)
    }
}
