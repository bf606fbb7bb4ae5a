import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

@MainActor final class Clerk: GridDelegate {
    /// Keeps column 0 in the first place.
    func shouldMove(column: ColumnID, from: Int, to: Int) -> Bool { column != 0 && to != 0 }
    /// Called when the user asks for another sort order: sort the rows, then reload.
    func didSort(by keys: [ColumnSort]) {}
    /// Called for Enter or a double-click in a cell that is not editable.
    func didActivate(row: RowID, column: ColumnID) {}
}

@MainActor @Suite("Articles: interaction and styles") struct InteractionTests {
    private let columns = [Column(id: 0, title: "Name"), Column(id: 1, title: "Price"), Column(id: 2, title: "Side")]

    @Test("a delegate vetoes moves of the first column") func veto() {
        let clerk = Clerk()
        let grid = GridController(columns: columns, delegate: clerk)
        grid.moveColumn(0, toIndex: 2)
        grid.moveColumn(2, toIndex: 0)
        #expect(grid.columns.map(\.id) == [0, 1, 2])
        grid.moveColumn(2, toIndex: 1)
        #expect(grid.columns.map(\.id) == [0, 2, 1])
    }

    @Test("styles set by code override the theme") func styles() {
        let grid = GridController(columns: columns)
        grid.perform(.setTheme(.light))
        grid.perform(.setStyle(.alternateRow, CellStyle(background: Color(0x005faf, alpha: 20))))
        grid.perform(.setClass("late", ThemeClass(normal: CellStyle(foreground: Color(0xaf0000)))))
        #expect(grid.state.theme.alternateRow.background == Color(0x005faf, alpha: 20))
        #expect(grid.state.theme.classes["late"] != nil)
    }
}
