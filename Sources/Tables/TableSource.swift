/// An open input that contains a table, such as a file or a pipe. Formats implement it.
///
/// Opening reads only the beginning. ``readAll(threads:priority:progress:)`` reads the rest on the caller's thread. Meanwhile,
/// ``snapshot()`` returns the records known so far, and ``tail(atLeast:)`` the last records. All members can be used from any thread.
public protocol TableSource: AnyObject, Sendable {
    /// The type of the snapshots.
    associatedtype Snapshot: Table

    /// A short name: the last path component, or the name of the input.
    var name: String { get }
    /// The path of the file; `nil` for a pipe.
    var path: String? { get }
    /// The path or connection URL that opens the input again; `nil` for a pipe. It is equal to ``path`` for a file.
    var location: String? { get }
    /// The number of bytes known so far.
    var byteCount: Int { get }
    /// The number of bytes of a file that is read through a converted copy, such as a workbook; `nil` for other inputs.
    var fileByteCount: Int? { get }
    /// The number of bytes whose records are known.
    var indexedByteCount: Int { get }
    /// True if more bytes may arrive, as from a pipe.
    var isGrowing: Bool { get }

    /// The number of fields known so far. It grows when a longer record is found.
    var columnCount: Int { get }
    /// True if the input names its fields. Otherwise they are called "A", "B", … as in a spreadsheet.
    var hasColumnNames: Bool { get }
    /// True if later records can add columns with new names, as in JSON.
    var mayFindNewFields: Bool { get }
    /// True if the input has null values, which differ from empty text.
    var hasNulls: Bool { get }
    /// The name of a field; empty if the input has no name for it.
    func title(ofColumn column: Int) -> String
    /// The profiles of all fields, from a sample that takes at most the given time.
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile]
    /// The profiles of the fields with the index `first` or greater.
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile]

    /// The records known so far. O(1).
    func snapshot() -> Snapshot
    /// Sets a function that is called, on any thread, when records arrive for which ``Table/recordsAtHand(_:maximumFieldBytes:)`` returned
    /// `nil`. The new function replaces the previous one.
    func onArrival(_ notify: @escaping @Sendable () -> Void)
    /// The last records, at least `count` if the input has that many. They are available before the other records are counted.
    /// - Throws: an error if the records cannot be read.
    func tail(atLeast count: Int) throws -> TailRecords
    /// True if the input supports ``seek(toRecord:isCancelled:)``.
    var canSeek: Bool { get }
    /// Makes a record available without reading or counting all records before it. If the record does not exist, all records are counted.
    /// The call blocks, so call it on a background thread.
    ///
    /// After it returns, a new ``snapshot()`` has all records up to `record`, or is complete.
    /// - Parameters:
    ///   - record: the number of the record.
    ///   - isCancelled: called occasionally; return `true` to end the call with an error.
    /// - Throws: an error if the record cannot be read.
    func seek(toRecord record: Int, isCancelled: () -> Bool) throws
    /// True if queries of an incomplete ``snapshot()`` also cover the records that are not known yet, because a server runs them.
    /// Otherwise, sorting, grouping and statistics wait until all records are known.
    var canBeQueriedWhileIncomplete: Bool { get }
    /// Reads the input until all records are known. The call blocks, so use a background thread, and only one call at a time. If it is
    /// cancelled, the next call resumes reading.
    /// - Parameters:
    ///   - threads: the number of threads to use, including the calling one.
    ///   - priority: how the threads share the processors with other work.
    ///   - progress: called by one thread at a time; return `false` to cancel.
    /// - Throws: an error if the input cannot be read. If it has an ``TableError/inputEnd``, all records before the error are known.
    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws
    /// Reads the input until all records are known. Parameters and errors are as for ``readAll(threads:priority:progress:)``. Unlike that
    /// function, it might not detect that later records have more fields than ``columnCount``.
    func readRecords(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws
    /// Wakes ``readAll(threads:priority:progress:)`` if it waits for a pipe, so that it calls `progress`.
    func wakeReader()
    /// Makes ``readAll(threads:priority:progress:)`` leave a processor free, because the user is waiting for another read of this input.
    /// Call ``endUrgentRead()`` after that read.
    func beginUrgentRead()
    /// Ends the effect of ``beginUrgentRead()``.
    func endUrgentRead()

    /// The number of lines of the file before a record near the start of the file; `nil` if it is unknown.
    /// - Throws: an error if the lines cannot be read.
    func lineCount(beforeRecord record: Int) throws -> Int?

    /// Compares the open file with the file that is now at its path. Takes two system calls.
    func checkForChange() -> FileChange
    /// True if the file is guaranteed to still have the bytes that were read.
    ///
    /// May read parts of the file, so do not call it on a thread that must not block.
    func isUnchanged() -> Bool
    /// Checks whether the file has only gained bytes since it was completely read.
    ///
    /// Reads parts of the file, so do not call it on a thread that must not block.
    /// - Parameter newer: the same path, opened again.
    /// - Returns: a function that adds the new bytes without reading; `nil` if the table has changed in another way.
    func growth(asOf newer: any TableSource) -> (@Sendable () -> Void)?
    /// True if ``growth(asOf:)`` is supported. Otherwise, the whole input has to be read again after each change.
    var canGrow: Bool { get }

    /// Names and values for the file information page, in addition to the name, size and row count.
    var facts: [(name: String, value: String)] { get }
    /// The columns as the file declares them, with their types and statistics, for the file information page. There are at most 1,000
    /// columns.
    var columnFacts: [(name: String, value: String)] { get }
    /// Problems of the input found so far, one phrase each. This may read a few MiB.
    var problems: [String] { get }
    /// Properties of the first bytes that suggest another way to read the input.
    var suggestions: [ReadingSuggestion] { get }
    /// True if fields may have bytes that are not valid text.
    var mayContainInvalidText: Bool { get }
    /// Characters that differ between the file and its table, on the screen and in output.
    var conversions: [TextConversion] { get }
    /// A sentence about fields that are omitted because records have too many; `nil` if all fields are read.
    var omission: String? { get }
    /// A label for the title line about the rows, such as "snapshot 12:30:00"; `nil` for none.
    var rowsLabel: String? { get }
    /// The time when a row was fetched from a server, in seconds since 1970; `nil` if the row is not from a server or not in memory.
    func fetchTime(ofRow row: Int) -> Int?
    /// An estimate of the number of records, until all are known; `nil` without an estimate.
    var estimatedRecordCount: Int? { get }
    /// The number of rows of a query on a server that are known to exist, and whether these are all of its rows; `nil` if they are not on a
    /// server.
    /// - Parameter row: the number of the first row of the query.
    func knownRows(ofQueryAt row: Int) -> (count: Int, areAll: Bool)?
    /// Shows rows whose positions are approximate, because a far row takes long to find. ``Table/recordsAtHand(_:maximumFieldBytes:)``
    /// then returns them for the rows of a range, and all other functions still return the rows at the exact positions.
    ///
    /// Their positions are counted meanwhile. ``onArrival(_:)`` reports when ``sampledPositions(showing:)`` may have changed.
    /// - Parameter row: the number of the first visible row.
    /// - Returns: the numbers of the rows that are approximate until they are counted or ``endSampling()`` is called; `nil` for none.
    func beginSampling(atRow row: Int) -> Range<Int>?
    /// Shows the rows at their exact positions.
    func endSampling()
    /// The state of the rows of the last ``beginSampling(atRow:)``. Does not wait. Once it is no longer ``SampledPositions/approximate``,
    /// all rows are exact.
    /// - Parameter rows: the numbers of the visible rows, which are at hand after they are counted.
    func sampledPositions(showing rows: Range<Int>) -> SampledPositions
    /// The statements that a server runs for the view that contains `row`; empty for an input that is not on a server.
    /// - Parameters:
    ///   - row: the number of any row of the view; `nil` for the latest view.
    ///   - withPlans: true to ask the server for the plans, which can take long. Otherwise O(columns).
    ///   - isCancelled: called occasionally; return `true` to end the requests for plans.
    /// - Throws: an error if the server has no plan for the statement.
    func statements(ofViewWithRow row: Int?, withPlans: Bool, isCancelled: () -> Bool) throws -> [ViewStatement]

    /// The path of the table that a record describes, such as `data.db:trades`, if this table is a contents table; otherwise `nil`.
    func path(ofTableInRecord record: Int) -> String?
}

