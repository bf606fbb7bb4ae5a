import DataGrid
import Testing

/// The columns as `a b (c)`, hidden ones in parentheses.
private func text(_ list: ColumnList) -> String {
    list.all.map { $0.isHidden ? "(\($0.title))" : $0.title }.joined(separator: " ")
}

private func list(_ text: String) -> ColumnList {
    ColumnList(
        text.split(separator: " ").enumerated().map { index, word in
            Column(id: ColumnID(index), title: word.filter(\.isLetter), isHidden: word.hasPrefix("("))
        })
}

@Suite struct ColumnListTests {
    @Test func `A1: columns are added and inserted by place, and removed by ID`() {
        var columns = list("a b (c) d")
        columns.append(Column(id: 10, title: "x"))
        #expect(text(columns) == "a b (c) d x")
        columns.append(contentsOf: [Column(id: 11, title: "y"), Column(id: 12, title: "z", isHidden: true)])
        #expect(text(columns) == "a b (c) d x y (z)")
        columns.insert(Column(id: 13, title: "i"), at: 1)
        columns.insert(Column(id: 14, title: "j"), at: 99)
        columns.insert(Column(id: 15, title: "k"), at: -1)
        #expect(text(columns) == "k a i b (c) d x y (z) j")
        #expect(columns.remove(13)?.title == "i")
        #expect(columns.remove(13) == nil)
        #expect(text(columns) == "k a b (c) d x y (z) j")
    }

    @Test func `T3: a column takes at most 224 bytes, with or without a header item`() {
        #expect(MemoryLayout<Column>.stride <= 224)
        var column = Column(id: 0, title: "a")
        #expect(column.headerItem == nil)
        column.headerItem = CellContent("unit")
        #expect(column.headerItem?.text == "unit" && column != Column(id: 0, title: "a"))
        column.headerItem?.text = "m"
        #expect(column.headerItem == CellContent("m"))
        column.headerItem = nil
        #expect(column == Column(id: 0, title: "a"))
    }

    @Test func `A1: the place of a column counts all columns, and its index only the visible ones`() {
        let columns = list("(a) b (c) d e")
        #expect(columns.count == 3)
        #expect(columns.visible.map(\.title) == ["b", "d", "e"])
        #expect((0..<3).map { columns[$0].title } == ["b", "d", "e"])
        #expect(columns.place(of: 3) == 3)
        #expect(columns.index(of: 3) == 1)
        #expect(columns.index(of: 2) == nil)
        #expect(columns.place(of: 2) == 2)
        #expect(columns[ColumnID(9)] == nil)
        #expect(columns.visiblePlaces == [1, 3, 4])
    }

    @Test(
        arguments: [
            ("a b c d", 0, 2, "b c a d"), ("a b c d", 3, 0, "d a b c"), ("a b c d", 1, 1, "a b c d"), ("a b c d", 1, 99, "a c d b"),
            ("a b c d", 2, -5, "c a b d"), ("a (b) c d", 0, 1, "(b) c a d"), ("a (b) c (d) e", 4, 1, "a (b) e c (d)"),
            ("(a) b c", 2, 0, "(a) c b"), ("a (b) c", 1, 0, "a (b) c"),
        ])
    func `A1: a column is moved to an index among visible columns, past hidden ones`(before: String, id: Int, index: Int, after: String) {
        var columns = list(before)
        columns.move(ColumnID(id), toIndex: index)
        #expect(text(columns) == after)
    }

    @Test func `A1: hiding or showing a column renumbers the indexes`() {
        var columns = list("a b c")
        columns.update(1) { $0.isHidden = true }
        #expect(text(columns) == "a (b) c")
        #expect(columns.index(of: 2) == 1)
        columns.updateAll { $0.isHidden.toggle() }
        #expect(text(columns) == "(a) b (c)")
        #expect(columns.count == 1)
        columns.update(42) { $0.isHidden = true }
        #expect(text(columns) == "(a) b (c)")
    }

    @Test func `A1: numbers are right-aligned, flags centered and others left-aligned, unless the column decides`() {
        let kinds: [(Column, CellAlignment)] = [
            (Column(id: 0, title: "", kind: .integer), .trailing), (Column(id: 0, title: "", kind: .decimal), .trailing),
            (Column(id: 0, title: "", kind: .flag), .center), (Column(id: 0, title: "", kind: .text), .leading),
            (Column(id: 0, title: "", kind: .integer, alignment: .center), .center),
        ]
        for (column, alignment) in kinds { #expect(column.effectiveAlignment == alignment) }
    }
}
