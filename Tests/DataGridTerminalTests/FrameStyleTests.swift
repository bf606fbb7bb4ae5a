import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor
@Suite struct FrameStyleTests {
    private let source = RecordingSource("ab|12|?x\ncd|·|y\na\u{1}b|3|long text")
    private let theme = Theme.dark

    private func state(_ height: Int = 4) -> GridState { grid("a:4 n:4:i t:5", rows: 3, frame: (20, height)) { $0.rowHeaderWidth = 3 } }

    /// A letter for the style of each body cell: `C` cursor, `S` selection, `B` both, `u` unreadable, `m` marked, `H` current row number,
    /// `f` match, `F` match under the cursor, `.` plain.
    private func styles(_ buffer: CellBuffer) -> [String] {
        var letters: [TextStyle: Character] = [:]
        for (style, letter) in [
            (theme.cursor, "C"), (theme.selection, "S"), (theme.mark, "m"), (theme.currentRowHeader, "H"), (theme.unreadable, "u"),
            (theme.match, "f"), (theme.currentMatch, "F"),
        ] as [(CellStyle, Character)] {
            letters[style.textStyle] = letter
        }
        return Array(buffer.styleLines(letters).dropFirst())
    }

    @Test func `A4: the cursor, the current row, marks and unreadable cells have their own styles`() {
        let expected = [".HHCCCC........u....", "............m.......", "....m..............m"]
        #expect(styles(paint(state(), source)) == expected)
    }

    @Test func `A4: a null is shown as a word in the style of marks, and a search does not match it`() {
        let source = RecordingSource("ab|1|x\ncd|2|y\nef|3|z")
        (source.rows[1][1], source.rows[1][2]) = (.null, .null)
        let buffer = paint(state(), source, matching: "u")
        #expect(buffer.line(2).contains("null  null"))
        #expect(styles(buffer)[1] == ".........mmmm..mmmm.")
    }

    @Test func `A10: the selection is tinted, and the cursor remains visible in it`() {
        let selected = state().after(.move(.down(1), extending: true), .move(.right(1), extending: true))
        #expect(styles(paint(selected, source)).prefix(2).map { $0.prefix(13) } == ["...SSSSSSSSSS", ".HHSSSSSSCCCC"])
        let inverted = styles(paint(selected.after(.invertSelection), source))
        #expect(inverted[0] == "...............?SSSS")
    }

    @Test func `D7: search matches in cells are highlighted, including matches in wrapped lines`() {
        let source = RecordingSource("xab|12\nbb|212\nb|5")
        let state = grid("a:4 n:5:i", rows: 3, frame: (11, 4))
        #expect(styles(paint(state, source, matching: "b")) == ["CCFC.......", "ff.........", "f.........."])
        #expect(styles(paint(state, source, matching: "12"))[0...1] == ["CCCC.....ff", ".........ff"])
        let tall = grid("a:4", rows: 1, frame: (4, 4)) { $0.rowHeight = 3 }
        #expect(styles(paint(tall, RecordingSource("no yes no"), matching: "no")) == ["FFCC", "CCCC", "FFCC"])
    }

