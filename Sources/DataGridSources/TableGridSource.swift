public import DataGrid
public import FieldValues
public import Tables

/// A grid data source that shows a table. It reads the rows of a frame in runs of consecutive rows, and caches them for the next frames.
@MainActor
public final class TableGridSource: GridDataSource {
    /// The input of the table. While another thread reads it, ``refresh()`` adds the new records.
    public let source: any TableSource
    /// The current snapshot, with derived fields.
    public private(set) var snapshot: any Table
    /// The current snapshot, without derived fields.
    public private(set) var inputSnapshot: any Table
    /// The last records of the input; `nil` once their row numbers are known.
    public private(set) var tail: TailRecords?
    /// The kinds and notations of the columns, ascending by id. Columns that have always been text are omitted. A cell that does not parse
    /// as the kind is unreadable.
    private var kinds: [(column: ColumnID, kind: ValueKind, notation: DecimalStyle, dateNotation: DateNotation)] = []

    private(set) var rows: [RowID: Record] = [:] { didSet { recent = nil } }
    /// The times when cached rows were fetched from a server.
    private var fetchTimes: [RowID: Int] = [:]
    /// The last requested row. The cells of a row are requested one after the other.
    private var recent: (row: RowID, record: Record)?
    /// The maximum number of cached rows: 2,000, or as many as have 200,000 fields if that is less, but at least 100.
    private var capacity: Int { max(100, min(2_000, 200_000 / max(1, source.columnCount))) }
    /// The maximum number of bytes of a field that are read for display, more than a line can show.
    private nonisolated static let fieldLimit = 4_096
    /// The last result of ``lazyRecord(of:)``.
    private var mapped: (row: RowID, text: any LazyRecord)?
    /// The error of the last read, for the status line. ``consumeFailure()`` clears it.
    private var failure: String?
    /// True if a read has failed since the last ``retryFailedReads()``.
    private var hasFailedReads = false
    /// True if some requested rows have not arrived yet, even if they are not visible.
    public private(set) var awaitsRows = false
    /// Requested rows that were not available at the time of the request. Some may have arrived since then; see ``isAwaited(_:)``.
    private var awaitedRows: Set<RowID> = []

    /// The text of a grid without rows. Changing it calls ``onChange``.
    public var emptyText = "No rows" { didSet { if emptyText != oldValue { onChange?() } } }

    /// Called when the content of cells or ``emptyText`` may have changed.
    public var onChange: (() -> Void)?

    /// The rows at approximate positions, see `TableSource.beginSampling(atRow:)`. Their row headers have the mark `≈`. A change clears
    /// their cached records.
    public var approximateRows: Range<Int>? {
        didSet {
            guard approximateRows != oldValue else { return }
            let changed = [approximateRows, oldValue].compactMap { $0 }
            func isKept(_ row: RowID) -> Bool { !changed.contains { $0.contains(row.rawValue) } }
            (rows, fetchTimes) = (rows.filter { isKept($0.key) }, fetchTimes.filter { isKept($0.key) })
            awaitedRows = awaitedRows.filter(isKept)
            mapped = nil
            onChange?()
        }
    }

    private var derive: (any Table) -> any Table = { $0 }

    /// Creates a data source with the records indexed so far.
    public init(_ source: any TableSource) {
        self.source = source
        inputSnapshot = source.snapshot()
        snapshot = inputSnapshot
    }

    /// Replaces the derived fields. `derive` adds them to each snapshot. Clears all cached records.
    public func setDerivation(_ derive: @escaping (any Table) -> any Table) {
        self.derive = derive
        (rows, fetchTimes, mapped) = ([:], [:], nil)
        inputSnapshot = source.snapshot()
        snapshot = derive(inputSnapshot)
        if tail != nil { completeTail() }
        onChange?()
    }

    private func completeTail() {
        guard let records = tail?.records else { return }
        reading { tail?.records = try records.map { try snapshot.completed($0, maximumFieldBytes: Self.fieldLimit) } }
    }

