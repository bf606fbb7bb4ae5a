import Tables

/// The maximum sizes of row groups, pages and other parts of a written file.
struct ParquetLimits {
    /// The maximum number of rows of a row group, and the maximum size of its values in memory, in bytes.
    var groupRows = 122_880
    var groupBytes = 64 << 20
    /// The maximum size of a page in rows and in uncompressed bytes. A longer value has its own page.
    var pageRows = 20_000
    var pageBytes = 1 << 20
    /// The maximum number of bytes of a dictionary of strings.
    var dictionaryBytes = 1 << 20
    /// The maximum number of bytes of a string in statistics and indexes.
    var boundBytes = 64
}

/// Writes Apache Parquet, with pages of version 1, dictionaries, statistics, page indexes and checksums.
///
/// Pages are compressed with zstd at level 3 if libzstd is installed, otherwise not at all.
struct ParquetOutputFormat: WritableFormat {
    let name = "parquet"
    let title = "Parquet"
    let suffixes = ["parquet"]
    var limits = ParquetLimits()
    /// False to write pages without compression, as if libzstd were missing.
    var compresses = true

    func columnNames(for names: [String]) -> [String] { DistinctNames.numbered(names) { $0 } }

    func canWrite(_ type: NestedType) -> Bool { NestedChunkValues.canWrite(type) }

    func makeWriter(
        _ columns: [WrittenColumn], rowCount: Int, table: String, to output: @escaping FileOutput
    ) throws -> any TableWriter {
        try ParquetWriter(columns, limits, PageCompressor(compresses ? .system : nil), CountedOutput(output))
    }
}

/// The values of a column in the current row group.
protocol WrittenChunks: AnyObject {
    /// The elements of the schema, from the column to its leaves.
    var elements: [ParquetMetadata.SchemaElement] { get }
    var leaves: [ChunkValues] { get }
    var minimumRowBytes: Int { get }
    /// Increases the size of each row by the number of bytes of its values of variable length.
    /// - Parameter sizes: the sizes of the rows, one for each row of the range.
    func addSizes(_ vector: ColumnVector, _ rows: Range<Int>, to sizes: UnsafeMutablePointer<Int>) throws
    /// Appends some rows of a vector.
    /// - Returns: the number of bytes that the rows take in addition to the sizes that ``addSizes(_:_:to:)`` has computed.
    func append(_ vector: ColumnVector, _ rows: Range<Int>) throws -> Int
}

/// Writes a Parquet file, one row group after the other.
///
/// Memory: the values of a row group have at most 64 MiB, plus one row. Buffers grow by half and are reused for the next group. Therefore
/// all buffers together have at most 192 MiB. One page is in memory, uncompressed and compressed. The metadata of all groups is in memory
/// until the end: about 250 bytes for each column of a row group and 40 for each page, more with long strings.
final class ParquetWriter: TableWriter {
    private static let version = 2
    /// The name and version of the program. Readers use it to work around errors of certain writers, so the specification fixes its form.
    private static let createdBy = "gridview version \(GridviewVersion.text)"
    /// The maximum number of rows whose sizes are computed at once.
    private static let measuredRows = 2_048
    /// The number of bytes of the footer that are collected in memory before they are written.
    private static let footerBytes = 1 << 16

    private let limits: ParquetLimits
    private let output: CountedOutput
    private let chunkWriter: ChunkWriter
    private let columns: [any WrittenChunks]
    /// The leaves of all columns.
    private let leaves: [ChunkValues]
    /// The sizes of up to ``measuredRows`` rows, in bytes.
    private let rowSizes = RawBuffer()
    private let minimumRowBytes: Int
    private var hasStarted = false
    /// The number of rows in memory.
    private var bufferedRowCount = 0
    /// The number of bytes of the values in memory.
    private var bufferedBytes = 0
    /// The number of rows of each written row group.
    private var groupRowCounts: [Int] = []

    init(_ columns: [WrittenColumn], _ limits: ParquetLimits, _ compressor: PageCompressor, _ output: CountedOutput) throws {
        self.limits = limits
        self.output = output
        let names = ParquetOutputFormat().columnNames(for: columns.map(\.name))
        self.columns = try zip(columns, names).map { column, name in
            guard case .nested(let type) = column.type else { return ChunkValues(try WrittenLeaf(column, name: name)) }
            return try NestedChunkValues(column, type, name: name)
        }
        leaves = self.columns.flatMap(\.leaves)
        minimumRowBytes = self.columns.reduce(0) { $0 + $1.minimumRowBytes }
        chunkWriter = ChunkWriter(limits, compressor, output)
    }

    /// The size in memory, in bytes.
    var byteCount: Int { leaves.reduce(chunkWriter.byteCount) { $0 + $1.byteCount } }

    // MARK: Rows

    func write(_ batch: ColumnBatch) throws {
        try start()
        guard batch.columns.count == columns.count else {
            throw FormatError("Cannot write the table: its columns have changed. Reload the file to try again.")
        }
        var first = 0
        while first < batch.count {
            let (count, size) = try countFittingRows(batch, first)
            guard count > 0 else {
                try writeGroup()
                continue
            }
            bufferedBytes += size
            for (column, vector) in zip(columns, batch.columns) { bufferedBytes += try column.append(vector, first..<first + count) }
            first += count
            bufferedRowCount += count
            if bufferedRowCount >= limits.groupRows { try writeGroup() }
        }
    }

