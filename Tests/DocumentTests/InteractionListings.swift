import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor final class FirstColumnDelegate: GridDelegate {
    /// Keeps column 0 in the first place.
    func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission {
        column != 0 && to != 0 ? .allowed : .refused("The first column cannot be moved.")
    }
    /// Called when the user asks for another sort order: sort the rows, then reload.
    func didSort(by keys: [ColumnSort]) {}
    /// Called for Enter or a double-click in a cell that is not editable.
    func didActivate(row: RowID, column: ColumnID) {}
}

@MainActor final class Stars: GridDrawingDelegate {
    let drawnParts: GridPart.Kinds = .cells
    func draw(_ part: GridPart, in rect: TerminalRect, on buffer: inout CellBuffer) -> Bool {
        guard case .cell(let row, 1) = part else { return false }
        buffer.write(String(repeating: "★", count: row.rawValue + 1), x: 0, y: 0, style: buffer[0, 0].style)
        return true
    }
}

@MainActor @Suite("Articles: interaction and styles") struct InteractionTests {
    private let columns = [Column(id: 0, title: "Name"), Column(id: 1, title: "Price"), Column(id: 2, title: "Side")]

    @Test func `a delegate vetoes moves of the first column`() {
        let delegate = FirstColumnDelegate()
        let grid = GridController(columns: columns, delegate: delegate)
        grid.moveColumn(0, toIndex: 2)
        grid.moveColumn(2, toIndex: 0)
        #expect(grid.columns.map(\.id) == [0, 1, 2])
        grid.moveColumn(2, toIndex: 1)
        #expect(grid.columns.map(\.id) == [0, 2, 1])
    }

    @Test func `a refusal has a reason`() {
        let delegate = FirstColumnDelegate()
        let grid = GridController(columns: columns, delegate: delegate)
        var reasons: [String] = []
        grid.onRefusal = { reasons.append($0) }
        grid.moveColumn(2, toIndex: 0)
        #expect(reasons == ["The first column cannot be moved."])
    }

    @Test func `a drawing delegate draws cells`() {
        let (planets, stars) = (Planets(), Stars())
        let grid = GridController(columns: columns, dataSource: planets)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 8)
        grid.drawingDelegate = stars
        grid.reload()
        var buffer = CellBuffer(size: TerminalSize(columns: 40, rows: 8))
        grid.draw(on: &buffer)
        #expect(buffer.lines().contains { $0.hasPrefix("Earth") && $0.contains("★★★") })
    }

    @Test func `styles set by code override the theme`() {
        let grid = GridController(columns: columns)
        grid.perform(.setTheme(.light))
        grid.perform(.setStyle(.alternateRow, CellStyle(background: Color(0x005faf, alpha: 20))))
        grid.perform(.setClass("late", ThemeClass(normal: CellStyle(foreground: Color(0xaf0000)))))
        #expect(grid.state.theme.alternateRow.background == Color(0x005faf, alpha: 20))
        #expect(grid.state.theme.classes["late"] != nil)
    }
}
