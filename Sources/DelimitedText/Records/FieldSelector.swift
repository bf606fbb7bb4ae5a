import CByteScan
import FieldValues

/// Which columns are read for the fields that are asked for, in any order and more than once.
struct ColumnSelection {
    /// The columns to read, ascending, each once.
    let wanted: [UInt32]
    /// For each field asked for, its place in `wanted`; −1 where there can be no such column.
    let places: [Int]

    init(_ columns: [Int]) {
        // Mostly they are asked for as they come.
        if columns.first ?? 0 >= 0, columns.last ?? 0 < Int(UInt32.max), zip(columns, columns.dropFirst()).allSatisfy({ $0 < $1 }) {
            (wanted, places) = (columns.map { UInt32($0) }, Array(columns.indices))
            return
        }
        wanted = Set(columns.filter { $0 >= 0 && $0 < Int(UInt32.max) }).sorted().map { UInt32($0) }
        let place = Dictionary(uniqueKeysWithValues: wanted.enumerated().map { (Int($0.element), $0.offset) })
        places = columns.map { place[$0] ?? -1 }
    }
}

/// Reads the fields of some columns of consecutive records.
struct FieldSelector: ~Copyable {
    /// The most records that are read at once.
    let capacity: Int
    /// Whether there are so many columns that records hardly fit in the processor's cache.
    var isWide: Bool { columns.wanted.count > 128 }
    private let grammar: Grammar
    private let columns: ColumnSelection
    private let ranges: UnsafeMutablePointer<gv_range>
    private let fields: UnsafeMutablePointer<FieldBytes>
    private var arena: FieldArena
    private var count = 0

    /// - Parameter capacity: `nil`: as many records as can be read fast.
    init(_ grammar: Grammar, _ columns: [Int], capacity: Int? = nil) {
        self.grammar = grammar
        self.columns = ColumnSelection(columns)
        let width = max(self.columns.wanted.count, 1)
        // As many fields as stay in the processor's cache; of wide records some more, so that what is kept of a column is not fetched anew for each of
        // its fields.
        self.capacity = capacity ?? max(1, min(1024, 8192 / width), min(64, (1 << 19) / width))
        ranges = .allocate(capacity: self.capacity * width)
        fields = .allocate(capacity: self.capacity * max(columns.count, 1))
        arena = FieldArena(grammar)
    }

    deinit {
        ranges.deallocate()
        fields.deallocate()
    }

    /// Reads the complete records at the start of `bytes`, at most `most` ≤ ``capacity``.
    mutating func read(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int, isLast: Bool, most: Int) -> gv_progress {
        var progress = gv_progress()
        gv_select(
            grammar.settings.implementation, grammar.raw, bytes, byteCount, isLast ? 1 : 0, columns.wanted, columns.wanted.count, ranges,
            most, &progress)
        count = progress.records
        arena.reset()
        arena.fill(fields, from: ranges, records: count, of: columns, in: bytes)
        return progress
    }

    /// The records that were read last, valid until the next are. The first has the number `first`.
    func batch(from first: Int) -> FieldBatch {
        FieldBatch(first: first, count: count, width: columns.places.count, fields: fields)
    }
}

/// Turns ranges of raw bytes to fields, with room for those that are not in the file as they are meant.
struct FieldArena: ~Copyable {
    private let grammar: Grammar
    private let quote: Int
    private let isLatin: Bool
    private let isWindows: Int32
    /// Blocks are kept until the batch is done, as fields point into them.
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    init(_ grammar: Grammar) {
        self.grammar = grammar
        quote = grammar.dialect.quote.map(Int.init) ?? -1
        isLatin = grammar.dialect.encoding.isSingleByte
        isWindows = grammar.dialect.encoding == .windows1252 ? 1 : 0
    }

    deinit { for block in blocks { block.deallocate() } }

    /// Makes fields of the ranges of records: those of the columns that were read, record by record.
    mutating func fill(
        _ fields: UnsafeMutablePointer<FieldBytes>, from ranges: UnsafePointer<gv_range>, records: Int, of columns: ColumnSelection,
        in bytes: UnsafePointer<UInt8>
    ) {
        let places = columns.places
        for (index, place) in places.enumerated() {
            var field = fields + index
            guard place >= 0 else {
                for _ in 0..<records {
                    field.initialize(to: .missing)
                    field += places.count
                }
                continue
            }
            var range = ranges + place
            for _ in 0..<records {
                field.initialize(to: self.field(range.pointee, in: bytes))
                field += places.count
                range += columns.wanted.count
            }
        }
    }

    /// Frees the place of the fields handed out before; the largest block stays.
    @inline(__always)
    mutating func reset() {
        used = 0
        if blocks.count > 1 { keepLargest() }
    }

    @inline(__always)
    mutating func field(_ range: gv_range, in bytes: UnsafePointer<UInt8>) -> FieldBytes {
        if range.begin == UInt32.max { return .missing }
        let start = bytes + Int(range.begin)
        let count = Int(range.end &- range.begin)
        if count == 0 { return FieldBytes(start: start, count: 0) }
        if Int(start[0]) == quote || isLatin { return converted(start, count, isQuoted: Int(start[0]) == quote) }
        return FieldBytes(start: start, count: count)
    }

    /// A field that may be quoted or in another encoding.
    @inline(never)
    mutating func converted(_ start: UnsafePointer<UInt8>, _ count: Int, isQuoted: Bool) -> FieldBytes {
        var start = start
        var count = count
        if isQuoted {
            // Most quoted fields hold no quote: then they are in the file as they are meant.
            let inner = start + 1
            let at = gv_find(inner, count - 1, UInt8(quote))
            if at >= count - 2 {
                start = inner
                count = at
            } else {
                let target = room(count)
                count = gv_unquote(grammar.raw, start, count, target)
                start = UnsafePointer(target)
            }
        }
        if isLatin && gv_has_high(start, count) != 0 {
            let target = room(3 * count)
            count = gv_latin_to_utf8(start, count, isWindows, target)
            start = UnsafePointer(target)
        }
        return FieldBytes(start: start, count: count)
    }

    private mutating func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if blocks.isEmpty || blocks[blocks.count - 1].count - used < count {
            blocks.append(.allocate(capacity: max(count, 4096, (blocks.last?.count ?? 0) * 2)))
            used = 0
        }
        let place = blocks[blocks.count - 1].baseAddress! + used
        used += count
        return place
    }

    private mutating func keepLargest() {
        let last = blocks.removeLast()
        for block in blocks { block.deallocate() }
        blocks = [last]
    }
}
