import GridTestSupport
import DataGrid
import Testing

/// A sequence of actions on a grid.
private struct Trial {
    let seed: UInt64
    var generator: ActionGenerator
    private(set) var state: GridState
    private var recentActions: [GridAction] = []
    private var count = 0

    init(seed: UInt64, _ generator: ActionGenerator, _ state: GridState) {
        (self.seed, self.generator, self.state) = (seed, generator, state)
    }

    /// Performs an action, and checks its invariants and events.
    mutating func play(_ action: GridAction) {
        count += 1
        recentActions = recentActions.suffix(5) + [action]
        let before = state
        let events = state.play(action)
        state.checkInvariants()
        if let missing = missingEvent(before, state, events, action) { Issue.record("missing event: \(missing): \(context)") }
    }

    /// Changes the policies.
    mutating func setPolicies(_ interaction: GridInteraction) { state.interaction = interaction }

    var last: GridAction? { recentActions.last }
    /// The last actions, for messages.
    var context: String { "seed \(seed), action \(count): \(recentActions)" }
}

/// Describes a change without an event.
private func missingEvent(_ old: GridState, _ new: GridState, _ events: [GridEvent], _ action: GridAction) -> String? {
    if old.selection != new.selection, !events.contains(.selectionChanged) { return "the selection" }
    if old.sort != new.sort, !events.contains(.sortChanged) { return "sorting" }
    let isRestored = events.contains(.viewRestored)
    if old.frozen != new.frozen, !isRestored, !events.contains(.frozenPanesChanged) { return "what is frozen" }
    if old.outline.tree == new.outline.tree {
        for section in new.outline.collapsed.indices where old.outline.collapsed[section] != new.outline.collapsed[section] {
            let event = new.outline.collapsed[section] ? GridEvent.sectionCollapsed(section) : .sectionExpanded(section)
            if events.filter({ $0 == event }).count != 1 { return "section \(section)" }
        }
    }
    for b in new.columns.all where !isRestored {
        if let a = old.columns[b.id], a.isHidden != b.isHidden, !events.contains(b.isHidden ? .columnHidden(b.id) : .columnShown(b.id)) {
            return "column \(b.id)"
        }
    }
    let isOpened =
        new.editing.map { now in old.editing.map { old.rowIDMapping(by: action)($0.row) != now.row || $0.column != now.column } ?? true
        }
        ?? false
    if isOpened, let opened = new.editing, !events.contains(.editingBegan(opened.row, opened.column)) {
        return "the editor that was opened"
    }
    if let closed = old.editing, new.editing == nil || isOpened {
        let isReported = events.contains { if case .editingEnded(closed.row, closed.column, _) = $0 { true } else { false } }
        if !isReported { return "the editor that was closed" }
    }
    return nil
}

@Suite struct RandomActionTests {
    private static let trees = [
        nil, nil, sections("p\n  x 4\n  y 0\n  z 6\nq\n  r 3\n    s 2"), sections("a 9\nb 1\nc 12"), SectionTree([]),
    ]

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `E: random actions keep the state consistent, and a moved cursor visible`(seed: UInt64) {
        var state = grid("abcdefgh", rows: 40, frame: (30, 12))
        state.rowHeightSource = SyntheticHeights()
        state.interaction.allowsRowReordering = true
        var trial = Trial(seed: seed, ActionGenerator(random: SplitMix64(seed: seed), trees: Self.trees), state)
        for count in 0..<10_000 {
            var (isMotion, isChange) = (false, false)
            let before = trial.state
            switch trial.generator.number(0...9) {
            case 0...4:
                trial.play(.move(trial.generator.motion(), extending: trial.generator.number(0...4) == 0))
                isMotion = true
                checkFixedTiles(before, trial.state, trial.context)
            case 5, 6: trial.play(trial.generator.pointer())
            case 7: trial.play(trial.generator.selecting())
            default:
                trial.play(trial.generator.change(trial.state))
                isChange = true
            }
            if isChange || count % 8 == 0 { compareWithFresh(trial.state, trial.context) }
            checkRows(before, trial.state, trial.last, trial.context)
            check(trial.state, isMotion: isMotion, trial.context)
        }
    }

