import DataGrid
import DataGridTerminal

extension AppState {
    /// Changes every sheet. While `change` runs for a sheet, this sheet is the current one.
    mutating func forEachSheet(_ change: (inout AppState) -> Void) {
        let shown = currentSheetIndex
        for index in sheets.indices {
            currentSheetIndex = index
            change(&self)
        }
        currentSheetIndex = shown
    }

    /// Shows the sheet `step` tabs to the right, or to the left if negative. Continues at the other end after the last tab.
    mutating func showSheet(step: Int) -> [AppEffect] {
        guard sheets.count > 1 else { return show(.onlyOneFile) }
        return showSheet(at: ((currentSheetIndex + step) % sheets.count + sheets.count) % sheets.count)
    }

    mutating func showSheet(at index: Int) -> [AppEffect] {
        currentSheetIndex = index
        pendingKeys = PendingKeys()
        return [.sheetShown]
    }

    mutating func showSheet(id: Int) -> [AppEffect] { sheets.firstIndex { $0.id == id }.map { showSheet(at: $0) } ?? [] }

    mutating func openSheetList() -> [AppEffect] {
        let rows = zip(sheets, sheetNames).map { sheet, name in
            let document = sheet.document
            let count = document.isAwaited ? "not read yet" : document.isComplete ? Message.rows(document.recordCount) : ""
            return ListPanel.Row(text: name, detail: count, tag: sheet.id)
        }
        var panel = ListPanel(purpose: .sheets, title: "Open files", rows: rows)
        panel.selected = currentSheetIndex
        return open(panel)
    }

    mutating func closeSheet() -> [AppEffect] {
        guard sheets.count > 1 else {
            return show(.onlyOpenFile(quitKey: key(.close)))
        }
        let (closed, origin) = (sheet.id, sheet.originID)
        sheets.remove(at: currentSheetIndex)
        currentSheetIndex = sheets.firstIndex { $0.id == origin } ?? min(currentSheetIndex, sheets.count - 1)
        resize(to: size)
        return [.sheetClosed(closed), .sheetShown]
    }

    /// Closes the current sheet, shows the next one, and shows a message in it.
    mutating func closeSheet(showing message: Message) -> [AppEffect] {
        let effects = closeSheet()
        show(message)
        return effects
    }

    /// The open sheet from which the current sheet was opened; `nil` if it was opened in another way, or if that sheet was closed.
    var originSheet: SheetState? { sheet.originID.flatMap { origin in sheets.first { $0.id == origin } } }

    /// Shows the sheet from which the current one was opened. Also closes the current sheet, unless this would lose a change of the user.
    mutating func goBack(to origin: SheetState) -> [AppEffect] {
        let isWriting = jobs.contains { $0.kind == .export || $0.kind == .copy }
        let isChanged = sheet.history.undoableCount > 0 || hasOtherCollapsedGroups || !grid.marks.isEmpty
        return isWriting || isChanged ? showSheet(id: origin.id) : closeSheet()
    }
}

extension ListPanel.Purpose {
    /// The list of open sheets. Choosing one shows it.
    static let sheets = Self("sheets") { state, _, row in
        state.showSheet(id: row.tag)
    }
}
