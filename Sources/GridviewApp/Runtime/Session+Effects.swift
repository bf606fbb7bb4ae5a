import DataGrid
import DataGridQuery
import DataGridSources
import Tables
import TerminalSurface

extension Session {
    /// Does the work that a change of the state requests. Work that takes longer than drawing a frame starts a job.
    func perform(_ effect: AppEffect) {
        switch effect {
        case .startIndexing: startIndexing()
        case .readTail(let records, let first): startReadingTail(records, ofQueryStartingAt: first)
        case .seek(let rowNumber, let first, let isPageMotion):
            startSeeking(rowNumber, ofQueryStartingAt: first, isPageMotion: isPageMotion)
        case .sampleRows(let position): sampleRows(at: position)
        case .sampleUnknownRows(let rowNumber): sampleUnknownRows(near: rowNumber)
        case .endSampling: endSampling()
        case .arrange(let arrangement): startArranging(arrangement)
        case .followRows: startFollowingRows()
        case .searchForCell(let column): readCell(column) { .search($0) }
        case .filterByCells(let columns, let row, let isNegated): filterByCells(columns, of: row, isNegated: isNegated)
        case .countRows(let text, let edited): startCountingRows(matching: text, replacing: edited)
        case .findValues(let field): startFindingValues(of: field)
        case .countUnparsedValues(let ids): startCountingUnparsedValues(ids)
        case .findRange(let column): startFindingRange(of: column)
        case .editFilterByCell(let column):
            let schema = state.schema
            readCell(column) { .editFilter(Filter.text(column.field, hasValue: $0, isNegated: false, in: schema)) }
        case .find(let search, let from, let isForward, let includingCurrent):
            startFinding(search, from: from, isForward: isForward, includingCurrent: includingCurrent)
        case .countMatches(let search): startCounting(search)
        case .findDifferentValue(let column, let from, let isForward): startFindingDifferentValue(column, from: from, isForward: isForward)
        case .findEdge(let isForward): findEdge(isForward: isForward)
        case .cancel(let kind):
            jobs.cancel(kind)
            if kind == .index { document.input.wakeReader() }
            send(.jobEnded(kind, failure: nil))
        case .readRecord: readRecord()
        case .scrollRecord(let motion): scrollRecord(motion)
        case .selectField(let count): selectField(by: count)
        case .moveField(let step): moveField(by: step)
        case .showField: showField()
        case .showMatch: showMatch()
        case .findField(let text, let step, let includingCurrent): findField(text, by: step, includingCurrent: includingCurrent)
        case .statistics(let subject, let isExact): startStatistics(subject, isExact: isExact)
        case .awaitedStatistics(let subject, let isExact):
            if !jobs.isRunning(.statistics) { startStatistics(subject, isExact: isExact) }
        case .copy(let request): startCopying(request)
        case .checkExportPath(let path): checkExportPath(path)
        case .export(let request): startExport(request)
        case .saveSettings(let changes): startSaving(changes)
        case .saveView(let view, let path, let replacesFile): save(view, to: path, replacesFile: replacesFile)
        case .restoreLastView: restoreLastView()
        case .pick(let rows): pick(rows)
        case .reload: reload()
        case .previewReading(let settings): previewReading(settings)
        case .reread: reread()
        case .useAsHeader(let record): useAsHeader(record: record)
        case .findStatements: startFindingStatements()
        case .openTable(let record): openTable(record)
        case .sheetShown: openAwaitedInput()
        case .sheetClosed(let id): closeSheet(id)
        case .supplyPassword(let password): supply(password: password)
        case .declinePassword: declinePassword()
        case .suspend: backend.suspend()
        case .redraw: backend.redraw()
        case .setMouse(let isOn): backend.isMouseEnabled = isOn
        case .typesChanged(let ids):
            let changed = Set(ids)
            for column in state.grid.columns.all where changed.contains(column.id) {
                document.source.setKind(of: column)
            }
            document.computeDerivedFields(from: state.grid.columns.all)
        case .findEmptyColumns(let ids): startFindingEmptyColumns(ids)
        case .readColumnValues(let ids): startReadingColumnValues(ids)
        case .derive(let field): startDeriving(field)
        case .expand(let column): startExpanding(column)
        case .expandRows(let column): startExpandingRows(column)
        case .pivot(let text): startPivoting(text)
        case .columnsAdded(let columns, let field): document.add(columns, deriving: field, from: state.grid.columns.all)
        }
    }

    // MARK: Within a frame

    /// Moves the cursor along its row, as spreadsheets do. If the current and the next cell are filled, moves to the last filled cell
    /// before an empty one. Otherwise, moves to the next filled cell.
    private func findEdge(isForward: Bool) {
        let grid = state.grid
        guard let row = grid.currentRow else { return }
        func isFilled(_ index: Int) -> Bool {
            let content = document.source.content(row: row, column: grid.columns[index].id)
            return content.condition != .missing && !content.text.isEmpty
        }
        let step = isForward ? 1 : -1
        let all = 0..<grid.columns.count
        var index = grid.cursor.column + step
        guard all.contains(index) else { return }
        let startsFilled = isFilled(grid.cursor.column) && isFilled(index)
        while all.contains(index + step), startsFilled ? isFilled(index + step) : !isFilled(index) { index += step }
        send(.moveTo(row: nil, column: index))
    }
}