    @Test(
        arguments: 1...6 as ClosedRange<UInt64>)
    func `A3, A10, A11: random user actions report every change, and keep an editor with its cell`(seed: UInt64) {
        var state = grid("abcdefgh", rows: 40, frame: (30, 12))
        for (index, column) in state.columns.all.enumerated() where index % 2 == 0 {
            var column = column
            column.isEditable = true
            state.play(.updateColumn(column))
        }
        let trees = [nil, sections("p\n  x 4\n  y 0\n  z 6\nq 9")]
        var trial = Trial(seed: seed, ActionGenerator(random: SplitMix64(seed: seed), trees: trees, editsCells: true), state)
        for count in 0..<3_000 {
            if count % 50 == 0 { trial.setPolicies(trial.generator.interaction()) }
            switch trial.generator.number(0...9) {
            case 0, 1: trial.play(.move(trial.generator.motion(), extending: trial.generator.flag()))
            case 2...4: trial.play(trial.generator.pointer())
            case 5: trial.play(trial.generator.selecting())
            case 6, 7: trial.play(trial.generator.cells(trial.state))
            default: trial.play(trial.generator.change(trial.state))
            }
        }
    }

    /// A state after many actions has the same layout as a new state with the same content.
    private func compareWithFresh(_ state: GridState, _ context: @autoclosure () -> String) {
        // A state keeps a larger number of frozen panes for later; a new grid does not.
        let panes = state.frozen
        guard state.columns.count > 0, panes.rows + panes.bottom <= state.outline.itemCount,
            panes.leading + panes.trailing < max(1, state.columns.count)
        else {
            return
        }
        // Restoring makes the cursor visible; a drag may leave it hidden.
        var state = state
        state.play(.cancelDrag, .move(.up(0)))
        var fresh = GridState(columns: state.columns.all, theme: state.theme, metrics: state.metrics)
        fresh.rowHeightSource = state.rowHeightSource
        fresh.play(.setLoader(state.loader), .setPull(state.pull), .setRows(state.rows, tree: state.outline.tree), .resize(state.size))
        fresh.play(.restore(state.savedView))
        if let pull = state.pull { fresh.play(.pull(by: pull.uncovered - pull.lines), .pull(by: pull.uncovered - fresh.pull!.uncovered)) }
        let (a, b) = (state.layout, fresh.layout)
        if a.itemSpans != b.itemSpans || a.tiles != b.tiles || a.fields != b.fields || a.columns != b.columns || a.strips != b.strips
            || a.headerHeight != b.headerHeight
        {
            Issue.record(
                "differs from a new state with the same content: \(state.scroll) \(fresh.scroll)\n\(sketch(state))\n\(sketch(fresh))\n\(context())"
            )
        }
    }

    /// The selection contains existing rows and columns only, and marks stay on existing rows.
    private func checkRows(_ old: GridState, _ new: GridState, _ action: GridAction?, _ context: @autoclosure () -> String) {
        let ids = Set(new.columns.all.map(\.id))
        for block in new.selection.blocks {
            let rows = block.rows ?? 0..<0
            if rows.lowerBound < 0 || rows.upperBound > new.rows.count || !ids.isSuperset(of: block.columns ?? []) {
                Issue.record("\(block) of \(new.rows.count) rows is not valid in the selection: \(context())")
            }
        }
        guard let action, new.marks.count > 0 || old.marks.count > 0 else { return }
        let newID = old.rowIDMapping(by: action)
        switch action {
        case .insertRows, .removeRows, .insertSection, .removeSection:
            guard old.rows != new.rows else { return }
            let existing = Set((0..<new.rows.count).map { new.rows[$0] })
            for position in 0..<old.rows.count where old.marks.contains(old.rows[position]) {
                let row = newID(old.rows[position])
                if let row, !new.marks.contains(row) || !existing.contains(row) { Issue.record("\(row) has an invalid mark: \(context())") }
            }
            if new.marks.count > old.marks.count { Issue.record("more rows are marked: \(context())") }
        case .moveRows, .moveCurrentRows, .move, .scroll, .setPresentation, .setCollapsed, .toggleSection, .setAllCollapsed:
            if old.marks != new.marks { Issue.record("other rows are marked: \(context())") }
        default: break
        }
    }