    /// Updates the snapshot to all records that the input knows now.
    public func refresh() {
        inputSnapshot = source.snapshot()
        let new = derive(inputSnapshot)
        if new.isComplete, tail != nil {
            // The rows at the end have numbers now. Rows cached by their distance from the end are no longer requested.
            tail = nil
            mapped = nil
            rows = rows.filter { !$0.key.isCountedFromEnd }
            onChange?()
        }
        snapshot = new
    }

    /// Updates the snapshot after the file has grown. The last row is read again, because it may be longer.
    public func refreshAfterGrowth() {
        let last = RowID(snapshot.recordCount - 1)
        rows[last] = nil
        if mapped?.row == last { mapped = nil }
        refresh()
        onChange?()
    }

    /// Reads the last records, at least `count` if the source has that many, and adds the fields that only `table` has. Any thread can call
    /// it.
    /// - Throws: any error of `source`.
    public nonisolated static func readTail(of source: any TableSource, completedBy table: any Table, atLeast count: Int) throws
        -> TailRecords
    {
        var tail = try source.tail(atLeast: count)
        tail.records = try tail.records.map { try table.completed($0, maximumFieldBytes: fieldLimit) }
        return tail
    }

    /// Shows the last records, identified by their distance from the end.
    public func show(_ tail: TailRecords) {
        self.tail = tail
        mapped = nil
        rows = rows.filter { !$0.key.isCountedFromEnd }
        onChange?()
    }

    /// Shows records that have arrived since they were requested.
    public func showArrivals() {
        guard awaitsRows else { return }
        (awaitsRows, awaitedRows) = (false, [])
        onChange?()
    }

    /// Sets the kind of the values of a column and the notation of its numbers and dates.
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

    /// The place of a column in ``kinds``.
    private func index(of column: ColumnID) -> Int { kinds.indices.partitioningIndex { kinds[$0].column >= column } }

    /// A sentence about the last error, or `nil`. Clears the error.
    public func consumeFailure() -> String? {
        defer { failure = nil }
        return failure
    }

    /// Calls ``onChange`` if a read has failed since the last call, so that the missing cells are read again.
    public func retryFailedReads() {
        guard hasFailedReads else { return }
        hasFailedReads = false
        onChange?()
    }

    // MARK: GridDataSource

    /// Always `true`: rows that are not visible may have to be read from a slow disk.
    public var hasSlowRows: Bool { true }

    /// The number of records indexed so far, without the header. `section` has no effect, because a table has one section.
    public func numberOfRows(inSection section: Int) -> Int { snapshot.recordCount }

    /// Reads the rows that are not cached, with one read for each run of consecutive rows. O(bytes of the rows read).
    public func willShow(rows requested: [RowID], columns: [ColumnID]) {
        let missing = requested.filter { rows[$0] == nil && !$0.isCountedFromEnd }.map(\.rawValue).sorted()
        guard !missing.isEmpty else { return }
        if rows.count + missing.count > capacity {
            rows.removeAll(keepingCapacity: true)
            fetchTimes = [:]
        }
        // Read ahead: with the arrow keys, each row would otherwise be a separate read.
        if missing.count == 1, let range = runAhead(of: missing[0]) { return fetch(range) }
        var start = 0
        while start < missing.count {
            var end = start + 1
            while end < missing.count, missing[end] == missing[end - 1] + 1 { end += 1 }
            fetch(missing[start]..<missing[end - 1] + 1)
            start = end
        }
        // A screen may be larger than the cache.
        for row in requested where rows[row] == nil && !row.isCountedFromEnd { fetch(row.rawValue..<row.rawValue + 1) }
    }

    /// The range to read ahead: the row and the next rows in the scrolling direction. `nil` if the direction is unclear: it is clear if two
    /// rows on one side are cached and the next row on the other side is not.
    private func runAhead(of row: Int) -> Range<Int>? {
        let count = min(32, 500 / max(1, source.columnCount), capacity - rows.count)
        func isKnown(_ distance: Int) -> Bool { rows[RowID(row + distance)] != nil }
        guard count > 1, row >= 0 else { return nil }
        if isKnown(-1), isKnown(-2), !isKnown(1) { return row..<row + count }
        if isKnown(1), isKnown(2), !isKnown(-1) { return max(0, row - count + 1)..<row + 1 }
        return nil
    }

