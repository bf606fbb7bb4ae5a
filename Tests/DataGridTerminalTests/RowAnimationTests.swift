import DataGrid
import GridTestSupport
import TerminalSurface
import Testing

@testable import DataGridTerminal

/// Rows that slide to their places after rows or sections are inserted or removed.
@MainActor
@Suite struct RowAnimationTests {
    /// Sections of rows, in which rows have names. A section without a title has no header.
    private final class Names: GridDataSource {
        var titles: [String?]
        var names: [[String]]
        private(set) var requests = 0

        init(_ sections: [(title: String?, names: [String])]) {
            titles = sections.map(\.title)
            names = sections.map(\.names)
        }

        let gridColumns = [Column(id: 0, title: "c", width: .fixed(12))]
        var numberOfSections: Int { names.count }
        func numberOfRows(inSection section: Int) -> Int { names[section].count }
        func title(ofSection section: Int) -> String? { titles[section] }
        func content(row: RowID, column: ColumnID) -> CellContent {
            requests += 1
            return CellContent(Array(names.joined())[row.rawValue])
        }
    }

    private func rows(_ range: Range<Int>) -> [String] { range.map { "r\($0)" } }

    private func open(_ source: Names, height: Int = 7) -> GridController {
        var metrics = GridMetrics()
        (metrics.headerHeight, metrics.showsScrollBar, metrics.hasStickySectionHeaders) = (1, false, true)
        let grid = GridController(owning: source, metrics: metrics)
        grid.arrivalDuration = .zero
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: height)
        grid.reload()
        _ = draw(grid)
        return grid
    }

    /// The lines below the column names. Of a section header, only the mark and the title are included.
    @discardableResult
    private func draw(_ grid: GridController) -> [String] {
        picture(grid).lines().dropFirst().map { $0.hasPrefix("▸") || $0.hasPrefix("▾") ? String($0.prefix(3)) : $0 }
    }

    private func picture(_ grid: GridController) -> CellBuffer {
        var buffer = CellBuffer(size: TerminalSize(columns: grid.frame.width, rows: grid.frame.height))
        grid.draw(on: &buffer)
        return buffer
    }

    /// The frames after a change until the grid is idle, by milliseconds since the change.
    private func frames(_ grid: GridController) -> [(time: Int, lines: [String])] {
        let start = grid.rowAnimationTick ?? .now
        var now = start
        var frames: [(time: Int, lines: [String])] = []
        while frames.count < 50 {
            grid.tick(at: now)
            if grid.needsDisplay { frames.append((Int((now - start) / .milliseconds(1)), draw(grid))) }
            guard let next = grid.nextTick else { break }
            now = max(now, next)
        }
        return frames
    }

    private func insert(_ names: [String], at position: Int, in source: Names, _ grid: GridController) {
        source.names[0].insert(contentsOf: names, at: position)
        grid.insertRows(at: position..<position + names.count)
    }

    // MARK: Frames

    @Test func `C2: rows below inserted rows slide down, and uncover the new rows`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        insert(["a", "b", "c"], at: 2, in: source, grid)
        let seen = frames(grid)
        #expect(seen.map(\.time) == [0, 24, 48, 72])
        #expect(
            seen.map(\.lines) == [
                ["r0", "r1", "a", "r2", "r3", "r4"], ["r0", "r1", "a", "b", "r2", "r3"], ["r0", "r1", "a", "b", "r2", "r3"],
                ["r0", "r1", "a", "b", "c", "r2"],
            ])
        #expect(grid.nextTick == nil && !grid.needsDisplay, "no wake-ups afterwards")
    }

    @Test func `C2: rows below removed rows slide up and cover them`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        source.names[0].removeSubrange(1..<3)
        grid.removeRows(at: 1..<3)
        let seen = frames(grid)
        let first = ["r0", "r1", "r3", "r4", "r5", "r6"]
        #expect(seen.map(\.time) == [0, 24, 48, 72])
        #expect(seen.map(\.lines) == [first, first, first, ["r0", "r3", "r4", "r5", "r6", "r7"]])
        #expect(grid.nextTick == nil)
    }

    @Test func `C2: removing rows outside of the view does not scroll, unless the cursor was moved to them first`() {
        let source = Names([(nil, rows(0..<40))])
        let grid = open(source)
        grid.reduceMotion = true
        func remove(_ range: Range<Int>) -> [String] {
            source.names[0].removeSubrange(range)
            grid.removeRows(at: range)
            return draw(grid)
        }
        #expect(remove(30..<31) == rows(0..<6))
        for row in [23, 20] { grid.perform(.moveCursor(GridCursor(item: .row(row), column: 0))) }
        let before = draw(grid)
        #expect(before.contains("r20") && before.first != "r20")
        let after = remove(20..<21)
        #expect(Array(after.dropLast()) == before.filter { $0 != "r20" } && grid.state.cursor.row == 20)
        #expect(remove(0..<4) == after, "rows removed above change the scroll position only")
        grid.perform(.move(.bottom))
        #expect(draw(grid) == rows(34..<40))
        #expect(remove(31..<34) == rows(31..<37), "after a removal at the end, the last rows fill the frame")
    }

    @Test func `C2: a motion takes at most 120 ms and 6 frames, and reads each new cell once`() {
        let source = Names([(nil, rows(0..<60))])
        let grid = open(source, height: 31)
        let before = source.requests
        insert((0..<20).map { "n\($0)" }, at: 1, in: source, grid)
        let seen = frames(grid)
        #expect(seen.map(\.time) == [0, 24, 48, 72, 96, 120])
        #expect(seen.map { $0.lines.firstIndex(of: "r1") } == [7, 12, 16, 19, 20, 21])
        #expect(source.requests == before + 20)
        #expect(grid.nextTick == nil)
    }

    private var sections: Names { Names([("a", rows(0..<4)), ("b", rows(4..<8))]) }

    @Test func `C2: rows slide over a collapsed section, and make room for an expanded one`() {
        let grid = open(sections, height: 8)
        #expect(draw(grid) == ["▾ a", "r0", "r1", "r2", "r3", "▾ b", "r4"])
        grid.perform(.toggleSection(0))
        var seen = frames(grid).map(\.lines)
        #expect(
            seen == [
                ["▸ a", "r0", "r1", "r2", "▾ b", "r4", "r5"], ["▸ a", "r0", "r1", "▾ b", "r4", "r5", "r6"],
                ["▸ a", "r0", "▾ b", "r4", "r5", "r6", "r7"], ["▸ a", "▾ b", "r4", "r5", "r6", "r7", ""],
            ])
        grid.lastRowChange -= .seconds(1)
        grid.perform(.toggleSection(0))
        seen = frames(grid).map(\.lines)
        #expect(seen.first == ["▾ a", "r0", "▾ b", "r4", "r5", "r6", "r7"])
        #expect(seen.last == ["▾ a", "r0", "r1", "r2", "r3", "▾ b", "r4"] && seen.count <= 6)
    }

    @Test func `C2: a sort during a motion shows the final state`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        source.names[0].removeSubrange(1..<3)
        grid.removeRows(at: 1..<3)
        grid.tick(at: grid.rowAnimationTick ?? .now)
        #expect(draw(grid) == ["r0", "r1", "r3", "r4", "r5", "r6"])
        grid.perform(.setRows(RowOrder.permuted(RowPermutation((0..<18).reversed().map { UInt32($0) })), tree: nil, keeping: []))
        #expect(draw(grid) == (0..<6).map { source.names[0][17 - $0] } && grid.rowAnimationTick == nil)
    }

    @Test func `C2: rows slide out of the pane if an expanded section fills it`() {
        let grid = open(Names([("a", rows(0..<10)), ("b", rows(10..<14))]), height: 8)
        grid.perform(.toggleSection(0))
        draw(grid)
        grid.lastRowChange -= .seconds(1)
        grid.perform(.toggleSection(0))
        let seen = frames(grid).map(\.lines)
        #expect(seen.first == ["▾ a", "r0", "r1", "▾ b", "r10", "r11", "r12"])
        #expect(seen.last == ["▾ a", "r0", "r1", "r2", "r3", "r4", "r5"] && seen.count <= 6)
    }

    @Test func `C2: inserted and removed sections slide too`() {
        let source = sections
        let grid = open(source, height: 12)
        source.titles.insert("n", at: 1)
        source.names.insert(["x", "y"], at: 1)
        grid.insertSection(1)
        var seen = frames(grid).map(\.lines)
        #expect(seen.count > 1 && seen.count <= 6)
        #expect(seen.last == ["▾ a", "r0", "r1", "r2", "r3", "▾ n", "x", "y", "▾ b", "r4", "r5"])
        #expect(seen.allSatisfy { $0.prefix(5) == ["▾ a", "r0", "r1", "r2", "r3"] && $0.contains("▾ b") })
        grid.lastRowChange -= .seconds(1)
        source.titles.remove(at: 1)
        source.names.remove(at: 1)
        grid.removeSection(1)
        seen = frames(grid).map(\.lines)
        #expect(seen.count > 1 && seen.count <= 6 && seen.first?.contains("▾ n") == true)
        #expect(seen.last == ["▾ a", "r0", "r1", "r2", "r3", "▾ b", "r4", "r5", "r6", "r7", ""])
    }

    // MARK: Replaced rows

    private struct Item: Identifiable {
        let id: String
        let group: String
    }

    private func items(_ names: [String], _ group: String) -> [Item] { names.map { Item(id: $0, group: group) } }

    /// A grid with the objects of a source, in sections if `isGrouped`.
    private func open(_ source: ObjectSource<Item, String>, isGrouped: Bool, height: Int) -> GridController {
        var metrics = GridMetrics()
        (metrics.headerHeight, metrics.showsScrollBar, metrics.hasStickySectionHeaders) = (1, false, true)
        let grid = GridController(owning: source, metrics: metrics)
        grid.arrivalDuration = .zero
        grid.frame = TerminalRect(x: 0, y: 0, width: 20, height: height)
        if isGrouped { source.groupings = [ObjectGrouping(by: \.group)] }
        _ = draw(grid)
        grid.lastRowChange -= .seconds(1)
        return grid
    }

    private func objects() -> ObjectSource<Item, String> {
        ObjectSource(
            items(rows(0..<4), "a") + items(rows(4..<8), "b"), columns: [ObjectColumn("c", \.id) { $0.width = .fixed(12) }])
    }

    @Test func `C2: rows slide when a source sets a new row order after inserting or removing rows`() {
        let source = objects()
        let grid = open(source, isGrouped: true, height: 12)
        #expect(draw(grid) == ["▾ a", "r0", "r1", "r2", "r3", "▾ b", "r4", "r5", "r6", "r7", ""])
        source.insert(items(["x", "y"], "a"), at: 1)
        var seen = frames(grid).map(\.lines)
        #expect(seen.count > 1 && seen.count <= 6 && seen.allSatisfy { $0.prefix(2) == ["▾ a", "r0"] })
        #expect(seen.first != seen.last && seen.last == ["▾ a", "r0", "x", "y", "r1", "r2", "r3", "▾ b", "r4", "r5", "r6"])
        #expect(grid.nextTick == nil)
        grid.lastRowChange -= .seconds(1)
        source.remove(["r0", "x"])
        seen = frames(grid).map(\.lines)
        #expect(seen.count > 1 && seen.count <= 6)
        #expect(seen.last == ["▾ a", "y", "r1", "r2", "r3", "▾ b", "r4", "r5", "r6", "r7", ""])
        grid.lastRowChange -= .seconds(1)
        grid.reduceMotion = true
        source.insert(items(["z"], "a"), at: 0)
        #expect(grid.rowAnimationTick == nil && Set(frames(grid).map(\.lines)).count == 1)
    }

    @Test func `C2: a sort or a key shows the final state of replaced rows at once`() {
        let source = objects()
        let grid = open(source, isGrouped: true, height: 12)
        source.sort(by: [ColumnSort(0, isDescending: true)])
        #expect(grid.rowAnimationTick == nil)
        draw(grid)
        grid.lastRowChange -= .seconds(1)
        source.remove(["r3", "r2"])
        grid.tick(at: grid.rowAnimationTick ?? .now)
        let final = ["▾ a", "r1", "r0", "▾ b", "r7", "r6", "r5", "r4", "", "", ""]
        #expect(draw(grid) != final && grid.rowAnimationTick != nil)
        grid.handle(.key(KeyPress(.down)))
        #expect(draw(grid) == final && grid.rowAnimationTick == nil)
    }

    // MARK: Cards

    /// The lines of a grid of cards, which has no line of column names.
    private func drawCards(_ grid: GridController) -> [String] { picture(grid).lines() }

    @Test func `C2: cards below inserted and removed cards slide in at most 6 frames`() {
        let source = objects()
        let grid = open(source, isGrouped: false, height: 9)
        grid.metrics.cards.spacing.height = 0
        grid.metrics.cards.edge = .none
        grid.perform(.setPresentation(.cards))
        grid.perform(.move(.bottom))
        func names(_ lines: [String]) -> [String] { lines.map { $0.filter { $0.isLetter || $0.isNumber } } }
        #expect(names(drawCards(grid)) == ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", ""])
        func distinctFrames(_ change: () -> Void) -> [[String]] {
            grid.lastRowChange -= .seconds(1)
            change()
            var (now, lines) = (grid.rowAnimationTick ?? .now, [[String]]())
            for _ in 0..<50 {
                grid.tick(at: now)
                if grid.needsDisplay, case let seen = names(drawCards(grid)), seen != lines.last { lines.append(seen) }
                guard let next = grid.nextTick else { break }
                now = max(now, next)
            }
            return lines
        }
        var frames = distinctFrames { source.remove(["r1", "r2", "r3"]) }
        #expect(frames.count > 1 && frames.count <= 6 && frames.first != frames.last)
        #expect(frames.last == ["r0", "r4", "r5", "r6", "r7", "", "", "", ""])
        frames = distinctFrames { source.insert(items(["x", "y"], "a"), at: 1) }
        #expect(frames.count > 1 && frames.count <= 6 && frames.allSatisfy { $0.first == "r0" })
        #expect(frames.last == ["r0", "x", "y", "r4", "r5", "r6", "r7", "", ""])
        grid.reduceMotion = true
        frames = distinctFrames { source.remove(["x"]) }
        #expect(frames == [["r0", "y", "r4", "r5", "r6", "r7", "", "", ""]])
    }

    // MARK: Fixed parts

    @Test func `C2: frozen rows and stuck headers do not move`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source, height: 12)
        grid.perform(.freeze(FrozenPanes(rows: 1, bottom: 1)))
        draw(grid)
        insert(["a", "b"], at: 3, in: source, grid)
        var seen = frames(grid).map(\.lines)
        #expect(seen.count > 1 && seen.allSatisfy { $0.first == "r0" && $0.last == "r19" })
        let nested = Names([("a", rows(0..<30))])
        let other = open(nested, height: 8)
        other.perform(.scroll(items: 3, columns: 0))
        #expect(draw(other) == ["▾ a", "r3", "r4", "r5", "r6", "r7", "r8"])
        insert(["x", "y"], at: 5, in: nested, other)
        seen = frames(other).map(\.lines)
        #expect(seen.count > 1 && seen.allSatisfy { $0.prefix(3) == ["▾ a", "r3", "r4"] })
        #expect(seen.last == ["▾ a", "r3", "r4", "x", "y", "r5", "r6"])
    }

    @Test func `C2: rows above a change, rows outside of the pane and a scrolled grid do not move`() {
        let source = Names([(nil, rows(0..<40))])
        let grid = open(source)
        insert(["a"], at: 30, in: source, grid)
        #expect(frames(grid).count == 1)
        grid.lastRowChange -= .seconds(1)
        grid.perform(.scroll(items: 10, columns: 0))
        let before = draw(grid)
        insert(["b"], at: 2, in: source, grid)
        #expect(frames(grid).map(\.lines) == [before])
        grid.lastRowChange -= .seconds(1)
        source.names[0].removeFirst()
        grid.removeRows(at: 0..<1)
        grid.perform(.scroll(items: 1, columns: 0))
        #expect(frames(grid).count == 1)
    }

    // MARK: End

    @Test(arguments: [false, true]) func `C2: a key or a mouse press ends the motion at once`(byKey: Bool) {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        insert(["a", "b", "c"], at: 2, in: source, grid)
        grid.tick(at: grid.rowAnimationTick!)
        #expect(draw(grid) == ["r0", "r1", "a", "r2", "r3", "r4"])
        if byKey {
            #expect(grid.handle(.key(KeyPress(.down))) && grid.state.cursor.row == 1)
        } else {
            grid.handle(.mouse(MouseEvent(.press(.left), x: 1, y: 5)))
            grid.handle(.mouse(MouseEvent(.release(.left), x: 1, y: 5)))
            #expect(grid.state.cursor.row == 4, "a press hits the row in its final place")
        }
        #expect(grid.needsDisplay && draw(grid) == ["r0", "r1", "a", "b", "c", "r2"])
        #expect(grid.rowAnimationTick == nil)
    }

    @Test func `C2: pressing the mouse button on a section starts a motion, and releasing it does not end the motion`() {
        let grid = open(sections, height: 8)
        grid.handle(.mouse(MouseEvent(.press(.left), x: 0, y: 1)))
        #expect(grid.state.isCollapsed(section: 0))
        grid.tick(at: grid.rowAnimationTick!)
        let first = ["▸ a", "r0", "r1", "r2", "▾ b", "r4", "r5"]
        #expect(draw(grid) == first)
        grid.handle(.mouse(MouseEvent(.release(.left), x: 0, y: 1)))
        #expect(draw(grid) == first && grid.rowAnimationTick != nil)
    }

    @Test func `C2: rows do not slide during a drag`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        grid.handle(.mouse(MouseEvent(.press(.left), x: 1, y: 1)))
        grid.handle(.mouse(MouseEvent(.drag(.left), x: 1, y: 2)))
        #expect(grid.state.drag != nil)
        draw(grid)
        insert(["a", "b", "c"], at: 2, in: source, grid)
        grid.tick(at: grid.rowAnimationTick!)
        #expect(draw(grid) == ["r0", "r1", "a", "b", "c", "r2"] && grid.rowAnimation == nil)
    }

    @Test func `C2: another change ends the motion; changes in quick succession show final states only`() {
        let source = Names([("a", rows(0..<4)), ("b", rows(4..<8))])
        let grid = open(source, height: 8)
        grid.perform(.moveCursor(GridCursor(item: .header(0))))
        draw(grid)
        let collapsed = ["▸ a", "▾ b", "r4", "r5", "r6", "r7", ""]
        let expanded = ["▾ a", "r0", "r1", "r2", "r3", "▾ b", "r4"]
        for press in 0..<6 {
            // The next press follows at once, however slow the test is.
            if press > 0 { grid.lastRowChange = .now + .seconds(1) }
            grid.handle(.key(KeyPress(.enter)))
            grid.tick(at: .now)
            let lines = draw(grid)
            if press > 0 { #expect(lines == (press % 2 == 0 ? collapsed : expanded) && grid.rowAnimationTick == nil) }
        }
    }

    @Test func `C2: without ticks, or after a late tick, a frame shows the final state`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        insert(["a", "b", "c"], at: 2, in: source, grid)
        #expect(draw(grid) == ["r0", "r1", "a", "b", "c", "r2"] && grid.rowAnimationTick == nil)
        grid.lastRowChange -= .seconds(1)
        insert(["d"], at: 0, in: source, grid)
        insert(["e"], at: 3, in: source, grid)
        grid.tick(at: grid.rowAnimationTick! + .milliseconds(120))
        let lines = draw(grid)
        #expect(lines.contains("e") && grid.rowAnimationTick == nil)
        grid.setNeedsDisplay()
        #expect(draw(grid) == lines)
    }

    @Test func `C2: reduceMotion shows the final state in one frame`() {
        let source = Names([(nil, rows(0..<20))])
        let grid = open(source)
        grid.reduceMotion = true
        insert(["a", "b", "c"], at: 2, in: source, grid)
        #expect(grid.rowAnimationTick == nil)
        #expect(frames(grid).map(\.lines) == [["r0", "r1", "a", "b", "c", "r2"]])
        grid.reduceMotion = false
        draw(grid)
        insert(["d"], at: 1, in: source, grid)
        grid.tick(at: grid.rowAnimationTick!)
        #expect(draw(grid) == ["r0", "r1", "a", "b", "c", "r2"] && grid.rowAnimationTick != nil)
        grid.reduceMotion = true
        #expect(draw(grid) == ["r0", "d", "r1", "a", "b", "c"] && grid.rowAnimationTick == nil)
    }

    @Test func `C2: an application sets reduceMotion on a terminal without motion, such as a recording one`() throws {
        let backend = RecordingBackend(size: TerminalSize(columns: 20, rows: 8))
        let grid = open(sections, height: 8)
        _ = try backend.open(grid)
        #expect(grid.reduceMotion)
        backend.showsMotion = true
        let moving = open(sections, height: 8)
        _ = try backend.open(moving)
        #expect(!moving.reduceMotion)
    }

    // MARK: Random changes

    private func change(_ grid: GridController, _ source: Names, using random: inout some RandomNumberGenerator) {
        let section = Int.random(in: 0..<source.names.count, using: &random)
        let start = source.names[..<section].reduce(0) { $0 + $1.count }
        let count = source.names[section].count
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let offset = Int.random(in: 0...count, using: &random)
            let names = (0..<Int.random(in: 1...6, using: &random)).map { "n\($0)" }
            source.names[section].insert(contentsOf: names, at: offset)
            grid.insertRows(at: start + offset..<start + offset + names.count, inSection: section)
        case 2, 3:
            guard count > 0 else { return }
            let first = Int.random(in: 0..<count, using: &random)
            let end = Int.random(in: first...min(count, first + 6), using: &random)
            source.names[section].removeSubrange(first..<end)
            grid.removeRows(at: start + first..<start + end)
        case 4:
            source.titles.insert("n", at: section)
            source.names.insert(["x", "y"], at: section)
            grid.insertSection(section)
        case 5:
            guard source.names.count > 1 else { return }
            source.titles.remove(at: section)
            source.names.remove(at: section)
            grid.removeSection(section)
        case 6: grid.perform(.scroll(items: Int.random(in: -5...5, using: &random), columns: 0))
        default: grid.perform(.toggleSection(section))
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `C2: after any sequence of changes, the last of at most 6 frames shows the final state`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let source = Names([("a", rows(0..<5)), ("b", rows(5..<8)), ("c", rows(8..<20))])
        let grid = open(source, height: 14)
        for step in 0..<60 {
            grid.lastRowChange -= .seconds(1)
            for _ in 0..<Int.random(in: 1...2, using: &random) { change(grid, source, using: &random) }
            let seen = frames(grid)
            // A frame for changed section headers may follow the motion.
            let moving = seen.filter { $0.lines != seen.last?.lines }
            #expect(moving.count < 6 && moving.allSatisfy { $0.time < 120 }, "step \(step): \(seen.map(\.time))")
            var painted = CellBuffer(size: TerminalSize(columns: grid.frame.width, rows: grid.frame.height))
            GridPainter(grid.state, source: source).paint(on: &painted)
            #expect(picture(grid) == painted, "step \(step)")
        }
    }
}
