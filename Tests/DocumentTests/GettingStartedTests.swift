import TerminalGrid
import Testing

/// The article “Getting started”, with one import. Examples/Sources has its programs.
@MainActor @Suite("Articles: getting started") struct GettingStartedTests {
    private struct Commodity: Identifiable {
        let id: String, kind: String
        var price: Double
    }

    private func source() -> ObjectSource<Commodity, String> {
        let all = [("Gold", "Metals", 545.82), ("Wheat", "Grain", 210.5), ("Silver", "Metals", 18.25), ("Corn", "Grain", 181.75)]
        let source = ObjectSource(
            all.map { Commodity(id: $0, kind: $1, price: $2) }, columns: [ObjectColumn("Commodity", \.id), ObjectColumn("Price", \.price)])
        source.groupings = [ObjectGrouping(by: \.kind)]
        return source
    }

    @Test func `A19, A20: an array of structs is sorted, grouped and live`() throws {
        let source = source()
        let grid = GridController(owning: source)
        source.sort(by: [ColumnSort(1, isDescending: true)])
        let backend = RecordingBackend(size: TerminalSize(columns: 40, rows: 12))
        let application = GridApplication(on: backend)
        application.add(grid)
        application.describesCurrentCell = true
        try application.start()
        func order() -> [String] {
            backend.lines.compactMap { line in ["Grain", "Metals", "Wheat", "Corn", "Gold", "Silver"].first { line.contains($0) } }
        }
        // The last line describes the current cell.
        #expect(order().prefix(6) == ["Grain", "Wheat", "Corn", "Metals", "Gold", "Silver"])
        source.update("Corn") { $0.price = 999 }
        #expect(source.objects.last?.price == 999)
    }

    @Test func `A11: a column with an edit closure is editable; rejected input changes no object`() throws {
        let price = ObjectColumn<Commodity>("Price", \.price).editable { commodity, text in
            guard let price = Double(text), price > 0 else { return "The price must be a positive number." }
            commodity.price = price
            return nil
        }
        let source = ObjectSource([Commodity(id: "Gold", kind: "Metals", price: 545)], columns: [price])
        let grid = GridController(owning: source)
        let application = GridApplication(on: RecordingBackend(size: TerminalSize(columns: 60, rows: 6)))
        application.add(grid)
        try application.start()
        func type(_ text: String) {
            for scalar in text.unicodeScalars { _ = grid.handle(.key(KeyPress(.character(scalar)))) }
            _ = grid.handle(.key(KeyPress(.enter)))
        }
        type("-3")
        #expect(source.objects[0].price == 545 && grid.state.editing?.rejection == "The price must be a positive number.")
        _ = grid.handle(.key(KeyPress(.escape)))
        type("550.5")
        #expect(source.objects[0].price == 550.5 && grid.state.editing == nil)
    }

    @Test func `A19: the sort order of a source stays in effect when the source is attached to a grid`() {
        let source = source()
        source.sort(by: [ColumnSort(0)])
        let grid = GridController(owning: source)
        #expect(grid.state.sort == [ColumnSort(0)] && source.sortKeys == [ColumnSort(0)])
        #expect((0..<4).compactMap { source.object(grid.state.rows[$0])?.id } == ["Corn", "Wheat", "Gold", "Silver"])
    }

    @Test func `A9, A10, A11: the settings of a grid are properties`() {
        let grid = GridController(owning: source())
        grid.metrics.showsTotals = true
        grid.interaction.editsByTyping = false
        grid.selectionMode = .rows
        #expect(grid.state.metrics.showsTotals && !grid.state.interaction.editsByTyping && grid.state.selectionMode == .rows)
    }
}
