import DataGrid
import FieldValues
import GridTestSupport
import Testing

/// Section headers of several lines.
@Suite struct SectionHeightTests {
    /// Provides header heights; rows have the common height.
    private final class Heights: RowHeightSource {
        let headers: [Int: Int]
        init(_ headers: [Int: Int]) { self.headers = headers }
        func lines(ofRow row: RowID, wrapping columns: [WrapColumn], limit: Int) -> Int { 1 }
        func height(ofSection section: Int) -> Int? { headers[section] }
    }

    @Test func `C7, A15: section headers have the set height, including sticky and pushed-out ones`() {
        var state = grid("a", frame: (8, 8), tree: sections("x 4\ny 9")) { $0.sectionHeaderHeight = 3 }
        #expect(sketch(state) == "a\n▾ X\n\n\n0a\n1a\n2a\n3a")
        state.play(.scroll(items: 1, columns: 0))
        #expect(sketch(state) == "a\n^ x\n\n\n1A\n2a\n3a\n▾ y")
        #expect(state.layout.itemSpans.map(\.fullHeight) == [3, 1, 1, 1, 3] && state.layout.itemSpans.map(\.height) == [3, 1, 1, 1, 1])
        state.play(.scroll(items: 3, columns: 0))
        #expect(sketch(state) == "a\n^ x\n\n\n▾ Y\n\n\n4a")
        state.play(.scroll(items: 1, columns: 0))
        #expect(sketch(state) == "a\n▾ Y\n\n\n4a\n5a\n6a\n7a")
        state.go(.bottom)
        #expect(sketch(state) == "a\n^ y\n\n\n9a\n10a\n11a\n12A")
        #expect(state.layout.hit(GridPoint(x: 0, y: 3)) == .sectionHeader(1, onToggle: true))
        state.metrics.sectionHeaderHeight = 0
        #expect(state.layout.itemSpans[0].fullHeight == 1)
        // One row is always visible below: headers without room for it do not stick.
        state.play(.setMetrics(state.metrics), .resize(GridSize(width: 8, height: 4)), .scroll(items: -1, columns: 0))
        state.metrics.sectionHeaderHeight = 3
        state.play(.setMetrics(state.metrics))
        #expect(state.isCursorVisible && !sketch(state).contains("^"))
    }

    @Test func `C7: a delegate sets the height of section headers, within limits that do not apply to the common height`() {
        var state = grid("a", frame: (8, 30), tree: sections("x 1\ny 1\nz 1\nw 1")) {
            $0.sectionHeaderHeight = 7
            $0.minimumRowHeight = 2
            $0.maximumRowHeight = 4
        }
        state.rowHeightSource = Heights([0: 1, 1: 3, 2: 9])
        func heights() -> [Int] { state.layout.itemSpans.filter(\.item.isHeader).map(\.fullHeight) }
        #expect(heights() == [7, 7, 7, 7], "without delegated heights, the delegate is not asked")
        state.metrics.hasDelegatedRowHeights = true
        #expect(heights() == [2, 3, 4, 7])
        #expect(state.layout.itemSpans.filter { !$0.item.isHeader }.allSatisfy { $0.fullHeight == 1 })
    }

    @Test func `A9: rows that share the height of the frame leave room for the headers`() {
        var state = grid("a", frame: (8, 21), tree: sections("x 3\ny 3")) {
            $0.fitsRowsToFrame = true
            $0.sectionHeaderHeight = 4
        }
        #expect(state.layout.itemSpans.map(\.fullHeight) == [4, 2, 2, 2, 4, 2, 2, 2])
        state.rowHeightSource = Heights([0: 1, 1: 1])
        state.metrics.hasDelegatedRowHeights = true
        #expect(state.layout.itemSpans.map(\.fullHeight) == [1, 3, 3, 3, 1, 3, 3, 3])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func `A15, D4: page keys skip no row, at any header heights`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let tree = sections(
            (0..<12).map { "\($0 > 0 && $0 % 3 != 0 ? "  " : "")s\($0) \($0 % 3 == 0 ? 0 : number(0...9))" }.joined(separator: "\n"))
        let rows = tree.sections.last!.rows.upperBound
        var state = grid("a", rows: rows, frame: (8, number(8...20)), tree: tree) {
            $0.sectionHeaderHeight = number(1...3)
            $0.hasDelegatedRowHeights = seed % 2 == 0
        }
        state.rowHeightSource = Heights(Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, number(1...5)) }))
        for motion in [GridMotion.pageDown, .pageUp] {
            var seen: Set<Int> = []
            for _ in 0..<200 {
                let whole = state.layout.itemSpans.filter { $0.isWhole && $0.pane == .scrolling }
                for line in whole { if case .row(let position) = line.item { seen.insert(position) } }
                state.go(motion)
                #expect(state.isCursorVisible)
            }
            #expect(seen == Set(0..<rows), "\(motion) misses \(Set(0..<rows).subtracting(seen).sorted())")
        }
    }

    @Test func `A9: a row among a million sections with tall headers is placed without visiting the sections`() {
        let count = 1_000_000
        let tree = SectionTree(
            starts: RowNumbers((0...count).map { UInt32($0 * 10) }), levels: [], titles: Names())
        var state = grid("ab", rows: count * 10, frame: (20, 24), tree: tree) { $0.sectionHeaderHeight = 3 }
        for _ in 0..<300 {
            state.go(.row(count * 5), .pageDown, .bottom, .up(3), .pageUp)
            #expect(state.isCursorVisible)
        }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `A9, A15: distant lines in sections agree with a reference that visits all items`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let tree = sections(
            (0..<60).map { "\($0 % 4 == 0 ? "" : "  ")s\($0) \($0 % 4 == 0 && number(0...1) == 0 ? 0 : number(0...60))" }
                .joined(separator: "\n"))
        let rows = tree.sections.last!.rows.upperBound
        var state = grid("a", rows: rows, frame: (8, 12), tree: tree) {
            $0.sectionHeaderHeight = number(1...3)
            $0.rowHeight = number(1...2)
        }
        var own: [Int: Int] = [:]
        for _ in 0..<number(0...300) { own[number(0...rows - 1)] = number(1...9) }
        for (row, height) in own { state.play(.setRowHeight(RowID(row), height)) }
        if seed % 3 == 0 { state.play(.setAllCollapsed(true)) }
        for _ in 0..<20 {
            state.play(.toggleSection(number(0...59)))
            state.play(.scroll(items: number(-2_000...2_000), columns: 0))
            // The reference visits every item and its lines.
            let heights = (0..<state.outline.itemCount).map { index in
                if case .row(let row) = state.outline.item(at: index) {
                    own[row] ?? state.metrics.rowHeight
                } else {
                    state.metrics.sectionHeaderHeight
                }
            }
            var last = state
            last.play(.scroll(items: 10_000, columns: 0))
            let lines = number(257...1_500) * (number(0...1) == 0 ? 1 : -1)
            var (top, rest) = (state.scroll.top, abs(lines))
            while lines > 0 ? top < heights.count - 1 : top > 0 {
                rest -= heights[lines > 0 ? top : top - 1]
                guard rest >= 0 else { break }
                top += lines.signum()
            }
            state.play(.scrollLines(lines))
            #expect(state.scroll.top == min(top, last.scroll.top))
        }
    }

    private struct Names: SectionTitles {
        func title(ofSection index: Int) -> String { "s\(index)" }
    }
}