    private func fetch(_ range: Range<Int>) {
        let available = snapshot.availableRecords(in: range)
        guard !available.isEmpty, let records = reading({ try snapshot.recordsAtHand(available, maximumFieldBytes: Self.fieldLimit) })
        else {
            return
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
    }

    /// True if the row was requested and has not arrived yet.
    public func isAwaited(_ row: RowID) -> Bool { awaitedRows.contains(row) && rows[row] == nil }

    /// The time when the oldest of these rows was fetched from a server, in seconds since 1970; `nil` if no cached row is from a server.
    public func oldestFetchTime(of rows: [RowID]) -> Int? { rows.compactMap { fetchTimes[$0] }.min() }

    /// The number of a row with the mark `≈` if its position is approximate; otherwise `nil`.
    public func rowHeader(_ row: RowID) -> String? {
        approximateRows?.contains(row.rawValue) == true ? "≈\(row.number + 1)" : nil
    }

    /// The record of a row, read if it is not cached; `nil` if the row no longer exists.
    public func record(_ row: RowID) -> Record? {
        if row.isCountedFromEnd {
            guard let records = tail?.records, records.count + row.rawValue >= 0 else { return nil }
            return records[records.count + row.rawValue]
        }
        if let recent, recent.row == row { return recent.record }
        if rows[row] == nil { willShow(rows: [row], columns: []) }
        guard let record = rows[row] else { return nil }
        recent = (row, record)
        return record
    }

    /// True if the row exists but has not arrived yet or could not be read.
    private func isPending(_ row: RowID) -> Bool {
        (awaitsRows || hasFailedReads) && !row.isCountedFromEnd
            && !snapshot.availableRecords(in: row.rawValue..<row.rawValue + 1).isEmpty
    }

    /// The first 4 KiB of a field. The condition is `missing` if the record or the field does not exist, `null` if the field is null in
    /// JSON, and `pending` if it has not arrived. It is `unreadable` if the text does not match the kind of its column. O(1) for rows
    /// passed to ``willShow(rows:columns:)``, otherwise one read.
    public func content(row: RowID, column: ColumnID) -> CellContent {
        guard let record = record(row) else { return isPending(row) ? .pending : .missing }
        guard let text = record[column.field.rawValue]?.text else {
            if record.isNull(column.field.rawValue) { return .null }
            // Only the beginning of a very long record is read; its other fields are unknown.
            return record.isTruncated ? CellContent("…", condition: .unreadable) : .missing
        }
        let index = index(of: column)
        guard index < kinds.count, kinds[index].column == column, kinds[index].kind != .text else { return CellContent(text) }
        let (_, kind, notation, dateNotation) = kinds[index]
        let isReadable = FieldBytes.withBytes(of: text) { $0.isBlank || $0.reads(as: kind, notation, dateNotation) }
        return CellContent(text, condition: isReadable ? .value : .unreadable)
    }

    // MARK: Whole records

    /// The record of a row, to be read in pieces; `nil` if the row no longer exists. Only the first MiB of a record that exceeds the read
    /// limit is mapped. Map the rest on a copy, and pass the copy to ``cache(_:of:)``.
    public func lazyRecord(of row: RowID) -> (any LazyRecord)? {
        if let mapped, mapped.row == row { return mapped.text }
        guard let record = record(row) else { return nil }
        let number = row.isCountedFromEnd ? nil : row.rawValue
        guard var text = reading({ try snapshot.lazyRecord(record, number: number) }) else { return nil }
        reading { try text.map(bytes: record.isTruncated ? 1 << 20 : .max) { _ in true } }
        mapped = (row, text)
        return text
    }

    /// Replaces the lazy record of a row with a copy that is mapped further.
    public func cache(_ text: any LazyRecord, of row: RowID) { mapped = (row, text) }

    /// Runs a closure that reads from the file.
    /// - Returns: the result of the closure; `nil` if the file cannot be read. ``consumeFailure()`` has the error.
    @discardableResult
    public func reading<T>(_ body: () throws -> T) -> T? {
        do {
            return try body()
        } catch {
            failure = (error as? any TableError)?.message ?? "\(error)"
            hasFailedReads = true
            return nil
        }
    }
}
