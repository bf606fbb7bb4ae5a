import CCodecs
import DelimitedText
import FieldValues

/// Reads the pages of one leaf, which is a column or a field or element inside a nested column. Each thread has its own readers.
///
/// Memory: one decompressed page, and the values that were decoded last.
final class LeafReader {
    let file: ParquetFile
    let leaf: ParquetLeaf
    /// The dictionary of the current chunk.
    @exclusivity(unchecked) private(set) var dictionary: DecodedDictionary?
    /// True if the dictionary of the chunk was read, or if the chunk does not have one.
    private var hasDictionary = false
    let store = ValueStore()
    let scratch = ValueDecoder.Scratch()
    /// Memory for compressed pages, shared by the readers of a thread.
    private let compressed: RawBuffer
    /// The content of the current page, decompressed.
    private let page = RawBuffer()

    /// The current row group.
    private(set) var group = -1
    /// The first row that begins in the current page.
    private(set) var firstRow = 0
    /// The number of rows that begin in the page.
    private(set) var rowCount = 0
    /// The number of entries of the page: values and nulls.
    private(set) var entryCount = 0
    /// The index of the next entry of the page.
    private(set) var position = 0
    /// The number of rows, from the start of the page, that are decompressed. Later rows may still be compressed.
    private var availableRows = 0
    /// The offset of the next page in the file.
    private var nextOffset = 0
    /// The position of the first entry in the page, to which ``restart()`` returns; `nil` if no page is loaded.
    private var pageStart: PageCursor?
    /// The position of the next entry; `nil` after an error.
    private var cursor: PageCursor?

    /// A position in a page, from which the next levels and values are decoded.
    private struct PageCursor {
        var repetitions: gv_runs
        var definitions: gv_runs
        var values: ValueDecoder
    }

    init(_ file: ParquetFile, _ leaf: ParquetLeaf, compressed: RawBuffer) {
        (self.file, self.leaf, self.compressed) = (file, leaf, compressed)
    }

    /// The size in memory, in bytes.
    var byteCount: Int { page.capacity + store.byteCount }

    private var id: ParquetFile.ChunkID { ParquetFile.ChunkID(group: group, leaf: leaf.index, isRaw: leaf.isRaw) }
    private var chunk: ParquetMetadata.ColumnChunk { file.groups[group].chunks[leaf.index] }

    // MARK: Pages

    /// Moves to the page in which a row of a group begins.
    /// - Parameter count: the number of rows that will be decoded from `row`. In a page without lists, later rows may stay compressed.
    func seek(toRow row: Int, inGroup group: Int, count: Int = .max) throws {
        if group == self.group, pageStart != nil, row >= firstRow, row < firstRow + rowCount,
            row - firstRow + min(count, firstRow + rowCount - row) <= availableRows
        {
            return
        }
        // A page that is read a second time is decompressed completely, because its start would otherwise be decompressed again for each
        // later row.
        let isRead = group == self.group && pageStart != nil && row >= firstRow && row < firstRow + rowCount
        var next: PageLocation
        if group != self.group {
            (self.group, pageStart, dictionary, hasDictionary) = (group, nil, nil, false)
            guard !chunk.isElsewhere else {
                throw FormatError("Cannot read \(file.bytes.name): column “\(leaf.name)” is in another file, which is not supported.")
            }
            guard !chunk.isEncrypted else {
                throw FormatError("Cannot read \(file.bytes.name): column “\(leaf.name)” is encrypted. Decrypt the file first.")
            }
            next = file.pageLocation(ofRow: row, id)
        } else {
            next = file.pageLocation(ofRow: row, id)
            // The page after the current one may be missing in the directory, but its position is known.
            let following = PageLocation(offset: nextOffset, row: firstRow + rowCount)
            if pageStart != nil, following.row <= row, following.row > next.row { next = following }
        }
        pageStart = nil
        while true {
            guard next.offset < chunk.end else { throw ParquetError("the pages end before row \(row + 1) of row group \(group + 1)") }
            let header = try file.header(at: next.offset)
            guard header.isData else {
                next.offset += header.totalBytes
                continue
            }
            if header.valueCount > 0 { file.addPageLocation(next, id) }
            // Before version 2, the header of a page with lists does not contain its number of rows, so the levels are counted.
            var rows = header.valueCount
            if leaf.maximumRepetition > 0 {
                rows = header.rowCount
                if header.kind == .data {
                    try load(header, next)
                    rows = rowCount
                }
            }
            guard (0...Int(Int32.max)).contains(rows) else { throw ParquetError("a page has an invalid number of rows") }
            if row < next.row + rows {
                if pageStart == nil { try load(header, next, rows: isRead ? .max : row - next.row + min(count, next.row + rows - row)) }
                return
            }
            pageStart = nil
            next = PageLocation(offset: next.offset + header.totalBytes, row: next.row + rows)
        }
    }

