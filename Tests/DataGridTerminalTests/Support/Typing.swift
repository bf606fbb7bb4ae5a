import DataGrid
import DataGridTerminal
import TerminalSurface

extension RecordingBackend {
    /// An application that shows this grid alone.
    @MainActor
    func open(_ grid: GridController) throws -> GridApplication {
        let application = GridApplication(on: self)
        application.add(grid)
        try application.start()
        return application
    }

    /// Presses keys, which the application then takes.
    @MainActor
    func type(_ keys: [KeyPress], into application: GridApplication) {
        for key in keys { press(key) }
        application.turn()
    }
}
