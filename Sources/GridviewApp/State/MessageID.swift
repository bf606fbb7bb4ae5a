extension Message {
    /// The identifiers of messages. Tests compare them instead of texts. It is an enumeration, so that a test finds every message for which
    /// no sample text is tested.
    public enum ID: String, CaseIterable, Sendable {
        // Keys and help
        case noCommand, familiarKey, filesUnchanged, pasteUnsupported, notInRowView, noOptionsPrompt, filesOpenAtStart, firstSteps
        // Moving
        case noDifferentValue, lastRowSoFar, percentOfKnownRows, rowNotRead, rowFilteredOut, noSuchRow, noJump, marked, marksCleared,
            noMarks,
            rowsNotFollowed, notAllRowsFollowed, rowsAwaitCount, commandAwaitsCount, commandNotRun
        // Searching
        case noSearch, nothingToSearchFor, searchWrapped, notFound
        // Filtering
        case filtered, noMatches, filterRemoved, filterAlreadyOn, noFilter, filterInvalid, filterDropped, filtersRemain, noCell,
            cannotFilterByValue, cannotFilterByInterval
        // Sorting and grouping
        case sorted, fileOrder, sortsWhenRead, grouped, ungrouped, groupsWhenRead, alreadyGrouped, noGroups, noSubtotal, noIntervals,
            pivotsWhenRead
        // Columns
        case frozen, unfrozen, tooNarrowToFreeze, columnHidden, lastColumn, columnDuplicated, columnType, columnAdded, formulaInvalid,
            addingColumn, columnExists, nameRestored, columnExpanded, nothingToExpand, columnCollapsed, nothingToCollapse,
            cannotExpandOnServer, cannotExpandYet, pinned, unpinned, columnsShown, emptyColumnsHidden, noOtherColumns,
            noScrollingColumn, columnsFitted, digitsGrouped, noNumbers, dayOrder, noDayOrder
        // Rows
        case rowMoved, noRowToMove, cannotMoveRowsYet, alreadyFirst, alreadyLast, rowDragging, dragInterrupted
        // Selecting and copying
        case selectionMode, selectionModeForbids, selectionOff, noRows, copied, notCopied, nothingToCopy, tooLargeToCopy, cellNotRead,
            nothingToPick, noStatements
        // Exporting
        case exported, notExported, nothingToExport, cannotExportYet, exportRunning, exportStopsOnQuit, fileExists, fileIsOpen
        // Appearance
        case rowHeight, wrapUnavailable, presentation, gridLines, panning, theme, viewReset, hintsOff, mouseOn, mouseOff
        // Settings
        case settingsIgnored, settingsSaved, settingsNotSaved, nothingToSave
        // Views
        case viewSaved, viewRestored, noLastView, noRecentViews, noCommandLine
        // History
        case undone, redone, nothingToUndo, nothingToRedo
        // Panels
        case noColumns, chooseBar, emptyBar, rowNotReadToEnd, cannotEdit
        // Files
        case onlyOneFile, onlyOpenFile, fileGrown, fileTruncated, fileRewritten, fileDeleted, reloaded, fileUnchanged, cannotReload,
            columnMissing,
            rowsAdded, noNewRows, columnsAdded, openingFailed, following, followingOff, cannotFollow, changeReloaded
        // Reading
        case readAgain, cannotReadAgain, notReadYet, rowCannotBeHeader, readingSuggested
        // Jobs
        case cancelled, readingStopped, readingResumed, notCounted, countingResumed, nothingToCancel, jobFailed
    }
}
