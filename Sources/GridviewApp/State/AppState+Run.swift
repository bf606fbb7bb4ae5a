import DataGrid
import DataGridTerminal

extension AppState {
    /// Runs a command of the grid.
    mutating func run(_ id: CommandID, count: Int?) -> [AppEffect] {
        let times = max(1, count ?? 1)
        switch id {
        case .up: return change(.move(.up(times)))
        case .down: return change(.move(.down(times)))
        case .left, .right: return moveSideways(id == .right, times)
        case .pageUp: return repeated(.pageUp, times)
        case .pageDown: return repeated(.pageDown, times)
        case .halfPageUp: return repeated(.halfPageUp, times)
        case .halfPageDown: return repeated(.halfPageDown, times)
        case .firstColumn: return change(.move(.firstColumn))
        case .lastColumn: return change(.move(.lastColumn))
        case .edgeLeft: return [.findEdge(isForward: false)]
        case .edgeRight: return [.findEdge(isForward: true)]
        case .top, .bottom: return jump(toTop: id == .top, count)
        case .nextColumn: return repeated(.nextColumn, times)
        case .previousColumn: return repeated(.previousColumn, times)
        case .goToColumn: openColumnList(.goToColumn)
        case .nextDifferent, .previousDifferent: return findDifferent(isForward: id == .nextDifferent)
        case .mark: return toggleMark()
        case .clearMarks: return clearMarks()
        case .nextMark: return goToNextMark()
        case .back: goBack()

        case .search: layer = .search(SearchPrompt(origin: grid.cursor))
        case .searchNext: return searchAgain(isForward: true)
        case .searchPrevious: return searchAgain(isForward: false)

        case .filter: layer = .formula(FormulaPrompt())
        case .deriveColumn: layer = .formula(FormulaPrompt(purpose: .derivation))
        case .duplicateColumn: return withColumn { $0.duplicate($1) }
        case .filterLike, .filterExcludingCell:
            guard grid.currentRow != nil else { return say(.noCell) }
            return [.filterByCell(isLike: id == .filterLike)]
        case .removeFilter: return removeFilter()
        case .removeFilters: return removeAllFilters()

        case .sort: return withColumn { $0.sort($1.id) }
        case .sortAscending: return withColumn { $0.sort($1.id, isDescending: false) }
        case .sortDescending: return withColumn { $0.sort($1.id, isDescending: true) }
        case .addSortKey: return withColumn { $0.addSortKey($1.id) }

        case .freezeColumns: return freeze(columns: true, rows: false)
        case .freezeRows: return freeze(columns: false, rows: true)
        case .freezeBoth: return freeze(columns: true, rows: true)
        case .pinLeft: return withColumn { $0.change(.pinLeading($1.id)) }
        case .pinRight: return withColumn { $0.change(.pinTrailing($1.id)) }
        case .narrower: return withColumn { $0.change(.resizeColumn($1.id, by: -times)) }
        case .wider: return withColumn { $0.change(.resizeColumn($1.id, by: times)) }
        case .fitColumn: return withColumn { $0.fit($1, count: count) }
        case .fitAll: controller.fitColumns()
        case .hideColumn: return hideColumn()
        case .showColumns: openColumnList(.showColumns)
        case .moveColumnLeft: return moveColumn(by: -times)
        case .moveColumnRight: return moveColumn(by: times)
        case .renameColumn: if let column = grid.currentColumn { layer = .rename(LineEditor(column.title), column.id) }
        case .columnType: return withColumn { $0.changeType(of: $1) }

        case .moveRowUp: return moveRows(by: -times)
        case .moveRowDown: return moveRows(by: times)
        case .rowDragging: toggleRowDragging()

        case .group: return withColumn { $0.group(by: $1.id, further: false) }
        case .addGroupLevel: return withColumn { $0.group(by: $1.id, further: true) }
        case .ungroup: return ungroup()
        case .sortGroupsByAggregate: return withSections { state in state.withColumn { $0.orderSections(byAggregateOf: $1) } }
        case .sortGroupsByCount: return withSections { $0.orderSections(by: .rowCount, startsDescending: true) }
        case .sortGroupsByName: return withSections { $0.orderSections(by: .title, startsDescending: false) }
        case .toggleSection: return toggleSection()
        case .collapseAll, .expandAll: return collapseAll(id == .collapseAll)
        case .nextSection: return withSections { $0.change(.move(.nextSection)) }
        case .previousSection: return withSections { $0.change(.move(.previousSection)) }

        case .selectCells: return select(.cells)
        case .selectRows: return select(.rows)
        case .selectColumns: return select(.columns)
        case .selectAll: return withSelecting { $0.change(.selectAll) }
        case .addRange: return withSelecting { $0.change(.keepRanges) }
        case .invertSelection: return withSelecting { $0.change(.invertSelection) }
        case .otherEnd: return change(.swapSelectionEnds)
        case .selectionMode: return cycleSelectionMode()
        case .extendUp: return change(.move(.up(times), extending: true))
        case .extendDown: return change(.move(.down(times), extending: true))
        case .extendLeft: return change(.move(.left(times), extending: true))
        case .extendRight: return change(.move(.right(times), extending: true))
        case .copy: return [.copy(withHeader: false)]
        case .copyWithHeader: return [.copy(withHeader: true)]
        case .copyAs: openCopyList()

        case .record: return openRecord()

        case .statistics: return withColumn { $0.openStatistics(.column($1.id)) }
        case .frequencies: return withColumn { $0.openStatistics(.frequencies($1.id)) }
        case .summary: return openStatistics(.summary)

        case .wrap: return setRowHeight(count)
        case .gridLines: return cycleGridLines()
        case .transpose: return present(.transposed)
        case .cards: return present(.cards)
        case .theme: return cycleTheme()
        case .reset: return reset()

        case .nextSheet: return showSheet(step: count ?? 1)
        case .previousSheet: return showSheet(step: -(count ?? 1))
        case .sheets: openSheetList()
        case .closeSheet: return closeSheet()

        case .reload: return [.reload]
        case .palette: openPalette()
        case .help: layer = .page(.help, scroll: 0)
        case .about: layer = .page(.about, scroll: 0)
        case .hints:
            showsHints.toggle()
            resize(to: size)
        case .mouse: return toggleMouse()
        case .escape: return handleEscape()
        case .cancel: return cancel()
        case .suspend: return [.suspend]
        case .close, .quit: exitStatus = 0
        case .accept, .nextRow, .previousRow, .searchScope, .searchPattern, .previousFilter, .nextFilter, .deleteBackward, .deleteForward,
            .textLeft, .textRight, .textStart, .textEnd, .deleteToStart, .deleteToEnd, .deleteWord:
            break
        }
        return []
    }

