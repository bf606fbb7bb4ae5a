/// Collects rows for a message. See ``RowBatch`` for the layout.
public struct RowBatchWriter: ~Copyable {
    private let columnCount: Int
    private let hasKinds: Bool
    private let cellLimit: Int
    // The parts of the message; see ``RowBatch``.
    private var offsets = ByteBuffer()
    private var nulls: [UInt8] = []
    private var kinds: [UInt8] = []
    private var truncatedCells = ByteWriter()
    private var truncatedCellCount = 0
    private var values = ByteBuffer()
    private var cellCount = 0
    /// The number of complete rows.
    public private(set) var rowCount = 0

    /// Creates an empty batch.
    /// - Parameters:
    ///   - columnCount: the number of cells of a row, at most ``EngineLimits/maximumColumns``.
    ///   - cellLimit: the maximum number of bytes of a cell.
    ///   - hasKinds: true if the cells have storage classes.
    public init(columnCount: Int, cellLimit: Int, hasKinds: Bool = false) {
        (self.columnCount, self.hasKinds) = (columnCount, hasKinds)
        self.cellLimit = max(1, min(cellLimit, EngineLimits.maximumCellValueBytes))
        offsets.extend(4).storeBytes(of: 0, as: UInt32.self)
    }

    /// The size in bytes, counted as for ``EngineLimits/maximumBatchBytes``. Each row counts as at least one cell, so that rows without
    /// columns reach the limit, too.
    public var byteCount: Int {
        values.count + max(cellCount, rowCount) * EngineLimits.cellOverheadBytes + truncatedCellCount * Self.truncatedCellBytes
    }
    private static let truncatedCellBytes = 12

    /// True if the batch should be sent before the next row is added. Otherwise, cells of that row might have to be cut.
    public var isFull: Bool {
        byteCount >= EngineLimits.maximumUnpagedResultBytes || cellCount + columnCount >= EngineLimits.maximumMessageBytes / 8
    }

    /// Appends NULL.
    public mutating func appendNull() {
        finishCell(.text)
        let cell = cellCount - 1
        nulls[cell >> 3] |= 1 << (cell & 7)
    }

    /// Appends a value. A value longer than the limit is cut, and its full length is recorded.
    public mutating func append(_ value: UnsafeRawBufferPointer, _ kind: RowBatch.CellKind = .text) {
        var length = min(value.count, cellLimit)
        // Reserve space for the other cells of the row.
        let space = EngineLimits.maximumBatchBytes - byteCount - columnCount * EngineLimits.cellOverheadBytes
        if length > space { length = max(0, space) }
        if length < value.count {
            if kind != .blob { length = Self.characterStart(value, length) }
            truncatedCells.writeInteger(UInt32(clamping: cellCount))
            truncatedCells.writeInteger(UInt64(value.count))
            truncatedCellCount += 1
        }
        if length > 0 { values.extend(length).copyMemory(from: value.baseAddress!, byteCount: length) }
        finishCell(kind)
    }

    /// The greatest length up to `length` at which the value can be cut without splitting a UTF-8 character.
    private static func characterStart(_ value: UnsafeRawBufferPointer, _ length: Int) -> Int {
        guard length < value.count else { return length }
        for index in stride(from: length, through: max(0, length - 3), by: -1) where value[index] & 0xC0 != 0x80 { return index }
        return length
    }

    @inline(__always)
    private mutating func finishCell(_ kind: RowBatch.CellKind) {
        // The values take at most `EngineLimits.maximumBatchBytes`, so the offset fits into 32 bits.
        offsets.extend(4).storeBytes(of: UInt32(truncatingIfNeeded: values.count).littleEndian, as: UInt32.self)
        if cellCount & 7 == 0 { nulls.append(0) }
        if hasKinds { kinds.append(kind.rawValue) }
        cellCount += 1
    }

    /// Ends a row. Call it after all cells of the row were appended.
    public mutating func endRow() {
        rowCount += 1
        assert(cellCount == rowCount * columnCount)
    }

    /// Removes all rows, and keeps some memory for reuse.
    mutating func removeAll() {
        values.shrink(to: 1 << 20)
        offsets.shrink(to: 1 << 20)
        values.removeAll()
        offsets.removeAll()
        offsets.extend(4).storeBytes(of: 0, as: UInt32.self)
        nulls.removeAll(keepingCapacity: true)
        kinds.removeAll(keepingCapacity: true)
        (truncatedCells, truncatedCellCount, cellCount, rowCount) = (ByteWriter(), 0, 0, 0)
    }

    /// The parts of the message, in order.
    func withMessageParts<Result>(_ body: ([UnsafeRawBufferPointer]) throws -> Result) rethrows -> Result {
        var header = ByteWriter()
        header.writeCount(rowCount)
        header.writeCount(columnCount)
        header.writeCount(truncatedCellCount)
        header.writeCount(values.count)
        header.writeInteger(hasKinds ? RowBatch.kindsFlag : 0)
        return try header.bytes.withUnsafeBytes { header in
            try nulls.withUnsafeBytes { nulls in
                try kinds.withUnsafeBytes { kinds in
                    try truncatedCells.bytes.withUnsafeBytes { truncatedCells in
                        try body([header, offsets.bytes, nulls, kinds, truncatedCells, values.bytes])
                    }
                }
            }
        }
    }

    /// The rows as a batch, without a socket. For tests and for drivers in the same process.
    public func batch() throws(MalformedMessage) -> RowBatch {
        let bytes = withMessageParts { parts in
            var bytes: [UInt8] = []
            for part in parts { bytes.append(contentsOf: part) }
            return bytes
        }
        guard let buffer = MessageBuffer(copying: bytes) else { throw MalformedMessage("memory") }
        return try RowBatch(buffer)
    }
}
