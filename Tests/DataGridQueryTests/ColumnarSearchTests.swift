import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

/// Searches of typed values give the same results as searches of their texts.
@Suite struct ColumnarSearchTests {
    /// Columns of every type, with strings in a short dictionary, in a long one, and in none.
    private static func columns(_ count: Int, nulls: Double, _ random: inout SplitMix64) -> (TypedColumns, Schema) {
        var (columns, kinds) = TypedColumns.random(count, nulls: nulls, &random)
        let names = (0..<count).map { ["name \($0)", "Name Z\($0 % 7)", "Ärger \($0)", "K\u{212A}k", "1,234", "1234"][$0 % 6] }
        // The dictionary has more strings than a quarter of a batch has rows, so it counts as long.
        let dictionary = Array(names.prefix(1_500))
        let codes = (0..<count).map { _ in UInt32.random(in: 0..<UInt32(dictionary.count), using: &random) }
        let presence: [UInt8]? = nulls == 0 ? nil : (0..<count).map { _ in Double.random(in: 0..<1, using: &random) < nulls ? 0 : 1 }
        columns.columns += [(.codes(codes, dictionary), presence), (.texts(names), presence)]
        kinds += [.text, .text]
        return (columns, Schema(kinds.enumerated().map { Field(FieldID(rawValue: $0), name: "c\($0)", kind: $1) }))
    }

    /// Searches for parts of cells, for characters of each type, and for expressions.
    private static func searches(_ texts: MemoryTable, _ random: inout SplitMix64) throws -> [TextSearch] {
        var needles = [
            "", "zzqqx", "e", "E", "nan", "NaN", "inf", "-inf", "e+3", "e-", "-", ".", ":", " ", "Z", "true", "TRUE", "s", "0.1", "1,234",
            "9,223,372", "-1,000", "k", "K", "\u{212A}", "ä", "ÄRGER", "buy", "Buy", "name 1", "12:0", "-01-", "\u{FFFD}", "1e", "x1",
        ]
        while needles.count < 60 {
            let cell = texts.rows.randomElement(using: &random)!.randomElement(using: &random)! ?? ""
            let part = cell.dropFirst(Int.random(in: 0..<8, using: &random)).prefix(Int.random(in: 1...6, using: &random))
            needles.append(Bool.random(using: &random) ? part.uppercased() : String(part))
        }
        let patterns = [
            "x*", "^$", "nan|inf", "1.*5", "[[:alpha:]]", "\\d{4}-0", "(?i)sell", "^name 1\\d", "z$", "\\.5", "e\\+", "qq+", "^-1",
        ]
        return needles.map { .smartCase($0) }
            + needles.dropFirst(20).prefix(15).map { TextSearch($0, isCaseSensitive: false, columns: [15, 1, 13]) }
            + [.smartCase("1", columns: [])] + (try patterns.map { try .smartCase(pattern: $0) })
    }

    @Test(arguments: [0.0, 0.3]) func `18.4: a search in typed values finds the same matches as a search in text`(
        nulls: Double
    ) throws {
        var random = SplitMix64(seed: 183 + UInt64(nulls * 10))
        let count = 6_007
        let (columns, _) = Self.columns(count, nulls: nulls, &random)
        let texts = try columns.texts
        let all = (0..<UInt32(count)).map { $0 }
        let orders: [RowSequence] = [
            .all, RowSequence(RowNumbers(all.filter { $0 % 3 > 0 })), RowSequence(RowNumbers(all.filter { $0 % 100 == 0 })),
            RowSequence(RowNumbers(all.shuffled(using: &random))),
        ]
        for (step, search) in try Self.searches(texts, &random).enumerated() {
            // Without a match nearby, a search in a shuffled order reads records one by one, which takes long.
            let order = orders[step % 12 == 3 ? 3 : step % 3]
            let places = try [columns as any Table, texts].map {
                try findPositions(matching: search, in: $0, order: order, threads: 2, control: JobControl()) { _ in }
            }
            #expect(places[0] == places[1], "\(search.needle)")
            let start = Int.random(in: 0..<order.count(ofRows: count), using: &random)
            for direction in [SearchDirection.forward, .backward] {
                let first = try [columns as any Table, texts].map {
                    try firstMatch(
                        of: search, in: $0, from: start, direction: direction, wraps: step % 5 < 3, order: order, threads: 2,
                        control: JobControl())
                }
                #expect(first[0] == first[1], "\(search.needle), \(direction) from \(start)")
            }
        }
    }

    @Test(arguments: [0.0, 0.3])
    func `18.4: filters for a text in any column match the same records with typed values as with text`(nulls: Double) throws {
        var random = SplitMix64(seed: 186 + UInt64(nulls * 10))
        let (columns, schema) = Self.columns(6_007, nulls: nulls, &random)
        let texts = try columns.texts
        for text in [
            "'zzqqx'", "'buy'", "'Buy'", "'nan'", "'true'", "'10'", "'-01-'", "'e+'", "'.5'", "'ärger'", "'K'", "'k'", "not 'buy'",
            "'buy' and 'name'", "'buy' or '12:0'", "'zzqqx' or c0 > 10", "'buy' and c0 > 10", "c0 contains '12'", "c0 contains 'x'",
            "not (c0 contains 'x')", "c5 contains 'f'", "c8 starts with '19'", "c13 = 'BUY'", "c15 =* 'NAME 6'", "c4 ~ '^-1'", "c4 ~ 'x'",
        ] {
            let filter = try Filter(text, in: schema)
            let found = try [columns as any Table, texts].map {
                try filteredRecords(of: $0, by: [filter], threads: 2, control: JobControl())
            }
            #expect(found[0] == found[1], "\(text)")
        }
    }

