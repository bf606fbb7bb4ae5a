public import DataGrid
public import FieldValues
public import Tables

/// A grid data source that shows a table. It reads consecutive visible rows together, and caches them for the next frames.
@MainActor
public final class TableGridSource: GridDataSource {
    /// The input of the table. If another thread reads it, ``refresh()`` adds the new records.
    public let source: any TableSource
    /// The current snapshot, with derived fields.
    public private(set) var snapshot: any Table
    /// The current snapshot, without derived fields.
    public private(set) var inputSnapshot: any Table
    /// The last records of the input, or of a query on a server; `nil` once the row numbers of the input are known.
    public private(set) var tail: TailRecords?
    /// True if ``tail`` has rows of a query, which is counted separately from the input.
    private var isTailOfQuery = false
    /// The kinds and notations of the columns, ascending by id. Columns that have always been text are omitted. A cell that does not parse
    /// as the kind is unreadable.
    private var kinds: [(column: ColumnID, kind: ValueKind, notation: DecimalStyle, dateNotation: DateNotation)] = []

    private(set) var rows: [RowID: Record] = [:] { didSet { recentRecord = nil } }
    /// The times when the cached rows were fetched from a server, in seconds since 1970.
    private var fetchTimes: [RowID: Int] = [:]
    /// The row of the last request. The grid requests the cells of one row in succession, so this avoids look-ups.
    private var recentRecord: (row: RowID, record: Record)?
    /// The maximum number of cached rows: 2,000, or fewer in a wide table. There, the cached rows have about 200,000 fields in total, but
    /// the limit is never below 100 rows.
    private var capacity: Int { max(100, min(2_000, 200_000 / max(1, source.columnCount))) }
    /// The maximum number of bytes of a field that are read for display. A line cannot show more.
    private nonisolated static let fieldLimit = 4_096
    /// The last result of ``lazyRecord(of:)``. It is returned again for the same row.
    private var lastLazyRecord: (row: RowID, text: any LazyRecord)?
    /// The error of the last read, shown in the status line; `nil` without an error. ``consumeFailure()`` clears it.
    private var failure: String?
    /// True if a read has failed since the last ``retryFailedReads()``.
    public private(set) var hasFailedReads = false
    /// True if some requested rows have not arrived yet. They need not be visible.
    public private(set) var awaitsRows = false
    /// The rows that were not available when they were requested. Some may have arrived since the request; see ``isAwaited(_:)``.
    private var awaitedRows: Set<RowID> = []

    /// The text that a grid without rows shows. Changing it calls ``onChange``.
    public var emptyText = "No rows" { didSet { if emptyText != oldValue { onChange?() } } }

    /// Called when the content of cells or ``emptyText`` may have changed.
    public var onChange: (() -> Void)?

    /// The rows whose positions are approximate, see `TableSource.beginSampling(atRow:)`. Their row headers have the mark `≈`. Setting this
    /// property clears the cached records of these rows.
    public var approximateRows: Range<Int>? {
        didSet {
            guard approximateRows != oldValue else { return }
            let changed = [approximateRows, oldValue].compactMap { $0 }
            func isKept(_ row: RowID) -> Bool { !changed.contains { $0.contains(row.rawValue) } }
            (rows, fetchTimes) = (rows.filter { isKept($0.key) }, fetchTimes.filter { isKept($0.key) })
            awaitedRows = awaitedRows.filter(isKept)
            lastLazyRecord = nil
            onChange?()
        }
    }

    private var derive: (any Table) -> any Table = { $0 }

    /// Creates a data source that shows the records which the input has now.
    public init(_ source: any TableSource) {
        self.source = source
        inputSnapshot = source.snapshot()
        snapshot = inputSnapshot
    }

    /// Replaces the derived fields. `derive` gets a snapshot of the input, and returns it with derived fields added. Clears all cached
    /// records.
    public func setDerivation(_ derive: @escaping (any Table) -> any Table) {
        self.derive = derive
        (rows, fetchTimes, lastLazyRecord) = ([:], [:], nil)
        inputSnapshot = source.snapshot()
        snapshot = derive(inputSnapshot)
        if tail != nil { completeTail() }
        onChange?()
    }

    private func completeTail() {
        guard let records = tail?.records else { return }
        recordingFailure { tail?.records = try records.map { try snapshot.completed($0, maximumFieldBytes: Self.fieldLimit) } }
    }

    /// Replaces the snapshot by one with all records that the input has now.
    public func refresh() {
        inputSnapshot = source.snapshot()
        let new = derive(inputSnapshot)
        if new.isComplete, tail != nil, !isTailOfQuery {
            // The rows at the end have numbers now. Rows cached by their distance from the end are no longer requested.
            tail = nil
            lastLazyRecord = nil
            rows = rows.filter { !$0.key.isCountedFromEnd }
            onChange?()
        }
        snapshot = new
    }