extension TableSource {
    /// The same as ``path``.
    public var location: String? { path }
    /// Returns `nil`.
    public var fileByteCount: Int? { nil }
    /// Returns `false`.
    public var mayFindNewFields: Bool { false }
    /// Returns `false`: empty fields are the only fields without a value, except in short records.
    public var hasNulls: Bool { false }
    /// Reads the input with ``ReadPriority/foreground`` priority.
    public func readAll(threads: Int, progress: @Sendable (ReadProgress) -> Bool) throws {
        try readAll(threads: threads, priority: .foreground, progress: progress)
    }
    /// Reads the input to its end.
    public func readRecords(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try readAll(threads: threads, priority: priority, progress: progress)
    }
    /// Reads the input with ``ReadPriority/foreground`` priority until all records are known. An early end of the input is returned, not
    /// thrown.
    /// - Parameter findsColumns: false if later fields of records are not needed.
    /// - Returns: The error that has ended the input early; `nil` at its regular end.
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
    /// Does nothing: all records are available without waiting.
    public func onArrival(_ notify: @escaping @Sendable () -> Void) {}
    /// Returns `false`.
    public var canSeek: Bool { false }
    /// Does nothing.
    public func seek(toRecord record: Int, isCancelled: () -> Bool) throws {}
    /// Returns `false`.
    public var canBeQueriedWhileIncomplete: Bool { false }
    /// Does nothing.
    public func beginUrgentRead() {}
    /// Does nothing.
    public func endUrgentRead() {}
    /// Does nothing.
    public func wakeReader() {}
    /// Returns `nil`.
    public func lineCount(beforeRecord record: Int) throws -> Int? { nil }
    /// Returns `.unchanged`.
    public func checkForChange() -> FileChange { .unchanged }
    /// Returns `false`.
    public func isUnchanged() -> Bool { false }
    /// Returns `nil`.
    public func growth(asOf newer: any TableSource) -> (@Sendable () -> Void)? { nil }
    /// Returns `false`.
    public var canGrow: Bool { false }
    /// Always empty.
    public var facts: [(name: String, value: String)] { [] }
    /// Always empty.
    public var columnFacts: [(name: String, value: String)] { [] }
    /// Always empty.
    public var problems: [String] { [] }
    /// Always empty.
    public var suggestions: [ReadingSuggestion] { [] }
    /// Always `false`.
    public var mayContainInvalidText: Bool { false }
    /// Always empty.
    public var conversions: [TextConversion] { [] }
    /// Always `nil`.
    public var omission: String? { nil }
    /// Returns `nil`.
    public func path(ofTableInRecord record: Int) -> String? { nil }
    /// Always `nil`.
    public var rowsLabel: String? { nil }
    /// Always `nil`.
    public func fetchTime(ofRow row: Int) -> Int? { nil }
    /// Always `nil`.
    public var estimatedRecordCount: Int? { nil }
    /// Returns `nil`.
    public func knownRows(ofQueryAt row: Int) -> (count: Int, areAll: Bool)? { nil }
    /// Returns `nil`.
    public func beginSampling(atRow row: Int) -> Range<Int>? { nil }
    /// Does nothing.
    public func endSampling() {}
    /// Returns ``SampledPositions/none``.
    public func sampledPositions(showing rows: Range<Int>) -> SampledPositions { .none }
    /// Returns no statements.
    public func statements(ofViewWithRow row: Int?, withPlans: Bool, isCancelled: () -> Bool) throws -> [ViewStatement] { [] }
}

