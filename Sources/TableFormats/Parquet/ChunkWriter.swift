import CCodecs
import Tables

/// The function that receives the bytes of the file, and the number of bytes passed to it.
final class CountedOutput {
    private let output: FileOutput
    /// The number of written bytes.
    private(set) var count = 0

    init(_ output: @escaping FileOutput) { self.output = output }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard !bytes.isEmpty else { return }
        try output(UnsafeRawBufferPointer(bytes))
        count += bytes.count
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBufferPointer { try write($0) } }

    func write(_ bytes: GrowingBytes) throws { try write(UnsafeBufferPointer(start: bytes.start, count: bytes.count)) }
}

/// Writes the values of a column in one row group: a dictionary if few values are distinct, then pages, and the metadata of both.
///
/// Memory: one page, uncompressed and compressed, and the dictionary. The metadata stays in memory until the end of the file.
final class ChunkWriter {
    /// Positions of one written chunk.
    struct Chunk {
        /// The number of bytes that the chunk takes in ``metadata``, ``columnIndexes`` and ``offsetIndexes``.
        var metadataCount: Int
        var columnIndexCount: Int
        var offsetIndexCount: Int
        /// The offset of the chunk in the file.
        var start: Int
        var uncompressedBytes: Int
        var compressedBytes: Int
    }

    /// The properties of a written page, for the indexes at the end of the file.
    private struct Page {
        var offset: Int
        var byteCount: Int
        /// The first row of the page, counted from the start of the row group.
        var row: Int
        var nullCount: Int
        /// True if all values of the page are null.
        var isNull: Bool
        var bounds: ChunkBounds.Bounds?
    }

    private let limits: ParquetLimits
    private let compressor: PageCompressor
    private let output: CountedOutput
    private let dictionary = DictionaryBuilder()
    /// For each value of the dictionary, the number of the last page that contains it, from 1; 0 if no page contains it.
    private let lastPageOfCode = RawBuffer()
    /// The uncompressed content of the page that is being written.
    private let bytes = GrowingBytes()
    private var thrift = ThriftWriter()
    /// The written pages of the current chunk.
    private var pages: [Page] = []
    /// The uncompressed size of the current chunk, including page headers.
    private var uncompressedBytes = 0

    /// The encoded metadata, column indexes and offset indexes of all chunks, which are written at the end of the file.
    let metadata = GrowingBytes()
    let columnIndexes = GrowingBytes()
    let offsetIndexes = GrowingBytes()
    private(set) var chunks: [Chunk] = []

    init(_ limits: ParquetLimits, _ compressor: PageCompressor, _ output: CountedOutput) {
        (self.limits, self.compressor, self.output) = (limits, compressor, output)
    }

    /// The size in memory, in bytes.
    var byteCount: Int {
        bytes.capacity + dictionary.byteCount + metadata.capacity + columnIndexes.capacity + offsetIndexes.capacity
    }

    // MARK: Pages

    /// Writes the values of a chunk with at least one row.
    func write(_ values: ChunkValues) throws {
        let start = output.count
        pages.removeAll(keepingCapacity: true)
        uncompressedBytes = 0
        let usesDictionary = hasDictionary(values)
        if usesDictionary {
            bytes.removeAll()
            values.putPlain(dictionary.firstIndices, dictionary.count, into: bytes)
            try writePage(.dictionary, valueCount: dictionary.count, .plain)
            lastPageOfCode.reserve(dictionary.count * 4)
            lastPageOfCode.values(UInt32.self).update(repeating: 0, count: dictionary.count)
        }
        let dataStart = output.count
        let order = ChunkBounds(values)
        var (row, entry, index) = (0, 0, 0)
        while row < values.rowCount {
            let (rows, entries, count) = values.page(
                fromRow: row, entry: entry, value: index, maximumRows: limits.pageRows,
                maximumBytes: usesDictionary ? nil : limits.pageBytes)
            let range = index..<index + count
            bytes.removeAll()
            putLevels(values.repetitions + entry, entries, maximum: values.leaf.maximumRepetition)
            putLevels(values.levels + entry, entries, maximum: values.leaf.maximumDefinition)
            if usesDictionary {
                bytes.put(UInt8(dictionary.width))
                RunEncoder.put(UnsafePointer(dictionary.codes + index), count, width: dictionary.width, into: bytes)
            } else {
                values.putPlain(range, into: bytes)
            }
            let offset = output.count
            try writePage(.data, valueCount: entries, usesDictionary ? .dictionary : .plain)
            let bounds =
                usesDictionary && values.leaf.storage == .bytes
                ? order.bounds(range, dictionary, lastPageOfCode: lastPageOfCode.values(UInt32.self), page: UInt32(pages.count + 1))
                : order.bounds(range)
            pages.append(
                Page(
                    offset: offset, byteCount: output.count - offset, row: row, nullCount: entries - count, isNull: count == 0,
                    bounds: bounds))
            row += rows
            entry += entries
            index += count
        }
        try addMetadata(values, order, start: start, dataStart: dataStart, usesDictionary: usesDictionary)
    }

