import CByteScan
import FieldValues

/// The columns to read for a list of requested columns, which may be in any order and repeated.
struct ColumnSelection {
    /// The distinct columns to read, ascending.
    let distinctColumns: [UInt32]
    /// For each requested column, its index in `distinctColumns`; −1 if no record can have the column.
    let indices: [Int]

    init(_ columns: [Int]) {
        // Requested columns that are ascending and distinct need no sorting.
        if columns.first ?? 0 >= 0, columns.last ?? 0 < Int(UInt32.max), zip(columns, columns.dropFirst()).allSatisfy({ $0 < $1 }) {
            (distinctColumns, indices) = (columns.map { UInt32($0) }, Array(columns.indices))
            return
        }
        distinctColumns = Set(columns.filter { $0 >= 0 && $0 < Int(UInt32.max) }).sorted().map { UInt32($0) }
        let index = Dictionary(uniqueKeysWithValues: distinctColumns.enumerated().map { (Int($0.element), $0.offset) })
        indices = columns.map { index[$0] ?? -1 }
    }
}

/// Reads the fields of some columns of consecutive records.
struct FieldSelector: ~Copyable {
    /// The maximum number of records in one call of ``read(_:_:isLast:atMost:)``.
    let capacity: Int
    /// True if more than 128 columns are read. Only a few records then fit in the processor cache.
    var isWide: Bool { columns.distinctColumns.count > 128 }
    private let grammar: Grammar
    private let columns: ColumnSelection
    private let ranges: UnsafeMutablePointer<gv_range>
    private let fields: UnsafeMutablePointer<FieldBytes>
    private var arena: FieldArena
    private var count = 0

    /// - Parameter capacity: the maximum number of records per read; `nil` for the number that is fastest.
    init(_ grammar: Grammar, _ columns: [Int], capacity: Int? = nil) {
        self.grammar = grammar
        self.columns = ColumnSelection(columns)
        let width = max(self.columns.distinctColumns.count, 1)
        // The fields of a batch should fit in the processor cache. With many columns, the batch is larger than the cache, because smaller
        // batches would reload the data of each column too often.
        self.capacity = capacity ?? max(1, min(1024, 8192 / width), min(64, (1 << 19) / width))
        ranges = .allocate(capacity: self.capacity * width)
        fields = .allocate(capacity: self.capacity * max(columns.count, 1))
        arena = FieldArena(grammar)
    }

    deinit {
        ranges.deallocate()
        fields.deallocate()
    }

    /// Reads the complete records at the start of `bytes`, at most `limit`, which must not exceed ``capacity``.
    mutating func read(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int, isLast: Bool, atMost limit: Int) -> gv_progress {
        var progress = gv_progress()
        gv_select(
            grammar.settings.implementation, grammar.raw, bytes, byteCount, isLast ? 1 : 0, columns.distinctColumns,
            columns.distinctColumns.count,
            ranges,
            limit, &progress)
        count = progress.records
        if grammar.dialect.keepsLinesWhole { joinFields(bytes, progress) }
        arena.reset()
        arena.fill(fields, from: ranges, records: count, of: columns, in: bytes)
        return progress
    }

    /// Extends the first field of each record to the end of its line, and makes the other fields missing.
    private func joinFields(_ bytes: UnsafePointer<UInt8>, _ progress: gv_progress) {
        let width = columns.distinctColumns.count
        guard width > 0 else { return }
        for record in 0..<progress.records {
            let range = ranges + record * width
            for column in 0..<width where columns.distinctColumns[column] > 0 { range[column].begin = .max }
            guard columns.distinctColumns[0] == 0, range.pointee.begin != .max else { continue }
            var end = Int(range.pointee.end)
            guard end < progress.consumed, bytes[end] == grammar.dialect.delimiter else { continue }
            while end < progress.consumed, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
            range.pointee.end = UInt32(end)
        }
    }

