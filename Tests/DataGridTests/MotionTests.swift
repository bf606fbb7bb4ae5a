import DataGrid
import Testing

/// The place of the cursor: row and column, or the section of a header.
private func place(_ state: GridState) -> String {
    let column = state.columns[state.cursor.column].title
    switch state.cursor.item {
    case .row(let row): return "\(row)\(column)"
    case .header(let section): return "\(state.outline.tree!.sections[section].title):\(column)"
    }
}

@Suite struct MotionTests {
    @Test func `A13: a motion to an end of the grid scrolls fully to that end, even if the cursor is in a frozen pane`() {
        for presentation in [GridPresentation.table, .transposed] {
            var state = grid("abcdefgh", rows: 40, frame: (24, 7))
            state.play(.setPresentation(presentation), .freeze(FrozenPanes(leading: 1, trailing: 1, rows: 1, bottom: 1)))
            let start = state.scroll
            state.go(.bottom, .lastColumn)
            let end = state.scroll
            #expect(end.top > start.top && end.x > start.x && state.cursor == GridCursor(item: .row(39), column: 7))
            var scrolled = state
            scrolled.play(.scroll(items: 99, columns: 99))
            #expect(scrolled.scroll == end, "\(presentation)")
            state.go(.top, .firstColumn)
            scrolled.play(.scroll(items: -99, columns: -99))
            #expect(state.scroll == scrolled.scroll && state.cursor == GridCursor(item: .row(0), column: 0), "\(presentation)")
        }
    }

    /// Start, motion and destination in a grid of 20 rows and the columns a–e with a page of 5.
    @Test(
        arguments: [
            ("7c", .up(1), "6c"), ("7c", .up(99), "0c"), ("0c", .up(1), "0c"), ("7c", .down(3), "10c"), ("7c", .down(99), "19c"),
            ("19c", .down(1), "19c"), ("7c", .left(1), "7b"), ("7c", .left(9), "7a"), ("7a", .left(1), "7a"), ("7c", .right(1), "7d"),
            ("7c", .right(.max), "7e"), ("7e", .right(1), "7e"), ("7c", .down(.max), "19c"), ("7c", .firstColumn, "7a"),
            ("7c", .lastColumn, "7e"), ("7c", .top, "0c"), ("7c", .bottom, "19c"), ("7c", .row(3), "3c"), ("7c", .row(-4), "0c"),
            ("7c", .row(400), "19c"), ("7c", .column(1), "7b"), ("7c", .column(-1), "7a"), ("7c", .column(50), "7e"),
            ("7c", .nextColumn, "7d"), ("7e", .nextColumn, "8a"), ("19e", .nextColumn, "19e"), ("7c", .previousColumn, "7b"),
            ("7a", .previousColumn, "6e"), ("0a", .previousColumn, "0a"), ("7c", .pageDown, "12c"), ("7c", .pageUp, "2c"),
            ("7c", .halfPageDown, "9c"), ("7c", .halfPageUp, "5c"), ("0a", .pageUp, "0a"), ("19a", .pageDown, "19a"),
            ("7c", .nextSection, "7c"), ("7c", .previousSection, "7c"),
        ] as [(String, GridMotion, String)])
    func `D4: every cursor motion reaches its target, in the middle of the grid and at its ends`(
        from: String, motion: GridMotion, to: String
    ) {
        var state = grid("abcde", frame: (14, 6))
        state.go(.row(Int(from.dropLast())!), .column(Int(from.last!.asciiValue! - 97)))
        state.go(motion)
        #expect(place(state) == to)
        #expect(state.isCursorVisible)
    }