    @Test func `A4: the styles of row, cell and column are layered, and a header uses only its own style`() {
        let delegate = StyleDelegate()
        func ground(_ hex: UInt32) -> CellStyle { CellStyle(background: Color(hex)) }
        delegate.rows[1] = ground(0x000001)
        delegate.cells[[1, 2]] = ground(0x000002)
        var state = state()
        var column = state.columns[1]
        column.style = ground(0x000003)
        column.headerStyle = CellStyle(foreground: Color(0x000004))
        state = state.after(.updateColumn(column))
        let buffer = paint(state, source, delegate: delegate)
        #expect([1, 5, 10, 15].map { buffer[$0, 2].style.background.blue } == [1, 1, 1, 2])
        #expect(
            [5, 10, 15].map { buffer[$0, 3].style.background } == [.terminalDefault, ground(3).textStyle.background, .terminalDefault])
        #expect(buffer[12, 0].style.foreground == CellStyle(foreground: Color(4)).textStyle.foreground)
        #expect(buffer[12, 0].style.background == theme.header.textStyle.background)
    }

    @Test func `A4: the alternating row style restarts in every section`() {
        var theme = Theme.plain
        theme.alternateRow = CellStyle(background: Color(0x000009))
        let tree = SectionTree([Section(title: "x", rows: 0..<3), Section(title: "y", rows: 3..<5)])
        let state = grid("a:4", rows: 5, frame: (6, 8), tree: tree, theme: theme)
        let buffer = paint(state, RecordingSource("a\nb\nc\nd\ne"))
        #expect((1..<8).map { buffer[5, $0].style.background.blue } == [0, 0, 9, 0, 0, 0, 9])
    }

    @Test func `A17: a dragged column is tinted, and a bar marks its target`() {
        func drag(_ from: Int, _ to: Int) -> CellBuffer {
            paint(state().after(.pointerDown(GridPoint(x: from, y: 0), PointerPress()), .pointerMoved(GridPoint(x: to, y: 0))), source)
        }
        let buffer = drag(4, 14)
        #expect((0..<4).map { buffer[14, $0].text } == ["┃", "┃", "┃", "┃"])
        #expect(buffer[4, 2].style == theme.dragTint.textStyle)
        #expect(drag(10, 4)[2, 1].text == "┃")
        #expect(drag(4, 19)[19, 1].text == "┃")
        #expect(!drag(4, 5).text.contains("┃"))
    }

    @Test func `A17: a drag tint without a color changes no cell, and one with an alpha value is blended`() throws {
        func dragged(_ tint: CellStyle) -> CellBuffer {
            let state = state().after(
                .setStyle(.dragTint, tint), .pointerDown(GridPoint(x: 4, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 14, y: 0)))
            return paint(state, source)
        }
        #expect(dragged(.none)[4, 2].style == paint(state(), source)[4, 2].style)
        #expect(dragged(.none)[14, 2].text == "┃")
        let half = Color(0xff0000, alpha: 128)
        let blended = half.blended(over: try #require(theme.ground.background))
        #expect(dragged(CellStyle(background: half))[4, 2].style.background == CellStyle(background: blended).textStyle.background)
    }

    @Test func `A17: dragged rows are tinted, and a line marks their target`() {
        func drag(_ from: Int, _ to: Int, lines: GridLines = .none, frame: (Int, Int) = (12, 8)) -> CellBuffer {
            var state = grid("a:3", rows: 9, frame: frame) {
                $0.rowHeaderWidth = 5
                $0.gridLines = lines
            }
            state.interaction.allowsRowReordering = true
            state = state.after(.moveCursor(GridCursor(item: state.layout.itemSpans[from].item)))
            let y = { state.layout.itemSpans[$0].y }
            return paint(
                state.after(.pointerDown(GridPoint(x: 1, y: y(from)), PointerPress()), .pointerMoved(GridPoint(x: 1, y: y(to)))),
                RecordingSource { row, _ in CellContent("v\(row.rawValue)") })
        }
        func underlined(_ buffer: CellBuffer) -> [Int] {
            (0..<buffer.size.rows).filter { y in (0..<12).allSatisfy { buffer[$0, y].style.attributes.contains(.underline) } }
        }
        let down = drag(1, 4)
        #expect(down.text == "   │ a\n  1│ v0\n  2│ v1\n  3│ v2\n  4│ v3\n  5┷ v4\n  6│ v5\n  7│ v6")
        #expect(underlined(down) == [5])
        #expect((0..<12).allSatisfy { down[$0, 2].style.background == theme.dragTint.textStyle.background })
        #expect(down[6, 3].style.background != theme.dragTint.textStyle.background)
        #expect(underlined(drag(4, 1)) == [1], "above the target row")
        #expect(underlined(drag(4, 0)) == [0], "below the header")
        #expect(underlined(drag(4, 4)) == [], "a click is not a drag")
        #expect(underlined(drag(2, 0, frame: (12, 22))) == [1], "the types of the header")
        #expect(drag(0, 1, lines: .both).text.contains("  2│ v1 │\n━━━┷━━━━━━━━\n"), "the rule below a row")
    }

    @Test func `A6: the scroll bar shows which part of the grid is visible`() {
        func bar(_ rows: Int, top: Int, expected: Int? = nil) -> String {
            let state = grid("a:3", rows: rows, frame: (6, 9)) { $0.showsScrollBar = true }
                .after(.setExpectedRowCount(expected), .scroll(items: top, columns: 0))
            let buffer = paint(state, RecordingSource { _, _ in CellContent("") })
            return (1..<9).map { buffer[5, $0].text }.joined()
        }
        #expect(bar(8, top: 0) == "        ")
        #expect(bar(16, top: 0) == "▐▐▐▐    ")
        #expect(bar(16, top: 8) == "    ▐▐▐▐")
        #expect(bar(16, top: 1) == " ▐▐▐▐   ")
        #expect(bar(10_000_000, top: 0) == "▐       ")
        #expect(bar(10_000_000, top: 10_000_000) == "       ▐")
        // In the scroll bar, expected rows take room below the known rows.
        #expect(bar(8, top: 0, expected: 16) == "▐▐▐▐    ")
        #expect(bar(16, top: 6, expected: 32) == " ▐▐     ")
        #expect(bar(16, top: 8, expected: 32_000) == " ▐      ")
        #expect(bar(16, top: 8, expected: 10) == "    ▐▐▐▐")
    }

    @Test func `A8: the last frozen row is underlined`() {
        let buffer = paint(state().after(.freeze(FrozenPanes(rows: 1))), source)
        #expect((0..<20).allSatisfy { buffer[$0, 1].style.attributes.contains(.underline) })
        #expect((0..<20).allSatisfy { !buffer[$0, 2].style.attributes.contains(.underline) })
    }

    @Test func `A5: an empty area has the theme's background`() {
        let buffer = paint(grid("a:3", rows: 1, frame: (6, 4), theme: .contrast), RecordingSource("x"))
        #expect(buffer[2, 3].style == Theme.contrast.row.textStyle)
    }

    @Test func `A5: without colors, attributes distinguish every part from its neighbors`() {
        let neighbors: [(ThemePart, [ThemePart])] = [
            (
                .row,
                [
                    .rowHeader, .gridLine, .selection, .cursor, .match, .currentMatch, .mark, .unreadable, .rise, .fall, .update,
                    .updatedRow, .accessory,
                    .header, .sectionHeader, .dragTint, .insertionMark, .totals, .bottomEdge, .strip, .armedStrip, .panelSelection,
                    .scrollBar,
                ]
            ),
            (.rowHeader, [.currentRowHeader, .cursor, .selection]), (.selection, [.cursor, .match, .currentMatch, .unreadable, .mark]),
            (.updatedRow, [.rise, .fall, .update, .selection, .cursor]), (.cursor, [.match, .currentMatch, .unreadable, .mark, .update]),
            (.match, [.currentMatch, .unreadable]),
            (.header, [.currentHeader, .headerLine, .sortBadge, .textType, .numberType, .timeType, .flagType]),
            (.currentHeader, [.sortBadge, .headerLine, .textType]), (.sectionHeader, [.stuckSectionHeader, .sectionDetail]),
            (.stuckSectionHeader, [.sectionDetail, .row]), (.dragTint, [.insertionMark]), (.totals, [.bottomEdge]), (.strip, [.armedStrip]),
            (.title, [.titleDetail, .chip, .progress]), (.titleDetail, [.chip, .progress]), (.hint, [.hintKey, .message, .error]),
            (.message, [.error]), (.panel, [.panelSelection]),
        ]
        // These parts have their own glyphs, or other styles in other themes.
        let others: Set<ThemePart> = [.alternateRow, .card, .frozenEdge, .dataBar, .negativeDataBar, .sparkline]
        #expect(others.union(neighbors.flatMap { [$0.0] + $0.1 }) == Set(ThemePart.allCases))
        let plain = Theme.presets.filter { theme in
            ThemePart.allCases.allSatisfy { theme[$0].foreground == nil && theme[$0].background == nil }
        }
        #expect(plain.map(\.name) == ["plain"])
        for theme in plain {
            for (part, beside) in neighbors {
                for other in beside { #expect(theme[part] != theme[other], "\(part) and \(other)") }
            }
        }
    }

    @Test func `A5: without colors, no cell has a color; selection, cursor and plain cells differ`() {
        let state = grid("a:4 b:4", rows: 3, frame: (20, 4), theme: .plain).after(.move(.down(1), extending: true))
        let buffer = paint(state, RecordingSource("a|b\nc|d\ne|f"))
        #expect(buffer.cells.allSatisfy { $0.style.foreground.isDefault && $0.style.background.isDefault })
        #expect(buffer[0, 2].style.attributes.contains(.reverse))
        #expect(buffer[0, 1].style.attributes == .underline)
        #expect(buffer[0, 3].style == .plain)
    }
}
