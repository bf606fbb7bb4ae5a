public import DataGrid
public import DataGridQuery
public import Tables
public import TerminalSurface

/// A change of the program's state.
public enum AppAction: Sendable {
    /// A terminal event.
    case terminal(TerminalEvent)
    /// A repeated key that moves the cursor (``AppState/isMotion(_:)``).
    case repeated(KeyPress, times: Int)
    /// Characters typed into the top prompt.
    case typed(String)
    /// The colors of the terminal are known.
    case terminalColors(TerminalColors)
    /// More sheets were added; they are not shown yet.
    case sheetsAdded([SheetState])
    /// The actions after this one are for the sheet with this ID, visible or not.
    case sheetSelected(Int)
    /// Shows a sheet by its ID, and opens its input.
    case sheetRequested(Int)
    /// The input of the current sheet was opened.
    case sheetOpened(SheetState)
    /// The file is shown with this view.
    case viewed(OpenedView)
    /// Runs a command, with the number typed before its key.
    case run(CommandID, count: Int? = nil)
    /// More of the file was read. The information has the records and problems that are known now.
    case indexed(DocumentInfo)
    /// The file has grown, and its new rows will be read. Known rows are unchanged.
    case grown(DocumentInfo, columns: [Column])
    /// Longer records have added these columns after the others.
    case columnsAdded([Column])
    /// A derived field was sampled; this column shows it.
    case derived(DerivedField, Column)
    /// The members of the JSON text in a column were found and sampled; these columns show their derived fields. If `hasMore`, there are
    /// more members than columns. Only the first `rows` rows were read, unless it is `nil`.
    case expanded(ColumnID, [DerivedField], [Column], hasMore: Bool, rows: Int?)
    /// A view was read; these columns show its new derived fields. The other parameters are for the message.
    case viewRestored(SavedView, deriving: [DerivedField], columns: [Column], leftOut: Int, unknown: [String])
    /// These columns have no value in the first `rows` rows of the file, which are all rows if `isComplete`. The columns are hidden.
    case emptyColumns([ColumnID], rows: Int, isComplete: Bool)
    /// The values of columns in the row with this number, from 1, shortened for a list of columns.
    case columnValues([ColumnID: String], row: Int)
    /// The file was checked for changes since it was opened.
    case fileChanged(FileChange)
    /// The file was not reopened, because it has not changed.
    case fileUnchanged
    /// The file was reopened.
    case reopened(DocumentInfo, columns: [Column], derived: [DerivedField], rowHeaderWidth: Int)
    /// The file was opened again with the settings of ``SheetState/rereading``.
    case reread(DocumentInfo, columns: [Column], derived: [DerivedField], rowHeaderWidth: Int)
    /// The first rows as the reading form reads them, or an error in its values. Both are `nil` if the input cannot be read in another way.
    case readingPreviewed(ReadingPreview?, ReadingSettingsError? = nil)
    /// The first bytes suggest another way to read the file.
    case readingSuggested(ReadingSuggestion)
    /// The values that do not parse as the new type of columns were counted.
    case unparsedValuesCounted([ColumnID], UnparsedValues)
    /// The file is to be read with the settings of a view.
    case rereadRequested(ReadingSettings)
    /// The number of lines before the row under the cursor; `nil` if they were not counted.
    case headerFound(lines: Int?)
    /// The last records of a file with an incomplete index were read.
    case tailRead(records: Int)
    /// The oldest visible rows were fetched from a server at this time, more than a minute ago; `nil` if all are newer.
    case rowsAged(String?)
    /// The rows at these positions have approximate row numbers. `nil` ends approximate numbers, because the rows could not be counted.
    case rowsSampled(Range<Int>?)
    /// The rows before the sampled rows were counted. The exact positions of the sampled rows are greater by this number.
    case sampledRowsCounted(shift: Int)
    /// The row with this number, from 1, was fetched, or does not exist and all rows are counted.
    case rowFetched(Int)
    /// The rows are arranged; with `continues`, they start with the visible rows.
    case arranged(Arrangement, RowOrder, SectionTree?, continues: Bool = false)
    /// The IDs of marked and selected rows in the shown order of a table on a server, by their earlier IDs; `nil` if the table has no key.
    /// The position of the row of the cursor in all rows of the order, or of the next row.
    case rowsFollowed([RowID: RowID]?, cursor: Int?)
    /// The filters have found these rows and test more rows; with `continues`, the found rows start with the visible rows.
    case filtering(Arrangement, RowOrder, continues: Bool)
    /// The first rows of a sort.
    case sorting(Arrangement, RowOrder)
    /// Adds a filter after the active ones.
    case addFilter(String)
    /// The number of rows that match the filter in the prompt. If `isComplete` is false, more rows are being tested.
    case rowsCounted(Int, isComplete: Bool)
    /// Values of a field for the filter in the prompt, the most frequent first. If they are not counted, they are a sample.
    case valuesFound(FieldID, [ColumnStatistics.Frequency], areCounted: Bool)
    /// The least and the greatest number of a column, or of a sample of its rows, for a list of ranges.
    case rangeFound(ColumnID, minimum: Double, maximum: Double, isSample: Bool)
    /// Opens the filter prompt with a string.
    case editFilter(String)
    /// Searches all cells for a string, from the next row.
    case search(String)
    /// A search has finished, at this position and column, or without a match.
    case matchFound(position: Int?, column: ColumnID?, wrapped: Bool)
    /// Matches were counted.
    case matchesCounted(Int, current: Int?, isComplete: Bool)
    /// The SQL of the view was found, perhaps with its plans.
    case statementsFound(ShownStatements)
    /// The statistics of a panel were computed.
    case statistics(StatisticsPanel.Subject, StatisticsPanel.Result)
    /// A file is being written.
    case exportStarted
    /// Changed settings were written into the settings file.
    case settingsSaved([SettingChange])
    /// The settings file has errors.
    case settingsIgnored([SettingsProblem])
    /// A file was not written.
    case exportRefused(ExportRefusal)
    /// The running jobs of the sheet, with their progress.
    case jobs([JobStatus])
    /// A job has ended, or failed with this message.
    case jobEnded(JobKind, failure: Message?)
    /// The row view was scrolled; with `awaitsEnd`, it goes to the end of the row once the row is read.
    case recordAt(RecordPlace, awaitsEnd: Bool = false)
    /// A field of the row view was selected, by the index of its visible column.
    case fieldSelected(Int)
    /// The input of the sheet needs a password. The reason says how to avoid the question.
    case passwordNeeded(account: String, reason: String, isRefused: Bool)
    /// The user gave no password for the input of the sheet, so the sheet is closed. It is sent only if other sheets are open.
    case openingCancelled(Message)
    /// The input of the sheet cannot be shown.
    case openingFailed(Message)
    /// The rows of a query on a server are shown, but could not be counted.
    case rowsUncounted(Arrangement, estimate: Int?, Message)
    /// More rows of the uncounted query are known, perhaps all of them.
    case rowsKnown(Int, areAll: Bool)
    /// Stopped reading is resumed.
    case continueReading
    /// Moves the cursor to the position of a row and the index of a visible column. It stays in the row or column that is `nil`.
    case moveTo(row: Int?, column: Int?)
    /// Shows a message.
    case show(Message)
    /// The program is used for the first time.
    case firstUse
    /// The grid has requests.
    case gridRequests
    /// The program must end with this exit status.
    case terminate(status: Int32)
}

