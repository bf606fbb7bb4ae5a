import DataGrid
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// The cost of delegated heights, in delegate calls. Every answer is cached, including `nil`, until a change is reported.
@MainActor
@Suite struct DelegatedHeightTests {
    private final class Heights: GridDelegate {
        var rows: [Int: Int] = [:]
        var headers: [Int: Int] = [:]
        var cards: [Int: Int] = [:]
        private(set) var requestedCards: [Int] = []
        private var requestedRows: [Int] = []
        private var requestedHeaders: [Int] = []

        /// The rows and headers requested since the previous call.
        func drainRequests() -> (rows: [Int], headers: [Int]) {
            defer { (requestedRows, requestedHeaders) = ([], []) }
            return (requestedRows.sorted(), requestedHeaders.sorted())
        }
        func height(ofRow row: RowID) -> Int? {
            requestedRows.append(row.rawValue)
            return rows[row.rawValue]
        }
        func height(ofCard row: RowID) -> Int? {
            requestedCards.append(row.rawValue)
            return cards[row.rawValue]
        }
        func height(ofSection section: Int) -> Int? {
            requestedHeaders.append(section)
            return headers[section]
        }
    }

    private let source = CountingSource(100_000)
    private let delegate = Heights()
    private let grid: GridController
    private let size = TerminalSize(columns: 44, rows: 21)

