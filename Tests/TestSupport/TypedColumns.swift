package import FieldValues
package import Tables

/// A table of typed values. Its batches are not aligned with the ranges into which the engine divides the records.
package struct TypedColumns: ColumnarTable {
    package enum Values: Sendable {
        case integers([Int64], scale: Int), doubles([Double]), floats([Float]), flags([UInt8]), dates([Int64])
        case dateTimes([Int64], digits: Int, isUTC: Bool), times([Int64], digits: Int)
        case codes([UInt32], [String]), texts([String])
    }
    /// The values of each column, and 0 for each null.
    package var columns: [(values: Values, presence: [UInt8]?)]
    package let recordCount: Int
    package var isSlowToScan = false
    package var contentID: Int? { 7 }
    package var columnCount: Int { columns.count }
    /// The maximum number of records of a batch.
    package let batchSize = 5_003

    /// Creates a table of these columns.
    package init(columns: [(Values, [UInt8]?)], recordCount: Int) {
        self.columns = columns.map { (values: $0, presence: $1) }
        self.recordCount = recordCount
    }

    package func scanColumns(_ records: Range<Int>, columns numbers: [Int], _ body: (ColumnBatch) throws -> Bool) throws {
        var next = records.lowerBound
        while next < records.upperBound {
            let piece = next..<min(records.upperBound, (next / batchSize + 1) * batchSize)
            guard try pass(numbers[...], [], piece, body) else { return }
            next = piece.upperBound
        }
    }

    /// Adds the vectors of the remaining columns, then passes the batch.
    private func pass(
        _ rest: ArraySlice<Int>, _ vectors: [ColumnVector], _ piece: Range<Int>, _ body: (ColumnBatch) throws -> Bool
    ) throws -> Bool {
        guard let number = rest.first else {
            return try body(ColumnBatch(firstRecord: piece.lowerBound, count: piece.count, columns: vectors))
        }
        guard columns.indices.contains(number) else {
            return try [FieldBytes](repeating: .missing, count: piece.count).withUnsafeBufferPointer {
                try pass(rest.dropFirst(), vectors + [ColumnVector(.texts($0.baseAddress!))], piece, body)
            }
        }
        let (values, presence) = columns[number]
        return try (presence ?? []).withUnsafeBufferPointer { flags in
            let present = presence == nil ? nil : flags.baseAddress! + piece.lowerBound
            func next(_ values: ColumnVector.Values) throws -> Bool {
                try pass(rest.dropFirst(), vectors + [ColumnVector(values, presence: present)], piece, body)
            }
            let at = piece.lowerBound
            switch values {
            case .integers(let numbers, let scale):
                return try numbers.withUnsafeBufferPointer { try next(.integers($0.baseAddress! + at, scale: scale)) }
            case .doubles(let numbers): return try numbers.withUnsafeBufferPointer { try next(.doubles($0.baseAddress! + at)) }
            case .floats(let numbers): return try numbers.withUnsafeBufferPointer { try next(.floats($0.baseAddress! + at)) }
            case .flags(let flags): return try flags.withUnsafeBufferPointer { try next(.flags($0.baseAddress! + at)) }
            case .dates(let days): return try days.withUnsafeBufferPointer { try next(.dates($0.baseAddress! + at)) }
            case .dateTimes(let times, let digits, let isUTC):
                return try times.withUnsafeBufferPointer { try next(.dateTimes($0.baseAddress! + at, digits: digits, isUTC: isUTC)) }
            case .times(let times, let digits):
                return try times.withUnsafeBufferPointer { try next(.times($0.baseAddress! + at, digits: digits)) }
            case .codes(let codes, let texts):
                return try FieldBytes.withFields(of: texts.map(Optional.some)) { dictionary in
                    try codes.withUnsafeBufferPointer { try next(.codes($0.baseAddress! + at, dictionary: dictionary)) }
                }
            case .texts(let texts):
                return try FieldBytes.withFields(of: texts[piece].map(Optional.some)) { try next(.texts($0.baseAddress!)) }
            }
        }
    }

    /// The same table as strings.
    package var texts: MemoryTable {
        get throws { MemoryTable(try strings(of: 0..<recordCount, columns: allColumns)) }
    }

    /// The least and the greatest value of a column in some records.
    package func valueBounds(ofColumn column: Int, in part: Range<Int>) -> ColumnBounds? {
        let (values, presence) = columns[column]
        let records = part.filter { presence == nil || presence![$0] != 0 }
        guard !records.isEmpty else { return ColumnBounds(.none) }
        func range<Value: Comparable>(_ values: [Value]) -> ClosedRange<Value> {
            let present = records.map { values[$0] }
            return present.min()!...present.max()!
        }
        switch values {
        case .integers(let numbers, let scale): return ColumnBounds(.integers(range(numbers), scale: scale))
        case .doubles(let numbers):
            let known = records.map { numbers[$0] }.filter { !$0.isNaN }
            return known.isEmpty ? nil : ColumnBounds(.doubles(known.min()!...known.max()!))
        case .flags(let flags): return ColumnBounds(.flags(range(flags)))
        case .dates(let days): return ColumnBounds(.dates(range(days)))
        case .dateTimes(let times, let digits, _): return ColumnBounds(.dateTimes(range(times), digits: digits))
        case .times(let times, let digits): return ColumnBounds(.times(range(times), digits: digits))
        case .floats, .texts: return nil
        case .codes(let codes, let texts):
            let used = records.map { Array(texts[Int(codes[$0])].utf8) }
            let low = used.min { $0.lexicographicallyPrecedes($1) }!
            return ColumnBounds(.texts(low: low, high: used.max { $0.lexicographicallyPrecedes($1) }!))
        }
    }

    /// Columns of every type with random values.
    /// - Parameter nulls: the share of nulls.
    package static func random(_ count: Int, nulls: Double, _ random: inout SplitMix64) -> (TypedColumns, [ValueKind]) {
        func presence(_ random: inout SplitMix64) -> [UInt8]? {
            nulls == 0 ? nil : (0..<count).map { _ in Double.random(in: 0..<1, using: &random) < nulls ? 0 : 1 }
        }
        func numbers(_ range: ClosedRange<Int64>, _ random: inout SplitMix64) -> [Int64] {
            (0..<count).map { _ in Int64.random(in: range, using: &random) }
        }
        let words = ["BUY", "SELL", "", "ä", "10", "9"]
        let odd = [0.1, -2.5, 1e300, -0.0, 3, 0.1 + 0.2, .infinity, .nan, 1234567.891]
        let all: [(Values, ValueKind)] = [
            (.integers(numbers(-1_000...1_000, &random), scale: 0), .integer),
            (.integers(numbers(.min ... .max, &random), scale: 0), .integer),
            (.integers(numbers(-99_999...99_999, &random), scale: 2), .decimal),
            (.integers(numbers(-(1 << 62)...(1 << 62), &random), scale: 18), .decimal),
            (.doubles(numbers(-9_999...9_999, &random).map { Double($0) / 100 }), .decimal),
            (.doubles((0..<count).map { _ in odd.randomElement(using: &random)! }), .decimal),
            (.floats(numbers(-99...99, &random).map { Float($0) / 10 }), .decimal),
            (.flags(numbers(0...1, &random).map { UInt8($0) }), .flag),
            (.dates(numbers(-800_000...2_000_000, &random)), .date),
            (.dateTimes(numbers(-4_000_000_000...4_000_000_000, &random), digits: 0, isUTC: false), .dateTime),
            (.dateTimes(numbers(0...4_000_000_000_000_000, &random), digits: 6, isUTC: true), .dateTime),
            (.dateTimes(numbers(0...4_000_000_000_000_000_000, &random), digits: 9, isUTC: false), .dateTime),
            (.times(numbers(0...86_399_999, &random), digits: 3), .time),
            (.codes((0..<count).map { _ in UInt32.random(in: 0..<UInt32(words.count), using: &random) }, words), .text),
        ]
        var made: [(Values, [UInt8]?)] = []
        for (values, _) in all { made.append((values, presence(&random))) }
        return (TypedColumns(columns: made, recordCount: count), all.map(\.1))
    }

    /// Columns of every type whose values mostly ascend, so that bounds rule out parts.
    /// - Parameter nulls: the share of nulls.
    package static func ascending(_ count: Int, nulls: Double, _ random: inout SplitMix64) -> (TypedColumns, [ValueKind]) {
        func presence(_ random: inout SplitMix64) -> [UInt8]? {
            nulls == 0 ? nil : (0..<count).map { $0 / 7_000 % 3 == 1 || Double.random(in: 0..<1, using: &random) < nulls ? 0 : 1 }
        }
        func ascendingNumbers(_ low: Int64, _ high: Int64, _ random: inout SplitMix64) -> [Int64] {
            let width = (Double(high) - Double(low)) / 20
            return (0..<count).map { row in
                let start = Double(low) + (Double(high) - Double(low)) * Double(row) / Double(count)
                let value = start + Double.random(in: -width...width, using: &random)
                return max(low, min(high, Int64(exactly: value.rounded()) ?? (value < 0 ? low : high)))
            }
        }
        let words = (0..<300).map { "word \($0 % 17) \($0)" } + ["", " ", "BUY", "ä"]
        let odd = [
            0.1, -2.5, 1e300, -0.0, 0, 3, 0.1 + 0.2, .infinity, -.infinity, .nan, 1234567.891, 0x1p53, 0x1p60, -0x1p54,
            .leastNonzeroMagnitude,
        ]
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 53, (1 << 53) + 1]
        let all: [(Values, ValueKind)] = [
            (.integers(ascendingNumbers(-1_000, 1_000, &random), scale: 0), .integer),
            (.integers((0..<count).map { _ in extremes.randomElement(using: &random)! }, scale: 0), .integer),
            (.integers(ascendingNumbers(-99_999, 99_999, &random), scale: 2), .decimal),
            (.integers(ascendingNumbers(-(1 << 62), 1 << 62, &random), scale: 18), .decimal),
            (.doubles(ascendingNumbers(-9_999, 9_999, &random).map { Double($0) / 100 }), .decimal),
            (.doubles((0..<count).map { _ in odd.randomElement(using: &random)! }), .decimal),
            (.floats(ascendingNumbers(-99, 99, &random).map { Float($0) / 10 }), .decimal),
            (.flags(ascendingNumbers(0, 1, &random).map { UInt8($0) }), .flag),
            (.dates(ascendingNumbers(-800_000, 3_000_000, &random)), .date),
            (.dateTimes(ascendingNumbers(-4_000_000_000, 4_000_000_000, &random), digits: 0, isUTC: false), .dateTime),
            (.dateTimes(ascendingNumbers(0, 4_000_000_000_000_000, &random), digits: 6, isUTC: true), .dateTime),
            (
                .dateTimes(ascendingNumbers(-4_000_000_000_000_000_000, 4_000_000_000_000_000_000, &random), digits: 9, isUTC: false),
                .dateTime
            ),
            (.times(ascendingNumbers(-10, 86_400_010, &random), digits: 3), .time),
            (.codes(ascendingNumbers(0, Int64(words.count) - 1, &random).map { UInt32($0) }, words), .text),
        ]
        var made: [(Values, [UInt8]?)] = []
        for (values, _) in all { made.append((values, presence(&random))) }
        return (TypedColumns(columns: made, recordCount: count), all.map(\.1))
    }
}
