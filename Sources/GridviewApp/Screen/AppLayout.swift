import DataGrid
import DataGridTerminal
import TerminalSurface

/// The lines of the screen, a pure function of the state. Low screens have fewer lines around the grid.
///
/// Drawing and hit testing share it. The size of the grid depends only on the terminal and on hints being shown: messages and prompts cover
/// lines and do not move them.
@MainActor
struct AppLayout {
    /// The line of the tabs; `nil` if there is only one sheet or no room.
    let tabsY: Int?
    /// The line of the file name and the view's state; `nil` if there is no room.
    let titleY: Int?
    let gridY: Int
    let gridSize: GridSize
    /// The number of header lines: titles only, or with types and a rule.
    let headerHeight: Int
    /// The line of the whole value under the cursor.
    let valueY: Int?
    /// The line for hints, messages and prompts; `nil` if empty. Without hints, it covers the line above.
    let hintY: Int?
    /// The first line that a message, a prompt or a key list covers; at most the height of the screen.
    let coveredY: Int

    init(_ state: AppState) {
        let rows = max(0, state.size.rows)
        let hasFrame = rows >= 9
        let hasHints = rows >= 3 && state.showsHints
        let hasTabs = hasFrame && state.sheets.count > 1
        tabsY = hasTabs ? 0 : nil
        titleY = hasFrame ? (hasTabs ? 1 : 0) : nil
        gridY = hasFrame ? (hasTabs ? 2 : 1) : 0
        var bottom = rows
        if hasHints { bottom -= 1 }
        let hintY = hasHints || rows >= 3 && state.needsHintLine ? rows - 1 : nil
        self.hintY = hintY
        if hasFrame { bottom -= 1 }
        valueY = hasFrame ? bottom : nil
        headerHeight = rows <= 24 ? 1 : GridMetrics().headerHeight
        gridSize = GridSize(width: max(0, state.size.columns), height: max(0, bottom - gridY))
        coveredY = hintY.map { $0 - state.linesOverHints(at: $0) } ?? rows
    }
}

extension AppState {
    /// True if the last line shows something other than hints.
    fileprivate var needsHintLine: Bool {
        // Each layer shows how to close it.
        layer != nil || message != nil || !pending.isEmpty
    }

    /// The number of lines above the hint line that a prompt or a key list covers.
    fileprivate func linesOverHints(at y: Int) -> Int {
        if case .formula = layer { return min(1, y) }
        guard layer == nil, message == nil, let list = PendingList(self, y: y) else { return 0 }
        return list.lineCount - 1
    }
}

/// The keys that can follow the pending ones, in columns. The list grows upwards over the grid.
@MainActor
struct PendingList {
    let items: [(keys: String, title: String)]
    let widths: [Int]
    let x: Int
    let lineCount: Int
    let itemsPerLine: Int
    let columnWidth: Int

    var isOneLine: Bool { lineCount == 1 && itemsPerLine == items.count }

    /// Returns `nil` if no keys are pending, or only a number.
    init?(_ state: AppState, y: Int) {
        guard !state.pending.keys.isEmpty else { return nil }
        let width = state.size.columns
        x = 1 + min(DisplayWidth.of(state.pending.label), max(0, width - 2)) + 2
        items = state.keyMap.continuations(of: state.pending.keys, in: state.contexts).map {
            (KeyNotation.label($0.keys), $0.command.title)
        }
        widths = items.map { DisplayWidth.of($0.keys) + 1 + DisplayWidth.of($0.title) + 2 }
        let room = width - x
        columnWidth = widths.max() ?? 1
        itemsPerLine = widths.reduce(0, +) <= room ? items.count : max(1, room / columnWidth)
        lineCount = max(1, min((items.count + itemsPerLine - 1) / max(1, itemsPerLine), max(1, y - 2)))
    }
}
