/// A batch of result rows: one buffer, as received from the socket, with an offset for each cell.
///
/// Rows are stored one after the other, because writing takes one sixth of the time of a columnar layout, and reading takes the same time.
/// The layout is little-endian:
///
/// 1. counts of rows, columns, cut cells and value bytes, and flags (4 bytes each);
/// 2. a zero, then the end offset of each cell in the values (4 bytes each);
/// 3. a null bit for each cell;
/// 4. a kind byte for each cell, if the flag is set;
/// 5. the index (4 bytes) and the full length (8 bytes) of each cut cell;
/// 6. the values.
///
/// Sendable because the buffer never changes.
public final class RowBatch: @unchecked Sendable {
    /// The number of rows.
    public let rowCount: Int
    /// The number of columns.
    public let columnCount: Int
    private let buffer: MessageBuffer
    // The parts of the buffer, in the order of the layout.
    private let offsets: UnsafePointer<UInt32>
    private let nulls: UnsafeRawBufferPointer
    private let kinds: UnsafeRawBufferPointer?
    private let truncatedCells: UnsafeRawBufferPointer
    private let values: UnsafeRawBufferPointer

    /// The storage class of a cell in SQLite, where columns have no fixed type.
    public enum CellKind: UInt8, Sendable {
        /// Text, or a value of a typed column as text.
        case text
        /// An integer in decimal digits.
        case integer
        /// A floating-point number, as the shortest text that reads as the same number.
        case real
        /// Bytes that are not text.
        case blob
    }

    static let headerBytes = 20
    /// The flag of a batch whose cells have storage classes.
    static let kindsFlag: UInt32 = 1

    /// Validates a message and keeps its buffer.
    /// - Throws: ``MalformedMessage``.
    init(_ buffer: MessageBuffer) throws(MalformedMessage) {
        var reader = ByteReader(buffer.bytes)
        let rows = Int(try reader.readInteger("row count", as: UInt32.self))
        let columns = Int(try reader.readInteger("column count", as: UInt32.self))
        let truncatedCellCount = Int(try reader.readInteger("cut count", as: UInt32.self))
        let valueBytes = Int(try reader.readInteger("value bytes", as: UInt32.self))
        let flags = try reader.readInteger("flags", as: UInt32.self)
        guard columns <= EngineLimits.maximumColumns, flags <= Self.kindsFlag else { throw MalformedMessage("columns or flags") }
        // `rows * columns` cannot overflow, because there are at most 2^32 rows of 2^13 columns. Rows of a batch without columns take no
        // bytes.
        let cells = rows * columns
        guard cells < EngineLimits.maximumMessageBytes / 4, truncatedCellCount <= cells else { throw MalformedMessage("cell count") }
        let ends = try reader.next((cells + 1) * 4, "offsets")
        nulls = try reader.next((cells + 7) / 8, "nulls")
        kinds = flags & Self.kindsFlag != 0 ? try reader.next(cells, "kinds") : nil
        truncatedCells = try reader.next(truncatedCellCount * 12, "cuts")
        values = try reader.next(valueBytes, "values")
        try reader.expectEnd()
        // These casts are valid because the buffer is aligned to 16 bytes and the header has 20 bytes.
        offsets = ends.baseAddress!.assumingMemoryBound(to: UInt32.self)
        var previous: UInt32 = 0
        var isAscending = UInt32(littleEndian: offsets[0]) == 0
        for index in 1..<cells + 1 {
            let end = UInt32(littleEndian: offsets[index])
            isAscending = isAscending && end >= previous
            previous = end
        }
        guard isAscending, Int(previous) == valueBytes else { throw MalformedMessage("offsets") }
        if let kinds {
            for kind in kinds where kind > CellKind.blob.rawValue { throw MalformedMessage("kinds") }
        }
        var last = -1
        for index in 0..<truncatedCellCount {
            let cell = Int(UInt32(littleEndian: truncatedCells.loadUnaligned(fromByteOffset: index * 12, as: UInt32.self)))
            guard cell > last, cell < cells else { throw MalformedMessage("cuts") }
            last = cell
        }
        (rowCount, columnCount, self.buffer) = (rows, columns, buffer)
    }