    init() {
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
        (metrics.headerHeight, metrics.showsScrollBar, metrics.hasDelegatedRowHeights) = (1, false, true)
        grid = GridController(
            columns: (0..<6).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(6)) }, dataSource: source, delegate: delegate,
            metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: size.columns, height: size.rows)
    }

    private func draw() {
        var buffer = CellBuffer(size: size)
        grid.draw(on: &buffer)
    }

    /// The requests made by an action and the next frame.
    private func requests(_ action: () -> Void) -> (rows: [Int], headers: [Int]) {
        action()
        draw()
        return delegate.drainRequests()
    }

    /// The heights of the first visible rows.
    private func lines(_ count: Int) -> [Int] { grid.state.layout.itemSpans.prefix(count).map(\.fullHeight) }

    /// Actions that request no heights, with their names.
    private var actionsWithoutRequests: [(String, () -> Void)] {
        [
            ("setNeedsDisplay", { grid.setNeedsDisplay() }), ("cursor", { grid.perform(.move(.down(1))) }),
            ("selecting", { grid.perform(.move(.right(1), extending: true)) }),
            ("redrawRows", { grid.redrawRows([3]) }), ("redraw all rows", { grid.redrawRows() }),
            ("redrawColumns", { grid.redrawColumns([1]) }), ("reloadRows", { grid.reloadRows([3]) }),
            ("reload all rows", { grid.reloadRows() }), ("reloadColumns", { grid.reloadColumns([1]) }),
            ("note", { grid.reportChanges([CellChange(.changed, row: 3), CellChange(.risen, row: 4, column: 0)]) }),
            ("reloadAppended", { grid.reloadAppended() }), ("theme", { grid.perform(.setTheme(.light)) }),
        ]
    }

    @Test func `A7, A9: only reload requests the heights of visible rows, once each, and nil answers are cached too`() {
        for heights in [[:], [1: 2, 3: 4]] {
            delegate.rows = heights
            let first = requests { grid.reload() }.rows
            #expect(first == Array(0..<first.count) && first.count <= 22 && lines(4) == (0..<4).map { heights[$0] ?? 1 })
            for (name, action) in actionsWithoutRequests {
                let requested = requests(action)
                #expect(requested.rows.isEmpty && requested.headers.isEmpty, "\(name)")
            }
        }
        delegate.rows[2] = 5
        #expect(requests { grid.reloadRows([2]) }.rows.isEmpty && lines(4) == [1, 2, 1, 4])
        #expect(!requests { grid.reload() }.rows.isEmpty && lines(4) == [1, 2, 5, 4])
    }

    @Test func `A7, A9: scrolling requests the height of each new row once, and the cache of heights is bounded`() {
        var known = Set(requests { grid.reload() }.rows)
        for _ in 0..<30 {
            let new = requests { grid.perform(.scroll(items: 1, columns: 0)) }.rows
            #expect(new.count <= 1 && known.isDisjoint(with: new))
            known.formUnion(new)
        }
        #expect(known.count >= 50)
        #expect(requests { for _ in 0..<30 { grid.perform(.scroll(items: -1, columns: 0)) } }.rows.isEmpty)
        for _ in 0..<300 { _ = requests { grid.perform(.move(.pageDown)) } }
        #expect(requests { grid.perform(.move(.top)) }.rows.contains(0), "the cache has dropped this row")
    }

    @Test func `A7, C2: an insertion of rows requests only their heights, and renumbered rows keep their heights`() {
        delegate.rows = [2: 3, 4: 2]
        _ = requests { grid.reload() }
        source.sections[0].rows += 2
        delegate.rows = [0: 4, 4: 3, 6: 2]
        #expect(requests { grid.insertRows(at: 0..<2) }.rows == [0, 1])
        grid.perform(.move(.top))
        #expect(lines(7) == [4, 1, 1, 1, 3, 1, 2])
        delegate.rows = [1: 3, 3: 2]
        let following = requests { grid.removeRows(at: 0..<3) }.rows
        #expect(following.allSatisfy { $0 > 10 } && lines(4) == [1, 3, 1, 2])
        _ = requests {}
        #expect(requests { grid.perform(.discardRowState([1, 90])) }.rows == [1], "another row may have this number")
        #expect(requests { grid.delegate = delegate }.rows.contains(1))
    }

    @Test func `A7, A9: with automatic heights, the delegate is asked when a row's cells are read, and for no other row`() {
        grid.configure { ($0.metrics.hasAutomaticRowHeights, $0.metrics.hasDelegatedRowHeights) = (true, false) }
        for _ in 0..<2 {
            delegate.rows = [2: 3]
            let first = requests { grid.reload() }.rows
            #expect(Set(first).count == first.count && first.contains(19 - 2) && lines(4) == [1, 1, 3, 1])
            delegate.rows = [2: 5, 3: 5]
            #expect(requests { grid.reloadRows([2]) }.rows == [2] && lines(4) == [1, 1, 5, 1])
            #expect(requests { grid.redrawRows() }.rows.isEmpty)
            #expect(requests { grid.reloadRows() }.rows.contains(3) && lines(4) == [1, 1, 5, 5])
            // The second pass also has delegated heights.
            grid.configure { $0.metrics.hasDelegatedRowHeights = true }
        }
    }

    @Test func `A7, A9, C5: only reload requests the heights of visible cards, once each`() {
        grid.perform(.setPresentation(.cards))
        _ = requests { grid.reload() }
        let first = delegate.requestedCards
        #expect(Set(first).count == first.count && first.contains(0) && first.allSatisfy { $0 < 40 }, "\(first)")
        #expect(grid.state.layout.tiles[1].fullHeight == 3)
        delegate.cards[1] = 6
        _ = requests { grid.setNeedsDisplay() }
        _ = requests { grid.redrawRows() }
        _ = requests { grid.reloadRows([1]) }
        #expect(delegate.requestedCards == first && grid.state.layout.tiles[1].fullHeight == 3)
        _ = requests { grid.reload() }
        #expect(delegate.requestedCards.count > first.count && grid.state.layout.tiles[1].fullHeight == 6)
    }

    // MARK: Headers

    /// Sections of some rows each, all visible.
    private func nest() {
        source.sections = [(0, "a", nil, 3), (0, "b", nil, 2), (0, "c", nil, 4)]
        grid.reload()
    }

    @Test func `A7, A9, A2: only reload and changes of sections request the heights of visible headers, once each`() {
        for heights in [[:], [1: 3]] {
            delegate.headers = heights
            #expect(requests { nest() }.headers == [0, 1, 2])
            #expect(lines(5).last == heights[1] ?? 1)
            for (name, action) in actionsWithoutRequests {
                let requested = requests(action)
                #expect(requested.rows.isEmpty && requested.headers.isEmpty, "\(name)")
            }
            #expect(requests { grid.perform(.setCollapsed(section: 0, true)) }.headers.isEmpty)
            #expect(requests { grid.perform(.setCollapsed(section: 0, false)) }.headers.isEmpty)
            let rows = RowOrder.permuted(RowPermutation([2, 1, 0, 3, 4, 5, 6, 7, 8]))
            #expect(requests { grid.perform(.setRows(rows, tree: grid.state.outline.tree)) }.headers.isEmpty, "the sections are unchanged")
        }
    }

    @Test func `A7, A2, C2: a change of sections requests all header heights, but an append only the new ones`() {
        delegate.headers = [1: 3]
        _ = requests { nest() }
        delegate.headers = [2: 3]
        source.sections.insert((0, "n", nil, 1), at: 0)
        #expect(requests { grid.insertSection(0) }.headers == [0, 1, 2, 3])
        grid.perform(.move(.top))
        #expect(grid.state.layout.itemSpans.filter { if case .header = $0.item { true } else { false } }.map(\.fullHeight) == [1, 1, 3, 1])
        delegate.headers = [1: 3]
        #expect(requests { grid.removeSection(0) }.headers == [0, 1, 2])
        #expect(requests { grid.insertRows(at: 1..<2) }.headers == [0, 1, 2], "a header height may depend on its number of rows")
        source.sections = [(0, "a", nil, 4), (0, "b", nil, 2), (0, "c", nil, 5), (0, "d", nil, 1)]
        let appended = requests { grid.reloadAppended() }
        #expect(appended.headers == [3] && appended.rows == [10, 11])
        let other = SectionTree([Section(title: "all", rows: 0..<12)])
        #expect(requests { grid.perform(.setRows(.natural(count: 12), tree: other)) }.headers == [0])
    }
}