    /// Loads the next page of the chunk. Returns `false` if there are no more pages.
    func loadNextPage() throws -> Bool {
        var next = PageLocation(offset: nextOffset, row: firstRow + rowCount)
        while next.offset < chunk.end {
            let header = try file.header(at: next.offset)
            if header.isData, header.valueCount > 0 {
                file.addPageLocation(next, id)
                try load(header, next)
                return true
            }
            next.offset += header.totalBytes
        }
        return false
    }

    /// The number of bytes to decompress for the levels, in addition to the values of the requested rows.
    private static let levelBytes = 4_096

    /// The number of bytes of a page to decompress for its first rows, assuming that the levels are small; `nil` for the whole page.
    private func byteCount(ofRows rows: Int, _ header: PageHeader) -> Int? {
        guard header.kind == .data, header.encoding == .plain, header.definitionEncoding == .runs, rows < header.valueCount / 2,
            leaf.maximumRepetition == 0, leaf.width > 0, leaf.type != .boolean
        else { return nil }
        return Self.levelBytes + rows * leaf.width
    }

    /// Makes a page current.
    /// - Parameter rows: the number of rows needed from the start of the page.
    private func load(_ header: PageHeader, _ location: PageLocation, rows: Int = .max) throws {
        pageStart = nil
        let chunk = chunk
        guard header.valueCount <= chunk.valueCount else { throw ParquetError("a page has more values than its column") }
        let limit = byteCount(ofRows: rows, header)
        let count = try file.readPage(at: location.offset, header, chunk.codec, limit: limit ?? .max, into: page, compressed: compressed)
        let isWhole = count == header.uncompressedBytes || limit == nil
        if !isWhole, leaf.maximumDefinition > 0 {
            // The length of the levels is at their start. If they are longer than assumed, decompress the whole page.
            let levels = (0..<4).reduce(0) { $0 | Int(page.start[$1]) << (8 * $1) }
            if levels > Self.levelBytes - 4 { return try load(header, location) }
        }
        if !hasDictionary, header.encoding == .dictionary || header.encoding == .plainDictionary {
            dictionary = try file.dictionary(id, compressed: compressed)
            hasDictionary = true
        }
        var rest = UnsafeBufferPointer(start: UnsafePointer(page.start), count: count)
        let repetitions: gv_runs
        let definitions: gv_runs
        if header.kind == .dataV2 {
            repetitions = try levels(&rest, leaf.maximumRepetition, .runs, count: header.valueCount, bytes: header.repetitionBytes)
            definitions = try levels(&rest, leaf.maximumDefinition, .runs, count: header.valueCount, bytes: header.definitionBytes)
        } else {
            repetitions = try levels(&rest, leaf.maximumRepetition, header.repetitionEncoding, count: header.valueCount, bytes: nil)
            definitions = try levels(&rest, leaf.maximumDefinition, header.definitionEncoding, count: header.valueCount, bytes: nil)
        }
        let values = try ValueDecoder(rest, header.encoding, leaf, count: header.valueCount, dictionary: dictionary)
        let firstEntry = PageCursor(repetitions: repetitions, definitions: definitions, values: values)
        (entryCount, position, firstRow) = (header.valueCount, 0, location.row)
        nextOffset = location.offset + header.totalBytes
        rowCount = leaf.maximumRepetition == 0 ? entryCount : try rowStartCount(repetitions)
        availableRows = isWhole ? rowCount : rows
        (pageStart, cursor) = (firstEntry, firstEntry)
    }

    /// The levels at the start of a page, which are removed from `bytes`.
    /// - Parameters:
    ///   - count: the number of levels.
    ///   - givenCount: the number of bytes of the levels; `nil` if their length is stored before them.
    private func levels(
        _ bytes: inout UnsafeBufferPointer<UInt8>, _ maximum: Int, _ encoding: PageHeader.Encoding, count: Int, bytes givenCount: Int?
    ) throws -> gv_runs {
        var runs = gv_runs()
        let width = Int.bitWidth - maximum.leadingZeroBitCount
        let cutOffError = ParquetError("a page ends before its last definition or repetition level")
        if maximum == 0 {
            guard givenCount ?? 0 <= bytes.count else { throw cutOffError }
            gv_runs_start(&runs, bytes.baseAddress, 0, 0)
            bytes = UnsafeBufferPointer(rebasing: bytes[(givenCount ?? 0)...])
            return runs
        }
        let (start, length): (Int, Int)
        if let givenCount {
            (start, length) = (0, givenCount)
        } else if encoding == .bitPacked {
            (start, length) = (0, (count * width + 7) / 8)
        } else {
            guard bytes.count >= 4 else { throw cutOffError }
            (start, length) = (4, (0..<4).reduce(0) { $0 | Int(bytes[$1]) << ($1 * 8) })
        }
        guard length <= bytes.count - start else { throw cutOffError }
        let first = bytes.baseAddress.map { $0 + start }
        if givenCount == nil, encoding == .bitPacked {
            gv_runs_start_packed(&runs, first, length, UInt32(width))
        } else {
            gv_runs_start(&runs, first, length, UInt32(width))
        }
        bytes = UnsafeBufferPointer(rebasing: bytes[(start + length)...])
        return runs
    }

