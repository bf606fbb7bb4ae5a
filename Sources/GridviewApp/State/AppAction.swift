public import DataGrid
public import DataGridQuery
public import Tables
public import TerminalSurface

/// An event or a result that changes the state of the program. ``AppState/apply(_:)`` applies it.
public enum AppAction: Sendable {
    /// The terminal reports an event, such as a key.
    case terminal(TerminalEvent)
    /// The user has pressed a key several times, and the presses are combined. The key moves the cursor (``AppState/isMotion(_:)``).
    case keyRepeated(KeyPress, times: Int)
    /// The user has typed characters into the prompt in front.
    case textTyped(String)
    /// The terminal has reported its colors.
    case terminalColors(TerminalColors)
    /// The program has added these sheets after the existing ones. They are not shown yet.
    case sheetsAdded([SheetState])
    /// The actions after this one are for the sheet with this ID, even if it is not visible.
    case sheetSelected(Int)
    /// Shows the sheet with this ID, and opens its input if necessary.
    case sheetRequested(Int)
    /// The input of the current sheet was opened, and this is the new state of the sheet.
    case sheetOpened(SheetState)
    /// The file was opened, and is shown with the view that the options set.
    case viewOpened(OpenedView)
    /// Runs a command. `count` is the number typed before its key; `nil` for none.
    case run(CommandID, count: Int? = nil)
    /// More of the file was read. `DocumentInfo` has the number of records and the problems known now.
    case recordsIndexed(DocumentInfo)
    /// The file on the disk has grown, and its new rows will be read. The rows before them are unchanged.
    case fileGrown(DocumentInfo, columns: [Column])
    /// Records with more fields were found. These columns for the additional fields come after the others.
    case columnsAdded([Column])
    /// Later rows have shown the types of columns without a value in the sample of rows. The columns have these types.
    case typesFound([Column])
    /// A job has sampled a derived field. The column shows it.
    case columnDerived(DerivedField, Column)
    /// A job has derived a field and a column from each member of the JSON text in a column.
    ///
    /// If `hasMore` is true, there are more members than columns. The job has read only the first `rows` rows, or all if `rows` is `nil`.
    case columnExpanded(ColumnID, [DerivedField], [Column], hasMore: Bool, rows: Int?)
    /// A saved view was read. The columns show its new derived fields. `leftOutCount` is the number of its definitions that are not valid
    /// for the table, and `unknownFields` names the values that this version does not know.
    case viewRestored(SavedView, deriving: [DerivedField], columns: [Column], leftOutCount: Int, unknownFields: [String])
    /// A job has found no value in these columns, so they are hidden. It has read the first `rows` rows, which are all rows of the file if
    /// `isComplete` is true.
    case emptyColumnsFound([ColumnID], rows: Int, isComplete: Bool)
    /// A job has read the values of columns in one row, shortened for the list of columns. `row` is the row number, from 1.
    case columnValuesRead([ColumnID: String], row: Int)
    /// The program has checked whether the file has changed since it was opened.
    case fileChecked(FileChange)
    /// The file was not reloaded, because it has not changed.
    case reloadSkipped
    /// The file was reloaded. It has these columns and derived fields.
    case fileReopened(DocumentInfo, columns: [Column], derived: [DerivedField], rowHeaderWidth: Int)
    /// The file was read again with the settings of ``SheetState/rereadRequest``.
    case fileReread(DocumentInfo, columns: [Column], derived: [DerivedField], rowHeaderWidth: Int)
    /// The first rows, read with the values of the reading form, or an error in these values. Both are `nil` if the input cannot be read in
    /// another way.
    case readingPreviewed(ReadingPreview?, ReadingSettingsError? = nil)
    /// The first bytes of the file suggest reading options, such as to skip lines.
    case readingSuggested(ReadingSuggestion)
    /// A job has counted the values that cannot be read as the new type of these columns.
    case unparsedValuesCounted([ColumnID], UnparsedValues)
    /// The file must be read again with these settings, which a saved view contains.
    case rereadRequested(ReadingSettings)
    /// The row at the cursor becomes the header. A job has counted the lines before this row; `nil` if they cannot be counted.
    case headerFound(lines: Int?)
    /// The last records were read, either of a file with an incomplete index or of an uncounted query on a server. `ofQueryStartingAt` is 0
    /// for a file; for a query, it is the number of its first row.
    case tailRead(records: Int, ofQueryStartingAt: Int = 0)
    /// The oldest visible rows were fetched from a server at this time, more than a minute ago; `nil` if all are newer.
    case rowsAged(String?)
    /// The rows at these positions are shown, but their row numbers are approximate. `nil` if counting the rows has failed, so that
    /// approximate numbers end.
    case rowsSampled(Range<Int>?)
    /// Rows that are not known yet are shown at these positions, with approximate row numbers. The cursor goes to the position `at`.
    case unknownRowsSampled(Range<Int>, at: Int)
    /// All rows above those with approximate numbers were counted. An approximate position plus `shift` is the exact one.
    case sampledRowsCounted(shift: Int)
    /// The row with this number, from 1, was fetched, or all rows are counted and the row does not exist. `ofQueryStartingAt` is 0 for a
    /// row of the document; for a row of a query on a server, it is the number of the first row of the query. `isPageMotion` is true if a
    /// page motion leads to the row.
    case rowFetched(Int, ofQueryStartingAt: Int = 0, isPageMotion: Bool = false)
    /// True after a request to a server has failed: the reload key then reloads the table. False after a later request has succeeded.
    case reloadNeeded(Bool)
    /// A query has arranged the rows. If `extendsVisibleRows` is true, the rows begin with the visible rows, and the grid only adds rows.
    case arranged(Arrangement, RowOrder, SectionTree?, extendsVisibleRows: Bool = false)
    /// A job has found marked and selected rows in the order that a server shows. The dictionary has their new IDs by their old ones; `nil`
    /// if the table has no key.
    ///
    /// `cursor` is the position of the cursor's row or, if the order does not have it, of the next row.
    case rowsFollowed([RowID: RowID]?, cursor: Int?)
    /// Filters have found these rows, and are testing more. If `extendsVisibleRows` is true, the rows begin with the visible rows.
    case filtering(Arrangement, RowOrder, extendsVisibleRows: Bool)
    /// A sort has found these first rows, and is sorting the rest.
    case sorting(Arrangement, RowOrder)
    /// Adds a filter after the active ones.
    case addFilter(String)
    /// A job has counted the rows that match the filter in the prompt. If `isComplete` is false, it is still testing rows.
    case rowsCounted(Int, isComplete: Bool)
    /// A job has found values of a field for the filter in the prompt, the most frequent first. If `includesAllRows` is false, the values
    /// are from a sample of the rows.
    case valuesFound(FieldID, [ColumnStatistics.Frequency], includesAllRows: Bool)
    /// A job has found the smallest and the largest number of a column, for the list of range widths. If `isSample` is true, it has not
    /// read all rows.
    case rangeFound(ColumnID, minimum: Double, maximum: Double, isSample: Bool)
    /// Opens the filter prompt with this text.
    case editFilter(String)
    /// Searches all cells for this text, starting at the next row.
    case search(String)
    /// A search has ended at this position and column. Both are `nil` if no cell matches. `hasWrapped` is true if the search passed the end
    /// of the rows.
    case matchFound(position: Int?, column: ColumnID?, hasWrapped: Bool)
    /// A job has counted the matches of the search. `current` is the rank of the match at the cursor.
    case matchesCounted(Int, current: Int?, isComplete: Bool)
    /// The program has found the SQL statements of the view. Their plans may follow.
    case statementsFound(ShownStatements)
    /// A job has computed the statistics of a panel.
    case statistics(StatisticsPanel.Subject, StatisticsPanel.Result)
    /// A file can be written at the path in the export prompt, so the user chooses its format.
    case exportPathChecked
    /// The check of an export has succeeded, and its file is being written.
    case exportStarted
    /// An export has written its file. The notes about differences between the file and the input are also part of the message.
    case exported(Message, notes: OutputNotes)
    /// These changed settings were written to the settings file.
    case settingsSaved([SettingChange])
    /// The program has found errors in the settings file, and shows a message about them.
    case settingsIgnored([SettingsProblem])
    /// An export has not started, or a file was not written, for this reason.
    case exportRefused(ExportRefusal)
    /// The running jobs of the sheet, with their progress.
    case jobs([JobStatus])
    /// A job has ended. `failure` is the message if it has failed; otherwise `nil`.
    case jobEnded(JobKind, failure: Message?)
    /// The row view was scrolled to this position. If `awaitsEnd` is true, it goes to the end of the row once the row is read.
    case recordAt(RecordPosition, awaitsEnd: Bool = false)
    /// A search in the row view has found no field, which the message reports.
    case fieldNotFound(Message)
    /// The user has selected a field in the row view, by the index of its visible column.
    case fieldSelected(Int)
    /// The input of the sheet needs a password for this account. `reason` says why and how to avoid the question. `wasPasswordRefused` is
    /// true if the last password was wrong.
    case passwordNeeded(account: String, reason: String, wasPasswordRefused: Bool)
    /// The user gave no password for the input of the sheet, so the sheet is closed. Sent only if other sheets are open.
    case openingCancelled(Message)
    /// The input of the sheet could not be opened, and the message says why.
    case openingFailed(Message)
    /// The rows of a query on a server are shown, but counting them has failed. `estimate` is an approximate number of rows.
    case rowsUncounted(Arrangement, estimate: Int?, Message)
    /// A query whose rows could not be counted has this many known rows now. If `isComplete` is true, these are all its rows.
    case rowsKnown(Int, isComplete: Bool)
    /// The user resumes reading the input, which was stopped.
    case continueReading
    /// Moves the cursor to a row by its position, and to a visible column by its index. `nil` keeps the row or the column.
    case moveTo(row: Int?, column: Int?)
    /// Shows this message until the next key.
    case show(Message)
    /// The program is used for the first time, so a message names the most important keys.
    case firstUse
    /// The grid has queued requests in ``SheetState/requests``.
    case gridRequests
    /// The program must end with this exit status.
    case terminate(status: Int32)
}

