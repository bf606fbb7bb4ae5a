import CursesTerminal
import DataGrid
import DataGridTerminal
import TerminalSurface

// This program uses only features that the articles on live data, sections and interaction explain.

struct Instrument: Identifiable {
    let id: String
    let market: String
    var bid: Double
    let since: String
}

@MainActor final class QuoteDelegate: GridDelegate {
    let source: ObjectSource<Instrument, String>
    private(set) var note = "Enter raises a price."
    var noteHasChanged: () -> Void = {}

    init(_ source: ObjectSource<Instrument, String>) { self.source = source }

    private func show(_ text: String) {
        note = text
        noteHasChanged()
    }

    func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission {
        column != 0 && to != 0 ? .allowed : .refused("The first column cannot be moved.")
    }

    func didMove(column: ColumnID, from: Int, to: Int) { show("Moved column \(from + 1) to position \(to + 1).") }

    func didSort(by keys: [ColumnSort]) { show(keys.isEmpty ? "Original order." : "Sorted.") }

    func shouldSetCollapsed(section: Int, _ isCollapsed: Bool) -> Bool {
        guard source.title(ofSection: section) == "Metals" else { return true }
        show("Metals cannot be collapsed.")
        return false
    }

    func didSetCollapsed(section: Int, _ isCollapsed: Bool) { show(isCollapsed ? "Collapsed." : "Expanded.") }

    func didActivate(row: RowID, column: ColumnID) {
        guard let instrument = source.object(row) else { return }
        source.update(instrument.id) { $0.bid += 1 }
        show("Raised the price of \(instrument.id).")
    }
}

let instruments = [
    Instrument(id: "Gold", market: "Metals", bid: 545.82, since: "1974-12-31"),
    Instrument(id: "DAX", market: "Indices", bid: 210.5, since: "1988-07-01"),
    Instrument(id: "Silver", market: "Metals", bid: 18.25, since: "1963-06-12"),
    Instrument(id: "Nikkei", market: "Indices", bid: 380.75, since: "1950-09-07"),
    Instrument(id: "FTSE", market: "Indices", bid: 81, since: "1984-01-03"),
]
let source = ObjectSource(
    instruments,
    columns: [
        ObjectColumn("Instrument", \.id) {
            $0.sortMode = .twoState
            $0.width = .fixed(12)
        },
        ObjectColumn("Bid", \.bid, format: .number(fractionDigits: 2)) { $0.width = .fixed(10) }.totaled(by: .max),
        ObjectColumn("Since", value: \.since, kind: .date, text: { $0 }, configure: { $0.width = .fixed(10) }),
    ])
source.totalsTitle = "highest"
source.rowNoun = RowNoun("instrument", "instruments")
source.highlightsRows = true
source.groupings = [ObjectGrouping(by: \.market).withScrollingTitle { "\($0.count) of \(instruments.count)" }]

var metrics = GridMetrics()
metrics.showsTotals = true
metrics.hasStickySectionHeaders = true
let quoteDelegate = QuoteDelegate(source)
let grid = GridController(columns: [], delegate: quoteDelegate, metrics: metrics)
source.attach(to: grid)

CursesBackend.runProgram { backend in
    let application = GridApplication(on: backend)
    application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
    application.drawBackground = {
        $0.write(quoteDelegate.note, x: 0, y: 0)
        $0.write([KeyHint("q", "quit")], x: 0, y: $0.size.rows - 1, theme: grid.state.theme)
    }
    quoteDelegate.noteHasChanged = { application.setNeedsDisplay() }
    return try application.run()
}
