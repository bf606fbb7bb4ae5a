import Foundation
import TerminalGrid
import Testing

struct Instrument: Identifiable {
    let id: String
    var name: String
    var bid: Double
}

enum Side: String, ColumnValue { case buy, sell }

struct Position {
    var letter = "A"
    var since = "1974-12-31"
    var bid = 1.0
    var yield = 0.125
    var side = Side.sell
    var opened = Date(timeIntervalSince1970: 0)
}

@MainActor final class PagedRows: GridDataSource {
    private enum Page { case loading, loaded([String]), failed }
    private var pages: [Int: Page] = [:]
    private let fetch: @Sendable (_ page: Int) async throws -> [String]
    weak var grid: GridController?
    weak var application: GridApplication?
    init(fetch: @escaping @Sendable (_ page: Int) async throws -> [String]) { self.fetch = fetch }

    let hasSlowRows = true
    func numberOfRows(inSection section: Int) -> Int { 10_000 }
    func content(row: RowID, column: ColumnID) -> CellContent {
        switch pages[row.rawValue / 100] {
        case .loaded(let rows): CellContent(rows[row.rawValue % 100])
        case .failed: CellContent("cannot be loaded", condition: .unreadable)
        case .loading, nil: .pending
        }
    }
    func willShow(rows: [RowID], columns: [ColumnID]) {
        for page in Set(rows.map { $0.rawValue / 100 }) where pages[page] == nil { load(page) }
    }
    func load(_ page: Int) {
        guard let mailbox = application?.mailbox else { return }
        pages[page] = .loading
        Task.detached { [weak self, fetch] in
            let arrived = (try? await fetch(page)).map(Page.loaded) ?? .failed
            mailbox.post { [weak self] in self?.show(arrived, page) }
        }
    }
    private func show(_ content: Page, _ page: Int) {
        pages[page] = content
        grid?.reloadRows((0..<100).map { RowID(100 * page + $0) })
    }
}

@MainActor @Suite("Articles: objects") struct LiveDataTests {
    @Test func `objects are rows, and an update changes a single row`() {
        let instruments = [Instrument(id: "Gold", name: "Gold", bid: 540)]
        let source = ObjectSource(
            instruments,
            columns: [
                ObjectColumn("Instrument", \.name) { $0.sortMode = .twoState },
                ObjectColumn("Bid", \.bid, format: .number(fractionDigits: 2)),
            ])
        let grid = GridController(owning: source)
        #expect(grid.columns.count == 2)
        source.update("Gold") { $0.bid = 545.82 }
        #expect(source.objects.map(\.bid) == [545.82])
        #expect(!source.update("Silver") { $0.bid = 1 })
        source.insert([Instrument(id: "Silver", name: "Silver", bid: 18.25)])
        source.remove(["Gold"])
        #expect(source.objects.map(\.id) == ["Silver"])
    }

    @Test func `columns set how they show changes`() {
        let bid = ObjectColumn<Instrument>("Bid", \.bid) { $0.keepsChangeMarks = true }
        let name = ObjectColumn<Instrument>("Instrument", \.name) { $0.highlightsChanges = false }
        #expect(bid.column.keepsChangeMarks && !name.column.highlightsChanges)
    }

    @Test func `objects are grouped with aggregates`() {
        let since: ObjectColumn<Position> =
            ObjectColumn("Since", value: \.since, kind: .date, text: { $0 }, configure: { $0.width = .fixed(10) })
        let bid: ObjectColumn<Position> =
            ObjectColumn("Bid", \.bid).totaled(by: .max)
        let yield: ObjectColumn<Position> =
            ObjectColumn("Yield", \.yield, format: .percent(fractionDigits: 1))
        let opened: ObjectColumn<Position> =
            ObjectColumn("Opened", \.opened, format: .date("yyyy-MM-dd"))
        let source = ObjectSource(
            [Position(letter: "B"), Position()], id: \.letter,
            columns: [since, ObjectColumn("Letter", \.letter), bid, yield, ObjectColumn("Side", \.side), opened])
        let grid = GridController(columns: [])
        source.groupings = [ObjectGrouping(by: \.letter)]
        source.aggregates = [Aggregate(.sum, of: 2)]
        source.rowNoun = RowNoun("contact", "contacts")
        source.attach(to: grid)
        #expect(grid.state.outline.tree?.sections.map(\.title) == ["A", "B"])
        #expect(source.aggregates(ofSection: 0).count == 1)
        #expect(source.emptyText == "No contacts")
        #expect(ValueText.display(source.content(row: 0, column: 3), in: source.gridColumns[3]) == "12.5%")
        #expect(source.content(row: 0, column: 4).text == "sell")
        #expect(ValueText.display(source.content(row: 0, column: 5), in: source.gridColumns[5]) == "1970-01-01")
    }

    /// A source of lines that are added at the end and removed at the beginning.
    @MainActor private final class Lines: GridDataSource {
        var lines: [String] = []
        func numberOfRows(inSection section: Int) -> Int { lines.count }
        func content(row: RowID, column: ColumnID) -> CellContent { CellContent(lines[row.rawValue]) }

        func append(_ newer: [String], to grid: GridController) {
            lines += newer
            grid.reloadAppended()
            // Keep at most a thousand lines: remove the oldest.
            let excess = lines.count - 1_000
            if excess > 0 {
                lines.removeFirst(excess)
                grid.removeRows(at: 0..<excess)
            }
        }
    }

    @Test func `pages arrive in the background, with placeholders before and an error for a failure`() throws {
        struct Unreachable: Error {}
        let source = PagedRows { page in
            if page == 0 { throw Unreachable() }
            return (0..<100).map { "row \(100 * page + $0)" }
        }
        let backend = RecordingBackend(size: TerminalSize(columns: 40, rows: 8))
        let grid = GridController(columns: [Column(id: 0, title: "Name")], dataSource: source)
        let application = GridApplication(on: backend)
        (source.grid, source.application) = (grid, application)
        grid.reload()
        application.add(grid)
        /// Waits for a page, as the main loop does.
        func waitForPage() {
            var attempts = 0
            while attempts < 20_000, !application.mailbox.drain() {
                attempts += 1
                Thread.sleep(forTimeInterval: 0.001)
            }
            application.turn()
        }
        try application.start()
        #expect(source.content(row: 0, column: 0) == .pending)
        waitForPage()
        #expect(backend.lines.contains { $0.contains("cannot be loaded") })
        grid.perform(.move(.bottom))
        application.turn()
        #expect(source.content(row: 9_999, column: 0) == .pending)
        waitForPage()
        #expect(backend.lines.contains { $0.contains("row 9999") })
    }

    @Test func `a log keeps its last thousand lines`() {
        let source = Lines()
        let grid = GridController(columns: [Column(id: 0, title: "Line")], dataSource: source)
        grid.reload()
        source.append((0..<1_200).map(String.init), to: grid)
        #expect(grid.state.numberOfRows(inSection: 0) == 1_000)
        #expect(source.lines.first == "200")
    }
}
