import DataGrid
import Testing

/// The visible columns, with frozen ones separated as in `ab|cde|f`, and the cursor's column as a capital.
private func text(_ state: GridState) -> String {
    let titles = state.columns.visible.enumerated().map { $0 == state.cursor.column ? $1.title.uppercased() : $1.title }
    let (leading, trailing) = (state.frozen.leading, state.frozen.trailing)
    let parts = [titles.prefix(leading), titles.dropFirst(leading).dropLast(trailing), titles.suffix(trailing)]
    return parts.map { $0.joined() }.joined(separator: "|")
}

/// Creates a grid from this notation.
private func grid(_ text: String) -> GridState {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    let names = text.filter { $0 != "|" }
    var state = grid(names.lowercased(), frame: (40, 8))
    state.play(.freeze(FrozenPanes(leading: parts[0].count, trailing: parts[2].count)))
    let cursor = names.firstIndex { $0.isUppercase }!
    state.go(.column(names.distance(from: names.startIndex, to: cursor)))
    return state
}

/// A column with this ID, titled with the corresponding letter.
private func column(_ id: Int, isHidden: Bool = false) -> Column {
    Column(id: ColumnID(id), title: String(UnicodeScalar(UInt8(97 + id))), width: .fixed(4), isHidden: isHidden)
}

@Suite struct ColumnActionTests {
    @Test(
        arguments: [
            ("a|bCde|f", .setHidden(1, true), "a|Cde|f"), ("a|bCde|f", .setHidden(2, true), "a|bDe|f"),
            ("a|bCde|f", .setHidden(0, true), "|bCde|f"), ("a|bCde|f", .setHidden(5, true), "a|bCde|"),
            ("|abC|", .setHidden(2, true), "|aB|"),
            ("|A|", .setHidden(0, true), "|A|"), ("|abC|", .moveColumn(2, toIndex: 0), "|Cab|"),
            ("|aBc|", .moveColumn(0, toIndex: 2), "|Bca|"),
            ("|abC|", .moveColumn(0, toIndex: 0), "|abC|"), ("|abC|", .moveColumn(9, toIndex: 0), "|abC|"),
            ("|abC|", .pinLeading(2), "C|ab|"), ("a|bcD|", .pinLeading(2), "ac|bD|"), ("aB|cd|", .pinLeading(0), "B|acd|"),
            ("|aBc|", .pinTrailing(0), "|Bc|a"), ("|Ab|cd", .pinTrailing(2), "|Abc|d"),
            ("a|Bc|", .pinTrailing(0), "|Bc|a"), ("|Bc|a", .pinLeading(2), "a|Bc|"), ("a|B|c", .pinLeading(1), "a|B|c"),
            ("|A|", .pinLeading(0), "|A|"), ("|aB|", .pinLeading(7), "|aB|"), ("ab|Cd|", .pinTrailing(0), "b|Cd|a"),
        ] as [(String, GridAction, String)])
    func `D5: the cursor stays in its column through every change of columns`(before: String, action: GridAction, after: String) {
        var state = grid(before)
        state.play(action)
        #expect(text(state) == after)
        #expect(state.isCursorVisible)
    }

    @Test(arguments: ["ab|Cde|fg", "a|Bcde|f", "a|B|c"])
    func `D5, A8: a frozen column that is hidden is frozen again when shown`(before: String) {
        let all = grid(before)
        for id in all.columns.all.map(\.id) where id != all.currentColumn?.id {
            var state = all
            state.play(.setHidden(id, true))
            #expect(text(state).filter { $0 != "|" }.count == all.columns.count - 1)
            #expect(state.play(.freeze(state.frozenPanes(togglingColumns: false, rows: true))) == [.frozenPanesChanged])
            state.play(.setHidden(id, false), .setHidden(id, false))
            #expect(text(state) == before)
        }
    }

    @Test func `A8: hiding and showing all frozen columns, in any order, keeps them frozen`() {
        for order in [[0, 1, 4], [4, 1, 0], [1, 4, 0]] as [[ColumnID]] {
            var state = grid("ab|cD|e")
            for id in [0, 1, 4] as [ColumnID] { state.play(.setHidden(id, true)) }
            #expect(text(state) == "|cD|")
            state.play(.insertColumns([column(20)], atPlace: 4), .moveColumn(3, toIndex: 0), .removeColumns([2]))
            #expect(text(state) == "|Du|")
            for id in order { state.play(.setHidden(id, false)) }
            #expect(text(state) == "ab|Du|e")
        }
    }

