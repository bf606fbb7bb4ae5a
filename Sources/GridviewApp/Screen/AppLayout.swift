import DataGrid
import DataGridTerminal
import TerminalSurface

/// The lines of the screen. Drawing and mouse handling share this layout. Small screens have fewer lines around the grid.
///
/// The size of the grid depends only on the terminal size, the number of sheets, and whether hints are shown. Messages and prompts cover
/// lines and do not move them. On a screen with few lines, a title line replaces the hints if there are filters or several sheets, because
/// filters and the name of the current sheet must be visible at any size.
@MainActor
struct AppLayout {
    /// The screen line of the sheet tabs, from 0; `nil` if there is only one sheet or no room.
    let tabsY: Int?
    /// The screen line with the file name and the state of the view; `nil` if there is no room.
    let titleY: Int?
    let gridY: Int
    let gridSize: GridSize
    /// The number of lines of the grid's header: 1 for names, 2 for names and types.
    let headerHeight: Int
    /// The screen line that shows the whole value of the current cell; `nil` if there is no room.
    let valueY: Int?
    /// The screen line for hints, messages and prompts; `nil` if there is nothing to show. If hints are off, it covers the value line or
    /// the last line of the grid.
    let hintY: Int?
    /// The first screen line that a message or a list of keys covers; at most the height of the screen. Prompts may cover lines above it.
    let coveredY: Int

    /// The minimum screen height, in lines, for a title line, a value line and hints.
    static let minimumHeightWithTitle = 9
    /// The minimum screen height, in lines, for a header with a line of types.
    static let minimumHeightWithTypes = 18

    init(_ state: AppState) {
        let rows = max(0, state.size.rows)
        let hasFrame = rows >= Self.minimumHeightWithTitle
        let isTitleNeeded = state.sheets.count > 1 || !state.query.requested.allFilters.isEmpty
        let replacesHints = !hasFrame && rows >= 3 && isTitleNeeded
        let hasHints = rows >= 3 && state.showsHints && !replacesHints
        let hasTabs = hasFrame && state.sheets.count > 1
        tabsY = hasTabs ? 0 : nil
        titleY = hasFrame ? (hasTabs ? 1 : 0) : replacesHints ? 0 : nil
        gridY = hasFrame ? (hasTabs ? 2 : 1) : replacesHints ? 1 : 0
        var bottom = rows
        if hasHints { bottom -= 1 }
        let hintY = hasHints || rows >= 3 && state.needsHintLine ? rows - 1 : nil
        self.hintY = hintY
        if hasFrame { bottom -= 1 }
        valueY = hasFrame ? bottom : nil
        headerHeight = rows < Self.minimumHeightWithTypes ? 1 : GridMetrics.programDefaults.headerHeight
        gridSize = GridSize(width: max(0, state.size.columns), height: max(0, bottom - gridY))
        coveredY = hintY.map { $0 - state.linesAboveHints(at: $0) } ?? rows
    }
}

extension AppState {
    /// True if the last line must show a message, a prompt or pending keys, even if hints are off.
    fileprivate var needsHintLine: Bool {
        // A panel or prompt needs the line, because it shows there which key closes it.
        overlay != nil || message != nil || !pendingKeys.isEmpty
    }

    /// The number of lines above the hint line that the list of possible next keys covers.
    fileprivate func linesAboveHints(at y: Int) -> Int {
        guard overlay == nil, message == nil, let list = KeyContinuationList(self, y: y) else { return 0 }
        return list.lineCount - 1
    }
}

/// The list of keys that can come next after the first keys of a binding, in columns. If no panel is open, the last entry is the key that
/// cancels.
///
/// The list grows upward over the grid. On a small screen, titles are shortened before entries are left out.
@MainActor
struct KeyContinuationList {
    /// The entries that fit on the screen. If some do not fit, the last entry is `…`, with the number of missing entries as its title.
    let items: [(keys: String, title: String)]
    let widths: [Int]
    let x: Int
    let lineCount: Int
    let itemsPerLine: Int
    let columnWidth: Int

    var isOneLine: Bool { lineCount == 1 && itemsPerLine == items.count }

    /// The minimum width of a column of the list, in terminal cells: a key, some letters, and a gap.
    private static let minimumColumnWidth = 10

    /// Returns `nil` if the user has pressed no keys of a binding, or only typed a number.
    init?(_ state: AppState, y: Int) {
        guard !state.pendingKeys.keys.isEmpty else { return nil }
        let width = state.size.columns
        x = 1 + min(DisplayWidth.of(state.pendingKeys.label), max(0, width - 2)) + 2
        let continuations = state.keyMap.continuations(of: state.pendingKeys.keys, in: state.contexts)
        var items = continuations.map { item -> (keys: String, title: String) in
            (KeyNotation.label(item.keys), item.command.title)
        }
        // Do not list Escape in a panel, because it closes the panel there.
        let cancelEntry = state.overlay == nil ? [(keys: KeyNotation.label(KeyPress(.escape)), title: "cancel")] : []
        items += cancelEntry
        func textWidth(_ item: (keys: String, title: String)) -> Int { DisplayWidth.of(item.keys) + 1 + DisplayWidth.of(item.title) + 2 }
        let room = max(1, width - x)
        let widest = items.map(textWidth).max() ?? 1
        if items.map(textWidth).reduce(0, +) <= room {
            (itemsPerLine, lineCount, columnWidth) = (items.count, 1, widest)
        } else {
            var (columns, lines) = (max(1, room / widest), max(1, y - 2))
            if columns * lines < items.count {
                lines = max(1, y)
                columns = max(columns, min((items.count + lines - 1) / lines, max(1, room / Self.minimumColumnWidth)))
            }
            (itemsPerLine, columnWidth) = (columns, min(widest, room / columns))
            lineCount = min((items.count + columns - 1) / columns, lines)
            for (n, continuation) in continuations.enumerated() where textWidth(items[n]) > columnWidth {
                items[n].title = continuation.command.shortTitle ?? items[n].title
            }
            let capacity = columns * lineCount
            if items.count > capacity {
                let kept = max(0, capacity - cancelEntry.count - 1)
                let more = capacity > cancelEntry.count ? [(keys: "…", title: "\(items.count - cancelEntry.count - kept) more")] : []
                items = Array(items.prefix(kept)) + more + cancelEntry
            }
        }
        self.items = items
        widths = items.map(textWidth)
    }
}
