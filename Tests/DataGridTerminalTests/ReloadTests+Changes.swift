import DataGrid
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// Costs and highlights of inserted and removed rows, and of changed cells.
extension ReloadTests {
    // MARK: Inserted and removed rows

    /// The rows highlighted as new.
    private func highlighted(_ rows: Range<Int>) -> [Int] { rows.filter { grid.highlights.level(ofRow: RowID($0), at: 0) > 0 } }

    @Test func `C2: insertions and removals request only new rows, and highlight them`() {
        source.names.insert(contentsOf: [500, 501], at: 3)
        source.sections[0].rows = 102
        grid.insertRows(at: 3..<5)
        #expect(draw()[4].contains("500a") && grid.state.rows.count == 102)
        #expect(Set(source.cells.map { $0[0] }) == [3, 4])
        #expect(source.drainRequests() == ["cells": 8, "row headers": 2] && styles.drainRequests() == ["rows": 2, "cells": 8])
        #expect(highlighted(0..<102) == [3, 4])
        grid.removeRows(at: 0..<4)
        source.names.removeSubrange(0..<4)
        #expect(highlighted(0..<102) == [0])
        #expect(draw()[1].contains("501a"))
        grid.insertRows(at: 90..<91)
        #expect(grid.state.rows.count == 99)
        #expect(highlighted(0..<102) == [0], "rows that are not visible are not highlighted")
    }

    @Test func `C2: removing rows or a section briefly highlights the row that closes the gap, or the last row`() {
        _ = draw()
        #expect(grid.nextTick == nil)
        grid.removeRows(at: 2..<4)
        #expect(highlighted(0..<98) == [2] && grid.nextTick != nil)
        grid.removeRows(at: 50..<60)
        #expect(highlighted(0..<98) == [2], "rows that are not visible are not highlighted")
        grid.tick(at: .now + .seconds(1))
        #expect(highlighted(0..<98).isEmpty && grid.nextTick == nil, "the highlight ends, and no timer remains")
        nestSections()
        grid.removeSection(1)
        #expect(!highlighted(0..<98).isEmpty)
    }

    @Test func `C2: sections can be inserted and removed; the delegate cannot veto the resulting selection`() {
        nestSections()
        grid.delegate = nil
        grid.perform(.setSelection(Selection(blocks: [SelectionBlock(rows: 5..<6, columns: nil)])))
        grid.delegate = styles
        #expect(!grid.perform(.clearSelection))
        source.sections.insert((0, "n", nil, 2), at: 0)
        grid.insertSection(0)
        #expect(grid.state.selectedRows() == [7])
        #expect(grid.state.outline.tree!.sections.map(\.title) == ["n", "x", "p", "q", "y"])
        grid.removeSection(1)
        #expect(grid.state.selectedRows() == [2])
        grid.reload()
        #expect(grid.state.selection.isEmpty)
    }

    // MARK: Changes

    @Test func `A20: the host sets the highlight duration, and a duration of 0 only redraws changes`() {
        var now = ContinuousClock.now
        /// The number of highlights that are drawn after a change and an inserted row, and the duration of the highlights.
        func highlighted() -> (Int, Duration) {
            now += .seconds(1)
            let start = now
            source.names[3] += 100
            grid.reportChanges(
                [CellChange(.risen, row: 3, column: 1), CellChange(.changed, row: 4), CellChange(.inserted, row: 5)], at: now)
            grid.tick(at: now)
            #expect(grid.needsDisplay)
            draw()
            let count = grid.highlights.count
            while let next = grid.nextTick {
                now = max(now, next)
                grid.tick(at: now)
                draw()
            }
            return (count, now - start)
        }
        var (count, time) = highlighted()
        #expect(count == 3 && time > .milliseconds(1_900) && time < .milliseconds(2_100))
        (grid.changeDuration, grid.arrivalDuration) = (.milliseconds(500), .seconds(1))
        (count, time) = highlighted()
        #expect(count == 3 && time > .milliseconds(900) && time < .milliseconds(1_100))
        grid.arrivalDuration = .zero
        (count, time) = highlighted()
        #expect(count == 2 && time > .milliseconds(400) && time < .milliseconds(600))
        grid.changeDuration = .zero
        _ = source.drainRequests()
        (count, time) = highlighted()
        #expect(count == 0 && time < .milliseconds(100) && source.drainRequests()["cells"] == 5)
        grid.changeDuration = .seconds(Int64.max)
        grid.reportChanges([CellChange(.risen, row: 3, column: 1)], at: now)
        #expect(grid.highlights.count == 1)
    }