    private func check(_ state: GridState, isMotion: Bool, _ context: @autoclosure () -> String) {
        let layout = state.layout
        if isMotion, state.outline.itemCount > 0, state.columns.count > 0, !state.isCursorVisible {
            Issue.record("the cursor is not visible: \(state.cursor) \(state.scroll) \(state.metrics)\n\(sketch(state))\n\(context())")
        }
        // Cached values equal recomputed ones.
        let outline = Outline(rowCount: state.rows.count, tree: state.outline.tree, collapsed: state.outline.collapsed)
        if state.outline != outline || state.outline.itemCount != outline.itemCount
            || (0..<outline.itemCount).contains(where: { state.outline.item(at: $0) != outline.item(at: $0) })
            || state.columns != ColumnList(state.columns.all)
        {
            Issue.record("a cached value is outdated: \(context())")
        }
        if outline.itemCount > 0, outline.item(at: outline.index(of: state.cursor.item)) != state.cursor.item {
            Issue.record("the cursor is on a hidden item, \(state.cursor): \(context())")
        }
        if state.effectivePresentation != .table { return checkTiles(state, layout, context()) }
        // Lines follow each other from the header down, bottom lines end at the frame, and everything is inside.
        var ranges = layout.itemSpans.map(\.range) + layout.strips.map(\.range)
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var y = layout.headerHeight
        var gaps = 0
        for range in ranges {
            if range.lowerBound > y { gaps += 1 }
            if range.lowerBound < y || range.isEmpty || range.upperBound > state.size.height {
                Issue.record("\(range) at \(y): \(context())")
            }
            y = range.upperBound
        }
        let hasBottom = layout.pane.upperBound < state.size.height
        if gaps > (hasBottom ? 1 : 0) || hasBottom && y != state.size.height { Issue.record("\(ranges) in \(state.size): \(context())") }
        if let pull = state.pull, pull.uncovered > 0, state.scroll.top > layout.frozenItemCount {
            Issue.record("pulled while not visible: \(context())")
        }
        if layout.pane.isEmpty, state.size.height > 1 { Issue.record("no pane: \(context())") }
        if let size = layout.pageSize, (state.scroll.top - layout.frozenItemCount) % size != 0 {
            Issue.record("\(state.scroll.top) is not a page of \(size): \(context())")
        }
        var x = layout.rowHeaderWidth
        for span in layout.columns {
            let isInside = span.x >= x && span.width > 0 && span.range.upperBound <= (layout.scrollBarX ?? state.size.width)
            let isPart = span.clippedLeading >= 0 && span.clippedLeading + span.width <= span.fullWidth
            if !isInside || !isPart { Issue.record("\(span) from \(x): \(context())") }
            x = span.range.upperBound
        }
        if layout.itemSpans.filter({ $0.pane != .frozenBottom }).dropLast().contains(where: { !$0.isWhole }) {
            Issue.record("a row above the last is clipped: \(context())")
        }
        let items = layout.itemSpans.map(\.index).filter { $0 >= state.scroll.top }
        if Set(layout.itemSpans.map(\.index)).count != layout.itemSpans.count { Issue.record("duplicate item: \(context())") }
        if items != items.sorted() { Issue.record("items out of order \(items): \(context())") }
    }

