import CCodecs
import DelimitedText
import Locks

/// An open Parquet file: its metadata, and the page positions, dictionaries and statistics read so far. Any thread can use it.
///
/// Memory: the metadata, at most 8,192 page positions for each of at most 4,096 column chunks, 4 MiB of dictionaries, and the statistics
/// of at most 262,144 pages and of one more chunk.
final class ParquetFile: Sendable {
    let bytes: BinaryFile
    let schema: ParquetSchema
    let groups: [ParquetMetadata.RowGroup]
    /// For each row group, its first row. The last element is the row count of the file.
    let groupStarts: [Int]
    /// The offset after the last page.
    let dataEnd: Int
    private let directories = Mutex<[ChunkID: PageDirectory]>([:])
    private let dictionaries = Mutex(DictionaryCache())
    /// The statistics of the pages of each chunk that was asked for; `nil` for a chunk without statistics.
    private let pageIndexes = Mutex<(items: [ChunkID: ParquetPageIndex?], pageCount: Int)>(([:], 0))

    /// Identifies a column chunk: the values of one leaf in one row group.
    struct ChunkID: Hashable {
        var group: Int
        var leaf: Int
        /// True if the values are not converted to values of the table. See ``ParquetLeaf/raw``.
        var isRaw = false
    }

    private static let maximumDirectories = 4_096
    /// The maximum number of pages and chunks with cached statistics.
    private static let maximumIndexedPages = 1 << 18
    private static let maximumDictionaryBytes = 256 << 20

    init(_ bytes: BinaryFile, _ metadata: ParquetMetadata, dataEnd: Int) throws {
        (self.bytes, groups, self.dataEnd) = (bytes, metadata.groups, dataEnd)
        schema = try ParquetSchema(metadata.schema, createdBy: metadata.createdBy, arrowSchema: metadata.arrowSchema)
        var starts = [0]
        for group in groups {
            let (sum, overflow) = starts[starts.count - 1].addingReportingOverflow(group.rowCount)
            guard !overflow, sum <= 1 << 48 else { throw ParquetError("it has an invalid number of rows") }
            starts.append(sum)
            guard group.chunks.count == schema.leaves.count else {
                throw ParquetError("a row group has \(group.chunks.count) columns instead of \(schema.leaves.count)")
            }
            for (chunk, leaf) in zip(group.chunks, schema.leaves) {
                guard group.rowCount == 0 || chunk.isElsewhere || chunk.isEncrypted || chunk.start < dataEnd && chunk.end <= dataEnd else {
                    throw ParquetError("the pages of column “\(leaf.name)” are outside the file")
                }
            }
        }
        groupStarts = starts
    }

    var rowCount: Int { groupStarts[groupStarts.count - 1] }