    /// Counts the rows that fit in the row group, starting with the row `first` of the batch. Returns the number of rows, and the size of
    /// their values in bytes. A row always fits in an empty group.
    private func countFittingRows(_ batch: ColumnBatch, _ first: Int) throws -> (rows: Int, bytes: Int) {
        let count = min(batch.count - first, limits.groupRows - bufferedRowCount, Self.measuredRows)
        rowSizes.reserve(Self.measuredRows * 8)
        let sizes = rowSizes.values(Int.self)
        sizes.update(repeating: minimumRowBytes, count: count)
        for (column, vector) in zip(columns, batch.columns) { try column.addSizes(vector, first..<first + count, to: sizes) }
        var (fitting, total) = (0, 0)
        while fitting < count, total &+ sizes[fitting] <= limits.groupBytes - bufferedBytes || bufferedRowCount + fitting == 0 {
            total &+= sizes[fitting]
            fitting += 1
        }
        return (fitting, total)
    }

    private func start() throws {
        guard !hasStarted else { return }
        hasStarted = true
        try output.write(ParquetFormat.magic)
    }

    private func writeGroup() throws {
        for leaf in leaves {
            try chunkWriter.write(leaf)
            leaf.removeAll()
        }
        groupRowCounts.append(bufferedRowCount)
        (bufferedRowCount, bufferedBytes) = (0, 0)
    }

    // MARK: Footer

    func finish() throws {
        try start()
        if bufferedRowCount > 0 { try writeGroup() }
        let columnIndexStart = output.count
        try output.write(chunkWriter.columnIndexes)
        let offsetIndexStart = output.count
        try output.write(chunkWriter.offsetIndexes)
        let footerStart = output.count
        var thrift = ThriftWriter()
        try thrift.writeStructure { thrift in
            typealias Field = ParquetField.File
            thrift.writeInteger(Field.version, Self.version)
            let elements = columns.flatMap(\.elements)
            thrift.beginList(Field.schema, .structure, count: elements.count + 1)
            var root = ParquetMetadata.SchemaElement()
            (root.name, root.childCount) = ("schema", columns.count)
            root.write(to: &thrift, isRoot: true)
            for element in elements { element.write(to: &thrift) }
            thrift.writeInteger(Field.rowCount, groupRowCounts.reduce(0, +), .int64)
            thrift.beginList(Field.groups, .structure, count: groupRowCounts.count)
            try writeGroups(to: &thrift, columnIndexStart: columnIndexStart, offsetIndexStart: offsetIndexStart)
            thrift.writeText(Field.createdBy, Self.createdBy)
            thrift.beginList(Field.columnOrders, .structure, count: leaves.count)
            for _ in leaves { thrift.writeStructure { $0.writeStructure(ParquetField.ColumnOrder.byType) { _ in } } }
        }
        try output.write(thrift.bytes)
        guard let count = UInt32(exactly: output.count - footerStart) else {
            throw FormatError("Cannot write the table as Parquet: it has too many columns and rows. Write fewer columns or rows.")
        }
        try output.write((0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + ParquetFormat.magic)
    }

    private func writeGroups(to thrift: inout ThriftWriter, columnIndexStart: Int, offsetIndexStart: Int) throws {
        var (chunkIndex, metadata) = (0, UnsafePointer(chunkWriter.metadata.start))
        var (columnIndex, offsetIndex) = (columnIndexStart, offsetIndexStart)
        for groupRows in groupRowCounts {
            let chunks = chunkWriter.chunks[chunkIndex..<chunkIndex + leaves.count]
            chunkIndex += leaves.count
            thrift.writeStructure { thrift in
                thrift.beginList(ParquetField.Group.chunks, .structure, count: chunks.count)
                for chunk in chunks {
                    thrift.writeStructure { thrift in
                        typealias Field = ParquetField.Chunk
                        // 0: the metadata is only in the footer, without a copy near the pages.
                        thrift.writeInteger(Field.metadataStart, 0, .int64)
                        thrift.writeStructure(Field.metadata, bytes: UnsafeBufferPointer(start: metadata, count: chunk.metadataCount))
                        thrift.writeInteger(Field.offsetIndexStart, offsetIndex, .int64)
                        thrift.writeInteger(Field.offsetIndexCount, chunk.offsetIndexCount)
                        if chunk.columnIndexCount > 0 {
                            thrift.writeInteger(Field.columnIndexStart, columnIndex, .int64)
                            thrift.writeInteger(Field.columnIndexCount, chunk.columnIndexCount)
                        }
                    }
                    metadata += chunk.metadataCount
                    offsetIndex += chunk.offsetIndexCount
                    columnIndex += chunk.columnIndexCount
                }
                thrift.writeInteger(ParquetField.Group.byteCount, chunks.reduce(0) { $0 + $1.uncompressedBytes }, .int64)
                thrift.writeInteger(ParquetField.Group.rowCount, groupRows, .int64)
                thrift.writeInteger(ParquetField.Group.start, chunks.first?.start ?? 0, .int64)
                thrift.writeInteger(ParquetField.Group.compressedBytes, chunks.reduce(0) { $0 + $1.compressedBytes }, .int64)
            }
            if thrift.bytes.count >= Self.footerBytes {
                try output.write(thrift.bytes)
                thrift.removeAll()
            }
        }
    }
}
