import DataGrid
import DataGridTerminal

extension AppState {
    /// Starts or stops following the file. Starting moves the cursor to the last row.
    mutating func toggleFollowing() -> [AppEffect] {
        guard document.isFile || document.isPipe && !document.isComplete else { return show(.cannotFollow) }
        sheet.isFollowing.toggle()
        sheet.staysAtEnd = false
        guard sheet.isFollowing else { return show(.followingOff(followKey: key(.follow))) }
        // If the rows are sorted or grouped, do not move the cursor, because new rows are not at the end.
        let effects = query.requested.isInFileOrder ? jump(toTop: false, nil) : []
        show(.following(stopKey: key(.follow)))
        return effects
    }

    /// True if the cursor is at the end of a followed file and moves with it. It does not move if rows are in another order, during a drag,
    /// or while a selection is extended. After a jump to the end of a pipe, the cursor also moves with the end, until the user moves it.
    var isAtFollowedEnd: Bool {
        guard sheet.isFollowing || sheet.staysAtEnd else { return false }
        guard query.shown.isInFileOrder, grid.selectionAnchor == nil, grid.drag == nil else { return false }
        return grid.rows.count == 0 || grid.cursor.row == grid.rows.count - 1
    }

    /// Runs `addRows`. If the file is followed and the cursor was on the last row, moves the cursor to the new last row.
    mutating func keepEndVisible<Result>(while addRows: (inout AppState) -> Result) -> Result {
        let isAtEnd = isAtFollowedEnd
        let result = addRows(&self)
        if isAtEnd, query.shown.isInFileOrder { controller.perform(.move(.bottom)) }
        // When all rows have arrived, the rows of a filter are still to be updated.
        if !isAtEnd || document.isComplete && query.shown.isFileOrder { sheet.staysAtEnd = false }
        return result
    }

    /// Runs `showRows`. At the end of a followed file, the cursor stays at the end, unless the user has requested another arrangement.
    mutating func keepEndVisible(of arrangement: Arrangement, while showRows: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        let isUpdate = arrangement == query.previousRows?.arrangement ?? query.shown || query.request?.isRestoring == true
        return isUpdate ? keepEndVisible(while: showRows) : showRows(&self)
    }
}