    /// Updates the snapshot after bytes were appended to the file. The row that was the last one is read again, because it may be longer.
    public func refreshAfterGrowth() {
        let last = RowID(snapshot.recordCount - 1)
        rows[last] = nil
        if lastLazyRecord?.row == last { lastLazyRecord = nil }
        refresh()
        onChange?()
    }

    /// Reads the last records of an input and completes them with the derived fields of `table`. Any thread can call it.
    /// - Parameter count: the minimum number of records, if the input has that many.
    /// - Throws: any error of `source`.
    public nonisolated static func readTail(
        of source: any TableSource, ofQueryStartingAt first: Int = 0, completedBy table: any Table, atLeast count: Int,
        isCancelled: () -> Bool = { false }
    ) throws -> TailRecords {
        var tail = try source.tail(ofQueryStartingAt: first, atLeast: count, isCancelled: isCancelled)
        tail.records = try tail.records.map { try table.completed($0, maximumFieldBytes: fieldLimit) }
        return tail
    }

    /// Shows the last records, identified by their distance from the end.
    /// - Parameter first: the number of the first row of a query on a server; 0 for the records of the source.
    public func show(_ tail: TailRecords, ofQueryStartingAt first: Int = 0) {
        (self.tail, isTailOfQuery) = (tail, first > 0)
        lastLazyRecord = nil
        rows = rows.filter { !$0.key.isCountedFromEnd }
        onChange?()
    }

    /// Calls ``onChange`` if rows have arrived that were not available when they were requested.
    public func showArrivedRows() {
        guard awaitsRows else { return }
        (awaitsRows, awaitedRows) = (false, [])
        onChange?()
    }

    /// Sets how the values of a column are parsed: their kind, and the notation of numbers and dates.
    public func setKind(
        _ kind: ValueKind, notation: DecimalStyle = .point, dateNotation: DateNotation = .iso, of column: ColumnID
    ) {
        let index = index(of: column)
        if index < kinds.count, kinds[index].column == column {
            kinds[index] = (column, kind, notation, dateNotation)
        } else if kind != .text {
            kinds.insert((column, kind, notation, dateNotation), at: index)
        }
        onChange?()
    }

    /// The index of a column in ``kinds``, or the index at which it must be inserted.
    private func index(of column: ColumnID) -> Int { kinds.indices.partitioningIndex { kinds[$0].column >= column } }

    /// Returns a sentence about the last error and clears the error; `nil` without an error.
    public func consumeFailure() -> String? {
        defer { failure = nil }
        return failure
    }

    /// Calls ``onChange`` if a read has failed since the last call. The grid then requests the missing cells again.
    public func retryFailedReads() {
        guard hasFailedReads else { return }
        hasFailedReads = false
        onChange?()
    }

    // MARK: GridDataSource

    /// Always `true`: rows that are not visible may have to be read from a slow disk or a server.
    public var hasSlowRows: Bool { true }

    /// The number of records in the current snapshot, without the header. `section` has no effect, because a table has one section.
    public func numberOfRows(inSection section: Int) -> Int { snapshot.recordCount }

    /// Reads the rows that are not cached, with one read for each run of consecutive rows. O(bytes of the rows read).
    public func willShow(rows requested: [RowID], columns: [ColumnID]) {
        let missing = requested.filter { rows[$0] == nil && !$0.isCountedFromEnd }.map(\.rawValue).sorted()
        guard !missing.isEmpty else { return }
        if rows.count + missing.count > capacity {
            rows.removeAll(keepingCapacity: true)
            fetchTimes = [:]
        }
        // A single row is missing when the user scrolls with the arrow keys. Read more rows in advance then, to avoid one read for each
        // row.
        if missing.count == 1, let range = prefetchRange(for: missing[0]), fetch(range) { return }
        var start = 0
        while start < missing.count {
            var end = start + 1
            while end < missing.count, missing[end] == missing[end - 1] + 1 { end += 1 }
            fetch(missing[start]..<missing[end - 1] + 1)
            start = end
        }
        // Read the remaining rows one by one, because a screen may have more rows than the cache.
        for row in requested where rows[row] == nil && !row.isCountedFromEnd { fetch(row.rawValue..<row.rawValue + 1) }
    }

    /// The rows to read if `row` is missing: the row and the next rows in the scrolling direction. `nil` if the direction is unclear. The
    /// direction is clear if two rows on one side are cached and the next row on the other side is not.
    private func prefetchRange(for row: Int) -> Range<Int>? {
        let count = min(32, 500 / max(1, source.columnCount), capacity - rows.count)
        func isKnown(_ distance: Int) -> Bool { rows[RowID(row + distance)] != nil }
        guard count > 1, row >= 0 else { return nil }
        if isKnown(-1), isKnown(-2), !isKnown(1) { return row..<row + count }
        if isKnown(1), isKnown(2), !isKnown(-1) { return max(0, row - count + 1)..<row + 1 }
        return nil
    }

