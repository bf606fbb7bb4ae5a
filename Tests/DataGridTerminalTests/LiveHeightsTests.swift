import DataGrid
import GridTestSupport
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// Row heights that follow their text while strings change and rows are inserted or removed.
@MainActor
@Suite struct LiveHeightsTests {
    /// A source that numbers its rows in order. Each text has as many words as lines.
    private final class Words: GridDataSource {
        var words: [Int]
        /// The requested cells, as `row.column`.
        var requests: [String] = []
        /// True if a row that does not exist was requested.
        var hasRequestBeyondEnd = false

        init(_ words: [Int]) { self.words = words }

        func numberOfRows(inSection section: Int) -> Int { words.count }
        func text(row: RowID, column: ColumnID) -> String? {
            guard words.indices.contains(row.rawValue) else {
                hasRequestBeyondEnd = true
                return nil
            }
            return column == 0 ? Array(repeating: "abcd", count: words[row.rawValue]).joined(separator: " ") : "\(column.rawValue)"
        }
        func content(row: RowID, column: ColumnID) -> CellContent {
            requests.append("\(row.rawValue).\(column.rawValue)")
            return text(row: row, column: column).map { CellContent($0) } ?? .missing
        }
        func setContent(_ text: String, row: RowID, column: ColumnID) -> EditOutcome {
            words[row.rawValue] = text.split(separator: " ").count
            return .accepted
        }
    }

    private final class Heights: GridDelegate {
        func height(ofRow row: RowID) -> Int? { 1 + row.rawValue % 3 }
    }

    private static let size = TerminalSize(columns: 20, rows: 13)