    func group(ofRow row: Int) -> Int {
        var (low, high) = (0, groups.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if groupStarts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }

    // MARK: Pages

    /// Reads the header of a page.
    func header(at offset: Int) throws -> PageHeader {
        guard offset >= 4, offset < dataEnd else { throw ParquetError("a page is outside the file") }
        // A header that contains statistics of long strings may be longer than the bytes of the first read.
        var count = 512
        while true {
            let headerBytes = try bytes.bytes(at: offset, count: min(count, dataEnd - offset))
            do {
                let header = try PageHeader(headerBytes)
                guard header.totalBytes <= dataEnd - offset else { throw ParquetError("a page ends after the end of the file") }
                try header.checkSize()
                return header
            } catch let error as ParquetError where error.isCutOff && count < dataEnd - offset && count < 16 << 20 {
                count *= 16
            }
        }
    }

    /// Reads and decompresses a page into `target`, with `compressed` as memory for the compressed bytes.
    /// - Parameter limit: the number of bytes that are needed. Later bytes may be skipped. Damage in skipped bytes is not detected.
    /// - Returns: the number of bytes in `target`. The levels of a page of version 2 come first.
    func readPage(
        at offset: Int, _ header: PageHeader, _ codec: ParquetMetadata.Codec, limit: Int = .max, into target: RawBuffer,
        compressed: RawBuffer
    ) throws -> Int {
        let start = offset + header.headerBytes
        let isPlain = codec == .none || !header.isCompressed
        let levels = header.kind == .dataV2 ? header.repetitionBytes + header.definitionBytes : 0
        guard levels <= header.uncompressedBytes, levels <= header.compressedBytes,
            !isPlain || header.compressedBytes <= header.uncompressedBytes
        else {
            throw ParquetError("a page has an invalid size")
        }
        let input = isPlain ? target : compressed
        input.reserve(header.compressedBytes)
        try bytes.read(into: input.start, count: header.compressedBytes, at: start)
        if let checksum = header.checksum, gv_crc32(input.start, header.compressedBytes) != checksum {
            throw ParquetError("the checksum of a page does not match")
        }
        guard !isPlain else { return header.compressedBytes }
        target.reserve(header.uncompressedBytes)
        target.start.update(from: input.start, count: levels)
        let expected = header.uncompressedBytes - levels
        guard header.compressedBytes > levels || expected > 0 else { return levels }
        if codec == .snappy, levels == 0, limit < expected {
            let written = gv_snappy_decode_start(input.start, header.compressedBytes, target.start, expected, limit)
            guard written >= min(limit, expected) else { throw ParquetError("a page cannot be decompressed (\(codec.name))") }
            return written
        }
        let written = try Self.decompress(
            input.start + levels, header.compressedBytes - levels, codec, into: target.start + levels, expected, bytes.name)
        guard written == expected else { throw ParquetError("a page cannot be decompressed (\(codec.name))") }
        return header.uncompressedBytes
    }

    private static func decompress(
        _ input: UnsafePointer<UInt8>, _ count: Int, _ codec: ParquetMetadata.Codec, into output: UnsafeMutablePointer<UInt8>,
        _ capacity: Int, _ name: String
    ) throws -> Int {
        func decodeAll(_ codec: Codec) throws -> Int {
            let written = gv_decode_all(codec.raw, input, count, output, capacity)
            guard written == -2 else { return written }
            throw missingLibraryError(of: codec, name)
        }
        switch codec {
        case .none: return -1
        case .snappy: return gv_snappy_decode(input, count, output, capacity)
        case .lz4Raw: return gv_lz4_block_decode(input, count, output, capacity)
        case .lz4:
            // Programs disagree on the framing of this codec: blocks with lengths, a frame, or a bare block.
            let written = decodeFramedBlocks(input, count, output, capacity)
            if written == capacity { return written }
            if count >= 4, input[0] == 4, input[1] == 0x22, input[2] == 0x4D, input[3] == 0x18 { return try decodeAll(.lz4) }
            return gv_lz4_block_decode(input, count, output, capacity)
        case .gzip: return try decodeAll(.gzip)
        case .zstd: return try decodeAll(.zstd)
        case .brotli: return try decodeAll(.brotli)
        case .lzo: return -1
        }
    }

    /// The error for a codec whose library is missing.
    /// - Parameter name: the name of the file.
    static func missingLibraryError(of codec: Codec, _ name: String) -> FormatError {
        FormatError("Cannot read \(name): this Parquet file is compressed with \(codec.name). \(codec.missingLibrary)")
    }

    /// Decodes a sequence of LZ4 blocks. Before each block, there are its decompressed and its compressed length, both big-endian. Returns
    /// -1 if the bytes are damaged.
    private static func decodeFramedBlocks(
        _ input: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> Int {
        func length(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(input[offset + $1]) } }
        var (position, written) = (0, 0)
        while count - position >= 8 {
            let (plain, compressed) = (length(position), length(position + 4))
            guard compressed <= count - position - 8, plain <= capacity - written else { return -1 }
            guard gv_lz4_block_decode(input + position + 8, compressed, output + written, plain) == plain else { return -1 }
            position += 8 + compressed
            written += plain
        }
        return position == count ? written : -1
    }

    // MARK: Directories and dictionaries

    /// In a chunk, the location of the last known page that begins at or before a row.
    func pageLocation(ofRow row: Int, _ id: ChunkID) -> PageLocation {
        if let location = directories.withLock({ $0[id]?.pageLocation(ofRow: row) }) { return location }
        let chunk = groups[id.group].chunks[id.leaf]
        let directory = (try? PageDirectory(chunk, rowCount: groups[id.group].rowCount, self)) ?? PageDirectory(start: chunk.start)
        return directories.withLock { directories in
            if directories.count >= Self.maximumDirectories { directories.removeAll() }
            directories[id] = directory
            return directory.pageLocation(ofRow: row)
        }
    }

    func addPageLocation(_ location: PageLocation, _ id: ChunkID) { directories.withLock { $0[id]?.add(location) } }

    /// The statistics of the pages of a chunk; `nil` if they are missing or invalid.
    func pageIndex(_ id: ChunkID) -> ParquetPageIndex? {
        if let cached = pageIndexes.withLock({ $0.items[id] }) { return cached }
        let chunk = groups[id.group].chunks[id.leaf]
        let isPossible = chunk.columnIndexCount > 0 && chunk.offsetIndexCount > 0
        let index =
            isPossible ? try? ParquetPageIndex(chunk, schema.leaves[id.leaf], rowCount: groups[id.group].rowCount, self) : nil
        pageIndexes.withLock { indexes in
            if indexes.pageCount >= Self.maximumIndexedPages { indexes = ([:], 0) }
            if indexes.items.updateValue(index, forKey: id) == nil { indexes.pageCount += 1 + (index?.bounds.count ?? 0) }
        }
        return index
    }

    /// The dictionary of a chunk; `nil` for a chunk without a dictionary.
    func dictionary(_ id: ChunkID, compressed: RawBuffer) throws -> DecodedDictionary? {
        if let cached = dictionaries.withLock({ $0.find(id) }) { return cached }
        let chunk = groups[id.group].chunks[id.leaf]
        let header = try header(at: chunk.start)
        guard header.kind == .dictionary else { return nil }
        guard header.uncompressedBytes <= Self.maximumDictionaryBytes else {
            throw ParquetError.tooLarge("a dictionary is larger than 256 MiB")
        }
        let page = RawBuffer()
        let count = try readPage(at: chunk.start, header, chunk.codec, into: page, compressed: compressed)
        let leaf = schema.leaves[id.leaf]
        let dictionary = try DecodedDictionary(page, byteCount: count, count: header.valueCount, id.isRaw ? leaf.raw : leaf)
        dictionaries.withLock { $0.add(dictionary, id) }
        return dictionary
    }
}

/// The location of a page in a column chunk.
struct PageLocation {
    /// The offset of the page header in the file.
    var offset: Int
    /// The first row of the page, counted from the start of the row group.
    var row: Int
}

/// The locations of some pages of a column chunk, in ascending order.
struct PageDirectory {
    private static let maximumLocations = 8_192

