/// An open input that contains a table, such as a file or a pipe. Formats implement it.
///
/// Opening reads only the beginning. ``readAll(threads:priority:progress:)`` reads the rest on the caller's thread. Meanwhile,
/// ``snapshot()`` returns the records known so far, and ``tail(atLeast:)`` the last records. All members can be used from any thread.
public protocol TableSource: AnyObject, Sendable {
    /// The type of table that ``snapshot()`` returns.
    associatedtype Snapshot: Table

    /// A short name: the last path component, or the name of the input.
    var name: String { get }
    /// The path of the file; `nil` for a pipe.
    var path: String? { get }
    /// The path or connection URL that opens the input again; `nil` for a pipe. It is equal to ``path`` for a file.
    var location: String? { get }
    /// The number of bytes of the input known so far. It grows while a pipe is read.
    var byteCount: Int { get }
    /// The size in bytes of a file whose table is read from a converted copy, such as a workbook; `nil` for other inputs.
    var fileByteCount: Int? { get }
    /// The number of bytes, from the start of the input, in which all records have been found.
    var indexedByteCount: Int { get }
    /// True if more bytes may arrive, as from a pipe.
    var isGrowing: Bool { get }

    /// The number of fields known so far. It grows when a record with more fields is found.
    var columnCount: Int { get }
    /// True if the input has names for its fields. Otherwise, their names are "A", "B", … as in a spreadsheet.
    var hasColumnNames: Bool { get }
    /// True if records that are not read yet can add columns with new names, as in JSON.
    var mayFindNewFields: Bool { get }
    /// True if the input has null values, which differ from empty text.
    var hasNulls: Bool { get }
    /// The name of a field; empty if the input has no name for it.
    func title(ofColumn column: Int) -> String
    /// The profiles of all fields, from a sample that takes at most the given time.
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile]
    /// The profiles of the fields with the index `first` or greater.
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile]
    /// The profiles of fields that have no value in the sample of ``profiles(budgetMilliseconds:)``, from their first values in the records
    /// known so far. The call blocks, so use a background thread.
    /// - Parameters:
    ///   - columns: the fields.
    ///   - record: the first record to read.
    ///   - shouldContinue: polled occasionally; return `false` to end the search.
    /// - Returns: one profile for each field. Empty if the types of fields do not depend on a sample.
    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile]

    /// The records known so far. O(1).
    func snapshot() -> Snapshot
    /// Sets a function to call when records arrive for which ``Table/recordsWithoutWaiting(_:maximumFieldBytes:)`` returned `nil`. It is
    /// called on any thread. The new function replaces the previous one.
    func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void)
    /// The last records of the input: at least `count`, unless the input has fewer. They are available before the records above them are
    /// counted.
    /// - Throws: an error if the records cannot be read, or ``UnknownEndError``.
    func tail(atLeast count: Int) throws -> TailRecords
    /// The last rows of a query on a server: at least `count`, unless the query has fewer. They are available before the rows of the query
    /// are counted.
    /// - Parameters:
    ///   - row: the number of the first row of the query; 0 for the records of the input.
    ///   - isCancelled: called occasionally; return `true` to end the call with an error.
    /// - Throws: an error if the rows cannot be read.
    func tail(ofQueryStartingAt row: Int, atLeast count: Int, isCancelled: () -> Bool) throws -> TailRecords
    /// True if the input supports ``seek(toRecord:isCancelled:)``.
    var canSeek: Bool { get }
    /// Makes a record available without reading or counting all records before it. If the record does not exist, all records are counted.
    /// The call blocks, so call it on a background thread.
    ///
    /// After it returns, a new ``snapshot()`` has all records up to `record`. If `record` does not exist, the snapshot is complete.
    /// - Parameters:
    ///   - record: the number of the record.
    ///   - isCancelled: called occasionally; return `true` to end the call with an error.
    /// - Throws: an error if the record cannot be read.
    func seek(toRecord record: Int, isCancelled: () -> Bool) throws
    /// Makes a row of a query on a server available without counting its rows. If the row does not exist, all rows of the query are
    /// counted. The call blocks, so call it on a background thread.
    ///
    /// After it returns, ``knownRowCount(ofQueryStartingAt:)`` includes the row. If the row does not exist, it includes all rows of the
    /// query.
    /// - Parameters:
    ///   - position: the position of the row in the query.
    ///   - row: the number of the first row of the query; 0 for the records of the input.
    ///   - isCancelled: called occasionally; return `true` to end the call with an error.
    /// - Throws: an error if the row cannot be read.
    func seek(toPosition position: Int, ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws
    /// True if queries of an incomplete ``snapshot()`` also cover the records that are not known yet, because a server runs them.
    /// Otherwise, sorting, grouping and statistics wait until all records are known.
    var canBeQueriedWhileIncomplete: Bool { get }
    /// Reads the input until all records are known. The call blocks, so use a background thread, and only one call at a time. If a call is
    /// cancelled, the next call resumes reading.
    /// - Parameters:
    ///   - threads: the number of threads to use, including the calling one.
    ///   - priority: how the threads share the processors with other work.
    ///   - progress: called by one thread at a time; return `false` to cancel.
    /// - Throws: an error if the input cannot be read. If the error has an ``TableError/inputEnd``, all records before the early end are
    ///   known.
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws
    /// Reads the input until all records are known. Parameters and errors are as for ``readAll(threads:priority:progress:)``. Unlike that
    /// function, it might not detect that later records have more fields than ``columnCount``.
    func readRecords(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws
    /// Wakes ``readAll(threads:priority:progress:)`` if it waits for a pipe, so that it calls `progress`.
    func wakeReader()
    /// Makes ``readAll(threads:priority:progress:)`` leave one processor free for another read of this input, for which the user is
    /// waiting. Call ``endUrgentRead()`` after that read.
    func beginUrgentRead()
    /// Ends the effect of ``beginUrgentRead()``.
    func endUrgentRead()

    /// The number of lines in the file before a record near the start of the file; `nil` if the number is unknown.
    /// - Throws: an error if the lines cannot be read.
    func lineCount(beforeRecord record: Int) throws -> Int?

    /// Compares the open file with the file that is now at its path. Takes few system calls for a single file.
    func checkForChange() -> FileChange
    /// True if the bytes that were read are certainly still the same in the file.
    ///
    /// May read parts of the file, so do not call it on a thread that must not block.
    func isUnchanged() -> Bool
    /// Checks whether the file has only gained bytes since it was completely read.
    ///
    /// Reads parts of the file, so do not call it on a thread that must not block.
    /// - Parameter newer: the same path, opened again.
    /// - Returns: a function that adds the new bytes to this source and reads nothing itself; `nil` if the file has changed in another way.
    func growthUpdate(from newer: any TableSource) -> (@Sendable () -> Void)?
    /// True if ``growthUpdate(from:)`` is supported. Otherwise, the whole input is read again after each change.
    var canGrow: Bool { get }

    /// Names and values for the file details, in addition to the name, size and row count.
    var details: [(name: String, value: String)] { get }
    /// The columns as the file declares them, with their types and statistics, for the file details. At most 1,000 columns.
    var columnDetails: [(name: String, value: String)] { get }
    /// Problems of the input that were found so far, one phrase each. May read a few MiB.
    var problems: [String] { get }
    /// Suggestions to read the input with other settings, inferred from its first bytes.
    var suggestions: [ReadingSuggestion] { get }
    /// True if fields may have bytes that are not valid text.
    var mayContainInvalidText: Bool { get }
    /// A phrase that names those of `columns` in which the file distinguishes two forms of values, but queries do not; `nil` without such
    /// columns. For example, JSON distinguishes the number 1 from the string "1", but a query finds both. In a table of many files, values
    /// that are not written as in the other files count as text.
    func mixedValues(of columns: [Int]) -> String?
    /// True if filters and formulas cannot read one of the two forms of ``mixedValues(of:)``, so that filters may leave out rows.
    var mixedValuesAreUnreadable: Bool { get }
    /// Characters that differ between the file and its table, on the screen and in output.
    var conversions: [TextConversion] { get }
    /// A sentence about fields that are omitted because records have too many; `nil` if all fields of the records that were read are shown.
    var omission: String? { get }
    /// A label about the rows for the title line, such as "snapshot 12:30:00"; `nil` for no label.
    var rowsLabel: String? { get }
    /// The time when a row was fetched from a server, in seconds since 1970; `nil` if the row is not in memory or the input is not on a
    /// server.
    func fetchTime(ofRow row: Int) -> Int?
    /// An estimate of the number of records while some are not counted yet; `nil` without an estimate.
    var estimatedRecordCount: Int? { get }
    /// The number of known rows of a query on a server. `isComplete` is true if these are all rows of the query. `nil` if the input is
    /// not on a server.
    /// - Parameter row: the number of the first row of the query.
    func knownRowCount(ofQueryStartingAt row: Int) -> (count: Int, isComplete: Bool)?
    /// Counts the rows of a query on a server, without running the query again. ``knownRowCount(ofQueryStartingAt:)`` then returns the
    /// number of all rows.
    /// - Parameters:
    ///   - row: the number of the first row of the query.
    ///   - isCancelled: polled during the count.
    /// - Throws: an error of the server, or `JobCancelled`.
    func countRows(ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws
    /// True if the last request to a server has failed and opening the input again may help, because the connection was lost or the table
    /// has changed.
    var needsReload: Bool { get }
    /// Returns an error that the table has found after a request and that the user must know, and clears it; `nil` without an error. The
    /// function set by ``setRecordsArrivedHandler(_:)`` is called when there is an error.
    func consumeFailure() -> String?
    /// Starts to show rows at approximate positions, because the row at a far exact position takes long to find.
    /// ``Table/recordsWithoutWaiting(_:maximumFieldBytes:)`` then returns the rows at approximate positions. All other functions still
    /// return the rows at the exact positions. ``Table/availableRecords(in:)`` has the numbers of the shown rows, even if the rows at the
    /// exact positions are not known yet.
    ///
    /// In the meantime, the server counts the exact positions. ``setRecordsArrivedHandler(_:)`` reports when ``sampledPositions(showing:)``
    /// may have changed.
    /// - Parameter row: the number of the first visible row.
    /// - Returns: the numbers of the rows whose positions are approximate, until the positions are counted or ``endSampling()`` is called;
    ///   `nil` if all positions are exact.
    func beginSampling(atRow row: Int) -> Range<Int>?
    /// Shows all rows at their exact positions again.
    func endSampling()
    /// The state of the rows of the last ``beginSampling(atRow:)``. Does not wait. In a state other than ``SampledPositions/approximate``,
    /// all rows are at their exact positions.
    /// - Parameter rows: the numbers of the visible rows. The result is ``SampledPositions/exact(shift:)`` only after their exact rows are
    ///   in memory.
    func sampledPositions(showing rows: Range<Int>) -> SampledPositions
    /// The statements that a server runs for the view that contains `row`; empty for an input that is not on a server.
    /// - Parameters:
    ///   - row: the number of any row of the view; `nil` for the latest view.
    ///   - withPlans: true to ask the server for the query plans, which can take long. Without plans, the call takes O(columns).
    ///   - isCancelled: called occasionally; return `true` to end the requests for plans.
    /// - Throws: an error if the server has no plan for the statement.
    func statements(ofViewWithRow row: Int?, withPlans: Bool, isCancelled: () -> Bool) throws -> [ViewStatement]

    /// If this input is a list of the tables in a file, the path of the table that a record of the list describes, such as
    /// `data.db:trades`. Otherwise `nil`.
    func path(ofTableInRecord record: Int) -> String?
}

extension TableSource {
    /// The same as ``path``.
    public var location: String? { path }
    /// Returns `nil`, because the input is not read from a converted copy.
    public var fileByteCount: Int? { nil }
    /// Returns `false`.
    public var mayFindNewFields: Bool { false }
    /// Returns `false`: apart from the missing fields of short records, only empty fields have no value.
    public var hasNulls: Bool { false }
    /// Reads the input with ``ReadPriority/foreground`` priority.
    public func readAll(threads: Int, progress: @Sendable (ReadProgress) -> Bool) throws {
        try readAll(threads: threads, priority: .foreground, progress: progress)
    }
    /// Calls ``readAll(threads:priority:progress:)``, which finds all fields, too.
    public func readRecords(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try readAll(threads: threads, priority: priority, progress: progress)
    }
    /// Reads the input with ``ReadPriority/foreground`` priority until all records are known. An early end of the input is returned, not
    /// thrown.
    /// - Parameter findsColumns: false if fields beyond ``columnCount`` are not needed.
    /// - Returns: the error that ended the input early; `nil` at its regular end.
    /// - Throws: an error if the input cannot be read, or if it ends early without a record.
    @discardableResult
    package func readToEnd(
        threads: Int, findsColumns: Bool = true, progress: @Sendable (ReadProgress) -> Bool
    ) throws -> (any TableError)? {
        do {
            if findsColumns {
                try readAll(threads: threads, progress: progress)
            } else {
                try readRecords(threads: threads, priority: .foreground, progress: progress)
            }
            return nil
        } catch let error as any TableError where error.inputEnd != nil && snapshot().recordCount > 0 {
            return error
        }
    }
    /// Returns an empty array: types do not depend on a sample.
    public func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] { [] }
    /// Does nothing, because all records are available without waiting.
    public func setRecordsArrivedHandler(_ notify: @escaping @Sendable () -> Void) {}
    /// Returns `false`.
    public var canSeek: Bool { false }
    /// Does nothing, because ``canSeek`` is `false`.
    public func seek(toRecord record: Int, isCancelled: () -> Bool) throws {}
    /// Calls ``seek(toRecord:isCancelled:)``.
    public func seek(toPosition position: Int, ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws {
        try seek(toRecord: position, isCancelled: isCancelled)
    }
    /// Returns `false`: queries cover only the records of a snapshot.
    public var canBeQueriedWhileIncomplete: Bool { false }
    /// Does nothing.
    public func beginUrgentRead() {}
    /// Does nothing.
    public func endUrgentRead() {}
    /// Does nothing.
    public func wakeReader() {}
    /// Returns `nil`: the line number is unknown.
    public func lineCount(beforeRecord record: Int) throws -> Int? { nil }
    /// Returns `.unchanged`: changes are not detected.
    public func checkForChange() -> FileChange { .unchanged }
    /// Returns `false`: nothing guarantees that the bytes are the same.
    public func isUnchanged() -> Bool { false }
    /// Returns `nil`, because ``canGrow`` is `false`.
    public func growthUpdate(from newer: any TableSource) -> (@Sendable () -> Void)? { nil }
    /// Returns `false`: the whole input is read again after a change.
    public var canGrow: Bool { false }
    /// Always empty.
    public var details: [(name: String, value: String)] { [] }
    /// Always empty: the file declares no columns.
    public var columnDetails: [(name: String, value: String)] { [] }
    /// Always empty: no problems are reported.
    public var problems: [String] { [] }
    /// Always empty: no other settings are suggested.
    public var suggestions: [ReadingSuggestion] { [] }
    /// Always `false`: all fields are valid text.
    public var mayContainInvalidText: Bool { false }
    /// Always `nil`.
    public func mixedValues(of columns: [Int]) -> String? { nil }
    /// By default false.
    public var mixedValuesAreUnreadable: Bool { false }
    /// Always empty.
    public var conversions: [TextConversion] { [] }
    /// Always `nil`: no fields are omitted.
    public var omission: String? { nil }
    /// Returns `nil`: the table is not a list of tables.
    public func path(ofTableInRecord record: Int) -> String? { nil }
    /// Always `nil`: the title line has no label.
    public var rowsLabel: String? { nil }
    /// Always `nil`: the rows are not from a server.
    public func fetchTime(ofRow row: Int) -> Int? { nil }
    /// Always `nil`: there is no estimate.
    public var estimatedRecordCount: Int? { nil }
    /// Returns ``tail(atLeast:)``.
    public func tail(ofQueryStartingAt row: Int, atLeast count: Int, isCancelled: () -> Bool) throws -> TailRecords {
        try tail(atLeast: count)
    }
    /// Returns `nil`.
    public func knownRowCount(ofQueryStartingAt row: Int) -> (count: Int, isComplete: Bool)? { nil }
    /// Does nothing.
    public func countRows(ofQueryStartingAt row: Int, isCancelled: () -> Bool) throws {}
    /// Always `false`.
    public var needsReload: Bool { false }
    /// Returns `nil`.
    public func consumeFailure() -> String? { nil }
    /// Returns `nil`.
    public func beginSampling(atRow row: Int) -> Range<Int>? { nil }
    /// Does nothing, because no positions are approximate.
    public func endSampling() {}
    /// Returns ``SampledPositions/none``: no positions are approximate.
    public func sampledPositions(showing rows: Range<Int>) -> SampledPositions { .none }
    /// Returns no statements, because the input is not on a server.
    public func statements(ofViewWithRow row: Int?, withPlans: Bool, isCancelled: () -> Bool) throws -> [ViewStatement] { [] }
}

/// The state of rows that are shown at approximate positions.
public enum SampledPositions: Hashable, Sendable {
    /// No rows are shown at approximate positions.
    case none
    /// Rows are shown, but their exact positions are not counted yet.
    case approximate
    /// The rows are counted. The exact position of each row that was shown is its approximate position plus `shift`, which may be negative.
    case exact(shift: Int)
}

/// A difference between the characters of an input and the characters of its table.
public struct TextConversion: Sendable, Hashable {
    /// A sentence that describes the difference and suggests a remedy.
    public var sentence: String
    /// True if characters were lost.
    public var isLoss: Bool
    /// True if the lost characters were replaced with U+FFFD.
    public var replacesCharacters: Bool

    /// Creates a conversion.
    public init(_ sentence: String, isLoss: Bool, replacesCharacters: Bool = false) {
        (self.sentence, self.isLoss, self.replacesCharacters) = (sentence, isLoss, replacesCharacters)
    }

    /// The conversion for one of several files. Its sentence begins with a label that names the file.
    package func labeled(_ label: String) -> TextConversion {
        TextConversion(sentence.labeled(label), isLoss: isLoss, replacesCharacters: replacesCharacters)
    }
}

extension String {
    /// The part of a sentence after the name of a file at its start, including the space or colon after the name. `nil` if the sentence
    /// does not start with the name.
    /// - Parameter label: the path of the file, which ends with its name.
    package func remainder(afterNameOf label: String) -> Substring? {
        guard let name = label.split(separator: "/").last, hasPrefix(name) else { return nil }
        let rest = dropFirst(name.count)
        return rest.first == " " || rest.first == ":" ? rest : nil
    }

    /// A sentence that begins with the label of one of several files. The label replaces the name of the file.
    package func labeled(_ label: String) -> String { remainder(afterNameOf: label).map { label + $0 } ?? "\(label): \(self)" }
}

/// The priority of the threads that read an input.
public enum ReadPriority: Sendable {
    /// The caller waits for all records.
    case foreground
    /// The user works with the records read so far, so keys and urgent reads come first.
    case background
}

/// The progress of reading an input.
public struct ReadProgress: Sendable, Hashable {
    /// The number of bytes read. A source that reads the records twice counts their bytes twice.
    public var bytesDone: Int
    /// The number of bytes to read, as far as it is known. Bytes that are read twice count twice, as in ``bytesDone``.
    public var bytesTotal: Int
    /// The number of records found so far, without the header.
    public var records: Int

    /// Creates a progress report.
    public init(bytesDone: Int, bytesTotal: Int, records: Int) {
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.records = records
    }
}

/// Opens inputs as tables. The program is given an opener, so that it does not depend on any file format.
public protocol TableOpener: Sendable {
    /// Opens the file at a path.
    /// - Throws: a ``TableError`` if the file cannot be opened.
    func open(path: String) throws -> any TableSource
    /// Opens the file at a path, and stops if `isCancelled` becomes true.
    /// - Parameter isCancelled: polled by openers that wait for a server.
    /// - Throws: a ``TableError`` if the file cannot be opened, such as ``PasswordNeeded``, and any error after a cancellation.
    func open(path: String, isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource
    /// A phrase to show while a path is being opened, such as `connecting to db.example.com`; `nil` for a file.
    func activity(opening path: String) -> String?
    /// Creates an empty temporary file for a job.
    /// - Throws: a ``TableError`` if the file cannot be created.
    func makeScratchFile() throws -> any ScratchFile

    /// The settings with which this opener reads inputs.
    var settings: ReadingSettings { get }
    /// Returns an opener that reads with other settings; `nil` if settings cannot be changed.
    /// - Throws: ``ReadingSettingsError``.
    func with(_ settings: ReadingSettings) throws -> (any TableOpener)?
    /// Opens an input a second time, with the settings of this opener. This may read all bytes of the input.
    /// - Returns: `nil` if the input cannot be read in another way.
    /// - Throws: a ``TableError``.
    func reopen(_ input: any TableSource) throws -> (any TableSource)?
    /// Opens a copy of the first bytes of an open input, with the settings of this opener. Does not wait for bytes.
    /// - Returns: `nil` if the input cannot be read in another way.
    /// - Throws: a ``TableError``.
    func sample(of input: any TableSource) throws -> (any TableSource)?

    /// The formats of typed files that can be written.
    var writableFormats: [any WritableFormat] { get }
    /// The methods of compression for written text.
    var writableCompressions: [any WritableCompression] { get }
}

extension TableOpener {
    /// Calls ``open(path:)`` and ignores `isCancelled`.
    public func open(path: String, isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource { try open(path: path) }
    /// Returns `nil`: no phrase is shown.
    public func activity(opening path: String) -> String? { nil }
    /// Always empty: no typed files can be written.
    public var writableFormats: [any WritableFormat] { [] }
    /// Always empty: written text is not compressed.
    public var writableCompressions: [any WritableCompression] { [] }
    /// Settings that detect everything.
    public var settings: ReadingSettings { ReadingSettings() }
    /// Returns `nil`: the settings cannot be changed.
    public func with(_ settings: ReadingSettings) throws -> (any TableOpener)? { nil }
    /// Returns `nil`: inputs cannot be read in another way.
    public func reopen(_ input: any TableSource) throws -> (any TableSource)? { nil }
    /// Returns `nil`: inputs cannot be read in another way.
    public func sample(of input: any TableSource) throws -> (any TableSource)? { nil }
}