    private mutating func withColumn(_ body: (inout AppState, Column) -> [AppEffect]) -> [AppEffect] {
        guard let column = grid.currentColumn else { return say(.noColumns) }
        return body(&self, column)
    }

    var noSections: Message { .noGroups(group: key(.group)) }

    private mutating func withSections(_ body: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        guard grid.outline.tree != nil else {
            message = noSections
            return []
        }
        return body(&self)
    }

    private mutating func withSelecting(_ body: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        guard grid.selectionMode.allowsMany else {
            return say(.selectionModeForbids(grid.selectionMode, change: key(.selectionMode)))
        }
        return body(&self)
    }

    private mutating func repeated(_ motion: GridMotion, _ times: Int) -> [AppEffect] {
        for _ in 0..<min(times, 10_000) {
            let cursor = grid.cursor
            _ = change(.move(motion))
            // The motion has reached an end.
            if grid.cursor == cursor { break }
        }
        return []
    }

    private mutating func select(_ shape: SelectionShape) -> [AppEffect] {
        guard grid.selectionMode != .none else {
            return say(.selectionOff(change: key(.selectionMode)))
        }
        return change(.beginSelection(shape))
    }

    private mutating func toggleSection() -> [AppEffect] {
        withSections { state in
            guard let section = state.grid.outline.section(of: state.grid.cursor.item) else { return [] }
            return state.change(.toggleSection(section))
        }
    }

    private mutating func collapseAll(_ isCollapsed: Bool) -> [AppEffect] {
        if query.requested.groups != query.shown.groups, !query.requested.groups.isEmpty {
            // The groups are not complete yet.
            query.request?.collapsesSections = isCollapsed
            return []
        }
        return withSections { $0.change(.setAllCollapsed(isCollapsed)) }
    }
}
