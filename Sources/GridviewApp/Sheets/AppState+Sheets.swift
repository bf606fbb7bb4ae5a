import DataGridTerminal

extension AppState {
    /// Changes every sheet. Each is the current one while `change` runs.
    mutating func forEachSheet(_ change: (inout AppState) -> Void) {
        let shown = currentSheetIndex
        for index in sheets.indices {
            currentSheetIndex = index
            change(&self)
        }
        currentSheetIndex = shown
    }

    /// Shows the next or the previous sheet, wrapping around.
    mutating func showSheet(step: Int) -> [AppEffect] {
        guard sheets.count > 1 else { return say(.oneFile) }
        return showSheet(at: ((currentSheetIndex + step) % sheets.count + sheets.count) % sheets.count)
    }

    mutating func showSheet(at index: Int) -> [AppEffect] {
        currentSheetIndex = index
        pending = PendingKeys()
        return [.sheetShown]
    }

    /// Shows the sheet with this ID.
    mutating func showSheet(id: Int) -> [AppEffect] { sheets.firstIndex { $0.id == id }.map { showSheet(at: $0) } ?? [] }

    mutating func openSheetList() -> [AppEffect] {
        let rows = sheets.map { sheet in
            let document = sheet.document
            let count = document.isAwaited ? "not read yet" : document.isComplete ? Message.rows(document.recordCount) : ""
            return ListPanel.Row(text: document.name, detail: count, tag: sheet.id)
        }
        var panel = ListPanel(purpose: .sheets, title: "Open files", rows: rows)
        panel.selected = currentSheetIndex
        return open(panel)
    }

    mutating func closeSheet() -> [AppEffect] {
        guard sheets.count > 1 else {
            return say(.lastFile(quit: key(.close)))
        }
        let closed = sheet.id
        sheets.remove(at: currentSheetIndex)
        currentSheetIndex = min(currentSheetIndex, sheets.count - 1)
        resize(to: size)
        return [.sheetClosed(closed), .sheetShown]
    }
}

extension ListPanel.Purpose {
    /// Shows the selected sheet.
    static let sheets = Self("sheets") { state, _, row in
        state.showSheet(id: row.tag)
    }
}
