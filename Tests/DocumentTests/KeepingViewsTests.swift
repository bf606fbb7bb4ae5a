import DataGrid
import DataGridTerminal
import Foundation
import GridTestSupport
import Testing

@MainActor @Suite("Articles: saved views and theme files") struct KeepingViewsTests {
    @Test func `a view is saved to a file and restored`() throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path(of: "view.json"))
        let columns = [Column(id: 0, title: "Name"), Column(id: 1, title: "Price")]
        let grid = GridController(columns: columns)
        grid.perform(.moveColumn(1, toIndex: 0))
        try saveView(of: grid, to: file)
        let other = GridController(columns: columns)
        try restoreView(of: other, from: file)
        #expect(other.columns.map(\.id) == [1, 0])
    }

    @Test func `a saved view with a value out of range is refused`() {
        let view = Data(#"{"columns": [{"key": "a", "width": {"fixed": 9223372036854775807}}]}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SavedView.self, from: view) }
    }

    @Test func `the theme file of the article is valid`() throws {
        let listings = try Article("Styles").listings("json")
        #expect(!listings.isEmpty)
        for listing in listings {
            let theme = try JSONDecoder().decode(Theme.self, from: Data(listing.utf8))
            #expect(theme.name == "mine")
            #expect(theme.classes["late"] != nil)
        }
    }
}
