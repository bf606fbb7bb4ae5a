import DataGrid
import Testing

@Suite struct HitTestTests {
    /// What is under every cell of a line, a letter each: columns by their titles in cells, as capitals in the header; `|` separators,
    /// `#` row headers, `+` the corner, `>` a toggle, `-` the rest of a section's header, `!` the scroll bar, `.` nothing.
    private func picture(_ state: GridState, line y: Int) -> String {
        let layout = state.layout
        return String(
            (0..<layout.size.width).map { x -> Character in
                switch layout.hit(GridPoint(x: x, y: y)) {
                case .header(let index): Character(state.columns[index].title.uppercased())
                case .separator: "|"
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

    @Test("A17: every place of the frame is something")
    func lines() {
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

    @Test("B5: what stands at the end of a row is hit with the blank before it, in rows only, and where there is room for it only")
    func accessories() {
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

    @Test("A17: a column that is cut has no edge to be dragged by")
    func cut() {
        let state = grid("abc", width: 8, frame: (14, 4))
        #expect(picture(state, line: 0) == "AAAAAAAA|BBBBB")
        #expect(state.layout.hit(GridPoint(x: -1, y: 0)) == .nothing)
        #expect(state.layout.hit(GridPoint(x: 0, y: 4)) == .nothing)
    }

    @Test("A6: rows under the pointer, stuck and frozen ones too")
    func rows() {
        var state = grid("a", rows: 20, frame: (8, 8), tree: sections("x 9\ny 11"))
        state.play(.freeze(FrozenPanes(rows: 2)), .scroll(items: 4, columns: 0))
        #expect(sketch(state) == "a\n▾ X    =\n0a     =\n5a\n6a\n7a\n8a\n▾ y")
        #expect(state.layout.hit(GridPoint(x: 5, y: 1)) == .sectionHeader(0, onToggle: false))
        #expect(state.layout.hit(GridPoint(x: 0, y: 2)) == .cell(row: 0, column: 0))
        #expect(state.layout.hit(GridPoint(x: 0, y: 4)) == .cell(row: 6, column: 0))
        #expect(state.layout.hit(GridPoint(x: 1, y: 7)) == .sectionHeader(1, onToggle: true))
    }

    @Test("A17: before which column something would be dropped", arguments: zip(0..<16, [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]))
    func insertion(x: Int, index: Int) {
        #expect(grid("abc").layout.insertionIndex(atX: x) == index)
    }

    @Test("A6: the scroll bar's ends are the ends of the rows")
    func scrollBar() {
        var state = grid("abc", rows: 1_000, frame: (20, 11)) { $0.showsScrollBar = true }
        #expect(state.layout.hit(GridPoint(x: 19, y: 1)) == .scrollBar(0))
        #expect(state.layout.hit(GridPoint(x: 19, y: 10)) == .scrollBar(1))
        state.play(.pointerDown(GridPoint(x: 19, y: 10), PointerPress()))
        #expect(state.scroll.top == 990)
        state.play(.pointerMoved(GridPoint(x: 3, y: -4)))
        #expect(state.scroll.top == 0)
        state.play(.pointerMoved(GridPoint(x: 3, y: 400)))
        #expect(state.scroll.top == 990)
        #expect(state.cursorIsInSight)
    }
}
