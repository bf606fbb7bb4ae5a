import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

private struct Word: Identifiable {
    var id: String
    var number: Int
    var kind: String
}

/// Views that come back to a grid with a live source.
@MainActor
@Suite struct RestoringTests {
    private func open() -> (GridController, ObjectSource<Word, String>) {
        let words = zip(["alpha", "bravo", "charlie", "delta", "echo"], [5, 1, 4, 2, 3]).map { name, number in
            Word(id: name, number: number, kind: number < 3 ? "few" : "many")
        }
        let source = ObjectSource(words, columns: [ObjectColumn("Word", \.id), ObjectColumn("Number", \.number)])
        let grid = GridController(columns: [])
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 12)
        source.attach(to: grid)
        return (grid, source)
    }

    private func names(_ grid: GridController, _ source: ObjectSource<Word, String>) -> [String] {
        (0..<grid.state.rows.count).map { source.object(grid.state.rows[$0])!.id }
    }

    @Test("A18: selection and cursor come back to the objects that they were on, in the order that comes back")
    func positions() {
        let (grid, source) = open()
        grid.perform(.setSort([SortDescriptor(1)]))
        source.select(["delta"])
        grid.perform(.move(.bottom))
        let view = grid.state.savedView
        #expect(names(grid, source) == ["bravo", "delta", "echo", "charlie", "alpha"])

        let (other, again) = open()
        other.perform(.restore(view))
        #expect(names(other, again) == names(grid, source))
        #expect(again.selectedObjects.map(\.id) == ["delta"])
        #expect(again.object(other.state.currentRow!)?.id == "alpha")
        #expect(other.state.savedView == view)

        grid.perform(.setSort([SortDescriptor(0, isDescending: true)]))
        #expect(again.sortKeys == [SortDescriptor(1)] && source.sortKeys == [SortDescriptor(0, isDescending: true)])
        grid.perform(.restore(view))
        #expect(source.selectedObjects.map(\.id) == ["delta"] && grid.state.savedView == view)
    }

    @Test("A18: collapsed sections come back, with what is selected in the others")
    func sections() {
        let (grid, source) = open()
        source.groupings = [ObjectGrouping(by: \.kind)]
        grid.perform(.setSort([SortDescriptor(1, isDescending: true)]))
        grid.perform(.setCollapsed(section: 0, true))
        source.select(["charlie"])
        let view = grid.state.savedView
        let (other, again) = open()
        again.groupings = [ObjectGrouping(by: \.kind)]
        other.perform(.restore(view))
        #expect(names(other, again) == ["delta", "bravo", "alpha", "charlie", "echo"])
        #expect(other.state.isCollapsed(section: 0) && !other.state.isCollapsed(section: 1))
        #expect(again.selectedObjects.map(\.id) == ["charlie"])
    }

    @Test("A18: rows that were moved by hand are moved among the objects, too")
    func moved() {
        let (grid, source) = open()
        grid.perform(.moveRows(0..<2, to: 2))
        grid.perform(.moveRows(4..<5, to: 1))
        let view = grid.state.savedView
        let (other, again) = open()
        other.perform(.restore(view))
        #expect(names(other, again) == names(grid, source))
        #expect(again.objects.map(\.id) == source.objects.map(\.id) && again.objects.map(\.id) == names(other, again))
    }
}
