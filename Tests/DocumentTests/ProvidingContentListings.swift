import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

// `.make/check-docs` compares the code blocks of documents with the lines of these files.

@MainActor final class Planets: GridDataSource {
    let names = ["Mercury", "Venus", "Earth", "Mars"]
    func numberOfRows(inSection section: Int) -> Int { names.count }
    func content(row: RowID, column: ColumnID) -> CellContent { CellContent(names[row.rawValue]) }
}

@MainActor final class Moons: GridDataSource {
    let names = ["Io", "Europa", "Ganymede", "Callisto"]
    private(set) var rowOrder: RowOrder?
    func numberOfRows(inSection section: Int) -> Int { names.count }
    func content(row: RowID, column: ColumnID) -> CellContent { CellContent(names[row.rawValue]) }
    func sort(by keys: [ColumnSort]) {
        guard let key = keys.first else { return rowOrder = nil }
        let rows = names.indices.sorted { key.isDescending ? names[$0] > names[$1] : names[$0] < names[$1] }
        rowOrder = .rows(rows.map { RowID($0) })
    }
}

@MainActor final class Contacts: GridDataSource {
    let groups: [(letter: String, names: [String])] = [("A", ["Ada", "Alan"]), ("B", ["Barbara"])]
    var numberOfSections: Int { groups.count }
    func title(ofSection section: Int) -> String? { groups[section].letter }
    func numberOfRows(inSection section: Int) -> Int { groups[section].names.count }
    func content(row: RowID, column: ColumnID) -> CellContent { CellContent(groups.flatMap(\.names)[row.rawValue]) }
}

@MainActor final class Squares: GridDataSource {
    func numberOfRows(inSection section: Int) -> Int { 1_000_000 }
    func content(row: RowID, column: ColumnID) -> CellContent {
        CellContent(String(column == 0 ? row.rawValue : row.rawValue * row.rawValue))
    }
}

struct Planet: Identifiable {
    let id: Int
    var name: String
}

@MainActor @Suite("Articles: data sources") struct ProvidingContentTests {
    /// The text of a screen with one grid on it.
    private func screen(_ source: any GridDataSource, columns: Int = 20, rows: Int = 8) throws -> [String] {
        let backend = RecordingBackend(size: TerminalSize(columns: columns, rows: rows))
        let grid = GridController(columns: [Column(id: 0, title: "Name")], dataSource: source)
        grid.reload()
        let application = GridApplication(on: backend)
        application.add(grid)
        try application.start()
        return backend.lines
    }

    @Test func `a data source provides four rows`() throws {
        let lines = try screen(Planets())
        #expect(lines.contains { $0.contains("Mars") })
    }

    @Test func `a data source provides sections`() throws {
        let lines = try screen(Contacts())
        #expect(lines.contains { $0.contains("Barbara") })
        #expect(lines.contains { $0.contains("▾ A") })
    }

    @Test func `a data source sorts its rows, and the selection stays on them`() {
        let source = Moons()
        let grid = GridController(columns: [Column(id: 0, title: "Name")], dataSource: source)
        grid.reload()
        grid.perform(.setSelectedRows([2]))
        func names() -> [String] { (0..<4).map { source.names[grid.state.rows[$0].rawValue] } }
        grid.perform(.activateHeader(0))
        #expect(names() == ["Callisto", "Europa", "Ganymede", "Io"])
        #expect(grid.state.selectedRows() == [2])
        grid.perform(.activateHeader(0))
        #expect(names() == ["Io", "Ganymede", "Europa", "Callisto"])
        grid.perform(.activateHeader(0))
        #expect(names() == source.names && grid.state.selectedRows() == [2])
    }

    @Test func `an edit of an object can be undone`() {
        let column = ObjectColumn<Planet>("Planet", \.name).editable { planet, text in
            planet.name = text
            return nil
        }
        let source = ObjectSource([Planet(id: 3, name: "Terra")], columns: [column])
        var edits: [ObjectEdit<Planet>] = []
        source.didEdit = { edits.append($0) }
        func undo() {
            guard let edit = edits.popLast() else { return }
            source.update(edit.oldObject.id) { $0 = edit.oldObject }
        }
        #expect(source.setContent("Earth", row: 0, column: 0) == .accepted)
        #expect(source.setContent("World", row: 0, column: 0) == .accepted)
        undo()
        #expect(source.objects.map(\.name) == ["Earth"])
        undo()
        undo()
        #expect(source.objects.map(\.name) == ["Terra"])
    }

    @Test func `a column of objects can be edited`() throws {
        let column: ObjectColumn<Planet> =
            ObjectColumn("Planet", \.name).editable { planet, text in
                if text.isEmpty { return "A planet needs a name." }
                planet.name = text
                return nil
            }
        let source = ObjectSource([Planet(id: 3, name: "Terra")], columns: [column])
        #expect(source.setContent("", row: 0, column: 0) == .rejected("A planet needs a name."))
        #expect(source.setContent("Earth", row: 0, column: 0) == .accepted)
        #expect(source.objects.map(\.name) == ["Earth"])
        source.emptyText = "No planet matches the filter"
        source.remove([3])
        #expect(try screen(source, columns: 40).contains { $0.contains("planet") })
    }
}
