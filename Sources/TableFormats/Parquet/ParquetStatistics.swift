import DelimitedText
import FieldValues
import Tables

/// The statistics of a column chunk or page: bounds of the values, and the number of nulls.
///
/// The statistics come from the file and may be wrong. Filters use them only to skip rows.
struct ParquetStatistics: Sendable {
    var low: Bound?
    var high: Bound?
    var nullCount: Int?
    /// True if `high` is a value of the column, false if it is a shortened text; `nil` if the file does not say.
    var isHighExact: Bool?
    /// True if `low` is a value of the column, false if it is a shortened text; `nil` if the file does not say.
    var isLowExact: Bool?

    /// A bound in the PLAIN encoding, without the length of a string.
    struct Bound: Sendable {
        /// The number of bytes of the whole value. ``bytes`` has fewer if the value is long.
        var count = 0
        /// The first 8 bytes, little-endian.
        var word: UInt64 = 0
        /// The first bytes of a value of more than 8 bytes.
        var rest: [UInt8] = []

        /// The maximum number of bytes in ``rest``.
        static let maximumBytes = 64

        init(_ bytes: ArraySlice<UInt8>) {
            count = bytes.count
            for (index, byte) in bytes.prefix(8).enumerated() { word |= UInt64(byte) << UInt64(index * 8) }
            if count > 8 { rest = Array(bytes.prefix(Self.maximumBytes)) }
        }

        var bytes: [UInt8] { count > 8 ? rest : (0..<count).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) } }
        var isCut: Bool { count > Self.maximumBytes }
    }

    init(low: Bound? = nil, high: Bound? = nil, nullCount: Int? = nil) { (self.low, self.high, self.nullCount) = (low, high, nullCount) }

    init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws {
        var oldLow: Bound?
        var oldHigh: Bound?
        try reader.readStructure(kind) { reader, field, kind in
            switch ParquetField.Statistics(rawValue: field) {
            case .nullCount: nullCount = try reader.readInteger(kind)
            case .oldMaximum: oldHigh = Bound(try reader.readBinary(kind))
            case .oldMinimum: oldLow = Bound(try reader.readBinary(kind))
            case .maximum: high = Bound(try reader.readBinary(kind))
            case .minimum: low = Bound(try reader.readBinary(kind))
            case .isMaximumExact: isHighExact = try reader.readFlag(kind)
            case .isMinimumExact: isLowExact = try reader.readFlag(kind)
            default: try reader.skip(kind)
            }
        }
        if low == nil, high == nil { (hasOldFields, low, high) = (true, oldLow, oldHigh) }
    }

    /// True if the bounds are in the fields of older files, whose writers compare all values as signed numbers.
    private var hasOldFields = false

    /// The bounds of a column without lists; `nil` if they are unknown or invalid.
    /// - Parameter valueCount: the number of values, with nulls.
    func bounds(_ leaf: ParquetLeaf, valueCount: Int) -> ColumnBounds? {
        guard leaf.maximumRepetition == 0 else { return nil }
        if let nullCount, nullCount == valueCount, valueCount > 0 { return ColumnBounds(.none) }
        guard let low, let high else { return nil }
        func integers(_ convert: (Bound) -> Int64?) -> ClosedRange<Int64>? {
            guard let first = convert(low), let last = convert(high), first <= last else { return nil }
            return first...last
        }
        /// A signed little-endian number.
        func signed(_ bound: Bound) -> Int64? {
            guard bound.count == leaf.width else { return nil }
            return leaf.type == .int32 ? Int64(Int32(truncatingIfNeeded: bound.word)) : Int64(bitPattern: bound.word)
        }
        func doubles(_ convert: (Bound) -> Double) -> ClosedRange<Double>? {
            guard low.count == leaf.width, high.count == leaf.width else { return nil }
            let (first, last) = (convert(low), convert(high))
            // If one of the values is NaN, this comparison is false.
            return first <= last ? first...last : nil
        }
        switch leaf.form {
        case .integers(let scale): return integers(signed).map { ColumnBounds(.integers($0, scale: scale)) }
        case .unsigned32 where !hasOldFields:
            return integers { $0.count == 4 ? Int64($0.word) : nil }.map { ColumnBounds(.integers($0, scale: 0)) }
        case .dates: return integers(signed).map { ColumnBounds(.dates($0)) }
        case .dateTimes(let digits, _): return integers(signed).map { ColumnBounds(.dateTimes($0, digits: digits)) }
        case .times(let digits): return integers(signed).map { ColumnBounds(.times($0, digits: digits)) }
        case .integerFlags:
            return integers(signed).map { range in
                ColumnBounds(.flags(range.contains(0) ? 0...(range == 0...0 ? 0 : 1) : 1...1))
            }
        case .flags:
            return integers { $0.count == 1 ? Int64($0.word & 1) : nil }.map {
                ColumnBounds(.flags(UInt8($0.lowerBound)...UInt8($0.upperBound)))
            }
        case .doubles: return doubles { Double(bitPattern: $0.word) }.map { ColumnBounds(.doubles($0)) }
        case .floats:
            // Filters parse a float from its shortest text, which can be a different number. The bounds are widened to include it.
            guard let range = doubles({ Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0.word))) }) else { return nil }
            return ColumnBounds(.doubles(Double(Float(range.lowerBound).nextDown)...Double(Float(range.upperBound).nextUp)))
        case .texts where !hasOldFields:
            // Some writers cut an upper bound without increasing it. The byte 0xFF, which no text contains, is added to include all texts
            // that begin with the bound.
            let last = high.isCut || isHighExact != true ? high.bytes + [0xFF] : high.bytes
            guard !last.lexicographicallyPrecedes(low.bytes) else { return nil }
            return ColumnBounds(.texts(low: low.bytes, high: last))
        // Some writers wrongly compare numbers of different lengths by their bytes, so only numbers of a fixed length are used.
        case .bigDecimals(let scale) where !hasOldFields && leaf.width > 0 && !leaf.hasWrongDecimalBounds && scale <= 18:
            // Use no shortened bounds, because a shortened number is another number.
            guard isLowExact != false, isHighExact != false else { return nil }
            return integers { bound in
                guard bound.count == leaf.width, !bound.isCut else { return nil }
                return bound.bytes.withUnsafeBufferPointer(ValueStore.integer)
            }.map { ColumnBounds(.integers($0, scale: scale)) }
        default: return nil
        }
    }
}

