import DataGrid
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// The cost of each reload method for cards and transposed tables, in calls.
@MainActor
@Suite struct TileReloadTests {
    /// Two cards per line and three visible lines, or four rows side by side with the last one clipped. Both have four columns.
    @MainActor private struct Way {
        let grid: GridController
        let source = Counting(100)
        let styles = Styles()
        /// The number of visible rows, and of rows revealed by one step.
        let rows: Int
        let step: Int
        private let presentation: GridPresentation

        init(_ presentation: GridPresentation) {
            self.presentation = presentation
            (rows, step) = presentation == .cards ? (6, 2) : (4, 1)
            var metrics = GridMetrics()
            metrics.columnSpacing = 1
            metrics.rowHeaderWidth = 5
            metrics.showsScrollBar = false
            metrics.cards.width = 14
            grid = GridController(
                columns: (0..<4).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(6)) }, dataSource: source, delegate: styles,
                metrics: metrics)
            grid.frame = TerminalRect(x: 0, y: 0, width: 33, height: 11)
            grid.reload()
            grid.perform(.present(presentation))
            draw()
            _ = source.asked()
            _ = styles.asked()
        }

        @discardableResult
        func draw() -> String {
            var buffer = CellBuffer(size: TerminalSize(columns: 33, rows: 11))
            grid.draw(on: &buffer)
            return buffer.lines().joined(separator: "\n")
        }

        /// Scrolls by this many lines of cards, or rows.
        func scroll(_ steps: Int) {
            grid.perform(presentation == .cards ? .scroll(items: steps, columns: 0) : .scroll(items: 0, columns: steps))
            draw()
        }

        /// The calls expected for this many rows.
        func calls(_ rows: Int) -> [String: Int] { ["cells": 4 * rows, "row headers": rows] }
    }

    private nonisolated static let ways: [GridPresentation] = [.cards, .transposed]

    @Test("A7, C1, C5: reload requests everything visible once; redrawing, moving and selecting request nothing", arguments: ways)
    func reload(_ presentation: GridPresentation) {
        let way = Way(presentation)
        way.grid.reload()
        #expect(way.source.asked() == ["sections": 1, "rows": 1])
        way.draw()
        #expect(way.source.announced == (0..<way.rows).map { RowID($0) })
        #expect(way.source.asked() == way.calls(way.rows) && way.styles.asked() == ["rows": way.rows, "cells": 4 * way.rows])
        way.draw()
        way.grid.perform(.move(.right(1)))
        way.draw()
        way.grid.perform(.move(.left(1), extending: true))
        way.grid.setNeedsDisplay()
        way.draw()
        #expect(way.source.asked() == [:] && way.styles.asked() == [:])
    }

    @Test(
        "A6, C1, C5: scrolling by a step requests the new cards or row, and none on the way back; the cache is bounded",
        arguments: ways)
    func scrolling(_ presentation: GridPresentation) {
        let way = Way(presentation)
        way.scroll(1)
        #expect(way.source.announced.sorted { $0.rawValue < $1.rawValue } == (way.rows..<way.rows + way.step).map { RowID($0) })
        #expect(way.source.asked() == way.calls(way.step) && way.styles.asked() == ["rows": way.step, "cells": 4 * way.step])
        way.scroll(-1)
        #expect(way.source.asked() == [:])
        for _ in 0..<30 {
            way.scroll(1)
            #expect(way.grid.caches.contents.cells.size.rows <= 3 * way.rows)
        }
        #expect(way.source.asked() == way.calls(29 * way.step))
    }

    @Test("A7, C1, C5: reload methods request only their rows, columns or styles, and appended rows when visible", arguments: ways)
    func reloadMethods(_ presentation: GridPresentation) {
        let way = Way(presentation)
        way.source.names[1] = 333
        way.grid.reloadRows([1, 70])
        #expect(way.draw().contains("333a"))
        #expect(way.source.asked() == way.calls(1) && way.styles.asked() == ["rows": 1, "cells": 4])
        way.grid.reloadColumns([1, 9])
        way.draw()
        #expect(way.source.cells.allSatisfy { $0[1] == 1 })
        #expect(way.source.asked() == ["cells": way.rows] && way.styles.asked() == ["cells": way.rows])
        way.grid.redrawRows([2])
        way.draw()
        #expect(way.styles.asked() == ["rows": 1, "cells": 4])
        way.grid.redrawColumns([0, 3])
        way.draw()
        #expect(way.styles.asked() == ["cells": 2 * way.rows])
        #expect(way.source.asked() == [:])
        way.source.sections[0].rows = 103
        way.source.names += [100, 101, 102]
        way.grid.reloadAppended()
        way.draw()
        #expect(way.source.asked() == ["sections": 1, "rows": 1] && way.styles.asked() == [:])
        way.grid.perform(.move(.bottom))
        #expect(way.draw().contains("102a"))
    }
}
