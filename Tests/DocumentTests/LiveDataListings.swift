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

    @Test func `a log keeps its last thousand lines`() {
        let source = Lines()
        let grid = GridController(columns: [Column(id: 0, title: "Line")], dataSource: source)
        grid.reload()
        source.append((0..<1_200).map(String.init), to: grid)
        #expect(grid.state.numberOfRows(inSection: 0) == 1_000)
        #expect(source.lines.first == "200")
    }
}