extension ParquetStatistics {
    /// The least and the greatest text of chunks, for display; `nil` if the bounds of a chunk are unknown. A shortened text ends with `…`.
    static func textRange(_ chunks: [ParquetStatistics?]) -> (low: String, high: String)? {
        typealias End = (bytes: [UInt8], isCut: Bool)
        var (lows, highs): ([End], [End]) = ([], [])
        for chunk in chunks {
            guard let chunk, !chunk.hasOldFields, let low = chunk.low, let high = chunk.high else { return nil }
            lows.append((low.bytes, low.isCut || chunk.isLowExact == false))
            highs.append((high.bytes, high.isCut || chunk.isHighExact == false))
        }
        func isLess(_ a: End, _ b: End) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
        guard let low = lows.min(by: isLess), let high = highs.max(by: isLess) else { return nil }
        return (text(low.bytes, isCut: low.isCut), text(high.bytes, isCut: high.isCut))
    }

    private static func text(_ bytes: [UInt8], isCut: Bool) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        guard isCut else { return text }
        // The end may be an incomplete character, which was decoded as replacement characters.
        while text.last == "\u{FFFD}" { text.removeLast() }
        return text + "…"
    }

    /// The least and the greatest 32-bit number of chunks; `nil` if the bounds of a chunk are unknown.
    static func floatRange(_ chunks: [ParquetStatistics?]) -> ClosedRange<Float>? {
        var range: ClosedRange<Float>?
        for chunk in chunks {
            guard let low = chunk?.low, let high = chunk?.high, low.count == 4, high.count == 4 else { return nil }
            let (first, last) = (Float(bitPattern: UInt32(low.word)), Float(bitPattern: UInt32(high.word)))
            // The comparison is false for NaN.
            guard first <= last else { return nil }
            range = range.map { min($0.lowerBound, first)...max($0.upperBound, last) } ?? first...last
        }
        return range
    }
}

/// The statistics of the pages of a column chunk: the column index and the offset index of the format.
struct ParquetPageIndex: Sendable {
    /// The first row of each page, counted from the start of the row group. The last element is the number of rows of the group.
    private(set) var starts: [Int] = []
    /// The bounds of each page; `nil` if unknown.
    private(set) var bounds: [ColumnBounds?] = []

    /// The maximum number of bytes of an index.
    private static let maximumBytes = 16 << 20

    /// - Throws: an error if the chunk has no valid index.
    init(_ chunk: ParquetMetadata.ColumnChunk, _ leaf: ParquetLeaf, rowCount: Int, _ file: ParquetFile) throws {
        func bytes(_ start: Int, _ count: Int) throws -> [UInt8] {
            guard count > 0, count <= Self.maximumBytes, start >= 4, start <= file.dataEnd, count <= file.dataEnd - start else {
                throw ParquetError("the list of pages is invalid")
            }
            return try file.bytes.bytes(at: start, count: count)
        }
        var offsetIndex = ThriftReader(try bytes(chunk.offsetIndexStart, chunk.offsetIndexCount))
        try offsetIndex.readStructure { reader, field, kind in
            guard case .pageLocations? = ParquetField.OffsetIndex(rawValue: field) else { return try reader.skip(kind) }
            try reader.readList(kind) { reader, kind in
                var row = -1
                try reader.readStructure(kind) { reader, field, kind in
                    if case .row? = ParquetField.PageLocation(rawValue: field) {
                        row = try reader.readInteger(kind)
                    } else {
                        try reader.skip(kind)
                    }
                }
                guard row < rowCount, starts.isEmpty ? row == 0 : row > starts[starts.count - 1] else {
                    throw ParquetError("the list of pages is invalid")
                }
                starts.append(row)
            }
        }
        starts.append(rowCount)
        var areNull: [Bool] = []
        var (lows, highs): ([ParquetStatistics.Bound], [ParquetStatistics.Bound]) = ([], [])
        var columns = ThriftReader(try bytes(chunk.columnIndexStart, chunk.columnIndexCount))
        try columns.readStructure { reader, field, kind in
            switch ParquetField.ColumnIndex(rawValue: field) {
            case .isNull: try reader.readList(kind) { reader, kind in areNull.append(try reader.readElementFlag(kind)) }
            case .minima: try reader.readList(kind) { reader, kind in lows.append(ParquetStatistics.Bound(try reader.readBinary(kind))) }
            case .maxima: try reader.readList(kind) { reader, kind in highs.append(ParquetStatistics.Bound(try reader.readBinary(kind))) }
            default: try reader.skip(kind)
            }
        }
        let count = starts.count - 1
        guard count > 0, areNull.count == count, lows.count == count, highs.count == count else {
            throw ParquetError("the list of pages is invalid")
        }
        for page in 0..<count {
            bounds.append(
                areNull[page] ? ColumnBounds(.none) : ParquetStatistics(low: lows[page], high: highs[page]).bounds(leaf, valueCount: 0))
        }
    }

    func page(ofRow row: Int) -> Int {
        var (low, high) = (0, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }
}
