import DataGrid
import DataGridTerminal
import Foundation

@MainActor func saveView(of grid: GridController, to file: URL) throws {
    try JSONEncoder().encode(grid.state.savedView).write(to: file, options: .atomic)
}

@MainActor func restoreView(of grid: GridController, from file: URL) throws {
    grid.perform(.restore(try JSONDecoder().decode(SavedView.self, from: Data(contentsOf: file))))
}