/// A scrolling motion in the row view.
public enum RecordMotion: Equatable, Sendable {
    /// Down by this number of lines, or up if it is negative.
    case lines(Int)
    /// To the first line.
    case top
    /// To the last line.
    case bottom
}

/// Work that a state change requests.
public enum AppEffect: Equatable, Sendable {
    /// Read the file to its end and build its index.
    case startIndexing
    /// Read the last records of the file, enough for a screen.
    case readTail(records: Int)
    /// Fetch the row with this number, from 1, that is not known yet.
    case seek(rowNumber: Int)
    /// Show rows near the far row at this position before its exact row number is known.
    case sampleRows(at: Int)
    /// Show rows at their exact positions.
    case endSampling
    /// Filter, sort and group.
    case arrange(Arrangement)
    /// Find marked and selected rows, and the cursor's row, in the shown order of a table on a server.
    case followRows
    /// Create a filter from the cell under the cursor, for rows with or without its value.
    case filterByCell(isLike: Bool)
    /// Count the rows that match a typed filter and the other filters. The typed filter replaces the filter that is being edited.
    case countRows(filter: String, replacing: Filter?)
    /// Find the values of a field, for completion.
    case findValues(FieldID)
    /// Count the values that do not parse as the type of these columns, for the message about it.
    case countUnparsedValues([ColumnID])
    /// Find the least and the greatest number of a column, for a list of ranges.
    case findRange(ColumnID)
    /// Open the filter prompt with a filter for the value of the cell under the cursor.
    case editFilterByCell
    /// Search for the text of the cell under the cursor.
    case searchForCell
    /// Find the next match after a position in the direction of the search; with `includingCurrent`, also at the position.
    case find(Search, from: Int, isForward: Bool, includingCurrent: Bool)
    /// Count the matches of a search.
    case countMatches(Search)
    /// Find the next row whose value in a column differs from the value at a position.
    case findDifferent(column: ColumnID, from: Int, isForward: Bool)
    /// Go to the edge of the filled cells in the row.
    case findEdge(isForward: Bool)
    /// Cancel the job of this kind.
    case cancel(JobKind)
    /// Copy to the clipboard.
    case copy(CopyRequest)
    /// Write a part of the sheet to a file.
    case export(ExportRequest)
    /// Write changed settings into the settings file.
    case saveSettings([SettingChange])
    /// Write a view to a file.
    case saveView(SavedView, path: String, replaces: Bool)
    /// Restore the view that the file had when it was last closed.
    case restoreLastView
    /// Find the SQL that the server runs for the view.
    case findStatements
    /// Print rows and end the program.
    case pick(PickedRows)
    /// Find the fields of the row under the cursor, for the row view.
    case readRecord
    /// Scroll the row view.
    case scrollRecord(RecordMotion)
    /// Select the field this many fields after the current one of the row view.
    case selectField(by: Int)
    /// Move one field down, or up if negative; in a field that continues beyond the page, by one line.
    case moveField(by: Int)
    /// Scroll the row view to the current field.
    case showField
    /// Find the next field of the row view with a string in its name or value, and select it; search backward if the step is negative.
    case findField(String, by: Int, includingCurrent: Bool)
    /// Compute column statistics. If they need not be exact, an estimate of the engine is shown instead.
    case statistics(StatisticsPanel.Subject, isExact: Bool)
    /// Compute column statistics, unless their job is running.
    case awaitedStatistics(StatisticsPanel.Subject, isExact: Bool)
    /// Load new rows, read the file again, or resume stopped reading.
    case reload
    /// Read the first bytes with other settings, for a form.
    case previewReading(ReadingSettings)
    /// Open the input again with the settings of ``SheetState/rereading``.
    case reread
    /// Count the lines before a record, which becomes the header.
    case useAsHeader(record: Int)
    /// Show the table that a row of a list of tables describes.
    case openTable(record: Int)
    /// Open the input of the visible sheet, unless it is open.
    case sheetShown
    /// End the jobs of a sheet.
    case sheetClosed(Int)
    /// Open the input of the sheet again with a password, which must not be logged or kept.
    case supplyPassword(String)
    /// Leave the input of the sheet closed.
    case declinePassword
    /// Suspend the program until the shell resumes it.
    case suspend
    /// Write the whole screen again.
    case redraw
    /// Turn the mouse on or off.
    case setMouse(Bool)
    /// Read columns as other types.
    case typesChanged([ColumnID])
    /// Find the columns without values among these columns, and hide them.
    case findEmptyColumns([ColumnID])
    /// Read the values of these columns in the row of the cursor, for a list of columns.
    case readColumnValues([ColumnID])
    /// Sample a derived field.
    case derive(DerivedField)
    /// Find the members of the JSON text in a column.
    case expand(Column)
    /// Show the elements of the JSON arrays in a column as rows of a new sheet.
    case expandRows(Column)
    /// Add these columns after the document's existing columns and, if `deriving` is set, add the field to the table.
    case columnsAdded([Column], deriving: DerivedField? = nil)
}
