import DataGrid
import DataGridTerminal
import TerminalSurface

/// A command that waits until row numbers are exact, and then runs.
struct DeferredCommand: Equatable {
    var id: CommandID
    /// The number typed before the key; `nil` for none.
    var count: Int?
}

/// Sampled rows: rows of a server that are shown before their row numbers are known, because counting all rows before them takes long. They
/// appear when the user drags the scroll bar or goes to a percentage, where an approximate position is enough.
///
/// While the server counts the rows before them, the cursor can move over the sampled rows. Most other commands wait, because they could
/// get a wrong row. After the count, row numbers, scroll position and cursor become exact, and the rows stay where they are on the screen.
extension AppState {
    /// Requests rows with approximate row numbers for the current scroll position, if it is far from all known rows.
    func sampleRows() -> [AppEffect] {
        guard document.canSeek, isRowCountExact, !visibleRows.isEmpty, grid.outline.tree == nil, grid.effectivePresentation == .table,
            grid.selection.isEmpty, grid.rows == .natural(count: grid.rows.count) || grid.rows.consecutiveRecords != nil,
            sheet.sampledRows.map({ visibleRows.clamped(to: $0) == visibleRows }) != true
        else { return [] }
        return [.sampleRows(at: visibleRows.lowerBound)]
    }

    /// The positions of the visible rows.
    private var visibleRows: Range<Int> {
        let top = grid.scroll.top
        return top..<max(top, min(grid.rows.count, top + grid.layout.pageItemCount))
    }

    /// Stores the positions of the visible rows whose row numbers are approximate.
    /// - Parameter rows: the positions; `nil` if all row numbers are exact, or if the server could not count the rows.
    /// - Returns: The effects that fetch the rows at the scroll position, if `rows` is `nil` and these rows are not known yet; otherwise
    ///   none.
    mutating func showSampledRows(_ rows: Range<Int>?) -> [AppEffect] {
        if rows == nil, sheet.deferredCommand != nil { show(.commandNotRun) }
        (sheet.sampledRows, sheet.deferredCommand) = (rows, nil)
        let top = visibleRows.lowerBound
        guard rows == nil, let count = sheet.knownRowCount else { return [] }
        removeUnknownRows()
        return top < count ? [] : goTo(rowNumber: top + 1)
    }

    // MARK: Rows that are not counted

    /// Goes near a row that is not known yet, if an approximate position is enough. Otherwise, goes to exactly this row.
    mutating func goNear(rowNumber: Int) -> [AppEffect] {
        let isPlain = grid.rows == .natural(count: grid.rows.count) || grid.rows.consecutiveRecords != nil
        guard document.canBeQueriedWhileIncomplete, rowNumber > numberedRowCount, isPlain, grid.outline.tree == nil,
            grid.effectivePresentation == .table, grid.selection.isEmpty
        else { return endSampling() + goTo(rowNumber: rowNumber) }
        return [.sampleUnknownRows(near: rowNumber)]
    }

    /// Shows rows beyond the known ones, with approximate row numbers. Moves the cursor to `position`, unless `position` and the cursor are
    /// already on the screen.
    mutating func showUnknownRows(_ rows: Range<Int>, at position: Int) -> [AppEffect] {
        let known = numberedRowCount
        (sheet.sampledRows, sheet.deferredCommand, sheet.knownRowCount) = (rows, nil, known)
        setRowCount(max(known, rows.upperBound))
        widenRowNumbers(to: estimatedRowCount ?? rows.upperBound)
        let isVisible = visibleRows.contains(position) && grid.cursor.row.map(visibleRows.contains) == true
        return isVisible ? [] : changeGrid(.move(.row(position)))
    }

    /// The number of rows to show. It is greater than the number of known rows while later rows are shown at approximate positions.
    mutating func shownRowCount(known count: Int, isComplete: Bool) -> Int {
        guard sheet.knownRowCount != nil else { return count }
        sheet.knownRowCount = isComplete ? nil : count
        return isComplete ? count : max(count, sheet.sampledRows?.upperBound ?? 0)
    }

