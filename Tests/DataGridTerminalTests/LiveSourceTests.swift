import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

private struct Item: Identifiable {
    let id: Int
    var kind = "a"
    var value: Double?
    /// A value that no column shows.
    var hidden = 0.0
}

private protocol Holder: AnyObject {
    var id: Int { get }
    var balance: Int { get set }
}

private final class Account: Identifiable, Holder {
    let id: Int
    var balance = 10

    init(_ id: Int) { self.id = id }
}

/// A grid on an array of changing objects: cells, totals, section headers.
@MainActor
@Suite final class LiveSourceTests {
    private let size = TerminalSize(columns: 40, rows: 8)
    private var now = ContinuousClock.now

    private func open<Object, ID>(_ source: ObjectSource<Object, ID>) -> GridController {
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
        (metrics.headerHeight, metrics.showsTotals) = (1, true)
        let grid = GridController(columns: [], metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: size.columns, height: size.rows)
        source.attach(to: grid)
        return grid
    }

    private func draw(_ grid: GridController) -> [String] {
        var buffer = CellBuffer(size: size)
        grid.draw(on: &buffer)
        return buffer.lines()
    }

    /// The next frame after the batching delay and the fading of marks; `nil` if nothing is drawn.
    private func nextFrame(_ grid: GridController) -> [String]? {
        // Changes are timed by the wall clock, which has advanced while other tests ran.
        now = max(now, .now) + .seconds(10)
        grid.tick(at: now)
        return grid.needsDisplay ? draw(grid) : nil
    }

    private func items(_ count: Int, value: Double? = 1) -> [Item] {
        (0..<count).map { Item(id: $0, kind: $0 < 3 ? "a" : "b", value: value) }
    }

    // MARK: Reloading

    @Test func `A14, A15, A18: reload, from code or a pull, keeps grouping by columns and collapsed groups`() {
        let source = ObjectSource(items(6), columns: [ObjectColumn("Value", \Item.value), ObjectColumn("Kind", \.kind)])
        source.groupings = [ObjectGrouping(by: \.kind)]
        let grid = open(source)
        grid.perform(.setCollapsed(section: 0, true))
        let view = grid.state.savedView
        #expect(view.grouping == ["Kind"])
        grid.reload()
        #expect(grid.state.outline.collapsed == [true, false] && grid.state.savedView == view)
        for action: GridAction in [.setPull(GridPull(lines: 2)), .pull(by: 2), .releasePull] { grid.perform(action) }
        #expect(grid.state.outline.collapsed == [true, false])
        grid.perform(.restore(grid.state.savedView))
        #expect(source.groupings.count == 1 && grid.state.outline.collapsed == [true, false])
        source.remove(source.objects.map(\.id))
        grid.reload()
        #expect(grid.state.savedView.grouping == ["Kind"], "also without rows")
        source.groupings.append(ObjectGrouping(by: \.hidden) { "\($0)" })
        #expect(source.groupColumns.isEmpty, "groupings without a column are not saved")
    }

    /// An exchange rate outside of the objects.
    private final class Rate { var value = 1.0 }

    @Test func `A20: a repeated sort or a reload recomputes totals and cells that depend on external values`() {
        let rate = Rate()
        let source = ObjectSource(
            items(3),
            columns: [
                ObjectColumn("EUR", value: { $0.value.map { $0 * rate.value } }, kind: .decimal, text: { "\($0)" }, number: { $0 })
                    .totaled(by: .sum)
            ])
        let grid = open(source)
        #expect(draw(grid)[1].contains("1") && draw(grid).last!.contains("3"))
        rate.value = 2
        source.sortAgain()
        #expect(nextFrame(grid)![1].contains("2") && draw(grid).last!.contains("6"))
        rate.value = 3
        grid.reload()
        #expect(nextFrame(grid)![1].contains("3") && draw(grid).last!.contains("9"))
    }

    // MARK: Objects of a class