    private var locations: [PageLocation]
    /// The minimum distance in bytes between two stored locations, which limits the memory.
    private var gap = 0

    init(start: Int) { locations = [PageLocation(offset: start, row: 0)] }

    /// Reads the offset index of a chunk, if it has one.
    init(_ chunk: ParquetMetadata.ColumnChunk, rowCount: Int, _ file: ParquetFile) throws {
        self.init(start: chunk.start)
        let (start, count) = (chunk.offsetIndexStart, chunk.offsetIndexCount)
        guard count > 0, count <= 16 << 20, start >= 4, start <= file.bytes.count - count else { return }
        var reader = ThriftReader(try file.bytes.bytes(at: start, count: count))
        var found: [PageLocation] = []
        try reader.readStructure { reader, field, kind in
            guard case .pageLocations? = ParquetField.OffsetIndex(rawValue: field) else { return try reader.skip(kind) }
            try reader.readList(kind) { reader, kind in
                var location = PageLocation(offset: 0, row: 0)
                try reader.readStructure(kind) { reader, field, kind in
                    switch ParquetField.PageLocation(rawValue: field) {
                    case .offset: location.offset = try reader.readInteger(kind)
                    case .row: location.row = try reader.readInteger(kind)
                    default: try reader.skip(kind)
                    }
                }
                let last = found.last ?? PageLocation(offset: chunk.start - 1, row: -1)
                guard location.offset > last.offset, location.offset < chunk.end, location.row > last.row, location.row < rowCount else {
                    throw ParquetError("the list of pages is invalid")
                }
                found.append(location)
            }
        }
        for location in found where location.row > 0 { add(location) }
    }

    /// The last stored location at or before a row.
    func pageLocation(ofRow row: Int) -> PageLocation {
        var (low, high) = (0, locations.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if locations[middle].row <= row { low = middle } else { high = middle }
        }
        return locations[low]
    }

    /// Adds a location. A location before the last one, or too close to it, is ignored.
    mutating func add(_ location: PageLocation) {
        guard let last = locations.last, location.offset > last.offset + gap, location.row > last.row else { return }
        if locations.count >= Self.maximumLocations {
            gap = max(1, (last.offset - locations[0].offset) / (Self.maximumLocations / 2))
            var kept: [PageLocation] = []
            for location in locations where kept.last.map({ location.offset > $0.offset + gap }) ?? true { kept.append(location) }
            locations = kept
        }
        locations.append(location)
    }
}

/// The most recently used dictionaries.
struct DictionaryCache {
    private static let maximumBytes = 4 << 20

    private var items: [ParquetFile.ChunkID: (dictionary: DecodedDictionary, lastUse: Int)] = [:]
    private var byteCount = 0
    private var useCount = 0

    mutating func find(_ id: ParquetFile.ChunkID) -> DecodedDictionary? {
        guard let dictionary = items[id]?.dictionary else { return nil }
        useCount += 1
        items[id]?.lastUse = useCount
        return dictionary
    }

    mutating func add(_ dictionary: DecodedDictionary, _ id: ParquetFile.ChunkID) {
        guard items[id] == nil, dictionary.byteCount <= Self.maximumBytes else { return }
        while byteCount + dictionary.byteCount > Self.maximumBytes, let oldest = items.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byteCount -= oldest.value.dictionary.byteCount
            items[oldest.key] = nil
        }
        useCount += 1
        items[id] = (dictionary, useCount)
        byteCount += dictionary.byteCount
    }
}