    private func open(_ source: (any GridDataSource)?, columns: Int = 2, delegated: Bool = false) -> GridController {
        var metrics = GridMetrics()
        (metrics.headerHeight, metrics.showsScrollBar, metrics.hasDelegatedRowHeights) = (1, false, delegated)
        metrics.hasAutomaticRowHeights = !delegated
        let columns = (0..<columns).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(5)) }
        let grid = GridController(columns: columns, dataSource: source, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: Self.size.columns, height: Self.size.rows)
        return grid
    }

    private func draw(_ grid: GridController) {
        var buffer = CellBuffer(size: Self.size)
        grid.draw(on: &buffer)
    }

    /// Rows with these numbers of words, in a grid after its first frame.
    private func shown(_ words: [Int], columns: Int = 2) -> (source: Words, grid: GridController) {
        let source = Words(words)
        let grid = open(source, columns: columns)
        grid.reload()
        draw(grid)
        return (source, grid)
    }

    /// The heights of the visible rows.
    private func heights(_ grid: GridController) -> [Int] { grid.state.layout.itemSpans.map(\.fullHeight) }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `A9, C2: row insertions and removals in any order keep the heights of the other rows`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let (source, grid) = shown((0..<30).map { _ in number(1...5) })
        for step in 0..<300 {
            let count = source.words.count
            switch number(0...4) {
            case 0, 1:
                let low = number(0...count)
                let new = (0..<number(1...3)).map { _ in number(1...5) }
                source.words.insert(contentsOf: new, at: low)
                grid.insertRows(at: low..<low + new.count)
            case 2, 3:
                guard count > 4 else { continue }
                let low = number(0...count - 1)
                let removed = low..<min(count, low + number(1...3))
                source.words.removeSubrange(removed)
                grid.removeRows(at: removed)
            default: grid.perform(.move(number(0...1) == 0 ? .row(number(0...count)) : .pageDown))
            }
            if number(0...2) == 0 { draw(grid) }
            let expected = grid.state.visibleRows.map { source.words[$0.rawValue] }
            #expect(heights(grid) == expected, "seed \(seed), step \(step)")
        }
        #expect(!source.hasRequestBeyondEnd, "removed rows are not requested")
    }

    @Test func `A9, A7, C2: an inserted row requests only its own cells, once each`() {
        let (source, grid) = shown(Array(repeating: 2, count: 20))
        #expect(source.requests.count == Set(source.requests).count)
        source.requests = []
        source.words.insert(3, at: 1)
        grid.insertRows(at: 1..<2)
        draw(grid)
        #expect(source.requests.sorted() == ["1.0", "1.1"])
        #expect(heights(grid) == [2, 3, 2, 2, 2, 2])
    }

    @Test func `A9, A20: row heights change with the content of their cells`() {
        let (source, grid) = shown(Array(repeating: 1, count: 20))
        func change(_ row: Int, _ words: Int, notify: () -> Void) -> Int {
            source.words[row] = words
            notify()
            draw(grid)
            return heights(grid)[row]
        }
        #expect(change(2, 3) { grid.reportChanges([CellChange(.changed, row: 2, column: 0)]) } == 3)
        #expect(change(2, 2) { grid.reportChanges([CellChange(.changed, row: 2)]) } == 2)
        #expect(change(2, 4) { grid.reloadRows([2]) } == 4)
        #expect(change(2, 2) { grid.reloadRows() } == 2)
        #expect(change(2, 5) { grid.reloadColumns([0]) } == 5)
        // Actions before the next frame use the current rows.
        source.words[2] = 1
        grid.reportChanges([CellChange(.changed, row: 2, column: 0)])
        grid.perform(.scrollLines(1))
        #expect(heights(grid).allSatisfy { $0 == 1 })
        // Changing a number next to the text does not measure any height.
        let before = grid.state.rowHeightSource
        grid.reportChanges([CellChange(.risen, row: 3, column: 9)])
        draw(grid)
        #expect(grid.state.rowHeightSource === before)
    }

    @Test func `A9, A1: row heights change while text is typed`() {
        let (source, grid) = shown(Array(repeating: 1, count: 20))
        #expect(grid.beginEditing(row: 0, column: 0, typed: "ab cd efgh ij"))
        #expect(grid.commitEditing())
        #expect(source.words[0] == 4)
        draw(grid)
        #expect(heights(grid).prefix(2) == [4, 1])
    }

    @Test func `A9, C2: when rows grow, a visible cursor stays visible, and a hidden cursor is not scrolled to`() {
        let source = Words(Array(repeating: 1, count: 40))
        let grid = open(source)
        grid.reload()
        grid.perform(.move(.row(11)))
        source.words[0] = 5
        grid.reportChanges([CellChange(.changed, row: 0)])
        draw(grid)
        #expect(grid.state.visibleRows.contains(11) && grid.state.scroll.top > 0)
        // A pan moves the view away from the cursor.
        grid.perform(.move(.top))
        grid.perform(.pointerDown(GridPoint(x: 2, y: 11), PointerPress(.middle)))
        grid.perform(.pointerMoved(GridPoint(x: 2, y: 2)))
        grid.perform(.pointerUp(GridPoint(x: 2, y: 2)))
        let top = grid.state.scroll.top
        #expect(top > 0 && !grid.state.visibleRows.contains(0))
        let row = grid.state.visibleRows[1]
        source.words[row.rawValue] = 3
        grid.reportChanges([CellChange(.changed, row: row)])
        draw(grid)
        #expect(grid.state.scroll.top == top && heights(grid)[1] == 3)
    }

    private struct Note: Identifiable {
        var id: Int
        var words: Int
        var text: String { Array(repeating: "abcd", count: words).joined(separator: " ") }
    }

    @Test func `A9, A19: row heights follow attached objects, even an object that reuses the number of a removed one`() {
        let source = ObjectSource(
            (0..<6).map { Note(id: $0, words: 1 + $0 % 3) }, columns: [ObjectColumn("Text", \.text) { $0.width = .fixed(5) }])
        let grid = open(nil, columns: 0)
        source.attach(to: grid)
        draw(grid)
        #expect(heights(grid) == [1, 2, 3, 1, 2, 3])
        source.update(0) { $0.words = 4 }
        draw(grid)
        #expect(heights(grid).prefix(3) == [4, 2, 3])
        let freed = source.row(of: 2)
        source.remove([2])
        source.insert([Note(id: 9, words: 5)], at: 1)
        #expect(source.row(of: 9) == freed)
        draw(grid)
        #expect(heights(grid).prefix(3) == [4, 5, 2])
        source.replaceAll([Note(id: 9, words: 2), Note(id: 1, words: 3)])
        draw(grid)
        #expect(heights(grid) == [2, 3])
    }

    @Test func `A9, A3, C7: a delegate that is assigned after the rows determines heights, even with attached objects`() {
        let delegate = Heights()
        let words = Words(Array(repeating: 1, count: 20))
        let grid = open(words, delegated: true)
        grid.reload()
        #expect(heights(grid).allSatisfy { $0 == 1 })
        grid.delegate = delegate
        draw(grid)
        #expect(heights(grid).prefix(4) == [1, 2, 3, 1])
        let source = ObjectSource((0..<6).map { Note(id: $0, words: 1) }, columns: [ObjectColumn("Text", \.text)])
        let other = open(nil, columns: 0, delegated: true)
        source.attach(to: other)
        other.delegate = delegate
        #expect(heights(other).prefix(4) == [1, 2, 3, 1])
        other.delegate = nil
        #expect(heights(other).prefix(4) == [1, 1, 1, 1])
    }

    @Test func `A6, A7, A9: measured cells are requested once, and scrolling sideways requests new columns only`() {
        let (source, grid) = shown(Array(repeating: 2, count: 30), columns: 8)
        #expect(Set(source.requests).count == source.requests.count)
        for column in [1, 1, -1, -1] {
            source.requests = []
            grid.perform(.scroll(items: 0, columns: column))
            draw(grid)
            #expect(source.requests.allSatisfy { !$0.hasSuffix(".0") } && Set(source.requests).count == source.requests.count)
            if column < 0 { #expect(source.requests.isEmpty) }
        }
    }

    @Test func `A6: the heights of a bounded number of rows are cached, however many are measured between two frames`() {
        let source = Words(Array(repeating: 1, count: 100_000))
        let grid = open(source)
        grid.reload()
        draw(grid)
        for _ in 0..<1_000 { grid.perform(.move(.pageDown)) }
        #expect(grid.caches.contents.cells.size.rows <= 1_000)
        draw(grid)
        #expect(grid.caches.contents.cells.size.rows <= 36)
    }

    @Test func `A9: a height source that the host has set stays in use`() {
        final class Own: RowHeightSource {
            func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int { 2 }
        }
        let own = Own()
        let grid = open(Words(Array(repeating: 1, count: 20)))
        grid.configure { $0.rowHeightSource = own }
        grid.reload()
        grid.delegate = nil
        grid.removeRows(at: 0..<1)
        draw(grid)
        #expect(grid.state.rowHeightSource === own && heights(grid).allSatisfy { $0 == 2 })
    }
}