/// The state of rows that are shown at approximate positions.
public enum SampledPositions: Hashable, Sendable {
    /// No rows are shown at approximate positions.
    case none
    /// The rows are not counted yet.
    case approximate
    /// The rows were counted. The exact positions of the rows that were shown are greater by `shift`.
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

    /// The same conversion in a file of several.
    package func labeled(_ label: String) -> TextConversion {
        TextConversion("\(label): \(sentence)", isLoss: isLoss, replacesCharacters: replacesCharacters)
    }
}

/// The priority of the threads of a reader.
public enum ReadPriority: Sendable {
    /// The caller waits for all records.
    case foreground
    /// The user already works with the known records, so keys and urgent reads have priority.
    case background
}

/// The progress of reading an input.
public struct ReadProgress: Sendable, Hashable {
    /// The number of bytes read from the start of the input. A source that reads the records a second time counts their bytes twice.
    public var bytesDone: Int
    /// The number of bytes to read, as far as it is known, counted like ``bytesDone``.
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

/// Opens inputs as tables. The program receives an opener, so it does not depend on any format.
public protocol TableOpener: Sendable {
    /// Opens the file at a path.
    /// - Throws: a ``TableError`` if the file cannot be opened.
    func open(path: String) throws -> any TableSource
    /// Opens the file at a path, and stops if `isCancelled` becomes true.
    /// - Parameter isCancelled: polled by openers that wait for another computer.
    /// - Throws: a ``TableError`` if the file cannot be opened, such as ``PasswordNeeded``, and any error after a cancellation.
    func open(path: String, isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource
    /// A phrase to show while a path is being opened, such as `connecting to db.example.com`; `nil` for a file.
    func activity(opening path: String) -> String?
    /// Creates an empty temporary file for a job.
    /// - Throws: a ``TableError`` if the file cannot be created.
    func makeScratchFile() throws -> any ScratchFile

    /// The settings with which inputs are read.
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
    /// The same as ``open(path:)``.
    public func open(path: String, isCancelled: @escaping @Sendable () -> Bool) throws -> any TableSource { try open(path: path) }
    /// Returns `nil`.
    public func activity(opening path: String) -> String? { nil }
    /// Always empty.
    public var writableFormats: [any WritableFormat] { [] }
    /// Always empty.
    public var writableCompressions: [any WritableCompression] { [] }
    /// Settings that detect everything.
    public var settings: ReadingSettings { ReadingSettings() }
    /// Returns `nil`.
    public func with(_ settings: ReadingSettings) throws -> (any TableOpener)? { nil }
    /// Returns `nil`.
    public func reopen(_ input: any TableSource) throws -> (any TableSource)? { nil }
    /// Returns `nil`.
    public func sample(of input: any TableSource) throws -> (any TableSource)? { nil }
}
