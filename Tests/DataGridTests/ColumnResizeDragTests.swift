import DataGrid
import GridTestSupport
import Testing

/// Dragging column edges when preceding columns share the frame's width.
@Suite struct ColumnResizeDragTests {
    @Test func `A9: a dragged edge stays under the pointer, and a cancelled drag restores the widths`() {
        var state = fittedState(measuredColumns(0, 0, 0), frame: 41)
        state.interaction = GridInteraction()
        let before = state
        let events = state.drag((27, 0), (29, 0), (30, 0))
        #expect(events == [.columnResized(1, width: 15), .columnResized(1, width: 16)])
        #expect(state.layout.geometry.widths == [13, 16, 10] && state.layout.geometry.starts == [0, 14, 31])
        #expect(state.columns.all.map(\.width) == [.fixed(13), .fixed(16), .standard])
        state = before
        state.play(.pointerDown(GridPoint(x: 27, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 20, y: 0)))
        #expect(state.layout.geometry.widths == [13, 6, 20])
        state.play(.cancelDrag)
        #expect(state == before)
    }

    @Test(arguments: [nil, 6]) func `A9, B3: the edge also stays under the pointer after flexible and unmeasured columns`(common: Int?) {
        var some = measuredColumns(0, 0, 5, 8)
        (some[0].width, some[1].width, some[2].width) = (.flexible, .automatic, .automatic)
        var state = fittedState(some, frame: 50) { $0.defaultColumnWidth = common }
        state.interaction = GridInteraction()
        let before = state
        let geometry = state.layout.geometry
        let edge = geometry.starts[2] + geometry.widths[2]
        for by in [3, -2] {
            state = before
            state.drag((edge, 0), (edge + by, 0))
            #expect(state.layout.geometry.starts[...2] == geometry.starts[...2])
            #expect(state.layout.geometry.widths[2] == geometry.widths[2] + by)
            #expect(state.columns[0].width == .fixed(geometry.widths[0]))
            #expect(state.columns[1].width == (common == nil ? .fixed(geometry.widths[1]) : .automatic))
            state = before
            state.play(.pointerDown(GridPoint(x: edge, y: 0), PointerPress()), .pointerMoved(GridPoint(x: edge + by, y: 0)))
            #expect(state != before)
            state.play(.cancelDrag)
            #expect(state == before)
        }
    }

    @Test(
        arguments: [true, false])
    func `D5: a drag of the first cell after an edge moves the edge too, and a click there is a click on the header`(showsColumnEdges: Bool)
    {
        let columns = [7, 7, 2].enumerated().map { Column(id: ColumnID($0), title: "\($0)", width: .fixed($1)) }
        var state = fittedState(columns, frame: 41) {
            ($0.columnSpacing, $0.minimumColumnWidth, $0.showsColumnEdges) = (2, 1, showsColumnEdges)
        }
        state.interaction = GridInteraction()
        let spans = state.layout.columns
        let (second, third) = (spans[1].x, spans[2].x)
        #expect(state.layout.hit(GridPoint(x: second, y: 0)) == .header(1))
        let before = state
        #expect(state.drag((second, 0), (second, 0)) == [.headerActivated(1, isAdding: false)])
        #expect(state == before)
        let events = state.drag((second, 0), (second + 3, 0))
        #expect(events == (showsColumnEdges ? [.columnResized(0, width: 10)] : []))
        #expect(state.layout.geometry.widths == (showsColumnEdges ? [10, 7, 2] : [7, 7, 2]))
        state = before
        state.play(.pointerDown(GridPoint(x: second, y: 0), PointerPress()), .pointerMoved(GridPoint(x: second - 2, y: 0)))
        #expect(state.layout.geometry.widths[0] == (showsColumnEdges ? 5 : 7))
        state.play(.cancelDrag)
        #expect(state == before)
        // The other cells of a header move the column. In a narrow header, all cells move it.
        #expect(state.drag((second + 1, 0), (1, 0)) == [.columnMoved(1, from: 1, to: 0)])
        state = before
        #expect(state.drag((third, 0), (1, 0)) == [.columnMoved(2, from: 2, to: 0)])
    }

    @Test(
        arguments: 1...60 as ClosedRange<UInt64>)
    func `A9, E: a drag of any edge moves nothing before the edge, and a cancelled drag leaves no trace`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
        let rules: [WidthRule] = [.standard, .standard, .automatic, .flexible, .fraction(0.2), .fixed(7)]
        let some = (0..<number(1...7)).map {
            Column(id: ColumnID($0), title: "", width: rules[number(0...5)], measuredWidth: number(0...1) == 0 ? 0 : number(1...40))
        }
        var start = fittedState(some, frame: number(20...80)) {
            ($0.columnSpacing, $0.showsScrollBar) = (number(0...2), number(0...1) == 0)
            if number(0...3) == 0 { $0.defaultColumnWidth = number(1...12) }
        }
        start.interaction = GridInteraction()
        start.play(.setRows(.natural(count: 5)), .freeze(FrozenPanes(leading: number(0...2))), .scroll(items: 0, columns: number(0...2)))
        let layout = start.layout
        for x in 0..<start.size.width {
            guard case .separator(let index) = layout.hit(GridPoint(x: x, y: 0)) else { continue }
            let by = number(-6...6)
            var state = start
            state.play(.pointerDown(GridPoint(x: x, y: 0), PointerPress()), .pointerMoved(GridPoint(x: x + by, y: 0)))
            // Do not compare positions if frozen columns have lost their room, or if narrower columns have changed the scroll position.
            if state.scroll == start.scroll, state.layout.overflowingSides == layout.overflowingSides {
                #expect(
                    state.layout.columns.prefix { $0.index < index }.map(\.range) == layout.columns.prefix { $0.index < index }.map(\.range)
                )
                #expect(state.layout.geometry.widths[index] == max(3, layout.geometry.widths[index] + by), "at \(x) by \(by)")
            }
            state.play(.cancelDrag)
            #expect(state == start, "at \(x) by \(by)")
        }
    }

    @Test(
        arguments: [
            .removeRows(0..<1, renumbering: true), .insertRows(RowInsertion(at: 2, count: 3)), .growRows(.natural(count: 9)),
            .setRows(.natural(count: 4)),
        ] as [GridAction])
    func `A9, C2: a cancelled edge drag restores widths and scroll position, even after row changes`(action: GridAction) {
        var state = fittedState(measuredColumns(0, 0, 0), frame: 41)
        state.play(.setRows(.natural(count: 5)))
        state.interaction = GridInteraction()
        let before = state.columns
        state.play(.pointerDown(GridPoint(x: 27, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 30, y: 0)), action)
        #expect(state.columns != before && state.drag != nil)
        state.play(.cancelDrag)
        #expect(state.columns == before && state.drag == nil)

        state.play(.setWidth(0, .fixed(30)), .setWidth(1, .fixed(30)), .setWidth(2, .fixed(30)), .scroll(items: 0, columns: 2))
        let (columns, x) = (state.columns, state.scroll.x)
        let edge = state.layout.columns.last!.range.upperBound
        #expect(state.layout.hit(GridPoint(x: edge, y: 0)) == .separator(2))
        state.play(.pointerDown(GridPoint(x: edge, y: 0), PointerPress()), .pointerMoved(GridPoint(x: edge - 25, y: 0)), action)
        #expect(state.scroll.x < x)
        state.play(.cancelDrag)
        #expect(state.columns == columns && state.scroll.x == x)
    }
}