    /// Adds levels to the page, preceded by their size in bytes. Levels whose maximum is 0 are not stored.
    private func putLevels(_ levels: UnsafePointer<UInt8>, _ count: Int, maximum: Int) {
        guard maximum > 0 else { return }
        let start = bytes.count
        bytes.put(UInt32(0))
        RunEncoder.put(levels, count, width: Int.bitWidth - maximum.leadingZeroBitCount, into: bytes)
        bytes.set(UInt32(bytes.count - start - 4), at: start)
    }

    private func hasDictionary(_ values: ChunkValues) -> Bool {
        switch values.leaf.storage {
        case .words: dictionary.build(values.words, values.count)
        case .flags: false
        case .bytes: dictionary.build(values, maximumBytes: limits.dictionaryBytes)
        }
    }

    /// Writes ``bytes`` as a page.
    private func writePage(_ kind: PageHeader.Kind, valueCount: Int, _ encoding: PageHeader.Encoding) throws {
        let compressed = try compressor.compress(bytes)
        let header = PageHeader(
            kind, valueCount: valueCount, encoding: encoding, uncompressedBytes: bytes.count, compressedBytes: compressed.count,
            checksum: compressed.baseAddress.map { gv_crc32($0, compressed.count) } ?? 0)
        thrift.removeAll()
        header.write(to: &thrift)
        uncompressedBytes += thrift.bytes.count + bytes.count
        try output.write(thrift.bytes)
        try output.write(compressed)
    }

    // MARK: Metadata

    private func addMetadata(_ values: ChunkValues, _ order: ChunkBounds, start: Int, dataStart: Int, usesDictionary: Bool) throws {
        let compressedBytes = output.count - start
        let element = values.leaf.element
        thrift.removeAll()
        thrift.writeStructure { thrift in
            typealias Field = ParquetField.ChunkMetadata
            thrift.writeInteger(Field.type, (element.type ?? .bytes).rawValue)
            let encodings: [PageHeader.Encoding] =
                (usesDictionary ? [.plain, .dictionary] : [.plain]) + (values.leaf.maximumDefinition > 0 ? [.runs] : [])
            thrift.beginList(Field.encodings, .int32, count: encodings.count)
            for encoding in encodings { thrift.writeElement(encoding.rawValue) }
            thrift.beginList(Field.path, .binary, count: values.leaf.path.count)
            for name in values.leaf.path { thrift.writeElement(name) }
            thrift.writeInteger(Field.codec, compressor.codec.rawValue)
            thrift.writeInteger(Field.valueCount, values.entryCount, .int64)
            thrift.writeInteger(Field.uncompressedBytes, uncompressedBytes, .int64)
            thrift.writeInteger(Field.compressedBytes, compressedBytes, .int64)
            thrift.writeInteger(Field.dataStart, dataStart, .int64)
            if usesDictionary { thrift.writeInteger(Field.dictionaryStart, start, .int64) }
            thrift.writeStructure(Field.statistics) { addStatistics(values, order, usesDictionary: usesDictionary, to: &$0) }
            let counts: [(PageHeader.Kind, PageHeader.Encoding, Int)] =
                usesDictionary ? [(.dictionary, .plain, 1), (.data, .dictionary, pages.count)] : [(.data, .plain, pages.count)]
            thrift.beginList(Field.pageCounts, .structure, count: counts.count)
            for (kind, encoding, count) in counts {
                thrift.writeStructure { thrift in
                    thrift.writeInteger(ParquetField.PageCount.kind, kind.rawValue)
                    thrift.writeInteger(ParquetField.PageCount.encoding, encoding.rawValue)
                    thrift.writeInteger(ParquetField.PageCount.count, count)
                }
            }
        }
        metadata.put(thrift.bytes)
        let metadataCount = thrift.bytes.count
        thrift.removeAll()
        let columnIndexCount = addColumnIndex(order) ? thrift.bytes.count : 0
        if columnIndexCount > 0 { columnIndexes.put(thrift.bytes) }
        thrift.removeAll()
        addOffsetIndex()
        offsetIndexes.put(thrift.bytes)
        chunks.append(
            Chunk(
                metadataCount: metadataCount, columnIndexCount: columnIndexCount, offsetIndexCount: thrift.bytes.count, start: start,
                uncompressedBytes: uncompressedBytes, compressedBytes: compressedBytes))
    }

