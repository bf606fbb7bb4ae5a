import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Grids without rows.
@MainActor
@Suite struct EmptyGridTests {
    private final class List: GridDataSource {
        var count = 0
        var text = "No rows"
        private(set) var requestCount = 0
        func numberOfRows(inSection section: Int) -> Int { count }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("x") }
        var emptyText: String {
            requestCount += 1
            return text
        }
    }

    private final class Contacts: GridDataSource {
        func numberOfRows(inSection section: Int) -> Int { 0 }
        func content(row: RowID, column: ColumnID) -> CellContent { .missing }
        var rowNoun: RowNoun { RowNoun("contact", "contacts") }
    }

    private let list = List()
    private let state = grid("a:8 b:8", rows: 0, frame: (20, 6))

    private func lines(_ state: GridState) -> [String] {
        var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
        GridPainter(state, source: list).paint(on: &buffer)
        return buffer.lines()
    }

    @Test func `E: a grid without rows shows text in the middle, below the header and above the totals`() {
        #expect(lines(state) == ["a         b", "", "", "      No rows", "", ""])
        let summed = grid("a:8 b:8", rows: 0, frame: (20, 6)) { $0.showsTotals = true }
        #expect(lines(summed)[2] == "      No rows")
        #expect(lines(state.after(.setLoader(GridLoader("more")))).filter { $0.contains("No rows") } == [], "rows are expected")
        let count = list.requestCount
        list.count = 1
        #expect(lines(grid("a:8 b:8", rows: 1, frame: (20, 6)))[1] == "x         x" && list.requestCount == count)
    }

    @Test func `E, C1, C5: transposed grids and cards also show the text for a grid without rows`() {
        let transposed = lines(state.after(.setPresentation(.transposed)))
        #expect(transposed.prefix(2) == ["a", "b"] && transposed[2] == "        No rows", "between the titles and the end")
        #expect(lines(state.after(.setPresentation(.cards))) == ["", "", "      No rows", "", "", ""])
    }

    @Test func `E: a long text for a grid without rows wraps, and its control characters are visible`() {
        list.text = "No rows match “price”. \\ removes the filter."
        #expect(lines(state)[1...5] == ["", "   No rows match", " “price”. \\ removes", "    the filter.", ""])
        list.text = "a\u{1B}b"
        #expect(lines(state)[3] == "        a␛b")
        list.text = ""
        #expect(lines(state)[1...5].joined().isEmpty)
        for size in [GridSize(width: 1, height: 2), GridSize(width: 0, height: 0), GridSize(width: 3, height: 1)] {
            list.text = "No rows"
            #expect(lines(state.after(.resize(size))).count == size.height)
        }
    }

    @Test func `A2, E: the data source provides the text for a grid without rows; the default text names the rows`() {
        func screen(_ source: any GridDataSource) -> String {
            let grid = GridController(columns: columns("a:8"), dataSource: source)
            grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 8)
            grid.reload()
            var buffer = CellBuffer(size: TerminalSize(columns: 20, rows: 8))
            grid.draw(on: &buffer)
            return buffer.text
        }
        let contacts = Contacts()
        #expect(
            screen(contacts).contains("No contacts") && Contacts().emptyText == "No contacts" && RecordingSource("").emptyText == "No rows")
        struct Item: Identifiable { var id: Int }
        let objects = ObjectSource([Item](), columns: [ObjectColumn("Id", \.id)])
        #expect(objects.emptyText == "No rows")
        objects.rowNoun = RowNoun("item", "items")
        #expect(screen(objects).contains("No items"))
        objects.emptyText = "Nothing here."
        #expect(screen(objects).contains("Nothing here."))
    }
}