    /// Shows only known rows again.
    private mutating func removeUnknownRows() {
        guard let count = sheet.knownRowCount else { return }
        sheet.knownRowCount = nil
        if count != grid.rows.count { setRowCount(count) }
    }

    // MARK: Exact row numbers

    /// Moves the scroll position and the cursor by `shift` rows, to the exact positions of the sampled rows. Then runs the command that has
    /// waited for this.
    mutating func correctSampledRows(by shift: Int) -> [AppEffect] {
        guard let sampled = sheet.sampledRows else { return [] }
        let (cursor, deferred) = (grid.cursor, sheet.deferredCommand)
        (sheet.sampledRows, sheet.deferredCommand) = (nil, nil)
        controller.perform(.scroll(items: shift, columns: 0))
        if let row = cursor.row, sampled.contains(row) {
            controller.perform(.moveCursor(GridCursor(item: .row(row + shift), column: cursor.column)))
        }
        removeUnknownRows()
        if message?.id == .rowsAwaitCount { message = nil }
        guard let deferred else { return [] }
        message = nil
        return run(deferred.id, count: deferred.count)
    }

    /// Adapts the sampled rows after an action. If the screen shows other rows than the sampled ones, requests approximate row numbers for
    /// unknown rows. If all visible rows are known, or the row order has changed, stops showing approximate row numbers. Also stops if
    /// anything except a key or the mouse has moved the cursor, such as the result of a search.
    mutating func endSampling(after action: AppAction, rows: RowOrder, cursor: GridCursor) -> [AppEffect] {
        guard let sampled = sheet.sampledRows else { return [] }
        if case .unknownRowsSampled = action { return [] }
        let isInput =
            switch action {
            case .terminal, .keyRepeated, .run: true
            default: false
            }
        // Until all rows are counted, more rows can become known while approximate row numbers are shown. The order is then still the same.
        let isGrown = sheet.knownRowCount != nil && grid.rows.serverRecords?.lowerBound == rows.serverRecords?.lowerBound
        let isSameOrder = grid.rows == rows || isGrown
        let isSameCursor = grid.cursor == cursor || isInput
        guard !isSameOrder || visibleRows.clamped(to: sampled) != visibleRows || !isSameCursor else { return [] }
        if isSameOrder, isSameCursor, let count = sheet.knownRowCount, visibleRows.upperBound > count {
            return [.sampleUnknownRows(near: visibleRows.lowerBound + 1)]
        }
        if !isSameOrder { sheet.knownRowCount = nil }
        return endSampling()
    }

    /// Stops showing approximate row numbers, because a command goes to a certain row. Shows rows at their exact positions.
    mutating func endSampling() -> [AppEffect] {
        guard sheet.sampledRows != nil else { return [] }
        (sheet.sampledRows, sheet.deferredCommand) = (nil, nil)
        removeUnknownRows()
        return [.endSampling]
    }

    /// Stores a command until row numbers are exact. A later command replaces it.
    /// - Returns: The effects to perform instead of the command; `nil` if the command can run now.
    mutating func deferCommand(_ id: CommandID, _ count: Int?) -> [AppEffect]? {
        guard sheet.sampledRows != nil else { return nil }
        let hadDeferredCommand = sheet.deferredCommand != nil
        sheet.deferredCommand = nil
        if id == .escape, hadDeferredCommand { return [] }
        if Self.commandsOnSampledRows.contains(id) { return nil }
        sheet.deferredCommand = DeferredCommand(id: id, count: count)
        return show(.commandAwaitsCount(escapeKey: key(.escape)))
    }

    /// The commands that do not wait for exact row numbers. They move the cursor from row to row, go to another place, or do not need a
    /// row.
    private static let commandsOnSampledRows: Set<CommandID> = [
        .up, .down, .left, .right, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .firstColumn, .lastColumn, .nextColumn,
        .previousColumn, .top, .bottom, .goToPercent, .goToColumn, .help, .about, .hints, .mouse, .theme, .escape, .cancel, .redraw,
        .suspend, .close, .quit, .nextSheet, .previousSheet, .sheets, .palette, .narrower, .wider,
    ]
}
