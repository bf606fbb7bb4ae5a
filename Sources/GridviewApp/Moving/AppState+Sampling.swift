import DataGrid
import DataGridTerminal
import TerminalSurface

/// A command that runs when row numbers are exact.
struct HeldCommand: Equatable {
    var id: CommandID
    /// The typed count.
    var count: Int?
}

/// Sampled rows: rows of a server that are shown before their row numbers are known. The scroll bar and a percentage need only approximate
/// positions.
///
/// While the server counts the rows before the sampled rows, the cursor can move over them. Most other commands wait, so that they do not
/// get a wrong row. After the count, the scroll position and the cursor get exact numbers, and the rows keep their places on the screen.
extension AppState {
    /// Requests sampled rows for the current scroll position, which may be far from all known rows.
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

    /// Stores the positions of sampled rows, whose row numbers are approximate.
    /// - Parameter rows: the positions; `nil` if there are no sampled rows, or if the server could not count the rows.
    mutating func showSampled(_ rows: Range<Int>?) {
        if rows == nil, sheet.heldCommand != nil { show(.commandNotRun) }
        (sheet.sampledRows, sheet.heldCommand) = (rows, nil)
    }

    /// Moves the scroll position and the cursor with the sampled rows to their exact positions, and runs the command that waits for them.
    mutating func correctSampledRows(by shift: Int) -> [AppEffect] {
        guard let sampled = sheet.sampledRows else { return [] }
        let (cursor, held) = (grid.cursor, sheet.heldCommand)
        (sheet.sampledRows, sheet.heldCommand) = (nil, nil)
        controller.perform(.scroll(items: shift, columns: 0))
        if let row = cursor.row, sampled.contains(row) {
            controller.perform(.moveCursor(GridCursor(item: .row(row + shift), column: cursor.column)))
        }
        if message?.id == .rowsAwaitCount { message = nil }
        guard let held else { return [] }
        message = nil
        return run(held.id, count: held.count)
    }

    /// Ends the approximate row numbers if other rows came on the screen, or if something else than a key or the mouse moved the cursor,
    /// such as the result of a search.
    mutating func endSampling(after action: AppAction, rows: RowOrder, cursor: GridCursor) -> [AppEffect] {
        guard let sampled = sheet.sampledRows else { return [] }
        let isInput =
            switch action {
            case .terminal, .repeated, .run: true
            default: false
            }
        guard grid.rows != rows || visibleRows.clamped(to: sampled) != visibleRows || grid.cursor != cursor && !isInput else { return [] }
        return endSampling()
    }

    /// Ends sampling for a command that goes to a certain row: shows rows at their exact positions.
    mutating func endSampling() -> [AppEffect] {
        guard sheet.sampledRows != nil else { return [] }
        (sheet.sampledRows, sheet.heldCommand) = (nil, nil)
        return [.endSampling]
    }

    /// Keeps a command until the row numbers are exact. A later command replaces it.
    /// - Returns: The effects to use instead of the effects of the command; `nil` if the command can run now.
    mutating func holdCommand(_ id: CommandID, _ count: Int?) -> [AppEffect]? {
        guard sheet.sampledRows != nil else { return nil }
        let wasHeld = sheet.heldCommand != nil
        sheet.heldCommand = nil
        if id == .escape, wasHeld { return [] }
        if Self.commandsOnSampledRows.contains(id) { return nil }
        sheet.heldCommand = HeldCommand(id: id, count: count)
        return show(.commandAwaitsCount(escape: key(.escape)))
    }

    /// The commands that run at once. They move the cursor from row to row, go to another place, or do not need a row.
    private static let commandsOnSampledRows: Set<CommandID> = [
        .up, .down, .left, .right, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .firstColumn, .lastColumn, .nextColumn,
        .previousColumn, .top, .bottom, .goToPercent, .goToColumn, .help, .about, .hints, .mouse, .theme, .escape, .cancel, .redraw,
        .suspend, .close, .quit, .nextSheet, .previousSheet, .sheets, .palette, .narrower, .wider,
    ]
}
