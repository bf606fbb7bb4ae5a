import DataGrid
import DataGridTerminal

extension AppState {
    /// Follows the file from its last row, or stops following it.
    mutating func toggleFollowing() -> [AppEffect] {
        guard document.isFile || document.isPipe && !document.isComplete else { return show(.cannotFollow) }
        sheet.isFollowing.toggle()
        guard sheet.isFollowing else { return show(.followingOff(follow: key(.follow))) }
        // In another order, new rows are not at the end.
        let effects = query.requested.isInFileOrder ? jump(toTop: false, nil) : []
        show(.following(stop: key(.follow)))
        return effects
    }

    /// True if the rows of a pipe are followed. They arrive in order, so the last one is known.
    var followsPipe: Bool { sheet.isFollowing && document.isPipe }

    /// True if the cursor moves with the end of a followed file. It does not move if rows are in another order, during a drag, and while a
    /// selection is extended.
    var isAtFollowedEnd: Bool {
        guard sheet.isFollowing, query.shown.isInFileOrder, grid.selectionAnchor == nil, grid.drag == nil else { return false }
        return grid.rows.count == 0 || grid.cursor.row == grid.rows.count - 1
    }

    /// Adds rows, and moves the cursor from the last row to the new last row if the file is followed.
    mutating func keepEndVisible<Result>(while addRows: (inout AppState) -> Result) -> Result {
        let isAtEnd = isAtFollowedEnd
        let result = addRows(&self)
        if isAtEnd, query.shown.isInFileOrder { controller.perform(.move(.bottom)) }
        return result
    }

    /// Shows rows of an arrangement. Unless the user has changed the arrangement, the cursor stays at the end of a followed file.
    mutating func keepEndVisible(of arrangement: Arrangement, while showRows: (inout AppState) -> [AppEffect]) -> [AppEffect] {
        let isUpdate = arrangement == query.previous?.arrangement ?? query.shown || query.request?.isRestoring == true
        return isUpdate ? keepEndVisible(while: showRows) : showRows(&self)
    }
}