    @Test func `18.4: a search in typed values reads no text fields`() throws {
        var random = SplitMix64(seed: 187)
        let (columns, _) = Self.columns(6_007, nulls: 0.3, &random)
        let reads = ColumnarTableTests.ReadCounts()
        let table = ColumnarTableTests.CountingTable(columns: columns, reads: reads)
        let control = JobControl()
        #expect(try findRecords(matching: .smartCase("zzqqx"), in: table, threads: 2, control: control).isEmpty)
        #expect(try !findRecords(matching: .smartCase("buy"), in: table, threads: 2, control: control).isEmpty)
        #expect(try firstMatch(of: .smartCase("zzqqx"), in: table, from: 7, direction: .backward, threads: 2, control: control) == nil)
        #expect(reads.printed.load(ordering: .relaxed) == 0)
        // A search that finds a match reads only the record of the match.
        let match = try firstMatch(of: .smartCase("name 60"), in: table, from: 0, direction: .forward, threads: 2, control: control)
        #expect(match != nil && reads.printed.load(ordering: .relaxed) == columns.columnCount)
    }

    @Test func `18.4: each string of a short dictionary is tested once, and values that cannot match are not tested`() throws {
        func tested(_ values: ColumnVector.Values, for text: String) throws -> (count: Int, found: [UInt32]) {
            let needle = TextNeedle(text, isCaseSensitive: false)
            let batch = ColumnBatch(firstRecord: 0, count: 100, columns: [ColumnVector(values)])
            var printer = ValuePrinter(width: 1)
            let found = try UnsafeArray<UInt32>(count: 100)
            var count = 0
            let matches = try batch.select(
                TypedCondition.Rows(list: nil, count: 100), column: 0, requiring: needle.requiredBytes, &printer, into: found.base
            ) {
                count += 1
                return needle.isIn($0.bytes)
            }
            return (count, (0..<matches).map { found[$0] })
        }
        let codes = (0..<100).map { UInt32($0 % 3) }
        let numbers = (0..<100).map { Int64($0) }
        try FieldBytes.withFields(of: ["ax1", "b", "c"]) { dictionary in
            try codes.withUnsafeBufferPointer { codes in
                // The missing field is tested, too.
                let (count, found) = try tested(.codes(codes.baseAddress!, dictionary: dictionary), for: "X1")
                #expect(count == 4 && found == stride(from: 0, to: 100, by: 3).map { UInt32($0) })
                #expect(try tested(.codes(codes.baseAddress!, dictionary: dictionary), for: "zz").count == 4)
            }
        }
        try numbers.withUnsafeBufferPointer { numbers in
            let start = numbers.baseAddress!
            #expect(try tested(.integers(start, scale: 0), for: "x1").count == 0)
            #expect(try tested(.integers(start, scale: 0), for: ".").count == 0)
            #expect(try tested(.dates(start), for: "12:").count == 0)
            #expect(try tested(.dateTimes(start, digits: 0, isUTC: false), for: "5z").count == 0)
            #expect(try tested(.dateTimes(start, digits: 0, isUTC: true), for: "5z").count == 100)
            let (count, found) = try tested(.integers(start, scale: 0), for: "99")
            #expect(count == 100 && found == [99])
        }
    }

    @Test func `18.4: the possible characters of each type are exactly those of its printed values`() throws {
        var random = SplitMix64(seed: 188)
        let count = ValuePrinter.maximumRecords
        let words = (0..<count).map { _ in Int64(bitPattern: random.next()) }
        let special = [Double.infinity, -.infinity, .nan, -.nan, .signalingNaN, Double(nan: 7, signaling: true), 0.1, 1e-5, 1e300, -0.0]
        let doubles = special + words.dropFirst(special.count).map { Double(bitPattern: UInt64(bitPattern: $0)) }
        let floats =
            [Float.infinity, .nan, .signalingNaN, 1e-5, 1e30, -0.5]
            + words.dropFirst(6).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
        let flags = words.map { UInt8($0 & 1) }
        func check(_ values: ColumnVector.Values) throws {
            var printer = ValuePrinter(width: 1)
            let fields = printer.fields(of: 0..<count, in: ColumnBatch(firstRecord: 0, count: count, columns: [ColumnVector(values)]))
            var printed: Set<UInt8> = []
            for row in 0..<count { printed.formUnion(fields[row, 0].bytes) }
            #expect(printed == Set(try #require(values.printedCharacters).utf8), "\(values)")
        }
        try words.withUnsafeBufferPointer { words in
            let start = words.baseAddress!
            for scale in [0, 1, 18] { try check(.integers(start, scale: scale)) }
            try check(.dates(start))
            for digits in [3, 9] {
                for isUTC in [false, true] { try check(.dateTimes(start, digits: digits, isUTC: isUTC)) }
                try check(.times(start, digits: digits))
            }
        }
        try doubles.withUnsafeBufferPointer { try check(.doubles($0.baseAddress!)) }
        try floats.withUnsafeBufferPointer { try check(.floats($0.baseAddress!)) }
        try flags.withUnsafeBufferPointer { try check(.flags($0.baseAddress!)) }
    }
}
