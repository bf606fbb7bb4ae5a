public import Tables
import CByteScan
public import FieldValues

extension RecordSnapshot {
    /// Calls `body` for each of `records` in ascending order, with the fields of `columns` in the order asked for.
    ///
    /// The fields are UTF-8 (transcoded where the file is not), unquoted, and borrowed: gone when `body` returns. Fields that a record
    /// does not have are missing; so are columns below 0. Can be called from several threads at once. Stops early when `body` answers `false`.
    /// - Complexity: O(bytes of the records), plus O(log n) for the first. Nothing is allocated per record or field. Memory: a block, or the
    ///   longest record.
    /// - Throws: ``DelimitedTextError`` when the file can no longer be read, `records` is not within the snapshot, or a record is longer than 1 GiB.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        try scanBatches(records, columns: columns) { batch in
            for record in 0..<batch.count where !body(batch.first + record, batch.fields(of: record)) { return false }
            return true
        }
    }

    /// As ``scan(_:columns:_:)-(Range<Int>,_,_)``, with up to 1,024 records in each call.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        try scanBatches(records, columns: columns, cutting: nil, body)
    }

    /// As ``scanBatches(_:columns:_:)``, for a writer of delimited text: records that stand in the file exactly as the writer writes them are handed
    /// over as lines, and are not parsed.
    ///
    /// The writer separates `columns` by `delimiter`, ends records with LF, and puts exactly those fields in `"` that hold a delimiter, a quote or a
    /// line end. There are lines only where `columns` are the first columns in the order of the file, and the file has the same delimiter and quote,
    /// no comments, and a Unicode encoding.
    /// - Parameters:
    ///   - records: the records to hand out, in ascending order.
    ///   - columns: the columns whose fields are handed out, in this order.
    ///   - delimiter: the writer's delimiter; `nil`: nothing is handed over as lines.
    ///   - lines: called with up to 4,096 records. `false` ends the scan.
    ///   - fields: called with the other records. `false` ends the scan.
    /// - Throws: as ``scan(_:columns:_:)-(Range<Int>,_,_)``.
    public func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        let dialect = grammar.dialect
        let isSame =
            dialect.delimiter == delimiter && dialect.quote == UInt8(ascii: "\"") && dialect.commentPrefix.isEmpty
            && !dialect.encoding.isSingleByte
        let isWhole = !columns.isEmpty && columns.elementsEqual(columns.indices)
        guard isSame, isWhole else { return try scanBatches(records, columns: columns, fields) }
        // An optional function counts as escaping.
        try withoutActuallyEscaping(lines) { try scanBatches(records, columns: columns, cutting: nil, lines: $0, fields) }
    }

    /// Calls `body` with the fields of the header; not at all when the file has none. The fields are as for ``scan(_:columns:_:)-(Range<Int>,_,_)``.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        guard grammar.dialect.hasHeader, headerStarts > 0 else { return }
        try scanBatches(-1..<0, columns: columns, cutting: nil) { batch in
            body(batch.fields(of: 0))
            return true
        }
    }

    /// Calls `body` with the fields of a record that was found without its number: one of ``DelimitedFile/tail(atLeast:columns:maximumFieldBytes:)``.
    /// - Throws: as ``scan(_:columns:_:)-(Range<Int>,_,_)``; a record whose end was not read cannot be handed out.
    public func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        let range = record.byteRange
        guard !record.isCut else {
            throw DelimitedTextError(
                .recordTooLong, "The row is too long to read before the whole file is read.", path: source.path,
                byteOffset: range.lowerBound)
        }
        let selection = ColumnSelection(columns)
        var ranges = [gv_range](repeating: gv_range(begin: UInt32.max, end: UInt32.max), count: max(selection.wanted.count, 1))
        var window = RecordWindow(source, begin: range.lowerBound, end: range.upperBound, block: max(range.count, 1), limit: range.count)
        while try window.extend() {}
        var progress = gv_progress()
        gv_select(
            grammar.settings.implementation, grammar.raw, window.bytes, window.count, 1, selection.wanted, selection.wanted.count, &ranges,
            1,
            &progress)
        var arena = FieldArena(grammar)
        var fields = [FieldBytes](repeating: .missing, count: columns.count)
        fields.withUnsafeMutableBufferPointer { fields in
            if let start = fields.baseAddress { arena.fill(start, from: ranges, records: 1, of: selection, in: window.bytes) }
            body(UnsafeBufferPointer(fields))
        }
    }

    /// - Parameters:
    ///   - cutting: for samples: only so many bytes of a long record are read, and the last field ends there. `nil`: records are whole.
    ///   - lines: called with records that a writer of delimited text writes as they stand, where it is not `nil`.
    func scanBatches(
        _ records: Range<Int>, columns: [Int], cutting: Int?, lines: ((_ batch: LineBatch) -> Bool)? = nil,
        _ body: (_ batch: FieldBatch) -> Bool
    ) throws {
        if records.isEmpty { return }
        if records.lowerBound >= 0 || headerStarts == 0 { try check(records) }
        let settings = grammar.settings
        let selection = ColumnSelection(columns)
        let width = selection.wanted.count
        // As many fields as stay in the processor's cache; of wide records some more, so that what is kept of a column is not fetched anew
        // for each of its fields.
        let batch = max(1, min(1024, 8192 / max(width, 1)), min(64, (1 << 19) / max(width, 1)))
        let ranges = UnsafeMutablePointer<gv_range>.allocate(capacity: max(batch * width, 1))
        defer { ranges.deallocate() }
        let fields = UnsafeMutablePointer<FieldBytes>.allocate(capacity: max(batch * columns.count, 1))
        defer { fields.deallocate() }
        var arena = FieldArena(grammar)
        let end = try end(ofRecords: records)
        let first = try begin(ofStart: records.lowerBound + headerStarts)
        // A batch of wide records, where it is not more than other caches hold.
        let wide = min(batch * ((end - first) / records.count), 2 << 20)
        var window = RecordWindow(
            source, begin: first, end: end, block: width > 128 ? max(settings.blockBytes, wide) : settings.blockBytes,
            limit: cutting ?? settings.wholeRecordBytes)

        var finder = lines == nil ? nil : LineFinder(grammar, fields: columns.count)
        var number = records.lowerBound
        while number < records.upperBound {
            var room = min(batch, records.upperBound - number)
            if let lines, let found = finder?.find(window.bytes, window.count, number..<records.upperBound) {
                if found.count > 0 {
                    if !lines(found) { return }
                    number += found.count
                    window.use(found.byteCount)
                    continue
                }
                room = min(room, finder?.parsedCount ?? room)
            }
            var progress = gv_progress()
            var isCut = false
            gv_select(
                settings.implementation, grammar.raw, window.bytes, window.count, window.isAtEnd ? 1 : 0, selection.wanted, width, ranges,
                room, &progress)
            if progress.records == 0 {
                window.use(progress.consumed)
                if try window.extend() { continue }
                if window.isAtEnd { throw changed(record: number) }
                guard cutting != nil else { throw tooLong(record: number, at: window.offset) }
                progress = gv_progress()
                gv_select(
                    settings.implementation, grammar.raw, window.bytes, window.count, 1, selection.wanted, width, ranges, 1,
                    &progress)
                if progress.records == 0 { throw changed(record: number) }
                isCut = true
            }
            arena.reset()
            arena.fill(fields, from: ranges, records: progress.records, of: selection, in: window.bytes)
            if !body(FieldBatch(first: number, count: progress.records, width: columns.count, fields: fields)) { return }
            number += progress.records
            if isCut {
                if number < records.upperBound { window.seek(to: try begin(ofStart: number + headerStarts)) }
                continue
            }
            window.use(progress.consumed)
            if progress.records < room && number < records.upperBound {
                if try !window.extend() && window.isAtEnd && window.count == 0 { throw changed(record: number) }
            }
        }
    }

    private func tooLong(record: Int, at offset: Int) -> DelimitedTextError {
        let line = skippedLines + 1 + ((try? lineEnds(before: offset)) ?? 0)
        let limit = grammar.settings.wholeRecordBytes >> 20
        return DelimitedTextError(
            .recordTooLong,
            "The row that starts on line \(line) of \(source.path ?? "the input") is too long: the limit is \(limit) MiB.",
            path: source.path, byteOffset: offset, record: record, line: line)
    }
}

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
        if Int(start[0]) == quote || isLatin { return converted(start, count) }
        return FieldBytes(start: start, count: count)
    }

    @inline(never)
    private mutating func converted(_ start: UnsafePointer<UInt8>, _ count: Int) -> FieldBytes {
        var start = start
        var count = count
        if Int(start[0]) == quote {
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
