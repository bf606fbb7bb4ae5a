import DataGrid
import DataGridTerminal
import GridTestSupport
import TerminalSurface
import Testing

private struct Word: Identifiable {
    var id: String
    var number: Int
    var kind: String
}

/// Views restored in a grid with a live source.
@MainActor
@Suite struct RestoringTests {
    private func open() -> (GridController, ObjectSource<Word, String>) {
        let words = zip(["alpha", "bravo", "charlie", "delta", "echo"], [5, 1, 4, 2, 3]).map { name, number in
            Word(id: name, number: number, kind: number < 3 ? "few" : "many")
        }
        let source = ObjectSource(words, columns: [ObjectColumn("Word", \.id), ObjectColumn("Number", \.number)])
        let grid = GridController(columns: [], metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 12)
        source.attach(to: grid)
        return (grid, source)
    }

    private func names(_ grid: GridController, _ source: ObjectSource<Word, String>) -> [String] {
        (0..<grid.state.rows.count).map { source.object(grid.state.rows[$0])!.id }
    }

    @Test func `A18: the selection and cursor are restored to the same objects, in the restored order`() {
        let (grid, source) = open()
        grid.perform(.setSort([ColumnSort(1)]))
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

        grid.perform(.setSort([ColumnSort(0, isDescending: true)]))
        #expect(again.sortKeys == [ColumnSort(1)] && source.sortKeys == [ColumnSort(0, isDescending: true)])
        grid.perform(.restore(view))
        #expect(source.selectedObjects.map(\.id) == ["delta"] && grid.state.savedView == view)
    }

    @Test func `A18: collapsed sections are restored, and so is the selection in the other sections`() {
        let (grid, source) = open()
        source.groupings = [ObjectGrouping(by: \.kind)]
        grid.perform(.setSort([ColumnSort(1, isDescending: true)]))
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

    @Test func `A18: groups by columns are restored with collapsed state and selection; groups by closures stay`() {
        func open() -> (GridController, ObjectSource<Word, String>) {
            let words = zip(["alpha", "bravo", "charlie", "delta", "echo"], [5, 1, 4, 1, 4]).map {
                Word(id: $0, number: $1, kind: "k\($1)")
            }
            let source = ObjectSource(
                words, columns: [ObjectColumn("Word", \.id), ObjectColumn("Number", \.number), ObjectColumn("Kind", \.kind)])
            let grid = GridController(columns: [], metrics: .threeHeaderLines)
            grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 16)
            source.attach(to: grid)
            return (grid, source)
        }
        func titles(_ grid: GridController) -> [String] { grid.state.outline.tree?.sections.map { "\($0.level)\($0.title)" } ?? [] }
        let (grid, source) = open()
        source.groupings = [ObjectGrouping(by: \.kind), ObjectGrouping(by: \.number) { "n\($0)" }]
        let full = titles(grid)
        #expect(full == ["0k1", "1n1", "0k4", "1n4", "0k5", "1n5"] && grid.state.savedView.grouping == ["Kind", "Number"])
        source.groupings = [ObjectGrouping(by: \.number) { "\($0)" }]
        grid.perform(.setCollapsed(section: 1, true))
        grid.perform(.setSort([ColumnSort(0, isDescending: true)]))
        source.select(["bravo"])
        let view = grid.state.savedView
        #expect(view.grouping == ["Number"])

        let (other, again) = open()
        other.perform(.restore(view))
        #expect(titles(other) == ["01", "04", "05"] && names(other, again) == names(grid, source))
        #expect(names(other, again) == ["delta", "bravo", "echo", "charlie", "alpha"])
        #expect(other.state.outline.collapsed == [false, true, false] && again.selectedObjects.map(\.id) == ["bravo"])
        #expect(other.state.savedView == view)
        // Existing groups keep their titles, and a view without groups removes them.
        again.groupings = [ObjectGrouping(by: \.kind), ObjectGrouping(by: \.number) { "n\($0)" }]
        other.perform(.restore(view))
        #expect(titles(other) == ["0n1", "0n4", "0n5"])
        other.perform(.restore(open().0.state.savedView))
        #expect(titles(other).isEmpty && again.groupings.isEmpty)
        again.groupings = [ObjectGrouping(by: \.id.count) { "\($0) letters" }]
        #expect(other.state.savedView.grouping.isEmpty)
        other.perform(.restore(open().0.state.savedView))
        #expect(titles(other) == ["04 letters", "05 letters", "07 letters"])
    }

