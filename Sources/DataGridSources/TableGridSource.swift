public import DataGrid
public import FieldValues
public import Tables

/// Shows the records of a table in a grid. Reads the rows of a frame, a run of neighbouring rows at once, and keeps them for the next frames.
@MainActor
public final class TableGridSource: GridDataSource {
    /// The input of the table. Another thread reads on; ``refresh()`` takes the records that have come.
    public let source: any TableSource
    /// The records that can be read by number, with derived fields.
    public private(set) var snapshot: any Table
    /// The same without derived fields.
    public private(set) var inputSnapshot: any Table
    /// The last records, while they have no numbers yet.
    public private(set) var tail: TailRecords?
    /// What the columns' values are; cells that are something else are unreadable.
    private var kinds: [ColumnID: (kind: ValueKind, notation: NumberNotation)] = [:]

    private(set) var rows: [RowID: Record] = [:] { didSet { recent = nil } }
    /// The row asked for last: the cells of a row are asked for one after the other.
    private var recent: (row: RowID, record: Record)?
    /// Rows kept at most: some screens' worth, but of many columns no more than 200,000 fields, or a screen.
    private var capacity: Int { max(100, min(2_000, 200_000 / max(1, source.columnCount))) }
    /// Bytes of a field that are read for the screen: more than a line can show.
    private nonisolated static let fieldLimit = 4_096
    /// The record that was last read whole.
    private var mapped: (row: RowID, text: any LazyRecord)?
    /// What went wrong with the last reading, for the status line; taken by ``consumeFailure()``.
    private var failure: String?

    /// Called when cells may say something else than before.
    public var onChange: (() -> Void)?

    private var derive: (any Table) -> any Table = { $0 }

    /// Begins with the records that are indexed already.
    public init(_ source: any TableSource) {
        self.source = source
        inputSnapshot = source.snapshot()
        snapshot = inputSnapshot
    }

    /// Replaces the fields that are computed from others: `derive` adds them to each snapshot. Forgets all records that were read.
    public func setDerivation(_ derive: @escaping (any Table) -> any Table) {
        self.derive = derive
        (rows, mapped) = ([:], nil)
        inputSnapshot = source.snapshot()
        snapshot = derive(inputSnapshot)
        if tail != nil { completeTail() }
        onChange?()
    }

    private func completeTail() {
        guard let records = tail?.records else { return }
        reading { tail?.records = try records.map { try snapshot.completed($0, maximumFieldBytes: Self.fieldLimit) } }
    }

    /// Takes the records that are known now.
    public func refresh() {
        inputSnapshot = source.snapshot()
        let new = derive(inputSnapshot)
        if new.isComplete, tail != nil {
            // The rows at the end have numbers now; what was read by their distance from the end is not asked for again.
            tail = nil
            mapped = nil
            rows = rows.filter { !$0.key.isCountedFromEnd }
            onChange?()
        }
        snapshot = new
    }

    /// Takes what the index knows now that the file has got more bytes: the last row may have become longer.
    public func refreshAfterGrowth() {
        let last = RowID(snapshot.recordCount - 1)
        rows[last] = nil
        if mapped?.row == last { mapped = nil }
        refresh()
        onChange?()
    }

    /// Reads the last records, at least `count` as far as there are so many, with the fields that only `table` has. From any thread.
    /// - Throws: what `source` throws.
    public nonisolated static func readTail(of source: any TableSource, completedBy table: any Table, atLeast count: Int) throws
        -> TailRecords
    {
        var tail = try source.tail(atLeast: count)
        tail.records = try tail.records.map { try table.completed($0, maximumFieldBytes: fieldLimit) }
        return tail
    }

    /// Shows the last records by their distance from the end.
    public func show(_ tail: TailRecords) {
        self.tail = tail
        mapped = nil
        rows = rows.filter { !$0.key.isCountedFromEnd }
        onChange?()
    }

    /// Says what the values of a column are, and how its numbers are written.
    public func setKind(_ kind: ValueKind, notation: NumberNotation = .point, of column: ColumnID) {
        kinds[column] = (kind, notation)
        onChange?()
    }

    /// A sentence about what went wrong since this was asked last.
    public func consumeFailure() -> String? {
        defer { failure = nil }
        return failure
    }

    // MARK: GridDataSource

    /// Rows that are not in sight may have to be read from a slow disk.
    public var readsSlowly: Bool { true }