    /// The records of the last read, valid until the next read.
    /// - Parameter first: the number of the first record.
    func batch(from first: Int) -> FieldBatch {
        FieldBatch(firstRecord: first, count: count, width: columns.indices.count, fields: fields)
    }
}

/// Converts fields from their bytes in the file to their values. Stores the values that differ from these bytes.
struct FieldArena: ~Copyable {
    private let grammar: Grammar
    private let quote: Int
    private let isSingleByteEncoding: Bool
    private let isWindows1252: Int32
    /// The memory for values. Blocks are not freed before ``reset()``, because fields point to them.
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    /// The number of used bytes in the last block.
    private var usedCount = 0

    init(_ grammar: Grammar) {
        self.grammar = grammar
        quote = grammar.dialect.quote.map(Int.init) ?? -1
        isSingleByteEncoding = grammar.dialect.encoding.isSingleByte
        isWindows1252 = grammar.dialect.encoding == .windows1252 ? 1 : 0
    }

    deinit { for block in blocks { block.deallocate() } }

    /// Converts the byte ranges of some records to fields of the selected columns, record after record.
    mutating func fill(
        _ fields: UnsafeMutablePointer<FieldBytes>, from ranges: UnsafePointer<gv_range>, records: Int, of columns: ColumnSelection,
        in bytes: UnsafePointer<UInt8>
    ) {
        let indices = columns.indices
        for (index, columnIndex) in indices.enumerated() {
            var field = fields + index
            guard columnIndex >= 0 else {
                for _ in 0..<records {
                    field.initialize(to: .missing)
                    field += indices.count
                }
                continue
            }
            var range = ranges + columnIndex
            for _ in 0..<records {
                field.initialize(to: self.field(range.pointee, in: bytes))
                field += indices.count
                range += columns.distinctColumns.count
            }
        }
    }

    /// Invalidates all returned fields and frees all blocks of memory except the largest one, which is reused.
    @inline(__always)
    mutating func reset() {
        usedCount = 0
        if blocks.count > 1 { freeAllButLargestBlock() }
    }

    @inline(__always)
    mutating func field(_ range: gv_range, in bytes: UnsafePointer<UInt8>) -> FieldBytes {
        if range.begin == UInt32.max { return .missing }
        let start = bytes + Int(range.begin)
        let count = Int(range.end &- range.begin)
        if count == 0 { return FieldBytes(start: start, count: 0) }
        if Int(start[0]) == quote || isSingleByteEncoding { return converted(start, count, isQuoted: Int(start[0]) == quote) }
        return FieldBytes(start: start, count: count)
    }

    /// The value of a field that is in quotes or in a single-byte encoding.
    @inline(never)
    mutating func converted(_ start: UnsafePointer<UInt8>, _ count: Int, isQuoted: Bool) -> FieldBytes {
        var start = start
        var count = count
        if isQuoted {
            // If the quotes contain no other quote, the value is between them in the file and needs no copy.
            let inner = start + 1
            let at = gv_find(inner, count - 1, UInt8(quote))
            if at >= count - 2 {
                start = inner
                count = at
            } else {
                let target = allocate(count)
                count = gv_unquote(grammar.raw, start, count, target)
                start = UnsafePointer(target)
            }
        }
        if isSingleByteEncoding && gv_has_non_ascii(start, count) != 0 {
            let target = allocate(3 * count)
            count = gv_latin_to_utf8(start, count, isWindows1252, target)
            start = UnsafePointer(target)
        }
        return FieldBytes(start: start, count: count)
    }

    private mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if blocks.isEmpty || blocks[blocks.count - 1].count - usedCount < count {
            blocks.append(.allocate(capacity: max(count, 4096, (blocks.last?.count ?? 0) * 2)))
            usedCount = 0
        }
        let target = blocks[blocks.count - 1].baseAddress! + usedCount
        usedCount += count
        return target
    }

    private mutating func freeAllButLargestBlock() {
        let last = blocks.removeLast()
        for block in blocks { block.deallocate() }
        blocks = [last]
    }
}
