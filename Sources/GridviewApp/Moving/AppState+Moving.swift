import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// Moves the cursor `times` times, at most 10,000 times. Stops when the cursor no longer moves.
    mutating func repeatMotion(_ motion: GridMotion, _ times: Int) -> [AppEffect] {
        let start = grid.cursor
        for _ in 0..<min(times, 10_000) {
            let cursor = grid.cursor
            _ = changeGrid(.move(motion))
            if grid.cursor == cursor { break }
        }
        switch motion {
        case .pageDown: return fetchRow(grid.layout.pageItemCount * min(times, 10_000), after: start)
        case .halfPageDown: return fetchRow(grid.layout.pageItemCount / 2 * min(times, 10_000), after: start)
        default: return []
        }
    }

    /// If a page motion has stopped at the last known row, fetches the later row at which the motion should end.
    private func fetchRow(_ distance: Int, after start: GridCursor) -> [AppEffect] {
        let known = numberedRowCount
        guard isOpenEnded, canSeek, let row = start.row, grid.cursor.row == known - 1, row + distance >= known else { return [] }
        let first = query.shown.isFileOrder ? 0 : sheet.uncountedQuery?.firstRow ?? 0
        return [.seek(rowNumber: row + distance + 1, ofQueryStartingAt: first, isPageMotion: true)]
    }

    /// Moves the cursor left or right. On a section header, collapses (left) or expands (right) the section instead.
    mutating func moveSideways(isRight: Bool, _ times: Int) -> [AppEffect] {
        if case .header = grid.cursor.item {
            if let action = GridInput.action(of: isRight ? .expandSection : .collapseSection, in: grid) { return changeGrid(action) }
            if !isRight { return [] }
        }
        return changeGrid(.move(isRight ? .right(times) : .left(times)))
    }

    /// Goes to the row with the number `count` or, without a number, to the first or the last row. The keys are `g` and `G`.
    mutating func jump(toTop: Bool, _ count: Int?) -> [AppEffect] {
        remember(grid.cursor)
        let effects = endSampling()
        if let count { return effects + goTo(rowNumber: count) }
        return effects + (toTop ? changeGrid(.move(.top)) : goToEnd())
    }

    /// Goes to the last row. If the file has not been read to its end, reads its last rows first. If this is not possible, goes to the
    /// last known row.
    mutating func goToEnd() -> [AppEffect] {
        // The end of a pipe is unknown until it arrives. Go to the last row that has arrived, and stay at the end.
        if document.isGrowing, query.shown.isInFileOrder {
            if !sheet.isFollowing {
                sheet.staysAtEnd = true
                show(.lastRowSoFar)
            }
            return changeGrid(.move(.bottom))
        }
        if !document.isComplete, query.shown.isFileOrder {
            if case .spliced = grid.rows { return changeGrid(.move(.bottom)) }
            if grid.rows.isMoved {
                show(.lastRowSoFar)
                return changeGrid(.move(.bottom))
            }
            return [.readTail(records: tailLength)]
        }
        if isUncounted, !grid.rows.isMoved {
            if case .spliced = grid.rows { return changeGrid(.move(.bottom)) }
            if let first = sheet.uncountedQuery?.firstRow { return [.readTail(records: tailLength, ofQueryStartingAt: first)] }
        }
        if isOpenEnded { show(.lastRowSoFar) }
        return changeGrid(.move(.bottom))
    }

    /// The number of rows to read at the end of the file.
    private var tailLength: Int { max(50, size.rows * 2) }

    /// True until all shown rows are counted. The rows at the end can be shown earlier, while the rows above them are not counted yet.
    /// - Parameter first: the number of the first row of a query on a server; 0 for the rows of the document.
    func lacksLastRows(ofQueryStartingAt first: Int) -> Bool {
        if first == 0 { return query.shown.isFileOrder && !document.isComplete }
        return showsUncountedQuery(startingAt: first)
    }

    /// Goes to the row at this percentage of the known rows or, if any row can be fetched, of the estimated rows. The key is `%`.
    mutating func jump(toPercent percent: Int) -> [AppEffect] {
        remember(grid.cursor)
        if canSeek, let count = estimatedRowCount {
            return percent >= 100 ? endSampling() + goToEnd() : goNear(rowNumber: 1 + Int(Double(count - 1) * Double(percent) / 100))
        }
        if !document.isComplete || isOpenEnded { show(.percentOfKnownRows) }
        let last = max(0, grid.rows.count - 1)
        return changeGrid(.move(.row(Int(Double(last) * Double(min(100, percent)) / 100)))) + sampleRows()
    }

    /// Goes to a position beyond the known rows, to which the user has dragged the scroll bar. If it is near the end, goes to the last row
    /// instead.
    mutating func goTo(expectedRow position: Int) -> [AppEffect] {
        // The row may have become known while the user dragged the scroll bar.
        if position < grid.rows.count { return changeGrid(.move(.row(position))) }
        guard canSeek else { return [] }
        // All rows may have been counted during the drag, and may be fewer than estimated.
        guard let count = estimatedRowCount else { return document.isComplete ? goTo(rowNumber: position + 1) : [] }
        return position >= count - grid.layout.pageItemCount ? endSampling() + goToEnd() : goNear(rowNumber: position + 1)
    }

    /// The number of known rows, without last rows that are counted from the end.
    var numberedRowCount: Int {
        if case .spliced(_, let head, _) = grid.rows { head } else { sheet.knownRowCount ?? grid.rows.count }
    }

    /// True if a row that is not known yet can be fetched by its number.
    private var canSeek: Bool {
        document.canSeek
            && (query.shown.isFileOrder || (sheet.uncountedQuery.map { showsUncountedQuery(startingAt: $0.firstRow) } ?? false))
    }

    /// Goes to a row after an attempt to fetch it. If the row does not exist, goes to the last row.
    /// - Parameters:
    ///   - first: the number of the first row of a query on a server; 0 for the rows of the document.
    ///   - isPageMotion: true if a page motion leads to the row. No message then reports that the row does not exist.
    mutating func goTo(fetchedRow rowNumber: Int, ofQueryStartingAt first: Int, isPageMotion: Bool = false) -> [AppEffect] {
        if isPageMotion { return changeGrid(.move(.row(min(rowNumber, numberedRowCount) - 1))) }
        guard first > 0, !isUncounted, rowNumber > grid.rows.count else { return goTo(rowNumber: rowNumber, wasFetched: true) }
        show(.noSuchRow(rowNumber, lastRow: grid.rows.count))
        return changeGrid(.move(.bottom))
    }

    /// Goes to the row with this number, from 1, in the current order. If the row is not known yet, fetches it first.
    /// - Parameter wasFetched: true after an attempt to fetch the row, so that it is not fetched again if it does not exist.
    mutating func goTo(rowNumber: Int, wasFetched: Bool = false) -> [AppEffect] {
        let readCount = numberedRowCount
        if rowNumber > readCount, !document.isComplete, query.shown.isFileOrder {
            if document.canSeek, !wasFetched { return [.seek(rowNumber: rowNumber)] }
            show(.rowNotRead(rowNumber, knownCount: readCount))
            return changeGrid(.move(.row(readCount - 1)))
        }
        if isUncounted, rowNumber > readCount {
            if canSeek, !wasFetched, let first = sheet.uncountedQuery?.firstRow {
                return [.seek(rowNumber: rowNumber, ofQueryStartingAt: first)]
            }
            show(.rowNotRead(rowNumber, knownCount: readCount))
            return changeGrid(.move(.row(readCount - 1)))
        }
        guard let position = grid.rows.position(ofNumber: max(0, rowNumber - 1)) else {
            guard query.shown.filters.isEmpty || rowNumber > document.recordCount else {
                return show(.rowFilteredOut(rowNumber))
            }
            show(.noSuchRow(rowNumber, lastRow: document.isComplete && document.recordCount > 0 ? document.recordCount : nil))
            return changeGrid(.move(.bottom))
        }
        return changeGrid(.move(.row(position)))
    }

    mutating func findDifferentValue(isForward: Bool) -> [AppEffect] {
        guard let column = grid.currentColumn, let row = grid.cursor.row else { return [] }
        remember(grid.cursor)
        // The job for this command cancels the job of a running search.
        endFinding()
        return [.findDifferentValue(column: column.id, from: row, isForward: isForward)]
    }

    // MARK: Marks and jumps

    /// Stores the cursor position before a jump, so that ``CommandID/back`` can return to it.
    mutating func remember(_ cursor: GridCursor) {
        // Do not store the position of a row whose row number is approximate, because its position will change.
        guard sheet.jumpOrigins.last != cursor, sheet.sampledRows == nil else { return }
        sheet.jumpOrigins.append(cursor)
        if sheet.jumpOrigins.count > 100 { sheet.jumpOrigins.removeFirst() }
    }

    mutating func goBack() -> [AppEffect] {
        guard let last = sheet.jumpOrigins.popLast() else { return show(.noJump) }
        controller.perform(.moveCursor(last))
        return []
    }

    mutating func toggleMark() -> [AppEffect] {
        guard let row = grid.currentRow, !row.isCountedFromEnd else { return [] }
        let effects = changeGrid(.toggleMark(row))
        show(.marked(grid.marks.count))
        return effects
    }

    mutating func clearMarks() -> [AppEffect] {
        let count = grid.marks.count
        message = count == 0 ? .noMarks(markKey: key(.mark)) : .marksCleared(count)
        return changeGrid(.clearMarks)
    }

    mutating func goToNextMark() -> [AppEffect] {
        let positions = grid.rows.positions(of: Array(grid.marks)).map(\.position)
        guard let first = positions.first else {
            return show(grid.marks.isEmpty ? .noMarks(markKey: key(.mark)) : .marksNotShown(grid.marks.count))
        }
        remember(grid.cursor)
        let here = grid.cursor.row ?? -1
        return changeGrid(.move(.row(positions.first { $0 > here } ?? first)))
    }
}
