import DataGrid
import GridTestSupport
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// Rows copied from the previous frame look the same as painted rows.
@MainActor
@Suite struct PaintedFrameTests {
    private static let columns = (0..<6).map { number in
        var column = Column(
            id: ColumnID(number), title: "column \(number)", kind: number == 2 ? .integer : .text, width: .fixed(number * 3 + 4))
        (column.keepsChangeMarks, column.highlightsChanges) = (number == 3, number != 4)
        return column
    }

    /// A random action of a host or a user, mostly on the scroll position.
    private func change(_ grid: GridController, _ source: CountingSource, using random: inout some RandomNumberGenerator) {
        let motions: [GridMotion] = [
            .up(1), .down(1), .down(1), .down(3), .left(1), .right(1), .pageDown, .pageUp, .top, .bottom, .row(40), .lastColumn,
        ]
        let column = ColumnID(Int.random(in: 0..<6, using: &random))
        switch Int.random(in: 0..<40, using: &random) {
        case 0:
            let (columns, rows) = (Int.random(in: 0...2, using: &random), Int.random(in: 0...2, using: &random))
            grid.perform(.freeze(FrozenPanes(leading: columns, rows: rows)))
        case 1: grid.perform(.resizeColumn(column, by: Int.random(in: -2...3, using: &random)))
        case 2: grid.perform(.setHidden(column, Bool.random(using: &random)))
        case 3: grid.frame.height = Int.random(in: 4...16, using: &random)
        case 4: grid.frame.x = Int.random(in: 0...2, using: &random)
        case 5: grid.perform(.selectAll)
        case 6: grid.perform(.clearSelection)
        case 7:
            source.names[Int.random(in: 0..<source.names.count, using: &random)] += 1_000
            grid.reloadRows()
        case 8: grid.perform(.toggleMark(RowID(Int.random(in: 0..<90, using: &random))))
        case 9: grid.perform(.setRows(.permuted(RowPermutation((0..<90).shuffled(using: &random).map { UInt32($0) }))))
        case 10: grid.perform(.moveColumn(column, toIndex: Int.random(in: 0..<4, using: &random)))
        case 11: grid.perform(.setTheme(Bool.random(using: &random) ? .dark : .light, keepsColumns: true))
        case 12: grid.configure { $0.metrics.rowHeight = $0.metrics.rowHeight == 1 ? 2 : 1 }
        case 13: grid.configure { $0.metrics.gridLines = $0.metrics.gridLines == .none ? .both : .none }
        case 14: grid.findMatches = grid.findMatches == nil ? { text, _ in [text.startIndex..<text.endIndex] } : nil
        case 16...18:
            let row = Int.random(in: 0..<source.names.count, using: &random)
            source.names[row] += 1_000
            let kind = [CellChange.Kind.changed, .risen, .fallen][Int.random(in: 0..<3, using: &random)]
            grid.reportChanges([CellChange(.updated, row: RowID(row)), CellChange(kind, row: RowID(row), column: column)])
            // The other columns of this source show the same number.
            grid.reloadRows([RowID(row)])
        case 19: grid.tick(at: .now + .milliseconds(Int.random(in: 0...1_000, using: &random)))
        case 15: grid.perform(.scroll(items: Int.random(in: -3...3, using: &random), columns: Int.random(in: -2...2, using: &random)))
        default: grid.perform(.move(motions.randomElement(using: &random)!, extending: Int.random(in: 0..<12, using: &random) == 0))
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `D1: a frame with copied rows equals a fully painted frame`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let source = CountingSource(90)
        let grid = GridController(columns: Self.columns, dataSource: source, metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 1, y: 1, width: 48, height: 14)
        grid.reload()
        for step in 0..<120 {
            change(grid, source, using: &random)
            var copied = CellBuffer(size: TerminalSize(columns: 60, rows: 20))
            var painted = copied
            grid.draw(on: &copied)
            GridPainter(
                grid.state, source: source, origin: GridPoint(x: grid.frame.x, y: grid.frame.y), matches: grid.findMatches,
                highlights: grid.highlights, changeMarks: grid.changeMarks, now: grid.highlightTime
            ).paint(on: &painted)
            #expect(copied == painted, "step \(step)")
        }
    }

    @Test func `D1: a cursor move by one line requests only one row and paints no other row`() {
        let source = CountingSource(90)
        let grid = GridController(columns: Self.columns, dataSource: source, metrics: .threeHeaderLines)
        grid.frame = TerminalRect(x: 0, y: 0, width: 48, height: 14)
        grid.reload()
        var buffer = CellBuffer(size: TerminalSize(columns: 48, rows: 14))
        for _ in 0..<30 {
            grid.perform(.move(.down(1)))
            grid.draw(on: &buffer)
        }
        _ = source.drainRequests()
        grid.perform(.move(.down(1)))
        grid.draw(on: &buffer)
        #expect(Set(source.cells.map { $0[0] }).count <= 1)
    }

    @Test func `A20: only rows with changed content, styles or highlights are painted`() {
        let source = CountingSource(30)
        let delegate = StyleDelegate()
        // The cursor is in row 0, which is always painted.
        let state = grid("a:4 n:5", rows: 30, frame: (20, 11)).after(
            .setSelection(Selection(blocks: [SelectionBlock(rows: 2..<4, columns: nil)])))
        var changes = FrameChanges()
        var highlights = Highlights(steps: 5)
        var frame: PaintedFrame?
        func painted(at now: Int64 = 0) -> [Int] {
            var buffer = CellBuffer(size: TerminalSize(columns: 20, rows: 11))
            GridPainter(state, source: source, delegate: delegate, highlights: highlights, now: now).paint(
                on: &buffer, after: changes, &frame)
            changes.removeRows()
            defer { _ = source.drainRequests() }
            return Set(source.cells.map { $0[0] }).sorted()
        }
        #expect(painted() == Array(0..<10))
        #expect(painted() == [0])
        changes.add([3, 20])
        highlights.highlight(.rise, row: 5, column: 1, at: 0, for: 100)
        highlights.highlight(row: 7, at: 10, for: 100)
        #expect(painted() == [0, 3, 5, 7])
        #expect(painted(at: 19) == [0])
        #expect(painted(at: 20) == [0, 5] && painted(at: 30) == [0, 7])
        #expect(painted(at: 500) == [0, 5, 7] && painted(at: 501) == [0])
        delegate.columns[1] = CellStyle(traits: .bold)
        #expect(painted(at: 502) == Array(0..<10))
        changes.addFullChange()
        #expect(painted(at: 503) == Array(0..<10))
    }
}
