import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Rows and sections inserted and removed between two frames, in a source that numbers its rows in order.
@MainActor
@Suite struct SplicingTests {
    /// Rows with one text each, some of several words.
    private final class Items: GridDataSource, GridDelegate {
        var ids = Array(0..<60)
        /// Committed strings, by row ID.
        var committed: [Int: String] = [:]
        func numberOfRows(inSection section: Int) -> Int { ids.count }
        func content(row: RowID, column: ColumnID) -> CellContent { text(row: row, column: column).map { CellContent($0) } ?? .missing }
        func text(row: RowID, column: ColumnID) -> String? {
            guard ids.indices.contains(row.rawValue) else { return nil }
            let id = ids[row.rawValue]
            return Array(repeating: "id\(id)", count: column == 0 ? 1 + id % 3 : 1).joined(separator: " ")
        }
        func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
            committed[ids[row.rawValue]] = text
            return .accepted
        }
        func height(ofRow row: RowID) -> Int? { ids.indices.contains(row.rawValue) ? 1 + ids[row.rawValue] % 3 : nil }
    }

    private func picture(_ grid: GridController) -> String {
        var buffer = CellBuffer(size: TerminalSize(columns: grid.frame.width, rows: grid.frame.height))
        grid.draw(on: &buffer)
        return buffer.text
    }

    private func open(_ items: Items, _ metrics: GridMetrics, height: Int) -> GridController {
        let grid = GridController(
            columns: (0..<2).map { Column(id: ColumnID($0), title: "c\($0)", width: .fixed(6), isEditable: true) }, dataSource: items,
            delegate: metrics.hasDelegatedRowHeights ? items : nil, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: height)
        grid.reload()
        return grid
    }

    // MARK: Editing

    @Test func `A3, C2: an editor stays with its row when rows before it are inserted or removed, and commits to that row`() {
        let items = Items()
        let grid = open(items, .threeHeaderLines, height: 16)
        #expect(grid.beginEditing(row: 5, column: 1, typed: "NEW"))
        items.ids.insert(100, at: 0)
        grid.insertRows(at: 0..<1)
        #expect(grid.state.editing?.row == 6 && grid.state.currentRow == 6 && items.committed.isEmpty)
        items.ids.removeFirst(3)
        grid.removeRows(at: 0..<3)
        #expect(grid.state.editing?.row == 3 && items.committed.isEmpty)
        #expect(grid.commitEditing() && items.committed == [5: "NEW"])
    }

    @Test func `A3, C2: removing the edited row ends the editor, and commits nothing`() {
        let items = Items()
        let grid = open(items, .threeHeaderLines, height: 16)
        #expect(grid.beginEditing(row: 5, column: 1, typed: "NEW"))
        items.ids.remove(at: 5)
        grid.removeRows(at: 5..<6)
        #expect(grid.state.editing == nil && items.committed.isEmpty && grid.state.rows.count == 59)
    }

    @Test func `A3, A7: a reload ends an editor without a commit, unless its cell is unchanged`() {
        for (rows, stays) in [(Array(3..<60), false), (Array(0..<10), false), (Array(0..<60), true), (Array(0..<300), true)] {
            let items = Items()
            let grid = open(items, .threeHeaderLines, height: 16)
            #expect(grid.beginEditing(row: 50, column: 1, typed: "NEW"))
            items.ids = rows
            grid.reload()
            #expect(items.committed.isEmpty && (grid.state.editing != nil) == stays)
            #expect(grid.commitEditing() && items.committed == (stays ? [50: "NEW"] : [:]))
        }
    }

    @Test(
        arguments: [false, true])
    func `A11, A13: insertions elsewhere do not disturb an editing click or a cancelled drag`(isAppended: Bool) {
        let items = Items()
        let grid = open(items, .threeHeaderLines, height: 16)
        func insert() {
            items.ids.insert(99, at: isAppended ? items.ids.count : 30)
            if isAppended { grid.reloadAppended() } else { grid.insertRows(at: 30..<31) }
        }
        if isAppended {
            grid.perform(.pointerDown(GridPoint(x: 2, y: 5), PointerPress()))
            grid.perform(.pointerMoved(GridPoint(x: 10, y: 8)))
            #expect(!grid.state.selection.isEmpty)
            insert()
            grid.perform(.pointerMoved(GridPoint(x: 10, y: 8)))
            grid.perform(.cancelDrag)
            #expect(grid.state.selection.isEmpty)
        }
        grid.configure { $0.interaction.singleClick = .edit }
        grid.perform(.pointerDown(GridPoint(x: 2, y: 5), PointerPress()))
        insert()
        grid.perform(.pointerUp(GridPoint(x: 2, y: 5)))
        #expect(grid.state.editing != nil)
    }

    // MARK: Heights

    /// Events before the next frame that may make the grid read rows.
    enum PriorChange: String, CaseIterable {
        case nothing, reload, higher, hidden, width, key, delegate

        @MainActor
        func perform(on grid: GridController) {
            switch self {
            case .nothing: break
            case .reload: grid.reload()
            case .higher: grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 20)
            case .hidden: grid.perform(.setHidden(1, true))
            case .width: grid.perform(.setWidth(0, .fixed(9)))
            case .key: grid.perform(.scrollLines(3))
            case .delegate:
                let delegate = grid.delegate
                grid.delegate = delegate
            }
        }
    }

    @Test(
        arguments: [false, true],
        PriorChange.allCases)
    func `C2, B9: heights and text stay with their rows after any changes since the last frame`(areDelegated: Bool, change: PriorChange) {
        for isRemoval in [true, false] {
            let items = Items()
            var metrics = GridMetrics.threeHeaderLines
            metrics.hasStickySectionHeaders = true
            (metrics.hasDelegatedRowHeights, metrics.hasAutomaticRowHeights) = (areDelegated, !areDelegated)
            let grid = open(items, metrics, height: 12)
            _ = picture(grid)
            change.perform(on: grid)
            if isRemoval {
                items.ids.removeFirst(2)
                grid.removeRows(at: 0..<2)
            } else {
                items.ids.insert(contentsOf: [101, 104], at: 1)
                grid.insertRows(at: 1..<3)
            }
            let seen = picture(grid)
            grid.perform(.move(.down(1)))
            grid.perform(.move(.up(1)))
            #expect(picture(grid) == seen)
            let fresh = GridController(columns: [], delegate: areDelegated ? items : nil, metrics: .threeHeaderLines)
            fresh.configure {
                $0 = grid.state
                $0.rowHeightSource = nil
            }
            fresh.dataSource = items
            fresh.frame = grid.frame
            #expect(picture(fresh) == seen, "\(isRemoval)")
        }
    }

    // MARK: Sections

    private final class Grouped: GridDataSource {
        var sections: [(title: String?, rows: Int)] = []
        var groups: [ColumnID] = []
        var numberOfSections: Int { sections.count }
        func numberOfRows(inSection section: Int) -> Int { sections.indices.contains(section) ? sections[section].rows : 0 }
        func title(ofSection section: Int) -> String? { sections[section].title }
        var groupColumns: [ColumnID] { groups }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent("r\(row.rawValue)") }
    }

    private func open(_ source: Grouped) -> GridController {
        let grid = GridController(columns: [Column(id: 0, title: "c", width: .fixed(6))], dataSource: source, metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: 12)
        grid.reload()
        return grid
    }

    typealias Sections = [(title: String?, rows: Int)]

    @Test(
        arguments: [
            ([(nil, 3)], [(nil, 3), ("b", 2)]), ([], [("a", 3), ("b", 2)]), ([], [("a", 1)]), ([(nil, 0)], [(nil, 0), ("b", 2)]),
            ([("a", 3)], [("a", 4), ("b", 2)]), ([(nil, 3)], [(nil, 5)]), ([], [(nil, 5)]),
        ] as [(Sections, Sections)])
    func `A7: appended rows and sections look the same as after a reload, even without headers or earlier rows`(
        before: Sections, after: Sections
    ) {
        for groups in [[], [0]] as [[ColumnID]] {
            let source = Grouped()
            (source.sections, source.groups) = (before, groups)
            let grid = open(source)
            source.sections = after
            grid.reloadAppended()
            let seen = picture(grid)
            grid.reload()
            #expect(seen == picture(grid))
        }
    }

    @Test func `C2: a section appended after an unnamed empty section follows that section`() {
        let source = Grouped()
        source.sections = [(nil, 0)]
        let grid = open(source)
        source.sections.append(("b", 2))
        grid.insertSection(1)
        let seen = picture(grid)
        grid.reload()
        #expect(seen == picture(grid) && seen.contains("b"))
    }

    // MARK: Row headers

    @Test func `A7, B6: row headers of automatic width are requested once`() {
        final class Named: GridDataSource {
            var requests: [RowID] = []
            func numberOfRows(inSection section: Int) -> Int { 1_000 }
            func content(row: RowID, column: ColumnID) -> CellContent { CellContent("r\(row.rawValue)") }
            func rowHeader(_ row: RowID) -> String? {
                requests.append(row)
                return "row \(row.rawValue)"
            }
        }
        let source = Named()
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
        (metrics.fitsRowHeader, metrics.headerHeight) = (true, 1)
        let grid = GridController(columns: [Column(id: 0, title: "c", width: .fixed(6))], dataSource: source, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 40, height: 11)
        grid.reload()
        _ = picture(grid)
        source.requests = []
        grid.perform(.move(.down(1)))
        _ = picture(grid)
        grid.redrawRows()
        _ = picture(grid)
        #expect(source.requests.isEmpty)
        for line in 0..<100 {
            grid.perform(.scrollLines(1))
            _ = picture(grid)
            #expect(source.requests == [RowID(10 + line)])
            source.requests = []
        }
    }
}
