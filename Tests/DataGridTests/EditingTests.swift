import DataGrid
import Testing

/// The state of the cell editor.
@Suite struct EditingTests {
    private func open(tree: SectionTree? = nil) -> GridState {
        var state = grid("ab", rows: 6, frame: (12, 10), tree: tree)
        var column = state.columns[0]
        column.isEditable = true
        state.play(.updateColumn(column))
        return state
    }

    private func begin(_ state: inout GridState, _ row: RowID = 2) {
        state.play(.beginEditing(CellEditing(row: row, column: 0, original: "old")))
    }

    @Test func `A3: an edit request opens an editor in an editable column, and activates the cell in other columns`() {
        var state = open()
        #expect(state.play(.requestEdit()) == [.editRequested(0, 0, typed: nil)])
        #expect(state.play(.requestEdit(typed: "x")) == [.editRequested(0, 0, typed: "x")])
        state.go(.column(1))
        #expect(state.play(.requestEdit()) == [.cellActivated(0, 1)])
        #expect(state.play(.requestEdit(typed: "x")) == [])
    }

    @Test func `A3: an edit moves the cursor to its cell, and typing changes the field`() {
        var state = open(tree: sections("x 3\ny 3"))
        state.play(.setAllCollapsed(true))
        #expect(
            Set(state.play(.beginEditing(CellEditing(row: 4, column: 0, original: "old")))) == [.editingBegan(4, 0), .sectionExpanded(1)])
        #expect(state.cursor == GridCursor(item: .row(4)))
        state.play(.edit(.insert("x")), .edit(.start), .edit(.insert("_")), .rejectEdit("no"))
        #expect(state.editing?.field.string == "_oldx" && state.editing?.rejection == "no")
        state.play(.edit(.deleteForward))
        #expect(state.editing?.field.string == "_ldx" && state.editing?.rejection == nil && state.editing?.isChanged == true)
        #expect(state.play(.endEditing(committed: "_ldx")) == [.editingEnded(4, 0, committed: "_ldx")])
        #expect(state.editing == nil)
        #expect(CellEditing(row: 0, column: 0, original: "old", typed: "n").field.string == "n")
        #expect(state.play(.beginEditing(CellEditing(row: 99, column: 0, original: ""))) == [])
    }

    @Test func `A3: the editor stays with its row; it closes if its row or column disappears or the cursor leaves`() {
        var state = open()
        begin(&state)
        state.play(.setRows(.permuted(RowPermutation([5, 4, 3, 2, 1, 0]))))
        #expect(state.editing?.row == 2 && state.cursor.item == .row(3))
        state.play(.moveRows(3..<4, to: 0), .growRows(.natural(count: 9)), .freeze(FrozenPanes(leading: 1)), .moveColumn(0, toIndex: 1))
        #expect(state.editing?.row == 2 && state.currentRow == 2 && state.currentColumn?.id == 0)
        let ending: [GridAction] = [
            .setRows(.natural(count: 2)), .setHidden(0, true), .move(.down(1)), .replaceColumns([Column(id: 7, title: "z")]),
            .beginEditing(CellEditing(row: 1, column: 1, original: "")), .pointerDown(GridPoint(x: 1, y: 1), PointerPress()),
        ]
        for action in ending {
            var state = open()
            begin(&state)
            #expect(state.play(action).contains(.editingEnded(2, 0, committed: nil)), "\(action)")
        }
    }

    @Test func `E: pasted text has no control characters; line breaks and tabs become blanks`() {
        for (text, after) in [
            ("one\ttwo\r\nthree\n", "one two three"), ("a\u{1B}[31mb\u{7}\u{0}\u{9B}c\u{7F}", "a[31mbc"), ("x\r\n", "x"), ("\n", ""),
            ("\r\rq", "  q"), ("日本", "日本"),
        ] {
            var field = LineEditor("<>")
            field.apply(.left)
            field.paste(text)
            #expect(field.string == "<\(after)>")
        }
    }

    @Test func `an editor keeps the existing text unchanged, including line breaks`() {
        var field = LineEditor("a\r\nb\tc")
        field.apply(.insert("!"))
        #expect(field.string == "a\r\nb\tc!")
    }
}