    private func rowStartCount(_ levels: gv_runs) throws -> Int {
        var levels = levels
        scratch.first.reserve(4_096)
        var (done, rows) = (0, 0)
        while done < entryCount {
            let count = min(4_096, entryCount - done)
            try read(&levels, scratch.first.start, count)
            rows += gv_mark_present(scratch.first.start, 0, scratch.first.start, count)
            done += count
        }
        return rows
    }

    private func read(_ levels: inout gv_runs, _ target: UnsafeMutablePointer<UInt8>, _ count: Int) throws {
        guard gv_runs_read_bytes(&levels, target, count) == count else {
            throw ParquetError("a page ends before its last definition or repetition level")
        }
    }

    // MARK: Entries

    /// Returns to the first entry of the page.
    func restart() { (cursor, position) = (pageStart, 0) }

    /// Decodes the next entries of the page. Puts the values into ``store``, without gaps for nulls.
    /// - Parameters:
    ///   - count: at most the number of remaining entries of the page.
    ///   - repetitions: receives a level for each entry; `nil` to ignore them.
    ///   - definitions: receives a level for each entry; `nil` if all values are present.
    /// - Returns: the number of decoded entries, and the number of values in them. If the values need much memory, fewer than `count`
    ///   entries are decoded.
    func decode(
        _ count: Int, repetitions: UnsafeMutablePointer<UInt8>?, definitions: UnsafeMutablePointer<UInt8>?
    ) throws -> (entries: Int, present: Int) {
        guard var cursor else { throw ParquetError("a page is missing") }
        self.cursor = nil
        let before = cursor
        var (entries, present) = (count, count)
        if let definitions {
            try read(&cursor.definitions, definitions, count)
            present = markPresentValues(definitions, count: count)
        }
        let limit = cursor.values.decodableCount(upTo: present, scratch)
        if limit < present {
            present = limit
            if let definitions {
                (entries, present) = (0, 0)
                while present < limit || entries == 0 {
                    if Int(definitions[entries]) == leaf.maximumDefinition { present += 1 }
                    entries += 1
                }
                cursor.definitions = before.definitions
                try read(&cursor.definitions, definitions, entries)
            } else {
                entries = limit
            }
        }
        if let repetitions { try read(&cursor.repetitions, repetitions, entries) }
        try cursor.values.decode(present, into: store, scratch)
        position += entries
        self.cursor = cursor
        return (entries, present)
    }

    /// Sets an element of `scratch.first` to 1 for each entry with a value, otherwise to 0.
    /// - Returns: the number of values.
    private func markPresentValues(_ definitions: UnsafePointer<UInt8>, count: Int) -> Int {
        scratch.first.reserve(count)
        return gv_mark_present(definitions, UInt8(truncatingIfNeeded: leaf.maximumDefinition), scratch.first.start, count)
    }

    /// Skips entries of the page. The content of ``store`` is lost.
    func skip(_ count: Int) throws {
        guard var cursor else { throw ParquetError("a page is missing") }
        self.cursor = nil
        var present = count
        if leaf.maximumDefinition > 0 {
            present = 0
            scratch.second.reserve(4_096)
            var done = 0
            while done < count {
                let step = min(4_096, count - done)
                try read(&cursor.definitions, scratch.second.start, step)
                present += markPresentValues(scratch.second.start, count: step)
                done += step
            }
        }
        if leaf.maximumRepetition > 0, gv_runs_skip(&cursor.repetitions, count) != count {
            throw ParquetError("a page ends before its last definition or repetition level")
        }
        try cursor.values.skip(present, store, scratch)
        position += count
        self.cursor = cursor
    }

    /// The number of entries from ``position`` to the start of a row of the page. The row must not start before ``position``.
    func entries(before row: Int, startingAt startRow: Int) throws -> Int {
        guard var levels = cursor?.repetitions else { throw ParquetError("a page is missing") }
        var (rows, done) = (startRow, 0)
        scratch.first.reserve(1_024)
        while done < entryCount - position {
            let count = min(1_024, entryCount - position - done)
            try read(&levels, scratch.first.start, count)
            for index in 0..<count where scratch.first.start[index] == 0 {
                if rows == row { return done + index }
                rows += 1
            }
            done += count
        }
        throw ParquetError("a page has fewer rows than its header declares")
    }
}
