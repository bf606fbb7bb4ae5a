import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension AppState {
    /// Changes the state. This is the only way to change it; `make lint` checks that other files do not change a grid.
    /// - Returns: The effects to perform.
    public mutating func apply(_ action: AppAction) -> [AppEffect] {
        let before = (sheet: sheet.id, rows: grid.rows, cursor: grid.cursor, columns: grid.columns.all, tree: grid.outline.tree)
        var effects = record(action) { $0.perform(action) }
        if sheet.id == before.sheet {
            // The action may have moved away from rows with approximate row numbers. Then stop showing approximate numbers.
            effects = endSampling(after: action, rows: before.rows, cursor: before.cursor) + effects
            // Columns can also change while the groups are computed.
            let isRegrouped = grid.outline.tree != before.tree
            if isRegrouped || grid.columns.all != before.columns {
                effects += computeMissingSubtotals(after: effects, changing: isRegrouped ? nil : before.columns)
            }
        }
        // On a screen with few lines, the title line replaces the hints if there are filters, so filters change the height of the grid.
        if size.rows > 0, size.rows < AppLayout.minimumHeightWithTitle { resizeGrid() }
        // The estimated number of rows depends on the document, the query and the known rows, all of which may have changed.
        let estimate = estimatedRowCount
        if grid.expectedRowCount != estimate { controller.perform(.setExpectedRowCount(estimate)) }
        return effects
    }

    private mutating func perform(_ action: AppAction) -> [AppEffect] {
        switch action {
        case .terminal(let event): return handleEvent(event)
        case .keyRepeated(let press, let times): return handleKey(press, times: times)
        case .textTyped(let text):
            message = nil
            return insert(text)
        case .terminalColors(let colors):
            terminalColors = colors
            return adaptTheme()
        case .sheetsAdded(let new):
            sheets += new
            // The line of tabs appears with the second sheet and takes a line from every grid.
            if size.rows > 0 { forEachSheet { $0.resizeGrid() } }
        case .sheetSelected(let id): currentSheetIndex = sheets.firstIndex { $0.id == id } ?? currentSheetIndex
        case .sheetRequested(let id): return showSheet(id: id)
        case .sheetOpened(let new):
            let overlay = overlay
            let firstSteps = message.flatMap { $0.id == .firstSteps ? $0 : nil }
            (sheet, self.overlay) = (new, overlay)
            message = message ?? firstSteps
            resizeGrid()
        case .viewOpened(let view): show(view)
        case .run(let id, let count): return run(id, count: count)
        case .recordsIndexed(let info):
            keepEndVisible { $0.applyIndex(info) }
            // On a server, the search of `--find` may start now. In a file, it starts after the last rows were read and filtered.
            return document.canBeQueriedWhileIncomplete ? startLaunchSearch() : []
        case .fileGrown(let info, let columns): applyGrowth(info, columns)
        case .columnsAdded(let columns): return add(columns)
        case .typesFound(let columns): return applyFoundTypes(of: columns)
        case .columnDerived(let field, let column): return show(field, as: column)
        case .columnExpanded(let id, let fields, let columns, let hasMore, let rows):
            return showExpandedColumns(id, fields, columns, hasMore: hasMore, rows: rows)
        case .viewRestored(let view, let fields, let columns, let leftOutCount, let unknownFields):
            return restore(view, deriving: fields, columns, leftOutCount: leftOutCount, unknownFields: unknownFields)
        case .emptyColumnsFound(let ids, let rows, let isComplete): hideFoundEmptyColumns(ids, rows: rows, isComplete: isComplete)
        case .columnValuesRead(let values, let row): showColumnValues(values, row)
        case .fileChecked(let change): recordFileChange(change)
        case .reloadSkipped: return showUnchanged()
        case .fileReopened(let info, let columns, let derived, let width):
            // A derived field whose column was removed by undo does not exist in the reopened file. Its column can therefore not be
            // restored by redo.
            if derived.count < sheet.derivedFields.count { sheet.history.discardUndone() }
            sheet.derivedFields = derived
            return showReopened(info, columns, width, keepsWidths: true)
        case .fileReread(let info, let columns, let derived, let width):
            return showReread(columns) { state, columns in
                state.sheet.derivedFields = derived
                return state.showReopened(info, columns, width)
            }
        case .readingPreviewed(let preview, let error): showPreview(preview, error)
        case .readingSuggested(let suggestion): suggest(suggestion)
        case .statementsFound(let statements): return show(statements)
        case .unparsedValuesCounted(let columns, let unparsed): showUnparsedValues(columns, unparsed)
        case .rereadRequested(let settings): return read(with: settings)
        case .headerFound(let lines): return useAsHeader(lines: lines)
        case .tailRead(let records, let first): return showTail(records, ofQueryStartingAt: first)
        case .rowsAged(let time): sheet.oldRowsTime = time
        case .rowsSampled(let rows): return showSampledRows(rows)
        case .unknownRowsSampled(let rows, let position): return showUnknownRows(rows, at: position)
        case .sampledRowsCounted(let shift): return correctSampledRows(by: shift)
        case .rowFetched(let rowNumber, let first, let isPageMotion):
            return goTo(fetchedRow: rowNumber, ofQueryStartingAt: first, isPageMotion: isPageMotion)
        case .reloadNeeded(let isNeeded): document.needsReload = isNeeded
        case .arranged(let arrangement, let rows, let tree, let extendsVisibleRows):
            return keepEndVisible(of: arrangement) { $0.applyResult(arrangement, rows, tree, extendsVisibleRows: extendsVisibleRows) }
                + startLaunchSearch()
                + followRows()
        case .rowsUncounted(let arrangement, let estimate, let message):
            if query == .settled(arrangement) { keepRowsUncounted(estimate: estimate, message) }
        case .rowsKnown(let count, let isComplete): growUncountedRows(to: count, isComplete: isComplete)
        case .rowsFollowed(let ids, let position): return followRows(ids, cursor: position)
        case .filtering(let arrangement, let rows, let extendsVisibleRows):
            return keepEndVisible(of: arrangement) { $0.showFiltered(arrangement, rows, extendsVisibleRows: extendsVisibleRows) }
                + startAwaitedStatistics()
        case .sorting(let arrangement, let rows): return showFirstRows(arrangement, rows)
        case .addFilter(let text): return addFilter(text)
        case .rowsCounted(let count, let isComplete): updatePrompt { $0.matches = .init(count: count, isComplete: isComplete) }
        case .valuesFound(let field, let values, let includesAllRows):
            let (found, schema) = (FilterValues(field: field, values: values, includesAllRows: includesAllRows), schema)
            updatePrompt { $0.show(found, in: schema) }
        case .rangeFound(let column, let minimum, let maximum, let isSample):
            showIntervals(of: column, minimum: minimum, maximum: maximum, isSample: isSample)
        case .editFilter(let text): return editFilter(text)
        case .search(let text): return search(for: text)
        case .matchFound(let position, let column, let hasWrapped): return showFound(position, column, hasWrapped: hasWrapped)
        case .matchesCounted(let count, let current, let isComplete):
            search?.count = count
            search?.isCounted = isComplete
            search?.currentRank = current
        case .statistics(let subject, let result): applyResult(result, of: subject)
        case .settingsIgnored(let problems): showProblems(problems)
        case .settingsSaved(let changes): recordSaved(changes)
        case .exportPathChecked: return chooseExportFormat()
        case .exportStarted: closeExportPrompt()
        case .exported(let message, let notes): showExported(message, notes)
        case .exportRefused(let refusal): refuseExport(refusal)
        case .jobs(let jobs): self.jobs = jobs
        case .jobEnded(let kind, let failure):
            // Start statistics that have waited for all rows. Do not restart statistics that have failed, because they would fail again.
            return endJob(kind, failure) + (kind == .statistics && failure != nil ? [] : startAwaitedStatistics())
        case .recordAt(let position, let awaitsEnd):
            guard var view = overlay as? RowView else { break }
            (view.top, view.awaitsEnd) = (position, awaitsEnd)
            overlay = view
            if awaitsEnd { message = .rowNotReadToEnd } else if message?.id == .rowNotReadToEnd { message = nil }
        case .fieldNotFound(let message):
            self.message = message
            guard var view = overlay as? RowView else { break }
            // Without a match, `n` shows the next row again.
            view.search = LineEditor()
            overlay = view
        case .fieldSelected(let index): selectField(index)
        case .passwordNeeded(let account, let reason, let wasPasswordRefused):
            overlay = PasswordPrompt(account: account, reason: reason, wasPasswordRefused: wasPasswordRefused)
        case .openingCancelled(let message): return closeSheet(showing: message)
        case .openingFailed(let message):
            document.reading = .failed(message.text)
            self.message = message
        case .continueReading:
            show(document.canBeQueriedWhileIncomplete ? .countingResumed : .readingResumed)
            return resumeReading()
        case .moveTo(let row, let column): moveCursor(toRow: row, column: column)
        case .show(let message): self.message = message
        case .firstUse: showFirstSteps()
        case .gridRequests: return answerGridRequests()
        case .terminate(let status): exitStatus = status
        }
        return []
    }

    mutating func changeGrid(_ action: GridAction) -> [AppEffect] {
        controller.perform(action)
        return answerGridRequests()
    }

    mutating func answerGridRequests() -> [AppEffect] { sheet.requests.removeAll().flatMap { answer($0) } }

    private mutating func answer(_ request: GridRequests.Request) -> [AppEffect] {
        switch request {
        case .sort(let column, let isAdding): return isAdding ? addSortKeys([column]) : sort(column)
        case .menu(let column): openColumnMenu(column)
        case .cellMenu(let row, let column): openCellMenu(row, column)
        case .openRow: return pick == nil ? openRecord() : pickRows()
        case .copy(let cells, let withHeader): return [.copy(.cells(cells, withHeader: withHeader))]
        case .rowsMoved: return isUncounted ? refuseMove() : updateSearchAfterMove()
        case .dragInterrupted: show(.dragInterrupted)
        case .row(let position): return goTo(expectedRow: position)
        }
        return []
    }

    private mutating func show(_ view: OpenedView) {
        if view.frozen != FrozenPanes() { controller.perform(.freeze(view.frozen)) }
        if let mode = view.selectionMode { controller.perform(.setSelectionMode(mode)) }
        (sheet.openedView, search, sheet.launchSearch) = (view, view.search, view.search)
        (sheet.isFollowing, sheet.reloadsChanges) = (view.followsFile, view.reloadsChanges)
        query = QueryState(requesting: view.arrangement, collapsed: view.isCollapsed ? .allCollapsed : nil)
        updateSortBadges()
        showFilters(view.arrangement)
        filterHistory = view.arrangement.filters.map(\.text)
        if size.columns > 0 { narrowTextColumns() }
    }

    /// Narrows the columns of a newly opened file to show more of them on the screen.
    private mutating func narrowTextColumns() {
        let room = roomForColumns(besideRowHeader: grid.metrics.rowHeaderWidth)
        let before = sheet.openedView.columns
        sheet.openedView.columns.narrowTextColumns(room: room, spacing: grid.metrics.columnSpacing)
        var widths: [ColumnID: Int] = [:]
        for (index, column) in sheet.openedView.columns.enumerated() where column.measuredWidth != before[index].measuredWidth {
            widths[column.id] = column.measuredWidth
        }
        if !widths.isEmpty { controller.perform(.fitColumns(widths)) }
    }

    /// The total width for columns on the screen, in terminal cells.
    private func roomForColumns(besideRowHeader width: Int) -> Int { AppLayout(self).gridSize.width - width - 1 }

    // MARK: Terminal events

    private mutating func handleEvent(_ event: TerminalEvent) -> [AppEffect] {
        switch event {
        case .key(let press): return handleKey(press)
        case .mouse(let mouse): return handleMouse(mouse)
        case .paste(let text): return paste(text)
        case .resize(let size): resize(to: size)
        case .background, .resumed: break
        }
        return []
    }

    mutating func resize(to size: TerminalSize) {
        let isFirst = self.size.columns == 0
        self.size = size
        forEachSheet {
            $0.resizeGrid()
            if isFirst { $0.narrowTextColumns() }
        }
    }

    private mutating func resizeGrid() {
        let layout = AppLayout(self)
        if grid.metrics.headerHeight != layout.headerHeight {
            var metrics = grid.metrics
            metrics.headerHeight = layout.headerHeight
            controller.perform(.setMetrics(metrics))
        }
        controller.frame = TerminalRect(x: 0, y: layout.gridY, width: layout.gridSize.width, height: layout.gridSize.height)
    }

    // MARK: Job messages

    private mutating func applyIndex(_ info: DocumentInfo) {
        let reading = document.reading
        document = info
        if !info.isComplete {
            document.reading = reading
        } else if case .running(let rowsBeforeGrowth?) = reading, !sheet.readsChanges {
            let count = info.recordCount - rowsBeforeGrowth
            message = count > 0 ? .rowsAdded(count) : .noNewRows
        }
        // The width of row numbers was estimated from the file size. The rows of a pipe may need more digits.
        widenRowNumbers(to: info.recordCount)
        if query.shown.isFileOrder {
            let count = grid.rows.count
            switch grid.rows {
            case .spliced(_, _, let tail) where !info.isComplete:
                controller.perform(.growRows(.spliced(head: info.recordCount, tail: tail)))
            case .natural, .spliced, .moved:
                controller.perform(.growRows(.natural(count: shownRowCount(known: info.recordCount, isComplete: info.isComplete))))
            case .permuted: break
            }
            restoreCursor(after: count)
        }
    }

    /// Widens the row numbers if a table of `count` rows needs more digits.
    mutating func widenRowNumbers(to count: Int) {
        let width = String(count).count + 3
        guard grid.metrics.rowHeaderWidth > 0, grid.metrics.rowHeaderWidth < width else { return }
        var metrics = grid.metrics
        metrics.rowHeaderWidth = width
        controller.perform(.setMetrics(metrics))
    }

    /// Shows a message that the file did not need to be reloaded. Rows that were moved by hand go back to their original positions.
    private mutating func showUnchanged() -> [AppEffect] {
        sheet.fileChange = .unchanged
        var effects: [AppEffect] = []
        if grid.rows.isMoved {
            controller.perform(.setRows(grid.rows.unmoved, tree: grid.outline.tree, keeping: .all))
            effects = updateSearchAfterMove()
        }
        show(.fileUnchanged(Message.name(document.name)))
        return effects + resumeReading()
    }

    /// Shows the rows of the reopened file.
    ///
    /// Columns keep their settings if the columns are the same. The cursor stays on its row number or, at the end of a followed file, on
    /// the last row. The selection is cleared unless all rows are selected.
    /// - Parameter keepsWidths: true if columns of the same name keep their widths, because their values are of the same kind.
    private mutating func showReopened(
        _ info: DocumentInfo, _ columns: [Column], _ rowHeaderWidth: Int, keepsWidths: Bool = false
    ) -> [AppEffect] {
        let (change, isAtEnd) = (sheet.fileChange, isAtFollowedEnd)
        var columns = columns
        columns.narrowTextColumns(room: roomForColumns(besideRowHeader: rowHeaderWidth), spacing: grid.metrics.columnSpacing)
        (document, sheet.fileChange) = (info, .unchanged)
        endFinding()
        let (anchor, isSelectionLost) = (CursorAnchor(reloading: grid), grid.selectedRowCount > 0)
        var (requested, removed) = (query.requested, [Column]())
        var collapsed = query.request?.collapsed
        var dropped: (filter: Filter, error: FilterError)?
        if columns.map(\.title) != sheet.openedView.columns.map(\.title) || columns.map(\.id) != sheet.openedView.columns.map(\.id) {
            sheet.history = ViewHistory()
            let frozen = grid.frozen
            // The grid keeps collapsed sections only if the columns are the same. For other columns, remember the collapsed groups here.
            collapsed = collapsedGroups
            controller.perform(.replaceColumns(keepsWidths ? columnsKeepingWidths(columns) : columns))
            controller.perform(.freeze(frozen))
            removed = requested.replaceColumns(sheet.openedView.columns, with: columns)
            dropped = requested.reparseFilters(in: schema)
        } else {
            if collapsedGroups?.areAllCollapsed == true { collapsed = .allCollapsed }
            applyDetectedTypes(of: columns)
        }
        sheet.openedView.columns = columns
        controller.configure { $0.metrics.rowHeaderWidth = rowHeaderWidth }
        discardRowsOfOtherOrders()
        query = QueryState(requesting: requested, collapsed: collapsed, isRestoring: true)
        if collapsed != nil { query.setCollapsed(collapsed, keepsCursor: true) }
        updateSortBadges()
        showFilters(requested)
        search?.count = nil
        // Approximate positions in the earlier rows do not tell how many of the new rows are known.
        sheet.knownRowCount = nil
        controller.perform(
            .setRows(.natural(count: info.recordCount), keeping: isSelectionLost ? .sections : [.sections, .selection]))
        sheet.reloadAnchor = anchor
        restoreCursor(after: 0)
        let name = Message.name(info.name)
        switch change {
        case _ where sheet.readsChanges && change.losesRows: show(.changeReloaded(name, change.titleWord ?? ""))
        // Show no message about new rows of a followed file. Remove a message about a failed read, which is no longer true.
        case .grown where sheet.readsChanges && !isSelectionLost: if message?.id == .jobFailed { message = nil }
        default: show(.reloaded(name))
        }
        if let column = removed.first { show(.columnMissing(Message.name(column.title, width: 12), of: name)) }
        if let dropped { show(.filterDropped(dropped.filter.text, dropped.error.message)) }
        if isSelectionLost { message?.text += Message.selectionNotKept }
        guard isAtEnd else { return [] }
        sheet.reloadAnchor = nil
        return goToEnd()
    }

    /// The columns, with the widths of the current columns of the same names. If several columns have a name, the first one gets the width
    /// of the first current column of that name, and so on.
    private func columnsKeepingWidths(_ columns: [Column]) -> [Column] {
        let present = Dictionary(grouping: grid.columns.all.filter { $0.id.copy == 0 }, by: \.valueKey)
        var ranks: [String: Int] = [:]
        return columns.map { column in
            let rank = ranks[column.valueKey, default: 0]
            ranks[column.valueKey] = rank + 1
            guard let same = present[column.valueKey], rank < same.count else { return column }
            var column = column
            (column.width, column.measuredWidth) = (same[rank].width, same[rank].measuredWidth)
            return column
        }
    }

    /// Updates the detected properties of columns, such as types, because more rows were read. Properties that the user has changed stay.
    private mutating func applyDetectedTypes(of columns: [Column]) {
        let found = Dictionary(uniqueKeysWithValues: zip(sheet.openedView.columns, columns).map { ($0.id, (before: $0, now: $1)) })
        let all = grid.columns.all.map { column in
            guard let (before, now) = found[column.id], before.id == now.id else { return column }
            var column = column
            if !ColumnPatch(before: before, after: column).changesType {
                (column.kind, column.notation) = (now.kind, now.notation)
                (column.dateNotation, column.hasAmbiguousDates) = (now.dateNotation, now.hasAmbiguousDates)
                if column.format == before.format { column.format = now.format }
                (column.isIdentifier, column.flagMarks) = (now.isIdentifier, now.flagMarks)
            }
            if column.measuredWidth == before.measuredWidth { column.measuredWidth = now.measuredWidth }
            return column
        }
        if all != grid.columns.all { controller.perform(.replaceColumns(all)) }
    }

    /// Sets the types of columns without a value in the sample of rows. Sorts, filters and groups by these columns run again.
    private mutating func applyFoundTypes(of columns: [Column]) -> [AppEffect] {
        let found = Dictionary(columns.map { ($0.id, $0) }) { first, _ in first }
        let opened = sheet.openedView.columns.map { found[$0.id] ?? $0 }
        applyDetectedTypes(of: opened)
        sheet.openedView.columns = opened
        let ids = columns.map(\.id)
        return [.typesChanged(ids)] + rearrange(afterTypeChangeOf: ids)
    }

    /// Starts to read the new rows of a grown file. The visible rows stay until the new ones are read; sorted or filtered rows are then
    /// queried again.
    private mutating func applyGrowth(_ info: DocumentInfo, _ columns: [Column]) {
        applyDetectedTypes(of: columns)
        sheet.openedView.columns = columns
        if let previous = query.previousRows {
            // The running query has delivered only its first rows. Show the rows from before the query.
            show(previous)
        }
        query.handleFileGrowth()
        endFinding()
        updateSortBadges()
        let count = document.recordCount
        (document, sheet.fileChange) = (info, .unchanged)
        document.reading = .running(rowsBeforeGrowth: count)
        search?.count = nil
        search?.isCounted = false
    }

    /// Adds columns at the right, but to the left of columns that are frozen there. The visible columns do not move.
    private mutating func add(_ columns: [Column]) -> [AppEffect] {
        let all = grid.columns.all
        controller.perform(.insertColumns(columns, atPlace: all.firstIndex { $0.frozenSide == .trailing } ?? all.count))
        sheet.openedView.columns += columns
        if message == nil { show(.columnsAdded(columns.count, first: Message.name(columns[0].title))) }
        return [.columnsAdded(columns)]
    }

    /// Resumes reading if it was stopped, for a command that needs all rows.
    mutating func resumeReading() -> [AppEffect] { document.reading.resume() ? [.startIndexing] : [] }

    private mutating func showTail(_ records: Int, ofQueryStartingAt first: Int) -> [AppEffect] {
        guard records > 0 else { return [] }
        if lacksLastRows(ofQueryStartingAt: first) {
            controller.perform(.growRows(.spliced(first: first, head: numberedRowCount, tail: records)))
        } else if first > 0 || !query.shown.isFileOrder {
            return []
        }
        return changeGrid(.move(.bottom))
    }

    mutating func applyResult(_ arrangement: Arrangement, _ rows: RowOrder, _ tree: SectionTree?, extendsVisibleRows: Bool) -> [AppEffect] {
        // While a file is being read, a query only filters, even if a sort or groups are requested. The arrangement is then the requested
        // one without sort keys and groups.
        guard query.awaits(arrangement) else { return [] }
        let before = query.previousRows?.arrangement ?? query.shown
        let showsOnlyFirstRows = query.showsOnlyFirstRows
        let extendsVisibleRows =
            !query.isStale && extendsVisibleRows || showsOnlyFirstRows && arrangement == query.shown && !grid.rows.isMoved
        // If only types, rows or the file have changed, the query has run for the same arrangement as before.
        let isNew = arrangement != before
        let isFollowed = query.isStale && sheet.readsChanges
        // If all groups are collapsed, new groups must be collapsed, too.
        let areAllCollapsed = arrangement.groups == before.groups && CollapsedGroups(grid.outline)?.areAllCollapsed == true
        let isMore = extendsVisibleRows && !isNew
        let isSelectionLost = query.previousRows?.isSelectionLost == true || hasLargeSelection && !extendsVisibleRows
        let request = query.request
        let isReloading = sheet.reloadAnchor != nil
        var anchor = anchor(for: arrangement)
        show(arrangement, rows, tree, extendsVisibleRows, &anchor)
        sheet.followedCursor = isReloading ? nil : anchor.flatMap { $0.belongsToOtherOrder(than: rows) && !$0.isAtStart ? $0 : nil }
        query.finish(arrangement, isFileRead: document.canBeQueried)
        if document.canBeQueried, query.isSettled { sheet.reloadAnchor = nil }
        if query.isSettled, let moves = sheet.awaitedMoves {
            sheet.awaitedMoves = nil
            // Ignore the effects: they only update the search, and the end of this function does this anyway.
            _ = restoreMoves(moves)
        }
        updateSortBadges()
        widenTruncatedColumns(for: arrangement)
        // The message may still have the count of the first matches. Update it.
        if !isNew, let id = message?.id, [.filtered, .noMatches].contains(id) { message = filterMessage(arrangement) }
        // Counting matches needs all rows, so it waits until the file has been read.
        if isMore { return document.canBeQueried ? search.map { [.countMatches($0)] } ?? [] : [] }
        if let tree, let collapsed = request?.collapsed ?? (areAllCollapsed ? .allCollapsed : nil) {
            controller.perform(collapsed.areAllCollapsed ? .setAllCollapsed(true) : .setCollapsedSections(collapsed.sections(of: tree)))
            if collapsed.areAllCollapsed, request?.collapsed != nil, request?.keepsCursor == false { controller.perform(.move(.top)) }
        }
        // Do not replace the message about a reset, an undo or a redo. New rows of a followed file need no message.
        let isReported = request?.isRestoring == true || message.map { [.undone, .redone].contains($0.id) } == true
        if message == nil && (!isFollowed || isSelectionLost) || isNew && !arrangement.isFileOrder && !isReported {
            message = message(about: arrangement, after: before, isSelectionLost: isSelectionLost)
        } else if isSelectionLost {
            message?.text += Message.selectionCleared
        }
        // The positions of matches have changed with the order of rows. Search again.
        guard let search else { return [.cancel(.find)] }
        if let prompt = overlay as? SearchPrompt { return restartSearch(prompt) }
        return [.cancel(.find), .countMatches(search)]
    }

    private mutating func endJob(_ kind: JobKind, _ failure: Message?) -> [AppEffect] {
        jobs.removeAll { $0.kind == kind }
        if let failure, kind.isShown { message = failure }
        switch kind {
        case .index:
            // If the matches were counted while rows were still being read, count them again.
            let recount = search.map { $0.isCounted ? [] : [AppEffect.countMatches($0)] } ?? []
            guard document.isComplete else {
                document.reading.stop()
                return (document.canBeQueriedWhileIncomplete ? [] : cancelQuery()) + recount
            }
            query.handleEndOfFile()
            if message == .lastRowSoFar, !document.canBeQueriedWhileIncomplete { message = nil }
            // On a server, a query includes all rows even while they are counted. Do not restart it.
            if document.canBeQueriedWhileIncomplete, jobs.contains(where: { $0.kind == .arrange }) { return recount }
            // The last rows of a file were not filtered yet. A server filters all rows itself.
            let isFiltered = query.requested.filters.isEmpty || document.canBeQueriedWhileIncomplete
            return (query.isSettled && isFiltered ? startLaunchSearch() : [.arrange(query.requested)]) + recount
        case .arrange where failure != nil:
            // If the changed file is now reloaded automatically, keep the request. It runs again on the new rows.
            let isReloaded = sheet.readsChanges && sheet.fileChange.losesRows && sheet.fileChange != .deleted && overlay == nil
            return isReloaded && failure?.id != .filterInvalid ? [] : cancelQuery()
        case .statistics where failure != nil:
            guard var panel = overlay as? StatisticsPanel else { break }
            panel.wantsExact = false
            // Without a result, the panel would wait for a job that has ended.
            overlay = panel.result == nil ? panel.previous.first : panel
        case .find: endFinding()
        case .open:
            sheet.rereadRequest = nil
            // A request that was kept for the reload has no job.
            let isKept = !query.isSettled && !query.isWaitingForFile && !query.isStale && !jobs.contains { $0.kind == .arrange }
            return failure != nil && isKept ? cancelQuery() : []
        default: break
        }
        return []
    }

    /// Cancels the pending query, and shows the rows that were visible before the query. Restarts the job that finds marked rows in the
    /// order of these rows, because the query had cancelled that job.
    mutating func cancelQuery() -> [AppEffect] {
        (sheet.reloadAnchor, sheet.awaitedMoves) = (nil, nil)
        guard case .pending(_, _, let phase) = query else { return [] }
        switch phase {
        case .waitingForFile, .running: break
        case .arriving(let previous): show(previous)
        case .stale: controller.perform(.setRows(.natural(count: document.recordCount), keeping: stateToKeep))
        }
        query.cancel()
        updateSortBadges()
        showFilters(query.shown)
        return followRows()
    }

    private func show(_ previous: PreviousRows) {
        controller.perform(.setRows(previous.rows(recordCount: document.recordCount), tree: previous.tree))
        controller.perform(.setSelection(previous.selection))
    }

    mutating func moveCursor(toRow row: Int?, column: Int?) {
        if let row { controller.perform(.move(.row(row))) }
        if let column { controller.perform(.move(.column(column))) }
    }
}