    /// Numbers with a filter for the last digit.
    private final class Numbers: GridDataSource {
        var grid: GridController?
        var shown = Array(0..<100)
        func numberOfRows(inSection section: Int) -> Int { shown.count }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent(String(shown[row.rawValue])) }
        func prepare(for view: SavedView) {
            shown = (0..<100).filter { number in view.filters.allSatisfy { String(number).hasSuffix($0) } }
            grid?.reload()
        }
    }

    @Test func `A18: a source applies the view's filters before the selection is restored`() {
        let source = Numbers()
        let grid = GridController(columns: [Column(id: 0, title: "n")], dataSource: source, metrics: .threeHeaderLines)
        source.grid = grid
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 8)
        grid.reload()
        let all = grid.state.savedView
        source.shown = [7, 17, 27]
        grid.reload()
        for action: GridAction in [.setFilters(["7"]), .setSelection(Selection(blocks: [SelectionBlock(rows: 1..<2, columns: nil)]))] {
            grid.perform(action)
        }
        var view = grid.state.savedView
        grid.perform(.restore(all))
        #expect(grid.state.rows.count == 100 && grid.state.selection.isEmpty && grid.state.filters.isEmpty)
        view.cursor = GridCursor(item: .row(9))
        grid.perform(.restore(view))
        #expect(grid.state.rows.count == 10 && grid.state.filters == ["7"] && grid.state.selection == view.selection)
        #expect(source.shown[grid.state.cursor.row!] == 97)
        source.grid = nil
    }

    @Test func `A18: a restored view also moves the source's objects for rows that were moved by hand`() {
        let (grid, source) = open()
        grid.perform(.moveRows(0..<2, to: 2))
        grid.perform(.moveRows(4..<5, to: 1))
        let view = grid.state.savedView
        let (other, again) = open()
        other.perform(.restore(view))
        #expect(names(other, again) == names(grid, source))
        #expect(again.objects.map(\.id) == source.objects.map(\.id) && again.objects.map(\.id) == names(other, again))
    }

    /// Events that make a source adopt an order with moved rows.
    enum InterveningRequest: CaseIterable {
        case nothing, sorted, sortedAndBack, sortedAgain, reloaded, grouped, others
    }

    @Test(
        arguments: InterveningRequest.allCases
    )
    func `A18: row order and selection are restored even if the source is sorted, reloaded or grouped in between`(
        request: InterveningRequest
    ) {
        for isMovedBefore in [true, false] {
            let (grid, source) = open()
            if isMovedBefore { grid.perform(.moveRows(0..<1, to: 3)) }
            source.select(["alpha"])
            let (view, order) = (grid.state.savedView, names(grid, source))
            if !isMovedBefore { grid.perform(.moveRows(0..<1, to: 3)) }
            switch request {
            case .nothing: break
            case .sorted: grid.activateHeader(1)
            case .sortedAndBack: for _ in 0..<3 { grid.activateHeader(1) }
            case .sortedAgain: source.sortAgain()
            case .reloaded: grid.reload()
            case .grouped:
                source.groupings = [ObjectGrouping(by: \.kind)]
                source.groupings = []
            case .others:
                source.insert([Word(id: "zulu", number: 9, kind: "many")])
                source.remove(["zulu"])
            }
            grid.perform(.restore(view))
            #expect(names(grid, source) == order && source.objects.map(\.id) == order, "\(isMovedBefore)")
            #expect(source.selectedObjects.map(\.id) == ["alpha"] && grid.state.savedView == view, "\(isMovedBefore)")
        }
    }

    @Test(arguments: 0..<20) func `A18: a restored view undoes later moves, even of the objects, and restores the selection`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let (grid, source) = open()
        func move() {
            let first = Int.random(in: 0..<5, using: &random)
            let range = first..<Int.random(in: first + 1...5, using: &random)
            grid.perform(.moveRows(range, to: Int.random(in: 0...5 - range.count, using: &random)))
        }
        var views: [(SavedView, [String], [String])] = []
        for _ in 0..<12 {
            if Bool.random(using: &random) { move() }
            source.select([["alpha", "bravo", "charlie", "delta", "echo"].randomElement(using: &random)!])
            views.append((grid.state.savedView, names(grid, source), source.selectedObjects.map(\.id)))
            move()
            let (view, order, selected) = views.randomElement(using: &random)!
            grid.perform(.restore(view))
            #expect(grid.state.savedView == view && names(grid, source) == order)
            #expect(source.objects.map(\.id) == order && source.selectedObjects.map(\.id) == selected)
        }
    }
}