    private func checkTiles(_ state: GridState, _ layout: GridLayout, _ context: @autoclosure () -> String) {
        for (index, tile) in layout.tiles.enumerated() {
            let isInside =
                tile.x >= 0 && tile.y >= 0 && tile.width > 0 && tile.height > 0 && tile.x + tile.width <= layout.size.width
                && tile.y + tile.height <= layout.size.height
            let isDisjoint = layout.tiles[..<index].allSatisfy { other in
                tile.x + tile.width <= other.x || other.x + other.width <= tile.x || tile.y + tile.height <= other.y
                    || other.y + other.height <= tile.y
            }
            if !isInside || !isDisjoint || tile.x < layout.titleWidth { Issue.record("\(tile) among \(layout.tiles): \(context())") }
        }
        if Set(layout.tiles.map(\.index)).count != layout.tiles.count { Issue.record("duplicate item: \(context())") }
        if layout.size.width > 0, layout.size.height > 0 {
            let count = state.outline.itemCount
            let (top, bottom) = (Array(0..<layout.frozenItemCount), Array(count - layout.bottomItemCount..<count))
            if layout.tiles.filter({ $0.pane == .frozenTop }).map(\.index) != top
                || layout.tiles.filter({ $0.pane == .frozenBottom }).map(\.index) != bottom
            {
                Issue.record("wrong frozen tiles: \(layout.tiles) \(context())")
            }
        }
        if let size = layout.pageSize, !layout.tiles.isEmpty, (state.scroll.top - layout.frozenItemCount) % size != 0 {
            Issue.record("\(state.scroll.top) is not a page of \(size): \(context())")
        }
        if let pull = state.pull, pull.uncovered > 0, !state.isAtTop { Issue.record("pulled while not visible: \(context())") }
        // In a transposed table, horizontal strips lie between the lines of columns.
        var y = layout.headerHeight
        for field in layout.fields {
            if field.y < y || field.range.upperBound > layout.size.height { Issue.record("\(field) at \(y): \(context())") }
            y = field.range.upperBound
        }
        if Set(layout.fields.map(\.index)).count != layout.fields.count { Issue.record("duplicate column: \(context())") }
        for strip in layout.strips {
            let columns = strip.columns ?? 0..<layout.size.width
            let isInside = strip.y >= 0 && strip.range.upperBound <= layout.size.height && columns.upperBound <= layout.size.width
            let isBetweenLines = strip.columns == nil && layout.presentation == .transposed
            let isDisjoint =
                isBetweenLines
                ? layout.fields.allSatisfy { !$0.range.overlaps(strip.range) }
                : layout.tiles.allSatisfy { tile in
                    !strip.range.overlaps(tile.y..<tile.y + tile.height) || !columns.overlaps(tile.x..<tile.x + tile.width)
                }
            if strip.range.isEmpty || columns.isEmpty || !isInside || !isDisjoint {
                Issue.record("\(strip) among \(layout.tiles): \(context())")
            }
        }
    }

    /// Motions keep frozen tiles in place, unless a header before them scrolls away. They leave a third of the space for scrolling.
    private func checkFixedTiles(_ old: GridState, _ new: GridState, _ context: @autoclosure () -> String) {
        guard new.effectivePresentation != .table, old.outline == new.outline else { return }
        func fixed(_ layout: GridLayout) -> [TileSpan] {
            layout.tiles.filter { $0.pane == .frozenTop || $0.pane == .frozenBottom }.map { tile in
                var tile = tile
                if tile.pane == .frozenTop { tile.x -= layout.titleWidth }
                return tile
            }
        }
        func lines(_ layout: GridLayout) -> [FieldSpan] {
            layout.fields.filter(\.isFrozen).map { field in
                var field = field
                if field.pane == .leading { field.y -= layout.headerHeight }
                return field
            }
        }
        let (before, after) = (old.layout, new.layout)
        if fixed(before) != fixed(after) || lines(before) != lines(after) || before.overflowingSides != after.overflowingSides {
            Issue.record("frozen tiles moved: \(fixed(before)) \(fixed(after)) \(lines(before)) \(lines(after)): \(context())")
        }
        let isTransposed = new.effectivePresentation == .transposed
        let frozen = Set(fixed(after).flatMap { isTransposed ? $0.x..<$0.x + $0.width : $0.y..<$0.y + $0.height }).count
        if frozen * 3 > (isTransposed ? new.size.width : new.size.height) * 2 || lines(after).count * 3 > new.size.height * 2 {
            Issue.record("too much is frozen: \(after.tiles) \(after.fields): \(context())")
        }
    }

    @Test(arguments: [11, 12] as [UInt64]) func `A17: equal actions give equal states`(seed: UInt64) {
        func run() -> GridState {
            var generator = ActionGenerator(random: SplitMix64(seed: seed), trees: [nil])
            var state = grid("abcdefgh", rows: 40, frame: (30, 12))
            for _ in 0..<300 { state.play(generator.flag() ? .move(generator.motion()) : generator.pointer()) }
            return state
        }
        let (a, b) = (run(), run())
        #expect(a == b)
        #expect(a.layout.columns == b.layout.columns && a.layout.itemSpans == b.layout.itemSpans)
    }
}
