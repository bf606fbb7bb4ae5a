import DataGrid
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// The cost of each reload method for cards and transposed tables, in calls.
@MainActor
@Suite struct TileReloadTests {
    /// Two cards per line and three visible lines, or four rows side by side with the last one clipped. Both have four columns.
    @MainActor private struct Setup {
        let grid: GridController
        let source = CountingSource(100)
        let styles = CountingDelegate()
        /// The number of visible rows, and the number of rows revealed by one step.
        let rows: Int
        let step: Int
        private let presentation: GridPresentation

        init(_ presentation: GridPresentation) {
            self.presentation = presentation
            (rows, step) = presentation == .cards ? (6, 2) : (4, 1)
            var metrics = GridMetrics.threeHeaderLines
            metrics.hasStickySectionHeaders = true
            metrics.columnSpacing = 1
            metrics.rowHeaderWidth = 5
            metrics.showsScrollBar = false
            metrics.cards.width = 14
            grid = GridController(
                columns: (0..<4).map { Column(id: ColumnID($0), title: "\($0)", width: .fixed(6)) }, dataSource: source, delegate: styles,
                metrics: metrics)
            grid.frame = TerminalRect(x: 0, y: 0, width: 33, height: 11)
            grid.reload()
            grid.perform(.setPresentation(presentation))
            draw()
            _ = source.drainRequests()
            _ = styles.drainRequests()
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

    private nonisolated static let presentations: [GridPresentation] = [.cards, .transposed]

    @Test(arguments: presentations)
    func `A7, C1, C5: reload requests everything visible once; redrawing, moving and selecting request nothing`(
        _ presentation: GridPresentation
    ) {
        let setup = Setup(presentation)
        setup.grid.reload()
        #expect(setup.source.drainRequests() == ["sections": 1, "rows": 1])
        setup.draw()
        #expect(setup.source.announced == (0..<setup.rows).map { RowID($0) })
        #expect(
            setup.source.drainRequests() == setup.calls(setup.rows)
                && setup.styles.drainRequests() == ["rows": setup.rows, "cells": 4 * setup.rows])
        setup.draw()
        setup.grid.perform(.move(.right(1)))
        setup.draw()
        setup.grid.perform(.move(.left(1), extending: true))
        setup.grid.setNeedsDisplay()
        setup.draw()
        #expect(setup.source.drainRequests() == [:] && setup.styles.drainRequests() == [:])
    }

    @Test(
        arguments: presentations)
    func `A6, C1, C5: scrolling requests only new cards or rows, each only once, and the cache is bounded`(
        _ presentation: GridPresentation
    ) {
        let setup = Setup(presentation)
        setup.scroll(1)
        #expect(setup.source.announced.sorted { $0.rawValue < $1.rawValue } == (setup.rows..<setup.rows + setup.step).map { RowID($0) })
        #expect(
            setup.source.drainRequests() == setup.calls(setup.step)
                && setup.styles.drainRequests() == ["rows": setup.step, "cells": 4 * setup.step])
        setup.scroll(-1)
        #expect(setup.source.drainRequests() == [:])
        for _ in 0..<30 {
            setup.scroll(1)
            #expect(setup.grid.caches.contents.cells.size.rows <= 3 * setup.rows)
        }
        #expect(setup.source.drainRequests() == setup.calls(29 * setup.step))
    }

    @Test(arguments: presentations)
    func `A7, C1, C5: reload methods request only their rows, columns or styles, and appended rows when visible`(
        _ presentation: GridPresentation
    ) {
        let setup = Setup(presentation)
        setup.source.names[1] = 333
        setup.grid.reloadRows([1, 70])
        #expect(setup.draw().contains("333a"))
        #expect(setup.source.drainRequests() == setup.calls(1) && setup.styles.drainRequests() == ["rows": 1, "cells": 4])
        setup.grid.reloadColumns([1, 9])
        setup.draw()
        #expect(setup.source.cells.allSatisfy { $0[1] == 1 })
        #expect(setup.source.drainRequests() == ["cells": setup.rows] && setup.styles.drainRequests() == ["cells": setup.rows])
        setup.grid.redrawRows([2])
        setup.draw()
        #expect(setup.styles.drainRequests() == ["rows": 1, "cells": 4])
        setup.grid.redrawColumns([0, 3])
        setup.draw()
        #expect(setup.styles.drainRequests() == ["cells": 2 * setup.rows])
        #expect(setup.source.drainRequests() == [:])
        setup.source.sections[0].rows = 103
        setup.source.names += [100, 101, 102]
        setup.grid.reloadAppended()
        setup.draw()
        #expect(setup.source.drainRequests() == ["sections": 1, "rows": 1] && setup.styles.drainRequests() == [:])
        setup.grid.perform(.move(.bottom))
        #expect(setup.draw().contains("102a"))
    }
}
