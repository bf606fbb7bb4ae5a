import DataGrid
import TerminalSurface

/// Which line of the screen is what: a pure function of the state's size. Low screens have less around the grid.
struct AppLayout {
    /// The line with the file's name and the state of the view; `nil` when there is no room.
    let titleY: Int?
    /// The first line of the grid.
    let gridY: Int
    let gridSize: GridSize
    /// Lines of the grid's header: titles alone, or with types and a rule.
    let headerHeight: Int
    /// The line with the whole value of the cell under the cursor.
    let valueY: Int?
    /// The line for hints, messages and prompts.
    let hintY: Int?

    init(_ state: AppState) {
        let rows = max(0, state.size.rows)
        let hasFrame = rows >= 9
        // Prompts and messages need their line even when hints are off.
        let hasHints = rows >= 3 && (state.showsHints || state.needsHintLine)
        titleY = hasFrame ? 0 : nil
        gridY = hasFrame ? 1 : 0
        var bottom = rows
        if hasHints { bottom -= 1 }
        hintY = hasHints ? bottom : nil
        if hasFrame { bottom -= 1 }
        valueY = hasFrame ? bottom : nil
        headerHeight = rows <= 24 ? 1 : GridMetrics().headerHeight
        gridSize = GridSize(width: max(0, state.size.columns), height: max(0, bottom - gridY))
    }
}

extension AppState {
    /// Whether something other than hints has to be said on the last line.
    var needsHintLine: Bool {
        // Whatever lies over the grid says how to leave it.
        layer != nil || message != nil || !pending.isEmpty
    }
}
