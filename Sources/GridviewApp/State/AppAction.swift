public import DataGrid
public import Tables
public import TerminalSurface

/// Everything that changes the program's state.
public enum AppAction: Sendable {
    /// Something came from the terminal.
    case terminal(TerminalEvent)
    /// A key that moves the cursor was pressed so often in one go (``AppState/isMotion(_:)``).
    case repeated(KeyPress, times: Int)
    /// Characters were typed into the prompt on top.
    case typed(String)
    /// The terminal has been taken: it has so many colors.
    case started(ColorDepth)
    /// Further sheets were opened; they are not shown yet.
    case sheetsAdded([SheetState])
    /// What comes next is about the sheet with this id, on the screen or not.
    case sheetAttended(Int)
    /// The input of the current sheet has come.
    case sheetOpened(SheetState)
    /// The file is to be shown as options ask.
    case viewed(OpenedView)
    case run(CommandID, count: Int? = nil)
    /// The file was read further: the records known now, and what is odd about it.
    case indexed(DocumentInfo)
    /// The file has got more bytes, whose rows will be read: what was known of it holds.
    case grown(DocumentInfo, columns: [Column])
    /// Longer records have come: these columns stand behind the others.
    case columnsAdded([Column])
    /// A field was added to the table; the column shows it.
    case derived(DerivedField, Column)
    /// The file was found changed, or as it was, since it was opened.
    case fileChanged(FileChange)
    /// The file was opened again.
    case reopened(DocumentInfo, columns: [Column], derived: [DerivedField], rowHeaderWidth: Int)
    /// The last records of a file whose index is not complete are there.
    case tailRead(records: Int)
    /// The rows have been arranged; `continues`: the first of them are those that are shown.
    case arranged(Arrangement, RowOrder, SectionTree?, continues: Bool = false)
    /// Filters alone have left these rows so far; `continues`: the first of them are those that are shown.
    case filtering(Arrangement, RowOrder, continues: Bool)
    /// The rows will be arranged so that these come first.
    case sorting(Arrangement, RowOrder)
    /// Takes a filter, after those that are on.
    case addFilter(String)
    /// A search came to an end: at this position, and in this column, or nowhere.
    case found(position: Int?, column: ColumnID?, wrapped: Bool)
    /// Matches have been counted.
    case counted(Int, current: Int?, isComplete: Bool)
    /// A panel's numbers have been worked out.
    case statistics(StatisticsPanel.Subject, StatisticsPanel.Result)
    case jobs([JobStatus])
    case jobEnded(JobKind, failure: Message?)
    /// The record view has been scrolled.
    case recordAt(RecordPlace)
    /// The input of the sheet cannot be shown.
    case openingFailed(Message)
    /// Reading that was stopped goes on.
    case readOn
    case moveTo(row: Int?, column: Int?)
    case say(Message)
    /// The grid has asked for something by itself.
    case gridRequests
    /// A signal asks to end.
    case terminate(status: Int32)
}

/// A way through the record view.
public enum RecordMotion: Equatable, Sendable {
    case lines(Int)
    case columns(Int)
    case top, bottom
}

/// What a change of state asks of the world.
public enum AppEffect: Equatable, Sendable {
    /// Read the file to its end, and find where its records are.
    case startIndex
    /// Read the last records of the file, enough for a screen.
    case readTail(records: Int)
    /// Filter, sort and group.
    case arrange(Arrangement)
    /// Make a filter of the cell under the cursor: rows like it, or unlike.
    case filterByCell(isLike: Bool)
    /// Find the next row with the text, from the cursor on; `includingCurrent` takes the cursor's row too.
    case find(Search, from: Int, isForward: Bool, includingCurrent: Bool)
    case countMatches(Search)
    case findDifferent(column: ColumnID, from: Int, isForward: Bool)
    /// Go to the edge of the filled cells in the row.
    case findEdge(isForward: Bool)
    case cancel(JobKind)
    case copy(withHeader: Bool)
    case copyAs(OutputFormat)
    /// Copy the cell that the record view shows.
    case copyFromRecord
    /// Find out where the fields of the row under the cursor are, for the record view.
    case readRecord
    case scrollRecord(RecordMotion)
    /// Work out the numbers of columns.
    case statistics(StatisticsPanel.Subject)
    case reload
    /// Open the input of the sheet on the screen, if that was not done yet.
    case sheetShown
    /// End what runs for a sheet.
    case sheetClosed(Int)
    case suspend
    case setMouse(Bool)
    /// Columns are read as other types.
    case typesChanged([ColumnID])
    /// Add a field that is computed from others to the table.
    case derive(DerivedField)
}