    /// Adds the statistics of a chunk. A chunk that contains NaN gets no bounds, because a reader that sorts NaN after the numbers could
    /// wrongly skip it.
    private func addStatistics(_ values: ChunkValues, _ order: ChunkBounds, usesDictionary: Bool, to thrift: inout ThriftWriter) {
        typealias Field = ParquetField.Statistics
        thrift.writeInteger(Field.nullCount, values.entryCount - values.count, .int64)
        // The number of codes is not the number of distinct floating-point numbers, because numbers with different bits, such as 0.0 and
        // -0.0, can be equal.
        let isFloating = values.leaf.element.type == .double || values.leaf.element.type == .float
        if usesDictionary, !isFloating { thrift.writeInteger(Field.distinctCount, dictionary.count, .int64) }
        guard pages.allSatisfy({ $0.isNull || $0.bounds != nil }) else { return }
        var all: ChunkBounds.Bounds?
        for case let bounds? in pages.lazy.map(\.bounds) {
            if var known = all {
                order.extend(&known, bounds.low)
                order.extend(&known, bounds.high)
                all = known
            } else {
                all = bounds
            }
        }
        guard let all else { return }
        let (low, high) = (
            order.storedLowerBound(all.low, limit: limits.boundBytes), order.storedUpperBound(all.high, limit: limits.boundBytes)
        )
        if let high { thrift.writeBinary(Field.maximum, high.bytes) }
        thrift.writeBinary(Field.minimum, low.bytes)
        if let high { thrift.writeFlag(Field.isMaximumExact, high.isExact) }
        thrift.writeFlag(Field.isMinimumExact, low.isExact)
    }

    /// Adds the column index. Returns `false` if a page has no bounds; the chunk then has no index.
    private func addColumnIndex(_ order: ChunkBounds) -> Bool {
        var (lower, upper): ([[UInt8]], [[UInt8]]) = ([], [])
        for page in pages {
            guard !page.isNull else {
                lower.append([])
                upper.append([])
                continue
            }
            guard let bounds = page.bounds, let high = order.storedUpperBound(bounds.high, limit: limits.boundBytes) else { return false }
            lower.append(order.storedLowerBound(bounds.low, limit: limits.boundBytes).bytes)
            upper.append(high.bytes)
        }
        thrift.writeStructure { thrift in
            typealias Field = ParquetField.ColumnIndex
            thrift.beginList(Field.isNull, .yes, count: pages.count)
            for page in pages { thrift.writeElement(page.isNull) }
            thrift.beginList(Field.minima, .binary, count: lower.count)
            for bound in lower { thrift.writeElement(bound) }
            thrift.beginList(Field.maxima, .binary, count: upper.count)
            for bound in upper { thrift.writeElement(bound) }
            thrift.writeInteger(Field.order, boundaryOrder(order).rawValue)
            thrift.beginList(Field.nullCounts, .int64, count: pages.count)
            for page in pages { thrift.writeElement(page.nullCount) }
        }
        return true
    }

    /// The order of the page bounds. Pages with only nulls are skipped. Bounds have the same order after they are cut to the limit.
    private func boundaryOrder(_ order: ChunkBounds) -> BoundaryOrder {
        var (isAscending, isDescending) = (true, true)
        var last: ChunkBounds.Bounds?
        for case let bounds? in pages.lazy.map(\.bounds) {
            if let last {
                if order.isLess(bounds.low, last.low) || order.isLess(bounds.high, last.high) { isAscending = false }
                if order.isLess(last.low, bounds.low) || order.isLess(last.high, bounds.high) { isDescending = false }
            }
            last = bounds
        }
        return isAscending ? .ascending : isDescending ? .descending : .none
    }

    private func addOffsetIndex() {
        thrift.writeStructure { thrift in
            thrift.beginList(ParquetField.OffsetIndex.pageLocations, .structure, count: pages.count)
            for page in pages {
                thrift.writeStructure { thrift in
                    thrift.writeInteger(ParquetField.PageLocation.offset, page.offset, .int64)
                    thrift.writeInteger(ParquetField.PageLocation.byteCount, page.byteCount)
                    thrift.writeInteger(ParquetField.PageLocation.row, page.row, .int64)
                }
            }
        }
    }
}