    @Test func `D4: the cursor stops at section headers, and can move to the next or previous header`() {
        var state = grid("ab", frame: (10, 6), tree: sections("p\n  x 2\n  y 3\nq\n  z 4"))
        func path(_ motion: GridMotion, _ count: Int) -> [String] {
            (0..<count).map { _ in
                state.go(motion)
                return place(state)
            }
        }
        #expect(place(state) == "p:a")
        #expect(path(.down(1), 5) == ["x:a", "0a", "1a", "y:a", "2a"])
        #expect(path(.nextSection, 3) == ["q:a", "z:a", "z:a"])
        #expect(path(.previousSection, 5) == ["q:a", "y:a", "x:a", "p:a", "p:a"])
        state.go(.row(3))
        #expect(path(.previousSection, 1) == ["y:a"])
        state.play(.toggleSection(0))
        #expect(place(state) == "p:a")
        #expect(path(.nextSection, 2) == ["q:a", "z:a"])
        #expect(path(.previousSection, 2) == ["q:a", "p:a"])
    }

    @Test func `A15: a move to a row of a collapsed section expands its sections`() {
        for action in [GridAction.move(.row(3)), .moveCursor(GridCursor(item: .row(3)))] {
            var state = grid("ab", frame: (10, 6), tree: sections("p\n  x 2\n  y 3\nq 1"))
            state.play(.setAllCollapsed(true), action)
            #expect(place(state) == "3a")
            #expect(state.outline.collapsed == [false, true, false, true])
            #expect(state.isCursorVisible)
        }
    }

    @Test func `D4: a cursor at an invalid position moves to the nearest valid one`() {
        var state = grid("abc", frame: (10, 6))
        state.play(.moveCursor(GridCursor(item: .row(99), column: 99)))
        #expect(place(state) == "19c")
        state.play(.moveCursor(GridCursor(item: .header(3), column: -1)))
        #expect(place(state) == "0a")
        state = grid("abc", frame: (10, 6), tree: sections("x 1\ny 2"))
        state.play(.moveCursor(GridCursor(item: .header(99), column: 1)))
        #expect(place(state) == "y:b")
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 9), (30, 1)])
    func `E: motions in an empty grid only change the column, in frames of any size`(width: Int, height: Int) {
        for (names, rows) in [("", 0), ("", 5), ("abc", 0)] {
            var state = grid(names, rows: rows, frame: (width, height))
            state.go(.up(1), .down(1), .left(1), .right(1), .pageUp, .pageDown, .top, .bottom, .row(3), .column(2), .nextColumn)
            state.go(.previousColumn, .nextSection, .previousSection, .firstColumn, .lastColumn, .halfPageUp, .halfPageDown)
            #expect(state.cursor == GridCursor(column: names.isEmpty ? 0 : 2))
            #expect(state.scroll.top == 0)
            state.go(.firstColumn)
            #expect(state.cursor == GridCursor() && state.scroll == GridScroll())
            state.checkInvariants()
        }
    }

    @Test func `A6: without rows, the cursor still moves among the columns, which scroll`() {
        for presentation in [GridPresentation.table, .transposed] {
            var state = grid("abcdefgh", rows: 0, frame: (15, 4))
            state.play(.setPresentation(presentation))
            let isTable = presentation == .table
            let (back, on) = isTable ? (GridMotion.left(1), GridMotion.right(1)) : (.up(1), .down(1))
            state.go(on, on)
            #expect(state.cursor == GridCursor(column: 2))
            state.go(back)
            #expect(state.cursor == GridCursor(column: 1))
            state.go(isTable ? .right(99) : .down(99))
            #expect(state.cursor == GridCursor(column: 7) && state.scroll.x > 0)
            state.play(.moveCursor(GridCursor(item: .row(5), column: 3)), .move(.nextColumn, extending: true))
            #expect(state.cursor == GridCursor(column: 4) && state.selection.isEmpty)
            state.checkInvariants()
        }
    }

    @Test func `E: a sort, filter or grouping that leaves no rows gives an empty grid`() {
        var state = grid("ab", tree: sections("x 10\ny 10"))
        state.play(.setRows(.natural(count: 0), tree: SectionTree([])))
        state.go(.down(1), .nextSection)
        #expect(sketch(state).hasPrefix("a    b\n"))
        state.play(.setRows(.natural(count: 3)))
        #expect(place(state) == "0a")
    }
}