    @Test func `A8: freezing up to a column includes the hidden ones before it; unfreezing releases them`() {
        var state = grid("|abcD|")
        state.play(.setHidden(1, true), .freeze(FrozenPanes(leading: 2)), .setHidden(1, false))
        #expect(text(state) == "abc|D|")
        state.play(.setHidden(1, true), .freeze(FrozenPanes()), .setHidden(1, false))
        #expect(text(state) == "|abcD|")
    }

    @Test(
        arguments: [
            ("ab|Cd|", .moveColumn(2, toIndex: 0), "Cab|d|"), ("ab|Cd|", .moveColumn(2, toIndex: 1), "aCb|d|"),
            ("ab|Cd|", .moveColumn(3, toIndex: 2), "ab|dC|"), ("aB|cd|", .moveColumn(1, toIndex: 0), "Ba|cd|"),
            ("aB|cd|", .moveColumn(1, toIndex: 2), "a|cBd|"), ("aB|cd|", .moveColumn(1, toIndex: 3), "a|cdB|"),
            ("|aB|cd", .moveColumn(1, toIndex: 2), "|a|cBd"), ("|ab|Cd", .moveColumn(2, toIndex: 1), "|aCb|d"),
            ("|ab|Cd", .moveColumn(2, toIndex: 0), "|Cab|d"), ("A|bc|d", .moveColumn(0, toIndex: 3), "|bc|dA"),
        ] as [(String, GridAction, String)])
    func `A8, A17: a column moved across the border of the frozen pane is frozen or unfrozen; no other column is`(
        before: String, action: GridAction, after: String
    ) {
        var state = grid(before)
        let events = state.play(action)
        #expect(text(state) == after)
        #expect(
            events.contains(.frozenPanesChanged)
                == (before.split(separator: "|", omittingEmptySubsequences: false).map(\.count)
                    != after.split(separator: "|", omittingEmptySubsequences: false).map(\.count)))
    }

    @Test func `A8: an application freezes columns by their property, which also moves them to the border`() {
        var columns = (0..<5).map { column($0) }
        (columns[1].frozenSide, columns[3].frozenSide) = (.trailing, .leading)
        var state = GridState(columns: columns)
        state.play(.resize(GridSize(width: 40, height: 8)), .setRows(.natural(count: 5)))
        #expect(text(state) == "D|ace|b")
        var last = state.columns[ColumnID(4)]!
        last.frozenSide = .leading
        state.play(.updateColumn(last))
        #expect(text(state) == "De|ac|b")
        last.frozenSide = nil
        state.play(.updateColumn(last))
        #expect(text(state) == "D|eac|b")
    }

    @Test func `A1: hiding a column by an update keeps the frozen columns`() {
        var state = grid("ab|Cde|")
        var column = state.columns[0]
        column.isHidden = true
        column.title = "x"
        state.play(.updateColumn(column))
        #expect(text(state) == "b|Cde|")
        column.isHidden = false
        state.play(.updateColumn(column))
        #expect(text(state) == "xb|Cde|")
    }

    @Test func `A1, A8: replacing all columns keeps the cursor's column, and freezes columns whose frozen side is set`() {
        var state = grid("ab|cD|ef")
        state.play(.replaceColumns([Column(id: 3, title: "d"), Column(id: 9, title: "z")]))
        #expect(text(state) == "|Dz|")
        var frozen = Column(id: 9, title: "z")
        frozen.frozenSide = .leading
        state.play(.replaceColumns([Column(id: 3, title: "d"), frozen]))
        #expect(text(state) == "z|D|")
        state.play(.replaceColumns([]))
        #expect(state.cursor.column == 0)
        #expect(state.frozen == FrozenPanes())
    }

    @Test(arguments: [1, 2]) func `A8: visible rows stay in place when rows above them are frozen or unfrozen`(count: Int) {
        var state = grid("ab", rows: 40, frame: (12, 9))
        state.go(.row(20), .up(3))
        func places() -> [Int: Int] {
            var places: [Int: Int] = [:]
            for line in state.layout.itemSpans where line.pane == .scrolling {
                if case .row(let row) = line.item { places[row] = line.y }
            }
            return places
        }
        let before = places()
        #expect(before[13] == 1 && before[20] == 8)
        state.play(.freeze(FrozenPanes(rows: count)))
        #expect(places() == before.filter { $0.key >= 13 + count })
        state.play(.freeze(FrozenPanes()))
        #expect(places() == before)
    }

    @Test func `A8: freezing all columns leaves one column that scrolls, and counts below 0 freeze nothing`() {
        var state = grid("|abC|")
        state.play(.freeze(FrozenPanes(leading: 9, trailing: 9, rows: 99)))
        #expect(state.frozen == FrozenPanes(leading: 2, trailing: 0, rows: 20))
        state.play(.freeze(FrozenPanes(leading: -1, trailing: -1, rows: -1)))
        #expect(state.frozen == FrozenPanes())
    }

    @Test func `D5: a column is resized only if it is resizable, and not below its minimum`() {
        var state = grid("|aB|")
        #expect(state.play(.setWidth(0, .fixed(9))) == [.columnResized(0, width: 9)])
        #expect(state.play(.resizeColumn(0, by: -2)) == [.columnResized(0, width: 7)])
        #expect(state.play(.resizeColumn(0, by: -20)) == [.columnResized(0, width: 3)])
        #expect(state.drag((3, 0), (0, 0)).last == .columnResized(0, width: 3))
        var column = state.columns[1]
        column.isResizable = false
        #expect(state.play(.updateColumn(column), .setWidth(1, .fixed(9)), .resizeColumn(1, by: 1), .resizeColumn(42, by: 1)) == [])
        #expect(state.layout.geometry.widths == [3, 4])
    }

    @Test func `A17: a column that is not reorderable cannot be moved`() {
        var state = grid("|abC|")
        #expect(state.play(.moveColumn(2, toIndex: 0)) == [.columnMoved(2, from: 2, to: 0)])
        var column = state.columns[0]
        column.isReorderable = false
        #expect(state.play(.updateColumn(column), .moveColumn(2, toIndex: 2)) == [])
        #expect(text(state) == "|Cab|")
    }

    @Test(
        arguments: [
            ("a|bC|d", .insertColumns([column(20), column(21)], atPlace: 99), "a|bC|duv"),
            ("a|bC|", .insertColumns([column(20)], atPlace: 99), "a|bCu|"),
            ("ab|C|d", .insertColumns([column(20)], atPlace: 1), "aub|C|d"),
            ("a|bC|d", .insertColumns([column(20)], atPlace: 1), "a|ubC|d"),
            ("a|bC|de", .insertColumns([column(20)], atPlace: 4), "a|bC|due"),
            ("a|bC|d", .insertColumns([column(20)], atPlace: 3), "a|bCu|d"),
            ("a|bC|d", .insertColumns([column(20, isHidden: true)], atPlace: 0), "a|bC|d"),
            ("|Ab|", .insertColumns([column(1), column(20), column(20)], atPlace: -3), "|uAb|"),
            ("a|bCd|e", .removeColumns([2]), "a|bD|e"), ("a|bC|", .removeColumns([2]), "a|B|"),
            ("ab|Cd|e", .removeColumns([0, 4, 9]), "b|Cd|"),
            ("a|B|c", .removeColumns([1]), "a|C|"), ("|aB|", .removeColumns([]), "|aB|"),
        ] as [(String, GridAction, String)])
    func `A1: inserting and removing columns keeps the cursor and frozen columns`(before: String, action: GridAction, after: String) {
        var state = grid(before)
        state.play(action)
        #expect(text(state) == after)
        #expect(state.isCursorVisible)
        state.checkInvariants()
    }

    @Test func `A1: a removed column loses its sort key and selection, and other columns keep theirs`() {
        var state = grid("|abCd|")
        state.play(
            .setSort([ColumnSort(1), ColumnSort(3, isDescending: true)]), .setWidth(3, .fixed(9)),
            .setSelection(
                Selection(blocks: [
                    SelectionBlock(rows: 1..<3, columns: [1]), SelectionBlock(rows: 4..<5, columns: [1, 3]),
                    SelectionBlock(rows: 6..<7, columns: nil),
                ])),
            .pointerDown(GridPoint(x: 6, y: 0), PointerPress()), .removeColumns([1]))
        #expect(state.drag == nil)
        #expect(state.sort == [ColumnSort(3, isDescending: true)])
        #expect(state.selection.blocks == [SelectionBlock(rows: 4..<5, columns: [3]), SelectionBlock(rows: 6..<7, columns: nil)])
        #expect(state.layout.geometry.widths == [4, 4, 9])
        state.play(.setHidden(0, true), .setHidden(3, true), .removeColumns([2]))
        #expect(text(state) == "|A|", "one column stays visible")
        state.play(.removeColumns([0, 3]))
        #expect(state.columns.all.isEmpty)
        state.play(.insertColumns([column(20)], atPlace: 0))
        #expect(text(state) == "|U|")
        state.play(.setSort([ColumnSort(20)]), .replaceColumns([column(21)]))
        #expect(state.sort.isEmpty)
    }
}
