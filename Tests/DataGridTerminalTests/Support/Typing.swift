import DataGrid
import DataGridTerminal
import TerminalSurface

extension RecordingBackend {
    /// Opens an application that shows only this grid.
    @MainActor
    func open(_ grid: GridController) throws -> GridApplication {
        let application = GridApplication(on: self)
        application.add(grid)
        try application.start()
        return application
    }

    /// Presses keys and lets the application handle them.
    @MainActor
    func type(_ keys: [KeyPress], into application: GridApplication) {
        for key in keys { press(key) }
        application.turn()
    }
}