    /// The records indexed so far, the header not counted; the same for every section, as a file has but one.
    public func numberOfRows(inSection section: Int) -> Int { snapshot.recordCount }

    /// Reads the rows that are not kept yet, a read for each run of neighbours. O(bytes of those rows).
    public func willShow(rows wanted: [RowID], columns: [ColumnID]) {
        let missing = wanted.filter { rows[$0] == nil && !$0.isCountedFromEnd }.map(\.rawValue).sorted()
        guard !missing.isEmpty else { return }
        if rows.count + missing.count > capacity { rows.removeAll(keepingCapacity: true) }
        // By the arrow key each row would be read alone.
        if missing.count == 1, let range = runAhead(of: missing[0]) { return fetch(range) }
        var start = 0
        while start < missing.count {
            var end = start + 1
            while end < missing.count, missing[end] == missing[end - 1] + 1 { end += 1 }
            fetch(missing[start]..<missing[end - 1] + 1)
            start = end
        }
        // A screen may be larger than what is kept of former ones.
        for row in wanted where rows[row] == nil && !row.isCountedFromEnd { fetch(row.rawValue..<row.rawValue + 1) }
    }

    /// A row and some to come, where the two before it on one side are known and none on the other.
    private func runAhead(of row: Int) -> Range<Int>? {
        let count = min(32, 500 / max(1, source.columnCount), capacity - rows.count)
        func isKnown(_ distance: Int) -> Bool { rows[RowID(row + distance)] != nil }
        guard count > 1, row >= 0 else { return nil }
        if isKnown(-1), isKnown(-2), !isKnown(1) { return row..<row + count }
        if isKnown(1), isKnown(2), !isKnown(-1) { return max(0, row - count + 1)..<row + 1 }
        return nil
    }

    private func fetch(_ range: Range<Int>) {
        let known = range.clamped(to: 0..<snapshot.recordCount)
        guard !known.isEmpty, let records = reading({ try snapshot.records(known, maximumFieldBytes: Self.fieldLimit) }) else { return }
        for (number, record) in zip(known, records) { rows[RowID(number)] = record }
    }

    /// The record of a row, read if need be; `nil` when there is no such row any more.
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

    /// The first 4 KiB of a field; `missing` where the record is shorter or gone, `unreadable` where it is not what its column holds. O(1) for
    /// rows told to ``willShow(rows:columns:)``, otherwise a read.
    public func content(row: RowID, column: ColumnID) -> CellContent {
        guard let record = record(row) else { return .missing }
        guard let text = record[column.field.rawValue]?.text else {
            // The fields behind the part that was read of a very long record are unknown.
            return record.isCut ? CellContent("…", condition: .unreadable) : .missing
        }
        guard let (kind, notation) = kinds[column], kind != .text else { return CellContent(text) }
        return CellContent(text, condition: Self.reads(text, as: kind, notation) ? .value : .unreadable)
    }

    private static func reads(_ text: String, as kind: ValueKind, _ notation: NumberNotation) -> Bool {
        FieldBytes.withBytes(of: text) { $0.isBlank || $0.reads(as: kind, notation) }
    }

    // MARK: Whole records

    /// The record of a row, to be read a piece at a time: mapped to its end when it is held whole elsewhere too, otherwise only its
    /// first MiB, until someone who has the time has mapped the rest: ``keep(_:of:)``. `nil` when there is no such row any more.
    public func lazyRecord(of row: RowID) -> (any LazyRecord)? {
        if let mapped, mapped.row == row { return mapped.text }
        guard let record = record(row) else { return nil }
        let number = row.isCountedFromEnd ? nil : row.rawValue
        guard var text = reading({ try snapshot.lazyRecord(record, number: number) }) else { return nil }
        reading { try text.map(bytes: record.isCut ? 1 << 20 : .max) { _ in true } }
        mapped = (row, text)
        return text
    }

    /// Takes a record that was mapped further.
    public func keep(_ text: any LazyRecord, of row: RowID) { mapped = (row, text) }

    /// Runs what reads from the file.
    /// - Returns: what it gives; `nil` when the file could not be read, and ``consumeFailure()`` says why.
    @discardableResult
    public func reading<T>(_ body: () throws -> T) -> T? {
        do {
            return try body()
        } catch {
            failure = (error as? any TableError)?.message ?? "\(error)"
            return nil
        }
    }
}