    @inline(__always)
    private func cellIndex(row: Int, column: Int) -> Int {
        precondition(row >= 0 && row < rowCount && column >= 0 && column < columnCount, "The cell is outside the batch")
        return row * columnCount + column
    }

    @inline(__always)
    private func range(ofCellAt cell: Int) -> Range<Int> {
        Int(UInt32(littleEndian: offsets[cell]))..<Int(UInt32(littleEndian: offsets[cell + 1]))
    }

    /// True if the cell is NULL.
    public func isNull(row: Int, column: Int) -> Bool {
        let cell = cellIndex(row: row, column: column)
        return nulls[cell >> 3] & (1 << (cell & 7)) != 0
    }

    /// The number of bytes of the value; 0 for NULL.
    public func length(row: Int, column: Int) -> Int { range(ofCellAt: cellIndex(row: row, column: column)).count }

    /// The length of the value before it was cut; `nil` if it is complete. O(log n) in the number of cut cells.
    public func fullLength(row: Int, column: Int) -> UInt64? {
        let cell = cellIndex(row: row, column: column)
        var (low, high) = (0, truncatedCells.count / 12)
        while low < high {
            let middle = (low + high) / 2
            let found = Int(UInt32(littleEndian: truncatedCells.loadUnaligned(fromByteOffset: middle * 12, as: UInt32.self)))
            if found == cell { return UInt64(littleEndian: truncatedCells.loadUnaligned(fromByteOffset: middle * 12 + 4, as: UInt64.self)) }
            if found < cell { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// True if any cell was cut.
    public var hasTruncatedCells: Bool { !truncatedCells.isEmpty }

    /// The storage class of the cell; `text` for drivers whose columns have types.
    public func kind(row: Int, column: Int) -> CellKind {
        let cell = cellIndex(row: row, column: column)
        return kinds.flatMap { CellKind(rawValue: $0[cell]) } ?? .text
    }

    /// Passes the bytes of the value, which are valid inside `body` only; empty for NULL.
    ///
    /// Text is UTF-8 as the server sent it. It is not validated.
    public func withBytes<Result>(row: Int, column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let range = range(ofCellAt: cellIndex(row: row, column: column))
        return try withExtendedLifetime(buffer) { try body(UnsafeRawBufferPointer(rebasing: values[range])) }
    }

    /// The bytes of the value; `nil` for NULL.
    public func bytes(row: Int, column: Int) -> [UInt8]? {
        isNull(row: row, column: column) ? nil : withBytes(row: row, column: column) { Array($0) }
    }

    /// The value as text, with U+FFFD for invalid bytes; `nil` for NULL. It allocates, so scans use ``withBytes(row:column:_:)``.
    public func text(row: Int, column: Int) -> String? {
        isNull(row: row, column: column) ? nil : withBytes(row: row, column: column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The size in memory in bytes.
    public var byteCount: Int { buffer.bytes.count }
}

extension RowBatch {
    /// A batch without rows; `nil` if out of memory.
    public static func empty(columnCount: Int) -> RowBatch? {
        try? RowBatchWriter(columnCount: max(0, min(columnCount, EngineLimits.maximumColumns)), cellLimit: 1).batch()
    }
}

extension RowBatch {
    /// Passes all values as one buffer, which is valid inside `body` only. ``valueRange(row:column:)`` returns the range of each value.
    public func withValues<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(buffer) { try body(values) }
    }

    /// The range of a value in the buffer of ``withValues(_:)``; `nil` for NULL.
    public func valueRange(row: Int, column: Int) -> Range<Int>? {
        isNull(row: row, column: column) ? nil : range(ofCellAt: cellIndex(row: row, column: column))
    }
}