    @Test func `A20: an updated class instance is redrawn, even if a protocol is used to access it`() {
        let source = ObjectSource((0..<3).map { Account($0) }, columns: [ObjectColumn("Balance", \Account.balance).totaled(by: .sum)])
        let grid = open(source)
        #expect(draw(grid)[1].contains("10"))
        source.update(0) { $0.balance = 99 }
        let lines = nextFrame(grid)
        #expect(lines?[1].contains("99") == true && lines?.last?.contains("119") == true)
        let holders = ObjectSource<any Holder, Int>([Account(0)], id: \.id, columns: [ObjectColumn("Balance", \.balance)])
        let other = open(holders)
        _ = draw(other)
        holders.update(0) { $0.balance = 99 }
        #expect(nextFrame(other)?[1].contains("99") == true)
    }

    @Test func `A20: a repeated sort of class instances redraws visible cells and totals`() {
        let accounts = (0..<3).map { Account($0) }
        let source = ObjectSource(accounts, columns: [ObjectColumn("Balance", \Account.balance).totaled(by: .sum)])
        let grid = open(source)
        _ = draw(grid)
        for account in accounts { account.balance = 7 }
        source.sortAgain()
        let lines = nextFrame(grid)
        #expect(lines?[1].contains("7") == true && lines?.last?.contains("21") == true)
    }

    // MARK: Totals of rows that are not visible

    @Test func `A20: an empty total is updated after a change in a row that is not visible`() {
        let source = ObjectSource(items(100, value: nil), columns: [ObjectColumn("Value", \Item.value).totaled(by: .sum)])
        let grid = open(source)
        #expect(!draw(grid).last!.contains("5"))
        source.update(99) { $0.value = 5 }
        #expect(nextFrame(grid)?.last?.contains("5") == true)
    }

    @Test func `A15, A20: section headers computed from objects follow every change, even if collapsed`() {
        let source = ObjectSource(items(6), columns: [ObjectColumn("Value", \Item.value)])
        source.groupings = [
            ObjectGrouping(by: \.kind).withScrollingTitle { "sum \($0.reduce(0) { $0 + ($1.value ?? 0) + $1.hidden })" }
        ]
        let grid = open(source)
        grid.perform(.setCollapsed(section: 0, true))
        #expect(draw(grid)[1].contains("sum 3.0"))
        source.update(0) { $0.value = 100 }
        #expect(nextFrame(grid)?[1].contains("sum 102.0") == true)
        source.update(0) { $0.hidden = 50 }
        #expect(nextFrame(grid)?[1].contains("sum 152.0") == true)
    }

    @Test func `A20: only totals computed by a closure are redrawn after a change of hidden values`() {
        let plain = ObjectColumn("Value", \Item.value)
        let source = ObjectSource(items(3), columns: [plain.totaled { CellContent("h \($0.reduce(0) { $0 + $1.hidden })") }])
        let grid = open(source)
        #expect(draw(grid).last!.contains("h 0.0"))
        source.update(0) { $0.hidden = 100 }
        #expect(nextFrame(grid)?.last?.contains("h 100.0") == true)
        let other = ObjectSource(items(3), columns: [plain.totaled(by: .sum)])
        let quiet = open(other)
        _ = draw(quiet)
        other.update(0) { $0.hidden = 100 }
        #expect(nextFrame(quiet) == nil)
    }

    // MARK: Marks

    @Test(arguments: 0..<3) func `A20, C2: the mark of a removed row does not pass to the row that reuses its number`(way: Int) {
        let source = ObjectSource(items(60), columns: [ObjectColumn("Value", \Item.value)])
        if way == 0 { source.groupings = [ObjectGrouping(by: \.kind)] }
        let grid = open(source)
        _ = draw(grid)
        source.update(0) { $0.value = 2 }
        grid.tick(at: .now + .milliseconds(50))
        #expect(draw(grid).contains { $0.contains("▲") })
        let row = source.row(of: 0)
        switch way {
        case 0: source.remove([0])
        // These rows form too many runs to be removed one run at a time.
        case 1: source.remove(Array(stride(from: 40, to: 60, by: 2)) + [0])
        default: source.replaceAll(Array(items(60).dropFirst()))
        }
        var next = 100
        while source.row(of: next) != row {
            next += 1
            source.insert([Item(id: next, value: 9)], at: 0)
            #expect(next < 200, "its number is reused")
            if next == 200 { return }
        }
        grid.perform(.scrollLines(-100))
        let lines = draw(grid)
        #expect(lines.contains { $0.contains("9") } && !lines.contains { $0.contains("▲") })
    }
}