    @Test func `A20: a thousand changes a second are drawn in 30 frames that request only visible changed cells`() {
        var now = ContinuousClock.now
        let start = now
        var frames = 0
        var expected: Set<Int> = []
        var cells = 0
        for number in 0..<1_000 {
            now = start + .milliseconds(number)
            let row = number * 7 % 100
            source.names[row] += 1_000
            grid.reportChanges([CellChange(.risen, row: RowID(row), column: 1)], at: now)
            if row < 10 { expected.insert(row) }
            grid.tick(at: now)
            guard grid.needsDisplay else { continue }
            draw()
            frames += 1
            cells += expected.count
            expected = []
        }
        #expect((15...31).contains(frames))
        #expect(source.cells.allSatisfy { $0[0] < 10 && $0[1] == 1 })
        #expect(cells > 0 && source.drainRequests() == ["cells": cells] && styles.drainRequests() == ["cells": cells])
        now += .seconds(9)
        grid.tick(at: now)
        draw()
        grid.reportChanges([CellChange(.fallen, row: 50, column: 1), CellChange(.changed, row: 99)], at: now)
        #expect(grid.nextTick == nil && !grid.needsDisplay, "none of them is visible")
        now += .milliseconds(50)
        grid.reportChanges([CellChange(.fallen, row: 5, column: 2)], at: now)
        grid.reportChanges([CellChange(.changed, row: 4)], at: now)
        #expect(grid.nextTick! <= now)
        grid.tick(at: now)
        draw()
        #expect(source.drainRequests() == ["cells": 5, "row headers": 1])
        #expect(grid.highlights.count == 2, "older highlights are dropped")
        #expect(grid.highlights.change(ofRow: 5, column: 2, at: grid.highlightTime)! == (.fall, grid.highlights.steps))
        // The highlight fades in steps. After that, no timer remains.
        var steps = 0
        while let next = grid.nextTick {
            #expect(next > now)
            now = next
            grid.tick(at: now)
            if grid.needsDisplay { steps += 1 }
            draw()
        }
        #expect(steps == grid.highlights.steps && grid.highlights.isEmpty)
        #expect(source.drainRequests() == [:])
    }

    @Test func `A20: the marks of last changes stay after highlights fade, until the next change or a reload`() {
        var column = grid.state.columns[1]
        (column.highlightsChanges, column.keepsChangeMarks) = (false, true)
        grid.perform(.updateColumn(column))
        draw()
        let now = ContinuousClock.now
        grid.reportChanges([CellChange(.risen, row: 3, column: 1), CellChange(.fallen, row: 50, column: 1)], at: now)
        #expect(grid.highlights.isEmpty)
        grid.tick(at: now)
        #expect(draw()[4].contains("▲") && grid.nextTick == nil)
        grid.perform(.scroll(items: 45, columns: 0))
        #expect(draw().contains { $0.contains("50b") && $0.contains("▼") })
        grid.perform(.scroll(items: -45, columns: 0))
        #expect(draw()[4].contains("▲"))
        grid.removeRows(at: 0..<1)
        source.names.remove(at: 0)
        source.sections[0].rows = 99
        #expect(draw()[3].contains("▲"), "a mark follows its row")
        grid.reportChanges([CellChange(.fallen, row: 2, column: 1)], at: now + .seconds(1))
        #expect(draw()[3].contains("▼"))
        grid.reload()
        #expect(!draw().joined().contains { "▲▼".contains($0) }, "row numbers of this source do not identify rows")
    }

    @Test(arguments: [Int64.min, -1_000_000_000_000_000, .max])
    func `A20: very long and very negative durations are accepted`(seconds: Int64) {
        let duration = Duration(secondsComponent: seconds, attosecondsComponent: 0)
        (grid.changeDuration, grid.arrivalDuration) = (duration, duration)
        grid.reportChanges([CellChange(.risen, row: 3, column: 1), CellChange(.inserted, row: 4)], at: .now)
        #expect(grid.highlights.isEmpty == (seconds < 0))
    }

    @Test func `A20: an updated row is highlighted, and none of its cells is requested`() {
        let now = ContinuousClock.now
        grid.reportChanges([CellChange(.updated, row: 3)], at: now)
        #expect(grid.highlights.level(ofRow: 3, at: 0) > 0)
        grid.tick(at: now)
        draw()
        #expect(source.drainRequests() == [:] && styles.drainRequests() == ["rows": 1])
    }

    @Test func `A20: while highlights with many start times fade, frames are drawn at most ten times a second`() {
        let start = ContinuousClock.now
        for row in 0..<10 { grid.reportChanges([CellChange(.risen, row: RowID(row), column: 1)], at: start + .milliseconds(37 * row)) }
        var now = start + .milliseconds(400)
        grid.tick(at: now)
        draw()
        var frames = 0
        while let next = grid.nextTick {
            #expect(next >= now + .milliseconds(100))
            now = next
            grid.tick(at: now)
            if grid.needsDisplay { frames += 1 }
            draw()
        }
        #expect((5...25).contains(frames) && grid.highlights.isEmpty)
    }
}
