import DelimitedText
import FieldValues
import Locks
import Tables

/// The rows of a Parquet file.
///
/// A scan reads only the pages that contain the requested rows and columns. Memory: a page, its dictionary and 16,384 decoded values for
/// each column and thread. Between scans, at most 128 MiB of pages are cached.
final class ParquetTable: ColumnarTable {
    private let file: ParquetFile
    let meanRecordBytes: Int
    /// Readers that no scan uses. They keep their last pages for the next scan.
    private let idleReaders = Mutex<[ColumnReaders]>([])
    /// Readers for scans of few rows, such as the rows of a screen. They are separate from ``idleReaders``, because long scans would
    /// otherwise replace their pages.
    private let idleScreenReaders = Mutex<[ColumnReaders]>([])

    /// The maximum number of rows of a scan that uses the readers in ``idleScreenReaders``.
    private static let maximumScreenRows = 1_024
    /// The maximum number of elements of ``idleReaders``, and the maximum size of an element in bytes.
    private static let (maximumIdleReaders, maximumIdleBytes) = (4, 16 << 20)
    /// The same limits for ``idleScreenReaders``.
    private static let (maximumIdleScreenReaders, maximumIdleScreenBytes) = (2, 32 << 20)
    /// The maximum number of rows of a batch without columns.
    private static let maximumEmptyRows = 65_536

    init(_ file: ParquetFile) {
        self.file = file
        let bytes = file.groups.reduce(0.0) { $0 + $1.chunks.reduce(0.0) { $0 + Double($1.compressedBytes) } }
        // The estimate uses only compressed sizes, which are about a third of the uncompressed ones.
        meanRecordBytes = max(1, Int(min(1e9, bytes * 3 / Double(max(1, file.rowCount)))))
    }

    var recordCount: Int { file.rowCount }
    var columnCount: Int { file.schema.columns.count }
    var contentID: Int? { file.bytes.serial << 32 }

    /// The first record of the row group, because pages are decompressed from their start. In the first group, returns `record` itself, so
    /// that a sample does not repeat the start of the table.
    func sampleStart(near record: Int) -> Int {
        let start = file.groupStarts[file.group(ofRow: record)]
        return start > 0 ? start : record
    }

    func textForm(ofColumn column: Int) -> TextForm {
        switch file.schema.columns[column].content {
        case .nested: return .json
        case .leaf(let leaf):
            switch file.schema.leaves[leaf].form {
            case .binary: return .binary
            case .texts(isJSON: true): return .declaredJSON
            default: return .plain
            }
        }
    }

    func numberStorage(ofColumn column: Int) -> NumberStorage? {
        guard case .leaf(let leaf) = file.schema.columns[column].content else { return nil }
        switch file.schema.leaves[leaf].form {
        case .doubles: return .double
        case .floats, .float16: return .float
        default: return nil
        }
    }

    var nestedColumns: [NestedColumn] { file.schema.nestedColumns.map(\.column) }

    // MARK: Bounds

    private func leaf(_ column: Int) -> ParquetLeaf? {
        guard (0..<columnCount).contains(column), case .leaf(let leaf) = file.schema.columns[column].content else { return nil }
        let known = file.schema.leaves[leaf]
        return known.maximumRepetition == 0 ? known : nil
    }