/// A way to scroll in the row view.
public enum RecordMotion: Equatable, Sendable {
    /// By this number of lines: down if it is positive, up if it is negative.
    case lines(Int)
    /// To the first line.
    case top
    /// To the last line.
    case bottom
}

/// Work that the program must do after a change of its state, such as starting a job. `Session` performs it.
public enum AppEffect: Equatable, Sendable {
    /// Read the file to its end and build its index.
    case startIndexing
    /// Read the last records, enough for a screen. If `ofQueryStartingAt` is 0, they are those of the file. Otherwise, they are those of
    /// the query on a server whose first row has this row number.
    case readTail(records: Int, ofQueryStartingAt: Int = 0)
    /// Fetch the unknown row with this number, from 1. `ofQueryStartingAt` is 0 for a row of the document; for a row of a query on a
    /// server, it is the number of the first row of the query. `isPageMotion` is true if a page motion leads to the row. After a page
    /// motion, no message reports that the row does not exist.
    case seek(rowNumber: Int, ofQueryStartingAt: Int = 0, isPageMotion: Bool = false)
    /// Show rows near this position at once, with approximate row numbers, because counting the rows before them takes long.
    case sampleRows(at: Int)
    /// Show rows near the unknown row with this number, from 1. Their row numbers are approximate. If this is not possible, fetch the exact
    /// row.
    case sampleUnknownRows(near: Int)
    /// Replace rows with approximate row numbers by the rows at exact positions.
    case endSampling
    /// Filter, sort and group the rows in a job.
    case arrange(Arrangement)
    /// Find the marked and selected rows, and the row of the cursor, in the order that a server shows now.
    case followRows
    /// Add a filter by the values of a row in these columns. If `isNegated` is true, rows with other values match; otherwise, rows with
    /// these values match.
    case filterByCells([ColumnID], of: RowID, isNegated: Bool)
    /// Count the rows that match a typed filter and all active filters. If a filter is being edited, `replacing` is that filter, which the
    /// typed one replaces.
    case countRows(filter: String, replacing: Filter?)
    /// Find the values of a field, to suggest them in the filter prompt.
    case findValues(FieldID)
    /// Count the values that cannot be read as the new type of these columns, for the message about the type.
    case countUnparsedValues([ColumnID])
    /// Find the smallest and the largest number of a column, for the list of range widths.
    case findRange(ColumnID)
    /// Open the filter prompt with a filter for the value of the current row in this column.
    case editFilterByCell(ColumnID)
    /// Search for the text of the current row in this column.
    case searchForCell(ColumnID)
    /// Find the next match of a search from a position, in the direction `isForward`. If `includingCurrent` is true, the match may be at
    /// this position.
    case find(Search, from: Int, isForward: Bool, includingCurrent: Bool)
    /// Count the matches of a search.
    case countMatches(Search)
    /// Find the next row whose value in a column differs from the value at this position.
    case findDifferentValue(column: ColumnID, from: Int, isForward: Bool)
    /// Move the cursor along its row to the last filled cell before an empty one, or to the next filled cell.
    case findEdge(isForward: Bool)
    /// Compute a pivot table in a job, and show it as a new sheet.
    case pivot(PivotText)
    /// Cancel the job of this kind.
    case cancel(JobKind)
    /// Copy content to the clipboard.
    case copy(CopyRequest)
    /// Check if a file can be written at the path in the export prompt.
    case checkExportPath(String)
    /// Check the file of an export, then write it.
    case export(ExportRequest)
    /// Write these changed settings to the settings file.
    case saveSettings([SettingChange])
    /// Save a view as a file. `replacesFile` is true if an existing file may be replaced.
    case saveView(SavedView, path: String, replacesFile: Bool)
    /// Restore the view that this file had when it was last closed.
    case restoreLastView
    /// Find the SQL statements that a server runs for the view.
    case findStatements
    /// Print these rows after the screen is closed, and end the program.
    case pick(PickedRows)
    /// Find the fields of the row at the cursor, for the row view.
    case readRecord
    /// Scroll the row view by a number of lines, or to its first or last line.
    case scrollRecord(RecordMotion)
    /// In the row view, select the field that is `by` fields after the current one, or before it if `by` is negative.
    case selectField(by: Int)
    /// In the row view, move by fields, up if `by` is negative. In a field that is higher than the page, move by lines.
    case moveField(by: Int)
    /// Scroll the row view until the current field is visible.
    case showField
    /// Scroll the row view until the match of the search in the current field is visible.
    case showMatch
    /// In the row view, find and select the next field with this text in its name or value. Search backward if `by` is negative.
    case findField(String, by: Int, includingCurrent: Bool)
    /// Compute the statistics of columns. If `isExact` is false, an estimate of the query engine may be shown instead.
    case statistics(StatisticsPanel.Subject, isExact: Bool)
    /// Compute the statistics of columns, unless a job is already computing them.
    case awaitedStatistics(StatisticsPanel.Subject, isExact: Bool)
    /// Depending on how the file has changed, load its new rows, read the whole file again, or resume stopped reading.
    case reload
    /// Read the first bytes of the file with these settings, for the preview of the reading form.
    case previewReading(ReadingSettings)
    /// Read the file again with the settings of ``SheetState/rereadRequest``.
    case reread
    /// Count the lines before this record, so that it can become the header.
    case useAsHeader(record: Int)
    /// Show the table that this record of a list of tables describes.
    case openTable(record: Int)
    /// Open the input of the visible sheet, if it is not open.
    case sheetShown
    /// End the jobs of the closed sheet with this ID.
    case sheetClosed(Int)
    /// Open the input of the sheet again with this password, which must not be logged or stored.
    case supplyPassword(String)
    /// Do not open the input of the sheet, because the user gave no password.
    case declinePassword
    /// Suspend the program until the user resumes it in the shell.
    case suspend
    /// Write every cell of the screen again, because another program may have changed it.
    case redraw
    /// Turn the mouse reports of the terminal on or off.
    case setMouse(Bool)
    /// Read the values of these columns by their new types, and compute derived fields from them.
    case typesChanged([ColumnID])
    /// Find the columns without values among these columns. The result hides them.
    case findEmptyColumns([ColumnID])
    /// Read the values of these columns in the row of the cursor, for the list of columns.
    case readColumnValues([ColumnID])
    /// Sample a derived field, to find the type and width of its column.
    case derive(DerivedField)
    /// Find the members of the JSON text in a column, and derive columns from them.
    case expand(Column)
    /// Show the elements of the JSON arrays in a column as rows of a new sheet.
    case expandRows(Column)
    /// Add these columns to the document, after its existing columns. If `deriving` is not `nil`, make the table compute this field.
    case columnsAdded([Column], deriving: DerivedField? = nil)
}