    /// - Returns: `false` if some of the rows were neither returned nor requested, because reading failed or a row no longer exists.
    @discardableResult
    private func fetch(_ range: Range<Int>) -> Bool {
        let available = snapshot.availableRecords(in: range)
        guard !available.isEmpty else { return true }
        guard let records = recordingFailure({ try snapshot.recordsWithoutWaiting(available, maximumFieldBytes: Self.fieldLimit) }) else {
            return false
        }
        if awaitedRows.count > capacity { awaitedRows = [] }
        for (number, record) in zip(available, records) {
            if let record {
                rows[RowID(number)] = record
                fetchTimes[RowID(number)] = source.fetchTime(ofRow: number)
            } else {
                awaitsRows = true
                awaitedRows.insert(RowID(number))
            }
        }
        return records.count == available.count
    }

    /// True if the row was requested and has not arrived yet. The grid shows a mark for it.
    public func isAwaited(_ row: RowID) -> Bool { awaitedRows.contains(row) && rows[row] == nil }

    /// The time when the oldest of these rows was fetched from a server, in seconds since 1970. `nil` if no cached row comes from a server.
    public func oldestFetchTime(of rows: [RowID]) -> Int? { rows.compactMap { fetchTimes[$0] }.min() }

    /// The row number with the mark `≈` if the position of the row is approximate; otherwise `nil`, for the usual row number.
    public func rowHeader(_ row: RowID) -> String? {
        approximateRows?.contains(row.rawValue) == true ? "≈\(row.number + 1)" : nil
    }

    /// The record of a row, from the cache or read now; `nil` if the row no longer exists.
    public func record(_ row: RowID) -> Record? {
        if row.isCountedFromEnd {
            guard let records = tail?.records, records.count + row.rawValue >= 0 else { return nil }
            return records[records.count + row.rawValue]
        }
        if let recentRecord, recentRecord.row == row { return recentRecord.record }
        if rows[row] == nil { willShow(rows: [row], columns: []) }
        guard let record = rows[row] else { return nil }
        recentRecord = (row, record)
        return record
    }

    /// True if the row exists, but has not arrived yet or could not be read.
    private func isPending(_ row: RowID) -> Bool {
        (awaitsRows || hasFailedReads) && !row.isCountedFromEnd
            && !snapshot.availableRecords(in: row.rawValue..<row.rawValue + 1).isEmpty
    }

    /// The first 4 KiB of a field. O(1) for rows passed to ``willShow(rows:columns:)``, otherwise one read.
    ///
    /// The condition is `missing` if the record or the field does not exist, and `null` if the field is null in JSON. It is `pending` if
    /// the record has not arrived, and `unreadable` if the text does not match the kind of its column.
    public func content(row: RowID, column: ColumnID) -> CellContent {
        guard let record = record(row) else { return isPending(row) ? .pending : .missing }
        guard let text = record[column.field.rawValue]?.text else {
            if record.isNull(column.field.rawValue) { return .null }
            // Only the start of a very long record is read for display, so the fields after it are unknown.
            return record.isTruncated ? CellContent("…", condition: .unreadable) : .missing
        }
        let index = index(of: column)
        guard index < kinds.count, kinds[index].column == column, kinds[index].kind != .text else { return CellContent(text) }
        let (_, kind, notation, dateNotation) = kinds[index]
        let isReadable = FieldBytes.withBytes(of: text) { $0.isBlank || $0.parses(as: kind, notation, dateNotation) }
        return CellContent(text, condition: isReadable ? .value : .unreadable)
    }

    // MARK: Whole records

    /// The record of a row, whose fields can be read in parts; `nil` if the row no longer exists or cannot be read.
    ///
    /// If the record is too long to be read for display, only its first MiB is scanned. To show more of it, scan the rest on a copy, and
    /// pass the copy to ``cache(_:of:)``.
    public func lazyRecord(of row: RowID) -> (any LazyRecord)? {
        if let lastLazyRecord, lastLazyRecord.row == row { return lastLazyRecord.text }
        guard let record = record(row) else { return nil }
        let number = row.isCountedFromEnd ? nil : row.rawValue
        guard var text = recordingFailure({ try snapshot.lazyRecord(record, number: number) }) else { return nil }
        guard recordingFailure({ try text.scan(bytes: record.isTruncated ? 1 << 20 : .max) { _ in true } }) != nil else { return nil }
        lastLazyRecord = (row, text)
        return text
    }

    /// Replaces the cached lazy record of a row by a copy of which a longer part was scanned.
    public func cache(_ text: any LazyRecord, of row: RowID) { lastLazyRecord = (row, text) }

    /// Runs a closure that reads from the input.
    /// - Returns: the result of the closure; `nil` if reading failed. ``consumeFailure()`` then returns the error.
    @discardableResult
    public func recordingFailure<T>(_ body: () throws -> T) -> T? {
        do {
            return try body()
        } catch {
            failure = (error as? any TableError)?.message ?? "\(error)"
            hasFailedReads = true
            return nil
        }
    }
}