    func parts(of records: Range<Int>, columns: [Int], byPage: Bool) -> [Range<Int>] {
        guard records.lowerBound >= 0, records.upperBound <= recordCount, !records.isEmpty else { return [records] }
        var starts = [records.lowerBound]
        var group = file.group(ofRow: records.lowerBound)
        let leaves = byPage ? columns.compactMap(leaf) : []
        while group < file.groups.count, file.groupStarts[group] < records.upperBound {
            let start = file.groupStarts[group]
            starts.append(start)
            for leaf in leaves {
                guard let index = file.pageIndex(ParquetFile.ChunkID(group: group, leaf: leaf.index)) else { continue }
                var page = index.page(ofRow: max(0, records.lowerBound - start))
                while page < index.starts.count, start + index.starts[page] < records.upperBound {
                    starts.append(start + index.starts[page])
                    page += 1
                }
            }
            group += 1
        }
        starts = starts.filter { $0 >= records.lowerBound }.sorted()
        var parts: [Range<Int>] = []
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : records.upperBound
            if start < end { parts.append(start..<end) }
        }
        return parts
    }

    func bounds(ofColumn column: Int, in part: Range<Int>, byPage: Bool) -> ColumnBounds? {
        guard let leaf = leaf(column), !part.isEmpty, part.lowerBound >= 0, part.upperBound <= recordCount else { return nil }
        var all: ColumnBounds? = ColumnBounds(.none)
        func add(_ bounds: ColumnBounds?) -> Bool {
            guard let bounds, let known = all else { return false }
            all = known.union(bounds)
            return all != nil
        }
        var group = file.group(ofRow: part.lowerBound)
        while group < file.groups.count, file.groupStarts[group] < part.upperBound {
            let (start, id) = (file.groupStarts[group], ParquetFile.ChunkID(group: group, leaf: leaf.index))
            if byPage, let index = file.pageIndex(id) {
                var page = index.page(ofRow: max(0, part.lowerBound - start))
                while page < index.bounds.count, start + index.starts[page] < part.upperBound {
                    guard add(index.bounds[page]) else { return nil }
                    page += 1
                }
            } else {
                let chunk = file.groups[group].chunks[leaf.index]
                guard add(chunk.statistics?.bounds(leaf, valueCount: chunk.valueCount)) else { return nil }
            }
            group += 1
        }
        return all
    }

    // MARK: Scanning

    func scanColumns(_ records: Range<Int>, columns: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("The table has only \(NumberText.count(recordCount)) rows.")
        }
        guard !records.isEmpty else { return }
        let binary = FieldID.firstStoredColumn..<FieldID.firstStoredColumn + file.schema.nestedColumns.count
        let known = columns.map { (0..<columnCount).contains($0) || binary.contains($0) ? $0 : nil }
        var (distinct, seen) = ([Int](), Set<Int>())
        for case let column? in known where seen.insert(column).inserted { distinct.append(column) }
        guard !distinct.isEmpty else { return try scanWithoutReading(records, width: columns.count, body) }
        let isScreen = records.count <= Self.maximumScreenRows
        let idleReaders =
            isScreen
            ? idleScreenReaders.withLock { Self.removeReaders(for: records, from: &$0) }
            : self.idleReaders.withLock { Self.removeReaders(for: records, from: &$0) }
        let readers = idleReaders ?? ColumnReaders(file)
        var row = records.lowerBound
        var group = file.group(ofRow: row)
        while row < records.upperBound {
            while file.groupStarts[group + 1] <= row { group += 1 }
            let start = file.groupStarts[group]
            var count = min(records.upperBound, file.groupStarts[group + 1]) - row
            for column in distinct { count = try min(count, prepare(column, readers, row: row - start, group: group, count: count)) }
            let vectors = known.map { column in
                column.map { readers.reader($0).vector(fromRow: row - start) } ?? readers.missingValues
            }
            guard try body(ColumnBatch(firstRecord: row, count: count, columns: vectors)) else { break }
            row += count
        }
        // Readers are discarded after an error, because their positions are undefined.
        readers.previousScanEnd = row
        readers.trim(afterScanOf: distinct, to: isScreen ? Self.maximumIdleScreenBytes : Self.maximumIdleBytes)
        func keepReaders(_ idleReaders: inout [ColumnReaders], _ limit: Int) {
            if idleReaders.count >= limit { idleReaders.removeFirst() }
            idleReaders.append(readers)
        }
        if isScreen {
            idleScreenReaders.withLock { keepReaders(&$0, Self.maximumIdleScreenReaders) }
        } else {
            self.idleReaders.withLock { keepReaders(&$0, Self.maximumIdleReaders) }
        }
    }

    private func prepare(_ column: Int, _ readers: ColumnReaders, row: Int, group: Int, count: Int) throws -> Int {
        do {
            return try readers.reader(column).prepare(row: row, group: group, count: count)
        } catch let error as ParquetError {
            let nested = column - FieldID.firstStoredColumn
            let title = nested < 0 ? file.schema.columns[column].title : file.schema.nestedColumns[nested].column.field.name
            throw error.formatError(of: file.bytes.name, column: title)
        }
    }

    private func scanWithoutReading(_ records: Range<Int>, width: Int, _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        let readers = ColumnReaders(file)
        var row = records.lowerBound
        while row < records.upperBound {
            let count = min(records.upperBound - row, width > 0 ? ColumnReaders.maximumRows : Self.maximumEmptyRows)
            guard try body(ColumnBatch(firstRecord: row, count: count, columns: .init(repeating: readers.missingValues, count: width)))
            else { return }
            row += count
        }
    }

    /// Removes and returns the idle readers whose last scan ended closest to the start of the range; `nil` if no readers are idle. Threads
    /// in different parts of the file thus keep their readers, and each page is decompressed once.
    private static func removeReaders(for records: Range<Int>, from idleReaders: inout [ColumnReaders]) -> ColumnReaders? {
        func distance(_ index: Int) -> Int { abs(idleReaders[index].previousScanEnd - records.lowerBound) }
        return idleReaders.indices.min { distance($0) < distance($1) }.map { idleReaders.remove(at: $0) }
    }
}
