import DataGrid
import DataGridTerminal
import TerminalSurface

/// A window on a log: the lines the grid can show, at most ``capacity``. It loads pages at both ends.
///
/// It reports changes through the grid's reload methods, so that cursor, selection and scroll position stay with their lines.
@MainActor
final class LogScreen: GridDataSource {
    let grid: GridController
    private(set) var log: Log
    /// The loaded lines that have at least the minimum level.
    private(set) var lines: [LogLine] = []
    /// The range of the log that is loaded.
    private(set) var window = 0..<0
    /// The minimum level shown.
    private(set) var level = Level.debug
    let capacity: Int
    let page: Int
    /// True while a request for older or newer lines is pending.
    private(set) var wantsOlderLines = false, wantsNewerLines = false

    init(log: Log, capacity: Int = 1_000, page: Int = 200) {
        self.log = log
        self.capacity = capacity
        self.page = page
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        grid = GridController(
            columns: [
                Column(id: 0, title: "Time", width: .fixed(8), sortMode: .none),
                Column(id: 1, title: "Level", width: .fixed(5), sortMode: .none),
                Column(id: 2, title: "Part", width: .fixed(5), sortMode: .none),
                Column(id: 3, title: "Message", width: .flexible, sortMode: .none),
            ], metrics: metrics)
        grid.dataSource = self
        grid.delegate = self
        grid.perform(.setSelectionMode(.rows))
        loadLines(around: log.count)
        follow()
    }

    func numberOfRows(inSection section: Int) -> Int { lines.count }

    func content(row: RowID, column: ColumnID) -> CellContent {
        let line = lines[row.rawValue]
        return switch column {
        case 0: CellContent(line.clock)
        case 1: CellContent(line.level.name)
        case 2: CellContent(line.component)
        default: CellContent(line.message)
        }
    }

    // MARK: Following

    /// True while new lines scroll into view: the cursor is on the last line and nothing is selected.
    var isFollowing: Bool {
        window.upperBound == log.count && grid.state.selection.isEmpty && (lines.isEmpty || grid.state.cursor.row == lines.count - 1)
    }

    /// Moves to the end and follows new lines.
    func follow() {
        grid.perform(.clearSelection)
        if window.upperBound < log.count { loadLines(around: log.count) }
        grid.perform(.move(.bottom))
        updateMoreIndicators()
    }

    /// Shows lines of this level or higher, around the line under the cursor.
    func show(from level: Level) {
        let wasFollowing = isFollowing
        let line = grid.state.currentRow.map { lines[$0.rawValue].number } ?? log.count
        self.level = level
        loadLines(around: wasFollowing ? log.count : line)
        if wasFollowing { follow() }
    }

    /// Reads the lines around a line again. Puts the cursor on that line or, if it is not shown, on the next one.
    private func loadLines(around number: Int) {
        let older = log.lines(before: number, from: level, limit: page)
        let newer = log.lines(from: number, from: level, limit: page)
        lines = older.lines + newer.lines
        window = older.first..<newer.end
        (wantsOlderLines, wantsNewerLines) = (false, false)
        grid.perform(.setLoader(nil))
        grid.reload()
        grid.perform(.move(.row(older.lines.count)))
        updateMoreIndicators()
    }

    // MARK: Time

    /// Advances the time: lines are written, and pending requests arrive.
    func tick() {
        let wasFollowing = isFollowing
        log.grow()
        if wasFollowing || wantsNewerLines { appendNewer(wasFollowing ? .max : page) }
        if wantsOlderLines { prependOlder() }
        if wasFollowing { grid.perform(.move(.bottom)) }
        updateMoreIndicators()
    }

    private func appendNewer(_ limit: Int) {
        wantsNewerLines = false
        let newer = log.lines(from: window.upperBound, from: level, limit: limit)
        window = window.lowerBound..<newer.end
        lines += newer.lines
        grid.reloadAppended()
        // Surplus lines are removed at the top, which renumbers the remaining rows.
        let excess = lines.count - capacity
        guard excess > 0 else { return }
        lines.removeFirst(excess)
        window = lines[0].number..<window.upperBound
        grid.removeRows(at: 0..<excess)
    }

    private func prependOlder() {
        wantsOlderLines = false
        let older = log.lines(before: window.lowerBound, from: level, limit: page)
        window = older.first..<window.upperBound
        lines = older.lines + lines
        grid.insertRows(at: 0..<older.lines.count)
        guard lines.count > capacity else { return }
        let excess = capacity..<lines.count
        lines.removeLast(excess.count)
        window = window.lowerBound..<lines[capacity - 1].number + 1
        grid.removeRows(at: excess)
    }

    /// Shows that there are more lines: newer ones in a row after the last line, older ones in a strip above the first.
    private func updateMoreIndicators() {
        let missing = log.count - window.upperBound
        grid.perform(.setLoader(missing > 0 ? GridLoader("\(missing) newer lines") : nil))
        let pull = GridPull(lines: 2, text: "keep pulling for older lines", armedText: "release for older lines")
        grid.perform(.setPull(window.lowerBound > 0 ? pull : nil))
    }
}

extension LogScreen: GridDelegate {
    /// Uses the theme's own colors, so that they fit every theme.
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? {
        guard column == 1 else { return nil }
        let theme = grid.state.theme
        return switch lines[row.rawValue].level {
        case .debug: nil
        case .info: CellStyle(foreground: theme.flagType.foreground)
        case .warning: CellStyle(foreground: theme.sectionHeader.foreground)
        case .error: CellStyle(foreground: theme.fall.foreground, traits: .bold)
        }
    }

    func style(ofRow row: RowID) -> CellStyle? {
        switch lines[row.rawValue].level {
        case .debug: CellStyle(foreground: grid.state.theme.hint.foreground, traits: grid.state.theme.hint.traits)
        case .error: CellStyle(background: grid.state.theme.fall.background)
        default: nil
        }
    }

    func endOfDataIsNear() { wantsNewerLines = true }

    func shouldReloadAfterPull() -> Bool {
        wantsOlderLines = true
        return false
    }
}
